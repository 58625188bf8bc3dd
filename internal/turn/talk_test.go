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

func TestTheMessageBeforeIsPinnedWhoeverWroteIt(t *testing.T) {
	s, in, _ := newParlour(t, "[EXECUTE:pin_last_message]")
	s.sayDirect("1", "go")
	if got := s.outcomes("1"); !slices.Equal(got, []string{"EXECUTE failed there is no message before this one that could be pinned"}) {
		t.Errorf("with nothing before it: %q", got)
	}
	s.sayDirect("2", "go") // the answer to the first, which says that it failed, is post 0
	if err := s.Store.Overhear(t.Context(), message("a", "3", "tea is at four")); err != nil {
		t.Fatal(err)
	}
	s.sayDirect("4", "go")
	if !slices.Equal(in.pinned, []string{"0", "3"}) {
		t.Errorf("pinned are %q", in.pinned)
	}
}

// A historical parlour can tell what stands in it.
type historical struct {
	*parlour
	asked []platform.Page
}

func (h *historical) Messages(_ context.Context, _ platform.Room, page platform.Page) ([]platform.Message, error) {
	h.asked = append(h.asked, page)
	return []platform.Message{{ID: "never came in"}}, nil
}

func (h *historical) Message(context.Context, platform.Room, string) (platform.Message, error) {
	return platform.Message{}, platform.Refuse("there is none")
}

func TestWhatThePlatformShowsBeforeTheMessageIsPinned(t *testing.T) {
	s, in, _ := newParlour(t, "Pinning. [EXECUTE:pin_last_message]")
	h := &historical{parlour: in}
	s.Outbox.Platforms["test"] = h
	s.sayDirect("1", "go")
	if !slices.Equal(in.pinned, []string{"never came in"}) || !slices.Equal(h.asked, []platform.Page{{Most: 1, Before: "1"}}) {
		t.Errorf("pinned are %q, asked was %+v", in.pinned, h.asked)
	}
}

func TestTheLastPostIsDeletedOnceItIsConfirmed(t *testing.T) {
	s, in, _ := newParlour(t, "I would take it back. [EXECUTE:delete_last_message]")
	s.sayDirect("1", "one")
	s.sayDirect("2", "two")
	s.sayDirect("3", "go")
	if len(in.deleted) > 0 {
		t.Errorf("nobody has confirmed it, and deleted are %q", in.deleted)
	}
	s.sayDirect("4", "three") // its answer comes after what was asked for
	s.sayDirect("5", "/confirm")
	if !slices.Equal(in.deleted, []string{"1"}) || !slices.Equal(s.outcomes("5"), []string{"EXECUTE done deleted the last message"}) {
		t.Errorf("deleted are %q, and the ledger has %q", in.deleted, s.outcomes("5"))
	}
	post, _, err := s.Store.LastPost(t.Context(), platform.Room{Platform: "test", ID: "a"}, s.turns("3")[0].Number)
	if err != nil || post != "0" {
		t.Errorf("before it, %q is the last post then: %v", post, err)
	}
}

func TestNothingIsDeletedForWhoSaysNo(t *testing.T) {
	s, in, _ := newParlour(t, "[EXECUTE:delete_last_message]")
	s.sayDirect("1", "one")
	s.sayDirect("2", "go")
	s.sayDirect("3", "/confirm no")
	if len(in.deleted) > 0 {
		t.Errorf("deleted are %q", in.deleted)
	}
}

// strict is a parlour in which nobody may pin or delete.
type strict struct{ *parlour }

func (strict) May(_ context.Context, _ string, right platform.Right, _ platform.Room) (bool, error) {
	return right != platform.PinMessages && right != platform.ManageMessages, nil
}

func TestWhoMayNotPinOrDeleteMayNotHaveItExecuted(t *testing.T) {
	for signal, why := range map[string]string{
		"[EXECUTE:pin_last_message]":    "you may not pin messages there",
		"[EXECUTE:delete_last_message]": "you may not manage messages there",
	} {
		t.Run(signal, func(t *testing.T) {
			s, in, _ := newParlour(t, signal)
			s.Outbox.Platforms["test"] = strict{in}
			s.sayDirect("1", "one")
			s.sayDirect("2", "go")
			if got := s.outcomes("2"); !slices.Equal(got, []string{"EXECUTE refused " + why}) || len(in.pinned)+len(in.deleted) > 0 {
				t.Errorf("the ledger has %q", got)
			}
		})
	}
}

func TestHelpNamesWhatThePersonMayHaveDone(t *testing.T) {
	s, in, writer := newParlour(t, "[COMMAND:help]")
	s.Outbox.Platforms["test"] = strict{in}
	s.Policy.On = func(category string) bool { return category != "tasks" }
	s.sayDirect("1", "go")
	for _, want := range []string{`"about":"messaging"`, "Search the web.", "Compute an expression"} {
		if !strings.Contains(writer.told, want) {
			t.Errorf("%q is missing in %s", want, writer.told)
		}
	}
	for _, never := range []string{"Pin a message", "Delete a message", "tasks on the board", "<action", "Stop writing there"} {
		if strings.Contains(writer.told, never) {
			t.Errorf("%q is in %s", never, writer.told)
		}
	}
}

func TestWhatIsRememberedIsNotShownWhereOthersRead(t *testing.T) {
	s, _, _ := newParlour(t, "[COMMAND:show_memory]")
	s.say("a", "1", "go")
	s.untilSettled("1")
	if got := s.outcomes("1"); !slices.Equal(got, []string{"COMMAND refused others would read it here; ask in a direct chat"}) {
		t.Errorf("the ledger has %q", got)
	}
}

func TestAClearedConversationIsInNoLaterPromptButStillStored(t *testing.T) {
	s, _, writer := newParlour(t, "Afresh. [EXECUTE:clear_context]")
	s.sayDirect("1", "my secret is tea")
	s.sayDirect("2", "go")
	s.sayDirect("3", "what did I say?")
	last := writer.asked[len(writer.asked)-1]
	if len(last) != 1 || last[0].Text != "what did I say?" {
		t.Errorf("the model was asked with %+v", last)
	}
	turns := s.turns("1")
	if turns[0].Message.Text != "my secret is tea" || turns[0].Reply != "You said my secret is tea" {
		t.Errorf("stored is %+v", turns[0])
	}
	exchanges, err := s.Store.Exchanges(t.Context(), turns[0].Session, 0, 1000, 10)
	if err != nil || len(exchanges) != 3 {
		t.Errorf("the history has %d exchanges: %v", len(exchanges), err)
	}
}

func TestASummaryThatIsBeingMadeDoesNotBringAClearedConversationBack(t *testing.T) {
	s, _, _ := newParlour(t, "[EXECUTE:clear_context]")
	s.sayDirect("1", "my secret is tea")
	session := s.turns("1")[0].Session
	before, err := s.Store.Summary(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	s.sayDirect("2", "go")
	late := before
	late.Until, late.Text = s.turns("1")[0].Number, "the secret is tea"
	if err := s.Store.SaveSummary(t.Context(), session, before, late); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Store.Summary(t.Context(), session); err != nil || got.Text != "" || got.Until != s.turns("2")[0].Number {
		t.Errorf("the summary is %+v: %v", got, err)
	}
}

func TestTheConversationIsSummarisedByTheModelForIt(t *testing.T) {
	for name, c := range map[string]struct {
		summary script
		want    string
	}{
		"a model that can":    {say("They spoke of tea."), "They spoke of tea."},
		"a model that cannot": {func(context.Context, string) (string, error) { return "", &model.Error{Message: "It is closed."} }, "You said I like tea"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, writer := newParlour(t, "[COMMAND:summarize_conversation]")
			s.Folder.Model = c.summary
			s.sayDirect("1", "I like tea")
			s.sayDirect("2", "go")
			if !strings.Contains(writer.told, c.want) {
				t.Errorf("the model was told %q", writer.told)
			}
		})
	}
}

func TestThereIsNothingToSummariseOrDeleteAtTheBeginning(t *testing.T) {
	s, _, _ := newParlour(t, "[COMMAND:summarize_conversation] [EXECUTE:delete_last_message]")
	s.Policy.Confirm = nil
	s.sayDirect("1", "go")
	want := []string{"COMMAND done nothing was said before this message", "EXECUTE failed there is no message of the agent before this one that could be deleted"}
	if got := s.outcomes("1"); !slices.Equal(got, want) {
		t.Errorf("the ledger has %q", got)
	}
}

// The last message is another one once it is deleted: who did it twice would delete two.
func TestAnExecutionThatACrashInterruptedIsNotRepeated(t *testing.T) {
	s, in, _ := newParlour(t, "Hello.")
	s.sayDirect("1", "one")
	s.sayDirect("2", "go")
	row := store.Action{Turn: s.turns("2")[0].ID, Type: "EXECUTE", Args: []byte(`{"argument":"delete_last_message"}`), State: store.Started, Confirmed: true}
	d := s.Decider().decide(t.Context(), s.turns("2")[0], row)
	if d.state != store.Unknown || d.why != "execute was interrupted; it may or may not have happened" || len(in.deleted) > 0 {
		t.Errorf("it came to %s: %s", d.state, d.why)
	}
}
