package channels

import (
	"cmp"
	"context"
	"slices"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

// mostListed is how many rooms a model is told of.
const mostListed = 200

// A group is a category with its rooms, as a model reads it. The first one has those
// that are in none.
type group struct {
	Category string  `json:"category,omitempty"`
	ID       string  `json:"id,omitempty"`
	Channels []entry `json:"channels"`
}

type entry struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Kind   platform.RoomKind `json:"kind"`
	Parent string            `json:"parent,omitempty"` // a thread's
}

func list(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "channelList", Category: category,
		Description: "List the channels that the person can see, by category.",
		Example:     `{"type":"channelList"}`,
		Query:       true, Repeatable: true, Server: true,
	}, func(ctx context.Context, c action.Call, _ struct{}) action.Outcome {
		keeper, err := venue.Ability[platform.RoomKeeper](platforms, c.Platform, "list channels")
		if err != nil {
			return action.Fail("%v", err)
		}
		rooms, err := keeper.Rooms(ctx, venue.Here(c), c.Person)
		if err != nil {
			return venue.Failed(err, "list the channels")
		}
		groups, shown, all := byCategory(rooms)
		if shown < all {
			return action.Found(groups, "the first %d of %d channels", shown, all)
		}
		return action.Found(groups, "%s", venue.Count(all, "channel"))
	})
}

// byCategory puts rooms into groups, in the order in which people see them. It says how
// many are in there, of how many.
func byCategory(rooms []platform.RoomInfo) (groups []group, shown, all int) {
	rooms = slices.SortedStableFunc(slices.Values(rooms), func(a, b platform.RoomInfo) int { return cmp.Compare(a.Position, b.Position) })
	groups = []group{{Channels: []entry{}}}
	at := map[string]int{} // the group of a category
	for _, r := range rooms {
		if r.Kind == platform.CategoryRoom {
			at[r.Room.ID] = len(groups)
			groups = append(groups, group{Category: venue.Name(r.Name), ID: r.Room.ID, Channels: []entry{}})
		}
	}
	for _, r := range rooms {
		if r.Kind == platform.CategoryRoom {
			continue
		}
		if all++; all > mostListed {
			continue
		}
		shown++
		e := entry{ID: r.Room.ID, Name: venue.Name(r.Name), Kind: r.Kind}
		if r.Kind == platform.ThreadRoom {
			e.Parent = r.Parent
		}
		into := &groups[at[r.Parent]]
		into.Channels = append(into.Channels, e)
	}
	if len(groups[0].Channels) == 0 {
		groups = groups[1:]
	}
	return groups, shown, all
}
