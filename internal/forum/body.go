package forum

import (
	"strings"

	"github.com/asidehq/aside/platform"
)

// longestBody is how many characters a thread's first message may have. What counts them
// otherwise than UTF-16 does lets more through.
const longestBody = 2000

// longestFoot is how much of it the last lines may take.
const longestFoot = 500

// Write gives an item its body: a text, and in a line of its own what else there is to know.
// A title that does not fit into the name comes first.
func (i *Item) Write(text string, facts ...string) {
	var foot []string
	for _, fact := range facts {
		if fact = strings.Join(strings.Fields(fact), " "); fact != "" {
			foot = append(foot, fact)
		}
	}
	last := cut(strings.Join(foot, " · "), longestFoot)
	if !strings.HasSuffix(i.Name(), i.base()) {
		text = strings.TrimSpace(i.Title + "\n\n" + text)
	}
	if text = strings.TrimSpace(text); text == "" {
		i.Body = last
		return
	}
	room := longestBody - platform.CountUTF16.Of(last) - 2
	i.Body = cut(text, room) + "\n\n" + last
}
