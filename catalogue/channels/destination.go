package channels

import (
	"context"
	"slices"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// destination is the category of a name or an id, if the person who asked may put
// something into it. They must be able to see it: whether there is another one of that
// name is not for them to know.
func destination(ctx context.Context, platforms venue.Platforms, keeper platform.RoomKeeper, c action.Call, name string) (platform.RoomInfo, *action.Outcome) {
	var none platform.RoomInfo
	rooms, err := keeper.Rooms(ctx, venue.Here(c), c.Person)
	if err != nil {
		out := venue.Failed(err, "look for the category %s", venue.Name(name))
		return none, &out
	}
	rooms = slices.DeleteFunc(slices.Clone(rooms), func(r platform.RoomInfo) bool { return r.Kind != platform.CategoryRoom })
	into, why := pick(rooms, name, "category", func(r platform.RoomInfo) (id, called string) { return r.Room.ID, r.Name })
	if why != "" {
		out := action.Fail("%s", why)
		return none, &out
	}
	if err := venue.May(ctx, platforms, c, platform.ManageRooms, into); err != nil {
		out := action.Refuse("%v", err)
		return none, &out
	}
	return into, nil
}

// pick finds the one thing of an id or a name, else it says why there is none, with the
// names there are.
func pick[T any](all []T, name, what string, called func(T) (id, name string)) (found T, why string) {
	wanted := strings.TrimSpace(name)
	bare := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(wanted, "<"), ">"), "#")
	var same []T
	var names []string
	for _, one := range all {
		id, its := called(one)
		if id == bare {
			return one, ""
		}
		if strings.EqualFold(its, wanted) || strings.EqualFold(its, bare) {
			same = append(same, one)
		}
		names = append(names, venue.Name(its))
	}
	switch {
	case len(same) == 1:
		return same[0], ""
	case len(same) > 1:
		return found, "there is more than one " + what + " " + venue.Name(wanted) + "; use its id"
	case len(names) == 0:
		return found, "there is no " + what + " " + venue.Name(wanted) + ", nor any other"
	case len(names) > mostNamed:
		names = append(names[:mostNamed], "…")
	}
	return found, "there is no " + what + " " + venue.Name(wanted) + "; there are: " + strings.Join(names, ", ")
}

// mostNamed is how many names a failure offers.
const mostNamed = 20
