package cron

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/crons"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/platform"
)

// Mirrored is the jobs as a forum shows them: a thread is archived while its job is paused.
type Mirrored struct{ *Desk }

var _ interface {
	forum.Board
	forum.Rewriter
} = Mirrored{}

// What the tag map calls jobs.
const (
	isActive = "active"
	isPaused = "paused"
)

// Name implements forum.Board.
func (m Mirrored) Name() string { return "crons" }

// Words implements forum.Board.
func (m Mirrored) Words() forum.Words {
	return forum.Words{One: "job", Many: "jobs", Closed: "paused", Reopened: "resumed", Statuses: []string{isActive, isPaused}}
}

// Items implements forum.Board. What somebody has asked for in a direct chat is nobody else's
// business.
func (m Mirrored) Items(ctx context.Context) ([]forum.Item, error) {
	jobs, err := m.Jobs(ctx)
	var items []forum.Item
	for _, j := range jobs {
		i := forum.Item{
			ID: j.ID(), Number: fmt.Sprintf("%03d", j.Number), Title: j.Name, Mark: "🟢", Labels: j.Tags, Status: isActive,
			Closed: j.Paused, NoThread: j.Direct, Changed: j.Updated,
		}
		if j.Paused {
			i.Mark, i.Status = "⏸️", isPaused
		}
		i.Write(j.Prompt, j.ID(), j.Schedule+" "+j.Zone, "in "+channelName(j), strings.Join(j.Tags, ", "), "for "+j.Person.Name)
		items = append(items, i)
	}
	return items, err
}

// Close implements forum.Board: it pauses a job.
func (m Mirrored) Close(ctx context.Context, i forum.Item, by forum.By) error {
	if by.Person.ID != "" {
		_, err := m.Pause(ctx, call(i.Thread, by.Person), i.ID, true)
		return refused(err)
	}
	number, _ := Number(i.ID)
	_, err := m.SetPaused(ctx, number, true)
	return refused(err)
}

// Reopen implements forum.Board: it resumes a job. Anybody who may write in a thread can open
// it, so it has to be known who has.
func (m Mirrored) Reopen(ctx context.Context, i forum.Item, by forum.By) error {
	if by.Person.ID == "" {
		return forum.Refusal("its thread was opened, and nobody knows by whom, so it stays paused: use cronResume, or let the bot see the audit log")
	}
	_, err := m.Pause(ctx, call(i.Thread, by.Person), i.ID, false)
	return refused(err)
}

// Rewrite implements forum.Rewriter: the text is the job's new prompt.
func (m Mirrored) Rewrite(ctx context.Context, i forum.Item, by platform.Person, text string) error {
	if strings.TrimSpace(text) == "" {
		return forum.Refusal("a job needs a prompt")
	}
	c := call(i.Thread, by)
	j, err := m.own(ctx, c, i.ID)
	if err != nil {
		return refused(err)
	}
	if err := venue.May(ctx, m.Platforms, c, platform.SendMessages, platform.RoomInfo{Room: j.Room, Name: j.RoomName}); err != nil {
		return forum.Refusal(venue.Reason(err))
	}
	_, err = m.Update(ctx, c, i.ID, crons.Change{Prompt: &text})
	return refused(err)
}

// call is somebody's wish as if they had said it in the thread.
func call(thread platform.Room, by platform.Person) action.Call {
	return action.Call{Platform: thread.Platform, Room: thread.ID, Person: by.ID, Name: by.Name, Handle: by.Handle}
}

// refused makes a problem of jobs a forum's refusal.
func refused(err error) error {
	var own *Problem
	var shown *crons.Problem
	switch {
	case errors.As(err, &own):
		return forum.Refusal(own.Why)
	case errors.As(err, &shown):
		return forum.Refusal(shown.Why)
	}
	return err
}

// A Forum is one as the actions know it: whoever asks gets the same.
type Forum struct{ *forum.Forum }

var _ crons.Forum = Forum{}

// Sync implements crons.Forum.
func (f Forum) Sync(ctx context.Context, _ action.Call) (string, error) { return f.Forum.Sync(ctx) }

// ReloadTags implements crons.Forum.
func (f Forum) ReloadTags(ctx context.Context, _ action.Call) (string, error) {
	return f.Forum.ReloadTags(ctx)
}
