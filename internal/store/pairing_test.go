package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// stranger is a direct message of somebody.
func stranger(on, person string) platform.Message {
	return platform.Message{Room: platform.Room{Platform: on, ID: "dm-" + person}, ID: "1", Author: platform.Person{ID: person, Name: "The " + person}, Direct: true}
}

// knock wants to be let in for an hour, and fails the test if it does not go as wanted.
func knock(t *testing.T, s *store.Store, m platform.Message, code string, valid time.Duration, want bool) {
	t.Helper()
	fresh, err := s.Knock(t.Context(), m, code, valid, 3)
	if err != nil || fresh != want {
		t.Errorf("%s knocks with %s: %v, %v", m.Author.ID, code, fresh, err)
	}
}

func codes(t *testing.T, s *store.Store) (all string) {
	t.Helper()
	pairings, err := s.Pairings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pairings {
		all += fmt.Sprintf("%s/%s:%s:%s ", p.Room.Platform, p.Person.ID, p.State, p.Code)
	}
	return all
}

func TestAStrangerHasOneCodeAndAFewWaitAtATime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		knock(t, s, stranger("telegram", "ada"), "AAAA", time.Hour, true)
		knock(t, s, stranger("telegram", "ada"), "BBBB", time.Hour, false)
		knock(t, s, stranger("telegram", "bob"), "CCCC", time.Hour, true)
		knock(t, s, stranger("telegram", "cyn"), "DDDD", time.Hour, true)
		knock(t, s, stranger("telegram", "dan"), "EEEE", time.Hour, false) // three wait already
		knock(t, s, stranger("signal", "dan"), "FFFF", time.Hour, true)    // there nobody does
		want := "telegram/ada:pending:AAAA telegram/bob:pending:CCCC telegram/cyn:pending:DDDD signal/dan:pending:FFFF "
		if got := codes(t, s); got != want {
			t.Errorf("there are %s, want %s", got, want)
		}
		if _, err := s.Approve(t.Context(), "CCCC"); err != nil {
			t.Fatal(err)
		}
		knock(t, s, stranger("telegram", "dan"), "GGGG", time.Hour, true) // a place is free
	})
}

func TestManyStrangersAtOnceAreNotMoreThanAFew(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				if _, err := s.Knock(t.Context(), stranger("telegram", fmt.Sprint("p", i)), fmt.Sprint("C", i), time.Hour, 3); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if all, err := s.Pairings(t.Context()); err != nil || len(all) != 3 {
			t.Errorf("%d wait, %v", len(all), err)
		}
	})
}

func TestACodeLetsOnePersonInOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		is := func(on, person string, want bool) {
			t.Helper()
			if got, err := s.Approved(ctx, on, person); got != want || err != nil {
				t.Errorf("%s on %s: %v, %v", person, on, got, err)
			}
		}
		knock(t, s, stranger("telegram", "ada"), "AAAA", time.Hour, true)
		knock(t, s, stranger("telegram", "bob"), "BBBB", time.Hour, true)
		is("telegram", "ada", false)
		p, err := s.Approve(ctx, "AAAA")
		if err != nil || p.Person.ID != "ada" || p.Room.ID != "dm-ada" {
			t.Fatalf("approved is %+v, %v", p, err)
		}
		is("telegram", "ada", true)
		is("signal", "ada", false) // somebody else there
		is("telegram", "bob", false)
		for _, code := range []string{"AAAA", "", "ZZZZ"} {
			if _, err := s.Approve(ctx, code); !errors.Is(err, store.ErrNoSuchCode) {
				t.Errorf("approving %q: %v", code, err)
			}
			if _, err := s.Deny(ctx, code); !errors.Is(err, store.ErrNoSuchCode) {
				t.Errorf("denying %q: %v", code, err)
			}
		}
		if _, err := s.Deny(ctx, "BBBB"); err != nil {
			t.Fatal(err)
		}
		knock(t, s, stranger("telegram", "bob"), "CCCC", time.Hour, false) // not again so soon
		knock(t, s, stranger("telegram", "ada"), "DDDD", time.Hour, false) // is in already
		if err := s.Revoke(ctx, "telegram", "ada"); err != nil {
			t.Fatal(err)
		}
		is("telegram", "ada", false)
		for _, person := range []string{"ada", "bob"} {
			if err := s.Revoke(ctx, "telegram", person); !errors.Is(err, store.ErrNoSuchPerson) {
				t.Errorf("revoking %s: %v", person, err)
			}
		}
	})
}

func TestACodeExpires(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		knock(t, s, stranger("telegram", "ada"), "AAAA", time.Nanosecond, true) // by the next look at the clock it is over
		if _, err := s.Approve(t.Context(), "AAAA"); !errors.Is(err, store.ErrNoSuchCode) {
			t.Errorf("an expired code: %v", err)
		}
		if got := codes(t, s); got != "" {
			t.Errorf("there are %s", got)
		}
		if untold, err := s.UntoldPairings(t.Context()); err != nil || len(untold) != 0 {
			t.Errorf("to be told are %v, %v", untold, err)
		}
		knock(t, s, stranger("telegram", "ada"), "BBBB", time.Hour, true)
	})
}

func TestPeopleAreToldOfACodeAndOfBeingLetIn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		untold := func(want store.PairingState) (p store.Pairing) {
			t.Helper()
			all, err := s.UntoldPairings(ctx)
			if err != nil || len(all) > 1 || (len(all) == 1) != (want != "") || want != "" && all[0].State != want {
				t.Fatalf("to be told are %+v, %v; want %s", all, err, want)
			}
			if want != "" {
				p = all[0]
			}
			return p
		}
		knock(t, s, stranger("telegram", "ada"), "AAAA", time.Hour, true)
		pending := untold(store.PairingPending)
		if err := s.PairingTold(ctx, pending); err != nil {
			t.Fatal(err)
		}
		untold("")
		if _, err := s.Approve(ctx, "AAAA"); err != nil {
			t.Fatal(err)
		}
		approved := untold(store.PairingApproved)
		if err := s.PairingTold(ctx, pending); err != nil { // a slow one was told of the code just now
			t.Fatal(err)
		}
		untold(store.PairingApproved)
		if err := s.PairingTold(ctx, approved); err != nil {
			t.Fatal(err)
		}
		untold("")
	})
}
