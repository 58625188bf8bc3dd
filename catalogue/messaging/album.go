package messaging

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// runAll sends files that follow each other in a reply. Those for this room that have no text
// of their own go with the one before them, so that they can become an album.
func (s sending) runAll(ctx context.Context, calls []action.Call, args []sendFileArgs) []action.Outcome {
	var all []action.Outcome
	for i := 0; i < len(calls); {
		n := follow(args[i:])
		if n == 1 {
			all = append(all, s.run(ctx, calls[i], args[i]))
		} else {
			all = append(all, s.together(ctx, calls[i:i+n], args[i:i+n])...)
		}
		i += n
	}
	return all
}

// follow is how many of the next files go together. It looks at what was written and at
// nothing that can be different the next time.
func follow(args []sendFileArgs) int {
	n := 1
	for n < len(args) && isHere(args[0]) && isHere(args[n]) && args[n].Content == "" {
		n++
	}
	return n
}

func isHere(args sendFileArgs) bool { return args.Channel == "" && args.Platform == "" }

// together sends files to this room.
func (s sending) together(ctx context.Context, calls []action.Call, args []sendFileArgs) []action.Outcome {
	room := venue.Here(calls[0])
	to, err := s.taker(room)
	var files []Outgoing
	for i, c := range calls {
		text := ""
		if i == 0 {
			text = args[i].Content
		}
		files = append(files, Outgoing{Key: c.Key, Read: func() (platform.File, error) {
			return s.read(args[i].FilePath, to, text, platform.Kind(args[i].Kind))
		}})
	}
	all := make([]action.Outcome, len(calls))
	if err != nil {
		for i := range all {
			all[i] = failed("sendFile", err)
		}
		return all
	}
	sent := s.sender.SendFiles(ctx, calls[0].Turn, room, args[0].Content, files)
	for i := 0; i < len(sent); {
		n := max(sent[i].Of, 1)
		for j := i; j < i+n; j++ {
			all[j] = s.outcome(args[j], sent[j], args[i:i+n])
		}
		i += n
	}
	return all
}
