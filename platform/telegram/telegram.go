package telegram

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// Options say how the adapter is to run.
type Options struct {
	Token  string // of the bot
	APIURL string // where the Bot API is, if not at Telegram

	// WebhookURL is where Telegram is to bring updates to, and WebhookSecret what it has to
	// present there: see Handler. Without them updates are asked for.
	WebhookURL    string
	WebhookSecret string

	// FileSize is how many bytes a file of a post may have, as far as Telegram takes them,
	// and all files of a message together; 0 is 20 MB.
	FileSize int64

	// Bookmark keeps how far updates have been handled. Without one, some may come again
	// after a restart.
	Bookmark platform.Bookmark

	// Leftovers keeps where placeholders may be left that could not be taken away yet.
	// Without one, they stay after a restart.
	Leftovers platform.Bookmark

	// Find looks a message up that stands in a chat: Telegram does not tell what a reaction
	// is on. It returns nil if nothing is known of it. Without Find only what this process
	// has posted is known to be the agent's.
	Find func(ctx context.Context, chat, message string) (*Found, error)

	Logger *slog.Logger // nil is none
	Now    func() time.Time

	// Wait waits for a time, or returns the context's error.
	Wait func(ctx context.Context, d time.Duration) error
}

// Found is what is known of a message.
type Found struct {
	Message platform.Message
	Own     bool // it is a post of the agent's
}

// Telegram is the adapter.
type Telegram struct {
	options Options
	log     *slog.Logger
	now     func() time.Time
	wait    func(ctx context.Context, d time.Duration) error
	http    *http.Client
	started time.Time
	marks   *marks
	sent    *sent
	left    *leftovers
	people  *people
	pauses  *pauses
	doors   *doors
	hook    *hook

	mu   sync.Mutex
	self user // the bot's, with the id 0 until it is known
}

// What Telegram can do.
var _ interface {
	platform.Platform
	platform.Opener
	platform.Once
	platform.Grouper
	platform.Editor
	platform.Deleter
	platform.Reactor
	platform.Marker
	platform.Picky
	platform.Chooser
	platform.Typist
	platform.Pinner
	platform.Pollster
	platform.Threader
	platform.Finder
	platform.Moderator
	platform.Warden
} = (*Telegram)(nil)

// name is the platform's name.
const name = "telegram"

const (
	textLimit    = 4096
	captionLimit = 1024
	editEvery    = 1500 * time.Millisecond
	patience     = 20 * time.Second // for an answer to a request
	filePatience = 2 * time.Minute  // for a request with files, or a file
	largestFile  = 50 << 20         // what Telegram takes
	largestPhoto = 10 << 20         // as a picture; what is larger goes as a file
	mostChoices  = 24               // in rows that can still be read
)

// New makes an adapter. It connects when it runs.
func New(o Options) (*Telegram, error) {
	o.Token = strings.TrimPrefix(strings.TrimSpace(o.Token), "bot")
	if !isToken(o.Token) {
		return nil, errors.New("this is no token of a bot, which looks like 123456:ABC-DEF: put the one that @BotFather gives into platforms.telegram.token")
	}
	if o.APIURL == "" {
		o.APIURL = "https://api.telegram.org"
	}
	o.APIURL = strings.TrimSuffix(o.APIURL, "/")
	if o.WebhookURL != "" {
		if u, err := url.Parse(o.WebhookURL); err != nil || u.Host == "" {
			return nil, errors.New("platforms.telegram.webhook_url is no address such as https://example.org/hooks/telegram")
		}
		if !isSecret(o.WebhookSecret) {
			return nil, errors.New("a webhook needs a secret: put 16 to 256 letters, digits, _ or - into platforms.telegram.webhook_secret")
		}
	}
	if o.FileSize == 0 {
		o.FileSize = 20 << 20
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = platform.Wait
	}
	return &Telegram{
		options: o,
		log:     o.Logger.With("platform", name),
		now:     o.Now,
		wait:    o.Wait,
		// The token stands in every address: nobody else is to be sent to one.
		http: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		started: o.Now(),
		marks:   &marks{store: o.Bookmark},
		sent:    newSent(),
		left:    &leftovers{store: o.Leftovers, chats: map[int64]left{}},
		people:  newPeople(),
		pauses:  newPauses(),
		doors:   newDoors(),
		hook:    newHook(),
	}, nil
}

// isToken tells whether a text can be a token. It becomes a part of addresses.
func isToken(text string) bool {
	id, secret, ok := strings.Cut(text, ":")
	if _, err := strconv.ParseUint(id, 10, 63); !ok || err != nil || len(secret) < 8 {
		return false
	}
	return strings.Trim(secret, wordCharacters) == ""
}

const wordCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// isSecret tells whether Telegram takes a text as the secret of a webhook.
func isSecret(text string) bool {
	return len(text) >= 16 && len(text) <= 256 && strings.Trim(text, wordCharacters) == ""
}

// Name implements platform.Platform.
func (t *Telegram) Name() string { return name }

// Limits implements platform.Platform. Telegram counts what is left of a text when its
// formatting has been read, which is less than Markdown.
func (t *Telegram) Limits() platform.Limits {
	return platform.Limits{
		Text: textLimit, Count: platform.CountUTF16, EditEvery: editEvery,
		FileSize: min(t.options.FileSize, largestFile), Choices: mostChoices,
	}
}

// A place is where a room is on Telegram.
type place struct {
	chat   int64
	thread int // a topic, or 0
}

// room is a place as platform has it: "-1001234", or "-1001234:56" for a topic. The chat's id is
// always as Telegram gives it.
func (p place) room() platform.Room {
	id := strconv.FormatInt(p.chat, 10)
	if p.thread != 0 {
		id += ":" + strconv.Itoa(p.thread)
	}
	return platform.Room{Platform: name, ID: id}
}

// parent is the chat that a topic is in, or "".
func (p place) parent() string {
	if p.thread == 0 {
		return ""
	}
	return strconv.FormatInt(p.chat, 10)
}

// place reads a room's id, and follows a group that has become a supergroup.
func (t *Telegram) place(room platform.Room) (place, error) {
	chat, thread, topic := strings.Cut(room.ID, ":")
	var p place
	id, err := strconv.ParseInt(chat, 10, 64)
	if err == nil && topic {
		p.thread, err = strconv.Atoi(thread)
	}
	if err != nil || id == 0 {
		return p, platform.Refuse("%q is not the id of a chat on Telegram", short(room.ID))
	}
	p.chat = t.marks.now(id)
	return p, nil
}

// number reads the id of a message.
func number(id string) (int, error) {
	n, err := strconv.Atoi(id)
	if err != nil || n <= 0 {
		return 0, platform.Refuse("%q is not the id of a message on Telegram", short(id))
	}
	return n, nil
}

func short(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return text
}

// me is the bot's user.
func (t *Telegram) me() user {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.self
}

func (t *Telegram) know(self user) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.self = self
}
