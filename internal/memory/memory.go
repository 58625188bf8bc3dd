// Package memory keeps what an agent knows about people: facts, which belong to one person
// each and are shown to nobody else. It imports the store.
//
// Before changing it, know the three promises: what was just remembered is never what has to
// make room; nothing is merged unless nothing is lost by it; and what a person wants forgotten
// is deleted, not hidden.
package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/internal/store"
)

// A Memory is what is known about everybody.
type Memory struct {
	Store *store.Store
	Now   func() time.Time
}

var _ catalogue.Facts = (*Memory)(nil)

// mostFacts is how many facts about a person are remembered at a time.
const mostFacts = 200

// Remember keeps a fact about a person, once for each source. What says no more than one
// that is there is merged with it. If there are too many, the one of the least use makes room.
func (m *Memory) Remember(ctx context.Context, person, source, kind, text string) (k catalogue.Kept, err error) {
	text = strings.Join(strings.Fields(text), " ")
	err = m.Store.In(ctx, func(tx store.Tx) error {
		k = catalogue.Kept{}
		facts, err := tx.FactsOf(ctx, person)
		if err != nil {
			return err
		}
		if earlier, err := tx.FactOf(ctx, source); err != nil || earlier != nil {
			if err == nil {
				k.Text = earlier.Text
			}
			return err
		}
		if same, merged := duplicate(facts, text); same != nil {
			k.Text, k.Merged = merged, same.Text
			same.Text, same.Kind = merged, kind
			return tx.RewordFact(ctx, *same, source)
		}
		fresh, err := tx.AddFact(ctx, person, source, store.Fact{Kind: kind, Text: text})
		if err != nil {
			return err
		}
		k.Text = fresh.Text
		if len(facts) < mostFacts {
			return nil
		}
		least := slices.MinFunc(facts, lessUse)
		k.Retired = least.Text
		return tx.RetireFact(ctx, least.ID)
	})
	if err != nil {
		return catalogue.Kept{}, fmt.Errorf("remember: %w", err)
	}
	return k, nil
}

// lessUse orders facts by how much use they were: how often, how lately, how old.
func lessUse(a, b store.Fact) int {
	if a.Hits != b.Hits {
		return a.Hits - b.Hits
	}
	if c := a.Used.Compare(b.Used); c != 0 {
		return c
	}
	return a.Created.Compare(b.Created)
}

// Forget deletes what is remembered about a person and contains a text, and returns it. All
// of it if the text is "".
func (m *Memory) Forget(ctx context.Context, person, substring string) (gone []string, err error) {
	err = m.Store.In(ctx, func(tx store.Tx) error {
		gone = nil
		facts, err := tx.EveryFactOf(ctx, person)
		if err != nil {
			return err
		}
		for _, f := range facts {
			if !contains(f.Text, substring) {
				continue
			}
			if err := tx.DeleteFact(ctx, f.ID); err != nil {
				return err
			}
			gone = append(gone, f.Text)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("forget: %w", err)
	}
	return gone, nil
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimSpace(part)))
}

// Correct replaces the one fact about a person that old names, by its text or a part of it.
func (m *Memory) Correct(ctx context.Context, person, source, old, text string) (was string, err error) {
	text = strings.Join(strings.Fields(text), " ")
	err = m.Store.In(ctx, func(tx store.Tx) error {
		facts, err := tx.FactsOf(ctx, person)
		if err != nil {
			return err
		}
		if earlier, err := tx.FactOf(ctx, source); err != nil || earlier != nil {
			was = old
			return err
		}
		named := naming(facts, old)
		switch len(named) {
		case 0:
			return catalogue.ErrNoFact
		case 1:
			was = named[0].Text
			named[0].Text = text
			return tx.RewordFact(ctx, named[0], source)
		}
		var texts []string
		for _, f := range named {
			texts = append(texts, f.Text)
		}
		return &catalogue.Several{Texts: texts}
	})
	var several *catalogue.Several
	switch {
	case errors.Is(err, catalogue.ErrNoFact), errors.As(err, &several):
		return "", err
	case err != nil:
		return "", fmt.Errorf("correct: %w", err)
	}
	return was, nil
}

// naming are the facts that a text names: the one that is the text, or those that it is a
// part of, or those that say the same in other words.
func naming(facts []store.Fact, text string) []store.Fact {
	for _, is := range []func(store.Fact) bool{
		func(f store.Fact) bool { return strings.EqualFold(f.Text, strings.TrimSpace(text)) },
		func(f store.Fact) bool { return contains(f.Text, text) },
		func(f store.Fact) bool { _, same := merge(f.Text, text); return same },
	} {
		if named := slices.DeleteFunc(slices.Clone(facts), func(f store.Fact) bool { return !is(f) }); len(named) > 0 {
			return named
		}
	}
	return nil
}

// Recall returns what is remembered about a person, oldest first.
func (m *Memory) Recall(ctx context.Context, person string) ([]string, error) {
	facts, err := m.Store.Facts(ctx, person)
	var all []string
	for _, f := range facts {
		all = append(all, f.Text)
	}
	return all, err
}
