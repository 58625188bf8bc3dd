package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/extract"
)

// environment makes an env for Load of pairs of name and value.
func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func load(t *testing.T, source string, env ...string) *Config {
	t.Helper()
	c, err := Parse("aside.yaml", []byte(source), environment(env...))
	if err != nil {
		t.Fatalf("%s\ncannot be loaded:\n%v", source, err)
	}
	return c
}

func TestDefault(t *testing.T) {
	c := Default()
	tests := []struct {
		name      string
		got, want any
	}{
		{"data is beside the program's directory", c.Data, "./data"},
		{"the database is SQLite", c.Database.Reveal(), "sqlite"},
		{"only this machine reaches it", c.Listen, Address("127.0.0.1:8787")},
		{"there is no token", c.Token, Secret{}},
		{"the persona is Aside", c.Persona, Persona{"Aside", "persona.md"}},
		{"no model is configured", c.Models, Models{}},
		{"the web page alone runs", c.Platforms, Platforms{Web: &Web{}}},
		{"it answers in groups when mentioned", c.Groups, Groups{Mode: ModeMention, Debounce: Pause(1500 * time.Millisecond)}},
		{"every dialect but the envelope is read", c.Dialects, extract.Everything &^ extract.Envelope},
		{"signals are taken out of the text", c.Signals, Signals{false}},
		{"actions run", c.Actions.Enabled, true},
		{"a query may be followed up three times", c.Actions.FollowupDepth, 3},
		{"what is destructive is confirmed", c.Actions.Confirm, []Confirmed{Destructive}},
		{"deferrals have bounds", c.Defer, Defer{30 * time.Minute, 5}},
		{"reactions count for a day", c.Reactions, Reactions{true, true, false, 24 * time.Hour, Glyphs{"👀", "🤔", "👍", "🏆", "😱"}}},
		{"three continuations", c.Continue, Continue{Max: 3}},
		{"answers are late after an hour", c.Deliver, Deliver{time.Hour}},
		{"64 turns at once", c.Sessions, Sessions{64}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if !reflect.DeepEqual(test.got, test.want) {
				t.Errorf("got %+v, want %+v", test.got, test.want)
			}
		})
	}
	for _, k := range keysOf(reflect.TypeFor[Categories]()) {
		off := k.name == "moderation" || k.name == "imagegen" || k.name == "voice"
		if c.Actions.Categories.On(k.name) == off {
			t.Errorf("category %s is on: %v", k.name, !off)
		}
	}
	if c.Actions.Categories.On("cooking") {
		t.Error("a category that does not exist is on")
	}
}

func TestFilesThatSayNothing(t *testing.T) {
	tests := []struct{ name, source string }{
		{"an empty file", ""},
		{"a file of comments", "# data: ./elsewhere\n\n# that is all\n"},
		{"an empty document", "---\n"},
		{"a byte order mark", "\uFEFF"},
		{"sections whose keys are all comments", "persona:\n  # name: Ada\ngroups:\nplatforms:\ndata:\n"},
		{"an empty mapping", "{}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if c := load(t, test.source); !reflect.DeepEqual(c, Default()) {
				t.Errorf("got %s", c.YAML())
			}
		})
	}
}

func TestLoad(t *testing.T) {
	t.Chdir(t.TempDir())
	if c, err := Load("", os.LookupEnv); err != nil || !reflect.DeepEqual(c, Default()) {
		t.Errorf("without a file: %v, %v", c, err)
	}
	if _, err := Load(File, os.LookupEnv); err == nil || err.Error() != "aside.yaml: there is no such file" {
		t.Errorf("a file that is asked for and not there: %v", err)
	}
	if _, err := Load(".", os.LookupEnv); err == nil || !strings.HasPrefix(err.Error(), ".: cannot be read: ") {
		t.Errorf("a directory: %v", err)
	}
	if err := os.WriteFile(filepath.Join(".", File), []byte("data: ./elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", File} {
		if c, err := Load(path, os.LookupEnv); err != nil || c.Data != "./elsewhere" {
			t.Errorf("Load(%q): %v, %v", path, c, err)
		}
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		name, source string
		got          func(*Config) any
		want         any
	}{
		{
			"what is given does not touch its neighbours", "persona: {name: Ada}",
			func(c *Config) any { return c.Persona },
			Persona{"Ada", "persona.md"},
		},
		{
			"a list takes the place of the default", "dialects: [envelope]",
			func(c *Config) any { return c.Dialects },
			extract.Envelope,
		},
		{
			"a list of confirmations may be empty", "actions: {confirm: []}",
			func(c *Config) any { return c.Actions.Confirm },
			[]Confirmed{},
		},
		{
			"a category can need confirmation", "actions: {confirm: [destructive, guild]}",
			func(c *Config) any { return c.Actions.Confirm },
			[]Confirmed{Destructive, "guild"},
		},
		{
			"listed platforms run and no others", "platforms: {telegram: {token: t}}",
			func(c *Config) any { return c.Platforms },
			Platforms{Telegram: &Telegram{Token: NewSecret("t")}},
		},
		{
			"a listed platform needs no braces", "platforms:\n  web:\n",
			func(c *Config) any { return c.Platforms },
			Platforms{Web: &Web{}},
		},
		{
			"no platform at all can be wanted", "platforms: {}",
			func(c *Config) any { return c.Platforms },
			Platforms{},
		},
		{
			"ids need no quotes", "platforms: {discord: {token: t, allow_users: [80351110224678912, \"0042\", 0042]}}",
			func(c *Config) any { return c.Platforms.Discord.AllowUsers },
			[]string{"80351110224678912", "0042", "0042"},
		},
		{
			"nor does a phone number", "platforms: {signal: {account: +15550100}}",
			func(c *Config) any { return *c.Platforms.Signal },
			Signal{RPC: NewURL("http://127.0.0.1:8080"), Account: "+15550100"},
		},
		{
			"a personal WhatsApp number needs no keys", "platforms: {whatsapp: {kind: personal}}",
			func(c *Config) any { return *c.Platforms.WhatsApp },
			WhatsApp{Kind: WhatsAppPersonal},
		},
		{
			"durations are added up", "defer: {max_delay: 1h30m}",
			func(c *Config) any { return c.Defer.MaxDelay },
			90 * time.Minute,
		},
		{
			"text can have several lines", "persona:\n  name: |\n    Ada\n    Lovelace\n",
			func(c *Config) any { return c.Persona.Name },
			"Ada\nLovelace\n",
		},
		{
			"lines may end as on Windows", "data: ./a\r\npersona:\r\n  name: Ada\r\n",
			func(c *Config) any { return c.Data + " " + c.Persona.Name },
			"./a Ada",
		},
		{
			"others may reach it with a token", "listen: :8787\ntoken: 0123456789abcdef",
			func(c *Config) any { return c.Listen },
			Address(":8787"),
		},
		{
			"a PostgreSQL URL is a database", "database: postgres://aside:pw@db/aside",
			func(c *Config) any { return c.Database.Reveal() },
			"postgres://aside:pw@db/aside",
		},
		{
			"who may talk to it follows from the list", "platforms: {telegram: {token: x}, signal: {account: '+1', allow_users: ['+2']}, slack: {bot_token: x, app_token: y, access: pairing}, web: {}}",
			func(c *Config) any {
				var all []Access
				for _, name := range []string{"telegram", "signal", "slack", "web", "discord"} {
					access, _ := c.Platforms.Access(name)
					all = append(all, access)
				}
				return all
			},
			[]Access{AccessOpen, AccessAllowlist, AccessPairing, AccessOpen, AccessOpen},
		},
		{
			"a room has its own rules", "groups: {rooms: {discord/1: {mode: open, debounce: 0s}, discord/2: {daily_limit: 3}, discord/3: listen}}\nlimits: {per_room_daily: 9}",
			func(c *Config) any {
				var all []any
				for _, room := range []string{"discord/1", "discord/2", "discord/3", "discord/4"} {
					all = append(all, c.Groups.ModeOf(room), c.Groups.DebounceOf(room), c.RoomLimit(room))
				}
				return append(all, c.Groups.DebounceOf("discord/4", "discord/1"), c.RoomLimit("discord/4", "discord/2"))
			},
			[]any{ModeOpen, time.Duration(0), 9, ModeMention, 1500 * time.Millisecond, 3, ModeListen, 1500 * time.Millisecond, 9, ModeMention, 1500 * time.Millisecond, 9, time.Duration(0), 3},
		},
		{
			"a room has its own mode", "groups: {mode: judge, rooms: {discord/1: open}}",
			func(c *Config) any { return []Mode{c.Groups.ModeOf("discord/1", ""), c.Groups.ModeOf("discord/2", "")} },
			[]Mode{ModeOpen, ModeJudge},
		},
		{
			"a thread has its room's mode, or its own", "groups: {mode: judge, rooms: {discord/1: open, discord/12: off}}",
			func(c *Config) any {
				return []Mode{c.Groups.ModeOf("discord/11", "discord/1"), c.Groups.ModeOf("discord/12", "discord/1"), c.Groups.ModeOf("discord/21", "discord/2")}
			},
			[]Mode{ModeOpen, ModeOff, ModeJudge},
		},
		{
			"each platform has its own rooms", "platforms: {discord: {token: t, rooms: [1]}, telegram: {token: t, rooms: [-3]}, slack: {bot_token: t, app_token: t, rooms: [C4]}, signal: {account: \"+15550100\"}}",
			func(c *Config) any {
				var all [][]string
				for _, name := range []string{"discord", "telegram", "slack", "signal", "whatsapp", "web"} {
					all = append(all, c.Platforms.Rooms(name))
				}
				return all
			},
			[][]string{{"1"}, {"-3"}, {"C4"}, nil, nil, nil},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.got(load(t, test.source)); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	env := []string{"NAME", "Ada", "EMPTY", "", "BRACES", "{a: ${NAME}}", "N", "7", "YES", "true", "QUOTE", `"`}
	tests := []struct{ name, value, want string }{
		{"a variable", `${NAME}`, "Ada"},
		{"in double quotes", `"${NAME}"`, "Ada"},
		{"in single quotes", `'${NAME}'`, "Ada"},
		{"in a block", "|-\n    ${NAME}", "Ada"},
		{"inside a text", `Lady ${NAME} and ${NAME}`, "Lady Ada and Ada"},
		{"with a default that is not needed", `${NAME:-Bea}`, "Ada"},
		{"with a default", `${NOBODY:-Bea}`, "Bea"},
		{"an empty variable takes the default", `${EMPTY:-Bea}`, "Bea"},
		{"a default with all that YAML knows", `${NOBODY:-a: [b], 'c' "d" #e \n $f}`, `a: [b], 'c' "d" #e \n $f`},
		{"an empty default", `Ada${NOBODY:-}`, "Ada"},
		{"a value is not read again", `${BRACES}`, "{a: ${NAME}}"},
		{"a value does not end the quotes", `"${QUOTE}"`, `"`},
		{"a literal reference", `$${NAME}`, "${NAME}"},
		{"a literal brace", `"$${ and }"`, "${ and }"},
		{"a dollar", `$NAME costs 5$`, "$NAME costs 5$"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := load(t, "persona:\n  name: "+test.value+"\n", env...).Persona.Name; got != test.want {
				t.Errorf("in a line of its own: got %q, want %q", got, test.want)
			}
			if strings.Contains(test.value, "\n") {
				return
			}
			if got := load(t, "persona: {name: "+test.value+", file: f}\n", env...).Persona.Name; got != test.want {
				t.Errorf("between braces: got %q, want %q", got, test.want)
			}
		})
	}
	t.Run("variables can be numbers and switches", func(t *testing.T) {
		c := load(t, "continue: {max: ${N}}\nsignals: {visible: ${YES}}\ndefer: {max_delay: ${N}m}", env...)
		if c.Continue.Max != 7 || !c.Signals.Visible || c.Defer.MaxDelay != 7*time.Minute {
			t.Errorf("got %+v %+v %+v", c.Continue, c.Signals, c.Defer)
		}
	})
	t.Run("a comment is no place for variables", func(t *testing.T) {
		load(t, "# token: ${NOBODY}\ndata: ./data # ${NOBODY} ${\n")
	})
}

func TestModel(t *testing.T) {
	const chat = "models:\n  chat: {provider: openai, model: large, base_url: https://a, api_key: k}\n"
	key := NewSecret("k")
	base := NewURL("https://a")
	off := false
	large := Source{Provider: OpenAI, Model: "large", BaseURL: base, APIKey: key}
	small := Source{Provider: OpenAI, Model: "small", BaseURL: base, APIKey: key}
	const other = "fallback: {provider: anthropic, model: other, api_key: j}"
	another := &Source{Provider: Anthropic, Model: "other", APIKey: NewSecret("j")}
	tests := []struct {
		name, source string
		role         Role
		want         Model
	}{
		{"with no model it is rehearsal", "", Fast, Model{Source: Source{Provider: Rehearsal}}},
		{"a role that is not configured falls back to chat", chat, Summary, Model{Source: large}},
		{"so does one that nobody knows", chat, "cooking", Model{Source: large}},
		{"a role has its own model", chat + "  fast: {provider: anthropic, model: small, api_key: j}", Fast, Model{Source: Source{Provider: Anthropic, Model: "small", APIKey: NewSecret("j")}}},
		{"without a provider it is chat's", chat + "  cron-exec: {model: small}", CronExec, Model{Source: small}},
		{"chat's key goes to no other server", chat + "  fast: {model: small, base_url: https://b}", Fast, Model{Source: Source{Provider: OpenAI, Model: "small", BaseURL: NewURL("https://b")}}},
		{"an empty role is chat's", chat + "  voice:", Voice, Model{Source: large}},
		{"a model can be a command", "models: {chat: {provider: command, command: [llm, -m, small]}}", Chat, Model{Source: Source{Provider: Command, Command: []string{"llm", "-m", "small"}}}},
		{"rehearsal can be asked for", "models: {chat: {provider: rehearsal}}", Chat, Model{Source: Source{Provider: Rehearsal}}},
		{"a model can be said to be blind", "models: {chat: {provider: rehearsal, vision: false}}", Chat, Model{Source: Source{Provider: Rehearsal, Vision: &off}}},
		{"what chat sees a role without a provider sees", "models: {chat: {provider: command, command: [a], vision: false}, fast: {model: b}}", Fast, Model{Source: Source{Provider: Command, Model: "b", Command: []string{"a"}, Vision: &off}}},
		{"a model has a fallback", chat[:len(chat)-2] + ", " + other + "}", Chat, Model{Source: large, Fallback: another}},
		{"which a role without its own model has as well", chat[:len(chat)-2] + ", " + other + "}", Summary, Model{Source: large, Fallback: another}},
		{"and one without a provider", chat[:len(chat)-2] + ", " + other + "}\n  fast: {model: small}", Fast, Model{Source: small, Fallback: another}},
		{"but not one with a provider", chat[:len(chat)-2] + ", " + other + "}\n  fast: {provider: rehearsal}", Fast, Model{Source: Source{Provider: Rehearsal}}},
		{"a fallback without a provider has its model's", chat[:len(chat)-2] + ", fallback: {model: small}}", Chat, Model{Source: large, Fallback: &small}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := load(t, test.source).Model(test.role); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
