package discord

import (
	"context"
	"math"
	"time"

	"github.com/asidehq/aside/platform"
)

type poll struct {
	Question media        `json:"question"`
	Answers  []pollAnswer `json:"answers"`
	Hours    int          `json:"duration"`
	Several  bool         `json:"allow_multiselect"`
}

type media struct {
	Text string `json:"text"`
}

type pollAnswer struct {
	Media media `json:"poll_media"`
}

// Poll implements platform.Pollster. The key does what it does for a post, but a poll is
// not looked for in the history: it has no text.
func (d *Discord) Poll(ctx context.Context, p platform.Poll) platform.Receipt {
	in, err := parse("room", p.Room.ID)
	if err != nil {
		return receipt("", err)
	}
	body := &poll{Question: media{p.Question}, Several: p.Several, Hours: min(max(int(math.Ceil(p.For.Hours())), 1), 768)}
	if p.For == 0 {
		body.Hours = 24
	}
	for _, a := range p.Answers {
		body.Answers = append(body.Answers, pollAnswer{media{a}})
	}
	return d.create(ctx, in, draft{Nonce: nonceOf(p.Room.ID, p.Key), Enforce: true, Poll: body}, time.Time{})
}
