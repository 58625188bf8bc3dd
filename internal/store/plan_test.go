package store_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func askerAda() store.Asker {
	return store.Asker{Room: platform.Room{Platform: "web", ID: "a"}, Parent: "p", Direct: true, Person: platform.Person{ID: "ada", Name: "Ada", Handle: "@ada"}}
}

func addPlan(t *testing.T, s *store.Store, p store.Plan, above int) *store.Plan {
	t.Helper()
	p.By = askerAda()
	added, err := s.AddPlan(t.Context(), p, above)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func in(t *testing.T, s *store.Store, do func(tx store.Tx) error) {
	t.Helper()
	if err := s.In(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

func TestAPlanGetsTheNextNumberOnceForEachKey(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		first := addPlan(t, s, store.Plan{Key: "a", Task: "ws-1"}, 0)
		if first.Number != 1 || first.By != askerAda() || first.Task != "ws-1" || first.Created.IsZero() {
			t.Errorf("the first is %+v", first)
		}
		if again := addPlan(t, s, store.Plan{Key: "a", Task: "ws-2"}, 7); *again != *first {
			t.Errorf("with the same key: %+v", again)
		}
		if next := addPlan(t, s, store.Plan{Key: "b"}, 7); next.Number != 8 {
			t.Errorf("the next is %+v", next)
		}
		if adopted := addPlan(t, s, store.Plan{Key: "file/plan-005", Number: 5}, 0); adopted.Number != 5 {
			t.Errorf("the one that was found is %+v", adopted)
		}
		if same := addPlan(t, s, store.Plan{Key: "file/plan-001", Number: 1}, 0); *same != *first {
			t.Errorf("one that is there already is %+v", same)
		}
		all, err := s.Plans(t.Context())
		if err != nil || len(all) != 3 || all[1].Number != 5 {
			t.Errorf("all are %v, %v", all, err)
		}
		if none, err := s.Plan(t.Context(), 99); none != nil || err != nil {
			t.Errorf("one that is not there: %v, %v", none, err)
		}
	})
}

func TestPlansThatAreMadeAtOnceHaveDifferentNumbers(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var mu sync.Mutex
		var numbers []int
		var all sync.WaitGroup
		for _, key := range []string{"a", "b", "c", "d", "e"} {
			all.Go(func() {
				p, err := s.AddPlan(t.Context(), store.Plan{Key: key, By: askerAda()}, 0)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				numbers = append(numbers, p.Number)
			})
		}
		all.Wait()
		slices.Sort(numbers)
		if !slices.Equal(numbers, []int{1, 2, 3, 4, 5}) {
			t.Errorf("the numbers are %v", numbers)
		}
	})
}

func TestAPlanHasOneRunAtATime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		addPlan(t, s, store.Plan{Key: "a"}, 0)
		run := &store.PlanRun{Plan: 1, Key: "r1", RollOn: true, Quiet: true, By: askerAda(), ReplyTo: "m1", Depth: 1}
		in(t, s, func(tx store.Tx) error { return tx.BeginPlanRun(t.Context(), run) })
		if err := s.In(t.Context(), func(tx store.Tx) error {
			return tx.BeginPlanRun(t.Context(), &store.PlanRun{Plan: 1, Key: "r2", By: askerAda()})
		}); err == nil {
			t.Error("a second run has begun")
		}
		in(t, s, func(tx store.Tx) error {
			now, err := tx.PlanRunning(t.Context(), 1)
			if err == nil && (now == nil || *now != *run) {
				t.Errorf("the run is %+v, want %+v", now, run)
			}
			return err
		})
		for room, want := range map[platform.Room]int{{}: 1, askerAda().Room: 1, {Platform: "web", ID: "b"}: 0} {
			if running, err := s.RunningPlans(t.Context(), room); err != nil || len(running) != want {
				t.Errorf("in %s there is %v, %v", room, running, err)
			}
		}
		if running, err := s.StopPlanRun(t.Context(), 1); err != nil || !running {
			t.Errorf("stopping: %v, %v", running, err)
		}
		in(t, s, func(tx store.Tx) error { return tx.StepPlanRun(t.Context(), run) })
		if last, err := s.LastPlanRun(t.Context(), 1); err != nil || !last.Stop || last.Steps != 1 {
			t.Errorf("the run is %+v, %v", last, err)
		}
		run.State, run.Note = store.RunFailed, "phase 1 failed"
		in(t, s, func(tx store.Tx) error { return tx.EndPlanRun(t.Context(), run) })
		if running, err := s.StopPlanRun(t.Context(), 1); err != nil || running {
			t.Errorf("stopping what has ended: %v, %v", running, err)
		}
		second := &store.PlanRun{Plan: 1, Key: "r2", By: askerAda()}
		in(t, s, func(tx store.Tx) error { return tx.BeginPlanRun(t.Context(), second) })
		if last, err := s.LastPlanRun(t.Context(), 1); err != nil || last.Number != 2 || last.State != store.RunRunning {
			t.Errorf("the last is %+v, %v", last, err)
		}
		in(t, s, func(tx store.Tx) error {
			first, err := tx.PlanRunByKey(t.Context(), "r1")
			if err == nil && (first.State != store.RunFailed || first.Note != "phase 1 failed") {
				t.Errorf("the first is %+v", first)
			}
			return err
		})
	})
}

func TestThePhasesOfAPlanAreKeptInOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		addPlan(t, s, store.Plan{Key: "a"}, 0)
		in(t, s, func(tx store.Tx) error {
			return tx.SetPlanPhases(t.Context(), 1, []store.PlanPhase{
				{Kind: "implement", Title: "One", Text: "1", Files: []string{"a.go"}, Hash: "h1", State: store.PhasePending},
				{Kind: "audit", Title: "Two", Hash: "h2", State: store.PhasePending},
			})
		})
		in(t, s, func(tx store.Tx) error {
			return tx.SavePhase(t.Context(), store.PlanPhase{Plan: 1, Ordinal: 1, State: store.PhaseDone, Run: 3, Evidence: "{}"})
		})
		phases, err := s.PlanPhases(t.Context(), 1)
		if err != nil || len(phases) != 2 || phases[0].State != store.PhaseDone || phases[0].Run != 3 || phases[0].Title != "One" || !slices.Equal(phases[0].Files, []string{"a.go"}) || phases[1].Ordinal != 2 {
			t.Errorf("the phases are %+v, %v", phases, err)
		}
		in(t, s, func(tx store.Tx) error { return tx.SetPlanPhases(t.Context(), 1, phases[1:]) })
		if phases, err = s.PlanPhases(t.Context(), 1); err != nil || len(phases) != 1 || phases[0].Ordinal != 1 || phases[0].Title != "Two" {
			t.Errorf("the phases are %+v, %v", phases, err)
		}
	})
}

func TestWhatAFileIsToSayIsKeptUntilItSaysSo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		p := addPlan(t, s, store.Plan{Key: "a"}, 0)
		addPlan(t, s, store.Plan{Key: "b"}, 0)
		for range 2 {
			in(t, s, func(tx store.Tx) error {
				p.Wanted = "DONE"
				if err := tx.SavePlan(t.Context(), p); err != nil {
					return err
				}
				return tx.LogPlan(t.Context(), store.PlanEntry{Plan: 1, Marker: "m", Text: "phase 1 is done"})
			})
		}
		entries, err := s.UnwrittenEntries(t.Context(), 1)
		if err != nil || len(entries) != 1 {
			t.Fatalf("the entries are %v, %v", entries, err)
		}
		if numbers, err := s.Unwritten(t.Context()); err != nil || !slices.Equal(numbers, []int{1}) {
			t.Errorf("unwritten are %v, %v", numbers, err)
		}
		if err := s.PlanWritten(t.Context(), 1, "APPROVED", entries); err != nil {
			t.Fatal(err)
		}
		if numbers, err := s.Unwritten(t.Context()); err != nil || !slices.Equal(numbers, []int{1}) {
			t.Errorf("what is wanted since is forgotten: %v, %v", numbers, err)
		}
		if err := s.PlanWritten(t.Context(), 1, "DONE", nil); err != nil {
			t.Fatal(err)
		}
		if numbers, err := s.Unwritten(t.Context()); err != nil || len(numbers) != 0 {
			t.Errorf("unwritten are %v, %v", numbers, err)
		}
	})
}
