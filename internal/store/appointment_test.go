package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

var noonOfMarch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func appointment(kind store.AppointmentKind, key string) store.Appointment {
	a := store.Appointment{
		Kind: kind, Key: key, Room: platform.Room{Platform: "web", ID: "a"}, Place: "#a", Parent: "p", Direct: true,
		Person: platform.Person{ID: "ada", Name: "Ada", Handle: "ada1"}, Prompt: "Do it.", Label: "it", Due: noonOfMarch.Add(time.Hour),
	}
	if kind == store.Loop {
		a.Every = time.Hour
	}
	return a
}

func keep(t *testing.T, s *store.Store, a store.Appointment, key string) bool {
	t.Helper()
	opened, err := s.KeepAppointment(t.Context(), a, a.Due.Add(a.Every), store.Errand{Key: key, Flow: string(a.Kind), Session: key, Room: a.Room, Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

func TestAnAppointmentIsStoredOnceAndItsNumberIsItsOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		first, err := s.AddAppointment(ctx, appointment(store.Deferral, "k1"), 2)
		if err != nil || first.ID() != "defer-1" || first.State != store.AppointmentPending || first.Person.Handle != "ada1" || !first.Direct || first.Parent != "p" || !first.Due.Equal(noonOfMarch.Add(time.Hour)) {
			t.Fatalf("%+v, %v", first, err)
		}
		again, err := s.AddAppointment(ctx, appointment(store.Deferral, "k1"), 1)
		if err != nil || again != first {
			t.Errorf("the same key gives %+v, %v", again, err)
		}
		if second, err := s.AddAppointment(ctx, appointment(store.Deferral, "k2"), 2); err != nil || second.ID() != "defer-2" {
			t.Errorf("%+v, %v", second, err)
		}
		if _, err := s.AddAppointment(ctx, appointment(store.Deferral, "k3"), 2); !errors.Is(err, store.ErrTooMany) {
			t.Errorf("a third one: %v", err)
		}
		loop, err := s.AddAppointment(ctx, appointment(store.Loop, "k4"), 2)
		if err != nil || loop.ID() != "loop-1" || loop.Every != time.Hour {
			t.Errorf("%+v, %v", loop, err)
		}
		if _, _, err := s.CancelAppointment(ctx, store.Deferral, 2, "no"); err != nil {
			t.Fatal(err)
		}
		if third, err := s.AddAppointment(ctx, appointment(store.Deferral, "k5"), 2); err != nil || third.ID() != "defer-3" {
			t.Errorf("%+v, %v", third, err)
		}
		if _, err := s.Appointment(ctx, store.Loop, 9); !errors.Is(err, store.ErrNoSuchAppointment) {
			t.Errorf("one that there is not: %v", err)
		}
		if _, _, err := s.CancelAppointment(ctx, store.Loop, 9, "no"); !errors.Is(err, store.ErrNoSuchAppointment) {
			t.Errorf("one that there is not: %v", err)
		}
		all, err := s.Appointments(ctx, store.Deferral, noonOfMarch)
		if err != nil || len(all) != 2 || all[0].Number != 1 || all[1].Number != 3 {
			t.Errorf("listed are %+v, %v", all, err)
		}
	})
}

func TestAnAppointmentIsBegunOnceAndEndsWithItsErrand(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		a, err := s.AddAppointment(ctx, appointment(store.Deferral, "k1"), 5)
		if err != nil {
			t.Fatal(err)
		}
		if due, err := s.DueAppointments(ctx, a.Due.Add(-time.Microsecond), 10); err != nil || len(due) != 0 {
			t.Errorf("due are %+v, %v", due, err)
		}
		if due, err := s.DueAppointments(ctx, a.Due, 10); err != nil || len(due) != 1 || due[0] != a {
			t.Errorf("due are %+v, %v", due, err)
		}
		if !keep(t, s, a, "e1") || keep(t, s, a, "e1") || keep(t, s, a, "e2") {
			t.Error("it is not begun once")
		}
		if next, err := s.NextAppointment(ctx); err != nil || !next.IsZero() {
			t.Errorf("next is %v, %v", next, err)
		}
		end := func(key string, to store.Ending) {
			t.Helper()
			if err := s.In(ctx, func(tx store.Tx) error {
				return tx.EndErrand(ctx, key, func(store.Appointment) (store.Ending, error) { return to, nil })
			}); err != nil {
				t.Fatal(err)
			}
		}
		end("e2", store.Ending{State: store.AppointmentFailed}) // of nobody's
		end("", store.Ending{State: store.AppointmentFailed})
		if a, err = s.Appointment(ctx, store.Deferral, 1); err != nil || a.State != store.AppointmentRunning || a.Errand != "e1" || a.Rounds != 1 {
			t.Errorf("%+v, %v", a, err)
		}
		end("e1", store.Ending{State: store.AppointmentBarred, Reason: "no"})
		if a, err = s.Appointment(ctx, store.Deferral, 1); err != nil || a.State != store.AppointmentBarred || a.Reason != "no" || a.Errand != "" {
			t.Errorf("%+v, %v", a, err)
		}
		if was, _, err := s.CancelAppointment(ctx, store.Deferral, 1, "late"); err != nil || was.State != store.AppointmentBarred {
			t.Errorf("%+v, %v", was, err)
		}
	})
}

func TestARoundOfALoopThatIsBegunWhileTheOneBeforeRunsIsLeftOut(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		a, err := s.AddAppointment(ctx, appointment(store.Loop, "k1"), 5)
		if err != nil || !keep(t, s, a, "e1") {
			t.Fatal("it is not begun", err)
		}
		b, err := s.Appointment(ctx, store.Loop, 1)
		if err != nil || !b.Due.Equal(a.Due.Add(time.Hour)) || keep(t, s, b, "e2") {
			t.Errorf("%+v, %v", b, err)
		}
		if b, err = s.Appointment(ctx, store.Loop, 1); err != nil || !b.Due.Equal(a.Due.Add(2*time.Hour)) || b.Rounds != 1 {
			t.Errorf("%+v, %v", b, err)
		}
	})
}

func TestAnErrandThatIsCancelledIsNotGoneOnWith(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		if err := s.Begin(ctx, time.Hour); err != nil {
			t.Fatal(err)
		}
		e := store.Errand{Key: "e1", Flow: "deferral", Room: platform.Room{Platform: "web", ID: "a"}, Text: "x", Brief: store.Brief{Job: "defer-1"}}
		if o, err := s.OpenErrand(ctx, e, true); err != nil || !o.Mine {
			t.Fatal(o, err)
		}
		read, err := s.NextTurn(ctx, "web/a")
		if err != nil || read == nil {
			t.Fatal(read, err)
		}
		open, err := s.CancelErrand(ctx, e.Room, "e1", "no more")
		if err != nil || len(open) != 1 || open[0] != (store.OpenTurn{Session: "web/a", Turn: read.ID}) {
			t.Fatalf("%+v, %v", open, err)
		}
		read.Problems, read.Timings = []byte("[]"), []byte("{}")
		if err := s.SaveReply(ctx, read, store.Reply{}); !errors.Is(err, store.ErrTakenOver) {
			t.Errorf("a reply that began before is stored: %v", err)
		}
		if again, err := s.NextTurn(ctx, "web/a"); err != nil || again.Brief.Cancelled != "no more" || again.Brief.Job != "defer-1" {
			t.Errorf("%+v, %v", again, err)
		}
		if open, err := s.CancelErrand(ctx, e.Room, "e9", "no more"); err != nil || len(open) != 0 {
			t.Errorf("%+v, %v", open, err)
		}
	})
}

func TestSessionsThatOthersWaitForAreClaimedApart(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := context.WithoutCancel(t.Context())
		for _, session := range []string{"spawn/k", "web/b"} {
			e := store.Errand{Key: session, Flow: "spawn", Session: session, Room: platform.Room{Platform: "web", ID: "a"}, Text: "x"}
			if _, err := s.OpenErrand(ctx, e, false); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.Claim(ctx, 10); err != nil || len(got) != 1 || got[0] != "web/b" {
			t.Errorf("claimed are %q, %v", got, err)
		}
		if got, err := s.ClaimSpawned(ctx); err != nil || len(got) != 1 || got[0] != "spawn/k" {
			t.Errorf("claimed are %q, %v", got, err)
		}
		if got, err := s.ClaimSpawned(ctx); err != nil || len(got) != 0 {
			t.Errorf("claimed again are %q, %v", got, err)
		}
	})
}
