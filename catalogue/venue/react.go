package venue

import (
	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A reaction is what an action that has put an emoji on a message leaves in the ledger, so
// that nobody takes it for a mark and takes it off again.
type reaction struct {
	Reacted   string `json:"reacted,omitempty"`
	Unreacted string `json:"unreacted,omitempty"`
	Room      string `json:"room"`
	Message   string `json:"message"`
}

// Reacted is the outcome of having put an emoji on a message.
func Reacted(room platform.Room, message, emoji, format string, a ...any) action.Outcome {
	return action.Found(reaction{Reacted: emoji, Room: room.ID, Message: message}, format, a...)
}

// Unreacted is the outcome of having taken one off.
func Unreacted(room platform.Room, message, emoji, format string, a ...any) action.Outcome {
	return action.Found(reaction{Unreacted: emoji, Room: room.ID, Message: message}, format, a...)
}
