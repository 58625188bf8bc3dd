package slacktest

import "strings"

// known are some of the emoji that Slack knows, by the names that it knows them by.
var known = [][2]string{
	{"wave", "👋"},
	{"eyes", "👀"},
	{"+1", "👍"},
	{"-1", "👎"},
	{"tada", "🎉"},
	{"fire", "🔥"},
	{"white_check_mark", "✅"},
	{"x", "❌"},
	{"trophy", "🏆"},
	{"scream", "😱"},
	{"zap", "⚡"},
	{"heart", "❤️"},
	{"thinking_face", "🤔"},
	{"robot_face", "🤖"},
	{"octagonal_sign", "🛑"},
	{"hourglass_flowing_sand", "⏳"},
	{"warning", "⚠️"},
	{"one", "1️⃣"},
	{"two", "2️⃣"},
	{"three", "3️⃣"},
	{"keycap_ten", "🔟"},
	{"rocket", "🚀"},
	{"smile", "😄"},
	{"grinning", "😀"},
	{"face_with_raised_eyebrow", "🤨"},
	{"hugging_face", "🤗"},
	{"unicorn_face", "🦄"},
	{"pray", "🙏"},
	{"100", "💯"},
	{"speech_balloon", "💬"},
	{"question", "❓"},
	{"bulb", "💡"},
	{"memo", "📝"},
	{"wastebasket", "🗑️"},
	{"handshake", "🤝"},
	{"smiling_face_with_3_hearts", "🥰"},
	{"flag-de", "🇩🇪"},
	{"male-technologist", "👨‍💻"},
	{"ok_hand", "👌"},
	{"clap", "👏"},
	{"raised_hands", "🙌"},
	{"seedling", "🌱"},
	{"construction", "🚧"},
	{"no_entry", "⛔"},
	{"sos", "🆘"},
	{"arrows_counterclockwise", "🔄"},
	{"writing_hand", "✍️"},
}

// aliases are other names of them that Slack takes.
var aliases = map[string]string{"thumbsup": "👍", "thumbsdown": "👎"}

func byName(name string) string {
	for _, e := range known {
		if e[0] == name {
			return e[1]
		}
	}
	return aliases[name]
}

// Character is the emoji of a name, "" if Slack does not know it.
func Character(name string) string { return byName(name) }

// named is a text as Slack gives it: emoji by their names.
func named(text string) string {
	for _, e := range known {
		text = strings.ReplaceAll(text, e[1], ":"+e[0]+":")
	}
	return text
}
