package slack

import "testing"

// What was only seen after a restart may be the post that is looked for: it was posted
// twice when catching up was faster than trying again.
func TestAMessageThatWasOnlySeenIsNoCertainPost(t *testing.T) {
	s := newSent()
	at := place{channel: "D1"}
	s.add(sentKey(at, "1700000000.000100"), "1700000000.000100")
	s.add(sentKey(at, "turn-1-post-0"), "1700000000.000200")
	if s.knows("1700000000.000100") || !s.knows("1700000000.000200") || s.knows("1700000000.000300") {
		t.Error("known are the wrong ones")
	}
}
