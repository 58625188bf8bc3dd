package access_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// A chat is a platform that notes what is posted.
type chat struct {
	mu      sync.Mutex
	posts   []platform.Post
	answers []platform.Receipt // to the next posts; then everything is delivered
}

func (c *chat) Name() string                              { return "chat" }
func (c *chat) Limits() platform.Limits                   { return platform.Limits{} }
func (c *chat) Run(context.Context, platform.Inbox) error { return nil }
func (c *chat) Post(_ context.Context, p platform.Post) platform.Receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.posts = append(c.posts, p)
	if len(c.answers) > 0 {
		r := c.answers[0]
		c.answers = c.answers[1:]
		return r
	}
	return platform.Receipt{Outcome: platform.Delivered, ID: "1"}
}

type scene struct {
	*access.Door
	chat *chat
	now  time.Time
}

func newScene(t *testing.T, entry access.Entry) *scene {
	t.Helper()
	s := &scene{chat: &chat{}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	kept, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), func() time.Time { return s.now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kept.Close() })
	next := 0
	s.Door = access.NewDoor(access.Door{
		Store: kept, Entry: func(string) access.Entry { return entry },
		Notify: func(ctx context.Context, _ string, p platform.Post) (platform.Receipt, error) {
			if p.Room.Platform != "chat" {
				return platform.Receipt{Outcome: platform.Failed, Reason: "not connected"}, nil
			}
			return s.chat.Post(ctx, p), nil
		},
		NewCode: func() string {
			next++
			return []string{"AAAA2222", "BBBB3333", "CCCC4444", "DDDD5555", "EEEE6666"}[next-1]
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	return s
}

var pairing = access.Entry{Closed: true, List: []string{"owner"}, Pairing: true}

func from(person string) platform.Message {
	return platform.Message{Room: platform.Room{Platform: "chat", ID: "dm-" + person}, Author: platform.Person{ID: person, Name: person}, Direct: true, Text: "hi"}
}

func (s *scene) knock(t *testing.T, m platform.Message) {
	t.Helper()
	if err := s.Knock(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if err := s.Tell(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (s *scene) knows(t *testing.T, m platform.Message, want bool) {
	t.Helper()
	if got, err := s.Knows(t.Context(), m); got != want || err != nil {
		t.Errorf("%s is known: %v, %v", m.Author.ID, got, err)
	}
}

// rooms are where something was posted, with the code in it.
func (s *scene) rooms() (all []string) {
	code := regexp.MustCompile(`[A-Z]{4}[0-9]{4}`)
	for _, p := range s.chat.posts {
		all = append(all, p.Room.ID+" "+code.FindString(p.Text))
	}
	return all
}

func TestWhoIsKnown(t *testing.T) {
	for _, test := range []struct {
		name  string
		entry access.Entry
		who   string
		want  bool
	}{
		{"everybody where the door is open", access.Entry{}, "eve", true},
		{"those on the list", access.Entry{Closed: true, List: []string{"ada"}}, "ada", true},
		{"nobody else", access.Entry{Closed: true, List: []string{"ada"}}, "eve", false},
		{"nobody, with an empty list", access.Entry{Closed: true}, "eve", false},
		{"those on the list where one can ask", pairing, "owner", true},
		{"nobody else before they are let in", pairing, "eve", false},
		{"nobody without an id", pairing, "", false},
	} {
		t.Run(test.name, func(t *testing.T) { newScene(t, test.entry).knows(t, from(test.who), test.want) })
	}
}

func TestAHandleIsKnownAndANameIsNot(t *testing.T) {
	s := newScene(t, access.Entry{Closed: true, List: []string{"@Ada"}})
	m := from("7")
	m.Author.Name = "@Ada"
	s.knows(t, m, false)
	m.Author.Handle = "ada"
	s.knows(t, m, true)
}

func TestAStrangerGetsOneCodeAnHour(t *testing.T) {
	s := newScene(t, pairing)
	for range 3 {
		s.knock(t, from("eve"))
	}
	s.now = s.now.Add(59 * time.Minute)
	s.knock(t, from("eve"))
	s.now = s.now.Add(time.Minute)
	s.knock(t, from("eve"))
	if got, want := s.rooms(), []string{"dm-eve AAAA2222", "dm-eve EEEE6666"}; !slices.Equal(got, want) {
		t.Errorf("posts are %q, want %q", got, want)
	}
	s.knows(t, from("eve"), false)
}

func TestAStrangerIsToldOnceMoreWhenLetInAndThenNothing(t *testing.T) {
	s := newScene(t, pairing)
	s.knock(t, from("eve"))
	if _, err := s.Store.Approve(t.Context(), "AAAA2222"); err != nil {
		t.Fatal(err)
	}
	s.knows(t, from("eve"), true)
	for range 2 {
		if err := s.Tell(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.chat.posts) != 2 || s.chat.posts[1].Text != "You can write to me now." || s.chat.posts[1].Room.ID != "dm-eve" || s.chat.posts[0].Key == s.chat.posts[1].Key {
		t.Errorf("posts are %+v", s.chat.posts)
	}
}

func TestWhatGivesNoCode(t *testing.T) {
	changed := func(change func(*platform.Message)) platform.Message { m := from("eve"); change(&m); return m }
	for _, test := range []struct {
		name  string
		entry access.Entry
		m     platform.Message
	}{
		{"a message in a group", pairing, changed(func(m *platform.Message) { m.Direct = false; m.Mentioned = true })},
		{"a reaction", pairing, changed(func(m *platform.Message) { m.Reaction = &platform.Reaction{Emoji: "👍"} })},
		{"an edit", pairing, changed(func(m *platform.Message) { m.Edits = "1" })},
		{"somebody without an id", pairing, changed(func(m *platform.Message) { m.Author.ID = "" })},
		{"a list that nobody can ask to be on", access.Entry{Closed: true}, from("eve")},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, test.entry)
			s.knock(t, test.m)
			if all, err := s.Store.Pairings(t.Context()); err != nil || len(all) != 0 || len(s.chat.posts) != 0 {
				t.Errorf("there are %v, %v; posts are %v", all, err, s.chat.posts)
			}
		})
	}
}

func TestWhoCouldNotBeToldIsTriedAgainWithTheSamePost(t *testing.T) {
	s := newScene(t, pairing)
	s.chat.answers = []platform.Receipt{{Outcome: platform.Failed}, {Outcome: platform.Limited}, {Outcome: platform.Unknown}}
	s.knock(t, from("eve"))
	for range 5 {
		if err := s.Tell(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.chat.posts) != 4 {
		t.Fatalf("there were %d tries", len(s.chat.posts))
	}
	for _, p := range s.chat.posts {
		if p.Key != s.chat.posts[0].Key || p.Text != s.chat.posts[0].Text {
			t.Errorf("%+v is another post than %+v", p, s.chat.posts[0])
		}
	}
	s.chat.answers = []platform.Receipt{{Outcome: platform.Refused, Reason: "they want no messages"}}
	s.knock(t, from("bob"))
	s.knock(t, from("bob"))
	if len(s.chat.posts) != 5 {
		t.Errorf("what was refused was tried again")
	}
}

func TestALongNameIsCut(t *testing.T) {
	s := newScene(t, pairing)
	m := from("eve")
	m.Author.Name = strings.Repeat("é", 5000)
	s.knock(t, m)
	all, err := s.Store.Pairings(t.Context())
	if err != nil || len(all) != 1 || len(all[0].Person.Name) > 110 {
		t.Errorf("there are %v, %v", all, err)
	}
}

func TestTheDoorTellsAsSoonAsThereIsSomebody(t *testing.T) {
	s := newScene(t, pairing)
	ctx, stop := context.WithCancel(t.Context())
	asleep := make(chan struct{}, 10)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx, func(ctx context.Context, _ time.Duration) error {
			asleep <- struct{}{}
			<-ctx.Done() // the clock stands still
			return ctx.Err()
		})
	}()
	<-asleep
	if err := s.Knock(ctx, from("eve")); err != nil {
		t.Fatal(err)
	}
	<-asleep // it has told everybody, and sleeps again
	stop()
	<-ended
	if got := s.rooms(); !slices.Equal(got, []string{"dm-eve AAAA2222"}) {
		t.Errorf("posts are %q", got)
	}
}

func TestCodesAreRandomAndEasyToRead(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		code := access.NewCode(rand.Reader)
		if len(code) != 8 || strings.ContainsAny(code, "0O1I") || strings.ToUpper(code) != code || seen[code] {
			t.Fatalf("%q is no good code", code)
		}
		seen[code] = true
	}
	if got := access.NewCode(bytes.NewReader([]byte{0, 1, 31, 32, 33, 64, 255, 7})); got != "AB9ABA9H" {
		t.Errorf("the code is %s", got)
	}
	if got := access.ReadCode(" ab9aba9h\n"); got != "AB9ABA9H" {
		t.Errorf("it is read as %s", got)
	}
}
