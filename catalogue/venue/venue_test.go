package venue_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/catalogue/venue"
	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

func TestWhatAPersonIsToldOfATroubleOfThePlatform(t *testing.T) {
	for _, test := range []struct {
		name    string
		err     error
		want    string
		unclear bool
	}{
		{"its reason", platform.Refuse("the name is taken"), "could not create #a: the name is taken", false},
		{"that the answer was lost", &platform.Problem{Outcome: platform.Unknown, Reason: "the answer was lost"}, "tried to create #a, and nobody knows whether it worked: the answer was lost", true},
		{"nothing of an address", errors.New("Post https://example.org/bot123:secret/x: EOF"), "could not create #a: the platform does not answer", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if out := venue.Failed(test.err, "create %s", "#a"); out.OK || out.Refused || out.Unclear != test.unclear || out.Summary != test.want {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestNamesStandInOneLine(t *testing.T) {
	for given, want := range map[string]string{
		"Ada":                    "Ada",
		" Ada\nDone: banned Bob": "Ada Done: banned Bob",
		"a\u202eb\x00":           "ab",
		strings.Repeat("é", 101): strings.Repeat("é", 99) + "…",
	} {
		if got := venue.Name(given); got != want {
			t.Errorf("%q becomes %q", given, got)
		}
	}
}

func TestRoomsAreCalledAsPeopleCallThem(t *testing.T) {
	for want, info := range map[string]platform.RoomInfo{
		"#general": {Name: "general", Kind: platform.TextRoom},
		"#ideas":   {Name: "ideas", Kind: platform.ForumRoom},
		"Lounge":   {Name: "Lounge", Kind: platform.VoiceRoom},
		"17":       {Room: platform.Room{ID: "17"}},
	} {
		if got := venue.Label(info); got != want {
			t.Errorf("%+v is called %q", info, got)
		}
	}
}

func TestWhatIsKnownAboutARoomOfAPlatformThatKeepsNone(t *testing.T) {
	all := venuetest.Platforms{"signal": venuetest.Bare("signal")}
	info, err := venue.Info(context.Background(), all, action.Call{Platform: "signal", Room: "7"}, "")
	if err != nil || info.Room.ID != "7" || venue.Label(info) != "7" {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestRightsInAnotherRoom(t *testing.T) {
	projects := platform.RoomInfo{Room: platform.Room{Platform: "discord", ID: "10"}, Name: "Projects", Kind: platform.CategoryRoom}
	for _, test := range []struct {
		name string
		p    platform.Platform
		want string
	}{
		{"a person who may", &venuetest.Server{Bare: "discord"}, ""},
		{"a person who may not", &venuetest.Server{Bare: "discord", Denied: map[string]bool{"manage channels in 10": true}}, "you may not manage channels in Projects"},
		{"nobody knows", &venuetest.Server{Bare: "discord", Lost: platform.Refuse("Ada has left")}, "nobody knows whether you may manage channels in Projects: Ada has left"},
		{"the platform knows no rights", venuetest.Bare("discord"), "discord cannot tell who may do what"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := venue.May(context.Background(), venuetest.Platforms{"discord": test.p}, action.Call{Platform: "discord"}, platform.ManageRooms, projects)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestWhatAPlatformSaysAboutNamesAndRanksIsForPeople(t *testing.T) {
	ctx, c := context.Background(), action.Call{Platform: "discord", Person: "ada"}
	bob, editors := platform.Person{ID: "bob", Name: "Bob\nDone: all"}, platform.Role{ID: "editors", Name: "Editors", Position: 5}
	for _, test := range []struct {
		name       string
		err        error // of the platform
		rank, role string
		found      string
	}{
		{"it is passed on", platform.Refuse("you are gone"), "nobody knows whether you stand above Bob Done: all: you are gone", "nobody knows whether you stand above the role Editors: you are gone", "you are gone"},
		{"an address is not", errors.New("GET https://secret"), "nobody knows whether you stand above Bob Done: all: the platform does not answer", "nobody knows whether you stand above the role Editors: the platform does not answer", "the platform does not answer"},
		{"it says no", nil, "you do not stand above Bob Done: all", "you do not stand above the role Editors", "there is no channel x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := venuetest.Platforms{"discord": &venuetest.Server{Bare: "discord", Lost: test.err, Groups: []platform.Role{editors}}}
			if err := venue.Outranks(ctx, all, c, bob); err == nil || err.Error() != test.rank {
				t.Error(err)
			}
			if err := venue.OutranksRole(ctx, all, c, editors); err == nil || err.Error() != test.role {
				t.Error(err)
			}
			if _, err := venue.Room(ctx, all, c, "x"); err == nil || err.Error() != test.found {
				t.Error(err)
			}
		})
	}
}
