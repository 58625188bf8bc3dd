package messaging

import "strings"

// aliases are the names that agents use for emoji.
var aliases = map[string]string{
	"eyes": "👀", "thumbsup": "👍", "thumbs_up": "👍", "+1": "👍", "heart": "❤️", "fire": "🔥",
	"smile": "😄", "laughing": "😆", "tada": "🎉", "clap": "👏", "ok_hand": "👌",
}

// Emoji is the character that a name, with or without colons, stands for; what is no
// name stays as it is.
func Emoji(name string) string {
	if emoji, ok := aliases[strings.ToLower(strings.Trim(name, ":"))]; ok {
		return emoji
	}
	return name
}
