package config

import (
	"strings"
	"testing"
)

func TestProblems(t *testing.T) {
	tests := []struct{ name, source, want string }{
		// Keys.
		{"an unknown key", "grops: {mode: open}", `1:1: grops: there is no such key; did you mean groups?`},
		{"an unknown key in a section", "persona:\n  nmae: Ada", `2:3: persona.nmae: there is no such key; did you mean persona.name?`},
		{"a key in the wrong section", "max_delay: 3m", `1:1: max_delay: there is no such key; but there is defer.max_delay; check the indentation`},
		{"a key that is like no other", "signals: {colour: red}", `1:11: signals.colour: there is no such key; there are visible`},
		{"a key of something without keys", "platforms: {web: {port: 1}}", `1:19: platforms.web.port: there is no such key; it has no keys`},
		{"a key that was given twice", "data: a\nlisten: 127.0.0.1:1\ndata: b", `3:1: data: is here for the second time; the first is in line 1`},
		{"a variable as a key", "${DATA}: a", `1:1: "${DATA}": there is no such key; there are data, database, listen, public_url, token, persona, models, speech, search, platforms, groups, limits, dialects, signals, actions, social, tasks, crons, forge, defer, plans, reactions, continue, deliver, sessions, history, files, log`},
		{"a merge", "<<: {data: a}", `1:1: a key is a plain word here; write out what a merge, an alias or a tag would do`},
		{"a role that does not exist", "models: {chat: {provider: rehearsal}, fats: {model: a}}", `1:39: models.fats: there is no such key; did you mean models.fast?`},
		{"a category that does not exist", "actions:\n  categories: {chanels: true}", `2:16: actions.categories.chanels: there is no such key; did you mean actions.categories.channels?`},
		{"a key of a model that is misspelt is not missing too", "models:\n  chat:\n    provder: rehearsal", `3:5: models.chat.provder: there is no such key; did you mean models.chat.provider?`},
		{"a key of a model that is not indented enough", "models:\n  chat:\n  provider: rehearsal", `3:3: models.provider: there is no such key; but there is models.chat.provider; check the indentation`},
		{"a role that is not indented", "models:\nchat: {provider: rehearsal}", `2:1: chat: there is no such key; but there is models.chat; check the indentation`},
		{"a provider that is misspelt", "models: {chat: {provider: opnai, model: a}}", `1:17: models.chat.provider: "opnai" is none of openai, anthropic, gemini, command, rehearsal; did you mean openai?`},
		{"a colon without its space", "listen:127.0.0.1:8787", `1:1: text is not a section of keys with values, such as data: ./data; behind the colon stands a space`},
		{"a variable without its braces", "models: {chat: {provider: openai, model: a, api_key: $OPENAI_API_KEY}}", `1:45: models.chat.api_key: this looks like a variable of a shell; put its name in braces, as in ${NAME}`},

		// Types.
		{"a list for text", "data: [a]", `1:1: data: a list is not text`},
		{"a section for text", "data: {a: b}", `1:1: data: a section of keys is not text`},
		{"a switch for text", "data: true", `1:1: data: true is not text; put it in quotes`},
		{"text for a section", "persona: Ada", `1:1: persona: text is not a section of keys with values, such as persona: {name: …}`},
		{"text for a list", "actions: {confirm: destructive}", `1:11: actions.confirm: text is not a list, such as [destructive]`},
		{"a number for a switch", "signals: {visible: 1}", `1:11: signals.visible: "1" is not true or false`},
		{"a word for a switch", "signals: {visible: yes}", `1:11: signals.visible: "yes" is not true or false`},
		{"a switch in quotes", `signals: {visible: "true"}`, `1:11: signals.visible: "true" is text; take off the quotes`},
		{"a number in quotes", `continue: {max: "3"}`, `1:12: continue.max: "3" is text; take off the quotes`},
		{"a fraction", "continue: {max: 2.5}", `1:12: continue.max: "2.5" is not a whole number`},
		{"an anchor", "data: &a b", `1:1: data: an anchor, alias or tag is not text`},
		{"a list for the file", "- data: a", `1:1: a list is not a section of keys with values, such as data: ./data; behind the colon stands a space`},

		// Values.
		{"a mode that does not exist", "groups:\n  mode: sometimes", `2:3: groups.mode: "sometimes" is none of open, listen, mention, judge, off`},
		{"a room's mode that does not exist", "groups: {rooms: {discord/1: opn}}", `1:18: groups.rooms."discord/1": "opn" is none of open, listen, mention, judge, off; did you mean open?`},
		{"a room's key that does not exist", "groups: {rooms: {discord/1: {mod: open}}}", `1:30: groups.rooms."discord/1".mod: there is no such key; did you mean groups.rooms."discord/1".mode?`},
		{"a room's limit below nothing", "groups: {rooms: {discord/1: {daily_limit: -1}}}", `1:30: groups.rooms."discord/1".daily_limit: -1 is too small; it is at least 0`},
		{"a room's mode that does not exist in a section", "groups: {rooms: {discord/1: {mode: opn}}}", `1:30: groups.rooms."discord/1".mode: "opn" is none of open, listen, mention, judge, off; did you mean open?`},
		{"a list for a room", "groups: {rooms: {discord/1: [open]}}", `1:18: groups.rooms."discord/1": a list is not one of open, listen, mention, judge, off`},
		{"a pause that is too long", "groups: {debounce: 2m}", `1:10: groups.debounce: "2m" is not a duration from 0s to 1m, such as 1.5s`},
		{"a limit below nothing", "limits: {per_person_daily: -1}", `1:10: limits.per_person_daily: -1 is too small; it is at least 0`},
		{"a room without its platform", "groups: {rooms: {general: open}}", `1:18: groups.rooms.general: this is no room, which is platform/id, such as discord/1234`},
		{"an access that contradicts the list", "platforms: {telegram: {token: x, access: open, allow_users: [1]}}", `1:34: platforms.telegram.access: is open, but allow_users names people; take one of the two out`},
		{"a list that lets nobody in", "platforms: {slack: {bot_token: x, app_token: y, access: allowlist}}", `1:49: platforms.slack.access: is allowlist, but allow_users names nobody; name somebody there, or choose pairing`},
		{"an access that does not exist", "platforms: {signal: {account: '+1', access: pair}}", `1:37: platforms.signal.access: "pair" is none of open, allowlist, pairing`},
		{"a beginning of tasks that is none", "tasks: {prefix: WS-}", `1:9: tasks.prefix: "WS-" is no such beginning; it has up to 20 lower-case letters and digits and begins with a letter, such as ws`},
		{"no beginning of tasks", "tasks: {prefix: ''}", `1:9: tasks.prefix: is empty; it is what the names of new tasks begin with, as in ws-001: up to 20 lower-case letters and digits`},
		{"a dialect that does not exist", "dialects: [signals, smoke]", `1:21: dialects: "smoke" is none of directives, blocks, signals, envelope, reasoning`},
		{"two dialects in one", "dialects: ['signals,blocks']", `1:12: dialects: "signals,blocks" is none of directives, blocks, signals, envelope, reasoning`},
		{"no dialects", "dialects: []", `1:1: dialects: the list is empty; leave the key out for the default, or name some of directives, blocks, signals, envelope, reasoning`},
		{"a duration without a unit", "deliver: {max_age: 60}", `1:11: deliver.max_age: "60" is not a duration above zero, such as 30m or 24h`},
		{"a duration of nothing", "deliver: {max_age: 0s}", `1:11: deliver.max_age: "0s" is not a duration above zero, such as 30m or 24h`},
		{"a duration in the past", "deliver: {max_age: -1h}", `1:11: deliver.max_age: "-1h" is not a duration above zero, such as 30m or 24h`},
		{"a size without a unit", "files: {max_size: 20}", `1:9: files.max_size: "20" is not a size from 1KB to 1GB, such as 20MB`},
		{"a size that is no number", "files: {max_size: bigMB}", `1:9: files.max_size: "bigMB" is not a size from 1KB to 1GB, such as 20MB`},
		{"a size of nothing", "files: {max_size: 0MB}", `1:9: files.max_size: "0MB" is not a size from 1KB to 1GB, such as 20MB`},
		{"a size below nothing", "files: {max_size: -5MB}", `1:9: files.max_size: "-5MB" is not a size from 1KB to 1GB, such as 20MB`},
		{"a size that is too large", "files: {max_size: 2GB}", `1:9: files.max_size: "2GB" is not a size from 1KB to 1GB, such as 20MB`},
		{"a size that no number can hold", "files: {max_size: 99999999999999999GB}", `1:9: files.max_size: "99999999999999999GB" is not a size from 1KB to 1GB, such as 20MB`},
		{"a number that is too small", "sessions: {parallel: 0}", `1:12: sessions.parallel: 0 is too small; it is at least 1`},
		{"a number that is too large", "sessions: {parallel: 10001}", `1:12: sessions.parallel: 10001 is too large; it is at most 10000`},
		{"a port alone", "listen: 8787", `1:1: listen: "8787" is not an address with a port, such as 127.0.0.1:8787`},
		{"a port that does not exist", "listen: 127.0.0.1:87870", `1:1: listen: "127.0.0.1:87870" is not an address with a port, such as 127.0.0.1:8787`},
		{"a database that is none", "database: mysql://u:p@h/d", `1:1: database: this is not sqlite or a URL that begins with postgres:// or postgresql://; in its password write %40 for @, %2F for / and %3A for :`},
		{"a password with a slash", "database: postgres://u:1/2@h/d", `1:1: database: this is not sqlite or a URL that begins with postgres:// or postgresql://; in its password write %40 for @, %2F for / and %3A for :`},
		{"an address that is no URL", "platforms: {telegram: {token: t, api_url: localhost}}", `1:34: platforms.telegram.api_url: this is not a URL that begins with https:// or http://`},
		{"what may not be empty", `data: ""`, `1:1: data: is empty; it is the directory for the SQLite file, attachments and plans`},
		{"an unknown confirmation", "actions: {confirm: [deletions]}", `1:21: actions.confirm: "deletions" is none of destructive, channels, messaging, guild, moderation, polls, tasks, crons, profile, forge, plan, memory, defer, loop, spawn, config, imagegen, voice, search, social`},

		// Variables.
		{"a variable that is not set", "data: a\ntoken: ${ASIDE_TOKEN}", `2:1: token: the environment variable ASIDE_TOKEN is not set; set it, or give a default as in ${ASIDE_TOKEN:-…}`},
		{"a variable without its brace", `data: "${HOME/data"`, `1:1: data: ${ begins no variable, which would be ${NAME} or ${NAME:-default}; for the characters themselves write $${`},
		{"a variable with a wrong value", "groups: {mode: ${WRONG}}", `1:10: groups.mode: the value of ${WRONG} is none of open, listen, mention, judge, off`},
		{"a variable that is too large", "sessions: {parallel: ${MANY}}", `1:12: sessions.parallel: the value of ${MANY} is too large; it is at most 10000`},

		// Between keys.
		{"others can reach it and there is no token", "data: a\nlisten: 0.0.0.0:8787", `2:1: token: is needed: listen can be reached from other machines, so it has at least 16 characters; or listen at 127.0.0.1`},
		{"others can reach it and the token is short", "listen: :8787\ntoken: 0123456789abcde", `2:1: token: is too short: listen can be reached from other machines, so it has at least 16 characters; or listen at 127.0.0.1`},
		{"two marks that look the same", "reactions:\n  glyphs: {received: ❤, success: ❤️}", `2:25: reactions.glyphs.success: ❤️ is received as well; people could not tell the two apart, so choose another`},
		{"a mark that looks like one that is not changed", "reactions: {glyphs: {error: 👍}}", `1:22: reactions.glyphs.error: 👍 is success as well; people could not tell the two apart, so choose another`},
		{"a mark by its name", "reactions: {glyphs: {error: ':scream:'}}", `1:22: reactions.glyphs.error: this is not an emoji; write its character, such as 👀`},
		{"a mark that is a word", "reactions: {glyphs: {error: größer}}", `1:22: reactions.glyphs.error: this is not an emoji; write its character, such as 👀`},
		{"a mark that is two words", "reactions: {glyphs: {error: 😱 😱}}", `1:22: reactions.glyphs.error: this is not an emoji; write its character, such as 👀`},
		{"models without chat", "models:\n  fast: {provider: openai, model: a, api_key: k}", `1:1: models.chat: is missing; it answers people, and is what the other roles fall back to`},
		{"a chat model without provider", "models:\n  chat: {model: a}", `2:3: models.chat.provider: is missing; it is one of openai, anthropic, gemini, command, rehearsal`},
		{"a model without a name", "models: {chat: {provider: openai, api_key: k}}", `1:10: models.chat.model: is missing; it is the name that openai has for the model`},
		{"a model without a key", "models: {chat: {provider: gemini, model: a}}", `1:10: models.chat.api_key: is missing; gemini wants a key, unless base_url leads to a server that does not`},
		{"a command without a program", "models: {chat: {provider: command}}", `1:10: models.chat.command: is missing; it is the program to run, such as [ollama, run, llama3]`},
		{"a template that does not exist", `models: {chat: {provider: command, command: [llm, "{{promt}}"]}}`, `1:36: models.chat.command: there is no {{promt}}; there are {{prompt}}, {{message}}, {{system}}, {{model}}`},
		{"a template without quotes", "models: {chat: {provider: command, command: [llm, {{prompt}}]}}", `1:52: text that begins with { needs quotes, as in "{{prompt}}"`},
		{"a template for a model without a name", `models: {chat: {provider: command, command: [llm, -m, "{{model}}"]}}`, `1:36: models.chat.model: is missing; {{model}} in the command stands for it`},
		{"a fallback without a key", "models:\n  chat:\n    provider: rehearsal\n    fallback: {provider: anthropic, model: a}", `4:5: models.chat.fallback.api_key: is missing; anthropic wants a key, unless base_url leads to a server that does not`},
		{"a fallback that is the same", "models:\n  chat:\n    provider: rehearsal\n    fallback: {vision: true}", `4:5: models.chat.fallback: names nothing that is different; give it a provider, or another model`},
		{"a fallback of a fallback", "models: {chat: {provider: rehearsal, fallback: {model: a, fallback: {model: b}}}}", `1:59: models.chat.fallback.fallback: there is no such key; there are provider, model, base_url, api_key, command, filter_noise, vision`},
		{"sight for a program", "models: {chat: {provider: command, command: [a], vision: true}}", `1:50: models.chat.vision: is true, but command can be told text only; take it out`},
		{"a wrong word for sight", "models: {chat: {provider: rehearsal, vision: sometimes}}", `1:38: models.chat.vision: "sometimes" is not true or false`},
		{"a public address without a token", "public_url: https://chat.example.com", `1:1: token: is needed: others can reach Aside at its public_url, so it has at least 16 characters`},
		{"a public address and a short token", "public_url: https://chat.example.com\ntoken: short", `2:1: token: is too short: others can reach Aside at its public_url, so it has at least 16 characters`},
		{"a public address that is none", "token: 0123456789abcdef\npublic_url: chat.example.com", `2:1: public_url: this is not a URL that begins with https:// or http://`},
		{"a public address with a path", "token: 0123456789abcdef\npublic_url: https://example.com/chat", `2:1: public_url: this is more than a host, such as https://chat.example.com; Aside's page cannot stand below a path`},
		{"a room elsewhere that is none", "actions: {rooms_elsewhere: [discord/1, general]}", `1:40: actions.rooms_elsewhere: "general" is not a room, which is platform/id, such as discord/1234`},
		{"a room for reposts on no platform", "social: {reposts: myspace/tom}", `1:10: social.reposts: "myspace/tom" is not a room, which is platform/id, such as discord/1234`},
		{"a time zone that is none", "crons: {timezone: Europe/Berln}", `1:9: crons.timezone: there is no such time zone; it is a name such as Europe/Berlin or America/New_York`},
		{"a secret for hooks that can be guessed", "crons: {hook_secret: short}", `1:9: crons.hook_secret: is too short: whoever knows it can start jobs, so it has at least 16 characters`},
		{"speech without anybody", "speech: {voice: nova}", `1:1: speech.provider: is missing; it is who speaks`},
		{"speech without a model", "speech: {provider: openai, api_key: k}", `1:1: speech.model: is missing; it is the name that the provider has for the model`},
		{"speech without a key", "speech: {provider: openai, model: tts}", `1:1: speech.api_key: is missing; OpenAI wants a key, unless base_url leads to a server that does not`},
		{"speech without a program", "speech: {provider: command}", `1:1: speech.command: is missing; it is the program to run, such as [espeak-ng, --stdout]`},
		{"speech of an unknown kind", "speech: {provider: openai, model: tts, api_key: k, format: ogg}", `1:52: speech.format: "ogg" is none of opus, mp3, wav`},
		{"a platform without its token", "platforms:\n  discord: {rooms: [1]}", `2:3: platforms.discord.token: is missing; it is the bot's token`},
		{"a platform with an empty token", "platforms:\n  discord: {token: \"\"}", `2:13: platforms.discord.token: is empty; it is the bot's token`},

		// What is no YAML.
		{"a quote that is not closed", `data: "a`, `1:7: the " is not closed`},
		{"a brace that is not closed", "persona: {name: Ada", `1:10: the { is not closed`},
		{"a tab", "persona:\n\tname: Ada", `2:1: this line begins with a tab; indent with spaces`},
		{"wrong indentation", "persona:\n  name: Ada\n file: a", `3:2: this cannot stand here; check the indentation`},
		{"two documents", "data: a\n---\ndata: b", `3:5: a second document begins here; the file has only one, so take out the ---`},
		{"a document after an empty one", "---\n---\ndata: b", `2:1: a second document begins here; the file has only one, so take out the ---`},
		{"a document after the end of one", "data: a\n...\ndata: b", `3:5: a second document begins here; the file has only one, so take out the ---`},
		{"a line that is no key", "data: a\nlisten", `2:1: this is no key with a value, such as data: ./data; check the indentation, and that a space follows the colon`},
		{"bytes that are no text", "data: a\nlisten: \xff", `2:9: this character cannot be used; save the file as UTF-8 text`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := Parse("aside.yaml", []byte(test.source), environment("WRONG", "s3cret", "MANY", "99999"))
			if err == nil {
				t.Fatalf("no error; got\n%s", c.YAML())
			}
			if got := err.Error(); got != "aside.yaml:"+test.want {
				t.Errorf("\ngot  %s\nwant aside.yaml:%s", got, test.want)
			}
		})
	}
}

func TestAllProblemsAreReportedInTheOrderOfTheFile(t *testing.T) {
	const source = `
listen: 0.0.0.0:1
platforms:
  whatsapp: {token: t}
  slack: {bot_token: "${NOBODY}"}
groups: {mode: sometimes}
defer:
  max_delay: soon
  max_pending: 0
`
	want := []string{
		"aside.yaml:2:1: token: is needed",
		"aside.yaml:4:3: platforms.whatsapp.phone_number_id: is missing",
		"aside.yaml:4:3: platforms.whatsapp.app_secret: is missing",
		"aside.yaml:4:3: platforms.whatsapp.verify_token: is missing",
		"aside.yaml:5:3: platforms.slack.app_token: is missing",
		"aside.yaml:5:11: platforms.slack.bot_token: the environment variable NOBODY",
		"aside.yaml:6:10: groups.mode: ",
		"aside.yaml:8:3: defer.max_delay: ",
		"aside.yaml:9:3: defer.max_pending: ",
	}
	_, err := Parse("aside.yaml", []byte(source), environment())
	if err == nil {
		t.Fatal("no error")
	}
	got := strings.Split(err.Error(), "\n")
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing: %s", want[i])
		case i >= len(want):
			t.Errorf("too much: %s", got[i])
		case !strings.HasPrefix(got[i], want[i]):
			t.Errorf("got  %s\nwant %s…", got[i], want[i])
		}
	}
}

func TestLargeFilesAreRefusedAtOnce(t *testing.T) {
	_, err := Parse("aside.yaml", []byte(strings.Repeat("[", maxSize+1)), environment())
	if err == nil || !strings.HasPrefix(err.Error(), "aside.yaml: the file is larger than 64 KiB") {
		t.Errorf("got %.200v", err)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"data", "database", "listen", "token", "groups", "on_remove"}
	tests := []struct{ name, word, want string }{
		{"a letter too few", "lsten", "listen"},
		{"a letter too many", "tokenn", "token"},
		{"letters swapped", "tokne", "token"},
		{"capitals", "Groups", "groups"},
		{"another separator", "on-remove", "on_remove"},
		{"the closer of two", "databse", "database"},
		{"something else", "colour", ""},
		{"next to nothing", "x", ""},
		{"nothing", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := nearest(test.word, names); got != test.want {
				t.Errorf("nearest(%q) = %q, want %q", test.word, got, test.want)
			}
		})
	}
}
