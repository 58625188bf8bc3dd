package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// What the scenes at Discord, Telegram and Slack have in common is here.

// A sceneTurn is a turn as the API tells of it.
type sceneTurn struct {
	Room, Message, State, Flow, Reply, Shown string
	Actions                                  []struct{ Dialect, Type, Outcome, Summary string }
}

// connect configures a platform, as it stands below "platforms:", and a model. more are
// further lines of the configuration.
func (v *victim) connect(model, platform, more string) {
	v.t.Helper()
	groups := ""
	if !strings.Contains(more, "groups:") {
		groups = "groups: {debounce: 0s}\n" // nobody here says one thing in several messages
	}
	text := groups + fmt.Sprintf("data: %s\nlisten: %s\nmodels:\n  chat: {provider: openai, model: test, base_url: %s, api_key: none}\n"+
		"platforms:\n  %s\n%s", v.data, strings.TrimPrefix(v.url, "http://"), model, platform, more)
	if err := os.WriteFile(v.config, []byte(text), 0o600); err != nil {
		v.t.Fatal(err)
	}
}

// turnsIn are the latest turns of a room, oldest first.
func (v *victim) turnsIn(room string) []sceneTurn {
	v.t.Helper()
	var page struct{ Turns []sceneTurn }
	body := v.get("/api/v1/turns?limit=100&room=" + room)
	if err := json.Unmarshal([]byte(body), &page); err != nil {
		v.t.Fatalf("the turns are %q\n%s", body, v.output.String())
	}
	slices.Reverse(page.Turns)
	return page.Turns
}

// settleIn waits until there are turns of a kind in a room, and all are settled.
func (v *victim) settleIn(room string, of func(sceneTurn) bool) []sceneTurn {
	v.t.Helper()
	var all []sceneTurn
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(25 * time.Millisecond) {
		all = slices.DeleteFunc(v.turnsIn(room), func(t sceneTurn) bool { return !of(t) })
		if len(all) > 0 && !slices.ContainsFunc(all, func(t sceneTurn) bool { return t.State != "settled" }) {
			return all
		}
	}
	v.t.Fatalf("the turns in %s are not settled: %+v\n%s", room, all, v.output.String())
	return nil
}

// settleMessage waits until a message has turns and all of them are settled. It asks for
// these alone: a room in which much was said takes long to list.
func (v *victim) settleMessage(room, message string) []sceneTurn {
	v.t.Helper()
	on, _, _ := strings.Cut(room, "/")
	path := "/api/v1/turns?" + url.Values{"platform": {on}, "message": {message}}.Encode()
	var all []sceneTurn
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var page struct{ Turns []sceneTurn }
		body := v.get(path)
		if err := json.Unmarshal([]byte(body), &page); err != nil {
			v.t.Fatalf("the turns of message %s are %q\n%s", message, body, v.output.String())
		}
		all = slices.DeleteFunc(page.Turns, func(t sceneTurn) bool { return t.Room != room || t.Message != message })
		if len(all) > 0 && !slices.ContainsFunc(all, func(t sceneTurn) bool { return t.State != "settled" }) {
			return all
		}
	}
	v.t.Fatalf("message %s in %s is not settled: %+v\n%s", message, room, all, v.output.String())
	return nil
}

// streamUntil sends a part of a reply, and dots behind it until something is true: what is
// shown is looked at again only when more comes. until is the platform's.
func streamUntil(ctx context.Context, w http.ResponseWriter, part string, until func(context.Context, func() bool) error, is func() bool) {
	stream(w, part)
	for !is() && ctx.Err() == nil {
		stream(w, ".")
		moment, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		_ = until(moment, is)
		cancel()
	}
}
