package slack

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/asidehq/aside/platform"
)

const (
	longestSection = 2900  // Slack takes 3000
	longestBlocks  = 13000 // of all sections together, as people have found out
)

// draft is what a text is sent as. One that has become too long for an edit is sent as
// blocks, which may be longer together; and so is one with buttons.
func draft(text string, choices []string) (url.Values, error) {
	out := mrkdwn(text, false)
	if utf8.RuneCountInString(out) > longestBlocks {
		out = mrkdwn(text, true)
	}
	size := utf8.RuneCountInString(out)
	switch {
	case size > longestBlocks:
		return nil, platform.Refuse("this is too long for a message on Slack")
	case strings.TrimSpace(out) == "":
		return nil, platform.Refuse("Slack takes no empty messages")
	}
	// Nothing but what stands in the text becomes a link or a mention.
	values := url.Values{"text": {out}, "parse": {"none"}}
	if size <= longestText && len(choices) == 0 {
		return values, nil
	}
	values.Set("text", string([]rune(out)[:min(size, longestSection)])) // for notifications
	var blocks []any
	for _, part := range sections(out) {
		blocks = append(blocks, map[string]any{"type": "section", "text": map[string]any{"type": "mrkdwn", "text": part, "verbatim": true}})
	}
	if len(choices) > 0 {
		blocks = append(blocks, map[string]any{"type": "actions", "elements": buttons(choices)})
	}
	packed, err := json.Marshal(blocks)
	if err != nil {
		return nil, err
	}
	values.Set("blocks", string(packed))
	return values, nil
}

// choicePrefix is what the ids of buttons begin with.
const choicePrefix = "aside-choice-"

func buttons(choices []string) []any {
	var all []any
	for i, c := range choices {
		all = append(all, map[string]any{
			"type": "button", "action_id": fmt.Sprintf("%s%d", choicePrefix, i), "value": c,
			"text": map[string]any{"type": "plain_text", "text": c, "emoji": true},
		})
	}
	return all
}

// sections cuts a text into parts that fit into a block each, and nothing of Slack's that
// stands in it.
func sections(text string) []string {
	parts := platform.Split(text, platform.Limits{Text: longestSection})
	for i := range len(parts) - 1 {
		// &amp; and the like are one character to people.
		if at := strings.LastIndexByte(parts[i], '&'); at >= 0 && len(parts[i])-at < len("&amp;") && !strings.Contains(parts[i][at:], ";") {
			parts[i], parts[i+1] = parts[i][:at], parts[i][at:]+parts[i+1]
		}
	}
	return parts
}
