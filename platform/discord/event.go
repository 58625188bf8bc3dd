package discord

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"

	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// dispatch handles an event and tells whether it has: if not, the context has ended, and
// the event is to come again. An event that cannot be handled is logged and counts as
// handled, since it would not be any better the next time.
func (s *shard) dispatch(ctx context.Context, f frame) (handled bool) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("an event of Discord could not be handled", "event", short(f.Type), "stack", string(debug.Stack()))
			handled = true
		}
	}()
	handle, ok := handlers[f.Type]
	if !ok {
		return true
	}
	err := handle(s, ctx, f)
	if err != nil && ctx.Err() != nil {
		return false
	}
	if err != nil {
		s.log.Error("an event of Discord could not be handled", "event", f.Type, "error", err)
	}
	return true
}

var handlers = map[string]func(*shard, context.Context, frame) error{
	"READY":                   (*shard).onReady,
	"RESUMED":                 (*shard).onResumed,
	"GUILD_CREATE":            (*shard).onGuild,
	"GUILD_UPDATE":            (*shard).onGuildChange,
	"GUILD_DELETE":            (*shard).onGuildGone,
	"GUILD_ROLE_CREATE":       (*shard).onRole,
	"GUILD_ROLE_UPDATE":       (*shard).onRole,
	"GUILD_ROLE_DELETE":       (*shard).onRole,
	"CHANNEL_CREATE":          (*shard).onChannel,
	"CHANNEL_UPDATE":          (*shard).onChannel,
	"CHANNEL_DELETE":          (*shard).onChannelGone,
	"THREAD_CREATE":           (*shard).onChannel,
	"THREAD_UPDATE":           (*shard).onChannel,
	"THREAD_DELETE":           (*shard).onChannelGone,
	"THREAD_LIST_SYNC":        (*shard).onThreads,
	"VOICE_STATE_UPDATE":      (*shard).onVoice,
	"MESSAGE_CREATE":          (*shard).onMessage,
	"MESSAGE_UPDATE":          (*shard).onMessageChange,
	"MESSAGE_REACTION_ADD":    (*shard).onReaction,
	"MESSAGE_REACTION_REMOVE": (*shard).onReaction,
	"INTERACTION_CREATE":      (*shard).onInteraction,
}

// decode reads an event. A field of another kind than expected is left out, as long as
// the rest can be read.
func decode(f frame, v any) error {
	err := json.Unmarshal(f.Data, v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return nil
	}
	return err
}

// has tells whether an event has a field, whatever is in it.
func has(f frame, field string) bool {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(f.Data, &fields)
	_, ok := fields[field]
	return ok && err == nil
}

func (s *shard) onReady(ctx context.Context, f frame) error {
	var e struct {
		Session     string `json:"session_id"`
		Resume      string `json:"resume_gateway_url"`
		User        user   `json:"user"`
		Application struct {
			ID snowflake.ID `json:"id"`
		} `json:"application"`
		Guilds []struct {
			ID snowflake.ID `json:"id"`
		} `json:"guilds"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	s.session, s.resume, s.ready = e.Session, e.Resume, true
	s.d.know(e.User.ID)
	s.d.guilds.clear(s.index)
	s.d.guilds.connected(s.index, true)
	clear(s.pending)
	for _, g := range e.Guilds {
		s.pending[g.ID] = true
	}
	s.log.Info("connected to Discord", "guilds", len(e.Guilds))
	if s.position == 0 && len(e.Guilds) == 0 {
		// There is no message to begin after: what is older than now was not for it.
		s.newest = max(s.newest, snowflake.New(s.d.now()))
	}
	if s.index == 0 {
		if !s.registered {
			s.d.register(ctx, e.Application.ID)
			s.registered = true
		}
		if err := s.catchUpDirect(ctx); err != nil {
			return err
		}
	}
	s.advance(ctx)
	return ctx.Err()
}

func (s *shard) onResumed(context.Context, frame) error {
	s.ready = true
	s.d.guilds.connected(s.index, true)
	s.log.Info("resumed the session with Discord")
	return nil
}

func (s *shard) onGuild(ctx context.Context, f frame) error {
	var e struct {
		guild
		Unavailable bool      `json:"unavailable"`
		Channels    []channel `json:"channels"`
		Threads     []channel `json:"threads"`
		Voice       []voice   `json:"voice_states"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	if e.Unavailable {
		return nil
	}
	g := e.guild
	g.shard = s.index
	g.channels = map[snowflake.ID]channel{}
	for _, c := range append(e.Channels, e.Threads...) {
		c.Guild = g.ID
		g.channels[c.ID] = c
	}
	self, err := s.d.me(ctx)
	if err != nil {
		return err
	}
	for _, v := range e.Voice {
		if v.User == self {
			g.voice = v.state()
		}
	}
	s.d.guilds.add(&g)
	if s.pending[g.ID] {
		if err := s.catchUp(ctx, g.channels); err != nil {
			return err
		}
		delete(s.pending, g.ID)
		s.advance(ctx)
	}
	return nil
}

func (s *shard) onGuildChange(_ context.Context, f frame) error {
	var e guild
	if err := decode(f, &e); err != nil {
		return err
	}
	s.d.guilds.change(e.ID, func(g *guild) { g.Name, g.Owner, g.Roles = e.Name, e.Owner, e.Roles })
	return nil
}

func (s *shard) onGuildGone(_ context.Context, f frame) error {
	var e struct {
		ID          snowflake.ID `json:"id"`
		Unavailable bool         `json:"unavailable"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	s.d.guilds.remove(e.ID)
	delete(s.pending, e.ID)
	if e.Unavailable {
		s.pending[e.ID] = true // it comes back, and with it what was written meanwhile
	}
	return nil
}

func (s *shard) onRole(_ context.Context, f frame) error {
	var e struct {
		Guild snowflake.ID `json:"guild_id"`
		Role  role         `json:"role"`
		Gone  snowflake.ID `json:"role_id"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	s.d.guilds.change(e.Guild, func(g *guild) {
		var roles []role
		for _, r := range g.Roles {
			if r.ID != e.Role.ID && r.ID != e.Gone {
				roles = append(roles, r)
			}
		}
		if e.Role.ID != 0 {
			roles = append(roles, e.Role)
		}
		g.Roles = roles
	})
	return nil
}

func (s *shard) onChannel(_ context.Context, f frame) error {
	var c channel
	if err := decode(f, &c); err != nil {
		return err
	}
	if c.Guild != 0 {
		before, known := s.d.guilds.channel(c.ID)
		s.d.guilds.putChannel(c)
		s.watched(c, newsOf(before, known, c))
	}
	return nil
}

func (s *shard) onChannelGone(_ context.Context, f frame) error {
	var c channel
	if err := decode(f, &c); err != nil {
		return err
	}
	s.d.guilds.dropChannel(c)
	s.watched(c, platform.ThreadDeleted)
	return nil
}

func (s *shard) onThreads(_ context.Context, f frame) error {
	var e struct {
		Guild   snowflake.ID `json:"guild_id"`
		Threads []channel    `json:"threads"`
	}
	if err := decode(f, &e); err != nil {
		return err
	}
	for _, c := range e.Threads {
		c.Guild = e.Guild
		s.d.guilds.putChannel(c)
	}
	return nil
}

// hand hands something over until it is stored. Everything after it waits.
func (s *shard) hand(ctx context.Context, m platform.Message) error {
	for tries := 0; ; tries++ {
		err := s.inbox.Receive(ctx, m)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.log.Error("a message could not be stored and is tried again", "room", m.Room.String(), "message", m.ID, "error", err)
		if err := s.d.wait(ctx, backoff(tries)/10); err != nil {
			return err
		}
	}
}

// advance moves the position on, if everything before it has been handled.
func (s *shard) advance(ctx context.Context) {
	if len(s.pending) > 0 {
		return
	}
	first := s.position == 0
	s.position = max(s.position, s.newest)
	s.d.marks.reach(s.index, s.count, s.position)
	s.save(ctx, first)
}
