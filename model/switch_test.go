package model_test

import (
	"sync"
	"testing"

	"github.com/asidehq/aside/model"
)

func TestARequestStaysWithTheModelThatItWasBegunWith(t *testing.T) {
	s := model.NewSwitch(&script{tries: [][]any{{"old", done}}})
	begun := s.Stream(t.Context(), model.Request{})
	s.Set(&script{tries: [][]any{{"new", done}}})
	if got, _ := told(t, begun); got != "old [done]" {
		t.Errorf("got %q", got)
	}
	if got, _ := told(t, s.Stream(t.Context(), model.Request{})); got != "new [done]" {
		t.Errorf("got %q", got)
	}
}

func TestAModelIsExchangedWhileOthersAsk(t *testing.T) {
	s := model.NewSwitch(&script{tries: [][]any{{"a", done}}})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { s.Set(&script{tries: [][]any{{"a", done}}}) })
		all.Go(func() { s.Stream(t.Context(), model.Request{}) })
	}
	all.Wait()
	if got, _ := told(t, s.Stream(t.Context(), model.Request{})); got != "a [done]" {
		t.Errorf("got %q", got)
	}
}
