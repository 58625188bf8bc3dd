package messaging

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// FileSender posts a file to a room, once for each key, now or as soon as it can. read
// is asked for the file unless there is a post of that key already. It returns the
// SHA-256 of the bytes that were sent, in hexadecimal digits, "" if it is not known.
type FileSender interface {
	SendFile(ctx context.Context, turn int64, key string, room platform.Room, text string, read func() (platform.File, error)) (sum string, err error)
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
	return action.Define(action.Spec{
		Name: "sendFile", Category: category, Directive: "send-file",
		Description: reaching("Send a file, here or to another room, from the directory for outgoing files.", others),
		Example:     `{"type":"sendFile","filePath":"report.pdf","content":"The report you asked for."}`,
		Right:       action.Right(platform.AttachFiles),
		Quiet:       true,
		Repeatable:  true, // the post has the call's key
	}, sending{platforms, sender, folders, others}.run)
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
	to, err := venue.Ability[platform.Platform](s.platforms, room.Platform, "post")
	if err != nil {
		return failed("sendFile", err)
	}
	if to.Limits().FileSize == 0 {
		return action.Fail("%s", platform.Lacks(to, "send files").Reason)
	}
	sum, err := s.sender.SendFile(ctx, c.Turn, c.Key, room, args.Content, func() (platform.File, error) {
		return s.read(args.FilePath, to, args.Content, platform.Kind(args.Kind))
	})
	if err != nil {
		return action.Fail("could not send %s: %v", platform.CleanName(args.FilePath), err)
	}
	out := action.Done("sent %s", platform.CleanName(args.FilePath))
	if args.Cleanup {
		if err := s.folders.remove(args.FilePath, sum); err != nil {
			out.Summary += "; it was not removed: " + err.Error()
		}
	}
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
