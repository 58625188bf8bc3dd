package errandtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

// Room is a room of the hall.
func Room(id string) platform.Room { return platform.Room{Platform: "hall", ID: id} }

// A Hall is a platform in memory, on which everybody may do everything that is not denied.
type Hall struct {
	mu      sync.Mutex
	changed *sync.Cond
	keys    map[string]bool
	posts   []platform.Post
	denied  map[string]bool
	settled map[string]bool
}

// NewHall is an empty one.
func NewHall() *Hall {
	h := &Hall{keys: map[string]bool{}, denied: map[string]bool{}, settled: map[string]bool{}}
	h.changed = sync.NewCond(&h.mu)
	return h
}

// Deny takes a right away from somebody in a room, or gives it back.
func (h *Hall) Deny(who string, right platform.Right, room string, yes bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.denied[who+" "+string(right)+" "+room] = yes
}

// Texts are the posts of a room, in order.
func (h *Hall) Texts(room string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []string
	for _, p := range h.posts {
		if p.Room.ID == room {
			all = append(all, p.Text)
		}
	}
	return all
}

// until waits until something is true of the hall.
func (h *Hall) until(t testing.TB, what string, is func() bool) {
	t.Helper()
	late := false
	timer := time.AfterFunc(30*time.Second, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		late = true
		h.changed.Broadcast()
	})
	defer timer.Stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	for !is() && !late {
		h.changed.Wait()
	}
	if !is() {
		t.Fatalf("it does not come to pass that %s; there stands %+v", what, h.posts)
	}
}

func (h *Hall) Name() string                              { return "hall" }
func (h *Hall) Limits() platform.Limits                   { return platform.Limits{Text: 2000} }
func (h *Hall) Run(context.Context, platform.Inbox) error { return nil }

func (h *Hall) Post(_ context.Context, p platform.Post) platform.Receipt {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.keys[p.Key] {
		h.keys[p.Key] = true
		h.posts = append(h.posts, p)
		h.changed.Broadcast()
	}
	return platform.Receipt{Outcome: platform.Delivered, ID: p.Key}
}

func (h *Hall) Settled(_ context.Context, _ platform.Room, message string, _ int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.settled[message] = true
	h.changed.Broadcast()
}

func (h *Hall) React(context.Context, platform.Room, string, string) platform.Receipt {
	return platform.Receipt{Outcome: platform.Delivered}
}

func (h *Hall) Unreact(context.Context, platform.Room, string, string) platform.Receipt {
	return platform.Receipt{Outcome: platform.Delivered}
}

func (h *Hall) Delete(_ context.Context, _ platform.Room, post string) platform.Receipt {
	return platform.Receipt{Outcome: platform.Delivered, ID: post}
}

func (h *Hall) FindRoom(_ context.Context, _ platform.Room, name string) (platform.Room, error) {
	if name == "nowhere" {
		return platform.Room{}, platform.Refuse("there is no channel nowhere")
	}
	return Room(name), nil
}

func (h *Hall) FindPerson(_ context.Context, _ platform.Room, name string) (platform.Person, error) {
	return platform.Person{}, platform.Refuse("there is nobody called %s", name)
}

func (h *Hall) FindRole(_ context.Context, _ platform.Room, name string) (platform.Role, error) {
	return platform.Role{}, platform.Refuse("there is no role %s", name)
}

func (h *Hall) May(_ context.Context, who string, right platform.Right, room platform.Room) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.denied[fmt.Sprintf("%s %s %s", who, right, room.ID)], nil
}

func (h *Hall) Outranks(context.Context, platform.Room, string, string) (bool, error) {
	return false, nil
}

func (h *Hall) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return false, nil
}
