package turn

import (
	"context"
	"sync"
)

// The judge is asked about a message when its turn comes, after the answer before it is
// finished. Somebody who wants that answer to stop must not wait so long: while a session is
// at work, the judge is asked about a new message at once, and only STOP counts.

// A Heeder asks the judge beside the turns.
type Heeder struct {
	Engine *Engine

	// Stop cancels the running turn of a session if it comes before another one.
	Stop func(session string, before int64)

	asking sync.WaitGroup
	mu     sync.Mutex
	now    int // how many are being asked about
}

// mostHeeded is how many messages are asked about at a time. One more waits for its turn,
// like all others.
const mostHeeded = 8

// Heed asks about the message of a turn while its session is at work.
func (h *Heeder) Heed(ctx context.Context, turn int64) {
	if h.Engine.Judge == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == mostHeeded {
		return
	}
	h.now++
	h.asking.Go(func() {
		defer func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.now--
		}()
		if err := h.heed(ctx, turn); err != nil && ctx.Err() == nil {
			h.Engine.Logger.WarnContext(ctx, "nobody could judge at once whether the agent is to stop", "turn", turn, "error", err)
		}
	})
}

// Wait waits for what is being asked.
func (h *Heeder) Wait() { h.asking.Wait() }

func (h *Heeder) heed(ctx context.Context, turn int64) error {
	t, err := h.Engine.Store.Turn(ctx, turn)
	if err != nil || t == nil || !h.Engine.isJudged(t) {
		return err
	}
	prompt, err := h.Engine.Gatherer.Gather(ctx, t)
	if err != nil {
		return err
	}
	said, err := h.Engine.judge(ctx, prompt, busyNote)
	if err != nil || readVerdict(said) != stop {
		return err
	}
	h.Stop(t.Session, turn)
	return h.Engine.Store.PassOver(ctx, turn, judgedStop)
}
