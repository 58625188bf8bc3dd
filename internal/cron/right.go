package cron

import (
	"context"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// seen are the jobs that a person may know of.
func (d *Desk) seen(ctx context.Context, c action.Call) ([]store.CronJob, error) {
	all, err := d.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	known := map[platform.Room]bool{} // a platform is asked once about each room
	var seen []store.CronJob
	for _, j := range all {
		sees, asked := known[j.Room]
		if !asked || j.Direct {
			sees = d.sees(ctx, c, j)
			known[j.Room] = sees
		}
		if sees {
			seen = append(seen, j)
		}
	}
	return seen, nil
}

// sees tells whether a person may know of a job: if they may see its room. Where nobody can
// tell, they know of their own.
func (d *Desk) sees(ctx context.Context, c action.Call, j store.CronJob) bool {
	switch {
	case j.Room.Platform != c.Platform:
		return false
	case j.Room == venue.Here(c):
		return true
	case j.Direct:
		return isOf(c, j)
	}
	warden, err := venue.Ability[platform.Warden](d.Platforms, c.Platform, "tell who may do what")
	if err != nil {
		return isOf(c, j)
	}
	may, err := warden.May(ctx, c.Person, platform.ViewRoom, j.Room)
	return err == nil && may
}

// isOf tells whether a job runs with the rights of the person who asks.
func isOf(c action.Call, j store.CronJob) bool {
	return j.Room.Platform == c.Platform && j.Person.ID == c.Person
}

// own is a job that a person may change: their own, or one in a room that they manage.
func (d *Desk) own(ctx context.Context, c action.Call, id string) (store.CronJob, error) {
	jobs, err := d.seen(ctx, c)
	if err != nil {
		return store.CronJob{}, err
	}
	j, err := Find(jobs, id)
	if err != nil || isOf(c, j) {
		return j, err
	}
	in := platform.RoomInfo{Room: j.Room, Name: j.RoomName}
	if err := venue.May(ctx, d.Platforms, c, platform.ManageRooms, in); err != nil {
		return j, refusal("%s is not yours: %s", j.ID(), venue.Reason(err))
	}
	return j, nil
}

// place puts a job into a room.
func (d *Desk) place(ctx context.Context, c action.Call, channel action.Room, j *store.CronJob) error {
	room, err := venue.Room(ctx, d.Platforms, c, channel)
	if err != nil {
		return problem("channel: %s", venue.Reason(err))
	}
	j.Room, j.RoomName, j.Parent, j.Direct = room, "", "", false
	info, err := venue.Info(ctx, d.Platforms, c, action.Room(room.ID))
	if room == venue.Here(c) {
		j.Parent, j.Direct = c.Parent, c.Direct
	} else if err != nil {
		return problem("channel: %s", venue.Reason(err))
	} else {
		j.Parent = info.Parent
	}
	if err == nil && info.Name != "" && info.Name != room.ID {
		j.RoomName = venue.Label(info)
	}
	if d.Allowed != nil && !d.Allowed(platform.Message{Room: j.Room, Parent: j.Parent, Direct: j.Direct}) {
		return refusal("the agent is not to be talked to in that room")
	}
	return nil
}
