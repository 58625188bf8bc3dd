package config

import (
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"
)

// leastToken is how many characters a token needs that others can guess at.
const leastToken = 16

// check looks at what has to hold between keys. What is wrong already is not
// complained about twice.
func (d *decoder) check(c *Config) {
	d.checkToken(c)
	d.checkPublicURL(c.PublicURL)
	d.checkModels(c)
	if c.Speech != nil {
		d.checkSpeech(*c.Speech)
	}
	d.checkGlyphs(c.Reactions.Glyphs)
	d.checkAccess(c.Platforms)
	d.checkTasks(c.Tasks)
	if c.Platforms.WhatsApp != nil {
		d.checkWhatsApp(*c.Platforms.WhatsApp)
	}
	if c.Platforms.Slack != nil {
		d.checkSlack(*c.Platforms.Slack)
	}
}

// checkSlack wants one of the two ways in.
func (d *decoder) checkSlack(s Slack) {
	const path = "platforms.slack"
	if s.AppToken.Set() || s.SigningSecret.Set() || d.wrong[path+".app_token"] || d.wrong[path+".signing_secret"] {
		return
	}
	at, ok := d.given[path+".app_token"]
	if !ok {
		at = d.given[path]
	}
	d.report(at, path+".app_token", "is missing; it is the app-level token, xapp-…, for Socket Mode, or give signing_secret for requests over HTTP")
}

func (d *decoder) checkToken(c *Config) {
	public := c.PublicURL.Set()
	if d.wrong["listen"] || d.wrong["token"] || c.Listen.Loopback() && !public || utf8.RuneCountInString(c.Token.Reveal()) >= leastToken {
		return
	}
	what := "is needed"
	if c.Token.Set() {
		what = "is too short"
	}
	at, ok := d.given["token"]
	if c.Listen.Loopback() {
		if !ok {
			at = d.given["public_url"]
		}
		d.report(at, "token", "%s: others can reach Aside at its public_url, so it has at least %d characters", what, leastToken)
		return
	}
	if !ok {
		at = d.given["listen"]
	}
	d.report(at, "token", "%s: listen can be reached from other machines, so it has at least %d characters; or listen at 127.0.0.1", what, leastToken)
}

// checkPublicURL checks that it is the address of a host. The page asks for its parts
// there, below no path.
func (d *decoder) checkPublicURL(u URL) {
	if !u.Set() || d.wrong["public_url"] {
		return
	}
	parsed, err := url.Parse(u.Reveal())
	if err != nil || parsed.User != nil || strings.Trim(parsed.Path, "/") != "" || parsed.RawQuery != "" || parsed.Fragment != "" {
		d.report(d.given["public_url"], "public_url", "this is more than a host, such as https://chat.example.com; Aside's page cannot stand below a path")
	}
}

func (d *decoder) checkModels(c *Config) {
	configured := false
	for _, k := range keysOf(reflect.TypeFor[Models]()) {
		path := "models." + k.name
		m := c.Models.of(Role(k.name))
		if m == nil || d.wrong[path] {
			continue
		}
		configured = true
		if m.Provider == "" && Role(k.name) == Chat && !d.wrong[path+".provider"] {
			d.report(d.given[path], path+".provider", "is missing; it is %s", oneOf(m.Provider))
			continue
		}
		if m.Provider != "" && !d.wrong[path+".provider"] {
			d.checkSource(m.Source, path)
		}
		if m.Fallback != nil {
			d.checkFallback(*m.Fallback, path+".fallback")
		}
	}
	if configured && c.Models.Chat == nil && !d.wrong["models.chat"] {
		d.report(d.given["models"], "models.chat", "is missing; it answers people, and is what the other roles fall back to")
	}
}

func oneOf(n named) string {
	f, _ := formOf(reflect.TypeOf(n))
	return f.what
}

// checkFallback checks that a fallback is another model.
func (d *decoder) checkFallback(s Source, path string) {
	switch {
	case d.wrong[path]:
	case s.Provider != "":
		d.checkSource(s, path)
	case s.Model == "" && !s.BaseURL.Set() && !s.APIKey.Set() && len(s.Command) == 0 && !d.wrong[path+".provider"]:
		d.report(d.given[path], path, "names nothing that is different; give it a provider, or another model")
	}
}

// template is what looks like a template in an argument of a command.
var template = regexp.MustCompile(`\{\{\w+\}\}`)

// checkCommand checks the templates in the arguments of a command.
func (d *decoder) checkCommand(s Source, path string) {
	for _, argument := range s.Command {
		for _, name := range template.FindAllString(argument, -1) {
			switch name {
			case "{{prompt}}", "{{system}}", "{{message}}":
			case "{{model}}":
				if s.Model == "" && !d.wrong[path+".model"] {
					d.report(d.given[path+".command"], path+".model", "is missing; {{model}} in the command stands for it")
				}
			default:
				d.report(d.given[path+".command"], path+".command", "there is no %s; there are {{prompt}}, {{message}}, {{system}}, {{model}}", name)
			}
		}
	}
}

// checkSource checks a model that names its provider.
func (d *decoder) checkSource(m Source, path string) {
	missing := func(key string, set bool, why string) {
		if path := path + "." + key; !set && !d.wrong[path] {
			at, ok := d.given[path]
			if !ok {
				at = d.given[path[:len(path)-len(key)-1]]
			}
			d.report(at, path, "is missing; %s", why)
		}
	}
	if text := m.Provider == Rehearsal || m.Provider == Command; text && m.Vision != nil && *m.Vision {
		d.report(d.given[path+".vision"], path+".vision", "is true, but %s can be told text only; take it out", m.Provider)
	}
	switch m.Provider {
	case Rehearsal:
	case Command:
		missing("command", len(m.Command) > 0, "it is the program to run, such as [ollama, run, llama3]")
		d.checkCommand(m, path)
	default:
		missing("model", m.Model != "", "it is the name that "+string(m.Provider)+" has for the model")
		missing("api_key", m.APIKey.Set() || m.BaseURL.Set() || d.wrong[path+".base_url"], string(m.Provider)+" wants a key, unless base_url leads to a server that does not")
	}
}

func (d *decoder) checkWhatsApp(w WhatsApp) {
	const path = "platforms.whatsapp"
	if w.Kind != WhatsAppCloud || d.wrong[path+".kind"] {
		return
	}
	for _, k := range keysOf(reflect.TypeOf(w)) {
		inner := join(path, k.name)
		switch k.name {
		case "phone_number_id", "token", "app_secret", "verify_token":
			if !empty(reflect.ValueOf(w).FieldByIndex(k.index)) || d.wrong[inner] {
				continue
			}
			at, ok := d.given[inner]
			if !ok {
				at = d.given[path]
			}
			d.report(at, inner, "is missing; %s", note(k.doc))
		}
	}
}
