package discord

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"sync"

	"github.com/disgoorg/snowflake/v2"
)

// sent remembers which posts stand where, by the nonce they were made with. It learns
// from answers, and from the gateway where the answer was lost.
type sent struct {
	mu    sync.Mutex
	ids   map[string]snowflake.ID
	byID  map[snowflake.ID]string
	order []string
}

const mostSent = 4096

func newSent() *sent {
	return &sent{ids: map[string]snowflake.ID{}, byID: map[snowflake.ID]string{}}
}

// nonceLength is how long a nonce may be.
const nonceLength = 25

// nonceOf is what a post is made with: the same for every try, another one for every
// other post.
func nonceOf(room, key string) string {
	sum := sha256.Sum256([]byte(room + "\x00" + key))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:nonceLength]
}

// add remembers a post. nonce is as Discord gives it back, and may be anything.
func (s *sent) add(nonce any, id snowflake.ID) {
	if nonce == nil || id == 0 {
		return
	}
	text := fmt.Sprint(nonce)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.ids[text]; ok {
		return
	}
	s.ids[text] = id
	s.byID[id] = text
	s.order = append(s.order, text)
	if len(s.order) > mostSent {
		delete(s.byID, s.ids[s.order[0]])
		delete(s.ids, s.order[0])
		s.order = s.order[1:]
	}
}

// id is the post that was made with a nonce, or 0.
func (s *sent) id(nonce string) snowflake.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[nonce]
}

// has tells whether a post is known, whatever its nonce.
func (s *sent) has(id snowflake.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.byID[id]
	return ok
}
