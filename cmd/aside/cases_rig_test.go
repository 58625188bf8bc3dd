package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

// A rig is everything that run puts together, in this process: the engine, a store, the
// adapter at a Discord for tests, the web page, and a model that says what a test wants.
// Starting the program for each of hundreds of cases would take too long.
type rig struct {
	t       *testing.T
	ctx     context.Context
	discord *discordtest.Server
	config  *config.Config
	model   *script

	// Of the engine that runs now.
	store *store.Store
	inbox *inbox.Inbox
	end   func(patience time.Duration)

	people map[string]*discordtest.User

	mu      sync.Mutex
	flows   map[string]string  // that messages are said to belong to, by the case they name
	turns   map[string][]int64 // by message
	settled []store.Turn       // that were the last ones of their message
	changed chan struct{}      // closed and replaced with each of them
}

// newRig starts everything.
func newRig(t *testing.T) *rig {
	t.Helper()
	r := prepareRig(t)
	r.start(nil)
	t.Cleanup(func() { r.end(10 * time.Second) })
	return r
}

// prepareRig is newRig without an engine.
func prepareRig(t *testing.T) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	t.Cleanup(cancel)
	r := &rig{
		t: t, ctx: ctx, discord: discordtest.New(t), model: &script{},
		people: map[string]*discordtest.User{}, flows: map[string]string{}, turns: map[string][]int64{}, changed: make(chan struct{}),
	}
	text := fmt.Sprintf(`data: %s
models:
  chat: {provider: openai, model: test, base_url: http://127.0.0.1:9, api_key: none}
platforms:
  discord: {token: %s, api_url: %s, gateway_url: %s}
reactions: {marks: false}
groups: {debounce: 0s}
actions:
  categories: {moderation: true, voice: true}
`, storetest.Dir(t), discordtest.Token, r.discord.APIURL(), r.discord.GatewayURL())
	c, err := config.Parse("aside.yaml", []byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	r.config = c
	return r
}

// start starts an engine on the rig's data. around is put around each action; nil is
// nothing.
func (r *rig) start(around func(action.Runner) action.Runner) {
	r.t.Helper()
	log := slog.New(slog.DiscardHandler)
	ctx, quit := context.WithCancel(context.WithoutCancel(r.ctx))
	s, err := openStore(ctx, r.config, wait)
	if err != nil {
		r.t.Fatal(err)
	}
	platforms, err := newPlatforms(r.config, s, log)
	if err != nil {
		r.t.Fatal(err)
	}
	page, err := web.New(web.Options{Log: store.Web{Store: s}, Listen: "127.0.0.1:0", Logger: log})
	if err != nil {
		r.t.Fatal(err)
	}
	platforms = append(platforms, page)
	byName := map[string]platform.Platform{}
	for _, p := range platforms {
		byName[p.Name()] = p
	}
	out := &outbox.Outbox{Store: s, Platforms: byName, MaxAge: r.config.Deliver.MaxAge, Now: time.Now, Wait: wait}
	models, err := newModels(r.config, nil, nil, log)
	if err != nil {
		r.t.Fatal(err)
	}
	engine, err := newEngine(r.config, s, models, out, newErrands(r.config, s, log), newMetrics(s), log)
	if err != nil {
		r.t.Fatal(err)
	}
	engine.Model = r.model
	if around != nil {
		engine.Registry = r.surround(engine.Registry, around)
	}
	jobs := queue.New(s, queue.Options{Parallel: 200, Logger: log, Step: r.step(engine), Begin: engine.Begin})
	if err := jobs.Start(ctx); err != nil {
		r.t.Fatal(err)
	}
	r.store = s
	r.inbox = &inbox.Inbox{Store: s, Queue: jobs, Rules: rules(r.config), Now: time.Now, Stop: stopper(ctx, s, engine, log)}
	before, _ := r.discord.Starts()
	received := receive(ctx, platforms, r.inbox, jobs, quit)
	r.end = func(patience time.Duration) {
		stopping, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err := jobs.Stop(stopping)
		quit()
		if err := errors.Join(err, received(), s.Close()); err != nil {
			r.t.Errorf("the rig did not stop: %v", err)
		}
		engine.Folder.Stop()
	}
	if err := r.discord.Identified(r.ctx, before+1); err != nil {
		r.t.Fatalf("nobody connects to Discord: %v", err)
	}
	if err := r.discord.Connected(r.ctx); err != nil {
		r.t.Fatalf("nobody is connected to Discord: %v", err)
	}
}

func (r *rig) surround(registry *action.Registry, around func(action.Runner) action.Runner) *action.Registry {
	var specs []*action.Spec
	for _, s := range registry.Specs() {
		specs = append(specs, s.Around(around))
	}
	wrapped, err := action.NewRegistry(specs...)
	if err != nil {
		r.t.Fatal(err)
	}
	return wrapped
}

// step is the engine's, and takes notes.
func (r *rig) step(e *turn.Engine) func(context.Context, *store.Turn) error {
	return func(ctx context.Context, t *store.Turn) error {
		r.mu.Lock()
		if flow := r.flows[caseName.FindString(t.Message.Text)]; flow != "" && t.Follows == 0 {
			t.Flow = flow
		}
		if !slices.Contains(r.turns[t.Message.ID], t.ID) {
			r.turns[t.Message.ID] = append(r.turns[t.Message.ID], t.ID)
		}
		r.mu.Unlock()
		err := e.Step(ctx, t)
		if err == nil && t.Stage == store.Settled && t.Complete {
			r.mu.Lock()
			r.settled = append(r.settled, *t)
			close(r.changed)
			r.changed = make(chan struct{})
			r.mu.Unlock()
		}
		return err
	}
}

// settle waits until a message of a kind is settled, and returns its id.
func (r *rig) settle(t *testing.T, what string, of func(platform.Message) bool) string {
	t.Helper()
	for {
		r.mu.Lock()
		changed := r.changed
		for _, s := range slices.Backward(r.settled) {
			if of(s.Message) {
				r.mu.Unlock()
				return s.Message.ID
			}
		}
		r.mu.Unlock()
		select {
		case <-changed:
		case <-r.ctx.Done():
			t.Fatalf("%s is not settled", what)
		}
	}
}

// settleMessage waits until everything that follows from a message is done.
func (r *rig) settleMessage(t *testing.T, id string) {
	t.Helper()
	r.settle(t, "message "+id, func(m platform.Message) bool { return m.ID == id })
}

// ask has somebody ask the agent, who replies with this, and waits for what follows.
func (r *rig) ask(t *testing.T, who *discordtest.User, in *discordtest.Channel, reply string) (message string) {
	t.Helper()
	message = r.write(who, in, reply)
	r.settleMessage(t, message)
	return message
}

// write is ask without waiting.
func (r *rig) write(who *discordtest.User, in *discordtest.Channel, reply string) (message string) {
	return r.discord.Write(who, in, "<@"+r.discord.Bot().ID+"> please: "+r.model.will(reply))
}

// askIn is ask as if another flow than a message had asked.
func (r *rig) askIn(t *testing.T, flow action.Flow, who *discordtest.User, in *discordtest.Channel, reply string) (message string) {
	t.Helper()
	name := r.model.will(reply)
	r.mu.Lock()
	r.flows[name] = string(flow)
	r.mu.Unlock()
	message = r.discord.Write(who, in, "<@"+r.discord.Bot().ID+"> please: "+name)
	r.settleMessage(t, message)
	return message
}

// confirm has somebody say /confirm, and waits for what follows.
func (r *rig) confirm(t *testing.T, who *discordtest.User, in *discordtest.Channel) (message string) {
	t.Helper()
	message = r.discord.Invoke(who, in, "confirm", nil)
	r.settleMessage(t, message)
	return message
}

// react has somebody react to a post, and waits for what follows.
func (r *rig) react(t *testing.T, who *discordtest.User, in *discordtest.Channel, post, emoji string) (message string) {
	t.Helper()
	r.discord.React(who, in, post, emoji)
	return r.settle(t, "the reaction "+emoji, func(m platform.Message) bool {
		return m.Reaction != nil && m.ReplyTo == post && m.Reaction.Emoji == emoji && m.Author.ID == who.ID
	})
}

// ledger are the actions that followed from messages.
func (r *rig) ledger(t *testing.T, messages ...string) []store.Action {
	t.Helper()
	var all []store.Action
	for _, id := range r.turnsOf(messages...) {
		actions, err := r.store.Actions(r.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, actions...)
	}
	return all
}

func (r *rig) turnsOf(messages ...string) []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []int64
	for _, m := range messages {
		all = append(all, r.turns[m]...)
	}
	return all
}

// said are the ids and texts of the replies to messages. What actions have posted is none.
func (r *rig) said(t *testing.T, messages ...string) (ids []string, text string) {
	t.Helper()
	seen := map[string]bool{}
	for _, id := range r.turnsOf(messages...) {
		posts, err := r.store.Posts(r.ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range posts {
			if strings.Contains(p.Key, "-post-") && !seen[p.Key] {
				seen[p.Key] = true
				ids = append(ids, p.PostID)
				text += p.Text + "\n"
			}
		}
	}
	return ids, text
}

// requests is how many requests Discord has had.
func (r *rig) requests() int { return len(r.discord.AllRequests()) }

// requestsSince are the requests since there were so many, without those that answering
// in a room takes.
func (r *rig) requestsSince(n int, room *discordtest.Channel) []string {
	var all []string
	for _, q := range r.discord.AllRequests()[n:] {
		answers := strings.HasSuffix(q.Path, "/typing") || q.Path == "/channels/"+room.ID+"/messages" && q.Method == "POST" ||
			strings.HasPrefix(q.Path, "/channels/"+room.ID+"/messages/") && q.Method == "PATCH"
		if !answers {
			all = append(all, q.Method+" "+q.Path)
		}
	}
	return all
}
