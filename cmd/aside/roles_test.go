package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/asidehq/aside/catalogue/models"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/model"
)

// A named model answers with its name, or fails if it is called missing.
type named string

func (n named) Stream(context.Context, model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		if n == "missing" {
			yield(model.Delta{}, &model.Error{Kind: model.UnknownModel, Message: "There is no such model."})
			return
		}
		_ = yield(model.Delta{Text: string(n)}, nil) && yield(model.Delta{End: model.Done}, nil)
	}
}

func answerOf(m model.Model) string {
	var b strings.Builder
	for delta, err := range m.Stream(context.Background(), model.Request{}) {
		if err != nil {
			return "error: " + err.Error()
		}
		b.WriteString(delta.Text)
	}
	return b.String()
}

func newNamed(t *testing.T, source string) *roleModels {
	t.Helper()
	c := parsed(t, source)
	first, err := byRole(c, func(_ config.Role, m config.Model) (model.Model, error) { return named(m.Model), nil })
	if err != nil {
		t.Fatal(err)
	}
	make := func(_ config.Role, s config.Source) (model.Model, error) {
		if s.Model == "unmakeable" {
			return nil, errors.New("no")
		}
		return named(s.Model), nil
	}
	return newRoleModels(c, first, make, nil, slog.New(slog.DiscardHandler))
}

func TestARoleIsGivenToAnotherModelAndBack(t *testing.T) {
	t.Parallel()
	m := newNamed(t, "models: {chat: {provider: openai, model: large, api_key: k}, fast: {model: small}}")
	chat, summary, fast := m.of(config.Chat), m.of(config.Summary), m.of(config.Fast)
	check := func(when, want string) {
		t.Helper()
		if got := answerOf(chat) + " " + answerOf(summary) + " " + answerOf(fast); got != want {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
	check("at first", "large large small")
	if err := m.Set(t.Context(), "chat", "huge"); err != nil {
		t.Fatal(err)
	}
	check("chat is changed, and nothing that shared its model", "huge large small")
	if got := m.Roles()[0]; got != (models.Role{Name: "chat", Provider: "openai", Model: "huge", Configured: "large"}) {
		t.Errorf("chat is %+v", got)
	}
	if err := m.Set(t.Context(), "chat", "missing"); err != nil {
		t.Fatal(err)
	}
	check("what does not exist is answered for", "large large small")
	if err := m.Set(t.Context(), "chat", "unmakeable"); err == nil {
		t.Error("it was made")
	}
	if got := m.Roles()[0].Model; got != "missing" {
		t.Errorf("what could not be made has changed chat to %s", got)
	}
	if err := m.Reset(t.Context(), "chat"); err != nil {
		t.Fatal(err)
	}
	check("at last", "large large small")
	if err := m.Set(t.Context(), "chat", "large"); err != nil {
		t.Fatal(err)
	}
	if got := m.Roles()[0]; got != (models.Role{Name: "chat", Provider: "openai", Model: "large"}) {
		t.Errorf("chat is %+v", got)
	}
}

func TestWhatHasNoOtherModelsSaysSo(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"": "chat is the rehearsal model, which is the only one of its kind; configure another provider",
		"models: {chat: {provider: command, command: [agent]}}":                          "chat is a program whose command does not name a model; put {{model}} into it",
		`models: {chat: {provider: command, model: a, command: [agent, "-m{{model}}"]}}`: "<nil>",
	} {
		if got := fmt.Sprint(newNamed(t, source).Set(t.Context(), "chat", "b")); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

func TestAProgramIsNotAskedTwice(t *testing.T) {
	t.Parallel()
	m := newNamed(t, `models: {chat: {provider: command, model: a, command: [agent, "{{model}}"]}}`)
	if err := m.Set(t.Context(), "chat", "missing"); err != nil {
		t.Fatal(err)
	}
	if got := answerOf(m.of(config.Chat)); got != "error: There is no such model." {
		t.Errorf("got %q", got)
	}
}

func TestModelsAreChangedWhileOthersAsk(t *testing.T) {
	t.Parallel()
	m := newNamed(t, "models: {chat: {provider: openai, model: large, api_key: k}}")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _ = m.Set(t.Context(), "chat", "huge") })
		all.Go(func() { _ = m.Reset(t.Context(), "chat") })
		all.Go(func() { m.Roles() })
		all.Go(func() {
			if got := answerOf(m.of(config.Chat)); got != "large" && got != "huge" {
				t.Errorf("got %q", got)
			}
		})
	}
	all.Wait()
	if role := m.Roles()[0]; answerOf(m.of(config.Chat)) != role.Model {
		t.Errorf("it says %+v", role)
	}
}

func TestProcessesAgreeOnWhoWasChosenLast(t *testing.T) {
	t.Parallel()
	const source = "models: {chat: {provider: openai, model: large, api_key: k}}"
	all := []*roleModels{newNamed(t, source), newNamed(t, source)}
	var told [][2]string // in the order of the database
	for _, m := range all {
		m.tell = func(_ context.Context, role, model string) error {
			told = append(told, [2]string{role, model})
			return nil
		}
	}
	hear := func() {
		for _, said := range told {
			for _, m := range all {
				m.Hear(said[0], said[1])
			}
		}
		told = nil
	}
	check := func(want string) {
		t.Helper()
		for i, m := range all {
			if got := answerOf(m.of(config.Chat)); got != want {
				t.Errorf("process %d asks %s, want %s", i, got, want)
			}
		}
	}
	for i, name := range []string{"huge", "tiny"} { // at the same moment
		if err := all[i].Set(t.Context(), "chat", name); err != nil {
			t.Fatal(err)
		}
	}
	hear()
	check("tiny")
	if err := all[0].Reset(t.Context(), "chat"); err != nil {
		t.Fatal(err)
	}
	hear()
	check("large")
	all[1].Hear("cook", "tiny")       // a role of a later version
	all[1].Hear("chat", "unmakeable") // of another configuration
	check("large")
}

func TestAModelIsNotChangedIfNobodyCanBeTold(t *testing.T) {
	t.Parallel()
	m := newNamed(t, "models: {chat: {provider: openai, model: large, api_key: k}}")
	if err := m.Set(t.Context(), "chat", "huge"); err != nil {
		t.Fatal(err)
	}
	m.tell = func(context.Context, string, string) error { return errors.New("the others cannot be told") }
	if err := m.Set(t.Context(), "chat", "tiny"); err == nil {
		t.Error("it was changed")
	}
	if err := m.Reset(t.Context(), "chat"); err == nil {
		t.Error("it was taken back")
	}
	if got := answerOf(m.of(config.Chat)); got != "huge" {
		t.Errorf("asked is %s", got)
	}
}
