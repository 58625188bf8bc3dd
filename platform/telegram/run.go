package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/asidehq/aside/platform"
)

// A fatal error is one that a person must mend.
type fatal string

func (f fatal) Error() string { return string(f) }

const (
	pollTime = 50 * time.Second // how long Telegram may wait for something to happen
	pollMore = 15 * time.Second // for its answer, after that
)

// Run implements platform.Platform.
func (t *Telegram) Run(ctx context.Context, inbox platform.Inbox) error {
	if err := t.marks.load(ctx); err != nil {
		return err
	}
	err := t.begin(ctx)
	if err == nil {
		t.register(ctx)
		if t.options.WebhookURL != "" {
			err = t.serve(ctx, inbox)
		} else {
			err = t.poll(ctx, inbox)
		}
	}
	t.save(ctx)
	var stop fatal
	if errors.As(err, &stop) {
		return stop
	}
	return nil // the context has ended
}

// begin finds out who the bot is, and says how updates are to come, until there is an
// answer. A wrong token is found out here.
func (t *Telegram) begin(ctx context.Context) error {
	for tries := 0; ; tries++ {
		var self user
		err := t.call(ctx, "getMe", params{}, &self)
		if err == nil && self.ID != 0 {
			t.know(self)
			if t.options.WebhookURL != "" {
				// One at a time, so that they come in their order.
				err = t.call(ctx, "setWebhook", params{
					"url": t.options.WebhookURL, "secret_token": t.options.WebhookSecret, "allowed_updates": heard, "max_connections": 1,
				}, nil)
			} else {
				err = t.call(ctx, "deleteWebhook", params{}, nil)
			}
			if err == nil {
				t.log.Info("connected to Telegram", "bot", self.Username)
				return nil
			}
		}
		if err := t.again(ctx, err, tries); err != nil {
			return err
		}
	}
}

// again waits before something is tried again, or says that there is no use in it.
func (t *Telegram) again(ctx context.Context, err error, tries int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var p *platform.Problem
	if !errors.As(err, &p) {
		p = &platform.Problem{Outcome: platform.Failed, Reason: "Telegram's answer could not be read"}
	}
	var r *refusal
	errors.As(err, &r)
	switch {
	case r != nil && r.code == http.StatusConflict:
		t.log.Warn("another program asks Telegram for this bot's updates: stop it, or give it a bot of its own")
		return t.wait(ctx, max(backoff(tries), 5*time.Second))
	case p.Outcome == platform.Refused:
		return fatal(p.Reason)
	}
	t.log.Warn("Telegram cannot be asked for updates", "reason", p.Reason)
	return t.wait(ctx, max(backoff(tries), p.RetryAfter))
}

// backoff is how long to wait after some tries.
func backoff(tries int) time.Duration {
	return min(time.Second<<min(tries, 6), time.Minute)
}

// poll asks for updates until the context ends. What it asks for next tells Telegram that
// everything before it was received.
func (t *Telegram) poll(ctx context.Context, inbox platform.Inbox) error {
	offset := t.marks.offset(t.now())
	var open album // that may have more parts
	for tries := 0; ; {
		wait := pollTime
		if open.id != "" {
			if err := t.wait(ctx, albumTime); err != nil {
				return err
			}
			wait = 0
		}
		in := params{"timeout": int(wait.Seconds()), "allowed_updates": heard}
		if offset != 0 {
			in["offset"] = offset
		}
		began := t.now()
		var batch []json.RawMessage
		if err := t.callFor(ctx, wait+pollMore, "getUpdates", in, &batch); err != nil {
			if err := t.again(ctx, err, tries); err != nil {
				return err
			}
			tries++
			continue
		}
		tries = 0
		next, more, err := t.batch(ctx, inbox, batch, open)
		if next != 0 {
			offset = next
			t.marks.reach(offset, t.now())
			t.save(ctx)
		}
		if err != nil {
			return err
		}
		if open = more; next == 0 && len(batch) > 0 && more.id == "" {
			// Nobody can say that these were received: they have no numbers.
			t.log.Error("Telegram sends updates that cannot be read", "count", len(batch))
			if err := t.wait(ctx, time.Minute); err != nil {
				return err
			}
		}
		if len(batch) == 0 {
			offset = t.marks.offset(t.now())
			if wait > 0 && t.now().Sub(began) < time.Second { // not every server waits as it is asked to
				if err := t.wait(ctx, time.Second); err != nil {
					return err
				}
			}
		}
	}
}

// batch hands updates over, in order, and returns what to ask for next, 0 if that stays as
// it is. Where a batch ends with an album of which there may be more, it stops before it
// and says so.
func (t *Telegram) batch(ctx context.Context, inbox platform.Inbox, raw []json.RawMessage, seen album) (next int, more album, err error) {
	all := make([]*update, len(raw))
	ids := make([]int, len(raw))
	for i, data := range raw {
		all[i] = &update{}
		if err := decode(data, all[i]); err != nil {
			t.log.Error("an update of Telegram cannot be read and is passed over", "error", err)
			all[i] = &update{}
			_ = json.Unmarshal(data, &struct { // its number may still be there
				ID *int `json:"update_id"`
			}{&all[i].ID})
		}
		ids[i] = all[i].ID
	}
	held := 0 // up to here nothing counts as received before all of it does
	for i, u := range all {
		var parts []*message
		if u != nil && albumOf(u).id != "" {
			a := albumOf(u)
			last := i
			for j := i; j < len(all); j++ {
				if all[j] != nil && albumOf(all[j]).same(a) {
					parts, last = append(parts, all[j].Message), j
				}
			}
			a.parts = len(parts)
			if last == len(all)-1 && seen != a {
				return next, a, nil
			}
			for j := i + 1; j <= last; j++ {
				if all[j] != nil && albumOf(all[j]).same(a) {
					all[j] = nil
				}
			}
			held = max(held, last)
		}
		if u != nil && !t.handle(ctx, inbox, u, parts) {
			return next, album{}, ctx.Err()
		}
		if i >= held && ids[i] != 0 {
			next = slices.Max(ids[:i+1]) + 1
		}
	}
	return next, album{}, nil
}
