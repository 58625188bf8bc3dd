package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func prompt(key, post string) store.Prompt {
	return store.Prompt{
		Key: key, Room: platform.Room{Platform: "web", ID: "a"}, Post: post, Person: "ada", Question: "Ship it?",
		Choices: []string{"👍", "👎"}, Listed: true, Expires: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC),
	}
}

func addPrompt(t *testing.T, s *store.Store, p store.Prompt) {
	t.Helper()
	if err := s.AddPrompt(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

func TestAPromptIsFoundByItsPostAndByItsRoom(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		first, silent, last := prompt("k1", "p1"), prompt("k2", ""), prompt("k3", "p3")
		silent.Listed = false
		for _, p := range []store.Prompt{first, last, silent} {
			addPrompt(t, s, p)
		}
		changed := first
		changed.Question = "Sink it?"
		addPrompt(t, s, changed) // the action is repeated after a crash
		found, err := s.PromptOf(t.Context(), first.Room, "p1")
		if err != nil || found == nil || found.Question != "Ship it?" || !slices.Equal(found.Choices, first.Choices) || !found.Expires.Equal(first.Expires) || found.Person != "ada" || found.Answered {
			t.Errorf("found %+v, %v", found, err)
		}
		if found, err := s.LastListed(t.Context(), first.Room); err != nil || found == nil || found.Key != "k3" {
			t.Errorf("the last one is %+v, %v", found, err)
		}
		for name, look := range map[string]func() (*store.Prompt, error){
			"another post": func() (*store.Prompt, error) { return s.PromptOf(t.Context(), first.Room, "p2") },
			"no post":      func() (*store.Prompt, error) { return s.PromptOf(t.Context(), first.Room, "") },
			"a post of another room": func() (*store.Prompt, error) {
				return s.PromptOf(t.Context(), platform.Room{Platform: "web", ID: "b"}, "p1")
			},
			"another room": func() (*store.Prompt, error) {
				return s.LastListed(t.Context(), platform.Room{Platform: "web", ID: "b"})
			},
		} {
			if found, err := look(); err != nil || found != nil {
				t.Errorf("%s: found %+v, %v", name, found, err)
			}
		}
	})
}

func TestAnAnswerStartsItsTurnWithWhatTheModelIsToRead(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		addPrompt(t, s, prompt("k1", "p1"))
		answer := store.Answer{Prompt: "k1", Choice: "👍", Text: "(chose 👍)"}
		m := message("a", "1", "1")
		r, err := s.Answer(t.Context(), m, answer, true)
		if err != nil || !r.Fresh || !r.Mine {
			t.Fatalf("%+v, %v", r, err)
		}
		turn, err := s.Turn(t.Context(), r.Turn)
		if err != nil || turn.Flow != store.PromptAnswer || turn.Message.Text != "(chose 👍)" || turn.Stage != store.Waiting {
			t.Errorf("the turn is %+v, %v", turn, err)
		}
		entries, err := store.Web{Store: s}.Entries(t.Context(), "a", "", 10)
		if err != nil || len(entries) != 1 || entries[0].Text != "1" {
			t.Errorf("the page shows %+v, %v", entries, err)
		}
		if again, err := s.Answer(t.Context(), m, answer, true); err != nil || again.Fresh || again.Turn != r.Turn {
			t.Errorf("the same message again: %+v, %v", again, err)
		}
		if _, err := s.Answer(t.Context(), message("a", "2", "2"), answer, true); !errors.Is(err, store.ErrAnswered) {
			t.Errorf("another one: %v", err)
		}
		if turns, err := s.TurnsOf(t.Context(), "web", "2"); err != nil || len(turns) != 0 {
			t.Errorf("it is stored: %v, %v", turns, err)
		}
	})
}

func TestOfManyAnswersAtOnceOneIsTaken(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		addPrompt(t, s, prompt("k1", "p1"))
		var wg sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			wg.Go(func() {
				_, results[i] = s.Answer(t.Context(), message("a", fmt.Sprint(i), ""), store.Answer{Prompt: "k1", Choice: "👍"}, true)
			})
		}
		wg.Wait()
		taken := 0
		for _, err := range results {
			if err == nil {
				taken++
			} else if !errors.Is(err, store.ErrAnswered) {
				t.Error(err)
			}
		}
		if taken != 1 {
			t.Errorf("%d were taken", taken)
		}
		if found, err := s.PromptOf(t.Context(), platform.Room{Platform: "web", ID: "a"}, "p1"); err != nil || !found.Answered {
			t.Errorf("the prompt is %+v, %v", found, err)
		}
	})
}
