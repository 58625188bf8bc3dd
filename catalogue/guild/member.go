package guild

import (
	"cmp"
	"context"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type memberInfoArgs struct {
	User action.Person `arg:"userId,user,member" doc:"the person's name or id"`
}

// A member as a model reads it.
type member struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Nickname    string  `json:"nickname,omitempty"`
	Bot         bool    `json:"bot,omitempty"`
	Joined      string  `json:"joined,omitempty"`
	SilentUntil string  `json:"silentUntil,omitempty"`
	Roles       []named `json:"roles"` // the highest first
}

type named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func memberInfo(platforms venue.Platforms, now func() time.Time) *action.Spec {
	return action.Define(action.Spec{
		Name: "memberInfo", Category: category,
		Description: "Look up a person of the server: names, roles, since when.",
		Example:     `{"type":"memberInfo","userId":"@ada"}`,
		Query:       true, Repeatable: true, Server: true,
	}, func(ctx context.Context, c action.Call, args memberInfoArgs) action.Outcome {
		keeper, err := venue.Ability[platform.MemberKeeper](platforms, c.Platform, "describe members")
		if err != nil {
			return action.Fail("%v", err)
		}
		person, err := venue.Person(ctx, platforms, c, args.User)
		if err != nil {
			return action.Fail("%v", err)
		}
		m, err := keeper.Member(ctx, venue.Here(c), person.ID)
		if err != nil {
			return venue.Failed(err, "look up %s", venue.Called(person))
		}
		found := member{ID: m.ID, Name: venue.Name(m.Name), Nickname: venue.Name(m.Nickname), Bot: m.Bot, Joined: stamp(m.Joined), Roles: []named{}}
		for _, g := range groups(m.Roles) {
			found.Roles = append(found.Roles, named{g.ID, g.Name})
		}
		if m.Silent.After(now()) {
			found.SilentUntil = stamp(m.Silent)
		}
		return action.Found(found, "%s", cmp.Or(found.Nickname, found.Name, m.ID))
	})
}
