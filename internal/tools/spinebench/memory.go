package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/episode"
	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
)

// What is measured of memory: a store with so many facts, all that can be told about fifty
// people, and so many episodes, a tenth of them of one person.
const (
	facts       = 10_000
	factsOfEach = 200
	talkers     = 1000
	exchanges   = 300 // in the room whose prompt is made
	historySize = 8000
	batch       = 500
)

// remembering measures what a prompt is made of, and looking for past conversations, with
// much in the store.
func (b *bench) remembering(ctx context.Context) error {
	say("remembering %d facts and %d episodes", facts, b.episodes)
	s, err := store.Open(ctx, "sqlite", filepath.Join(b.dir, "memory"), time.Now)
	if err != nil {
		return err
	}
	defer s.Close()
	talk := newTalk()
	if err := errors.Join(talk.facts(ctx, s), talk.episodes(ctx, s, b.episodes), talk.exchanges(ctx, s)); err != nil {
		return err
	}
	mind := &memory.Memory{Store: s, Now: time.Now}
	registry, err := action.NewRegistry(append(catalogue.Specs(mind), catalogue.RequestTier(turn.Tiers{Store: s, Tokens: historySize}))...)
	if err != nil {
		return err
	}
	gatherer := &turn.Gatherer{
		Store: s, Registry: registry, Policy: action.Policy{Enabled: true}, Dialects: extract.Everything,
		Persona: func() string { return "You are a test." }, Memory: mind, Tokens: historySize,
	}
	var chosen, found []time.Duration
	for range b.recalled {
		m := platform.Message{Room: roomOf(0), ID: "now", Author: personOf(0), Direct: true, Text: talk.sentence(12)}
		began := time.Now()
		if _, err := gatherer.Gather(ctx, &store.Turn{ID: 1 << 60, Number: 1 << 60, Session: roomOf(0).String(), Message: m}); err != nil {
			return err
		}
		chosen = append(chosen, time.Since(began))
		began = time.Now()
		if _, err := (episode.Finder{Store: s}).SearchEpisodes(ctx, nameOf(0), roomOf(0).String(), true, talk.sentence(4)); err != nil {
			return err
		}
		found = append(found, time.Since(began))
	}
	what := fmt.Sprintf("with %d facts and %d episodes", facts, b.episodes)
	b.add(
		atMost("choosing what a prompt says, p99, "+what, percentile(chosen, 99), remembered99, milliseconds),
		known("searching past conversations, p50 / p99, "+what, both(found)))
	return nil
}

// A talk makes up what is said: words as frequent as in any language, a few very and most
// hardly.
type talk struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newTalk() *talk {
	random := rand.New(rand.NewPCG(1, 2))
	return &talk{random, rand.NewZipf(random, 1.1, 3, 20_000)}
}

func (k *talk) sentence(words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "%s ", word(k.zipf.Uint64()))
	}
	return strings.TrimSpace(b.String())
}

// word is the n-th word: letters only, as a number is looked for in another way.
func word(n uint64) string {
	letters := []byte("w")
	for n++; n > 0; n /= 20 {
		letters = append(letters, "bcdfghjklmnpqrstvxza"[n%20], "aeiou"[n%5])
	}
	return string(letters)
}

func roomOf(n int) platform.Room { return platform.Room{Platform: "bench", ID: fmt.Sprint(n)} }

func personOf(n int) platform.Person { return platform.Person{ID: fmt.Sprint("p", n), Name: "P"} }

func nameOf(n int) string { return "bench/" + personOf(n).ID }

func (k *talk) facts(ctx context.Context, s *store.Store) error {
	for first := 0; first < facts; first += batch {
		err := s.In(ctx, func(tx store.Tx) error {
			for n := first; n < min(first+batch, facts); n++ {
				if _, err := tx.AddFact(ctx, nameOf(n/factsOfEach), fmt.Sprint("fact ", n), store.Fact{Kind: "fact", Text: k.sentence(10)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *talk) episodes(ctx context.Context, s *store.Store, all int) error {
	for first := 0; first < all; first += batch {
		err := s.In(ctx, func(tx store.Tx) error {
			for n := first; n < min(first+batch, all); n++ {
				who := 0
				if n%10 != 0 {
					who = k.random.IntN(talkers)
				}
				at := int64(n)
				e := store.Episode{
					Session: roomOf(who).String(), Direct: true, First: -at - 1, Last: -at - 1, Messages: 8,
					Title: k.sentence(8), Summary: k.sentence(60), People: []string{nameOf(who)},
					Began: time.Now(), Ended: time.Now(),
				}
				if err := tx.AddEpisode(ctx, e, k.sentence(100)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// exchanges are those of the room, of which the older half is folded.
func (k *talk) exchanges(ctx context.Context, s *store.Store) error {
	var folded int64
	for n := range exchanges {
		m := platform.Message{Room: roomOf(0), ID: fmt.Sprint(n), Author: personOf(0), Direct: true, At: time.Now(), Text: k.sentence(30)}
		received, err := s.Receive(ctx, m, true)
		if err != nil {
			return err
		}
		t, err := s.Turn(ctx, received.Turn)
		if err != nil {
			return err
		}
		t.Shown = k.sentence(60)
		if err := errors.Join(s.SaveReply(ctx, t, store.Reply{}), s.Settle(ctx, t, nil)); err != nil {
			return err
		}
		if n == exchanges-40 {
			folded = t.Number
		}
	}
	return s.SaveSummary(ctx, roomOf(0).String(), store.Summary{}, store.Summary{Until: folded, Text: k.sentence(300)})
}
