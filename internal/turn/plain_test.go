package turn

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// plain is a room in which nothing can be edited, and in which a post that is made twice
// stands there twice.
type plain struct {
	platform.Platform
	platform.Warden
	platform.Settler
	room *room
}

func (p plain) Post(ctx context.Context, post platform.Post) platform.Receipt {
	p.room.mu.Lock()
	delete(p.room.keys, post.Key)
	p.room.mu.Unlock()
	return p.room.Post(ctx, post)
}

func withoutEdits(s *stage) *stage {
	s.Outbox.Platforms["test"] = plain{s.room, s.room, s.room, s.room}
	return s
}

func TestWhereNothingCanBeEditedEverythingIsSaidOnceAndInOrder(t *testing.T) {
	const status = "I'll look into the logs now."
	tests := []struct {
		name    string
		replies []string
		want    []string
	}{
		{"a follow-up is a post of its own", []string{"Let me look. " + query, "You like tea."}, []string{"1: Let me look.", "1: You like tea."}},
		{"what failed stays said", []string{block(`{"type":"calculate","expression":"1/0"}`), "That cannot be divided."}, []string{"1: Failed: 1/0: division by zero", "1: That cannot be divided."}},
		{"a status update is never seen if there is an answer", []string{status, "The disk is full."}, []string{"1: The disk is full."}},
		{"a status update is said if nothing came of it", []string{status, ""}, []string{"1: " + status}},
		{"a status update behind what was said", []string{"Let me look. " + query, status, "The disk is full."}, []string{"1: Let me look.", "1: The disk is full."}},
		{"what was done stands before what follows", []string{"Let me check. [REMEMBER:likes tea]", "You like tea."}, []string{"1: Let me check.\n\nDone: remembered: likes tea", "1: You like tea."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := withoutEdits(newContinuing(t, &dialogue{replies: test.replies}))
			s.start()
			s.say("a", "1", "hi")
			s.settled(1)
			if got := s.room.answers(); !slices.Equal(got, test.want) {
				t.Errorf("posts are %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhereNothingCanBeEditedAFailureIsSaidBelowWhatCameBefore(t *testing.T) {
	d := &dialogue{replies: []string{"Let me look. " + query, "I'll look into the logs now."}}
	s := withoutEdits(newContinuing(t, d))
	s.Model = script(func(ctx context.Context, asked string) (string, error) {
		if strings.HasPrefix(asked, ContinueMark) {
			return "", &model.Error{Kind: model.Broken, Message: "The model cannot be reached."}
		}
		return d.next(ctx, asked)
	})
	s.start()
	s.say("a", "1", "why?")
	s.settled(1)
	want := []string{"1: Let me look.", "1: I'll look into the logs now.\n\nThe model cannot be reached."}
	if got := s.room.answers(); !slices.Equal(got, want) {
		t.Errorf("posts are %q, want %q", got, want)
	}
}

// What was held back above a correction is written where it was seen, by an edit. Where there
// are none, what was said before must not be posted a second time with it.
func TestWhereNothingCanBeEditedACorrectionRepeatsNothing(t *testing.T) {
	d := &dialogue{replies: []string{"Let me look. " + query, "I'll look into the logs now.", "It is the other one."}}
	s := withoutEdits(newContinuing(t, d))
	s.Corrects = true
	s.Model = script(func(ctx context.Context, asked string) (string, error) {
		if len(d.wasAsked()) == 1 { // while the status update is written
			if err := s.inbox.Receive(t.Context(), message("a", "2", "no, the other one")); err != nil {
				t.Error(err)
			}
		}
		return d.next(ctx, asked)
	})
	s.start()
	s.say("a", "1", "which one?")
	s.settled(2)
	if got, want := s.room.answers(), []string{"1: Let me look.", "2: It is the other one."}; !slices.Equal(got, want) {
		t.Errorf("posts are %q, want %q", got, want)
	}
	for _, turn := range s.turns("1") {
		posts, err := s.Store.Posts(t.Context(), turn.ID)
		if err != nil || slices.ContainsFunc(posts, func(p store.Post) bool { return p.State != store.Delivered }) {
			t.Errorf("the posts of turn %d are %+v, %v", turn.ID, posts, err)
		}
	}
}
