package venue

import (
	"encoding/json"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A reaction is what an action that has put an emoji on a message leaves behind, so that
// nobody takes it for a mark and takes it off again.
type reaction struct {
	Reacted   string `json:"reacted,omitempty"`
	Unreacted string `json:"unreacted,omitempty"`
	Room      string `json:"room"`
	Message   string `json:"message"`
}

// Reacted is the outcome of having put an emoji on a message.
func Reacted(room platform.Room, message, emoji, format string, a ...any) action.Outcome {
	return reaction{Reacted: emoji, Room: room.ID, Message: message}.outcome(format, a...)
}

// Unreacted is the outcome of having taken one off.
func Unreacted(room platform.Room, message, emoji, format string, a ...any) action.Outcome {
	return reaction{Unreacted: emoji, Room: room.ID, Message: message}.outcome(format, a...)
}

func (r reaction) outcome(format string, a ...any) action.Outcome {
	out := action.Done(format, a...)
	out.Trace, _ = json.Marshal(r) // strings, which always can be
	return out
}
