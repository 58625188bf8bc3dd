package main

import (
	"fmt"
	"strings"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
)

// asItIs is why the bot needs no permission where Discord tells every bot of the server.
const asItIs = "Discord tells every bot of the server"

// wrongUnless is "" if something is so, else what there is.
func wrongUnless(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// finds is a check of what a query has found.
func finds(has []string, lacks ...string) func(*place, store.Action) string {
	return func(p *place, a store.Action) string {
		data := string(a.Data)
		for _, part := range has {
			if !strings.Contains(data, p.fill(part)) {
				return fmt.Sprintf("it found %s, without %q", data, p.fill(part))
			}
		}
		for _, part := range lacks {
			if strings.Contains(data, p.fill(part)) {
				return fmt.Sprintf("it found %s, with %q", data, p.fill(part))
			}
		}
		return ""
	}
}

// tagged makes the forum have so many tags.
func tagged(n int) func(*place) {
	return func(p *place) {
		p.discord.ChangeChannel(p.rooms["ideas"], func(c *discordtest.Channel) {
			for i := len(c.AvailableTags); i < n; i++ {
				c.AvailableTags = append(c.AvailableTags, discordtest.Tag{ID: fmt.Sprintf("10000000000000001%02d", i), Name: strings.Repeat("t", i)})
			}
		})
	}
}

var channelRows = []row{
	{
		action: "channelList",
		does:   `{"type":"channelList"}`, free: asItIs,
		happens: finds([]string{`"category":"projects"`, `"id":"{news}"`, `"kind":"forum"`}, "vault"),
		web:     "list channels",
	},
	{
		action: "channelInfo", fields: "channel?",
		does:  `{"type":"channelInfo","channel":"news"}`,
		right: discordtest.ViewChannel, rightIn: "news", free: asItIs,
		happens: finds([]string{`"id":"{news}"`, `"name":"news"`, `"kind":"text"`}),
		web:     "describe channels",
	},
	{
		action: "channelCreate", fields: "name 1–100; parent?; topic? ≤1024; channelType? text|voice|announcement|stage|forum (text)",
		does:  `{"type":"channelCreate","name":"plans","parent":"projects","topic":"What comes"}`,
		right: discordtest.ManageChannels, bot: discordtest.ManageChannels,
		happens: func(p *place, _ store.Action) string {
			c := p.room("plans")
			return wrongUnless(c != nil && *c.Topic == "What comes" && *c.ParentID == p.ids["projects"] && c.Type == discordtest.Text, "%+v", c)
		},
		web:   "create channels",
		rules: []rule{{"a category that is not there", `{"type":"channelCreate","name":"plans","parent":"nowhere"}`, "there is no category nowhere; there are: projects", lookedUp, nil}},
	},
	{
		action: "channelEdit", fields: "channel?; name? 1–100; topic? ≤1024",
		does:  `{"type":"channelEdit","channel":"{news}","name":"old-news","topic":"What was"}`,
		right: discordtest.ManageChannels, rightIn: "news", bot: discordtest.ManageChannels, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			c := p.discord.Channel(p.ids["news"])
			return wrongUnless(c.Name == "old-news" && *c.Topic == "What was", "%+v", c)
		},
		web: "edit channels",
		rules: []rule{
			{"neither a name nor a topic", `{"type":"channelEdit","channel":"{news}"}`, "channelEdit: nothing to change; give a name or a topic", nobodyAsked, nil},
			{"a room that is not there", `{"type":"channelEdit","channel":"nowhere","name":"x"}`, `there is no room called "nowhere"`, lookedUp, nil},
		},
	},
	{
		action: "channelDelete", fields: "channel",
		does:  `{"type":"channelDelete","channel":"{news}"}`,
		right: discordtest.ManageChannels, rightIn: "news", bot: discordtest.ManageChannels, botIn: "news",
		happens: func(p *place, _ store.Action) string { return wrongUnless(p.room("news") == nil, "the room is there") },
		web:     "delete channels",
	},
	{
		action: "channelMove", fields: "channel?; parent?; position? ≥0",
		does:  `{"type":"channelMove","channel":"{news}","parent":"projects","position":0}`,
		right: discordtest.ManageChannels, rightIn: "news", bot: discordtest.ManageChannels, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			c := p.discord.Channel(p.ids["news"])
			return wrongUnless(c.ParentID != nil && *c.ParentID == p.ids["projects"] && c.Position == 0, "%+v", c)
		},
		web: "move channels",
		rules: []rule{
			{"neither a parent nor a position", `{"type":"channelMove","channel":"{news}"}`, "channelMove: nowhere to move it; give a parent or a position", nobodyAsked, nil},
			{"an empty parent takes it out", `{"type":"channelMove","channel":"{news}","parent":""}`, "", tried, nil},
			{"a category that the person may not manage", `{"type":"channelMove","channel":"{news}","parent":"projects"}`, "you may not manage channels in projects", lookedUp, func(p *place) { p.deny(p.grace(), discordtest.ManageChannels, "projects") }},
			{"a parent that is no category", `{"type":"channelMove","channel":"{news}","parent":"alerts"}`, "there is no category alerts", lookedUp, nil},
		},
	},
	{
		action: "categoryCreate", fields: "name 1–100; position? ≥0",
		does:  `{"type":"categoryCreate","name":"Archive","position":3}`,
		right: discordtest.ManageChannels, bot: discordtest.ManageChannels,
		happens: func(p *place, _ store.Action) string {
			c := p.room("Archive")
			return wrongUnless(c != nil && c.Type == discordtest.Category && c.Position == 3, "%+v", c)
		},
		web: "create categories",
	},
	{
		action: "threadListArchived", fields: "channel?; limit? 1–100 (50)",
		does:  `{"type":"threadListArchived","channel":"ideas"}`,
		right: discordtest.ViewChannel, rightIn: "ideas", bot: discordtest.ReadHistory, botIn: "ideas",
		happens: finds([]string{`"id":"{door}"`, `"name":"The door"`}),
		web:     "list threads",
	},
	{
		action: "threadEdit", fields: "threadId; name? 1–100; appliedTags? ≤5",
		does:  `{"type":"threadEdit","threadId":"{door}","name":"Solved: the door","appliedTags":["solved"]}`,
		right: discordtest.ManageChannels | discordtest.ManageThreads, rightIn: "ideas", bot: discordtest.ManageThreads, botIn: "ideas",
		with: tagged(6),
		happens: func(p *place, _ store.Action) string {
			c := p.discord.Channel(p.ids["door"])
			return wrongUnless(c.Name == "Solved: the door" && len(c.AppliedTags) == 1 && c.AppliedTags[0] == p.ids["solved"] && c.Metadata.Archived, "%+v", c)
		},
		web:   "edit threads",
		fills: map[string]func(int) any{"appliedTags": func(n int) any { return []string{"open", "solved", "tt", "ttt", "tttt", "ttttt"}[:n] }},
		rules: []rule{
			{"neither a name nor tags", `{"type":"threadEdit","threadId":"{door}"}`, "threadEdit: nothing to change; give a name or appliedTags", nobodyAsked, nil},
			{"a tag that the forum does not have", `{"type":"threadEdit","threadId":"{door}","appliedTags":["lost"]}`, "there is no tag lost; there are: open, solved", lookedUp, nil},
			{"no thread", `{"type":"threadEdit","threadId":"{ideas}","name":"x"}`, "this is not a thread", lookedUp, nil},
		},
	},
	{
		action: "forumTagCreate", fields: "channel?; name 1–20; emoji?",
		does:  `{"type":"forumTagCreate","channel":"ideas","name":"planned","emoji":"eyes"}`,
		right: discordtest.ManageChannels, rightIn: "ideas", bot: discordtest.ManageChannels, botIn: "ideas",
		happens: func(p *place, _ store.Action) string {
			tags := p.discord.Channel(p.ids["ideas"]).AvailableTags
			return wrongUnless(len(tags) == 3 && tags[2].Name == "planned" && *tags[2].EmojiName == "👀", "%+v", tags)
		},
		web: "keep tags",
		rules: []rule{
			{"an emoji that is none", `{"type":"forumTagCreate","channel":"ideas","name":"planned","emoji":"nonsense"}`, `there is no emoji called "nonsense"`, lookedUp, nil},
			{"a forum with twenty tags", `{"type":"forumTagCreate","channel":"ideas","name":"planned"}`, "#ideas has 20 tags, and more than 20 are not possible; delete one first", lookedUp, tagged(20)},
			{"a forum with nineteen tags", `{"type":"forumTagCreate","channel":"ideas","name":"planned"}`, "", tried, tagged(19)},
			{"a tag that is there", `{"type":"forumTagCreate","channel":"ideas","name":"Open"}`, "has a tag Open already", lookedUp, nil},
			{"a room that is no forum", `{"type":"forumTagCreate","channel":"news","name":"planned"}`, "#news is no forum, and only forums have tags", lookedUp, nil},
		},
	},
	{
		action: "forumTagDelete", fields: "channel; tagId",
		does:  `{"type":"forumTagDelete","channel":"ideas","tagId":"{tag}"}`,
		right: discordtest.ManageChannels, rightIn: "ideas", bot: discordtest.ManageChannels, botIn: "ideas",
		happens: func(p *place, _ store.Action) string {
			tags := p.discord.Channel(p.ids["ideas"]).AvailableTags
			return wrongUnless(len(tags) == 1 && tags[0].Name == "solved", "%+v", tags)
		},
		web: "keep tags",
	},
	{
		action: "forumTagList", fields: "channel?",
		does:  `{"type":"forumTagList","channel":"ideas"}`,
		right: discordtest.ManageChannels, rightIn: "ideas", bot: discordtest.ViewChannel, botIn: "ideas",
		happens: finds([]string{`"id":"{tag}"`, `"name":"solved"`}),
		web:     "keep tags",
	},
}
