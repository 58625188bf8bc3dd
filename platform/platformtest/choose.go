package platformtest

import (
	"slices"

	"github.com/asidehq/aside/platform"
)

// A Presser is a Server on which people press buttons below posts.
type Presser interface {
	// Press presses the button of a choice below a post, as a person would.
	Press(room platform.Room, post, choice string)
}

// checkChoose has buttons stand below a post, changed, pressed and taken away.
func checkChoose(t T, h Harness) {
	s := start(t, h)
	chooser, ok := able[platform.Chooser](t, s.adapter, h.Choose, "Choose")
	if !ok {
		return
	}
	people, ok := s.server.(Presser)
	if !ok {
		t.Fatalf("the harness says that the adapter can (Choose), but its server is no Presser")
	}
	editor, ok := s.adapter.(platform.Editor)
	if !ok {
		t.Fatalf("the adapter has buttons, but cannot take them away: it is no Editor")
	}
	if most := s.adapter.Limits().Choices; most < 2 {
		t.Fatalf("the adapter has buttons, but says that %d fit below a post", most)
	}
	offers := func(choices ...string) {
		t.Helper()
		var got []string
		for _, p := range s.server.Posts(s.room) {
			got = append(got, p.Choices...)
		}
		if !slices.Equal(got, choices) {
			t.Errorf("below the post stand %q, want %q", got, choices)
		}
	}
	post := s.adapter.Post(s.ctx, platform.Post{Key: "one", Room: s.room, Text: "Shall I?", Choices: []string{"✅", "❌"}})
	s.delivered(post, "a post with choices")
	s.stands("Shall I?")
	offers("✅", "❌")

	people.Press(s.room, post.ID, "❌")
	m := s.reaction()
	if m.Room != s.room || m.ReplyTo != post.ID || m.Author.ID == "" || m.Author.Bot || m.ID == "" || m.ID == post.ID {
		t.Errorf("a button that was pressed comes in as %+v", m)
	}
	if r := m.Reaction; r.Emoji != "❌" || r.Removed || !r.ToAgent {
		t.Errorf("a button that was pressed comes in as the reaction %+v", r)
	}
	for range 2 {
		s.delivered(chooser.EditChoices(s.ctx, s.room, post.ID, "Really?", []string{"👍"}), "other choices")
		s.stands("Really?")
		offers("👍")
	}
	s.delivered(editor.Edit(s.ctx, s.room, post.ID, "Done."), "an edit of a post with choices")
	s.stands("Done.")
	offers()
	if h.Refuse == Can {
		s.server.Fail(Refuse)
		if r := chooser.EditChoices(s.ctx, s.room, post.ID, "No.", []string{"👍"}); r.Outcome != platform.Refused || r.Reason == "" {
			t.Errorf("choices that were refused are %s with the reason %q", r.Outcome, r.Reason)
		}
	}
	s.stop()
}

// reaction waits for the first reaction.
func (s *session) reaction() platform.Message {
	s.t.Helper()
	for {
		changed := s.inbox.Changed()
		for _, m := range s.inbox.Messages() {
			if m.Reaction != nil {
				return m
			}
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			s.t.Fatalf("no reaction came in")
		}
	}
}
