package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/store"
)

// faces are emoji to choose from.
func faces(n int) any {
	return []string{"👍", "👎", "🎉", "🔥", "👀", "👏", "👌", "😄", "😆", "🚀"}[:n]
}

// tooLongText is longer than a message on Discord may be.
var tooLongText = strings.Repeat("x", 2001)

var messagingRows = []row{
	{
		action: "sendMessage", fields: "content; channel?; platform?; replyTo?",
		does:  `{"type":"sendMessage","channel":"news","content":"Hear, hear, <@{ada}> and @everyone.","replyTo":"{message}"}`,
		right: discordtest.SendMessages, rightIn: "news", bot: discordtest.SendMessages, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			all := p.posts(p.rooms["news"])
			return wrongUnless(len(all) == 1 && all[0].Content == p.fill("Hear, hear, <@{ada}> and @everyone.") && !all[0].Pinged && all[0].Reference.MessageID == p.ids["message"], "%+v", all)
		},
		rules: []rule{
			{"another platform without a room", `{"type":"sendMessage","content":"x","platform":"web"}`, "sendMessage: channel is missing; it is a room on web", lookedUp, nil},
			{"a room on another platform that is not allowed", `{"type":"sendMessage","content":"x","platform":"web","chat":"lobby"}`, "web/lobby is on another platform, and no room there may be written to from here", lookedUp, nil},
			{"a platform that is not there", `{"type":"sendMessage","content":"x","platform":"irc","chat":"lobby"}`, "irc is not connected", lookedUp, nil},
		},
	},
	{
		action: "sendFile", fields: "filePath; content?; kind? image|file|audio; channel?; platform?; cleanup? flag",
		does:  `{"type":"sendFile","filePath":"report.txt","content":"As you wished.","channel":"news"}`,
		right: discordtest.AttachFiles, rightIn: "news", bot: discordtest.AttachFiles, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			all := p.posts(p.rooms["news"])
			return wrongUnless(len(all) == 1 && len(all[0].Attachments) == 1 && all[0].Content == "As you wished." &&
				string(p.discord.Content(all[0].Attachments[0])) == "All is well.", "%+v", all)
		},
		fills: map[string]func(int) any{"kind": func(n int) any {
			kind, file := []string{"image", "file", "audio"}[n], []string{"dot.png", "report.txt", "song.mp3"}[n]
			return map[string]any{"kind": kind, "filePath": file}
		}},
		apart: true,
		rules: []rule{
			{"a file that is not there", `{"type":"sendFile","filePath":"nothing.txt"}`, "there is no such file in the directories that files may be sent from", lookedUp, nil},
			{"a file elsewhere", `{"type":"sendFile","filePath":"/etc/hostname"}`, "there is no such file in the directories that files may be sent from", lookedUp, nil},
			{"a way out", `{"type":"sendFile","filePath":"../aside.db"}`, "there is no such file in the directories that files may be sent from", lookedUp, nil},
			{"a text that is no image", `{"type":"sendFile","filePath":"report.txt","kind":"image"}`, "it is no image", lookedUp, nil},
			{"a text that is no audio", `{"type":"sendFile","filePath":"report.txt","kind":"audio"}`, "it is no audio", lookedUp, nil},
			{"too long a caption", `{"type":"sendFile","filePath":"report.txt","content":"` + tooLongText + `"}`, "its content has 2001 characters, and discord takes 2000", lookedUp, nil},
		},
	},
	{
		action: "react", onWeb: `{"type":"react","emoji":"tada"}`, fields: "emoji; message?; channel?",
		does:  `{"type":"react","emoji":"tada","message":"{message}","channel":"news"}`,
		right: discordtest.AddReactions, rightIn: "news", bot: discordtest.AddReactions, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			got := p.discord.Reactions(p.discord.Bot(), p.rooms["news"], p.ids["message"])
			return wrongUnless(slices.Equal(got, []string{"👀", "🎉"}), "%q", got)
		},
		rules: []rule{
			{"an emoji that is none", `{"type":"react","emoji":"nonsense"}`, `there is no emoji called "nonsense"; use its character`, lookedUp, nil},
			{"no message in another room", `{"type":"react","emoji":"tada","channel":"news"}`, "react: message is missing; say its id", lookedUp, nil},
			{"a message that is none", `{"type":"react","emoji":"tada","message":"first"}`, `"first" is not the id of a message on Discord`, lookedUp, nil},
		},
	},
	{
		action: "unreact", onWeb: `{"type":"unreact","emoji":"tada"}`, fields: "emoji; message?; channel?",
		does:  `{"type":"unreact","emoji":":eyes:","message":"{message}","channel":"news"}`,
		right: discordtest.AddReactions, rightIn: "news", bot: discordtest.ViewChannel, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			got := p.discord.Reactions(p.discord.Bot(), p.rooms["news"], p.ids["message"])
			return wrongUnless(len(got) == 0, "%q", got)
		},
	},
	{
		action: "readMessages", fields: "channel?; limit? 1–20 (10); before?",
		does:  `{"type":"readMessages","channel":"news","limit":2,"before":"{post}"}`,
		right: discordtest.ReadHistory, rightIn: "news", bot: discordtest.ReadHistory, botIn: "news",
		happens: finds([]string{`"id":"{message}"`, `"text":"Read this first."`, `"author":"ada"`}, "The draft"),
		web:     "read old messages",
		rules:   []rule{{"before something that is no message", `{"type":"readMessages","before":"yesterday"}`, `"yesterday" is not the id of a message on Discord`, lookedUp, nil}},
	},
	{
		action: "fetchMessage", fields: "message?; channel?; full? flag",
		does:  `{"type":"fetchMessage","message":"{message}","channel":"news"}`,
		right: discordtest.ReadHistory, rightIn: "news", bot: discordtest.ReadHistory, botIn: "news",
		happens: finds([]string{`"id":"{message}"`, `"text":"The release is on Friday."`}),
		web:     "read old messages",
		rules:   []rule{{"no message in another room", `{"type":"fetchMessage","channel":"news"}`, "fetchMessage: message is missing; say its id", lookedUp, nil}},
	},
	{
		action: "editMessage", onWeb: `{"type":"editMessage","message":"{post}","content":"The news."}`, fields: "message; content; channel?",
		does:  `{"type":"editMessage","message":"{post}","content":"The news.","channel":"news"}`,
		right: discordtest.SendMessages, rightIn: "news", bot: discordtest.ViewChannel, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			m := p.message("news", "{post}")
			return wrongUnless(m.Content == "The news.", "%+v", m)
		},
		rules: []rule{
			{"a message of somebody else", `{"type":"editMessage","message":"{message}","content":"x","channel":"news"}`, "only messages of the bot itself can be edited", tried, nil},
			{"too long a text", `{"type":"editMessage","message":"{post}","channel":"news","content":"` + tooLongText + `"}`, "its content has 2001 characters, and discord takes 2000", lookedUp, nil},
		},
	},
	{
		action: "deleteMessage", onWeb: `{"type":"deleteMessage","message":"{question}"}`, fields: "message; channel?",
		does:  `{"type":"deleteMessage","message":"{message}","channel":"news"}`,
		right: discordtest.ManageMessages, rightIn: "news", bot: discordtest.ManageMessages, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			return wrongUnless(p.message("news", "{message}") == nil && p.message("news", "{pinned}") != nil, "the wrong messages stand there")
		},
	},
	{
		action: "bulkDelete", fields: "channel; count 2–100",
		does:  `{"type":"bulkDelete","channel":"news","count":2}`,
		right: discordtest.ManageMessages, rightIn: "news", bot: discordtest.ManageMessages, botIn: "news",
		happens: func(p *place, a store.Action) string {
			left := p.discord.Messages(p.rooms["news"])
			return wrongUnless(len(left) == 1 && left[0].ID == p.ids["message"] && a.Summary == "deleted 2 messages in news", "%s: %+v", a.Summary, left)
		},
		web: "delete many messages at once",
	},
	{
		action: "crosspost", fields: "message?; channel?",
		does:  `{"type":"crosspost","message":"{alert}","channel":"alerts"}`,
		right: discordtest.ManageMessages, rightIn: "alerts", bot: discordtest.ManageMessages, botIn: "alerts",
		happens: func(p *place, _ store.Action) string {
			m := p.message("alerts", "{alert}")
			return wrongUnless(m.Flags == 1, "%+v", m)
		},
		web:   "crosspost messages",
		rules: []rule{{"a room that is not for announcements", `{"type":"crosspost","message":"{message}","channel":"news"}`, "Discord does not do this in rooms of this kind", tried, nil}},
	},
	{
		action: "threadCreate", fields: "name 1–100; channel?; message?; content?; autoArchiveMinutes? 60|1440|4320|10080",
		does:  `{"type":"threadCreate","name":"Release","channel":"news","content":"What is left?","autoArchiveMinutes":60}`,
		right: discordtest.CreateThreads, rightIn: "news", bot: discordtest.CreateThreads | discordtest.SendInThreads, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			c := p.room("Release")
			if c == nil || !c.IsThread() || *c.ParentID != p.ids["news"] || c.Metadata.AutoArchive != 60 {
				return fmt.Sprintf("%+v", c)
			}
			all := p.discord.Messages(c)
			return wrongUnless(len(all) == 1 && all[0].Content == "What is left?", "%+v", all)
		},
		web: "begin threads",
		rules: []rule{
			{"a forum without a first message", `{"type":"threadCreate","name":"Release","channel":"ideas"}`, "threadCreate: content is missing; a thread in a forum needs a first message", lookedUp, nil},
			{"too long a first message", `{"type":"threadCreate","name":"Release","channel":"news","content":"` + tooLongText + `"}`, "its content has 2001 characters, and discord takes 2000", lookedUp, nil},
		},
	},
	{
		action: "pinMessage", fields: "message?; channel?",
		does:  `{"type":"pinMessage","message":"{message}","channel":"news"}`,
		right: discordtest.PinMessages, rightIn: "news", bot: discordtest.PinMessages, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			return wrongUnless(p.message("news", "{message}").Pinned, "it is not pinned")
		},
		web: "pin messages",
	},
	{
		action: "unpinMessage", fields: "message?; channel?",
		does:  `{"type":"unpinMessage","message":"{pinned}","channel":"news"}`,
		right: discordtest.PinMessages, rightIn: "news", bot: discordtest.PinMessages, botIn: "news",
		happens: func(p *place, _ store.Action) string {
			return wrongUnless(!p.message("news", "{pinned}").Pinned, "it is pinned")
		},
		web: "pin messages",
	},
	{
		action: "listPins", fields: "channel?",
		does:  `{"type":"listPins","channel":"news"}`,
		right: discordtest.ReadHistory, rightIn: "news", bot: discordtest.ReadHistory, botIn: "news",
		happens: finds([]string{`"id":"{pinned}"`, `"text":"Read this first."`}, "Friday"),
		web:     "pin messages",
	},
	{
		action: "reactionPrompt", fields: "question ≤1000; choices 2–9; timeoutSeconds? 10–604800 (86400)",
		does:  `{"type":"reactionPrompt","question":"Shall I ship it?","choices":["👍","👎"]}`,
		right: discordtest.SendMessages, bot: discordtest.AddReactions, botIn: "desk",
		happens: func(p *place, _ store.Action) string {
			for _, m := range p.posts(p.rooms["desk"]) {
				if m.Content == "Shall I ship it?" {
					got := p.discord.Reactions(p.discord.Bot(), p.rooms["desk"], m.ID)
					return wrongUnless(slices.Equal(got, []string{"👍", "👎"}), "%q", got)
				}
			}
			return "nobody was asked"
		},
		fills: map[string]func(int) any{"choices": faces},
		rules: []rule{
			{"a choice that is no emoji", `{"type":"reactionPrompt","question":"Well?","choices":["yes please","👎"]}`, `there is no emoji called "yes please"; use its character`, lookedUp, nil},
			{"a choice twice", `{"type":"reactionPrompt","question":"Well?","choices":["👎","thumbsdown"]}`, "reactionPrompt: 👎 is twice among the choices", lookedUp, nil},
		},
	},
	{
		action: "voice", fields: "text",
		does: `{"type":"voice","text":"Good morning!"}`,
		free: "without a voice it is said in writing, in the reply",
		happens: func(p *place, a store.Action) string {
			return wrongUnless(a.Say == "Good morning!", "it says %q", a.Say)
		},
	},
}
