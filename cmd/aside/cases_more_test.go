package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
)

// itself is why the bot needs no permission for what only concerns itself.
const itself = "it is about the agent itself"

var pollRows = []row{{
	action: "poll", fields: "question ≤300; answers 2–10 of ≤55; channel?; allowMultiselect? flag; durationHours? 1–768 (24)",
	does:  `{"type":"poll","question":"When do we meet?","answers":["Monday","Tuesday"],"channel":"news","allowMultiselect":true,"durationHours":48}`,
	right: discordtest.SendPolls, rightIn: "news", bot: discordtest.SendPolls, botIn: "news",
	happens: func(p *place, _ store.Action) string {
		all := p.posts(p.rooms["news"])
		return wrongUnless(len(all) == 1 && all[0].Poll != nil && all[0].Poll.Question.Text == "When do we meet?" && len(all[0].Poll.Answers) == 2 && all[0].Poll.Several, "%+v", all)
	},
}}

// presence is what the agent has said last about itself.
func (p *place) presence(wanted func(map[string]any) bool) map[string]any {
	ctx, cancel := context.WithTimeout(p.ctx, 30*time.Second)
	defer cancel()
	for n := 1; ; n++ {
		all := p.discord.Presences(ctx, n)
		if last := all[len(all)-1]; wanted(last) || ctx.Err() != nil {
			return last
		}
	}
}

var profileRows = []row{
	{
		action: "botSetStatus", fields: "status online|idle|dnd|invisible",
		does:  `{"type":"botSetStatus","status":"dnd"}`,
		right: discordtest.ManageGuild, free: itself,
		happens: func(p *place, _ store.Action) string {
			busy := func(is map[string]any) bool { return is["status"] == "dnd" }
			is := p.presence(busy)
			return wrongUnless(busy(is), "%+v", is)
		},
		web: "show a status",
	},
	{
		action: "botSetActivity", fields: "name 1–128; activityType? Playing|Listening|Watching|Competing|Custom (Playing)",
		does:  `{"type":"botSetActivity","name":"chess","activityType":"Watching"}`,
		right: discordtest.ManageGuild, free: itself,
		happens: func(p *place, _ store.Action) string {
			activities := func(is map[string]any) []any {
				all, _ := is["activities"].([]any)
				return all
			}
			all := activities(p.presence(func(is map[string]any) bool { return len(activities(is)) == 1 }))
			if len(all) != 1 {
				return "there is no activity"
			}
			a, _ := all[0].(map[string]any)
			return wrongUnless(a["name"] == "chess" && a["type"] == 3.0, "%+v", a)
		},
		web: "show an activity",
	},
	{
		action: "botSetNickname", fields: "nickname 1–32",
		does:  `{"type":"botSetNickname","nickname":"Librarian"}`,
		right: discordtest.ManageNicknames, bot: discordtest.ChangeNickname,
		happens: func(p *place, _ store.Action) string {
			m := p.discord.Member(p.guild, p.discord.Bot())
			return wrongUnless(m.Nick != nil && *m.Nick == "Librarian", "%+v", m)
		},
		web: "have nicknames",
	},
}

var configRows = []row{
	{
		action: "modelSet", fields: "role; model ≤100",
		does:  `{"type":"modelSet","role":"fast","model":"small"}`,
		right: discordtest.ManageGuild, free: itself,
		happens: func(p *place, a store.Action) string {
			return wrongUnless(a.Summary == "fast uses small until Aside is started again", "%s", a.Summary)
		},
		rules: []rule{
			{"a role that is not there", `{"type":"modelSet","role":"king","model":"small"}`, `modelSet: there is no role "king"; there are chat`, lookedUp, nil},
			{"a name that is none", `{"type":"modelSet","role":"fast","model":"--help me"}`, `modelSet: "--help me" is no name of a model`, lookedUp, nil},
		},
	},
	{
		action: "modelReset", fields: "role?",
		does:  `{"type":"modelReset","role":"fast"}`,
		first: `{"type":"modelSet","role":"fast","model":"small"}`,
		right: discordtest.ManageGuild, free: itself,
		happens: func(p *place, a store.Action) string {
			// After a restart there is nothing to be changed back.
			return wrongUnless(slices.Contains([]string{"fast uses test again", "nothing was changed before"}, a.Summary), "%s", a.Summary)
		},
		rules: []rule{{"a role that is not there", `{"type":"modelReset","role":"king"}`, `modelReset: there is no role "king"`, lookedUp, nil}},
	},
	{
		action:  "modelShow",
		does:    `{"type":"modelShow"}`,
		free:    itself,
		happens: finds([]string{`"role":"chat"`, `"provider":"openai"`, `"model":"test"`}, "none"),
	},
}

// inLounge has the agent in a voice room first.
const inLounge = `{"type":"voiceJoin","channel":"{lounge}"}`

// isIn checks where the agent is, and how.
func isIn(room string, mute, deaf bool) func(*place, store.Action) string {
	return func(p *place, a store.Action) string {
		look := p.discord.Look(p.guild)
		in := p.discord.VoiceOf(p.guild, p.discord.Bot())
		state := map[bool]string{true: "true", false: "false"}
		return wrongUnless(in == p.ids[room] && (room == "" || strings.Contains(look, "in lounge mute "+state[mute]+" deaf "+state[deaf])), "%s", look)
	}
}

var voiceRows = []row{
	{
		action: "voiceJoin", fields: "channel?",
		does:  `{"type":"voiceJoin","channel":"lounge"}`,
		right: discordtest.Connect, rightIn: "lounge", bot: discordtest.Connect, botIn: "lounge",
		happens: isIn("lounge", false, false),
		web:     "join voice channels",
		rules:   []rule{{"a room without voices", `{"type":"voiceJoin","channel":"news"}`, "#news is no voice channel; name one", lookedUp, nil}},
	},
	{
		action: "voiceLeave", first: inLounge,
		does:  `{"type":"voiceLeave"}`,
		right: discordtest.Connect, rightIn: "lounge", free: itself,
		happens: isIn("", false, false),
		web:     "leave voice channels",
	},
	{
		action: "voiceStatus", first: inLounge,
		does:  `{"type":"voiceStatus"}`,
		right: discordtest.Connect, free: itself,
		happens: finds([]string{`"channelId":"{lounge}"`, `"muted":false`}),
		web:     "join voice channels",
	},
	{
		action: "voiceMute", fields: "mute flag", first: inLounge,
		does:  `{"type":"voiceMute","mute":true}`,
		right: discordtest.Connect, rightIn: "lounge", free: itself,
		happens: isIn("lounge", true, false),
		web:     "join voice channels",
	},
	{
		action: "voiceDeafen", fields: "deafen flag", first: inLounge,
		does:  `{"type":"voiceDeafen","deafen":true}`,
		right: discordtest.Connect, rightIn: "lounge", free: itself,
		happens: isIn("lounge", false, true),
		web:     "join voice channels",
	},
}

// liked checks that there is a heart on a message.
func liked(room, message string) func(*place, store.Action) string {
	return func(p *place, _ store.Action) string {
		got := p.discord.Reactions(p.discord.Bot(), p.rooms[room], p.ids[message])
		return wrongUnless(slices.Contains(got, "❤️"), "%q", got)
	}
}

var socialRows = []row{
	{
		action: "like", onWeb: `{"type":"like"}`, fields: "message?",
		does:  `{"type":"like","message":"{earlier}"}`,
		right: discordtest.AddReactions, rightIn: "desk", bot: discordtest.AddReactions, botIn: "desk",
		happens: liked("desk", "earlier"),
	},
	{
		action: "repost", fields: "message?", ask: "alerts",
		does:  `{"type":"repost","message":"{alert}"}`,
		right: discordtest.SendMessages | discordtest.ManageMessages, rightIn: "alerts", bot: discordtest.ManageMessages, botIn: "alerts",
		happens: func(p *place, _ store.Action) string {
			m := p.message("alerts", "{alert}")
			return wrongUnless(m.Flags == 1, "%+v", m)
		},
		web: "crosspost messages",
	},
	{
		action: "quote", fields: "content?; message?",
		does:  `{"type":"quote","message":"{earlier}","content":"Yes, me."}`,
		right: discordtest.SendMessages | discordtest.ReadHistory, rightIn: "desk", bot: discordtest.ReadHistory, botIn: "desk",
		happens: func(p *place, a store.Action) string {
			return wrongUnless(a.Say == "> Is anybody there?\n— ada\n\nYes, me.", "it says %q", a.Say)
		},
	},
	{
		action: "reply", fields: "content?; message?",
		does:  `{"type":"reply","message":"{earlier}","content":"I am here."}`,
		right: discordtest.SendMessages, rightIn: "desk",
		free: "where it may not write nobody is answered at all",
		happens: func(p *place, _ store.Action) string {
			all := p.posts(p.rooms["desk"])
			return wrongUnless(slices.ContainsFunc(all, func(m discordtest.Message) bool {
				return m.Content == "I am here." && m.Reference.MessageID == p.ids["earlier"]
			}), "%+v", all)
		},
		rules: []rule{{"nothing to say", `{"type":"reply","message":"{earlier}"}`, "content is missing; say what to answer", lookedUp, nil}},
	},
	{
		action: "socialEngage", fields: "like? flag; repost? flag; quote? flag; reply? flag; message?", ask: "alerts",
		does:  `{"type":"socialEngage","like":true,"quote":true,"message":"{alert}"}`,
		onWeb: `{"type":"socialEngage","like":true,"quote":true}`,
		right: discordtest.AddReactions, rightIn: "alerts", bot: discordtest.AddReactions, botIn: "alerts",
		with: func(p *place) { // for a repost
			p.discord.ChangeRole(p.guild, p.crew, func(r *discordtest.Role) { r.Permissions |= discordtest.ManageMessages })
		},
		happens: func(p *place, a store.Action) string {
			if a.Say != "> The library is closed on Monday.\n— ada" {
				return a.Say
			}
			return liked("alerts", "alert")(p, a)
		},
	},
}
