package platform

import (
	"context"
	"time"
)

// A Role is a group of people with rights. Position tells which of two stands higher.
type Role struct {
	ID       string
	Name     string
	Position int
	Members  int  // -1 where nobody knows
	Managed  bool // by the platform; nobody gives or takes it
}

// A Member is a person on a server.
type Member struct {
	Person
	Nickname string
	Roles    []Role
	Joined   time.Time
	Silent   time.Time // until when the person may not write; zero if they may
}

// A MemberKeeper knows the people of a server.
type MemberKeeper interface {
	Member(ctx context.Context, near Room, person string) (Member, error)
}

// A RoleKeeper gives and takes roles. Both are repeatable.
type RoleKeeper interface {
	Roles(ctx context.Context, near Room) ([]Role, error)
	AddRole(ctx context.Context, near Room, person, role string) error
	RemoveRole(ctx context.Context, near Room, person, role string) error
}

// A Moderator silences and removes people.
type Moderator interface {
	Timeout(ctx context.Context, near Room, person string, silent time.Duration, reason string) error
	Kick(ctx context.Context, near Room, person, reason string) error
	Ban(ctx context.Context, near Room, person, reason string, deleteDays int) error
}

// An Event is something that people of a server meet for.
type Event struct {
	ID          string
	Name        string
	Description string
	Starts      time.Time
	Ends        time.Time // zero if open
	Room        string    // the id of a voice or stage room, or ""
	Location    string    // somewhere else, or ""
}

// An EventChange is what changes about an event; nil stays as it is.
type EventChange struct {
	Name        *string
	Description *string
	Starts      *time.Time
	Ends        *time.Time
	Room        *string
	Location    *string
}

// An EventKeeper keeps a server's events.
type EventKeeper interface {
	Events(ctx context.Context, near Room) ([]Event, error)
	CreateEvent(ctx context.Context, near Room, event Event) (Event, error)
	EditEvent(ctx context.Context, near Room, id string, change EventChange) (Event, error)
	DeleteEvent(ctx context.Context, near Room, id string) error
}

// A Presence is how the agent itself appears.
type Presence interface {
	SetStatus(ctx context.Context, status string) error       // online, idle, dnd or invisible
	SetActivity(ctx context.Context, kind, name string) error // Playing, Listening, Watching, Competing or Custom
	SetNickname(ctx context.Context, near Room, name string) error
}

// A VoiceState is where and how the agent is in a server's voice rooms.
type VoiceState struct {
	Room     string // its id, or "" if it is in none
	Muted    bool
	Deafened bool
}

// A Voice can be present in voice rooms.
type Voice interface {
	JoinVoice(ctx context.Context, room Room) error
	LeaveVoice(ctx context.Context, near Room) error
	VoiceState(ctx context.Context, near Room) (VoiceState, error)
	MuteVoice(ctx context.Context, near Room, mute bool) error
	DeafenVoice(ctx context.Context, near Room, deafen bool) error
}
