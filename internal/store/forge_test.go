package store_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func forgeOf(plan, key string) *store.Forge {
	return &store.Forge{
		Key: key, Plan: plan, Description: "Add a cache.", Context: "It is slow.", Room: platform.Room{Platform: "test", ID: "a"},
		Parent: "p", Direct: true, Person: platform.Person{ID: "ada", Name: "Ada", Handle: "ada1"}, State: store.Drafting,
	}
}

func addForge(t *testing.T, s *store.Store, f *store.Forge) (bool, error) {
	t.Helper()
	var fresh bool
	err := s.In(t.Context(), func(tx store.Tx) (err error) {
		fresh, err = tx.AddForge(t.Context(), f)
		return err
	})
	return fresh, err
}

func TestThereIsOneForgeAtATime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		first := forgeOf("plan-001", "k1")
		if fresh, err := addForge(t, s, first); !fresh || err != nil {
			t.Fatal(fresh, err)
		}
		again := forgeOf("plan-001", "k1")
		if fresh, err := addForge(t, s, again); fresh || err != nil || again.ID != first.ID {
			t.Errorf("with the same key: %v, %v, %+v", fresh, err, again)
		}
		var running *store.ForgeRunning
		if _, err := addForge(t, s, forgeOf("plan-002", "k2")); !errors.As(err, &running) || running.Plan != "plan-001" {
			t.Errorf("a second one: %v", err)
		}
		end(t, s, first.ID, store.Capped)
		if now, err := s.RunningForge(t.Context()); now != nil || err != nil {
			t.Errorf("running is %+v, %v", now, err)
		}
		third := forgeOf("plan-001", "k3")
		if fresh, err := addForge(t, s, third); !fresh || err != nil || third.Earlier != 3 {
			t.Errorf("after it has ended: %v, %v, %+v", fresh, err, third)
		}
		last, err := s.LastForge(t.Context(), "plan-001")
		if err != nil || last.ID != third.ID {
			t.Errorf("the last one is %+v, %v", last, err)
		}
	})
}

// end ends a forge after three rounds.
func end(t *testing.T, s *store.Store, id int64, state store.ForgeState) {
	t.Helper()
	err := s.In(t.Context(), func(tx store.Tx) error {
		f, err := tx.TakeForge(t.Context(), id)
		if err != nil {
			return err
		}
		f.State, f.Round, f.Note = state, 3, "enough"
		return tx.SaveForge(t.Context(), f)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAForgeIsReadAsItWasWritten(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		f := forgeOf("plan-001", "k1")
		if _, err := addForge(t, s, f); err != nil {
			t.Fatal(err)
		}
		end(t, s, f.ID, store.Broken)
		got, err := s.ForgeByKey(t.Context(), "k1")
		if err != nil || got.State != store.Broken || got.Note != "enough" || got.Person != f.Person || !got.Direct || got.Parent != "p" || got.Context != "It is slow." || string(got.Verdicts) != "[]" {
			t.Errorf("%+v, %v", got, err)
		}
		for _, missing := range []func() (*store.Forge, error){
			func() (*store.Forge, error) { return s.ForgeByKey(t.Context(), "k2") },
			func() (*store.Forge, error) { return s.ForgeByID(t.Context(), 99) },
			func() (*store.Forge, error) { return s.LastForge(t.Context(), "plan-9") },
			func() (*store.Forge, error) { return s.RunningForge(t.Context()) },
		} {
			if got, err := missing(); got != nil || err != nil {
				t.Errorf("found %+v, %v", got, err)
			}
		}
	})
}

func TestOfForgesThatBeginAtTheSameMomentThereIsOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		const many = 8
		errs := make([]error, many)
		var all sync.WaitGroup
		for i := range many {
			all.Go(func() {
				errs[i] = s.In(t.Context(), func(tx store.Tx) error {
					_, err := tx.AddForge(t.Context(), forgeOf("plan-00"+string(rune('1'+i)), string(rune('a'+i))))
					return err
				})
			})
		}
		all.Wait()
		began := 0
		for _, err := range errs {
			var running *store.ForgeRunning
			if err == nil {
				began++
			} else if !errors.As(err, &running) {
				t.Error(err)
			}
		}
		if began != 1 {
			t.Errorf("%d began", began)
		}
	})
}
