package config

import (
	"time"

	"github.com/asidehq/aside/extract"
)

// A Config is what aside.yaml says, with defaults for what it does not say. The
// tags are read by keysOf.
type Config struct {
	Data      string          `yaml:"data" default:"./data" filled:"true" doc:"The directory for the SQLite file, attachments and plans."`
	Database  URL             `yaml:"database" default:"sqlite" schemes:"postgres,postgresql" word:"sqlite" doc:"Where everything is stored: sqlite, a file in data, or the URL of a PostgreSQL database, such as postgres://aside@db.example.com/aside."`
	Listen    Address         `yaml:"listen" default:"127.0.0.1:8787" doc:"The address of the web chat and the console."`
	PublicURL URL             `yaml:"public_url" schemes:"https,http" doc:"What browsers call Aside where a proxy stands in front of it, such as https://chat.example.com. Needed if listen is on loopback then."`
	Token     Secret          `yaml:"token" doc:"What a browser has to present. Needed, with 16 characters or more, when listen can be reached from other machines, or there is a public_url."`
	Persona   Persona         `yaml:"persona" doc:"Who the agent is."`
	Models    Models          `yaml:"models" doc:"The models, by role. A role that is not configured falls back to chat; one that names no provider has chat's and, unless it has a base_url of its own, chat's address and key. With no model at all the built-in rehearsal model answers, which needs no key."`
	Speech    *Speech         `yaml:"speech" doc:"Who speaks when a reply says something aloud (the action voice). Without this key it is said in writing."`
	Search    Search          `yaml:"search" doc:"What the web is searched with (the actions webSearch and searchDeeper). Without this key nothing is found."`
	Platforms Platforms       `yaml:"platforms" doc:"Where the agent can be talked to. What is listed runs; without this key it is the web page alone."`
	Groups    Groups          `yaml:"groups" doc:"When the agent answers in rooms with several people. In a direct chat it always does."`
	Limits    Limits          `yaml:"limits" doc:"How much is answered in a day, which begins at midnight UTC. Whoever reaches a limit is told so once."`
	Dialects  extract.Dialect `yaml:"dialects" default:"directives,blocks,signals,reasoning" doc:"The ways of writing instructions that are looked for in replies. envelope reads whole replies as JSON: switch it on for agents that use it."`
	Signals   Signals         `yaml:"signals" doc:"Instructions of the form [NAME:argument]."`
	Actions   Actions         `yaml:"actions" doc:"What replies may do."`
	Social    Social          `yaml:"social" doc:"What like, repost, quote and reply do."`
	Tasks     Tasks           `yaml:"tasks" doc:"The board: what is to be done, shared by everyone who may talk to the agent."`
	Crons     Crons           `yaml:"crons" doc:"Jobs: prompts that run on a schedule."`
	Forge     Forge           `yaml:"forge" doc:"Plans that models draft, audit and revise."`
	Defer     Defer           `yaml:"defer" doc:"Turns that a reply puts off until later."`
	Plans     Plans           `yaml:"plans" doc:"Plans, which are files under plans in data."`
	Reactions Reactions       `yaml:"reactions" doc:"Reactions, the agent's and people's."`
	Continue  Continue        `yaml:"continue" doc:"Replies that only say what is being done. They are held back, and the model is told to go on."`
	Deliver   Deliver         `yaml:"deliver" doc:"Answers that could not be delivered at once."`
	Sessions  Sessions        `yaml:"sessions" doc:"Conversations."`
	History   History         `yaml:"history" doc:"How much of a conversation the model is reminded of."`
	Files     Files           `yaml:"files" doc:"Files that people send to the agent and the agent to people."`
	Log       Log             `yaml:"log" doc:"The log, on standard error."`
}

type Persona struct {
	Name string `yaml:"name" default:"Aside" filled:"true" doc:"The name it answers to."`
	File string `yaml:"file" default:"persona.md" doc:"A text that says who it is and how it speaks; it opens every prompt."`
}

type Signals struct {
	Visible bool `yaml:"visible" default:"false" doc:"Leave signals in the text that people see."`
}

type Social struct {
	Reposts Room `yaml:"reposts" doc:"The room that repost shows messages in, as in discord/1234. Everyone who may talk to the agent can have something reposted there. Without one a message can only be crossposted."`
}

type Defer struct {
	MaxDelay   time.Duration `yaml:"max_delay" default:"30m" doc:"The longest delay."`
	MaxPending int           `yaml:"max_pending" default:"5" min:"1" doc:"How many may wait at a time."`
}

type Reactions struct {
	Marks    bool          `yaml:"marks" default:"true" doc:"Mark a person's message with how far its answer is."`
	Handler  bool          `yaml:"handler" default:"true" doc:"A person's reaction to a post starts a turn."`
	OnRemove bool          `yaml:"on_remove" default:"false" doc:"So does taking a reaction off."`
	MaxAge   time.Duration `yaml:"max_age" default:"24h" doc:"Reactions to older messages start nothing."`
	Glyphs   Glyphs        `yaml:"glyphs" doc:"The emoji that marks are shown as. No two are the same, and every platform that is configured takes them as reactions."`
}

// Glyphs are the emoji of marks.
type Glyphs struct {
	Received   string `yaml:"received" default:"👀" filled:"true" doc:"On a message that is stored and waits for its turn."`
	Processing string `yaml:"processing" default:"🤔" filled:"true" doc:"While it is worked on."`
	Success    string `yaml:"success" default:"👍" filled:"true" doc:"When it is done and there was nothing to say."`
	Complete   string `yaml:"complete" default:"🏆" filled:"true" doc:"When a reply was delivered."`
	Error      string `yaml:"error" default:"😱" filled:"true" doc:"When something went wrong, the reply could not be delivered, or nobody takes the message up."`
}

type Continue struct {
	Max    int            `yaml:"max" default:"3" min:"0" max:"20" doc:"How often in a row, for each message of a person. 0 is never."`
	Rooms  map[string]int `yaml:"rooms" each:"platform/room" min:"0" max:"20" doc:"The same for single rooms, as in discord/1234: 1."`
	Groups bool           `yaml:"groups" default:"false" doc:"Also in rooms with several people that are not among rooms. In a direct chat it is always done."`
}

// MaxOf is how often in a row a reply is continued: as is said of the first of these
// rooms, which are named as platform.Room.String does it, or else in general.
func (c Continue) MaxOf(direct bool, rooms ...string) int {
	for _, room := range rooms {
		if most, ok := c.Rooms[room]; ok {
			return most
		}
	}
	if direct || c.Groups {
		return c.Max
	}
	return 0
}

type Deliver struct {
	MaxAge time.Duration `yaml:"max_age" default:"1h" doc:"What waited longer is not sent when the way is free again: the person is told how many answers came late, and /missed shows them."`
}

type Sessions struct {
	Parallel int `yaml:"parallel" default:"64" min:"1" max:"10000" doc:"How many turns run at once. A turn mostly waits for its model, so this is not a matter of processors. Turns of one session never overlap."`
}

type History struct {
	Tokens int `yaml:"tokens" default:"8000" min:"200" max:"1000000" doc:"About how many tokens of the latest messages, and at most 60 of them, stand in a prompt word for word. What is older is folded into a summary by the summary model; nothing is deleted."`

	EpisodeAfter time.Duration `yaml:"episode_after" default:"1h" doc:"How long nobody has written in a room when the conversation there has ended. It is then kept as an episode, which the agent can search."`
}

type Files struct {
	MaxSize     Size     `yaml:"max_size" default:"20MB" doc:"How large a file may be that the agent sends, and how large the files of a message may be together."`
	SendFrom    []string `yaml:"send_from" doc:"The directories that the agent may send files from, with those inside them. None is outbound in data, which is made when Aside starts."`
	AttachNamed bool     `yaml:"attach_named" default:"true" doc:"Send a file that a reply names by its path in one of those directories, and show its name in place of the path."`
}
