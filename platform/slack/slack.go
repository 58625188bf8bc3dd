package slack

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// Options say how the adapter is to run. It connects by Socket Mode if there is an
// AppToken, and else waits for what comes to Hook, which the SigningSecret proves.
type Options struct {
	BotToken      string
	AppToken      string
	SigningSecret string

	APIURL string // where the Web API is, if not at Slack: https://example.org/api/

	// Rooms are the channels that the agent is in. The runtime decides on them; here they
	// only say where to look for what was written while the agent was away.
	Rooms []string

	// FileSize is how many bytes a file of a post may have, and all files of a message
	// together; 0 is 20 MB.
	FileSize int64

	// Bookmark keeps how far messages have been handled. Without one, what is written
	// while the program does not run is not answered.
	Bookmark platform.Bookmark

	// Threads knows where the agent has been talking. Without it, only the threads of its
	// own posts are.
	Threads Threads

	Ping time.Duration // how often the connection is tried out; 0 is 20 s

	Logger *slog.Logger // nil is none
	Now    func() time.Time

	// Wait waits for a time, or returns the context's error.
	Wait func(ctx context.Context, d time.Duration) error
}

// Threads knows which threads the agent takes part in.
type Threads interface {
	// Engaged tells whether the agent has written in a room or was called there.
	Engaged(ctx context.Context, room platform.Room) (bool, error)
	// Recent are the threads of a channel in which it was talked to since, the latest
	// first.
	Recent(ctx context.Context, channel platform.Room, since time.Time, most int) ([]platform.Room, error)
	// Latest is the room in which a person talked to it last, of a channel and its
	// threads, or false.
	Latest(ctx context.Context, channel platform.Room, person string) (platform.Room, bool, error)
}

// Slack is the adapter.
type Slack struct {
	options Options
	log     *slog.Logger
	now     func() time.Time
	wait    func(ctx context.Context, d time.Duration) error
	api     *url.URL
	http    *http.Client
	started time.Time // what was posted before may be another process's
	limits  *limits
	sent    *sent
	marks   *marks
	people  *people

	mu    sync.Mutex
	self  self      // zero until it is known
	taker *receiver // nil unless Run is running
}

// self is who the agent is on Slack.
type self struct {
	User string `json:"user_id"`
	Bot  string `json:"bot_id"`
	Name string `json:"user"`
}

// What Slack can do.
var _ interface {
	platform.Platform
	platform.Editor
	platform.Deleter
	platform.Reactor
	platform.Chooser
	platform.Historian
	platform.Pinner
	platform.Threader
	platform.RoomKeeper
	platform.MemberKeeper
	platform.Finder
	platform.Presence
	platform.Warden
} = (*Slack)(nil)

// name is the platform's name.
const name = "slack"

const (
	// textLimit is of the Markdown. What is sent is mostly about as long, and may have
	// longestText characters: as many as Slack takes in an edit, though a post may be ten
	// times as long.
	textLimit   = 3000
	longestText = 4000

	editEvery    = 1200 * time.Millisecond // one in a second is what Slack takes, for a channel
	patience     = 20 * time.Second        // for an answer to a request
	filePatience = 2 * time.Minute         // for a file
	largestFile  = 1 << 30                 // what Slack takes
	mostChoices  = 10
)

// New makes an adapter. It connects when it runs.
func New(o Options) (*Slack, error) {
	o.BotToken, o.AppToken, o.SigningSecret = strings.TrimSpace(o.BotToken), strings.TrimSpace(o.AppToken), strings.TrimSpace(o.SigningSecret)
	switch {
	case o.BotToken == "" || strings.ContainsAny(o.BotToken, " \t\r\n"):
		return nil, errors.New("there is no bot token: put the one that begins with xoxb- into platforms.slack.bot_token")
	case o.AppToken == "" && o.SigningSecret == "":
		return nil, errors.New("there is no way in: put the app-level token, xapp-…, into platforms.slack.app_token, or the signing secret into platforms.slack.signing_secret")
	}
	if o.APIURL == "" {
		o.APIURL = "https://slack.com/api/"
	}
	api, err := url.Parse(strings.TrimSuffix(o.APIURL, "/") + "/")
	if err != nil {
		return nil, errors.New("the address of the API cannot be read: look at platforms.slack.api_url")
	}
	if o.FileSize == 0 {
		o.FileSize = 20 << 20
	}
	if o.Ping == 0 {
		o.Ping = 20 * time.Second
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
	return &Slack{
		options: o, log: o.Logger.With("platform", name), now: o.Now, wait: o.Wait, api: api,
		http: &http.Client{
			// A token goes nowhere else because somebody says so.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		started: o.Now(),
		limits:  newLimits(o.Now),
		sent:    newSent(),
		marks:   &marks{store: o.Bookmark},
		people:  newPeople(),
	}, nil
}

// Name implements platform.Platform.
func (s *Slack) Name() string { return name }

// Limits implements platform.Platform.
func (s *Slack) Limits() platform.Limits {
	return platform.Limits{
		Text: textLimit, Count: platform.CountRunes, EditEvery: editEvery,
		FileSize: min(s.options.FileSize, largestFile), Choices: mostChoices,
	}
}

// me is who the agent is.
func (s *Slack) me(ctx context.Context) (self, error) {
	s.mu.Lock()
	known := s.self
	s.mu.Unlock()
	if known.User != "" {
		return known, nil
	}
	if err := s.call(ctx, "auth.test", nil, &known); err != nil {
		return self{}, err
	}
	if known.User == "" {
		return self{}, &platform.Problem{Outcome: platform.Failed, Reason: "Slack does not say who the bot is"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.self = known
	return known, nil
}

// own tells whether a message is the agent's.
func (m self) own(user, bot string) bool {
	return user != "" && user == m.User || bot != "" && bot == m.Bot
}

func short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}
