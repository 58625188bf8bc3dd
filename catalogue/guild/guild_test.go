package guild

import (
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

func TestActionsOfTheCategory(t *testing.T) {
	venuetest.Specs(t, "guild", Specs(venuetest.Platforms{}, time.Now), map[string]string{
		"memberInfo":     "query repeatable server",
		"roleInfo":       "query repeatable server",
		"roleAdd":        "repeatable server: manage roles",
		"roleRemove":     "repeatable server: manage roles",
		"searchMessages": "query repeatable: read old messages",
		"eventList":      "query repeatable server",
		"eventCreate":    "server: manage events",
		"eventEdit":      "repeatable server: manage events",
		"eventDelete":    "destructive server: manage events",
	})
}

func TestWhatIsDone(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, calls string }{
		{"a role is given", "roleAdd", `{"userId":"<@bob>","role":"editors"}`, "gave Bob the role editors", "give bob r4 near 10"},
		{"a role is given to whoever asks", "roleAdd", `{"userId":"@Ada","role":"<@&r1>"}`, "gave Ada the role readers", "give ada r1 near 10"},
		{"a role is taken", "roleRemove", `{"user":"bob","roleId":"r1"}`, "took the role readers from Bob", "take bob r1 near 10"},
		{
			"an event is scheduled in a voice channel", "eventCreate", `{"name":"Talk","startTime":"2026-01-11T20:00:00+02:00","channel":"Lounge"}`,
			"scheduled Talk for 2026-01-11 18:00 UTC, Lounge", `create "Talk" near 10: 2026-01-11T18:00:00Z to , room "12", location "", ""`,
		},
		{
			"an event is scheduled on a stage, in a zone that nobody named", "eventCreate", `{"name":"Talk","startTime":"2026-01-11T18:00","endTime":"2026-01-11 19:30","channelId":"15","description":"About tea"}`,
			"scheduled Talk for 2026-01-11 18:00 UTC, Stage", `create "Talk" near 10: 2026-01-11T18:00:00Z to 2026-01-11T19:30:00Z, room "15", location "", "About tea"`,
		},
		{
			"an event is scheduled somewhere else", "eventCreate", `{"name":"Walk","startTime":"2026-02-01","endTime":"2026-02-02","location":"Park"}`,
			"scheduled Walk for 2026-02-01 00:00 UTC, Park", `create "Walk" near 10: 2026-02-01T00:00:00Z to 2026-02-02T00:00:00Z, room "", location "Park", ""`,
		},
		{
			"an event is moved", "eventEdit", `{"eventId":"e1","startTime":"2026-01-12T18:00:00Z"}`,
			"changed the event Movie night; it starts at 2026-01-12 18:00 UTC", `edit e1 near 10: name -, 2026-01-12T18:00:00Z to -, room -, location -, description -`,
		},
		{
			"an event is renamed and loses its description", "eventEdit", `{"event":"movie night","name":"Film","description":""}`,
			"changed the event Film", `edit e1 near 10: name "Film", - to -, room -, location -, description ""`,
		},
		{
			"an event goes outside", "eventEdit", `{"eventId":"e1","location":"Park","endTime":"2026-01-12T18:00:00Z"}`,
			"changed the event Movie night", `edit e1 near 10: name -, - to 2026-01-12T18:00:00Z, room "", location "Park", description -`,
		},
		{
			"an event goes inside", "eventEdit", `{"eventId":"e2","channelId":"Lounge"}`,
			"changed the event Movie night", `edit e2 near 10: name -, - to -, room "12", location "", description -`,
		},
		{"an event is deleted", "eventDelete", `{"eventId":"e2"}`, "deleted the event Picnic", "delete e2 near 10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); !out.OK || out.Summary != test.summary || out.Data != nil {
				t.Errorf("%+v", out)
			}
			if got := strings.Join(s.calls, "\n"); got != test.calls {
				t.Errorf("asked was:\n%s", got)
			}
		})
	}
}

func TestWhatIsWrong(t *testing.T) {
	const at = `"startTime":"2026-01-11T18:00:00Z"`
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ name, action, args, summary string }{
		{"nobody to look up", "memberInfo", `{}`, "memberInfo: userId is missing"},
		{"somebody there is not", "memberInfo", `{"userId":"zoe"}`, "there is nobody called zoe"},
		{"a role there is not", "roleInfo", `{"role":"cooks"}`, "there is no role cooks"},
		{"nobody to give a role to", "roleAdd", `{"role":"readers"}`, "roleAdd: userId is missing"},
		{"no role to give", "roleAdd", `{"userId":"bob"}`, "roleAdd: role is missing"},
		{"a role to take there is not", "roleRemove", `{"userId":"bob","role":"cooks"}`, "there is no role cooks"},
		{"a role of the platform's own", "roleAdd", `{"userId":"bob","role":"robots"}`, "discord manages the role robots itself; nobody gives or takes it"},
		{"nothing to search for", "searchMessages", `{}`, "searchMessages: query is missing"},
		{"too much to search for", "searchMessages", `{"query":"` + long(1025) + `"}`, "searchMessages: query needs at most 1024 characters, got 1025"},
		{"too many messages", "searchMessages", `{"query":"a","limit":51}`, "searchMessages: limit needs 1 to 50, got 51"},
		{"too few messages", "searchMessages", `{"query":"a","limit":0}`, "searchMessages: limit needs 1 to 50, got 0"},
		{"too many pages", "searchMessages", `{"query":"a","maxPages":11}`, "searchMessages: maxPages needs 1 to 10, got 11"},
		{"no pages", "searchMessages", `{"query":"a","maxPages":0}`, "searchMessages: maxPages needs 1 to 10, got 0"},
		{"a channel there is not", "searchMessages", `{"query":"a","channel":"games"}`, "there is no channel games"},
		{"a bound that is no date", "searchMessages", `{"query":"a","before":"soon"}`, `searchMessages: before is a date such as 2026-01-31, or the id of a message in the channel, got "soon"`},
		{"a date there is not", "searchMessages", `{"query":"a","after":"2026-02-30"}`, `searchMessages: after is a date such as 2026-01-31, or the id of a message in the channel, got "2026-02-30"`},
		{"bounds in the wrong order", "searchMessages", `{"query":"a","before":"2026-01-01","after":"2026-01-02"}`, "searchMessages: before is not later than after; nothing is in between"},
		{"an event without a name", "eventCreate", `{` + at + `,"channelId":"12"}`, "eventCreate: name is missing"},
		{"a name that is too long", "eventCreate", `{"name":"` + long(101) + `",` + at + `,"channelId":"12"}`, "eventCreate: name needs 1 to 100 characters, got 101"},
		{"a description that is too long", "eventCreate", `{"name":"a","description":"` + long(1001) + `",` + at + `,"channelId":"12"}`, "eventCreate: description needs at most 1000 characters, got 1001"},
		{"a location that is too long", "eventCreate", `{"name":"a","location":"` + long(101) + `",` + at + `}`, "eventCreate: location needs at most 100 characters, got 101"},
		{"an event without a time", "eventCreate", `{"name":"a","channelId":"12"}`, "eventCreate: startTime is missing"},
		{"an event at a time that is none", "eventCreate", `{"name":"a","startTime":"tomorrow","channelId":"12"}`, `eventCreate: startTime is a date such as 2026-01-31T18:00:00Z, got "tomorrow"`},
		{"an event that ends at a time that is none", "eventCreate", `{"name":"a",` + at + `,"endTime":"late","channelId":"12"}`, `eventCreate: endTime is a date such as 2026-01-31T18:00:00Z, got "late"`},
		{"an event in the past", "eventCreate", `{"name":"a","startTime":"2026-01-10T12:00:00Z","channelId":"12"}`, "eventCreate: startTime is in the past; it is 2026-01-10 12:00 UTC now"},
		{"an event that ends before it starts", "eventCreate", `{"name":"a",` + at + `,"endTime":"2026-01-11T18:00:00Z","channelId":"12"}`, "eventCreate: endTime is not later than startTime"},
		{"an event nowhere", "eventCreate", `{"name":"a",` + at + `}`, "eventCreate: where is it? Give a channelId (voice) or a location"},
		{"an event in two places", "eventCreate", `{"name":"a",` + at + `,"channelId":"12","location":"Park"}`, "eventCreate: give a channelId or a location, not both"},
		{"an event outside without an end", "eventCreate", `{"name":"a",` + at + `,"location":"Park"}`, "eventCreate: an event at a location needs an endTime"},
		{"an event in a text channel", "eventCreate", `{"name":"a",` + at + `,"channelId":"general"}`, "#general is no voice channel, and events take place in one or at a location"},
		{"an event in a channel there is not", "eventCreate", `{"name":"a",` + at + `,"channelId":"games"}`, "there is no channel games"},
		{"no event to edit", "eventEdit", `{"name":"a"}`, "eventEdit: eventId is missing"},
		{"nothing to edit", "eventEdit", `{"eventId":"e1"}`, "eventEdit: nothing to change; give a name, startTime, endTime, description, channelId or location"},
		{"an event to edit there is not", "eventEdit", `{"eventId":"e9","name":"a"}`, "there is no event e9; eventList lists them"},
		{"an event is moved to the past", "eventEdit", `{"eventId":"e1","startTime":"2025-01-01"}`, "eventEdit: startTime is in the past; it is 2026-01-10 12:00 UTC now"},
		{"an event is made to end before it starts", "eventEdit", `{"eventId":"e2","startTime":"2026-01-20"}`, "eventEdit: endTime is not later than startTime"},
		{"an event goes outside without an end", "eventEdit", `{"eventId":"e1","location":"Park"}`, "eventEdit: an event at a location needs an endTime"},
		{"an event goes to two places", "eventEdit", `{"eventId":"e1","location":"Park","channelId":"12"}`, "eventEdit: give a channelId or a location, not both"},
		{"an event goes to a text channel", "eventEdit", `{"eventId":"e1","channelId":"general"}`, "#general is no voice channel, and events take place in one or at a location"},
		{"an event is edited to a time that is none", "eventEdit", `{"eventId":"e1","endTime":"late"}`, `eventEdit: endTime is a date such as 2026-01-31T18:00:00Z, got "late"`},
		{"no event to delete", "eventDelete", `{}`, "eventDelete: eventId is missing"},
		{"an event to delete there is not", "eventDelete", `{"eventId":"e9"}`, "there is no event e9; eventList lists them"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); out.OK || out.Refused || out.Summary != test.summary {
				t.Errorf("%+v", out)
			}
			if len(s.calls) > 0 {
				t.Errorf("asked was %q", s.calls)
			}
		})
	}
}

func TestWhoStandsNotAboveChangesNoRoles(t *testing.T) {
	for _, action := range []string{"roleAdd", "roleRemove"} {
		for _, test := range []struct{ name, args, summary string }{
			{"somebody equal", `{"userId":"eve","role":"readers"}`, "you do not stand above Eve"},
			{"one's own rank", `{"userId":"bob","role":"chiefs"}`, "you do not stand above the role chiefs"},
			{"one's own rank for oneself", `{"userId":"ada","role":"chiefs"}`, "you do not stand above the role chiefs"},
		} {
			s := newServer()
			if out := run(t, s, action, test.args); !out.Refused || out.Summary != test.summary || len(s.calls) > 0 {
				t.Errorf("%s, %s: %+v, %q", action, test.name, out, s.calls)
			}
		}
		s := newServer()
		s.Lost = platform.Refuse("Ada has left")
		if out := run(t, s, action, `{"userId":"bob","role":"readers"}`); !out.Refused || out.Summary != "nobody knows whether you stand above the role readers: Ada has left" || len(s.calls) > 0 {
			t.Errorf("%s: %+v, %q", action, out, s.calls)
		}
	}
}

func TestWhatIsFound(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, data string }{
		{"a member", "memberInfo", `{"userId":"@Bob"}`, "Bobby", `{"id":"bob","name":"Bob","nickname":"Bobby","joined":"2025-01-10T12:00:00Z","silentUntil":"2026-01-10T13:00:00Z","roles":[{"id":"r4","name":"editors"},{"id":"r1","name":"readers"}]}`},
		{"all roles, the highest first", "roleInfo", `{}`, "4 roles", `[{"id":"r5","name":"chiefs","position":5,"members":1},{"id":"r4","name":"editors","position":4,"members":2},{"id":"r2","name":"robots","position":2,"members":0,"managed":true},{"id":"r1","name":"readers","position":1}]`},
		{"one role", "roleInfo", `{"role":"@editors"}`, "the role editors", `[{"id":"r4","name":"editors","position":4,"members":2}]`},
		{"messages", "searchMessages", `{"query":"invoice"}`, `2 messages with "invoice"`, `[{"id":"m2","channel":"10","author":"Bob","authorId":"bob","at":"2026-01-10T12:00:00Z","text":"the invoice","files":["a.pdf"]},{"id":"m1","channel":"10","author":"Ada","authorId":"ada","at":"2026-01-10T11:59:00Z","text":"invoice?"}]`},
		{"no more messages than wanted", "searchMessages", `{"query":"invoice","limit":1}`, `1 message with "invoice"`, `[{"id":"m2","channel":"10","author":"Bob","authorId":"bob","at":"2026-01-10T12:00:00Z","text":"the invoice","files":["a.pdf"]}]`},
		{"events", "eventList", `{}`, "2 events", `[{"id":"e1","name":"Movie night","startTime":"2026-01-11T12:00:00Z","channelId":"12","description":"Bring tea"},{"id":"e2","name":"Picnic","startTime":"2026-01-12T12:00:00Z","endTime":"2026-01-12T14:00:00Z","location":"Park"}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if out := run(t, newServer(), test.action, test.args); !out.OK || out.Summary != test.summary || string(out.Data) != test.data {
				t.Errorf("%+v\n%s", out, out.Data)
			}
		})
	}
}

func TestASilenceThatIsOverIsNotMentioned(t *testing.T) {
	s := newServer()
	s.member.Silent = now
	if out := run(t, s, "memberInfo", `{"userId":"bob"}`); strings.Contains(string(out.Data), "silentUntil") {
		t.Errorf("%s", out.Data)
	}
}

func TestWhatThePlatformSaysIsPassedOn(t *testing.T) {
	refused := platform.Refuse("the server sleeps")
	for _, test := range []struct{ action, args, call, summary string }{
		{"memberInfo", `{"userId":"bob"}`, "member bob near 10", "could not look up Bob: the server sleeps"},
		{"roleInfo", `{}`, "roles near 10", "could not look up the roles: the server sleeps"},
		{"roleAdd", `{"userId":"bob","role":"readers"}`, "give bob r1 near 10", "could not give Bob the role readers: the server sleeps"},
		{"roleRemove", `{"userId":"bob","role":"readers"}`, "take bob r1 near 10", "could not take the role readers from Bob: the server sleeps"},
		{"searchMessages", `{"query":"a"}`, "search near 10 for ada", "could not search the messages: the server sleeps"},
		{"eventList", `{}`, "events near 10", "could not list the events: the server sleeps"},
		{"eventCreate", `{"name":"a","startTime":"2026-01-11","channelId":"12"}`, `create "a" near 10: 2026-01-11T00:00:00Z to , room "12", location "", ""`, "could not schedule a: the server sleeps"},
		{"eventEdit", `{"eventId":"e1","name":"a"}`, "events near 10", "could not look up the event e1: the server sleeps"},
		{"eventEdit", `{"eventId":"e1","name":"a"}`, `edit e1 near 10: name "a", - to -, room -, location -, description -`, "could not change the event Movie night: the server sleeps"},
		{"eventDelete", `{"eventId":"e1"}`, "delete e1 near 10", "could not delete the event Movie night: the server sleeps"},
	} {
		t.Run(test.action+" "+test.call, func(t *testing.T) {
			s := newServer()
			s.fail[test.call] = refused
			if out := run(t, s, test.action, test.args); out.OK || out.Refused || out.Summary != test.summary {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestAPlatformWithoutServers(t *testing.T) {
	for name, test := range map[string]struct{ args, summary string }{
		"memberInfo":     {`{"userId":"bob"}`, "signal cannot describe members"},
		"roleInfo":       {`{}`, "signal cannot describe roles"},
		"roleAdd":        {`{"userId":"bob","role":"a"}`, "signal cannot give and take roles"},
		"roleRemove":     {`{"userId":"bob","role":"a"}`, "signal cannot give and take roles"},
		"searchMessages": {`{"query":"a"}`, "signal cannot search messages"},
		"eventList":      {`{}`, "signal cannot list events"},
		"eventCreate":    {`{"name":"a","startTime":"2026-01-11","channelId":"12"}`, "signal cannot schedule events"},
		"eventEdit":      {`{"eventId":"e1","name":"a"}`, "signal cannot edit events"},
		"eventDelete":    {`{"eventId":"e1"}`, "signal cannot delete events"},
	} {
		if out := run(t, venuetest.Bare("signal"), name, test.args); out.OK || out.Summary != test.summary {
			t.Errorf("%s: %+v", name, out)
		}
	}
}
