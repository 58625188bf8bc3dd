package queue

import (
	"context"

	"github.com/asidehq/aside/internal/store"
)

// Open opens an errand, once for each key, and sees to it that it is worked on. It returns
// its turn. Whoever opens one in a transaction of their own (store.Tx.Open) calls Await
// instead when that has ended.
//
// A session that another one waits for begins at once, however many run: the places may all
// be taken by those who wait.
func (q *Queue) Open(ctx context.Context, e store.Errand) (turn int64, err error) {
	err = q.Enqueue(func(claim bool) (string, bool, error) {
		o, err := q.store.OpenErrand(ctx, e, claim || store.IsSpawned(e.In()))
		turn = o.Turn
		return e.In(), o.Mine, err
	})
	return turn, err
}
