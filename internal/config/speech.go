package config

import "time"

// Speech says who speaks.
type Speech struct {
	Provider SpeechProvider `yaml:"provider" filled:"true" doc:"Who speaks. openai: OpenAI, or a server with its interface at base_url. command: a program."`
	Model    string         `yaml:"model" doc:"For provider openai: its name of the model."`
	Voice    string         `yaml:"voice" default:"alloy" doc:"For provider openai: whose voice it is."`
	Format   SpeechFormat   `yaml:"format" default:"opus" doc:"For provider openai: what the sound is stored as."`
	BaseURL  URL            `yaml:"base_url" schemes:"https,http" doc:"For provider openai: where the server is, if not at OpenAI, up to /v1."`
	APIKey   Secret         `yaml:"api_key" doc:"For provider openai: the key. Not needed with a base_url."`
	Command  []string       `yaml:"command" doc:"For provider command: the program and its arguments, such as [espeak-ng, --stdout]. It reads the text on standard input and writes the sound to standard output: wav, ogg, mp3 or flac."`
	Timeout  time.Duration  `yaml:"timeout" default:"30s" doc:"How long it may take. What takes longer is sent in writing."`
}

// A SpeechProvider is who speaks.
type SpeechProvider string

const (
	SpeechOpenAI  SpeechProvider = "openai"
	SpeechCommand SpeechProvider = "command"
)

func (SpeechProvider) names() []string {
	return []string{string(SpeechOpenAI), string(SpeechCommand)}
}

// A SpeechFormat is what sound is stored as.
type SpeechFormat string

func (SpeechFormat) names() []string { return []string{"opus", "mp3", "wav"} }

func (d *decoder) checkSpeech(s Speech) {
	const path = "speech"
	missing := func(key string, set bool, why string) {
		inner := join(path, key)
		if set || d.wrong[inner] || d.wrong[path] {
			return
		}
		at, ok := d.given[inner]
		if !ok {
			at = d.given[path]
		}
		d.report(at, inner, "is missing; %s", why)
	}
	switch s.Provider {
	case SpeechOpenAI:
		missing("model", s.Model != "", "it is the name that the provider has for the model")
		missing("api_key", s.APIKey.Set() || s.BaseURL.Set() || d.wrong[path+".base_url"], "OpenAI wants a key, unless base_url leads to a server that does not")
	case SpeechCommand:
		missing("command", len(s.Command) > 0, "it is the program to run, such as [espeak-ng, --stdout]")
	}
}
