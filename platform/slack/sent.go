package slack

import (
	"container/list"
	"strings"
	"sync"
	"time"
)

// sent remembers what became of posts, by their rooms and keys: the id of one that stands
// there, that one may or may not, and the files that were uploaded for it. It learns from
// answers, and from events where the answer was lost.
type sent struct {
	mu    sync.Mutex
	posts map[string]*list.Element
	order *list.List // of tries, the oldest first
}

type try struct {
	key   string
	id    string
	done  bool      // it stands there, also where Slack gives no id
	doubt bool      // an answer was lost
	files []string  // ids of what was uploaded and may have been shared
	since time.Time // when that was
}

const mostSent = 4096

func newSent() *sent { return &sent{posts: map[string]*list.Element{}, order: list.New()} }

func (s *sent) get(key string) try {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.posts[key]; e != nil {
		return *e.Value.(*try)
	}
	return try{key: key}
}

func (s *sent) change(key string, do func(*try)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.posts[key]
	if e == nil {
		e = s.order.PushBack(&try{key: key})
		s.posts[key] = e
		if s.order.Len() > mostSent {
			delete(s.posts, s.order.Remove(s.order.Front()).(*try).key)
		}
	}
	do(e.Value.(*try))
}

func (s *sent) add(key, id string) {
	s.change(key, func(t *try) { t.id, t.done, t.doubt = id, true, false })
}

func (s *sent) doubt(key string) { s.change(key, func(t *try) { t.doubt = true }) }

// knows tells whether a message is known to be a certain post. One that was only seen is
// not: with files it carries no key, and may be the very post that is looked for.
func (s *sent) knows(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Front(); e != nil; e = e.Next() {
		if t := e.Value.(*try); t.id == id && !strings.HasSuffix(t.key, " "+id) {
			return true
		}
	}
	return false
}

// wrote tells whether the agent has written in a room lately.
func (s *sent) wrote(in place) bool {
	prefix := sentKey(in, "")
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Back(); e != nil; e = e.Prev() {
		if t := e.Value.(*try); t.done && strings.HasPrefix(t.key, prefix) {
			return true
		}
	}
	return false
}
