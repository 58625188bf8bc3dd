package guild

import (
	"cmp"
	"context"
	"slices"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// mostRoles is how many roles a model is told of.
const mostRoles = 100

// A group is a role as a model reads it.
type group struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Position int    `json:"position"`
	Members  *int   `json:"members,omitempty"`
	Managed  bool   `json:"managed,omitempty"`
}

// groups are roles, the highest first.
func groups(roles []platform.Role) []group {
	roles = slices.SortedStableFunc(slices.Values(roles), func(a, b platform.Role) int { return cmp.Compare(b.Position, a.Position) })
	all := []group{}
	for _, r := range roles[:min(len(roles), mostRoles)] {
		g := group{ID: r.ID, Name: venue.Name(r.Name), Position: r.Position, Managed: r.Managed}
		if r.Members >= 0 {
			g.Members = &r.Members
		}
		all = append(all, g)
	}
	return all
}

type roleInfoArgs struct {
	Role string `arg:"role,roleId" optional:"true" doc:"its name or id; all if left out"`
}

func roleInfo(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "roleInfo", Category: category,
		Description: "Look up the server's roles, or one of them.",
		Example:     `{"type":"roleInfo"}`,
		Query:       true, Repeatable: true, Server: true,
	}, func(ctx context.Context, c action.Call, args roleInfoArgs) action.Outcome {
		keeper, err := venue.Ability[platform.RoleKeeper](platforms, c.Platform, "describe roles")
		if err != nil {
			return action.Fail("%v", err)
		}
		if args.Role != "" {
			role, err := venue.Role(ctx, platforms, c, args.Role)
			if err != nil {
				return action.Fail("%v", err)
			}
			return action.Found(groups([]platform.Role{role}), "the role %s", venue.Name(role.Name))
		}
		roles, err := keeper.Roles(ctx, venue.Here(c))
		if err != nil {
			return venue.Failed(err, "look up the roles")
		}
		if len(roles) > mostRoles {
			return action.Found(groups(roles), "the highest %d of %d roles", mostRoles, len(roles))
		}
		return action.Found(groups(roles), "%s", venue.Count(len(roles), "role"))
	})
}

type giveRoleArgs struct {
	User action.Person `arg:"userId,user,member" doc:"the person's name or id"`
	Role string        `arg:"role,roleId" doc:"its name or id"`
}

func addRole(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "roleAdd", Category: category,
		Description: "Give a person a role.",
		Example:     `{"type":"roleAdd","userId":"@ada","role":"editors"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ManageRoles),
	}, func(ctx context.Context, c action.Call, args giveRoleArgs) action.Outcome {
		g, failed := giftOf(ctx, platforms, c, args)
		if failed != nil {
			return *failed
		}
		if err := g.keeper.AddRole(ctx, venue.Here(c), g.person.ID, g.role.ID); err != nil {
			return venue.Failed(err, "give %s the role %s", venue.Called(g.person), venue.Name(g.role.Name))
		}
		return action.Done("gave %s the role %s", venue.Called(g.person), venue.Name(g.role.Name))
	})
}

func removeRole(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "roleRemove", Category: category,
		Description: "Take a role from a person.",
		Example:     `{"type":"roleRemove","userId":"@ada","role":"editors"}`,
		Repeatable:  true, Server: true,
		Right: action.Right(platform.ManageRoles),
	}, func(ctx context.Context, c action.Call, args giveRoleArgs) action.Outcome {
		g, failed := giftOf(ctx, platforms, c, args)
		if failed != nil {
			return *failed
		}
		if err := g.keeper.RemoveRole(ctx, venue.Here(c), g.person.ID, g.role.ID); err != nil {
			return venue.Failed(err, "take the role %s from %s", venue.Name(g.role.Name), venue.Called(g.person))
		}
		return action.Done("took the role %s from %s", venue.Name(g.role.Name), venue.Called(g.person))
	})
}

// A gift is a role and whom it is given to or taken from.
type gift struct {
	keeper platform.RoleKeeper
	person platform.Person
	role   platform.Role
}

// giftOf finds both, and says why the person who asked may not do it: they must stand
// above the role, and above the other one unless that is themselves.
func giftOf(ctx context.Context, platforms venue.Platforms, c action.Call, args giveRoleArgs) (gift, *action.Outcome) {
	fail := func(out action.Outcome) (gift, *action.Outcome) { return gift{}, &out }
	keeper, err := venue.Ability[platform.RoleKeeper](platforms, c.Platform, "give and take roles")
	if err != nil {
		return fail(action.Fail("%v", err))
	}
	person, err := venue.Person(ctx, platforms, c, args.User)
	if err != nil {
		return fail(action.Fail("%v", err))
	}
	role, err := venue.Role(ctx, platforms, c, args.Role)
	if err != nil {
		return fail(action.Fail("%v", err))
	}
	if err := venue.OutranksRole(ctx, platforms, c, role); err != nil {
		return fail(action.Refuse("%v", err))
	}
	if person.ID != c.Person {
		if err := venue.Outranks(ctx, platforms, c, person); err != nil {
			return fail(action.Refuse("%v", err))
		}
	}
	if role.Managed {
		return fail(action.Fail("%s manages the role %s itself; nobody gives or takes it", c.Platform, venue.Name(role.Name)))
	}
	return gift{keeper, person, role}, nil
}
