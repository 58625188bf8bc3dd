package action

import (
	"context"
	"encoding/json"
	"testing"
)

type sendArgs struct {
	Channel  Room     `arg:"channel,chat" optional:"true"`
	Platform Platform `arg:"platform" optional:"true"`
}

func TestArgumentsSayWhichRoomAnActionIsAbout(t *testing.T) {
	send := Define(Spec{Name: "send"}, func(context.Context, Call, sendArgs) Outcome { return Outcome{} })
	for _, test := range []struct{ name, args, room, platform string }{
		{"none", `{}`, "", ""},
		{"none but space", `{"channel":" ","platform":" "}`, "", ""},
		{"a name", `{"channel":" #general "}`, "#general", ""},
		{"a number", `{"chat":123456789012345678}`, "123456789012345678", ""},
		{"one on another platform", `{"chat":"7","platform":" Telegram"}`, "7", "telegram"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args, err := send.Decode(json.RawMessage(test.args))
			if err != nil || args.Room != test.room || args.Platform != test.platform {
				t.Errorf("it is %q on %q, %v", args.Room, args.Platform, err)
			}
		})
	}
}
