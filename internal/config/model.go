package config

import (
	"cmp"
	"reflect"

	"github.com/asidehq/aside/extract"
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

// A Model is the model of a role, and the one that is asked when it fails.
type Model struct {
	Source
	Fallback *Source `yaml:"fallback" doc:"Another model, which is asked when this one fails in spite of all tries. What it does not name is this one's."`

	// 0 is not said: see DialectsOf.
	Dialects extract.Dialect `yaml:"dialects" doc:"The ways of writing instructions that this model is told of, and that are looked for in its replies. Without this key they are the agent's."`
}

// A Source says where a model is and what it is called there.
type Source struct {
	Provider Provider `yaml:"provider" doc:"Who is asked. openai is every server with that interface, found at base_url; command is a program; rehearsal is built in."`
	Model    string   `yaml:"model" doc:"The provider's name of the model."`
	BaseURL  URL      `yaml:"base_url" schemes:"https,http" doc:"Where the provider is, if not at its usual address."`
	APIKey   Secret   `yaml:"api_key" doc:"The provider's key. Not needed with a base_url."`
	Command  []string `yaml:"command" doc:"For provider command: the program and its arguments. It reads the prompt on standard input, or in an argument with {{prompt}} or {{message}}, and writes the reply on standard output. There are also {{system}} and {{model}}."`
	Noise    *bool    `yaml:"filter_noise" doc:"Whether what programs print about their work, such as calls of tools and spinners, is taken out of replies. If nobody says so, it is with command."`
	Vision   *bool    `yaml:"vision" doc:"Whether the model can see images. If nobody says so, it can with openai, anthropic and gemini."`
}

// Sees tells whether the model can see images.
func (s Source) Sees() bool {
	if s.Vision != nil {
		return *s.Vision
	}
	return s.Provider == OpenAI || s.Provider == Anthropic || s.Provider == Gemini
}

// FiltersNoise tells whether what programs print about their work is taken out of replies.
func (s Source) FiltersNoise() bool {
	if s.Noise != nil {
		return *s.Noise
	}
	return s.Provider == Command
}

// completed is s with what it does not name taken from another, if it does not name
// a provider.
func (s Source) completed(from Source) Source {
	if s.Provider != "" {
		return s
	}
	s.Provider = from.Provider
	s.Model = cmp.Or(s.Model, from.Model)
	// A key goes only where it was meant to go: to the other's server.
	if !s.BaseURL.Set() {
		s.BaseURL = from.BaseURL
		if !s.APIKey.Set() {
			s.APIKey = from.APIKey
		}
	}
	if s.Command == nil {
		s.Command = from.Command
	}
	if s.Vision == nil {
		s.Vision = from.Vision
	}
	if s.Noise == nil {
		s.Noise = from.Noise
	}
	return s
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
// provider, or chat, or the rehearsal model when none is configured. Its fallback is
// complete as well.
func (c *Config) Model(role Role) Model {
	chat := Model{Source: Source{Provider: Rehearsal}}
	if c.Models.Chat != nil {
		chat = *c.Models.Chat
	}
	m := chat
	if own := c.Models.of(role); own != nil {
		m = *own
		if m.Provider == "" && m.Fallback == nil {
			m.Fallback = chat.Fallback
		}
		m.Source = m.Source.completed(chat.Source)
	}
	if m.Fallback != nil {
		fallback := m.Fallback.completed(m.Source)
		m.Fallback = &fallback
	}
	return m
}

// DialectsOf are the dialects in the replies of a role: its own, or the agent's. A role that
// is not configured is chat in this too.
func (c *Config) DialectsOf(role Role) extract.Dialect {
	own := c.Models.of(role)
	if own == nil {
		own = c.Models.Chat
	}
	if own == nil || own.Dialects == 0 {
		return c.Dialects
	}
	return own.Dialects
}

// Roles are all roles, chat first.
func Roles() []Role {
	var roles []Role
	for _, k := range keysOf(reflect.TypeFor[Models]()) {
		roles = append(roles, Role(k.name))
	}
	return roles
}

func (m Models) of(role Role) *Model {
	v := reflect.ValueOf(m)
	for _, k := range keysOf(v.Type()) {
		if k.name == string(role) {
			return v.FieldByIndex(k.index).Interface().(*Model)
		}
	}
	return nil
}

// Providers are the names of all providers.
func Providers() []string { return Provider("").names() }
