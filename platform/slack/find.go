package slack

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/asidehq/aside/platform"
)

const (
	// trusted is how old a post may be that only this process can have tried. Another
	// one's is taken over after more than that.
	trusted = 5 * time.Second

	// sharing is how long Slack may take to show files that it was asked to share.
	sharing = time.Minute

	clocks     = time.Minute      // by which our clock and Slack's may differ
	unsaidAge  = 10 * time.Minute // how far back to look for a post of nobody knows when
	pageSize   = 200              // messages in an answer
	mostLookup = 10               // answers to look through
)

// mayBeThere tells whether another process may have made a post of that age.
func (s *Slack) mayBeThere(created time.Time) bool {
	return created.IsZero() || created.Before(s.started) || s.now().Sub(created) > trusted
}

// find looks for a post among the messages of its room: by its key, or, with files, which
// cannot carry one, by what they are called and how large they are.
func (s *Slack) find(ctx context.Context, at place, post platform.Post, before try) (string, error) {
	if len(before.files) > 0 {
		id, err := s.shared(ctx, at, before.files)
		if err == nil && id == "" && s.now().Sub(before.since) <= sharing {
			return "", errNotShown
		}
		return id, err // or Slack has dropped them, as it sometimes does
	}
	since := post.Created
	if since.IsZero() {
		since = s.now().Add(-unsaidAge)
	}
	me, err := s.me(ctx)
	if err != nil {
		return "", err
	}
	found := ""
	err = s.messages(ctx, at, stamp(since.Add(-clocks)), mostLookup, func(m *event) bool {
		switch {
		case !me.own(m.User, m.BotID):
		case len(post.Files) == 0 && m.Metadata.key() == post.Key:
			found = m.TS
		case len(post.Files) > 0 && sameFiles(m.Files, post.Files) && !s.sent.knows(m.TS):
			found = m.TS
		}
		return found == ""
	})
	return found, err
}

func sameFiles(there []file, wanted []platform.File) bool {
	return slices.EqualFunc(there, wanted, func(a file, b platform.File) bool { return a.Name == b.Name && a.Size == int64(len(b.Data)) })
}

// messages gives what stands in a room since a time to each, until that says no: at the
// top level newest first, in a thread oldest first.
func (s *Slack) messages(ctx context.Context, at place, oldest string, pages int, each func(*event) bool) error {
	method, values := at.reading()
	values.Set("oldest", oldest)
	values.Set("limit", strconv.Itoa(pageSize))
	values.Set("include_all_metadata", "true")
	for range pages {
		var page struct {
			Messages []event `json:"messages"`
			cursor
		}
		if err := s.call(ctx, method, values, &page); err != nil {
			return err
		}
		for i := range page.Messages {
			page.Messages[i].Channel = at.channel
			if !each(&page.Messages[i]) {
				return nil
			}
		}
		if page.Metadata.Next == "" {
			return nil
		}
		values.Set("cursor", page.Metadata.Next)
	}
	return errMore
}

// errMore is the end of patience, not of the messages.
var errMore = &platform.Problem{Outcome: platform.Failed, Reason: "there are too many messages on Slack to look through"}

// reading is the method that reads a room.
func (p place) reading() (string, url.Values) {
	if p.thread != "" {
		return "conversations.replies", url.Values{"channel": {p.channel}, "ts": {p.thread}}
	}
	return "conversations.history", url.Values{"channel": {p.channel}}
}

// cursor is where a list goes on.
type cursor struct {
	Metadata struct {
		Next string `json:"next_cursor"`
	} `json:"response_metadata"`
}
