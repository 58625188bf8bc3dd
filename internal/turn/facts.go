package turn

import (
	"context"

	"github.com/asidehq/aside/internal/store"
)

// Facts is the store as the memory's actions need it.
type Facts struct{ Store *store.Store }

// Remember keeps a fact, once for each source.
func (f Facts) Remember(ctx context.Context, person, source, kind, text string) error {
	return f.Store.In(ctx, func(tx store.Tx) error {
		return tx.AddFact(ctx, person, source, store.Fact{Kind: kind, Text: text})
	})
}

// Recall returns what is kept about a person, oldest first.
func (f Facts) Recall(ctx context.Context, person string) ([]string, error) {
	facts, err := f.Store.Facts(ctx, person)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, fact := range facts {
		all = append(all, fact.Text)
	}
	return all, nil
}
