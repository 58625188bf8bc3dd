package rehearsal

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed long.md
var long string

// A Request is something the model can be asked.
type Request struct {
	Say     string // what to say, … being whatever one likes
	Does    string // what it does then
	Dialect string // whose notation the reply is written in, "" for plain text
	Example string // a message of this kind

	match func(message string) (rest string, ok bool)
	reply func(rest string) string
}

// Requests are all that the model knows, in the order in which they are looked at.
func Requests() []Request {
	return []Request{
		{
			Say: "hello", Does: "greets you and reacts to your message; `hi` does too",
			Dialect: "directives", Example: "hello",
			match: beginsWith("hello", "hi"),
			reply: always("<actions><react emoji=\"👋\"/></actions>\n" +
				"Hello! I am the rehearsal model: I need no key and no network, and I know a few requests only. Say `help` to see them."),
		},
		{
			Say: "remember …", Does: "remembers it",
			Dialect: "signals", Example: "remember that I like green tea",
			match: then("remember"),
			reply: func(rest string) string {
				return "I am writing that down. [REMEMBER:" + argument(without("that ", rest)) + "]"
			},
		},
		{
			Say: "what do you remember?", Does: "looks up what is remembered",
			Dialect: "blocks", Example: "what do you remember?",
			match: beginsWith("what do you remember", "what do you know about me", "what do you know of me"),
			reply: always("Let me look.\n<discord-action>{\"type\":\"memoryShow\"}</discord-action>"),
		},
		{
			Say: "calculate 6*7", Does: "calculates, whatever the numbers",
			Dialect: "signals", Example: "calculate 6*7",
			match: either(then("calculate"), sum("what is", "what's", "how much is", "compute")),
			reply: func(rest string) string {
				return "Let me see. [CALCULATE:" + argument(strings.TrimRight(rest, "=? ")) + "]"
			},
		},
		{
			Say: "react …", Does: "reacts with the emoji you name, as in `react 🎉`",
			Dialect: "directives", Example: "react with 🎉",
			match: then("react"),
			reply: func(rest string) string {
				return fmt.Sprintf("<actions><react emoji=\"%s\"/></actions>\nAs you wish.", escape(oneLine(without("with ", rest))))
			},
		},
		{
			Say: "send …", Does: "sends it as a message of its own",
			Dialect: "directives", Example: "send Tea is ready & waiting.",
			match: then("send"),
			reply: func(rest string) string {
				return "It comes as a message of its own.\n<actions><send-message>" + escape(rest) + "</send-message></actions>"
			},
		},
		{
			Say: "think about …", Does: "thinks first, which is not shown, and then answers",
			Dialect: "reasoning", Example: "think about tea",
			match: then("think about"),
			reply: func(rest string) string {
				subject := plain(rest)
				return fmt.Sprintf("<think>\nThe question is about %s. I am a rehearsal and know nothing about it; I will say so.\n</think>\n"+
					"I have thought about %s. A rehearsal knows nothing about it, but the thinking was there: it is kept for the record and not shown.", subject, subject)
			},
		},
		{
			Say: "be quiet", Does: "says nothing at all",
			Dialect: "directives", Example: "be quiet",
			match: exactly("be quiet"),
			reply: always("<no-reply/>"),
		},
		{
			Say: "show code", Does: "shows instructions in code, which stay text",
			Example: "show code",
			match:   exactly("show code"),
			reply: always("These instructions stand in code, so they are text and nothing comes of them:\n\n" +
				"```\n<actions><react emoji=\"eyes\"/></actions>\n[REMEMBER:nothing]\n<discord-action>{\"type\":\"memoryShow\"}</discord-action>\n```\n\n" +
				"The same within a line: `[CALCULATE:6*7]`."),
		},
		{
			Say: "broken", Does: "writes an instruction that never ends, which is a problem",
			Dialect: "blocks", Example: "broken",
			match: exactly("broken"),
			reply: always("Here is an instruction without an end.\n<discord-action>{\"type\":\"memoryShow\",\nThe words after it are shown all the same."),
		},
		{
			Say: "long", Does: "gives a long answer with headings, lists, a table and code",
			Example: "long",
			match:   exactly("long"),
			reply:   always(long),
		},
		{
			Say: "envelope", Does: "answers in a JSON envelope; switch the dialect `envelope` on to see only its text",
			Dialect: "envelope", Example: "envelope",
			match: exactly("envelope"),
			reply: always(`{"user":"Aside","text":"This whole reply is a JSON envelope. [LIKE]","action":"SOCIAL_ENGAGE"}`),
		},
		{
			Say: "/say …", Does: "replies exactly what follows, byte for byte",
			Example: "/say Two lines,\n[CALCULATE:1+1] and an instruction.",
			match:   verbatim("/say"),
			reply:   func(rest string) string { return rest },
		},
		{
			Say: "help", Does: "lists what you can say",
			Example: "help",
			match:   exactly("help"),
			reply:   func(string) string { return Help() },
		},
	}
}

func always(reply string) func(string) string {
	return func(string) string { return reply }
}
