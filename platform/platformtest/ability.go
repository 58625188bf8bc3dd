package platformtest

import (
	"slices"
	"strings"

	"github.com/asidehq/aside/platform"
)

func checkAbilities(t T, h Harness) {
	p := prepare(t, h).adapter
	_, edits := p.(platform.Editor)
	_, deletes := p.(platform.Deleter)
	_, reacts := p.(platform.Reactor)
	_, types := p.(platform.Typist)
	_, opens := p.(platform.Opener)
	_, chooses := p.(platform.Chooser)
	for _, a := range []struct {
		field, what string
		said        Ability
		has         bool
	}{
		{"Edit", "edit", h.Edit, edits},
		{"Delete", "delete", h.Delete, deletes},
		{"React", "react", h.React, reacts},
		{"Type", "show that it is typing", h.Type, types},
		{"Open", "open posts", h.Open, opens},
		{"Choose", "show buttons", h.Choose, chooses},
		{"Upload", "send files", h.Upload, p.Limits().FileSize > 0},
	} {
		switch {
		case a.said == Unsaid:
			t.Errorf("the harness does not say whether the adapter can %s (%s)", a.what, a.field)
		case a.said == Can && !a.has:
			t.Errorf("the harness says that the adapter can %s, but it cannot", a.what)
		case a.said == Cannot && a.has:
			t.Errorf("the harness says that the adapter cannot %s, but it can", a.what)
		}
	}
	if h.IDs == Unsaid || h.Keys == Unsaid || h.Acks == Unsaid || h.Refuse == Unsaid || h.Attach == Unsaid {
		t.Errorf("the harness does not say whether there are IDs, Keys, Acks, Refuse and Attach: %d, %d, %d, %d, %d", h.IDs, h.Keys, h.Acks, h.Refuse, h.Attach)
	}
	if (h.Edit == Can || h.Delete == Can) && h.IDs == Cannot {
		t.Errorf("a post without an id can neither be edited nor deleted")
	}
	if chooses != (p.Limits().Choices > 0) {
		t.Errorf("%d choices fit below a post; it is 0 where the adapter has no buttons, and only there", p.Limits().Choices)
	}
	if edits != (p.Limits().EditEvery > 0) {
		t.Errorf("EditEvery is %v; it says how long to wait where the adapter can edit, and is 0 where it cannot", p.Limits().EditEvery)
	}
	if name := p.Name(); name == "" || strings.ToLower(name) != name || strings.ContainsAny(name, "/ ") {
		t.Errorf("the name %q does not do for configuration and logs: it is lower case, without spaces and slashes", name)
	}
}

// able gives an ability, or nil where the harness says that there is none. That
// the harness says so, and rightly, is checked here as well: a check that does
// nothing has to have a reason.
func able[A any](t T, p platform.Platform, said Ability, field string) (a A, ok bool) {
	t.Helper()
	a, ok = p.(A)
	switch {
	case said == Unsaid:
		t.Fatalf("the harness does not say whether the adapter can (%s)", field)
	case said == Can && !ok:
		t.Fatalf("the harness says that the adapter can (%s), but it cannot", field)
	case said == Cannot && ok:
		t.Fatalf("the harness says that the adapter cannot (%s), but it can", field)
	}
	return a, ok
}

func checkEdit(t T, h Harness) {
	s := start(t, h)
	editor, ok := able[platform.Editor](t, s.adapter, h.Edit, "Edit")
	if !ok {
		return
	}
	one := s.post("one", "Thinking…")
	s.delivered(one, "a post")
	s.delivered(s.post("two", "Something else."), "a second post")
	for _, text := range []string{"The answer is 41.", "The answer is 42.", "The answer is 42."} {
		r := editor.Edit(s.ctx, s.room, one.ID, text)
		s.delivered(r, "an edit")
		if r.ID != one.ID {
			t.Errorf("the edit of post %q has the id %q", one.ID, r.ID)
		}
		s.stands(text, "Something else.")
	}
	s.stop()
}

func checkDelete(t T, h Harness) {
	s := start(t, h)
	deleter, ok := able[platform.Deleter](t, s.adapter, h.Delete, "Delete")
	if !ok {
		return
	}
	one, two := s.post("one", "Wrong."), s.post("two", "Right.")
	s.delivered(one, "a post")
	s.delivered(two, "a second post")
	s.delivered(deleter.Delete(s.ctx, s.room, one.ID), "a delete")
	s.stands("Right.")
	s.stop()
}

func checkReact(t T, h Harness) {
	s := start(t, h)
	reactor, ok := able[platform.Reactor](t, s.adapter, h.React, "React")
	if !ok {
		return
	}
	message := s.write("Look at this.")
	s.stored(message)
	for _, step := range []struct {
		what string
		do   func() platform.Receipt
		want []string
	}{
		{"put on", func() platform.Receipt { return reactor.React(s.ctx, s.room, message, "👀") }, []string{"👀"}},
		{"put on again", func() platform.Receipt { return reactor.React(s.ctx, s.room, message, "👀") }, []string{"👀"}},
		{"taken off", func() platform.Receipt { return reactor.Unreact(s.ctx, s.room, message, "👀") }, nil},
		{"taken off again", func() platform.Receipt { return reactor.Unreact(s.ctx, s.room, message, "👀") }, nil},
		{"put on once more", func() platform.Receipt { return reactor.React(s.ctx, s.room, message, "👀") }, []string{"👀"}},
	} {
		s.delivered(step.do(), "a reaction "+step.what)
		if got := s.server.Reactions(s.room, message); !slices.Equal(got, step.want) {
			t.Errorf("after a reaction was %s there are %q, want %q", step.what, got, step.want)
		}
	}
	s.stop()
}

func checkType(t T, h Harness) {
	s := start(t, h)
	typist, ok := able[platform.Typist](t, s.adapter, h.Type, "Type")
	if !ok {
		return
	}
	for range 2 {
		if err := typist.Typing(s.ctx, s.room); err != nil {
			t.Errorf("showing that it is typing: %v", err)
		}
	}
	s.stands()
	s.stop()
}

// checkHonest asks of everything else that writes what is asked of posts.
func checkHonest(t T, h Harness) {
	s := start(t, h)
	editor, edits := able[platform.Editor](t, s.adapter, h.Edit, "Edit")
	deleter, deletes := able[platform.Deleter](t, s.adapter, h.Delete, "Delete")
	reactor, reacts := able[platform.Reactor](t, s.adapter, h.React, "React")
	message := s.write("Look at this.")
	s.stored(message)
	post := s.post("one", "First.")
	s.delivered(post, "a post")

	type writer struct {
		what string
		do   func() platform.Receipt
	}
	var writers []writer
	if edits {
		writers = append(writers, writer{"an edit", func() platform.Receipt { return editor.Edit(s.ctx, s.room, post.ID, "Second.") }})
	}
	if reacts {
		writers = append(writers, writer{"a reaction", func() platform.Receipt { return reactor.React(s.ctx, s.room, message, "👀") }})
	}
	if deletes {
		writers = append(writers, writer{"a delete", func() platform.Receipt { return deleter.Delete(s.ctx, s.room, post.ID) }})
	}
	for _, w := range writers {
		if h.Refuse == Can {
			s.server.Fail(Refuse)
			if r := s.obey(w.do()); r.Outcome != platform.Refused || r.Reason == "" {
				t.Errorf("%s that was refused is %s with the reason %q", w.what, r.Outcome, r.Reason)
			}
			s.server.Fail(Limit)
			if r := s.obey(w.do()); r.Outcome != platform.Limited || r.RetryAfter < RetryAfter {
				t.Errorf("%s that was rate-limited is %s and says to wait %v, want %v", w.what, r.Outcome, r.RetryAfter, RetryAfter)
			}
		}
		// All of these can be repeated, so an adapter may find out by itself.
		s.server.Fail(Lose)
		if r := s.obey(w.do()); r.Outcome != platform.Unknown && r.Outcome != platform.Delivered {
			t.Errorf("%s whose answer was lost is %s", w.what, r.Outcome)
		}
	}
	s.stop()
}
