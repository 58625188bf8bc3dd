package main

import (
	"slices"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
)

// event is the event of a name as it stands, or nil.
func (p *place) event(name string) *discordtest.Event {
	for _, e := range p.discord.Events(p.guild) {
		if e.Name == name {
			return &e
		}
	}
	return nil
}

// member is somebody of the place as they are, or nil.
func (p *place) member(name string) *discordtest.Member {
	return p.discord.Member(p.guild, p.user(name))
}

// lowBot puts the bot's role below all others.
func lowBot(p *place) {
	p.discord.ChangeRole(p.guild, p.own, func(r *discordtest.Role) { r.Position = 0 })
}

var guildRows = []row{
	{
		action: "memberInfo", fields: "userId",
		does: `{"type":"memberInfo","userId":"@carl"}`, free: asItIs,
		happens: finds([]string{`"id":"{carl}"`, `"name":"carl"`, `"name":"editors"`}),
		web:     "describe members",
		rules:   []rule{{"somebody who is not there", `{"type":"memberInfo","userId":"@zoe"}`, `there is no person called "zoe"`, lookedUp, nil}},
	},
	{
		action: "roleInfo", fields: "role?",
		does: `{"type":"roleInfo","role":"editors"}`, free: asItIs,
		happens: finds([]string{`"id":"{editors}"`, `"name":"editors"`}),
		web:     "describe roles",
	},
	{
		action: "roleAdd", fields: "userId; role",
		does:  `{"type":"roleAdd","userId":"@bob","role":"editors"}`,
		right: discordtest.ManageRoles, bot: discordtest.ManageRoles,
		happens: func(p *place, _ store.Action) string {
			return wrongUnless(slices.Contains(p.member("bob").Roles, p.ids["editors"]), "%+v", p.member("bob"))
		},
		web: "give and take roles",
		rules: []rule{
			{"a role that one does not stand above", `{"type":"roleAdd","userId":"@bob","role":"crew"}`, "you do not stand above the role crew", lookedUp, nil},
			{"somebody whom one does not stand above", `{"type":"roleAdd","userId":"@eve","role":"editors"}`, "you do not stand above eve", lookedUp, nil},
			{"the owner", `{"type":"roleAdd","userId":"@olga","role":"editors"}`, "you do not stand above olga", lookedUp, nil},
			{"a role above the bot", `{"type":"roleAdd","userId":"@bob","role":"editors"}`, "give its role more, or a higher place", tried, lowBot},
			{"a role that is not there", `{"type":"roleAdd","userId":"@bob","role":"kings"}`, `there is no role called "kings"`, lookedUp, nil},
		},
	},
	{
		action: "roleRemove", fields: "userId; role",
		does:  `{"type":"roleRemove","userId":"{carl}","role":"{editors}"}`,
		right: discordtest.ManageRoles, bot: discordtest.ManageRoles,
		happens: func(p *place, _ store.Action) string {
			return wrongUnless(len(p.member("carl").Roles) == 0, "%+v", p.member("carl"))
		},
		web:   "give and take roles",
		rules: []rule{{"somebody whom one does not stand above", `{"type":"roleRemove","userId":"@eve","role":"crew"}`, "you do not stand above the role crew", lookedUp, nil}},
	},
	{
		action: "searchMessages", fields: "query ≤1024; channel?; limit? 1–50 (25); before?; after?; maxPages? 1–10 (3)",
		does:  `{"type":"searchMessages","query":"friday","channel":"news"}`,
		right: discordtest.ReadHistory, rightIn: "news",
		free:    "Discord leaves out what the bot cannot read",
		happens: finds([]string{`"id":"{message}"`, `"text":"The release is on Friday."`}),
		web:     "search messages",
		rules: []rule{
			{"before what is no date", `{"type":"searchMessages","query":"friday","before":"yesterday"}`, `searchMessages: before is a date such as 2026-01-31, or the id of a message in the channel, got "yesterday"`, lookedUp, nil},
			{"after a day that is none", `{"type":"searchMessages","query":"friday","after":"2026-02-31"}`, `searchMessages: after is a date such as 2026-01-31, or the id of a message in the channel, got "2026-02-31"`, lookedUp, nil},
			{"before a date and after a message", `{"type":"searchMessages","query":"friday","channel":"news","before":"2990-01-31","after":"{message}"}`, "", lookedUp, nil},
			{"nothing in between", `{"type":"searchMessages","query":"friday","after":"2026-02-02","before":"2026-02-01"}`, "searchMessages: before is not later than after", lookedUp, nil},
		},
	},
	{
		action: "eventList",
		does:   `{"type":"eventList"}`, free: asItIs,
		happens: finds([]string{`"id":"{event}"`, `"name":"Movie night"`}),
		web:     "list events",
	},
	{
		action: "eventCreate", fields: "name 1–100; startTime; endTime?; description? ≤1000; channelId?; location? ≤100",
		does:  `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31T18:00:00Z","endTime":"2990-01-31 20:00","location":"The park","description":"Bring cake."}`,
		right: discordtest.ManageEvents, bot: discordtest.CreateEvents,
		happens: func(p *place, _ store.Action) string {
			e := p.event("Picnic")
			return wrongUnless(e != nil && e.Entity["location"] == "The park" && e.Description == "Bring cake." && e.Ends.Sub(e.Starts) == 2*time.Hour, "%+v", e)
		},
		web: "schedule events",
		rules: []rule{
			{"a start that is no date", `{"type":"eventCreate","name":"Picnic","startTime":"soon","channelId":"lounge"}`, `eventCreate: startTime is a date such as 2026-01-31T18:00:00Z, got "soon"`, nobodyAsked, nil},
			{"an end that is no date", `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31","endTime":"late","channelId":"lounge"}`, `eventCreate: endTime is a date such as 2026-01-31T18:00:00Z, got "late"`, nobodyAsked, nil},
			{"a start in the past", `{"type":"eventCreate","name":"Picnic","startTime":"2020-01-31","channelId":"lounge"}`, "eventCreate: startTime is in the past", lookedUp, nil},
			{"an end before the start", `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31","endTime":"2990-01-30","channelId":"lounge"}`, "eventCreate: endTime is not later than startTime", lookedUp, nil},
			{"nowhere", `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31"}`, "eventCreate: where is it? Give a channelId (voice) or a location", nobodyAsked, nil},
			{"in two places", `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31","endTime":"2990-02-01","channelId":"lounge","location":"x"}`, "eventCreate: give a channelId or a location, not both", nobodyAsked, nil},
			{"a location without an end", `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31","location":"x"}`, "eventCreate: an event at a location needs an endTime", nobodyAsked, nil},
			{"in a room without voices", `{"type":"eventCreate","name":"Picnic","startTime":"2990-01-31","channelId":"news"}`, "#news is no voice channel", lookedUp, nil},
		},
	},
	{
		action: "eventEdit", fields: "eventId; name? ≤100; startTime?; endTime?; description? ≤1000; channelId?; location? ≤100",
		does:  `{"type":"eventEdit","eventId":"{event}","startTime":"2990-01-30T18:00:00Z","endTime":"2990-01-31","location":"The park"}`,
		right: discordtest.ManageEvents, bot: discordtest.ManageEvents,
		happens: func(p *place, _ store.Action) string {
			e := p.event("Movie night")
			return wrongUnless(e.Starts.Equal(time.Date(2990, 1, 30, 18, 0, 0, 0, time.UTC)) && e.Entity["location"] == "The park" && e.ChannelID == nil, "%+v", e)
		},
		web: "edit events",
		rules: []rule{
			{"nothing to change", `{"type":"eventEdit","eventId":"{event}"}`, "eventEdit: nothing to change; give a name, startTime", nobodyAsked, nil},
			{"a start that is no date", `{"type":"eventEdit","eventId":"{event}","startTime":"soon"}`, `eventEdit: startTime is a date such as 2026-01-31T18:00:00Z, got "soon"`, nobodyAsked, nil},
			{"a start in the past", `{"type":"eventEdit","eventId":"{event}","startTime":"2020-01-31"}`, "eventEdit: startTime is in the past", lookedUp, nil},
			{"an end before the start", `{"type":"eventEdit","eventId":"{event}","endTime":"2020-01-31"}`, "eventEdit: endTime is not later than startTime", lookedUp, nil},
			{"in two places", `{"type":"eventEdit","eventId":"{event}","channelId":"lounge","location":"x"}`, "eventEdit: give a channelId or a location, not both", nobodyAsked, nil},
			{"an event that is not there", `{"type":"eventEdit","eventId":"12345","name":"x"}`, "there is no event 12345; eventList lists them", lookedUp, nil},
		},
	},
	{
		action: "eventDelete", fields: "eventId",
		does:  `{"type":"eventDelete","eventId":"{event}"}`,
		right: discordtest.ManageEvents, bot: discordtest.ManageEvents,
		happens: func(p *place, _ store.Action) string {
			return wrongUnless(p.event("Movie night") == nil, "it is there")
		},
		web: "delete events",
	},
}

var moderationRows = []row{
	{
		action: "timeout", fields: "userId; durationMinutes? 1–40320 (5); reason? ≤512",
		does:  `{"type":"timeout","userId":"@bob","durationMinutes":30,"reason":"spam"}`,
		right: discordtest.ModerateMembers, bot: discordtest.ModerateMembers,
		happens: func(p *place, _ store.Action) string {
			m := p.member("bob")
			return wrongUnless(m.Silent != nil && time.Until(*m.Silent).Round(time.Hour/2) == time.Hour/2, "%+v", m)
		},
		web: "time people out",
		rules: []rule{
			{"somebody above the bot", `{"type":"timeout","userId":"@bob"}`, "give its role more, or a higher place", tried, lowBot},
			{"somebody whom one does not stand above", `{"type":"timeout","userId":"@eve"}`, "you do not stand above eve", lookedUp, nil},
		},
	},
	{
		action: "kick", fields: "userId; reason? ≤512",
		does:  `{"type":"kick","userId":"@bob","reason":"spam"}`,
		right: discordtest.KickMembers, bot: discordtest.KickMembers,
		happens: func(p *place, _ store.Action) string {
			_, banned := p.discord.Banned(p.guild, p.user("bob"))
			return wrongUnless(p.member("bob") == nil && !banned, "%+v", p.member("bob"))
		},
		web: "kick people",
		rules: []rule{
			{"somebody above the bot", `{"type":"kick","userId":"@carl"}`, "give its role more, or a higher place", tried, lowBot},
			{"the owner", `{"type":"kick","userId":"@olga"}`, "you do not stand above olga", lookedUp, nil},
			{"oneself", `{"type":"kick","userId":"{grace}"}`, "you do not stand above grace", lookedUp, nil},
			{"the agent", `{"type":"kick","userId":"@aside"}`, "you do not stand above aside", lookedUp, nil},
		},
	},
	{
		action: "ban", fields: "userId; reason? ≤512; deleteMessageDays? 0–7 (0)",
		does:  `{"type":"ban","userId":"@bob","reason":"spam","deleteMessageDays":7}`,
		right: discordtest.BanMembers, bot: discordtest.BanMembers,
		happens: func(p *place, _ store.Action) string {
			ban, ok := p.discord.Banned(p.guild, p.user("bob"))
			return wrongUnless(ok && ban.Reason == "spam" && ban.DeleteSeconds == 7*24*3600, "%+v", ban)
		},
		web: "ban people",
		rules: []rule{
			{"somebody above the bot", `{"type":"ban","userId":"@carl"}`, "give its role more, or a higher place", tried, lowBot},
			{"somebody whom one does not stand above", `{"type":"ban","userId":"{eve}"}`, "you do not stand above eve", lookedUp, nil},
		},
	},
}
