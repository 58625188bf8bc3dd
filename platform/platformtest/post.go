package platformtest

import (
	"fmt"
	"strings"

	"github.com/asidehq/aside/platform"
)

func checkPost(t T, h Harness) {
	s := start(t, h)
	first := s.post("one", "Hello there.")
	s.delivered(first, "a post")
	second := s.post("two", "And another one.")
	s.delivered(second, "a second post")
	s.stands("Hello there.", "And another one.")
	posts := s.server.Posts(s.room)
	switch h.IDs {
	case Unsaid:
		t.Errorf("the harness does not say whether receipts have ids (IDs)")
	case Can:
		if len(posts) == 2 && (first.ID != posts[0].ID || second.ID != posts[1].ID || first.ID == second.ID) {
			t.Errorf("the receipts have the ids %q and %q, the posts %q and %q", first.ID, second.ID, posts[0].ID, posts[1].ID)
		}
	case Cannot:
		if first.ID != "" || second.ID != "" {
			t.Errorf("the harness says that receipts have no ids, but they have: %q, %q", first.ID, second.ID)
		}
	}
	s.stop()
}

func checkKeys(t T, h Harness) {
	s := start(t, h)
	first := s.post("same", "Only once.")
	s.delivered(first, "a post")
	switch h.Keys {
	case Unsaid:
		t.Errorf("the harness does not say whether the same key is the same post (Keys)")
	case Can:
		again := s.post("same", "Only once.")
		s.delivered(again, "the same post again")
		if again.ID != first.ID {
			t.Errorf("the same post has the ids %q and %q", first.ID, again.ID)
		}
		s.stands("Only once.")
		// What must not be taken for the same post: the same text.
		s.delivered(s.post("other", "Only once."), "a post with the same text")
		s.stands("Only once.", "Only once.")
	case Cannot:
		// Not asked for, but if it can, the harness should say so.
		s.delivered(s.post("same", "Only once."), "the same post again")
		if len(s.server.Posts(s.room)) == 1 {
			t.Errorf("the harness says that the same key is a second post, but it is not")
		}
	}
	s.stop()
}

// sentences is a text over a limit.
func sentences(limits platform.Limits, times int) string {
	var b strings.Builder
	for i := 0; limits.Count.Of(b.String()) <= times*limits.Text; i++ {
		fmt.Fprintf(&b, "This is sentence number %d of a long text. ", i)
	}
	return strings.TrimSpace(b.String())
}

func checkSplit(t T, h Harness) {
	s := start(t, h)
	limits := s.adapter.Limits()
	if limits.Text == 0 {
		text := sentences(platform.Limits{Text: 20_000}, 1)
		s.delivered(s.post("long", text), "a long post on a platform without a limit")
		s.stands(text)
		return
	}
	var want []string
	for i, part := range platform.Split(sentences(limits, 2), limits) {
		s.delivered(s.post(fmt.Sprintf("part %d", i), part), fmt.Sprintf("part %d of a long text, %d long", i, limits.Count.Of(part)))
		want = append(want, part)
	}
	// And one that is as long as can be.
	full := strings.Repeat("x", limits.Text)
	s.delivered(s.post("full", full), "a post that is exactly as long as the limit")
	s.stands(append(want, full)...)
	s.stop()
}

func checkOverLimit(t T, h Harness) {
	s := start(t, h)
	limits := s.adapter.Limits()
	if limits.Text == 0 {
		return // there is no such text
	}
	text := sentences(limits, 1)
	r := s.post("long", text)
	var got []string
	for _, p := range s.server.Posts(s.room) {
		got = append(got, strings.Fields(p.Text)...)
	}
	switch r.Outcome {
	case platform.Delivered:
		if strings.Join(got, " ") != text {
			t.Errorf("a post over the limit is Delivered, but a part of it is missing")
		}
	case platform.Refused:
		if r.Reason == "" {
			t.Errorf("the post is Refused without a reason")
		}
		if len(got) > 0 {
			t.Errorf("a post over the limit is Refused, but a part of it stands there")
		}
	default:
		t.Errorf("a post over the limit is %s, want refused, or delivered whole", r.Outcome)
	}
	s.stop()
}

func checkRefused(t T, h Harness) {
	if h.Refuse == Cannot {
		return
	}
	s := start(t, h)
	s.server.Fail(Refuse)
	r := s.post("one", "No.")
	if r.Outcome != platform.Refused {
		t.Errorf("a refused post is %s, want refused", r.Outcome)
	}
	if r.Reason == "" {
		t.Errorf("there is no reason why the post was refused")
	}
	s.stands()
	s.delivered(s.post("two", "Yes."), "a post after a refused one")
	s.stands("Yes.")
	s.stop()
}

func checkLimited(t T, h Harness) {
	if h.Refuse == Cannot {
		return
	}
	s := start(t, h)
	s.server.Fail(Limit)
	r := s.post("one", "Later.")
	if r.Outcome != platform.Limited {
		t.Errorf("a rate-limited post is %s, want limited", r.Outcome)
	}
	if r.RetryAfter < RetryAfter || r.RetryAfter >= 2*RetryAfter {
		t.Errorf("RetryAfter is %v, the server asked for %v", r.RetryAfter, RetryAfter)
	}
	s.stands()
	s.delivered(s.post("one", "Later."), "a post after a rate-limited one")
	s.stands("Later.")
	s.stop()
}

func checkLost(t T, h Harness) {
	s := start(t, h)
	s.server.Fail(Lose)
	r := s.post("one", "Did you get this?")
	switch {
	case r.Outcome == platform.Unknown:
	case r.Outcome == platform.Delivered && h.Keys == Can:
		// It asked again by itself.
	default:
		t.Errorf("a post whose answer was lost is %s, want unknown", r.Outcome)
	}
	s.stands("Did you get this?")
	if h.Keys == Can {
		r = s.post("one", "Did you get this?")
		s.delivered(r, "a post that was tried again because the answer was lost")
		s.stands("Did you get this?")
		if posts := s.server.Posts(s.room); h.IDs == Can && len(posts) > 0 && r.ID != posts[0].ID {
			t.Errorf("the receipt has the id %q, the post %q", r.ID, posts[0].ID)
		}
	}
	s.stop()
}
