package turn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// said puts a settled exchange into a room.
func (s *stage) said(t testing.TB, in, id, text, answer string) {
	t.Helper()
	r, err := s.Store.Receive(context.Background(), message(in, id, text), true)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.Turn(context.Background(), r.Turn)
	if err != nil {
		t.Fatal(err)
	}
	turn.Shown = answer
	if err := errors.Join(s.Store.SaveReply(context.Background(), turn, store.Reply{}), s.Store.Settle(context.Background(), turn, nil)); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) gather(t testing.TB, m platform.Message) Prompt {
	t.Helper()
	p, err := s.Gatherer.Gather(context.Background(), &store.Turn{ID: 1 << 60, Number: 1 << 60, Session: m.Room.String(), Message: m})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func spokenTexts(p Prompt) string {
	var texts []string
	for _, m := range p.Messages {
		texts = append(texts, string(m.Role)+": "+m.Text)
	}
	return strings.Join(texts, "\n")
}

func TestAPromptHasWhoItIsWhatItCanWhatItKnowsAndWhatWasSaid(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(""))
	s.said(t, "a", "1", "hi", "Hello!")
	s.said(t, "a", "2", "(nothing to say to this)", "")
	if _, err := remembering(s.Store).Remember(t.Context(), "test/ada", "x", "fact", "likes tea"); err != nil {
		t.Fatal(err)
	}
	if err := s.Store.SaveSummary(t.Context(), "test/a", store.Summary{}, store.Summary{Text: "They talked about cake."}); err != nil {
		t.Fatal(err)
	}
	m := message("a", "3", "and now?")
	m.Direct = true
	p := s.gather(t, m)
	for _, part := range []string{"You are a test.", `<action>{"type":"react"`, "- likes tea\n", "They talked about cake."} {
		if !strings.Contains(p.System, part) {
			t.Errorf("the prompt lacks %q:\n%s", part, p.System)
		}
	}
	if got, want := spokenTexts(p), "user: hi\nassistant: Hello!\nuser: (nothing to say to this)\nuser: and now?"; got != want {
		t.Errorf("the conversation is\n%s", got)
	}
	if p.Full {
		t.Error("it is said to be full")
	}

	stranger := m
	stranger.Author.ID = "eve"
	if p := s.gather(t, stranger); strings.Contains(p.System, "likes tea") {
		t.Error("what is remembered of one person is told to another")
	}
}

func TestWhereSeveralPeopleWriteTheModelIsToldWhoDoes(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(""))
	m := message("a", "1", "hi")
	m.Author.Name = "Ada"
	if got := spokenTexts(s.gather(t, m)); got != "user: Ada: hi" {
		t.Errorf("the conversation is %s", got)
	}
}

func TestTheModelIsToldWhatWasChanged(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(""))
	s.said(t, "a", "1", "at three", "Noted.")
	change := message("a", "1-edit-1", "at four")
	change.Edits = "1"
	want := "user: at three\nassistant: Noted.\nuser: (changed an earlier message to:) at four"
	if got := spokenTexts(s.gather(t, change)); got != want {
		t.Errorf("the conversation is\n%s\nwant\n%s", got, want)
	}
	if _, err := s.Store.Receive(t.Context(), change, true); err != nil {
		t.Fatal(err)
	}
	turn, err := s.Store.NextTurn(t.Context(), "test/a")
	if err != nil {
		t.Fatal(err)
	}
	turn.Shown = "Four, then."
	if err := errors.Join(s.Store.SaveReply(t.Context(), turn, store.Reply{}), s.Store.Settle(t.Context(), turn, nil)); err != nil {
		t.Fatal(err)
	}
	if got := spokenTexts(s.gather(t, message("a", "2", "thanks"))); got != want+"\nassistant: Four, then.\nuser: thanks" {
		t.Errorf("afterwards the conversation is\n%s", got)
	}
}

// summarises is a model that summarises by naming what it was given.
func summarises(asked *[]model.Request) model.Model {
	return script(func(_ context.Context, text string) (string, error) {
		*asked = append(*asked, model.Request{Messages: []model.Message{{Text: text}}})
		return fmt.Sprintf("Summary %d. [REMEMBER:everything]", len(*asked)), nil
	})
}

func TestALongConversationIsFoldedIntoASummaryAndKept(t *testing.T) {
	var asked []model.Request
	s := newStage(t, storetest.Dir(t), say(""))
	s.Gatherer.Tokens, s.Folder.Tokens, s.Folder.Model = 200, 200, summarises(&asked)
	for i := range 30 {
		s.said(t, "a", fmt.Sprint(i), fmt.Sprintf("question %d %s", i, strings.Repeat("x", 40)), strings.Repeat("y", 40))
	}
	before := s.gather(t, message("a", "last", "now"))
	if !before.Full {
		t.Fatal("it is not said to be full")
	}
	s.Folder.Start("test/a")
	s.Folder.Wait()

	p := s.gather(t, message("a", "last", "now"))
	if p.Full || p.Tokens >= before.Tokens {
		t.Errorf("the prompt has %d tokens, before it had %d", p.Tokens, before.Tokens)
	}
	if !strings.Contains(p.System, "Summary ") || strings.Contains(p.System, "REMEMBER") {
		t.Errorf("the prompt is\n%s", p.System)
	}
	if !strings.Contains(spokenTexts(p), "question 29 ") {
		t.Error("the last exchange is missing")
	}
	if !strings.Contains(asked[0].Messages[0].Text, "question 0 ") {
		t.Errorf("the model was asked %q", asked[0].Messages[0].Text)
	}
	all, err := s.Store.Exchanges(t.Context(), "test/a", 0, 1<<60, 100)
	if err != nil || len(all) != 30 {
		t.Errorf("%d exchanges are kept, %v", len(all), err)
	}
}

func TestASummaryThatFailsLosesNothing(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(""))
	s.Gatherer.Tokens, s.Folder.Tokens = 100, 100
	s.Folder.Model = script(func(context.Context, string) (string, error) {
		return "", &model.Error{Kind: model.Unavailable, Message: "away"}
	})
	for i := range 10 {
		s.said(t, "a", fmt.Sprint(i), fmt.Sprintf("question %d %s", i, strings.Repeat("x", 30)), "")
	}
	if err := s.Folder.Fold(t.Context(), "test/a"); err == nil {
		t.Error("there is no error")
	}
	p := s.gather(t, message("a", "last", "now"))
	if !p.Full || !strings.Contains(spokenTexts(p), "question 0 ") {
		t.Errorf("what was not summarised is not in the prompt:\n%s", spokenTexts(p))
	}
}

// For any conversation: every exchange is in the prompt or was given to the summary,
// none is in both, and the prompt stays bounded.
func TestNothingFallsBetweenThePromptAndTheSummary(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(""))
	rooms := 0
	rapid.Check(t, func(r *rapid.T) {
		var asked []model.Request
		rooms++
		in := fmt.Sprint(rooms)
		session := "test/" + in
		tokens := rapid.IntRange(20, 300).Draw(r, "tokens")
		s.Gatherer.Tokens, s.Folder.Tokens, s.Folder.Model = tokens, tokens, nil
		if rapid.Bool().Draw(r, "has a model") {
			s.Folder.Model = summarises(&asked)
		}
		n := rapid.IntRange(1, 10).Draw(r, "exchanges")
		for i := range n {
			s.said(t, in, fmt.Sprint(i), fmt.Sprintf("<%d>%s", i, strings.Repeat("é", rapid.IntRange(0, tokens).Draw(r, "length"))), "ok")
			if rapid.Bool().Draw(r, "fold") {
				s.Folder.Start(session)
				s.Folder.Wait()
			}
		}
		sum, err := s.Store.Summary(t.Context(), session)
		if err != nil {
			r.Fatal(err)
		}
		after, err := s.Store.Exchanges(t.Context(), session, sum.Until, 1<<60, 100)
		if err != nil {
			r.Fatal(err)
		}
		p := s.gather(t, message(in, "last", "now"))
		if n := len(p.Messages); n > 0 && strings.HasPrefix(p.Messages[0].Text, EarlierMark) { // in short, besides
			p.Messages = p.Messages[1:]
		}
		told := spokenTexts(p)
		var folded strings.Builder
		for _, one := range asked {
			folded.WriteString(one.Messages[0].Text)
		}
		for i := range n {
			mark := fmt.Sprintf("<%d>", i)
			open := i >= n-len(after)
			if s.Folder.Model != nil && !open && !strings.Contains(folded.String(), mark) {
				r.Errorf("exchange %d was folded and never read", i)
			}
			if strings.Contains(told, mark) && !open {
				r.Errorf("exchange %d is in the prompt and in the summary", i)
			}
		}
		if most := 2*tokens + model.Tokens(p.System) + 20*n + 20; p.Tokens > most {
			r.Errorf("the prompt has %d tokens", p.Tokens)
		}
		if got := model.Tokens(sum.Text); got > 2*s.Folder.summaryTokens()+1 {
			r.Errorf("the summary has %d tokens", got)
		}
	})
}
