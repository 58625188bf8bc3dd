package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

// clock is a time that moves by a second whenever it is asked for.
func clock() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

// each runs a test on every engine.
func each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	for name, open := range map[string]func(t *testing.T) *store.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			test(t, s)
		})
	}
}

func openSQLite(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), clock())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func message(room, id, text string) platform.Message {
	return platform.Message{
		Room: platform.Room{Platform: "web", ID: room}, ID: id, Text: text,
		Author: platform.Person{ID: "ada", Name: "Ada"}, At: time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC),
	}
}

func receive(t *testing.T, s *store.Store, m platform.Message) int64 {
	t.Helper()
	r, err := s.Receive(t.Context(), m, true)
	if err != nil || !r.Fresh {
		t.Fatalf("receive: %+v, %v", r, err)
	}
	return r.Turn
}

func TestAMessageIsStoredOnceHoweverOftenItComes(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		first := receive(t, s, message("a", "1", "hi"))
		again, err := s.Receive(t.Context(), message("a", "1", "hi"), true)
		if err != nil || again.Fresh || again.Mine || again.Turn != first {
			t.Errorf("the second time: %+v, %v; want turn %d", again, err, first)
		}
		if other := receive(t, s, message("b", "1", "hi")); other == first {
			t.Error("the same id in another room is another message")
		}
	})
}

// Catching up may reach back further than anything that is kept in memory.
func TestAMessageIsKnownAgainHoweverMuchCameSince(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		first := receive(t, s, message("a", "0", "hi"))
		for i := 1; i <= 500; i++ {
			receive(t, s, message("a", fmt.Sprint(i), "hi"))
		}
		for _, id := range []string{"0", "250", "500"} {
			again, err := s.Receive(t.Context(), message("a", id, "hi"), true)
			if err != nil || again.Fresh || id == "0" && again.Turn != first {
				t.Errorf("message %s comes again as %+v, %v", id, again, err)
			}
		}
	})
}

func TestAMessageReceivedByManyAtOnceIsStoredOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		times := 0
		for range 8 {
			wg.Go(func() {
				r, err := s.Receive(t.Context(), message("a", "1", "hi"), true)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if r.Fresh {
					times++
				}
			})
		}
		wg.Wait()
		if times != 1 {
			t.Errorf("it was fresh %d times", times)
		}
	})
}

func TestTheTurnsOfASessionComeInOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for i := range 3 {
			receive(t, s, message("a", fmt.Sprint(i), fmt.Sprint("text ", i)))
			receive(t, s, message("b", fmt.Sprint(i), "other"))
		}
		for i := range 3 {
			next, err := s.NextTurn(ctx, "web/a")
			if err != nil || next == nil || next.Message.Text != fmt.Sprint("text ", i) {
				t.Fatalf("turn %d is %+v, %v", i, next, err)
			}
			settle(t, s, next)
		}
		if next, err := s.NextTurn(ctx, "web/a"); next != nil || err != nil {
			t.Errorf("there is still %+v, %v", next, err)
		}
	})
}

// settle brings a turn to its end with an answer.
func settle(t *testing.T, s *store.Store, turn *store.Turn) {
	t.Helper()
	turn.Reply, turn.Shown, turn.Problems, turn.Timings = "raw", "answer", json.RawMessage("[]"), json.RawMessage("{}")
	err := errors.Join(s.SaveReply(t.Context(), turn, store.Reply{}), s.Settle(t.Context(), turn, nil))
	if err != nil {
		t.Fatal(err)
	}
}

func TestAStageIsEnteredOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		id := receive(t, s, message("a", "1", "hi"))
		turn, err := s.Turn(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		stale := *turn
		settle(t, s, turn)
		// A process that was thought dead must not turn the clock back.
		stale.Reply, stale.Problems, stale.Timings = "late", json.RawMessage("[]"), json.RawMessage("{}")
		if err := s.SaveReply(t.Context(), &stale, store.Reply{}); !errors.Is(err, store.ErrTakenOver) {
			t.Errorf("a stale process got %v", err)
		}
		turn, err = s.Turn(t.Context(), id)
		if err != nil || turn.Stage != store.Settled || turn.Reply != "raw" {
			t.Errorf("the turn is %s with %q, %v", turn.Stage, turn.Reply, err)
		}
	})
}

func TestTheLedgerKeepsOrderAndOutcomes(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		id := receive(t, s, message("a", "1", "hi"))
		turn, _ := s.Turn(t.Context(), id)
		turn.Problems, turn.Timings = json.RawMessage("[]"), json.RawMessage("{}")
		actions := []store.Action{
			{Turn: id, Ordinal: 0, Dialect: "blocks", Type: "memoryShow", Args: json.RawMessage(`{}`), State: store.Planned},
			{Turn: id, Ordinal: 1, Dialect: "signals", Type: "REMEMBER", Args: json.RawMessage(`{"argument":"x"}`), State: store.Planned},
		}
		if err := s.SaveReply(t.Context(), turn, store.Reply{Actions: actions}); err != nil {
			t.Fatal(err)
		}
		actions[1].State, actions[1].Summary = store.Done, "remembered: x"
		for range 2 { // again, as after a crash
			err := s.SaveAction(t.Context(), actions[1], func(tx store.Tx) error {
				if before, err := tx.FactOf(t.Context(), "turn-1-action-1"); before != nil || err != nil {
					return err
				}
				_, err := tx.AddFact(t.Context(), "web/ada", "turn-1-action-1", store.Fact{Kind: "fact", Text: "x"})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Actions(t.Context(), id)
		if err != nil || len(got) != 2 || got[0].State != store.Planned || got[1].Summary != "remembered: x" || string(got[1].Args) != `{"argument":"x"}` {
			t.Errorf("the ledger is %+v, %v", got, err)
		}
		facts, err := s.Facts(t.Context(), "web/ada")
		if err != nil || len(facts) != 1 {
			t.Errorf("facts are %v, %v", facts, err)
		}
	})
}

func TestAPostKeepsItsIDWhenItsTextChanges(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		id := receive(t, s, message("a", "1", "hi"))
		turn, _ := s.Turn(ctx, id)
		turn.Problems, turn.Timings = json.RawMessage("[]"), json.RawMessage("{}")
		p := store.Post{Key: "k", Turn: id, Room: turn.Message.Room, Text: "Hel", State: store.Live}
		if err := s.AddPost(ctx, p); err != nil {
			t.Fatal(err)
		}
		p.PostID = "77"
		if err := s.SavePost(ctx, p); err != nil {
			t.Fatal(err)
		}
		p.Text, p.State, p.PostID = "Hello", store.Queued, ""
		if err := s.SaveReply(ctx, turn, store.Reply{Posts: []store.Post{p}}); err != nil {
			t.Fatal(err)
		}
		posts, err := s.Posts(ctx, id)
		if err != nil || len(posts) != 1 || posts[0].PostID != "77" || posts[0].Text != "Hello" || posts[0].State != store.Queued {
			t.Errorf("the posts are %+v, %v", posts, err)
		}
	})
}

func TestExchangesAreTheSettledOnesNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var turns []int64
		for i := range 5 {
			id := receive(t, s, message("a", fmt.Sprint(i), fmt.Sprint("q", i)))
			turn, _ := s.Turn(t.Context(), id)
			settle(t, s, turn)
			turns = append(turns, id)
		}
		last := receive(t, s, message("a", "9", "now"))
		for _, test := range []struct {
			after, before int64
			most          int
			want          string
		}{
			{0, last, 10, "q4 q3 q2 q1 q0"},
			{0, last, 2, "q4 q3"},
			{turns[1], last, 10, "q4 q3 q2"},
			{turns[1], turns[3], 10, "q2"},
			{0, last + 1, 1, "q4"}, // what is not settled has no answer
		} {
			got, err := s.Exchanges(t.Context(), "web/a", test.after, test.before, test.most)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, e := range got {
				if e.Author != "Ada" || e.Answer != "answer" {
					t.Errorf("got %+v", e)
				}
				texts = append(texts, e.Text)
			}
			if strings.Join(texts, " ") != test.want {
				t.Errorf("between %d and %d are %q, want %q", test.after, test.before, texts, test.want)
			}
		}
	})
}

func TestASummaryIsReplacedByWhoeverKnewTheLastOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		none, err := s.Summary(ctx, "web/a")
		if err != nil || none != (store.Summary{}) {
			t.Fatalf("there is %+v, %v", none, err)
		}
		first, second := store.Summary{Until: 3, Text: "tea"}, store.Summary{Until: 5, Text: "tea and cake"}
		if err := errors.Join(s.SaveSummary(ctx, "web/a", none, first), s.SaveSummary(ctx, "web/a", first, second),
			s.SaveSummary(ctx, "web/a", first, store.Summary{Until: 4, Text: "too late"})); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Summary(ctx, "web/a"); err != nil || got != second {
			t.Errorf("there is %+v, %v", got, err)
		}
	})
}

func TestTheWebLogTellsEverythingOnceAndInOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		log := store.Web{Store: s}
		must := func(ok bool, err error) {
			t.Helper()
			if err != nil || !ok {
				t.Fatalf("%v, %v", ok, err)
			}
		}
		for range 2 {
			must(true, log.Add(ctx, web.Entry{ID: "1", Room: "a", Kind: "person", Text: "hi", At: time.Unix(1, 0)}))
			must(log.Edit(ctx, "a", "1", "hello"))
			must(log.React(ctx, "a", "1", "👀", true))
		}
		must(true, log.Add(ctx, web.Entry{ID: "2", Room: "a", Kind: "agent", Text: "yes", At: time.Unix(2, 0)}))
		must(log.React(ctx, "a", "1", "👀", false))
		must(log.Delete(ctx, "a", "2"))
		if ok, err := log.Edit(ctx, "b", "1", "elsewhere"); ok || err != nil {
			t.Errorf("an entry of another room was edited: %v", err)
		}
		events, err := log.Events(ctx, "a", 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, e := range events {
			kinds = append(kinds, e.Kind)
		}
		if got, want := fmt.Sprint(kinds), "[post edit react post react delete]"; got != want {
			t.Errorf("events are %s, want %s", got, want)
		}
		entries, err := log.Entries(ctx, "a", "", 10)
		if err != nil || len(entries) != 1 || entries[0].Text != "hello" || len(entries[0].Reactions) != 0 {
			t.Errorf("entries are %+v, %v", entries, err)
		}
		last, err := log.Last(ctx, "a")
		if err != nil || last != events[len(events)-1].ID {
			t.Errorf("last is %d, %v", last, err)
		}
	})
}

func TestAMessageFromThePageIsInItsRoomWithItsTurnAndSettledOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		log := store.Web{Store: s}
		turn, _ := s.Turn(t.Context(), receive(t, s, message("a", "1", "hi")))
		if _, err := s.Receive(t.Context(), message("a", "1", "hi"), true); err != nil {
			t.Fatal(err)
		}
		settle(t, s, turn)
		entries, err := log.Entries(t.Context(), "a", "", 10)
		if err != nil || len(entries) != 1 || entries[0].Text != "hi" || entries[0].Author != "Ada" || entries[0].Kind != "person" {
			t.Errorf("entries are %+v, %v", entries, err)
		}
		events, err := log.Events(t.Context(), "a", 0, 100)
		if err != nil || len(events) != 2 || events[0].Kind != "post" || events[1].Kind != "settled" {
			t.Fatalf("events are %+v, %v", events, err)
		}
		if got, want := string(events[1].Body), fmt.Sprintf(`{"message":"1","turn":%d}`, turn.ID); got != want {
			t.Errorf("settled says %s, want %s", got, want)
		}
	})
}

func TestOneProcessADataDirectory(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(t.Context(), "sqlite", dir, clock())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), "sqlite", dir, clock()); !errors.Is(err, store.ErrInUse) {
		t.Errorf("a second one got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err = store.Open(t.Context(), "sqlite", dir, clock())
	if err != nil {
		t.Fatalf("after closing: %v", err)
	}
	s.Close()
}

func TestADataDirectoryThatCannotBeUsedIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(context.Background(), "sqlite", file, clock()); err == nil {
		t.Error("a file was taken for a directory")
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "aside.db"), bytes4k(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(context.Background(), "sqlite", broken, clock()); err == nil {
		t.Error("garbage was taken for a database")
	}
}

func bytes4k() []byte {
	b := make([]byte, 4096)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}
