package config

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestTheFullExampleLoads(t *testing.T) {
	source, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) (string, bool) { return "value-of-" + name, true }
	c, err := Parse("full.yaml", source, env)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Platforms.Telegram.Token.Reveal(); got != "12345:value-of-TELEGRAM_SECRET" {
		t.Errorf("the token of Telegram is %q", got)
	}
	if got := c.Model(Fast).APIKey.Reveal(); got != "value-of-ANTHROPIC_API_KEY" {
		t.Errorf("the key of the fast model is %q", got)
	}
	if out := c.YAML() + printed(t, c); strings.Contains(out, "value-of-") {
		t.Errorf("a secret is shown:\n%s", out)
	}

	// What it says of everything but models and platforms are the defaults.
	c.Token, c.Models, c.Platforms = Secret{}, Models{}, Default().Platforms
	if !reflect.DeepEqual(c, Default()) {
		t.Errorf("got\n%s\nwant the defaults", c.YAML())
	}
}

// What is shown can be used as a file, but for the secrets.
func TestWhatIsShownLoadsAsTheSame(t *testing.T) {
	names := []string{
		"Ada", "", "true", "No", "null", "~", "5", "1e5", "0x1F", "12:30", "a: b", "a #b", "- a", "[a]", "{a}", "*a", "&a", "!a", "@a", "`a",
		`"`, `'`, `\`, "a\nb\n", "\t", " a ", "${A}", "$${A}", "${", "é 👍", "\u2028", "\u0085", "<actions>", "...", "---", "<<", "a:", "=",
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			c := Default()
			c.Data, c.Persona.File = "./"+name, name
			c.Groups.Rooms = map[string]RoomRules{"web/" + name: {Mode: ModeOff}, "web/b": {Mode: ModeOpen, Debounce: new(Pause(0)), DailyLimit: new(7)}, "web/c": {DailyLimit: new(0)}, "web/d": {}}
			c.Continue.Rooms = map[string]int{"web/b": 0, "discord/1234": 20}
			c.Models.Chat = &Model{Source: Source{Provider: Command, Command: []string{"llm", name, name}}, Fallback: &Source{Model: name + "x", Vision: new(true)}}
			c.Models.Fast = &Model{Source: Source{Model: name}}
			c.Platforms.Discord = &Discord{Token: NewSecret(hidden), AllowUsers: []string{name}, Rooms: []string{}}
			if name == "" {
				delete(c.Groups.Rooms, "web/")
			}
			again, err := Parse("shown.yaml", []byte(c.YAML()), environment())
			if err != nil {
				t.Fatalf("%v in\n%s", err, c.YAML())
			}
			if again.YAML() != c.YAML() || again.Data != c.Data || again.Persona != c.Persona || !reflect.DeepEqual(again.Groups, c.Groups) || !reflect.DeepEqual(again.Continue, c.Continue) ||
				!reflect.DeepEqual(again.Models.Chat.Command, c.Models.Chat.Command) || *again.Models.Chat.Fallback.Vision != true || !reflect.DeepEqual(again.Platforms, c.Platforms) {
				t.Errorf("shown as\n%s\nand then as\n%s", c.YAML(), again.YAML())
			}
		})
	}
}

func TestSchema(t *testing.T) {
	schema, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	property := func(path string) map[string]any {
		node := root
		for name := range strings.SplitSeq(path, ".") {
			node, _ = node["properties"].(map[string]any)[name].(map[string]any)
		}
		return node
	}
	tests := []struct{ name, path, want string }{
		{"a text has a default", "data", `{"default":"./data","description":"The directory for the SQLite file, attachments and plans.","minLength":1,"type":["string","number"]}`},
		{"a word is one of a list", "platforms.whatsapp.kind", `{"anyOf":[{"enum":["cloud","personal"]},{"pattern":"\\$\\{","type":"string"}],"default":"cloud","description":"cloud: a business number through the Cloud API. personal: an own number, paired like a second device."}`},
		{"a number has bounds", "defer.max_pending", `{"anyOf":[{"minimum":1,"type":"integer"},{"pattern":"\\$\\{","type":"string"}],"default":5,"description":"How many may wait at a time."}`},
		{"a switch is a boolean", "signals.visible", `{"anyOf":[{"type":"boolean"},{"pattern":"\\$\\{","type":"string"}],"default":false,"description":"Leave signals in the text that people see."}`},
		{"a switch without a default has none", "models.fast.fallback.vision", `{"anyOf":[{"type":"boolean"},{"pattern":"\\$\\{","type":"string"}],"description":"Whether the model can see images. If nobody says so, it can with openai, anthropic and gemini."}`},
		{"a section knows its keys", "signals", `{"additionalProperties":false,"description":"Instructions of the form [NAME:argument].","properties":{"visible":{"anyOf":[{"type":"boolean"},{"pattern":"\\$\\{","type":"string"}],"default":false,"description":"Leave signals in the text that people see."}},"type":["object","null"]}`},
		{"the values of a table have bounds", "continue.rooms", `{"additionalProperties":{"anyOf":[{"maximum":20,"minimum":0,"type":"integer"},{"pattern":"\\$\\{","type":"string"}]},"description":"The same for single rooms, as in discord/1234: 1.","type":["object","null"]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := json.Marshal(property(test.path))
			if err != nil {
				t.Fatal(err)
			}
			var want any
			if err := json.Unmarshal([]byte(test.want), &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(property(test.path), want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	t.Run("a platform says what it needs", func(t *testing.T) {
		if got := property("platforms.slack")["required"]; !reflect.DeepEqual(got, []any{"bot_token"}) {
			t.Errorf("got %v", got)
		}
	})
}

// The tags are code that no compiler reads.
func TestEveryKeyIsDescribed(t *testing.T) {
	var look func(reflect.Type, string)
	look = func(section reflect.Type, path string) {
		seen := map[string]bool{}
		for _, k := range keysOf(section) {
			inner := join(path, k.name)
			if k.name == "" || seen[k.name] || !strings.HasSuffix(strings.TrimSuffix(k.doc, "…"), ".") && !strings.HasSuffix(k.doc, "…") {
				t.Errorf("%s: a name of its own and a sentence are needed, there is %q", inner, k.doc)
			}
			seen[k.name] = true
			if t, ok := k.section(); ok {
				look(t, inner)
				continue
			}
			v := reflect.New(k.typ).Elem()
			if f, ok := formOf(k.typ); ok && k.value != "" && !f.read(v, k.value) {
				t.Errorf("%s: the default %q is not %s", inner, k.value, f.what)
			} else if f, ok := elementOf(k.typ); ok && k.value != "" && readList(v, strings.Split(k.value, ",")) >= 0 {
				t.Errorf("%s: the default %q is not %s", inner, k.value, f.what)
			} else if (k.typ.Kind() == reflect.Bool || k.typ.Kind() == reflect.Int) && k.value == "" {
				t.Errorf("%s: the default is not said", inner)
			}
		}
	}
	look(reflect.TypeFor[Config](), "")
}
