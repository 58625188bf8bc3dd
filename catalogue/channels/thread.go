package channels

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/platform"
)

type editThreadArgs struct {
	Thread      action.Room `arg:"threadId,thread,channelId,channel" doc:"its id"`
	Name        *string     `arg:"name" min:"1" max:"100" doc:"the new name"`
	AppliedTags *[]string   `arg:"appliedTags,tags" max:"5" doc:"all its tags from now on, by name or id"`
}

// Check wants at least one change.
func (a editThreadArgs) Check() error {
	if a.Name == nil && a.AppliedTags == nil {
		return errors.New("nothing to change; give a name or appliedTags")
	}
	return nil
}

func editThread(platforms venue.Platforms) *action.Spec {
	return action.Define(action.Spec{
		Name: "threadEdit", Category: category,
		Description: "Change a thread's name or tags; an archived one stays archived.",
		Example:     `{"type":"threadEdit","threadId":"123","name":"Solved: the door","appliedTags":["solved"]}`,
		Server:      true, // and not repeatable: after a crash half-way nobody knows that it was archived
		Right:       action.Right(platform.ManageRooms),
	}, func(ctx context.Context, c action.Call, args editThreadArgs) action.Outcome {
		threader, err := venue.Ability[platform.Threader](platforms, c.Platform, "edit threads")
		if err != nil {
			return action.Fail("%v", err)
		}
		was, err := venue.Info(ctx, platforms, c, args.Thread)
		if err != nil {
			return action.Fail("%v", err)
		}
		// Who may manage rooms may not manage the threads in all of them.
		if err := venue.May(ctx, platforms, c, platform.ManageThreads, was); err != nil {
			return action.Refuse("%v", err)
		}
		change := platform.ThreadChange{Name: args.Name}
		if args.AppliedTags != nil {
			ids, failed := tagIDs(ctx, platforms, c, was, *args.AppliedTags)
			if failed != nil {
				return *failed
			}
			change.Tags = &ids
		}
		if was.Archived {
			return editArchived(ctx, threader, was, change, args)
		}
		is, err := threader.EditThread(ctx, was.Room, change)
		if err != nil {
			return venue.Failed(err, "edit the thread %s", venue.Label(was))
		}
		return action.Done("%s", args.summary(venue.Label(was), venue.Label(is)))
	})
}

// putBack is how long archiving a thread again may take when the program is stopping.
const putBack = 10 * time.Second

// editArchived opens a thread, since platforms change no archived one, and archives it
// again whatever came of the change.
func editArchived(ctx context.Context, threader platform.Threader, was platform.RoomInfo, change platform.ThreadChange, args editThreadArgs) action.Outcome {
	yes, no := true, false
	if _, err := threader.EditThread(ctx, was.Room, platform.ThreadChange{Archived: &no}); err != nil {
		return venue.Failed(err, "open the archived thread %s", venue.Label(was))
	}
	is, failed := threader.EditThread(ctx, was.Room, change)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBack)
	defer cancel()
	_, open := threader.EditThread(last, was.Room, platform.ThreadChange{Archived: &yes})
	switch {
	case failed != nil && open != nil:
		out := venue.Failed(failed, "edit the thread %s", venue.Label(was))
		out.Summary += "; it is not archived any more: " + venue.Reason(open)
		return out
	case failed != nil:
		return venue.Failed(failed, "edit the thread %s", venue.Label(was))
	case open != nil:
		return action.Fail("%s, but could not archive it again: %s", args.summary(venue.Label(was), venue.Label(is)), venue.Reason(open))
	}
	return action.Done("%s", args.summary(venue.Label(was), venue.Label(is)))
}

func (a editThreadArgs) summary(was, is string) string {
	var done []string
	if a.Name != nil {
		done = append(done, "renamed the thread "+was+" to "+is)
	}
	if a.AppliedTags != nil {
		done = append(done, "changed the tags of "+is)
	}
	return strings.Join(done, " and ")
}

// tagIDs are the ids of tags, which stand in the forum that a thread is in.
func tagIDs(ctx context.Context, platforms venue.Platforms, c action.Call, thread platform.RoomInfo, names []string) ([]string, *action.Outcome) {
	ids := []string{}
	if len(names) == 0 {
		return ids, nil
	}
	keeper, err := venue.Ability[platform.TagKeeper](platforms, c.Platform, "tag threads")
	if err != nil {
		out := action.Fail("%v", err)
		return nil, &out
	}
	if thread.Parent == "" {
		out := action.Fail("%s is in no forum, and only threads of forums have tags", venue.Label(thread))
		return nil, &out
	}
	tags, err := keeper.Tags(ctx, platform.Room{Platform: c.Platform, ID: thread.Parent})
	if err != nil {
		out := venue.Failed(err, "look up the tags for %s", venue.Label(thread))
		return nil, &out
	}
	for _, name := range names {
		tag, why := pick(tags, name, "tag", called)
		if why != "" {
			out := action.Fail("%s", why)
			return nil, &out
		}
		ids = append(ids, tag.ID)
	}
	return ids, nil
}
