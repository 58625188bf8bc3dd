package config

import (
	"cmp"
	"reflect"
)

// Models are the configured models; a role without one is nil. Config.Model knows
// what takes its place.
type Models struct {
	Chat         *Model `yaml:"chat" doc:"Answers people. Needed as soon as any model is configured."`
	Fast         *Model `yaml:"fast" doc:"Small decisions, such as whether to answer in a group."`
	Summary      *Model `yaml:"summary" doc:"Shortens what does not fit into a prompt."`
	Cron         *Model `yaml:"cron" doc:"Reads what a job is meant to be."`
	CronExec     *Model `yaml:"cron-exec" doc:"Runs jobs."`
	ForgeDrafter *Model `yaml:"forge-drafter" doc:"Drafts plans."`
	ForgeAuditor *Model `yaml:"forge-auditor" doc:"Audits drafts."`
	PlanRun      *Model `yaml:"plan-run" doc:"Works through the phases of a plan."`
	Voice        *Model `yaml:"voice" doc:"Answers in voice rooms."`
}

// A Role is what a model is used for.
type Role string

const (
	Chat         Role = "chat"
	Fast         Role = "fast"
	Summary      Role = "summary"
	Cron         Role = "cron"
	CronExec     Role = "cron-exec"
	ForgeDrafter Role = "forge-drafter"
	ForgeAuditor Role = "forge-auditor"
	PlanRun      Role = "plan-run"
	Voice        Role = "voice"
)

// A Model says where a model is and what it is called there.
type Model struct {
	Provider Provider `yaml:"provider" doc:"Who is asked. openai is every server with that interface, found at base_url; command is a program; rehearsal is built in."`
	Model    string   `yaml:"model" doc:"The provider's name of the model."`
	BaseURL  URL      `yaml:"base_url" schemes:"https,http" doc:"Where the provider is, if not at its usual address."`
	APIKey   Secret   `yaml:"api_key" doc:"The provider's key. Not needed with a base_url."`
	Command  []string `yaml:"command" doc:"For provider command: the program and its arguments. It reads the prompt on standard input and writes the reply on standard output."`
}

// A Provider is where a model is asked.
type Provider string

const (
	OpenAI    Provider = "openai"
	Anthropic Provider = "anthropic"
	Gemini    Provider = "gemini"
	Command   Provider = "command"
	Rehearsal Provider = "rehearsal"
)

func (Provider) names() []string {
	return []string{string(OpenAI), string(Anthropic), string(Gemini), string(Command), string(Rehearsal)}
}

// Model is the model of a role: its own, completed from chat where it names no
// provider, or chat, or the rehearsal model when none is configured.
func (c *Config) Model(role Role) Model {
	chat := Model{Provider: Rehearsal}
	if c.Models.Chat != nil {
		chat = *c.Models.Chat
	}
	own := c.Models.of(role)
	if own == nil {
		return chat
	}
	m := *own
	if m.Provider != "" {
		return m
	}
	m.Provider = chat.Provider
	m.Model = cmp.Or(m.Model, chat.Model)
	// A key goes only where it was meant to go: to chat's server.
	if !m.BaseURL.Set() {
		m.BaseURL = chat.BaseURL
		if !m.APIKey.Set() {
			m.APIKey = chat.APIKey
		}
	}
	if m.Command == nil {
		m.Command = chat.Command
	}
	return m
}

func (m Models) of(role Role) *Model {
	v := reflect.ValueOf(m)
	for _, k := range keysOf(v.Type()) {
		if k.name == string(role) {
			return v.Field(k.index).Interface().(*Model)
		}
	}
	return nil
}

// Roles are all roles, chat first.
func Roles() []Role {
	var all []Role
	for _, k := range keysOf(reflect.TypeFor[Models]()) {
		all = append(all, Role(k.name))
	}
	return all
}

// Providers are the names of all providers.
func Providers() []string { return Provider("").names() }
