package profile

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type nicknameArgs struct {
	Nickname string `arg:"nickname" min:"1" max:"32"`
}

func setNickname(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "botSetNickname", Category: category,
		Description: "Set what you are called on this server.",
		Example:     `{"type":"botSetNickname","nickname":"Librarian"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ManageNames),
	}, func(ctx context.Context, c action.Call, args nicknameArgs) action.Outcome {
		presence, err := venue.Ability[platform.Presence](platforms, c.Platform, "have nicknames")
		if err != nil {
			return action.Fail("%v", err)
		}
		if err := presence.SetNickname(ctx, venue.Here(c), args.Nickname); err != nil {
			return venue.Failed(err, "set the nickname to %s", venue.Name(args.Nickname))
		}
		return action.Done("set the nickname to %s", venue.Name(args.Nickname))
	})
}
