package channels

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asidehq/aside/catalogue/venue/venuetest"
	"github.com/asidehq/aside/platform"
)

func TestActionsOfTheCategory(t *testing.T) {
	venuetest.Specs(t, "channels", Specs(venuetest.Platforms{}), map[string]string{
		"channelList":        "query repeatable server",
		"channelInfo":        "query repeatable server: see the room",
		"channelCreate":      "server: manage channels",
		"channelEdit":        "repeatable server: manage channels",
		"channelDelete":      "destructive server: manage channels",
		"channelMove":        "repeatable server: manage channels",
		"categoryCreate":     "server: manage channels",
		"threadListArchived": "query repeatable server: see the room",
		"threadEdit":         "server: manage channels",
		"forumTagCreate":     "server: manage channels",
		"forumTagDelete":     "destructive server: manage channels",
		"forumTagList":       "query repeatable server: manage channels",
	})
}

func TestWhatIsDone(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, calls string }{
		{"a channel is created", "channelCreate", `{"name":"news"}`, "created #news", `create text news near 10: topic "", parent "", position -`},
		{"a channel is created in a category", "channelCreate", `{"name":"news","parent":"projects","topic":"What is new","channelType":"Announcement"}`, "created #news in Projects", `create announcement news near 10: topic "What is new", parent "2", position -`},
		{"a category is meant by its id", "channelCreate", `{"name":"Stage","parentId":2,"channelType":"stage"}`, "created Stage in Projects", `create stage Stage near 10: topic "", parent "2", position -`},
		{"a category is created", "categoryCreate", `{"name":"Games"}`, "created the category Games", `create category Games near 10: topic "", parent "", position -`},
		{"a category is created at a position", "categoryCreate", `{"name":"Games","position":"0"}`, "created the category Games", `create category Games near 10: topic "", parent "", position 0`},
		{"a channel is renamed", "channelEdit", `{"channel":"#releases","name":"news"}`, "renamed #releases to #news", `edit 11: name "news", topic -, parent -, position -`},
		{"this channel gets a topic", "channelEdit", `{"topic":"Tea"}`, "changed the topic of #general", `edit 10: name -, topic "Tea", parent -, position -`},
		{"a topic is taken away", "channelEdit", `{"channelId":"<#10>","name":"all","topic":""}`, "renamed #general to #all and took the topic of #all away", `edit 10: name "all", topic "", parent -, position -`},
		{"a channel is deleted", "channelDelete", `{"channel":"releases"}`, "deleted #releases", "delete 11"},
		{"a channel is moved to a category", "channelMove", `{"channel":"general","parent":"Projects"}`, "moved #general to Projects", `edit 10: name -, topic -, parent "2", position -`},
		{"a channel is moved to a position", "channelMove", `{"channel":"general","position":3}`, "moved #general, position 3", `edit 10: name -, topic -, parent -, position 3`},
		{"a channel is moved to both", "channelMove", `{"parent":"#Archive","position":0}`, "moved #general to Archive, position 0", `edit 10: name -, topic -, parent "3", position 0`},
		{"a channel is taken out of its category", "channelMove", `{"channel":"11","parent":""}`, "took #releases out of its category", `edit 11: name -, topic -, parent "", position -`},
		{"a thread is renamed", "threadEdit", `{"threadId":"14","name":"Solved"}`, "renamed the thread The door to Solved", `edit thread 14: name "Solved", tags -, archived -`},
		{"a thread gets tags by their names and ids", "threadEdit", `{"threadId":14,"appliedTags":"Planned, t2"}`, "changed the tags of The door", `edit thread 14: name -, tags [t1 t2], archived -`},
		{"a thread loses its tags", "threadEdit", `{"thread":"14","appliedTags":[]}`, "changed the tags of The door", `edit thread 14: name -, tags [], archived -`},
		{"a tag is added", "forumTagCreate", `{"channel":"ideas","name":"done","emoji":":tada:"}`, "added the tag done to #ideas", `tag 13: done 🎉`},
		{"a tag is deleted by its id", "forumTagDelete", `{"channel":"ideas","tagId":"t1"}`, "deleted the tag planned of #ideas", `untag 13: t1`},
		{"a tag is deleted by its name", "forumTagDelete", `{"channel":"ideas","tagId":"c#"}`, "deleted the tag C# of #ideas", `untag 13: t2`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			out := run(t, s, test.action, test.args)
			if !out.OK || out.Summary != test.summary || out.Data != nil {
				t.Errorf("%+v", out)
			}
			if got := strings.Join(s.calls, "\n"); got != test.calls {
				t.Errorf("asked was:\n%s", got)
			}
		})
	}
}

func TestWhatIsWrong(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ name, action, args, summary string }{
		{"a channel without a name", "channelCreate", `{}`, "channelCreate: name is missing"},
		{"a name that is too long", "channelCreate", `{"name":"` + long(101) + `"}`, "channelCreate: name needs 1 to 100 characters, got 101"},
		{"a topic that is too long", "channelCreate", `{"name":"a","topic":"` + long(1025) + `"}`, "channelCreate: topic needs at most 1024 characters, got 1025"},
		{"a kind there is not", "channelCreate", `{"name":"a","channelType":"thread"}`, `channelCreate: channelType is one of text, voice, announcement, stage, forum, got "thread"`},
		{"a category there is not", "channelCreate", `{"name":"a","parent":"Games"}`, "there is no category Games; there are: Projects, Archive"},
		{"a category that is a channel", "channelMove", `{"parent":"releases"}`, "there is no category releases; there are: Projects, Archive"},
		{"a category without a name", "categoryCreate", `{"position":1}`, "categoryCreate: name is missing"},
		{"a category's name that is too long", "categoryCreate", `{"name":"` + long(101) + `"}`, "categoryCreate: name needs 1 to 100 characters, got 101"},
		{"a position before the first", "categoryCreate", `{"name":"a","position":-1}`, "categoryCreate: position needs at least 0, got -1"},
		{"nothing to edit", "channelEdit", `{"channel":"general"}`, "channelEdit: nothing to change; give a name or a topic"},
		{"a new name that is empty", "channelEdit", `{"name":""}`, "channelEdit: name needs 1 to 100 characters, got 0"},
		{"a new name that is too long", "channelEdit", `{"name":"` + long(101) + `"}`, "channelEdit: name needs 1 to 100 characters, got 101"},
		{"a new topic that is too long", "channelEdit", `{"topic":"` + long(1025) + `"}`, "channelEdit: topic needs at most 1024 characters, got 1025"},
		{"a channel there is not", "channelEdit", `{"channel":"games","name":"a"}`, "there is no channel games"},
		{"nothing to delete", "channelDelete", `{}`, "channelDelete: channel is missing"},
		{"a channel to delete there is not", "channelDelete", `{"channel":"games"}`, "there is no channel games"},
		{"nowhere to move", "channelMove", `{"channel":"general"}`, "channelMove: nowhere to move it; give a parent or a position"},
		{"a position that is none", "channelMove", `{"position":"first"}`, `channelMove: position is a whole number, got "first"`},
		{"too many threads", "threadListArchived", `{"limit":101}`, "threadListArchived: limit needs 1 to 100, got 101"},
		{"too few threads", "threadListArchived", `{"limit":0}`, "threadListArchived: limit needs 1 to 100, got 0"},
		{"no thread", "threadEdit", `{"name":"a"}`, "threadEdit: threadId is missing"},
		{"nothing to change about a thread", "threadEdit", `{"threadId":"14"}`, "threadEdit: nothing to change; give a name or appliedTags"},
		{"a thread's name that is too long", "threadEdit", `{"threadId":"14","name":"` + long(101) + `"}`, "threadEdit: name needs 1 to 100 characters, got 101"},
		{"too many tags", "threadEdit", `{"threadId":"14","appliedTags":["1","2","3","4","5","6"]}`, "threadEdit: appliedTags needs at most 5 entries, got 6"},
		{"a tag there is not", "threadEdit", `{"threadId":"14","appliedTags":["done"]}`, "there is no tag done; there are: planned, C#"},
		{"tags on what is in no forum", "threadEdit", `{"threadId":"general","appliedTags":["planned"]}`, "#general is in no forum, and only threads of forums have tags"},
		{"a tag without a name", "forumTagCreate", `{"channel":"ideas"}`, "forumTagCreate: name is missing"},
		{"a tag's name that is too long", "forumTagCreate", `{"channel":"ideas","name":"` + long(21) + `"}`, "forumTagCreate: name needs 1 to 20 characters, got 21"},
		{"a tag that is there", "forumTagCreate", `{"channel":"ideas","name":"Planned"}`, "#ideas has a tag Planned already"},
		{"a tag for what is no forum", "forumTagCreate", `{"name":"done"}`, "#general is no forum, and only forums have tags"},
		{"a tag of no forum", "forumTagDelete", `{"tagId":"t1"}`, "forumTagDelete: channel is missing"},
		{"no tag to delete", "forumTagDelete", `{"channel":"ideas"}`, "forumTagDelete: tagId is missing"},
		{"a tag to delete there is not", "forumTagDelete", `{"channel":"ideas","tagId":"t9"}`, "there is no tag t9; there are: planned, C#"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if out := run(t, s, test.action, test.args); out.OK || out.Summary != test.summary {
				t.Errorf("%+v", out)
			}
			if len(s.calls) > 0 {
				t.Errorf("asked was %q", s.calls)
			}
		})
	}
}

func TestAForumHasAtMostTwentyTags(t *testing.T) {
	s := newServer()
	for len(s.tags) < 20 {
		s.tags = append(s.tags, platform.Tag{ID: strconv.Itoa(len(s.tags)), Name: strconv.Itoa(len(s.tags))})
	}
	out := run(t, s, "forumTagCreate", `{"channel":"ideas","name":"done"}`)
	if out.OK || out.Summary != "#ideas has 20 tags, and more than 20 are not possible; delete one first" || len(s.calls) > 0 {
		t.Errorf("%+v", out)
	}
}

func TestTwoOfOneNameAreNotGuessedAt(t *testing.T) {
	s := newServer()
	s.Places[1].Name = "projects"
	if out := run(t, s, "channelMove", `{"parent":"Projects"}`); out.OK || out.Summary != "there is more than one category Projects; use its id" {
		t.Errorf("%+v", out)
	}
	if out := run(t, s, "channelMove", `{"parent":"3"}`); !out.OK {
		t.Errorf("%+v", out)
	}
}

func TestWhoMayNotManageACategoryPutsNothingIntoIt(t *testing.T) {
	for name, args := range map[string]string{"channelCreate": `{"name":"a","parent":"Projects"}`, "channelMove": `{"parent":"Projects"}`} {
		s := newServer()
		s.Denied = map[string]bool{"manage channels in 2": true}
		if out := run(t, s, name, args); !out.Refused || out.Summary != "you may not manage channels in Projects" || len(s.calls) > 0 {
			t.Errorf("%s: %+v, %q", name, out, s.calls)
		}
		s = newServer()
		s.Lost = platform.Refuse("Ada has left")
		if out := run(t, s, name, args); !out.Refused || out.Summary != "nobody knows whether you may manage channels in Projects: Ada has left" || len(s.calls) > 0 {
			t.Errorf("%s: %+v, %q", name, out, s.calls)
		}
	}
}

func TestWhoMayNotManageThreadsChangesNone(t *testing.T) {
	s := newServer()
	s.Denied = map[string]bool{"manage threads in 14": true}
	if out := run(t, s, "threadEdit", `{"threadId":"14","name":"Solved"}`); !out.Refused || out.Summary != "you may not manage threads in The door" || len(s.calls) > 0 {
		t.Errorf("%+v, %q", out, s.calls)
	}
}

func TestAnArchivedThreadIsOpenedAndArchivedAgain(t *testing.T) {
	const open, rename, archive = `edit thread 14: name -, tags -, archived false`, `edit thread 14: name "Solved", tags -, archived -`, `edit thread 14: name -, tags -, archived true`
	refused := platform.Refuse("the thread is locked")
	for _, test := range []struct {
		name    string
		fail    []string
		ok      bool
		summary string
		calls   []string
	}{
		{"all goes well", nil, true, "renamed the thread The door to Solved", []string{open, rename, archive}},
		{"it cannot be opened", []string{open}, false, "could not open the archived thread The door: the thread is locked", []string{open}},
		{"it cannot be edited", []string{rename}, false, "could not edit the thread The door: the thread is locked", []string{open, rename, archive}},
		{"it cannot be archived again", []string{archive}, false, "renamed the thread The door to Solved, but could not archive it again: the thread is locked", []string{open, rename, archive}},
		{"neither of both", []string{rename, archive}, false, "could not edit the thread The door: the thread is locked; it is not archived any more: the thread is locked", []string{open, rename, archive}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			s.Places[6].Archived = true
			for _, call := range test.fail {
				s.fail[call] = refused
			}
			out := run(t, s, "threadEdit", `{"threadId":"14","name":"Solved"}`)
			if out.OK != test.ok || out.Summary != test.summary || !slices.Equal(s.calls, test.calls) {
				t.Errorf("%+v\n%q", out, s.calls)
			}
		})
	}
}

func TestWhatIsFound(t *testing.T) {
	for _, test := range []struct{ name, action, args, summary, data string }{
		{
			"channels by category, in order", "channelList", `{}`, "5 channels",
			`[{"channels":[{"id":"10","name":"general","kind":"text"},{"id":"14","name":"The door","kind":"thread","parent":"13"}]},` +
				`{"category":"Archive","id":"3","channels":[]},` +
				`{"category":"Projects","id":"2","channels":[{"id":"12","name":"Lounge","kind":"voice"},{"id":"11","name":"releases","kind":"text"},{"id":"13","name":"ideas","kind":"forum"}]}]`,
		},
		{"this channel", "channelInfo", `{}`, "#general", `{"id":"10","name":"general","kind":"text","topic":"All else","position":0}`},
		{"another channel", "channelInfo", `{"channelId":"<#11>"}`, "#releases", `{"id":"11","name":"releases","kind":"text","parent":"2","position":1}`},
		{"archived threads", "threadListArchived", `{"channel":"ideas","limit":"2"}`, "2 archived threads in #ideas", `[{"id":"20","name":"Old","tags":["t1"]},{"id":"21","name":"Older still"}]`},
		{"no archived threads", "threadListArchived", `{"channel":"general"}`, "0 archived threads in #general", `[]`},
		{"the tags of a forum", "forumTagList", `{"channel":"ideas"}`, "2 tags of #ideas", `[{"id":"t1","name":"planned","emoji":"👀"},{"id":"t2","name":"C#"}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			if strings.Contains(test.args, "limit") {
				s.archived = []platform.RoomInfo{{Room: platform.Room{ID: "20"}, Name: "Old", Tags: []string{"t1"}}, {Room: platform.Room{ID: "21"}, Name: "Older\nstill"}, {Name: "too many"}}
			}
			out := run(t, s, test.action, test.args)
			if !out.OK || out.Summary != test.summary || string(out.Data) != test.data {
				t.Errorf("%+v\n%s", out, out.Data)
			}
		})
	}
}

func TestFiftyArchivedThreadsAreAskedForUnlessSaidOtherwise(t *testing.T) {
	s := newServer()
	run(t, s, "threadListArchived", `{"channel":"ideas"}`)
	if !slices.Equal(s.calls, []string{"list 50 archived threads of 13"}) {
		t.Errorf("%q", s.calls)
	}
}

func TestALargeServerIsNotListedInFull(t *testing.T) {
	s := newServer()
	s.Places = nil
	for i := range 500 {
		s.Places = append(s.Places, platform.RoomInfo{Room: platform.Room{ID: strconv.Itoa(i)}, Name: strings.Repeat("x", 5000), Kind: platform.TextRoom, Position: i})
	}
	out := run(t, s, "channelList", `{}`)
	var groups []group
	if err := json.Unmarshal(out.Data, &groups); err != nil {
		t.Fatal(err)
	}
	if out.Summary != "the first 200 of 500 channels" || len(groups[0].Channels) != 200 || len(out.Data) > 40_000 {
		t.Errorf("%s: %d bytes", out.Summary, len(out.Data))
	}
}

func TestWhatThePlatformSaysIsPassedOn(t *testing.T) {
	refused := platform.Refuse("the server is full")
	for _, test := range []struct{ action, args, call, summary string }{
		{"channelList", `{}`, "rooms near 10 for ada", "could not list the channels: the server is full"},
		{"channelInfo", `{}`, "info 10", "the server is full"},
		{"channelCreate", `{"name":"a"}`, `create text a near 10: topic "", parent "", position -`, "could not create #a: the server is full"},
		{"channelCreate", `{"name":"a","parent":"Projects"}`, "rooms near 10 for ada", "could not look for the category Projects: the server is full"},
		{"categoryCreate", `{"name":"a"}`, `create category a near 10: topic "", parent "", position -`, "could not create the category a: the server is full"},
		{"channelEdit", `{"name":"a"}`, `edit 10: name "a", topic -, parent -, position -`, "could not edit #general: the server is full"},
		{"channelDelete", `{"channel":"general"}`, "delete 10", "could not delete #general: the server is full"},
		{"channelMove", `{"position":1}`, "edit 10: name -, topic -, parent -, position 1", "could not move #general: the server is full"},
		{"threadListArchived", `{}`, "list 50 archived threads of 10", "could not list the archived threads of #general: the server is full"},
		{"threadEdit", `{"threadId":"14","name":"a"}`, `edit thread 14: name "a", tags -, archived -`, "could not edit the thread The door: the server is full"},
		{"threadEdit", `{"threadId":"14","appliedTags":["t1"]}`, "tags of 13", "could not look up the tags for The door: the server is full"},
		{"forumTagCreate", `{"channel":"ideas","name":"a"}`, "tag 13: a ", "could not add the tag a to #ideas: the server is full"},
		{"forumTagDelete", `{"channel":"ideas","tagId":"t1"}`, "untag 13: t1", "could not delete the tag planned of #ideas: the server is full"},
		{"forumTagList", `{"channel":"ideas"}`, "tags of 13", "could not look up the tags of #ideas: the server is full"},
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

func TestAPlatformWithoutChannels(t *testing.T) {
	for name, test := range map[string]struct{ args, summary string }{
		"channelList":        {`{}`, "signal cannot list channels"},
		"channelInfo":        {`{}`, "signal cannot describe channels"},
		"channelCreate":      {`{"name":"a"}`, "signal cannot create channels"},
		"channelEdit":        {`{"name":"a"}`, "signal cannot edit channels"},
		"channelDelete":      {`{"channel":"a"}`, "signal cannot delete channels"},
		"channelMove":        {`{"position":1}`, "signal cannot move channels"},
		"categoryCreate":     {`{"name":"a"}`, "signal cannot create categories"},
		"threadListArchived": {`{}`, "signal cannot list threads"},
		"threadEdit":         {`{"threadId":"1","name":"a"}`, "signal cannot edit threads"},
		"forumTagCreate":     {`{"name":"a"}`, "signal cannot keep tags"},
		"forumTagDelete":     {`{"channel":"a","tagId":"t"}`, "signal cannot keep tags"},
		"forumTagList":       {`{}`, "signal cannot keep tags"},
	} {
		if out := run(t, venuetest.Bare("signal"), name, test.args); out.OK || out.Summary != test.summary {
			t.Errorf("%s: %+v", name, out)
		}
	}
}
