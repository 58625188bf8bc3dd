package main

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/discord"
)

// pieces are what replies are made of: words, what looks like an instruction and is none,
// instructions in every dialect, instructions that are quoted as code, and backticks and
// tildes that begin or end code, or nothing.
var pieces = []string{
	"The release is on Friday. ", "See you then, ", "Here is what I found. ", "Ünïcödé wörks 👍🏽 too. ",
	"that holds as long as 3 < 5 ", "write to <grace@example.org> ", "a List<String> is enough ", "see [1] and [x] ", "use {braces} ", "make it <b>bold</b> ",
	"an <action> movie\n", "[SEARCHING far] ", "<actionable> ", "[the guide](https://example.com) ",
	"`<actions>` ", "`[SEARCH:x]` ", "``a ` b`` ", "\n```\n<discord-action>{\"type\":\"react\",\"emoji\":\"x\"}</discord-action>\n```\n",
	"\n```json\n{\"type\": \"react\"}\n```\n", "`<action>{\"type\":\"react\"}</action>` ",
	"\n\n", "\n", "- a list\n- of two\n", "> a quote\n\n",
	`<actions><react emoji="👍"/></actions>`, "<actions>\n  <react emoji=\"👀\" />\n</actions>\n", `<actions><react emoji="🎉"></react></actions>`,
	`<discord-action>{"type":"react","emoji":"✅"}</discord-action>`, `<action>{type: 'react', emoji: '👍'}</action>`,
	"<discord-action>\n```json\n{\"type\":\"react\",\"emoji\":\"👀\"}\n```\n</discord-action>",
	"[CALCULATE:2+2] ", "[REMEMBER:likes tea [green] most] ", "<think>They want to know. [SEARCH:no]</think>", "<thinking>\nhm <action>\n</thinking>",
	`<discord-action>{"type":"no such action","n":[1,{"a":"}"}]}</discord-action>`, `<discord-action>{"type":"react"`, `<discord-action>not JSON</discord-action>`,
	"<no-reply/>", "<actions><dance/></actions>", "<act", "[SEAR", "<", "[",
	"`", "``", "```", "~", "~~", "~~~", "`x`", "``x``", "`[SEARCH:x]`", "``[SEARCH:x]``", "\n```\n", "\n~~~\n", "```\n[SEARCH:x]\n```\n",
	"<discord-action>{\"type\":\n\n\"react\",\"emoji\":\"👀\"}</discord-action>", "\n<think>hm\n\nwell</think>",
}

// madeUp is a reply and how it is cut: the same for the same number.
func madeUp(n uint64) (chunks []string) {
	random := rand.New(rand.NewPCG(n, 4))
	var reply strings.Builder
	for range 1 + random.IntN(12) {
		reply.WriteString(pieces[random.IntN(len(pieces))])
	}
	if random.IntN(40) == 0 { // more than fits into one post
		for reply.Len() < 2500 {
			reply.WriteString(pieces[random.IntN(20)])
		}
	}
	rest := []rune(reply.String())
	most := 1 + len(rest)/(1+random.IntN(12)) // from everything at once to a few characters
	for len(rest) > 0 {
		cut := min(len(rest), 1+random.IntN(most))
		chunks = append(chunks, string(rest[:cut]))
		rest = rest[cut:]
	}
	return chunks
}

// An inventor is a model that answers the message "reply 7" with the reply that was made up
// for 7.
type inventor struct{}

var wanted = regexp.MustCompile(`reply (\d+)$`)

func (inventor) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		n, err := strconv.ParseUint(wanted.FindStringSubmatch(r.Messages[len(r.Messages)-1].Text)[1], 10, 64)
		if err != nil {
			yield(model.Delta{}, err)
			return
		}
		for _, chunk := range madeUp(n) {
			if ctx.Err() != nil || !yield(model.Delta{Text: chunk}, ctx.Err()) {
				return
			}
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

// A hasty clock is a minute further each time somebody looks at it, so that every chunk is
// shown, and nobody waits.
type hastyClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *hastyClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Minute)
	return c.now
}

// inProcess is the program's own wiring in this process, with another model and clock, until
// the test ends. Each turn that is settled is told of.
func inProcess(t *testing.T, s *scene, m model.Model, now func() time.Time) (settled <-chan struct{}) {
	t.Helper()
	path := configPath(s.config)
	c, err := path.load()
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(s.output, &slog.HandlerOptions{Level: slog.LevelWarn}))
	kept, err := openStore(s.ctx, c, wait)
	if err != nil {
		t.Fatal(err)
	}
	pass := func(ctx context.Context, d time.Duration) error {
		s.discord.Pass(d)
		return ctx.Err()
	}
	adapter, err := discord.New(discord.Options{
		Token: discordtest.Token, APIURL: s.discord.APIURL(), GatewayURL: s.discord.GatewayURL(),
		Bookmark: store.Bookmark{Store: kept, Name: "discord"}, Logger: log, Wait: pass,
	})
	if err != nil {
		t.Fatal(err)
	}
	out := &outbox.Outbox{
		Store: kept, Platforms: map[string]platform.Platform{"discord": adapter}, MaxAge: 100 * 365 * 24 * time.Hour, Now: time.Now, Wait: pass,
	}
	models, err := newModels(c, nil, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := newEngine(c, kept, models, out, newErrands(c, kept, log), nil, log)
	if err != nil {
		t.Fatal(err)
	}
	engine.Model, engine.Now = m, now
	engine.Every = func(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }
	tell := make(chan struct{})
	step := func(ctx context.Context, t *store.Turn) error {
		last := t.Stage == store.Acted
		err := engine.Step(ctx, t)
		if last && err == nil {
			select {
			case tell <- struct{}{}:
			case <-ctx.Done():
			}
		}
		return err
	}
	jobs := queue.New(kept, queue.Options{Parallel: c.Sessions.Parallel, Logger: log, Step: step, Begin: engine.Begin})
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.ctx))
	if err := jobs.Start(ctx); err != nil {
		t.Fatal(err)
	}
	incoming := &inbox.Inbox{Store: kept, Queue: jobs, Rules: rules(c), Now: time.Now, Stop: engine.Stop}
	received := receive(ctx, []platform.Platform{adapter}, incoming, jobs, cancel)
	t.Cleanup(func() {
		cancel()
		if err := received(); err != nil {
			t.Error(err)
		}
		if err := jobs.Stop(context.WithoutCancel(ctx)); err != nil {
			t.Error(err)
		}
		engine.Folder.Stop()
		kept.Close()
	})
	if err := s.discord.Identified(s.ctx, 1); err != nil {
		t.Fatal(err)
	}
	return tell
}

var discordReading = extract.Config{Dialects: extract.Everything &^ extract.Envelope}

// raw tells which instruction people could read in a text, "" if there is none.
func raw(text string) string {
	read := extract.Read(discordReading, []byte(text))
	for _, e := range slices.Concat(read.Actions, read.Controls) {
		return fmt.Sprintf("%s %q", e.Kind, e.Raw)
	}
	return ""
}

// promised is what people are to read of a reply. What is shown while it is written is the
// beginning of that, or else something was shown that had to be taken back: half a tag.
func promised(reply string) string {
	return strings.TrimSpace(turn.Again(context.Background(), discordReading, &turn.Decider{Registry: &action.Registry{}}, &store.Turn{Reply: reply}, nil).Shown)
}

func TestDiscordShowsNoRawMarkupAtAnyMoment(t *testing.T) {
	const rooms, each, longest = 100, 10, 1900 // what is longer is more than one post
	s := prepareScene(t, "actions: {followup_depth: 0}\nhistory: {tokens: 500}\nsessions: {parallel: 50}\n")
	d := s.discord
	clock := &hastyClock{now: time.Now()}
	settled := inProcess(t, s, inventor{}, clock.Now)
	var all []*discordtest.Channel
	questions := map[string]uint64{}
	for i := range uint64(rooms) {
		room := d.AddChannel(d.Guild, fmt.Sprintf("room-%d", i), discordtest.Text)
		all = append(all, room)
		for j := range uint64(each) {
			questions[d.Write(d.Ada, room, s.to(fmt.Sprintf("reply %d", i*each+j)))] = i*each + j
		}
	}
	for n := range rooms * each {
		select {
		case <-settled:
		case <-s.ctx.Done():
			t.Fatalf("%d of %d are settled\n%s", n, rooms*each, s.output.String())
		}
	}
	versions, grown, wrong := 0, 0, 0
	for _, room := range all {
		for _, m := range d.Everything(room) {
			if m.Author.ID != d.Bot().ID {
				continue
			}
			if len(m.Seen) > 2 {
				grown++
			}
			number, isFirst := uint64(0), m.Reference != nil
			if isFirst {
				number = questions[m.Reference.MessageID]
			}
			reply := strings.Join(madeUp(number), "")
			whole := promised(reply)
			for i, seen := range m.Seen {
				versions++
				what := raw(seen)
				if what == "" && isFirst && i < len(m.Seen)-1 && len(whole) < longest && !strings.HasPrefix(whole, seen) {
					what = "what is not in the end"
				}
				if what != "" && wrong < 5 {
					wrong++
					t.Errorf("reply %d, version %d of %d shows %s:\n%q\nof %q", number, i+1, len(m.Seen), what, seen, reply)
				}
			}
		}
	}
	if grown < rooms*each/3 {
		t.Errorf("only %d posts have grown: that shows nothing", grown)
	}
	t.Logf("%d versions, %d posts that have grown", versions, grown)
}
