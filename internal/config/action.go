package config

import "reflect"

type Actions struct {
	Enabled        bool        `yaml:"enabled" default:"true" doc:"Run the instructions in replies. When false they are taken out of the text and nothing else happens."`
	FollowupDepth  int         `yaml:"followup_depth" default:"3" min:"0" doc:"How often in a row the model may go on with what a query brought."`
	Categories     Categories  `yaml:"categories" doc:"The kinds of actions, each on or off."`
	Confirm        []Confirmed `yaml:"confirm" default:"destructive" doc:"What a person has to confirm first: destructive, for every destructive action, or categories."`
	RoomsElsewhere []Room      `yaml:"rooms_elsewhere" doc:"The rooms that may be written to from another platform than their own, as in [discord/1234]. Everyone who may talk to the agent anywhere can have it write there."`
}

// Categories says which kinds of actions may be used at all.
type Categories struct {
	Channels   bool `yaml:"channels" default:"true" doc:"List, create, edit and delete channels, threads and tags."`
	Messaging  bool `yaml:"messaging" default:"true" doc:"Messages, files, reactions, threads, pins."`
	Guild      bool `yaml:"guild" default:"true" doc:"Members, roles, events, search."`
	Moderation bool `yaml:"moderation" default:"false" doc:"Timeout, kick and ban."`
	Polls      bool `yaml:"polls" default:"true" doc:"Polls."`
	Tasks      bool `yaml:"tasks" default:"true" doc:"Tasks and their threads."`
	Crons      bool `yaml:"crons" default:"true" doc:"Prompts that run on a schedule."`
	Profile    bool `yaml:"profile" default:"true" doc:"The agent's status, activity and nickname."`
	Forge      bool `yaml:"forge" default:"true" doc:"Draft plans and have them audited."`
	Plan       bool `yaml:"plan" default:"true" doc:"Write, approve and run plans."`
	Memory     bool `yaml:"memory" default:"true" doc:"Remember, correct and forget facts about people; read more of what was said earlier, and search past conversations."`
	Defer      bool `yaml:"defer" default:"true" doc:"Put a turn off until later."`
	Loop       bool `yaml:"loop" default:"true" doc:"Repeat a prompt at an interval."`
	Spawn      bool `yaml:"spawn" default:"true" doc:"Ask several models in parallel."`
	Config     bool `yaml:"config" default:"true" doc:"Show and set the model of a role, until restart."`
	Imagegen   bool `yaml:"imagegen" default:"false" doc:"Generate images."`
	Voice      bool `yaml:"voice" default:"false" doc:"Join and leave voice rooms."`
	Search     bool `yaml:"search" default:"true" doc:"Search the web, calculate, and a closed list of commands."`
	Social     bool `yaml:"social" default:"true" doc:"Like, repost, quote and reply."`
}

// On reports whether the category of that name is on. One that does not exist is
// off.
func (c Categories) On(name string) bool {
	v := reflect.ValueOf(c)
	for _, k := range keysOf(v.Type()) {
		if k.name == name {
			return v.FieldByIndex(k.index).Bool()
		}
	}
	return false
}

// Confirmed is what needs a person's confirmation: destructive actions, or those of
// a category.
type Confirmed string

const Destructive Confirmed = "destructive"

func (Confirmed) names() []string {
	return append([]string{string(Destructive)}, CategoryNames()...)
}

// CategoryNames are the names of all categories.
func CategoryNames() []string {
	var names []string
	for _, k := range keysOf(reflect.TypeFor[Categories]()) {
		names = append(names, k.name)
	}
	return names
}
