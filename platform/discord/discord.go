package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// Options say how the adapter is to run.
type Options struct {
	Token string // of the bot

	APIURL     string // where REST is, if not at Discord: https://example.org/api/v10
	GatewayURL string // where the gateway is, if not where Discord says

	// Shards is how many connections share the guilds; 0 is as many as Discord
	// recommends.
	Shards int

	// AllowUsers and Rooms are who may talk to the agent and where it is. The
	// runtime decides on them; here they only say where to look for what was
	// written while the agent was away: with these people, and in these rooms
	// alone if there are any.
	AllowUsers []string
	Rooms      []string

	// FileSize is how many bytes a file of a post may have, as far as Discord takes
	// them, and all files of a message together; 0 is 20 MB.
	FileSize int64

	// Bookmark keeps how far messages have been handled. Without one, what is
	// written while the program does not run is not answered.
	Bookmark platform.Bookmark

	Logger *slog.Logger // nil is none
	Now    func() time.Time

	// Wait waits for a time, or returns the context's error.
	Wait func(ctx context.Context, d time.Duration) error
}

// Discord is the adapter.
type Discord struct {
	options Options
	log     *slog.Logger
	now     func() time.Time
	wait    func(ctx context.Context, d time.Duration) error
	api     rest.Client
	http    *http.Client
	sent    *sent
	guilds  *guilds
	marks   *marks
	gate    gate // of sessions that begin

	mu       sync.Mutex
	self     snowflake.ID // the bot's user, 0 until it is known
	shards   []*shard     // that run
	presence presence
	moved    chan struct{} // closed when the agent's voice state changes
}

// What Discord can do.
var _ interface {
	platform.Platform
	platform.Editor
	platform.Deleter
	platform.Reactor
	platform.Typist
	platform.RoomKeeper
	platform.Threader
	platform.TagKeeper
	platform.ForumKeeper
	platform.Finder
	platform.Historian
	platform.Searcher
	platform.Pinner
	platform.Sweeper
	platform.Crossposter
	platform.Pollster
	platform.MemberKeeper
	platform.RoleKeeper
	platform.Moderator
	platform.EventKeeper
	platform.Presence
	platform.Voice
	platform.Warden
} = (*Discord)(nil)

// name is the platform's name.
const name = "discord"

const (
	textLimit    = 2000
	editEvery    = 1200 * time.Millisecond // five edits in five seconds is what Discord takes, for a room
	patience     = 20 * time.Second        // for an answer to a request
	largestFile  = 10 << 20                // what Discord takes everywhere
	filePatience = 2 * time.Minute         // for a request with files, or a file
)

// New makes an adapter. It connects when it runs.
func New(o Options) (*Discord, error) {
	o.Token = strings.TrimPrefix(strings.TrimSpace(o.Token), "Bot ")
	if o.Token == "" || strings.ContainsAny(o.Token, " \t\r\n") {
		return nil, errors.New("discord: there is no token: put the bot's token into platforms.discord.token")
	}
	if o.APIURL == "" {
		o.APIURL = "https://discord.com/api/v10"
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
	d := &Discord{
		options: o,
		log:     o.Logger.With("platform", name),
		now:     o.Now,
		wait:    o.Wait,
		http: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		sent:   newSent(),
		guilds: newGuilds(),
		marks:  &marks{store: o.Bookmark},
	}
	// disgo logs requests, and with the gateway's the token: it gets no logger.
	d.api = rest.NewClient(
		o.Token,
		rest.WithLogger(slog.New(slog.DiscardHandler)),
		rest.WithHTTPClient(d.http),
		rest.WithURL(strings.TrimSuffix(o.APIURL, "/")),
		rest.WithUserAgent("DiscordBot (https://github.com/asidehq/aside, 1)"),
		rest.WithRateLimiter(newLimiter(d.now, d.wait)),
	)
	return d, nil
}

// Name implements platform.Platform.
func (d *Discord) Name() string { return name }

// Limits implements platform.Platform. Discord counts Unicode characters.
func (d *Discord) Limits() platform.Limits {
	return platform.Limits{Text: textLimit, Count: platform.CountRunes, EditEvery: editEvery, FileSize: min(d.options.FileSize, largestFile)}
}

func room(id snowflake.ID) platform.Room {
	return platform.Room{Platform: name, ID: id.String()}
}

// parse reads an id. What is not one must not get into a path.
func parse(what, text string) (snowflake.ID, error) {
	id, err := snowflake.Parse(text)
	if err != nil || id == 0 {
		return 0, platform.Refuse("%q is not the id of a %s on Discord", short(text), what)
	}
	return id, nil
}

func short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// me is the bot's user.
func (d *Discord) me(ctx context.Context) (snowflake.ID, error) {
	d.mu.Lock()
	self := d.self
	d.mu.Unlock()
	if self != 0 {
		return self, nil
	}
	var u user
	if err := d.call(ctx, rest.GetCurrentUser.Compile(nil), nil, &u); err != nil {
		return 0, err
	}
	d.know(u.ID)
	return u.ID, nil
}

func (d *Discord) know(self snowflake.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.self = self
}
