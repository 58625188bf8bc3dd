package later_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/later"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

// A page is a book in memory.
type page struct {
	fail error
	all  []later.Appointment
}

func (p *page) Add(_ context.Context, _ string, a later.Appointment) (later.Appointment, error) {
	a.ID = string(a.Kind) + "-1"
	p.all = append(p.all, a)
	return a, p.fail
}

func (p *page) List(context.Context, later.Kind) ([]later.Appointment, error) { return p.all, p.fail }

func (p *page) Find(_ context.Context, kind later.Kind, id string) (later.Appointment, error) {
	for _, a := range p.all {
		if a.ID == id {
			return a, p.fail
		}
	}
	return later.Appointment{}, later.NotFound(kind, id)
}

func (p *page) Cancel(ctx context.Context, kind later.Kind, id string) (later.Appointment, error) {
	return p.Find(ctx, kind, id)
}

func TestSpecs(t *testing.T) {
	all := later.Specs(venuetest.Platforms{}, &page{}, 30*time.Minute)
	of := func(category string) []*action.Spec {
		return slices.DeleteFunc(slices.Clone(all), func(s *action.Spec) bool { return s.Category != category })
	}
	venuetest.Specs(t, "defer", of("defer"), map[string]string{
		"defer": "repeatable: write messages", "deferList": "query repeatable", "deferCancel": "repeatable",
	})
	venuetest.Specs(t, "loop", of("loop"), map[string]string{
		"loopCreate": "repeatable: write messages", "loopList": "query repeatable", "loopCancel": "repeatable",
	})
	if !strings.Contains(all[0].Description, "later, 30 minutes at most:") {
		t.Errorf("the guide says %q", all[0].Description)
	}
}

func server() venuetest.Platforms {
	room := func(id, name string, kind platform.RoomKind, parent string) platform.RoomInfo {
		return platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: id}, Name: name, Kind: kind, Parent: parent}
	}
	return venuetest.Platforms{"discord": keeper{Server: &venuetest.Server{Bare: "discord", Places: []platform.RoomInfo{
		room("1", "general", platform.TextRoom, "9"), room("2", "ideas", platform.TextRoom, "9"), room("3", "a thread", platform.ThreadRoom, "2"),
	}}}}
}

// A keeper is a server that can tell about its rooms.
type keeper struct {
	*venuetest.Server
	platform.RoomKeeper
}

func (k keeper) RoomInfo(_ context.Context, room platform.Room) (platform.RoomInfo, error) {
	for _, r := range k.Places {
		if r.Room == room {
			return r, nil
		}
	}
	return platform.RoomInfo{}, platform.Refuse("there is no such room")
}

func TestWhereItIsDone(t *testing.T) {
	c := action.Call{Key: "k", Platform: "discord", Room: "1", Parent: "p", Person: "ada", Name: "Ada", Handle: "ada1"}
	for _, test := range []struct {
		name, channel string
		want          later.Appointment
	}{
		{"here", "", later.Appointment{Room: platform.Room{Platform: "discord", ID: "1"}, Parent: "p", Place: "#general"}},
		{"here, by its name", "general", later.Appointment{Room: platform.Room{Platform: "discord", ID: "1"}, Parent: "p", Place: "#general"}},
		{"in another channel", "ideas", later.Appointment{Room: platform.Room{Platform: "discord", ID: "2"}, Place: "#ideas"}},
		{"in a thread, for which counts what is said of its channel", "3", later.Appointment{Room: platform.Room{Platform: "discord", ID: "3"}, Parent: "2", Place: "a thread"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			book := &page{}
			out := venuetest.Run(t, later.Specs(server(), book, time.Hour), c, "defer", `{"delaySeconds":60,"prompt":"Go.","channel":"`+test.channel+`"}`)
			if !out.OK || len(book.all) != 1 {
				t.Fatalf("%+v", out)
			}
			got := book.all[0]
			test.want.ID, test.want.Kind, test.want.Prompt, test.want.Delay = "defer-1", later.Deferral, "Go.", time.Minute
			test.want.Person = platform.Person{ID: "ada", Name: "Ada", Handle: "ada1"}
			if got != test.want {
				t.Errorf("written down is %+v", got)
			}
		})
	}
}

func TestATroubleOfTheBookIsSaid(t *testing.T) {
	book := &page{fail: errors.New("nothing can be stored"), all: []later.Appointment{{ID: "loop-1", Kind: later.Loop, Room: platform.Room{Platform: "discord", ID: "1"}, Person: platform.Person{ID: "ada"}}}}
	c := action.Call{Platform: "discord", Room: "1", Person: "ada"}
	for does, want := range map[string]string{
		`defer {"delaySeconds":60,"prompt":"x"}`:         "defer: nothing can be stored",
		`loopCreate {"intervalSeconds":60,"prompt":"x"}`: "loopCreate: nothing can be stored",
		`loopList {}`:                "loopList: nothing can be stored",
		`loopCancel {"id":"loop-1"}`: "loopCancel: nothing can be stored",
		`defer {"delaySeconds":60,"prompt":"x","channel":"nowhere"}`:     "defer: there is no channel nowhere",
		`loop {"intervalSeconds":60,"prompt":"x","channelId":"nowhere"}`: "loopCreate: there is no channel nowhere",
	} {
		name, args, _ := strings.Cut(does, " ")
		if out := venuetest.Run(t, later.Specs(server(), book, time.Hour), c, name, args); out.OK || out.Summary != want {
			t.Errorf("%s came to %+v", does, out)
		}
	}
}

// Nobody learns of what is in a direct chat with somebody else, or on another platform.
func TestWhatIsElsewhereIsNotSeen(t *testing.T) {
	other := platform.Person{ID: "bob", Name: "Bob"}
	book := &page{all: []later.Appointment{
		{ID: "defer-1", Kind: later.Deferral, Room: platform.Room{Platform: "discord", ID: "77"}, Direct: true, Person: other, Open: true},
		{ID: "defer-2", Kind: later.Deferral, Room: platform.Room{Platform: "telegram", ID: "1"}, Person: platform.Person{ID: "ada"}, Open: true},
	}}
	c := action.Call{Platform: "discord", Room: "1", Person: "ada"}
	specs := later.Specs(server(), book, time.Hour)
	if out := venuetest.Run(t, specs, c, "deferList", `{}`); !out.OK || string(out.Data) != "[]" || out.Summary != "0 deferrals" {
		t.Errorf("listed are %+v", out)
	}
	for _, id := range []string{"defer-1", "defer-2"} {
		if out := venuetest.Run(t, specs, c, "deferCancel", `{"id":"`+id+`"}`); out.OK || out.Summary != "deferCancel: there is no deferral "+id+"; the list has those there are" {
			t.Errorf("%s came to %+v", id, out)
		}
	}
}
