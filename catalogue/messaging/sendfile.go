package messaging

import (
	"context"
	"fmt"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// FileSender posts a file to a room, once for each key, now or as soon as it can. read
// is asked for the file unless there is a post of that key already. It returns the
// SHA-256 of the bytes that were sent, in hexadecimal digits, "" if it is not known.
type FileSender interface {
	SendFile(ctx context.Context, turn int64, key string, room platform.Room, text string, read func() (platform.File, error)) (sum string, err error)
}

// SendFile is the action that sends a file from one of the folders.
func SendFile(platforms Platforms, sender FileSender, folders Folders) *action.Spec {
	return &action.Spec{
		Name:        "sendFile",
		Description: "Send a file, here or to another room, from the directory for outgoing files.",
		Args: []action.Arg{
			{Name: "filePath", Aliases: []string{"path", "file"}, Description: "its name in the directory for outgoing files, or its whole path"},
			{Name: "content", Aliases: []string{"caption", "text"}, Optional: true, Description: "a text to go with it"},
			{Name: "kind", Optional: true, Values: []string{string(platform.KindImage), string(platform.KindFile), string(platform.KindAudio)}, Description: "how it is shown"},
			{Name: "chat", Aliases: []string{"channel", "channelId"}, Optional: true, Description: "the room; this one if left out"},
			{Name: "platform", Optional: true, Description: "the room's platform; this one if left out"},
			{Name: "cleanup", Optional: true, Values: []string{"true", "false"}, Description: "remove the file once it was delivered"},
		},
		Example:    `{"type":"sendFile","filePath":"report.pdf","content":"The report you asked for."}`,
		Quiet:      true,
		Repeatable: true, // the post has the call's key
		Run: func(ctx context.Context, c action.Call) action.Outcome {
			return sending{platforms, sender, folders}.run(ctx, c)
		},
	}
}

// sending is what it takes to send a file.
type sending struct {
	platforms Platforms
	sender    FileSender
	folders   Folders
}

func (s sending) run(ctx context.Context, c action.Call) action.Outcome {
	room := platform.Room{Platform: c.Args["platform"], ID: c.Args["chat"]}
	if room.Platform == "" {
		room.Platform = c.Platform
	}
	if room.ID == "" {
		if room.Platform != c.Platform {
			return action.Fail("sendFile: chat is missing; it is a room on %s", room.Platform)
		}
		room.ID = c.Room
	}
	to, ok := s.platforms.Platform(room.Platform)
	if !ok {
		return action.Fail("%s is not connected", room.Platform)
	}
	if to.Limits().FileSize == 0 {
		return action.Fail("%s", platform.Lacks(to, "send files").Reason)
	}
	given := c.Args["filePath"]
	sum, err := s.sender.SendFile(ctx, c.Turn, c.Key, room, c.Args["content"], func() (platform.File, error) {
		return s.read(given, to, c.Args["content"], platform.Kind(c.Args["kind"]))
	})
	if err != nil {
		return action.Fail("could not send %s: %v", platform.CleanName(given), err)
	}
	out := action.Done("sent %s", platform.CleanName(given))
	if c.Args["cleanup"] == "true" {
		if err := s.folders.remove(given, sum); err != nil {
			out.Summary += "; it was not removed: " + err.Error()
		}
	}
	return out
}

// read is the file, if the platform takes it.
func (s sending) read(given string, to platform.Platform, text string, kind platform.Kind) (platform.File, error) {
	limits := to.Limits()
	if n := limits.Count.Of(text); limits.Text > 0 && n > limits.Text {
		return platform.File{}, fmt.Errorf("its content has %d characters, and %s takes %d", n, to.Name(), limits.Text)
	}
	file, err := s.folders.read(given, min(limits.FileSize, s.folders.MaxSize))
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
