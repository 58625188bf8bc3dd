package messaging

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// FileSender posts a file to a room, once for each key, now or as soon as it can. read
// is asked for the file unless there is a post of that key already. It returns the
// SHA-256 of the bytes that were sent, in hexadecimal digits, "" if it is not known.
type FileSender interface {
	SendFile(ctx context.Context, turn int64, key string, room platform.Room, text string, read func() (platform.File, error)) (sum string, err error)

	// SendFiles posts files that follow each other, in as few posts as the platform can make
	// of them, the first with the text. What it returns are as many, in the same order.
	SendFiles(ctx context.Context, turn int64, room platform.Room, text string, files []Outgoing) []Sent
}

// An Outgoing file is one of several to be sent.
type Outgoing struct {
	Key  string
	Read func() (platform.File, error)
}

// Sent is what became of an Outgoing file.
type Sent struct {
	Sum string // as SendFile has it
	Of  int    // how many files its post has
	Err error
}

type sendFileArgs struct {
	FilePath string          `arg:"filePath,path,file" doc:"its name in the directory for outgoing files, or its whole path"`
	Content  string          `arg:"content,caption,text" optional:"true" doc:"a text to go with it"`
	Kind     string          `arg:"kind" optional:"true" values:"image,file,audio" doc:"how it is shown"`
	Channel  action.Room     `arg:"channel,channelId,chat,chatId" optional:"true" doc:"this room if left out"`
	Platform action.Platform `arg:"platform" optional:"true" doc:"of the room, this one if left out"`
	Cleanup  bool            `arg:"cleanup" optional:"true" doc:"remove the file once it was delivered"`
}

// SendFile is the action that sends a file from one of the folders. others are the rooms
// that may be written to from another platform than their own.
func SendFile(platforms Platforms, sender FileSender, folders Folders, others ...platform.Room) *action.Spec {
	s := sending{platforms, sender, folders, others}
	return action.Join(action.Define(action.Spec{
		Name: "sendFile", Category: category, Directive: "send-file",
		Description: reaching("Send a file, here or to another room, from the directory for outgoing files.", others),
		Example:     `{"type":"sendFile","filePath":"report.pdf","content":"The report you asked for."}`,
		Right:       action.Right(platform.AttachFiles),
		Quiet:       true,
		Repeatable:  true, // the post has the call's key
	}, s.run), s.runAll)
}

// sending is what it takes to send a file.
type sending struct {
	platforms Platforms
	sender    FileSender
	folders   Folders
	others    []platform.Room
}

func (s sending) run(ctx context.Context, c action.Call, args sendFileArgs) action.Outcome {
	room, err := anywhere(ctx, s.platforms, c, args.Channel, args.Platform, s.others)
	if err != nil {
		return failed("sendFile", err)
	}
	to, err := s.taker(room)
	if err != nil {
		return failed("sendFile", err)
	}
	sum, err := s.sender.SendFile(ctx, c.Turn, c.Key, room, args.Content, func() (platform.File, error) {
		return s.read(args.FilePath, to, args.Content, platform.Kind(args.Kind))
	})
	return s.outcome(args, Sent{Sum: sum, Of: 1, Err: err}, []sendFileArgs{args})
}

// taker is the platform of a room, if it takes files.
func (s sending) taker(room platform.Room) (platform.Platform, error) {
	to, err := venue.Ability[platform.Platform](s.platforms, room.Platform, "post")
	if err != nil {
		return nil, err
	}
	if to.Limits().FileSize == 0 {
		return nil, platform.Lacks(to, "send files").Err()
	}
	return to, nil
}

// outcome is what the sending of a file came to, which was one of some.
func (s sending) outcome(args sendFileArgs, sent Sent, together []sendFileArgs) action.Outcome {
	var p *platform.Problem
	switch {
	case errors.As(sent.Err, &p) && p.Outcome == platform.Unknown:
		return unclear(together, p.Reason)
	case sent.Err != nil:
		return action.Fail("could not send %s: %v", platform.CleanName(args.FilePath), sent.Err)
	}
	out := action.Done("sent %s", platform.CleanName(args.FilePath))
	if args.Cleanup {
		if err := s.folders.remove(args.FilePath, sent.Sum); err != nil {
			out.Summary += "; it was not removed: " + err.Error()
		}
	}
	return out
}

// unclear is the outcome of files of which nobody knows whether they arrived. It is the same
// for each of them, so that people are told once.
func unclear(together []sendFileArgs, reason string) action.Outcome {
	var names []string
	for _, args := range together {
		names = append(names, platform.CleanName(args.FilePath))
	}
	it := "it"
	if len(names) > 1 {
		it = "them"
	}
	out := action.Fail("%s may not have arrived (%s); look whether you see %s before you ask again", strings.Join(names, ", "), reason, it)
	out.Unclear = true
	return out
}

// read is the file, if the platform takes it.
func (s sending) read(given string, to platform.Platform, text string, kind platform.Kind) (platform.File, error) {
	if err := fits(s.platforms, to.Name(), text); err != nil {
		return platform.File{}, err
	}
	file, err := s.folders.read(given, min(to.Limits().FileSize, s.folders.MaxSize))
	if err != nil {
		return platform.File{}, err
	}
	image := platform.ImageType(file.Data) != ""
	switch {
	case kind == platform.KindImage && !image:
		return platform.File{}, fmt.Errorf("it is no image (png, jpeg, gif or webp); send it with kind file")
	case kind == platform.KindAudio && (image || platform.IsText(file.Data)):
		return platform.File{}, fmt.Errorf("it is no audio; send it with kind file")
	}
	file.Kind = kind
	return file, nil
}
