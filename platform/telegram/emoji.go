package telegram

import "strings"

// accepted are the emoji that Telegram takes as reactions, without what makes them
// colourful: with it, it does not know them.
const accepted = "❤ ❤‍🔥 💔 💘 😍 🥰 😘 💋 👍 👎 👏 🙏 👌 🤝 ✍ 🖕 😁 🤣 🤩 😇 😎 🤓 🤗 🫡 😱 🤯 🤬 😢 😭 🤮 😨 😡 🤔 🥱 🥴 😴 😐 🤨 🤪 🤡 👻 👾 😈 💩 🎅 👨‍💻 🕊 🐳 🦄 🙈 🙉 🙊 🔥 ⚡ 💯 🏆 🎉 🎃 🎄 ☃ 🗿 💊 🆒 🍌 🍓 🌭 🍾 🌚 💅 👀 🤷 🤷‍♂ 🤷‍♀"

// near are emoji for those that it does not take. After each stand those that it is for.
var near = [][]string{
	{"👍", "✅", "✔", "☑", "✓", "🆗", "💪", "🤙", "✌", "🤞", "➕", "⬆", "↗", "🙂", "👆"},
	{"👎", "❌", "✖", "❎", "🚫", "⛔", "⬇", "➖", "🙁", "😞", "👇"},
	{"🔥", "🚀", "💥", "☄", "🌶", "♨"},
	{"❤", "♥", "🧡", "💛", "💚", "💙", "💜", "🖤", "🤍", "🤎", "🩷", "💕", "💖", "💗", "💓", "💞", "❣", "🫶", "🌹", "🌺", "💐"},
	{"🎉", "🥳", "🎊", "🎈", "🎂", "🎁", "🌈", "☀"},
	{"🤣", "😂", "😆", "😹"},
	{"😁", "😀", "😃", "😄", "😊", "☺", "😅", "🙃", "😉", "😏"},
	{"🤩", "⭐", "🌟", "✨", "💫", "🌠", "🪄", "💎"},
	{"🏆", "🥇", "🥈", "🥉", "🏅", "🎖", "👑", "🎯"},
	{"👏", "🙌", "👐"},
	{"👀", "🔍", "🔎", "👁", "⏳", "⌛", "🔄", "🔁", "🕐", "⏰", "🫣"},
	{"🤔", "❓", "❔", "🧐", "💭", "🧩"},
	{"✍", "📝", "✏", "🖊", "🔖", "📌", "🗒", "📎"},
	{"👨‍💻", "💻", "🖥", "⌨", "🛠", "🔧", "⚙", "🤖"},
	{"⚡", "💡", "🔔", "📣", "📢", "❗", "‼", "⚠", "🔑"},
	{"😢", "🥺", "☹", "😔", "😿", "😥"},
	{"😡", "😤", "😠", "👿"},
	{"😱", "😮", "😲", "😯", "🫢", "🙀"},
	{"🤷", "🫤", "😕"},
	{"😎", "🤘", "🕶"},
	{"🥴", "🫠", "🤢", "😵"},
	{"🫡", "🪖"},
	{"🙏", "🤲", "🛐"},
	{"👌", "🤌", "💮"},
	{"💯", "🔟", "🆙"},
}

// Nearest implements platform.Picky.
func (t *Telegram) Nearest(emoji string) string {
	emoji = bare(emoji)
	if emoji == "" {
		return ""
	}
	if isAccepted(emoji) {
		return emoji
	}
	for _, row := range near {
		for _, other := range row[1:] {
			if bare(other) == emoji {
				return row[0]
			}
		}
	}
	return ""
}

func isAccepted(emoji string) bool {
	for one := range strings.FieldsSeq(accepted) {
		if one == emoji {
			return true
		}
	}
	return false
}

// bare is an emoji without what is invisible in it, and without the colour of a skin.
func bare(emoji string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff {
			return -1
		}
		return r
	}, strings.TrimSpace(emoji))
}
