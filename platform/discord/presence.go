package discord

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// presence is how the agent appears. It is said again whenever a session begins: Discord
// forgets it with the session.
type presence struct {
	status   string
	activity map[string]any
}

// presenceNow is what a session is to say.
func (d *Discord) presenceNow() map[string]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	status, activities := d.presence.status, []any{}
	if status == "" {
		status = "online"
	}
	if d.presence.activity != nil {
		activities = append(activities, d.presence.activity)
	}
	return map[string]any{"since": nil, "activities": activities, "status": status, "afk": false}
}

// appear changes how the agent appears and tells Discord. What Discord was not told is
// forgotten: it must not come true with the next session.
func (d *Discord) appear(ctx context.Context, change func(*presence)) error {
	shards, err := d.connection(ctx, 0)
	if err != nil {
		return err
	}
	d.mu.Lock()
	before := d.presence
	change(&d.presence)
	d.mu.Unlock()
	for _, s := range shards {
		if err := s.send(ctx, opPresence, d.presenceNow()); err != nil {
			d.mu.Lock()
			d.presence = before
			d.mu.Unlock()
			return err
		}
	}
	return nil
}

// connection is the connections to the gateway, once all of them are sessions and, if it is
// not 0, a guild has been heard of. After a restart, turns are taken up while that is still
// under way.
func (d *Discord) connection(ctx context.Context, guild snowflake.ID) ([]*shard, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		changed := d.guilds.changes()
		d.mu.Lock()
		shards := d.shards
		d.mu.Unlock()
		if len(shards) > 0 && d.guilds.connections() == len(shards) && (guild == 0 || d.guilds.get(guild) != nil) {
			return shards, nil
		}
		select {
		case <-changed:
		case <-late.C:
			return nil, notConnected()
		case <-ctx.Done():
			return nil, notConnected()
		}
	}
}

func notConnected() *platform.Problem {
	return &platform.Problem{Outcome: platform.Failed, Reason: "Discord is not connected at the moment"}
}

var statuses = map[string]bool{"online": true, "idle": true, "dnd": true, "invisible": true}

// SetStatus implements platform.Presence.
func (d *Discord) SetStatus(ctx context.Context, status string) error {
	if !statuses[status] {
		return platform.Refuse("a status on Discord is online, idle, dnd or invisible, not %q", short(status))
	}
	return d.appear(ctx, func(p *presence) { p.status = status })
}

var activities = map[string]int{"playing": 0, "listening": 2, "watching": 3, "custom": 4, "competing": 5}

const customActivity = 4

// SetActivity implements platform.Presence. No name takes it away.
func (d *Discord) SetActivity(ctx context.Context, kind, name string) error {
	number, ok := activities[strings.ToLower(kind)]
	switch {
	case !ok:
		return platform.Refuse("an activity on Discord is Playing, Listening, Watching, Competing or Custom, not %q", short(kind))
	case utf8.RuneCountInString(name) > 128:
		return platform.Refuse("an activity on Discord has 128 characters at most")
	}
	activity := map[string]any{"name": name, "type": number}
	if number == customActivity {
		activity = map[string]any{"name": "Custom Status", "type": number, "state": name}
	}
	if name == "" {
		activity = nil
	}
	return d.appear(ctx, func(p *presence) { p.activity = activity })
}

// SetNickname implements platform.Presence. No name takes it away.
func (d *Discord) SetNickname(ctx context.Context, in platform.Room, name string) error {
	_, guild, err := d.near(ctx, in)
	if err != nil {
		return err
	}
	if utf8.RuneCountInString(name) > 32 {
		return platform.Refuse("a nickname on Discord has 32 characters at most")
	}
	return d.call(ctx, rest.UpdateCurrentMember.Compile(nil, guild), map[string]any{"nick": name}, nil)
}
