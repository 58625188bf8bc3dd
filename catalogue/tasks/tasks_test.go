package tasks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
)

// lost is a board that cannot be reached. What boards do is tested with a real one, in
// internal/task.
type lost struct{}

var errLost = errors.New("dial tcp 10.0.0.1: secret")

func (lost) Create(context.Context, By, New) (Task, error) { return Task{}, errLost }
func (lost) Update(context.Context, By, string, Change) (Task, []string, error) {
	return Task{}, nil, errLost
}

func (lost) Close(context.Context, By, string, string) (Task, []string, error) {
	return Task{}, nil, errLost
}
func (lost) Show(context.Context, string) (Task, error)       { return Task{}, errLost }
func (lost) List(context.Context, Query) ([]Task, int, error) { return nil, 0, errLost }

// a forum reports what it is told to.
type forum struct{ err error }

func (f forum) Sync(context.Context) (string, error)       { return "1 thread made", f.err }
func (f forum) ReloadTags(context.Context) (string, error) { return "3 labels have tags", f.err }

func TestEveryActionIsDescribed(t *testing.T) {
	venuetest.Specs(t, category, Specs(lost{}, nil), map[string]string{
		"taskCreate": "repeatable", "taskUpdate": "repeatable", "taskClose": "repeatable",
		"taskShow": "query repeatable", "taskList": "query repeatable", "taskSync": "repeatable", "tagMapReload": "repeatable",
	})
}

func TestABoardThatCannotBeReachedIsNotBlamedOnThePerson(t *testing.T) {
	for name, args := range map[string]string{
		"taskCreate": `{"title":"x"}`, "taskUpdate": `{"taskId":"1","priority":1}`, "taskClose": `{"taskId":"1"}`, "taskShow": `{"taskId":"1"}`, "taskList": `{}`,
	} {
		want := name + ": the board cannot be reached at the moment; try again later"
		if out := venuetest.Run(t, Specs(lost{}, nil), action.Call{}, name, args); out.OK || out.Summary != want {
			t.Errorf("%s came to %+v", name, out)
		}
	}
}

func TestAForumReports(t *testing.T) {
	for name, want := range map[string]string{"taskSync": "1 thread made", "tagMapReload": "3 labels have tags"} {
		if out := venuetest.Run(t, Specs(lost{}, forum{}), action.Call{}, name, `{}`); !out.OK || out.Summary != want {
			t.Errorf("%s came to %+v", name, out)
		}
		if out := venuetest.Run(t, Specs(lost{}, forum{errors.New("the forum is gone")}), action.Call{}, name, `{}`); out.OK || out.Summary != "the forum is gone" {
			t.Errorf("%s came to %+v", name, out)
		}
	}
}

func TestALongNameIsNotRepeatedWhole(t *testing.T) {
	if out := failed("taskShow", strings.Repeat("é", 100), ErrNoTask); out.Summary != strings.Repeat("é", 60)+"… does not exist; taskList shows what does" {
		t.Errorf("it says %s", out.Summary)
	}
}

func TestAModelIsToldTheEndOfALongHistoryInShort(t *testing.T) {
	var all []Entry
	for range 100 {
		all = append(all, Entry{What: "old"})
	}
	all = append(all, Entry{What: strings.Repeat("é", 1000)})
	short := recent(all)
	if len(short) != 30 || short[29].What != strings.Repeat("é", 500)+"…" || len([]rune(all[100].What)) != 1000 {
		t.Errorf("%d entries, the last %q", len(short), short[len(short)-1].What)
	}
	if none := recent(nil); none == nil || len(none) != 0 {
		t.Errorf("no history is %v", none)
	}
}
