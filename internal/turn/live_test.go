package turn

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/internal/store/storetest"
)

func TestOfACharacterThatIsCutNothingIsShown(t *testing.T) {
	const text = "Grüße 🎉"
	for n := range len(text) + 1 {
		got := wholeCharacters(text[:n])
		if !utf8.ValidString(got) || !strings.HasPrefix(text, got) || n-len(got) >= utf8.UTFMax {
			t.Errorf("%q is shown as %q", text[:n], got)
		}
	}
	for _, whole := range []string{"", "x", text, "not UTF-8: \xff", "\x80\x80\x80\x80\x80"} {
		if got := wholeCharacters(whole); got != whole {
			t.Errorf("%q is shown as %q", whole, got)
		}
	}
}

// Of a reply that is longer than a post the rest is read once, when it is finished: to look
// at all of it with every part took a minute for eighty kilobytes.
func TestALongReplyIsNotReadAgainWithEveryPart(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(""))
	now := time.Now()
	s.Now = func() time.Time { return now }
	if _, err := s.Store.Receive(t.Context(), message("a", "1", "tell me all"), true); err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.NextTurn(t.Context(), "test/a")
	if err != nil {
		t.Fatal(err)
	}
	l := s.newLive(t.Context(), turn, saidBefore{})
	l.limits.Text = 20
	if l.due() {
		t.Error("it is shown at once")
	}
	now = now.Add(time.Minute)
	for _, text := range []string{"one two", "one two three four", "one two three four five six"} {
		if !l.due() {
			t.Fatalf("%q is not shown", text)
		}
		l.show(text)
		if l.due() {
			t.Errorf("behind %q there is no pause", text)
		}
		now = now.Add(time.Minute)
	}
	if l.due() {
		t.Error("what is in another post is looked at again")
	}
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "one two three four" {
		t.Errorf("posts are %q", got)
	}
}
