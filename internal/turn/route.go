package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/output"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// The reply in an errand can be a list of texts, each for a room: [{"channel": …,
// "content": …}]. What cannot be brought to its room is said in the errand's own, and so is
// what came of its actions. Nothing that was written is lost.

// mostRoutes is how many texts a reply may have.
const mostRoutes = 20

// A route is a text for a room.
type route struct {
	channel, content string
}

// routes tells whether the reply of a turn is such a list.
func routes(t *store.Turn) bool { return t.Brief != nil && t.Brief.Routing == "json" }

// route has the texts of a reply stored as posts for their rooms.
func (e *Engine) route(ctx context.Context, t *store.Turn, report string, save func([]store.Post) error) error {
	all, ok := readRoutes(t.Shown)
	var posts []store.Post
	var home []string // what is said in the errand's own room
	for i, r := range all {
		room, why := e.routeTo(ctx, t, r, i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if why != "" {
			home = append(home, notRouted(r.channel, why, r.content))
			continue
		}
		posts = append(posts, e.cut(t, room, r.content, func(part int) string { return routeKey(t.ID, i, part) })...)
	}
	if text := strings.TrimSpace(t.Shown); !ok || len(all) > 0 && len(home) == len(all) {
		home = []string{text}
		if t.Follows > 0 && trivial(text) {
			home = nil
		}
	}
	if len(home) > 0 {
		t.Output, t.OutputWhy = string(output.Error), "not every text could be brought to its room"
	}
	posts = append(posts, e.cut(t, t.Message.Room, joined(append(home, report)), func(part int) string { return postKey(t.ID, part) })...)
	return save(posts)
}

// routeTo is the room that a text is for, or why it cannot be brought there: what holds for
// the action sendMessage holds here.
func (e *Engine) routeTo(ctx context.Context, t *store.Turn, r route, n int) (room platform.Room, why string) {
	here := t.Message.Room
	if n >= mostRoutes {
		return here, fmt.Sprintf("a reply can have at most %d texts", mostRoutes)
	}
	if why := e.Decider().mayNot(ctx, t, action.Args{Room: r.channel}, action.Right(platform.SendMessages)); why != "" {
		return here, why
	}
	call := action.Call{Platform: here.Platform, Room: here.ID}
	room, err := venue.Room(ctx, e.Outbox, call, action.Room(r.channel))
	if err != nil {
		return here, venue.Reason(err)
	}
	if room == here || e.Allowed == nil {
		return room, ""
	}
	info, err := venue.Info(ctx, e.Outbox, call, action.Room(room.ID))
	if err != nil {
		return here, venue.Reason(err)
	}
	if !e.Allowed(platform.Message{Room: room, Parent: info.Parent}) {
		return here, "the agent is not to be talked to in that room"
	}
	return room, ""
}

// readRoutes reads a reply as a list of texts. It may stand in a fence.
func readRoutes(reply string) (all []route, ok bool) {
	text := strings.TrimSpace(reply)
	if text == "" {
		return nil, true
	}
	if inner, fenced := strings.CutPrefix(text, "```"); fenced {
		_, inner, _ = strings.Cut(inner, "\n") // behind the name of the language
		inner, closed := strings.CutSuffix(strings.TrimSpace(inner), "```")
		if !closed {
			return nil, false
		}
		text = inner
	}
	var entries []struct {
		Channel json.RawMessage `json:"channel"`
		Content *string         `json:"content"`
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	if decoder.Decode(&entries) != nil || entries == nil {
		return nil, false
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, false // something stands behind it
	}
	for _, entry := range entries {
		channel := ""
		if json.Unmarshal(entry.Channel, &channel) != nil { // an id may be a number
			channel = string(bytes.TrimSpace(entry.Channel))
		}
		if entry.Content == nil || strings.TrimSpace(channel) == "" || channel == "null" {
			return nil, false
		}
		if strings.TrimSpace(*entry.Content) != "" {
			all = append(all, route{strings.TrimSpace(channel), *entry.Content})
		}
	}
	return all, true
}

// notRouted is a text that could not be brought to its room.
func notRouted(channel, why, content string) string {
	return fmt.Sprintf("(For %s, but it could not be posted there: %s)\n%s", venue.Name(strings.Trim(channel, "<>")), why, content)
}

// routeKey is the key of a part of the n-th text of a turn.
func routeKey(turn int64, n, part int) string {
	return fmt.Sprintf("turn-%d-route-%d-%d", turn, n, part)
}

// bringHome puts into the outbox, for the errand's own room, what other rooms have refused.
// It tells whether there is something to be delivered now.
func (e *Engine) bringHome(ctx context.Context, t *store.Turn) (more bool, err error) {
	posts, err := e.Store.Posts(ctx, t.ID)
	if err != nil {
		return false, err
	}
	prefix, home := fmt.Sprintf("turn-%d-route-", t.ID), fmt.Sprintf("turn-%d-home-", t.ID)
	sent, refused := 0, []string{}
	for _, p := range posts {
		switch {
		case strings.HasPrefix(p.Key, home):
			return false, nil // it was brought home before
		case !strings.HasPrefix(p.Key, prefix) || p.Room == t.Message.Room:
		case p.State == store.Dead:
			refused = append(refused, notRouted(p.Room.ID, p.Reason, p.Text))
		default:
			sent++
		}
	}
	if len(refused) == 0 {
		return false, nil
	}
	text := joined(refused)
	if sent == 0 {
		text = t.Shown
	}
	for _, p := range e.cut(t, t.Message.Room, text, func(part int) string { return fmt.Sprint(home, part) }) {
		if err := e.Store.AddPost(ctx, p, p.Attach...); err != nil {
			return false, err
		}
	}
	return true, nil
}
