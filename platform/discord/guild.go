package discord

import (
	"context"
	"sync"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// A guild is what is known about one of Discord's servers.
type guild struct {
	ID       snowflake.ID             `json:"id"`
	Name     string                   `json:"name"`
	Owner    snowflake.ID             `json:"owner_id"`
	Roles    []role                   `json:"roles"`
	channels map[snowflake.ID]channel // threads too
	voice    platform.VoiceState      // of the bot
	shard    int
}

func (g *guild) role(id snowflake.ID) (role, bool) {
	for _, r := range g.Roles {
		if r.ID == id {
			return r, true
		}
	}
	return role{}, false
}

// guilds are what the gateway tells. They hold while its connection does, or is resumed;
// in between, and for what they do not know, REST is asked. A guild that is handed out
// is not changed any more: a change makes a new one.
type guilds struct {
	mu   sync.Mutex
	byID map[snowflake.ID]*guild
	home map[snowflake.ID]snowflake.ID // the guild of a channel
	live map[int]bool                  // shards

	changed chan struct{} // closed when another shard is connected or a guild is there
}

func newGuilds() *guilds {
	return &guilds{byID: map[snowflake.ID]*guild{}, home: map[snowflake.ID]snowflake.ID{}, live: map[int]bool{}, changed: make(chan struct{})}
}

// connected says whether a shard's guilds hold.
func (gs *guilds) connected(shard int, yes bool) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.live[shard] = yes
	if yes {
		gs.tell()
	}
}

// tell tells whoever waits for a shard or a guild.
func (gs *guilds) tell() {
	close(gs.changed)
	gs.changed = make(chan struct{})
}

// changes is closed when another shard is connected or a guild is there.
func (gs *guilds) changes() <-chan struct{} {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	return gs.changed
}

// connections is how many shards are connected.
func (gs *guilds) connections() int {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	n := 0
	for _, yes := range gs.live {
		if yes {
			n++
		}
	}
	return n
}

// clear forgets a shard's guilds.
func (gs *guilds) clear(shard int) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	for id, g := range gs.byID {
		if g.shard == shard {
			gs.drop(id)
		}
	}
}

func (gs *guilds) drop(id snowflake.ID) {
	if g := gs.byID[id]; g != nil {
		for c := range g.channels {
			delete(gs.home, c)
		}
		delete(gs.byID, id)
	}
}

func (gs *guilds) add(g *guild) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.drop(g.ID)
	gs.byID[g.ID] = g
	for c := range g.channels {
		gs.home[c] = g.ID
	}
	gs.tell()
}

func (gs *guilds) remove(id snowflake.ID) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.drop(id)
}

// change changes a copy of a guild and puts it in its place.
func (gs *guilds) change(id snowflake.ID, change func(g *guild)) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	old := gs.byID[id]
	if old == nil {
		return
	}
	g := *old
	change(&g)
	gs.byID[id] = &g
}

// putChannel and dropChannel keep up with channels and threads. The maps are shared
// between copies of a guild, and guarded by the lock.
func (gs *guilds) putChannel(c channel) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if g := gs.byID[c.Guild]; g != nil {
		g.channels[c.ID] = c
		gs.home[c.ID] = g.ID
	}
}

func (gs *guilds) dropChannel(c channel) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if g := gs.byID[c.Guild]; g != nil {
		delete(g.channels, c.ID)
		delete(gs.home, c.ID)
	}
}

// get is a guild that holds, or nil.
func (gs *guilds) get(id snowflake.ID) *guild {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if g := gs.byID[id]; g != nil && gs.live[g.shard] {
		return g
	}
	return nil
}

func (gs *guilds) channel(id snowflake.ID) (channel, bool) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	g := gs.byID[gs.home[id]]
	if g == nil || !gs.live[g.shard] {
		return channel{}, false
	}
	c, ok := g.channels[id]
	return c, ok
}

func (gs *guilds) channels(id snowflake.ID) []channel {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	g := gs.byID[id]
	if g == nil || !gs.live[g.shard] {
		return nil
	}
	var all []channel
	for _, c := range g.channels {
		all = append(all, c)
	}
	return all
}

// isOwnRole tells whether a role is the one that Discord made for the bot.
func (gs *guilds) isOwnRole(guild, id, self snowflake.ID) bool {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	g := gs.byID[guild]
	if g == nil {
		return false
	}
	r, ok := g.role(id)
	return ok && r.Tags.Bot == self
}

// channel finds out about a channel.
func (d *Discord) channel(ctx context.Context, id snowflake.ID) (channel, error) {
	if c, ok := d.guilds.channel(id); ok {
		return c, nil
	}
	var c channel
	err := d.call(ctx, rest.GetChannel.Compile(nil, id), nil, &c)
	return c, err
}

// guild finds out about a guild: its owner and roles.
func (d *Discord) guild(ctx context.Context, id snowflake.ID) (*guild, error) {
	if g := d.guilds.get(id); g != nil {
		return g, nil
	}
	g := &guild{}
	err := d.call(ctx, rest.GetGuild.Compile(nil, id), nil, g)
	return g, err
}

// channelsOf finds all channels of a guild, and its active threads.
func (d *Discord) channelsOf(ctx context.Context, id snowflake.ID) ([]channel, error) {
	if all := d.guilds.channels(id); all != nil {
		return all, nil
	}
	var all []channel
	if err := d.call(ctx, rest.GetGuildChannels.Compile(nil, id), nil, &all); err != nil {
		return nil, err
	}
	var active struct {
		Threads []channel `json:"threads"`
	}
	if err := d.call(ctx, rest.GetActiveGuildThreads.Compile(nil, id), nil, &active); err != nil {
		return nil, err
	}
	return append(all, active.Threads...), nil
}

// near is the channel of a room and its guild. A direct chat has none, which is a
// problem for whoever asks.
func (d *Discord) near(ctx context.Context, in platform.Room) (channel, snowflake.ID, error) {
	id, err := parse("room", in.ID)
	if err != nil {
		return channel{}, 0, err
	}
	c, err := d.channel(ctx, id)
	if err == nil && c.Guild == 0 {
		err = platform.Refuse("this is a direct chat, and belongs to no Discord server")
	}
	return c, c.Guild, err
}

// member finds out about somebody in a guild.
func (d *Discord) member(ctx context.Context, guild, person snowflake.ID) (member, error) {
	var m member
	err := d.call(ctx, rest.GetMember.Compile(nil, guild, person), nil, &m)
	return m, err
}
