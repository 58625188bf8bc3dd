package platformtest

import (
	"github.com/asidehq/aside/platform"
)

// checkOpen opens posts as the outbox does: what is opened says nothing yet, its text is
// written there, and whoever has the id can do that, also after a restart and also twice.
func checkOpen(t T, h Harness) {
	s := start(t, h)
	opener, ok := able[platform.Opener](t, s.adapter, h.Open, "Open")
	if !ok {
		return
	}
	editor, ok := s.adapter.(platform.Editor)
	if !ok {
		t.Fatalf("the adapter opens posts, but cannot edit them")
	}
	const text, other = "The answer is 42.", "And the question?"
	one := s.open(opener, platform.Post{Key: "one", Room: s.room, Text: text})
	if posts := s.server.Posts(s.room); len(posts) != 1 || posts[0].Text == text {
		t.Errorf("of a post that was opened there stands %+v, want one thing that does not say the text yet", posts)
	}
	s.server.Fail(Lose)
	if r := editor.Edit(s.ctx, s.room, one, text); r.Outcome != platform.Unknown && r.Outcome != platform.Delivered {
		t.Errorf("a text whose answer was lost is %s", r.Outcome)
	}
	s.delivered(editor.Edit(s.ctx, s.room, one, text), "the text of an opened post")
	s.stands(text)

	two := s.open(opener, platform.Post{Key: "two", Room: s.room, Text: other})
	s.stop()
	s.restart()
	for range 2 {
		r := s.adapter.Post(s.ctx, platform.Post{Key: "two", Room: s.room, Text: other, Opened: two})
		s.delivered(r, "a post that was opened before a restart")
		if r.ID != two {
			t.Errorf("the post that was opened as %q has the id %q", two, r.ID)
		}
		s.stands(text, other)
	}
	s.stop()
}

// checkOpenLost loses the answer to what is opened. It may be left over, but nothing that
// people read may stand there twice.
func checkOpenLost(t T, h Harness) {
	s := start(t, h)
	opener, ok := able[platform.Opener](t, s.adapter, h.Open, "Open")
	if !ok {
		return
	}
	const text = "Did you get this?"
	post := platform.Post{Key: "one", Room: s.room, Text: text}
	s.server.Fail(Lose)
	r := opener.Open(s.ctx, post)
	if r.Outcome != platform.Unknown && r.Outcome != platform.Delivered {
		t.Errorf("a post that was opened and whose answer was lost is %s", r.Outcome)
	}
	post.Opened = s.open(opener, post)
	s.delivered(s.adapter.Post(s.ctx, post), "a post that was opened again")
	times := 0
	for _, p := range s.server.Posts(s.room) {
		if p.Text == text {
			times++
		}
	}
	if times != 1 {
		t.Errorf("the text stands there %d times", times)
	}
	if h.Refuse == Can {
		s.server.Fail(Refuse)
		if r := opener.Open(s.ctx, platform.Post{Key: "two", Room: s.room, Text: "No."}); r.Outcome != platform.Refused || r.Reason == "" {
			t.Errorf("a post that could not be opened is %s with the reason %q", r.Outcome, r.Reason)
		}
	}
	s.stop()
}

// checkOpenFiles opens a post with files, which go where it was opened.
func checkOpenFiles(t T, h Harness) {
	s := start(t, h)
	opener, ok := able[platform.Opener](t, s.adapter, h.Open, "Open")
	if !ok || !uploads(t, h, s.adapter) {
		return
	}
	files := someFiles()
	post := platform.Post{Key: "one", Room: s.room, Text: "Look.", Files: files}
	post.Opened = s.open(opener, post)
	s.hold()
	s.server.Fail(Lose)
	if r := s.adapter.Post(s.ctx, post); r.Outcome != platform.Unknown && r.Outcome != platform.Delivered {
		t.Errorf("files whose answer was lost are %s", r.Outcome)
	}
	s.stop()
	s.restart()
	s.delivered(s.adapter.Post(s.ctx, post), "a post with files that was opened before a restart")
	s.stands("Look.")
	s.hold(files...)
	s.stop()
}

// open opens a post and gives its id.
func (s *session) open(opener platform.Opener, post platform.Post) string {
	s.t.Helper()
	r := opener.Open(s.ctx, post)
	s.delivered(r, "a post that is opened")
	if r.ID == "" {
		s.t.Fatalf("what was opened has no id")
	}
	return r.ID
}
