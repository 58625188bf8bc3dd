package store_test

import (
	"testing"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

func TestWhatStandsInARoomIsFoundByItsID(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		turn := receive(t, s, message("-100", "7", "Is it ready?"))
		topic := message("-100:5", "9", "And now?")
		topic.Parent = "-100"
		receive(t, s, topic)
		receive(t, s, message("-1001", "8", "elsewhere"))
		for key, p := range map[string]store.Post{
			"a": {Room: platform.Room{Platform: "web", ID: "-100"}, Text: "It is.", PostID: "10"},
			"b": {Room: platform.Room{Platform: "web", ID: "-100:5"}, Text: "Look.", PostID: "11,12,13"},
			"c": {Room: platform.Room{Platform: "web", ID: "-100"}, Text: "Not yet."},
		} {
			p.Key, p.Turn, p.State = key, turn, store.Delivered
			if err := s.AddPost(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			name, room, id string
			in, text       string
			post           bool
		}{
			{"a message", "-100", "7", "-100", "Is it ready?", false},
			{"a message in a topic of the room", "-100", "9", "-100:5", "And now?", false},
			{"a post", "-100", "10", "-100", "It is.", true},
			{"the first message of a post", "-100", "11", "-100:5", "Look.", true},
			{"one in the middle", "-100", "12", "-100:5", "Look.", true},
			{"the last one", "-100:5", "13", "-100:5", "Look.", true},
			{"a part of an id", "-100", "1", "", "", false},
			{"another room's", "-100", "8", "", "", false},
			{"a room that begins alike", "-10", "7", "", "", false},
			{"no id", "-100", "", "", "", false},
			{"what is no id", "-100", "%", "", "", false},
		} {
			t.Run(test.name, func(t *testing.T) {
				m, post, err := s.Standing(t.Context(), platform.Room{Platform: "web", ID: test.room}, test.id)
				if err != nil {
					t.Fatal(err)
				}
				if test.in == "" {
					if m != nil {
						t.Errorf("found %+v", m)
					}
					return
				}
				if m == nil || m.Room != (platform.Room{Platform: "web", ID: test.in}) || m.ID != test.id || m.Text != test.text || m.At.IsZero() || post != test.post {
					t.Errorf("found %+v, a post: %v", m, post)
				}
			})
		}
	})
}
