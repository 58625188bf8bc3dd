package turn

import (
	"slices"
	"testing"
)

// An acknowledgement below what was said already is worth no post. An answer is, however
// short it is: what a filter is not sure of it lets through.
func TestAShortAnswerIsNotTakenForNothing(t *testing.T) {
	for _, test := range []struct {
		name    string
		replies []string
		want    []string
	}{
		{"the only words there are", []string{query, "Done."}, []string{"Done."}},
		{"the answer to what was looked up", []string{"Let me look. " + query, "Fine."}, []string{"Let me look.\n\nFine."}},
		{"yes", []string{"Let me look. " + query, "Yes."}, []string{"Let me look.\n\nYes."}},
		{"a number", []string{"Let me look. " + query, "42"}, []string{"Let me look.\n\n42"}},
		{"a sign", []string{query, "👍"}, []string{"👍"}},
		{"but not an acknowledgement of what was reported", []string{block(`{"type":"fly"}`), "OK."}, []string{`Failed: there is no action "fly"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newDialogue(t, &dialogue{replies: test.replies})
			s.start()
			s.say("a", "1", "is everything all right?")
			s.settled(1)
			if got := s.room.texts("a"); !slices.Equal(got, test.want) {
				t.Errorf("posts are %q, want %q", got, test.want)
			}
		})
	}
}
