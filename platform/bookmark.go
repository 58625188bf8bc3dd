package platform

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Bookmark keeps some bytes for an adapter across restarts: how far messages have been
// handled, and whatever else a platform does not tell.
type Bookmark interface {
	Load(ctx context.Context) ([]byte, error) // nil if there is none
	Save(ctx context.Context, data []byte) error
}

// ReadBookmark reads what WriteBookmark wrote. Where there is nothing, or no bookmark, and
// when it fails, kept stays as it is.
func ReadBookmark[K any](ctx context.Context, b Bookmark, kept *K) error {
	if b == nil {
		return nil
	}
	data, err := b.Load(ctx)
	if err != nil || data == nil {
		return err
	}
	var k K
	if err := json.Unmarshal(data, &k); err != nil {
		return fmt.Errorf("read the bookmark: %w", err)
	}
	*kept = k
	return nil
}

// WriteBookmark keeps something in a bookmark, if there is one.
func WriteBookmark[K any](ctx context.Context, b Bookmark, kept K) error {
	if b == nil {
		return nil
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return b.Save(ctx, data)
}
