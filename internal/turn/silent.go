package turn

import (
	"context"
	"slices"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// In a room where the agent listens it reads everything and acts on it, and says nothing
// unless it is called. What it writes in such a turn is kept, and posted nowhere.

// silentNote tells the model so.
const silentNote = `
You listen in this room. Nobody has called you, and nobody sees what you write: only your instructions count, and you may not write in this room. React, remember or look something up if that is useful; otherwise reply with nothing.
`

// speaking are the rights to say something in a room.
var speaking = []platform.Right{platform.SendMessages, platform.AttachFiles, platform.CreatePolls, platform.CreateThreads}

// speaksHere tells whether an action says something in the room that a turn is about.
func (d *Decider) speaksHere(ctx context.Context, t *store.Turn, spec *action.Spec, args action.Args) bool {
	here := t.Message.Room
	speaks := slices.Contains(speaking, platform.Right(spec.Right)) || spec.Name == "voice" // which needs no right
	if !speaks || args.Platform != "" && args.Platform != here.Platform {
		return false
	}
	if args.Room == "" || d.Platforms == nil {
		return true
	}
	room, err := venue.Room(ctx, d.Platforms, action.Call{Platform: here.Platform, Room: here.ID}, action.Room(args.Room))
	return err != nil || room == here // where nobody knows, it stays silent
}
