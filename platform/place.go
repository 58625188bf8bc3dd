package platform

import "context"

// A RoomKind says what a room is for.
type RoomKind string

const (
	TextRoom         RoomKind = "text"
	VoiceRoom        RoomKind = "voice"
	AnnouncementRoom RoomKind = "announcement"
	StageRoom        RoomKind = "stage"
	ForumRoom        RoomKind = "forum"
	CategoryRoom     RoomKind = "category" // holds rooms, not messages
	ThreadRoom       RoomKind = "thread"
	DirectRoom       RoomKind = "direct"
)

// A RoomInfo is what is known about a room.
type RoomInfo struct {
	Room     Room
	Name     string
	Topic    string
	Kind     RoomKind
	Parent   string // the id of the category, or of the room that a thread is in
	Position int
	Archived bool     // a thread's
	Tags     []string // a thread's, by id
}

// A NewRoom is a room to be made.
type NewRoom struct {
	Name     string
	Topic    string
	Kind     RoomKind
	Parent   string // the id of a category, or ""
	Position *int
}

// A RoomChange is what changes about a room; nil stays as it is.
type RoomChange struct {
	Name     *string
	Topic    *string
	Parent   *string // "" takes it out of its category
	Position *int
}

// A RoomKeeper makes and changes rooms. near is any room of the server, guild or
// workspace that is meant.
type RoomKeeper interface {
	// Rooms lists the rooms that a person may see, categories included.
	Rooms(ctx context.Context, near Room, person string) ([]RoomInfo, error)
	RoomInfo(ctx context.Context, room Room) (RoomInfo, error)
	CreateRoom(ctx context.Context, near Room, room NewRoom) (RoomInfo, error)
	EditRoom(ctx context.Context, room Room, change RoomChange) (RoomInfo, error)
	DeleteRoom(ctx context.Context, room Room) error
}

// A NewThread is a thread to be begun.
type NewThread struct {
	Room               Room
	Message            string // that it begins at, or ""
	Name               string
	Text               string   // its first post, which a forum needs; "" for an Opener, where it is a post like any other
	AutoArchiveMinutes int      // 0 is the room's own
	Tags               []string // by id, in a forum
}

// A ThreadChange is what changes about a thread; nil stays as it is.
type ThreadChange struct {
	Name     *string
	Tags     *[]string // by id
	Archived *bool
}

// A Threader begins and changes threads.
type Threader interface {
	CreateThread(ctx context.Context, thread NewThread) (RoomInfo, error)
	ArchivedThreads(ctx context.Context, room Room, most int) ([]RoomInfo, error)
	EditThread(ctx context.Context, thread Room, change ThreadChange) (RoomInfo, error)
}

// A Tag can be put on the threads of a forum.
type Tag struct {
	ID    string
	Name  string
	Emoji string // a character, name:id, or ""
}

// A TagKeeper keeps the tags of a forum.
type TagKeeper interface {
	Tags(ctx context.Context, forum Room) ([]Tag, error)
	AddTag(ctx context.Context, forum Room, tag Tag) (Tag, error)
	RemoveTag(ctx context.Context, forum Room, id string) error
}

// A Finder finds what people call by a name. A name that fits nothing, or more than
// one, is a *Problem that says so.
type Finder interface {
	// FindRoom finds #general, general, <#123> or an id.
	FindRoom(ctx context.Context, near Room, name string) (Room, error)
	// FindPerson finds @ada, ada, <@123> or an id.
	FindPerson(ctx context.Context, near Room, name string) (Person, error)
	// FindRole finds @editors, editors, <@&123> or an id.
	FindRole(ctx context.Context, near Room, name string) (Role, error)
}
