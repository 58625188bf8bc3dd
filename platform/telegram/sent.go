package telegram

import (
	"sync"

	"github.com/asidehq/aside/platform"
)

// sent remembers what this process has posted, and how far the ids of each chat are known.
type sent struct {
	mu     sync.Mutex
	posts  map[string]opened // by room and key
	own    map[spot]*mine
	order  []string
	spots  []spot
	newest map[int64]int   // the largest id that is known, by what counts it
	begun  map[string]bool // posts that were sent and may stand there, by room and key
	shared map[int]int64   // the chats of ids that several chats share
	sought map[string]bool // posts for which it was looked what a dead process has left, by room and key
}

// A spot is a message.
type spot struct {
	chat int64
	id   int
}

// mine is a message of the agent's.
type mine struct {
	room platform.Room
	bare bool // it is still a placeholder
}

// opened is where a post stands: its messages.
type opened struct {
	chat  int64
	ids   []int
	after int  // where there are no ids: what is sent stands behind this one
	whole bool // its files were sent as one, and stand there
}

const (
	mostSent   = 4096
	mostChats  = 10_000
	mostShared = 20_000
)

func newSent() *sent {
	return &sent{posts: map[string]opened{}, own: map[spot]*mine{}, newest: map[int64]int{}, begun: map[string]bool{}, shared: map[int]int64{}, sought: map[string]bool{}}
}

// seen notes that there is a message with an id.
func (s *sent) seen(chat int64, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.see(chat, id)
}

func (s *sent) see(chat int64, id int) {
	if len(s.newest) >= mostChats {
		clear(s.newest)
	}
	by := counter(chat)
	s.newest[by] = max(s.newest[by], id)
	if by == sharedCount {
		if len(s.shared) >= mostShared {
			clear(s.shared)
		}
		s.shared[id] = chat
	}
}

// sharedCount counts the ids of all chats that do not count their own.
const sharedCount = 0

// counter is what counts the ids of a chat: supergroups count their own, all other chats of
// a bot share one count.
func counter(chat int64) int64 {
	if chat <= -1_000_000_000_000 {
		return chat
	}
	return sharedCount
}

// elsewhere tells whether an id is that of a message in another chat, so that there is none
// in this one.
func (s *sent) elsewhere(chat int64, id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	in, ok := s.shared[id]
	return ok && in != chat && counter(chat) == sharedCount
}

// last is the largest id that is known where those of a chat are counted, or 0. Whatever is
// written in the chat from now on has a larger one.
func (s *sent) last(chat int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest[counter(chat)]
}

// seek tells whether it is still to be looked what a dead process has left of a post, and
// notes that it was.
func (s *sent) seek(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sought[key] {
		return false
	}
	if len(s.sought) >= mostSent {
		clear(s.sought)
	}
	s.sought[key] = true
	return true
}

// placed notes a placeholder.
func (s *sent) placed(in place, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.see(in.chat, id)
	at := spot{in.chat, id}
	if s.own[at] == nil {
		s.spots = append(s.spots, at)
	}
	s.own[at] = &mine{room: in.room(), bare: true}
	if len(s.spots) > mostSent {
		delete(s.own, s.spots[0])
		s.spots = s.spots[1:]
	}
}

// filled notes that a placeholder is none any more.
func (s *sent) filled(chat int64, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.own[spot{chat, id}]; m != nil {
		m.bare = false
	}
}

// find is a message of the agent's, or nil if it is not known to be one.
func (s *sent) find(chat int64, id int) *mine {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.own[spot{chat, id}]
	if m == nil {
		return nil
	}
	again := *m
	return &again
}

// open is where the post of a key stands.
func (s *sent) open(key string) (opened, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.posts[key]
	return o, ok
}

// keep remembers where the post of a key stands.
func (s *sent) keep(key string, o opened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.posts[key]; !ok {
		s.order = append(s.order, key)
	}
	s.posts[key] = o
	if o.whole {
		delete(s.begun, key)
	}
	if len(s.order) > mostSent {
		delete(s.posts, s.order[0])
		s.order = s.order[1:]
	}
}

// begin notes that a post is sent and may stand there from now on, or that it does not.
func (s *sent) begin(key string, begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.begun, key)
	if begun {
		s.begun[key] = true
	}
}

// hasBegun tells whether a post may stand there.
func (s *sent) hasBegun(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun[key]
}

// forget lets go of posts with a message that stands there no more.
func (s *sent) forget(chat int64, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.own, spot{chat, id})
	for key, o := range s.posts {
		for _, one := range o.ids {
			if o.chat == chat && one == id {
				delete(s.posts, key)
			}
		}
	}
}
