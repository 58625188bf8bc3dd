package platform

import "context"

// A Right is what a person may be allowed to do in a room, in words that stand after
// "may".
type Right string

const (
	ViewRoom       Right = "see the room"
	ReadHistory    Right = "read old messages"
	SendMessages   Right = "write messages"
	SendInThreads  Right = "write in threads"
	AttachFiles    Right = "attach files"
	AddReactions   Right = "add reactions"
	CreatePolls    Right = "create polls"
	CreateThreads  Right = "create threads"
	ManageThreads  Right = "manage threads"
	ManageMessages Right = "manage messages"
	PinMessages    Right = "pin messages"
	ManageRooms    Right = "manage channels"
	ManageRoles    Right = "manage roles"
	ManageEvents   Right = "manage events"
	TimeoutMembers Right = "time out members"
	KickMembers    Right = "kick members"
	BanMembers     Right = "ban members"
	ManageNames    Right = "manage nicknames"
	ConnectVoice   Right = "connect to voice rooms"
	ManageServer   Right = "manage the server"
)

// A Warden knows what people are allowed to do. An error means that it could not be
// determined, which is a refusal to whoever asks on behalf of a person.
type Warden interface {
	// May tells whether a person may do something in a room, by all rules of the
	// platform: roles, exceptions of the room, who owns the server.
	May(ctx context.Context, person string, right Right, room Room) (bool, error)

	// Outranks tells whether a person stands above another one, and OutranksRole
	// whether above a role.
	Outranks(ctx context.Context, near Room, person, other string) (bool, error)
	OutranksRole(ctx context.Context, near Room, person, role string) (bool, error)
}
