package turn

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/platform"
)

// A kiosk is a room with buttons below its posts.
type kiosk struct {
	*room
	count   int
	choices map[string][]string // by the post's text
}

func (k *kiosk) Limits() platform.Limits {
	limits := k.room.Limits()
	limits.Choices = k.count
	return limits
}

func (k *kiosk) Post(ctx context.Context, p platform.Post) platform.Receipt {
	k.mu.Lock()
	k.choices[p.Text] = p.Choices
	k.mu.Unlock()
	return k.room.Post(ctx, p)
}

func (k *kiosk) EditChoices(ctx context.Context, room platform.Room, post, text string, choices []string) platform.Receipt {
	k.mu.Lock()
	k.choices[text] = choices
	k.mu.Unlock()
	return k.Edit(ctx, room, post, text)
}

func TestAConfirmationHasButtonsWhereThereAreSome(t *testing.T) {
	for _, test := range []struct {
		name    string
		buttons int
		says    string
		choices []string
	}{
		{"a platform with buttons", 8, "Press ✅ or ❌, or write /confirm or /confirm no, within 10 minutes.", []string{"✅", "❌"}},
		{"a platform without enough of them", 1, "React with ✅ or ❌, or write /confirm or /confirm no, within 10 minutes.", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			launched := 0
			s := newDialogue(t, &dialogue{replies: []string{`Ready. <action>{"type":"launch","target":"moon"}</action>`}}, launch(&launched))
			k := &kiosk{room: s.room, count: test.buttons, choices: map[string][]string{}}
			s.Outbox = &outbox.Outbox{Store: s.Store, Platforms: map[string]platform.Platform{"test": k}, MaxAge: time.Hour, Now: time.Now, Wait: s.Outbox.Wait}
			s.start()
			s.say("a", "1", "launch it")
			s.settled(1)
			got := s.room.texts("a")
			k.mu.Lock()
			defer k.mu.Unlock()
			if len(got) != 1 || !strings.HasSuffix(got[0], test.says) || !slices.Equal(k.choices[got[0]], test.choices) || launched != 0 {
				t.Errorf("posts are %q with %q", got, k.choices)
			}
		})
	}
}
