package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/catalogue/messaging"
	"github.com/asidehq/aside/catalogue/tools"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A stage is everything a turn needs, with a room in memory and a scripted model.
type stage struct {
	*Engine
	t     *testing.T
	room  *room
	queue *queue.Queue
	inbox *inbox.Inbox
	began sync.Once
}

func newStage(t *testing.T, dir string, m model.Model) *stage {
	t.Helper()
	s, err := store.Open(t.Context(), "sqlite", dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return newStageOn(t, s, &room{settled: make(chan string, 100)}, m)
}

// newStageOn is a new process on the store of another one.
func newStageOn(t *testing.T, s *store.Store, r *room, m model.Model) *stage {
	t.Helper()
	out := &outbox.Outbox{
		Store: s, Platforms: map[string]platform.Platform{"test": r}, MaxAge: time.Hour, Now: time.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	registry, err := action.NewRegistry(slices.Concat(messaging.Specs(out, out),
		[]*action.Spec{messaging.ReactionPrompt(out, out, Prompts{s, time.Now})}, catalogue.Specs(remembering(s)), []*action.Spec{recallAll(remembering(s))}, tools.Specs())...)
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{
		Store: s, Outbox: out, Model: m, Registry: registry, Reading: extract.Config{Dialects: extract.Everything &^ extract.Envelope},
		Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	}
	e.Policy = action.Policy{Enabled: true, Confirm: []string{"destructive"}}
	e.Gatherer = &Gatherer{Store: s, Registry: registry, Policy: e.Policy, Dialects: extract.Everything &^ extract.Envelope, Persona: func() string { return "You are a test." }, Tokens: 1000, Memory: remembering(s)}
	e.Folder = &Folder{Store: s, Tokens: 1000, Logger: e.Logger}
	t.Cleanup(e.Folder.Stop)
	q := queue.New(s, queue.Options{Parallel: 8, Logger: e.Logger, Step: e.Step})
	return &stage{Engine: e, t: t, room: r, queue: q, inbox: &inbox.Inbox{Store: s, Queue: q, Rules: inbox.Rules{Reactions: true}, Now: time.Now, Stop: e.Stop}}
}

// recallAll is a query that is answered in every room.
func recallAll(m *memory.Memory) *action.Spec {
	return action.Define(action.Spec{
		Name: "recallAll", Category: "memory", Description: "Look up what is remembered.", Example: `{"type":"recallAll"}`,
		Query: true, Repeatable: true,
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		all, err := m.Recall(ctx, c.Platform+"/"+c.Person)
		switch {
		case err != nil:
			return action.Fail("%v", err)
		case len(all) == 0:
			return action.Done("nothing is remembered yet")
		}
		return action.Found(all, "what is remembered")
	})
}

func remembering(s *store.Store) *memory.Memory { return &memory.Memory{Store: s, Now: time.Now} }

func (s *stage) start() {
	s.t.Helper()
	if err := s.queue.Start(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { s.stop(10 * time.Second) })
}

// stop gives running turns a time to reach their next stage.
func (s *stage) stop(patience time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.queue.Stop(ctx); err != nil {
		s.t.Error(err)
	}
}

func (s *stage) say(in, id, text string) {
	s.t.Helper()
	if err := s.inbox.Receive(s.t.Context(), message(in, id, text)); err != nil {
		s.t.Fatal(err)
	}
}

func message(in, id, text string) platform.Message {
	return platform.Message{Room: platform.Room{Platform: "test", ID: in}, ID: id, Text: text, Author: platform.Person{ID: "ada"}, At: time.Now()}
}

// settled waits until so many messages are settled and returns their ids.
func (s *stage) settled(n int) []string {
	s.t.Helper()
	var ids []string
	for range n {
		select {
		case id := <-s.room.settled:
			ids = append(ids, id)
		case <-time.After(30 * time.Second):
			s.t.Fatalf("only %v were settled", ids)
		}
	}
	return ids
}

// A room is a platform in memory.
type room struct {
	mu      sync.Mutex
	posts   []platform.Post
	keys    map[string]string
	sent    int // how often something was posted, also a second time
	edits   int
	reacted []string
	refuse  func(platform.Post) *platform.Receipt
	settled chan string
}

func (r *room) Name() string { return "test" }

// May, Outranks and OutranksRole: everybody may do everything here.
func (r *room) May(context.Context, string, platform.Right, platform.Room) (bool, error) {
	return true, nil
}

func (r *room) Outranks(context.Context, platform.Room, string, string) (bool, error) {
	return true, nil
}

func (r *room) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return true, nil
}

func (r *room) Limits() platform.Limits {
	return platform.Limits{Text: 200, EditEvery: time.Nanosecond}
}

func (r *room) Run(context.Context, platform.Inbox) error { return nil }

func (r *room) Post(_ context.Context, p platform.Post) platform.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	if r.refuse != nil {
		if receipt := r.refuse(p); receipt != nil {
			return *receipt
		}
	}
	if id, ok := r.keys[p.Key]; ok {
		return platform.Receipt{Outcome: platform.Delivered, ID: id}
	}
	if r.keys == nil {
		r.keys = map[string]string{}
	}
	id := fmt.Sprint(len(r.posts))
	r.keys[p.Key] = id
	r.posts = append(r.posts, p)
	return platform.Receipt{Outcome: platform.Delivered, ID: id}
}

func (r *room) Edit(_ context.Context, _ platform.Room, post, text string) platform.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.posts {
		if fmt.Sprint(i) == post {
			r.posts[i].Text = text
			r.edits++
			return platform.Receipt{Outcome: platform.Delivered, ID: post}
		}
	}
	return platform.Receipt{Outcome: platform.Refused, Reason: "no such post"}
}

func (r *room) React(_ context.Context, _ platform.Room, message, emoji string) platform.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reacted = append(r.reacted, message+emoji)
	return platform.Receipt{Outcome: platform.Delivered}
}

func (r *room) Unreact(context.Context, platform.Room, string, string) platform.Receipt {
	return platform.Receipt{Outcome: platform.Delivered}
}

func (r *room) Settled(_ context.Context, _ platform.Room, message string, _ int64) {
	r.settled <- message
}

// texts are the posts of a room, in order.
func (r *room) texts(in string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, p := range r.posts {
		if p.Room.ID == in {
			all = append(all, p.Text)
		}
	}
	return all
}

// script answers with what it makes of the last message.
type script func(ctx context.Context, asked string) (string, error)

func (s script) Stream(ctx context.Context, r model.Request) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		text, err := s(ctx, r.Messages[len(r.Messages)-1].Text)
		for chunk := range slices.Chunk([]byte(text), 5) {
			if !yield(model.Delta{Text: string(chunk)}, nil) {
				return
			}
		}
		if err != nil {
			yield(model.Delta{}, err)
			return
		}
		yield(model.Delta{End: model.Done}, nil)
	}
}

func echo(_ context.Context, asked string) (string, error) { return "You said " + asked, nil }

func say(text string) script {
	return func(context.Context, string) (string, error) { return text, nil }
}

func TestABurstGetsAnAnswerForEachMessageInOrder(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.start()
	var want []string
	for i := range 15 {
		s.say("a", fmt.Sprint(i), fmt.Sprint("number ", i))
		want = append(want, fmt.Sprint("You said number ", i))
	}
	s.settled(15)
	if got := s.room.texts("a"); !slices.Equal(got, want) {
		t.Errorf("answers are\n%s", strings.Join(got, "\n"))
	}
}

func TestASlowTurnDelaysNoOtherRoom(t *testing.T) {
	release := make(chan struct{})
	s := newStage(t, storetest.Dir(t), script(func(ctx context.Context, asked string) (string, error) {
		if asked == "slow" {
			select {
			case <-release:
			case <-ctx.Done():
			}
		}
		return echo(ctx, asked)
	}))
	s.start()
	s.say("a", "1", "slow")
	s.say("b", "2", "quick")
	if got := s.settled(1); got[0] != "2" {
		t.Errorf("%s was settled first", got[0])
	}
	close(release)
	s.settled(1)
}

func TestStopCancelsTheRunningTurnAndSaysSo(t *testing.T) {
	began := make(chan struct{})
	s := newStage(t, storetest.Dir(t), script(func(ctx context.Context, asked string) (string, error) {
		if asked == "slow" {
			close(began)
			<-ctx.Done()
			return "Half an ans", &model.Error{Kind: model.Cancelled, Message: "cancelled"}
		}
		return echo(ctx, asked)
	}))
	s.start()
	s.say("a", "1", "slow")
	<-began
	s.say("a", "2", "/stop")
	s.settled(2)
	got := s.room.texts("a")
	if len(got) != 2 || got[0] != "Half an ans\n\nStopped." || got[1] != "Stopped." {
		t.Errorf("posts are %q", got)
	}
}

func TestActionsRunAndAreReported(t *testing.T) {
	s := newStage(t, storetest.Dir(t), say(`On it. <actions><react emoji="eyes"/></actions>
[CALCULATE:6*7] [REMEMBER:likes tea]
<action>{"type":"sendMessage","chat":"b","content":"hello b"}</action>
<action>{"type":"dance"}</action> <action>{"type":"react"}</action>`))
	s.start()
	s.say("a", "1", "go")
	s.settled(1)
	want := "On it.\n\nDone: 6*7 = 42\nDone: remembered: likes tea\nFailed: there is no action \"dance\"\nFailed: react: emoji is missing"
	if got := s.room.texts("a"); len(got) != 1 || got[0] != want {
		t.Errorf("room a has %q, want %q", got, want)
	}
	if got := s.room.texts("b"); len(got) != 1 || got[0] != "hello b" {
		t.Errorf("room b has %q", got)
	}
	if !slices.Equal(s.room.reacted, []string{"1👀"}) {
		t.Errorf("reactions are %v", s.room.reacted)
	}
}

func TestAModelThatCannotAnswerSaysSoInWordsForAPerson(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(func(context.Context, string) (string, error) {
		return "Let me see. [REMEMBER:x]", &model.Error{Kind: model.BadKey, Message: "The model's key is not accepted.", Cause: errors.New(`{"error":{"code":"invalid_api_key"}}`)}
	}))
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || got[0] != "Let me see.\n\nThe model's key is not accepted." {
		t.Errorf("posts are %q", got)
	}
	if facts, err := s.Store.Facts(t.Context(), "test/ada"); len(facts) != 0 || err != nil {
		t.Errorf("a reply that broke off has acted: %v %v", facts, err)
	}
}

func TestALongAnswerIsSplitAndEveryPartArrives(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("All work and no play makes a long reply. ", 20))
	s := newStage(t, storetest.Dir(t), say(long))
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	got := s.room.texts("a")
	if len(got) < 4 || strings.Join(got, " ") != long {
		t.Errorf("%d parts: %q", len(got), got)
	}
}

func TestAnAnswerThatWouldFillTheRoomIsAFile(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("All work and no play. ", 100)) // the room takes 200 characters
	s := newStage(t, storetest.Dir(t), say(long))
	s.Outbox.Platforms["test"] = filing{s.room}
	s.start()
	s.say("a", "1", "write")
	s.settled(1)
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	posts := s.room.posts
	if len(posts) != 2 || !strings.HasSuffix(posts[0].Text, "… (the whole text is attached)") || len(posts[0].Text) > 220 {
		t.Fatalf("posts are %+v", posts)
	}
	if files := posts[1].Files; len(files) != 1 || files[0].Name != "reply.md" || string(files[0].Data) != long {
		t.Errorf("the files are %+v", files)
	}
}

func TestARoomThatAsksToWaitGetsTheAnswerLater(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	tries := 0
	s.room.refuse = func(platform.Post) *platform.Receipt {
		tries++
		switch tries {
		case 1:
			return &platform.Receipt{Outcome: platform.Limited, RetryAfter: time.Minute}
		case 2:
			return &platform.Receipt{Outcome: platform.Failed, Reason: "connection lost"}
		case 3:
			return &platform.Receipt{Outcome: platform.Unknown}
		}
		return nil
	}
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	if got := s.room.texts("a"); len(got) != 1 || tries != 4 {
		t.Errorf("%d tries, posts %q", tries, got)
	}
}

func TestAnAnswerThatIsRefusedIsADeadLetter(t *testing.T) {
	s := newStage(t, storetest.Dir(t), script(echo))
	s.room.refuse = func(platform.Post) *platform.Receipt {
		return &platform.Receipt{Outcome: platform.Refused, Reason: "the room is gone"}
	}
	s.start()
	s.say("a", "1", "hi")
	s.settled(1)
	dead, err := s.Store.DeadPosts(t.Context())
	if err != nil || len(dead) != 1 || dead[0].Reason != "the room is gone" || dead[0].Text != "You said hi" {
		t.Errorf("dead letters are %+v, %v", dead, err)
	}
}
