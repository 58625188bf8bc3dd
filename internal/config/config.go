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
	Token     Secret          `yaml:"token" doc:"What a browser has to present. Needed, with 16 characters or more, when listen can be reached from other machines."`
	Persona   Persona         `yaml:"persona" doc:"Who the agent is."`
	Models    Models          `yaml:"models" doc:"The models, by role. A role that is not configured falls back to chat; one that names no provider has chat's and, unless it has a base_url of its own, chat's address and key. With no model at all the built-in rehearsal model answers, which needs no key."`
	Platforms Platforms       `yaml:"platforms" doc:"Where the agent can be talked to. What is listed runs; without this key it is the web page alone."`
	Groups    Groups          `yaml:"groups" doc:"When the agent answers in rooms with several people. In a direct chat it always does."`
	Limits    Limits          `yaml:"limits" doc:"How much is answered in a day, which begins at midnight UTC. Whoever reaches a limit is told so once."`
	Dialects  extract.Dialect `yaml:"dialects" default:"directives,blocks,signals,reasoning" doc:"The ways of writing instructions that are looked for in replies. envelope reads whole replies as JSON: switch it on for agents that use it."`
	Signals   Signals         `yaml:"signals" doc:"Instructions of the form [NAME:argument]."`
	Actions   Actions         `yaml:"actions" doc:"What replies may do."`
	Defer     Defer           `yaml:"defer" doc:"Turns that a reply puts off until later."`
	Reactions Reactions       `yaml:"reactions" doc:"Reactions, the agent's and people's."`
	Continue  Continue        `yaml:"continue" doc:"Replies that ask to go on."`
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

type Defer struct {
	MaxDelay   time.Duration `yaml:"max_delay" default:"30m" doc:"The longest delay."`
	MaxPending int           `yaml:"max_pending" default:"5" min:"1" doc:"How many may wait at a time."`
}

type Reactions struct {
	Marks    bool          `yaml:"marks" default:"true" doc:"Mark a person's message with how far its answer is."`
	Handler  bool          `yaml:"handler" default:"true" doc:"A person's reaction to a post starts a turn."`
	OnRemove bool          `yaml:"on_remove" default:"false" doc:"So does taking a reaction off."`
	MaxAge   time.Duration `yaml:"max_age" default:"24h" doc:"Reactions to older messages start nothing."`
}

type Continue struct {
	Max int `yaml:"max" default:"3" min:"0" doc:"How often in a row a reply may be continued."`
}

type Deliver struct {
	MaxAge time.Duration `yaml:"max_age" default:"1h" doc:"What waited longer is not sent when the way is free again: the person is told how many answers came late, and /missed shows them."`
}

type Sessions struct {
	Parallel int `yaml:"parallel" default:"64" min:"1" max:"10000" doc:"How many turns run at once. A turn mostly waits for its model, so this is not a matter of processors. Turns of one session never overlap."`
}

type History struct {
	Tokens int `yaml:"tokens" default:"8000" min:"200" max:"1000000" doc:"About how many tokens of the latest messages, and at most 60 of them, stand in a prompt word for word. What is older is folded into a summary by the summary model; nothing is deleted."`
}

type Files struct {
	MaxSize  Size     `yaml:"max_size" default:"20MB" doc:"How large a file may be that the agent sends, and how large the files of a message may be together."`
	SendFrom []string `yaml:"send_from" doc:"The directories that the agent may send files from, with those inside them. None is outbound in data, which is made when Aside starts."`
}
