package slack

import (
	"context"
	"regexp"
	"strings"
)

// special is what Slack writes between < and >: a mention, a link, a date. Everything else
// that people write like that is escaped.
var special = regexp.MustCompile(`<([^<>\n]*)>`)

var unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// mostNames is how many people and channels in a text are looked up. Who mentions a hundred
// does not hold up everybody else.
const mostNames = 10

// readable is a text of Slack's as people see it.
func (s *Slack) readable(ctx context.Context, text string) string {
	looked := 0
	var b strings.Builder
	at := 0
	for _, span := range special.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(unescaped.Replace(text[at:span[0]]))
		inner := text[span[2]:span[3]]
		if strings.HasPrefix(inner, "@") || strings.HasPrefix(inner, "#") {
			looked++
		}
		b.WriteString(unescaped.Replace(s.meant(ctx, inner, looked <= mostNames)))
		at = span[1]
	}
	b.WriteString(unescaped.Replace(text[at:]))
	return unnamed(b.String())
}

// meant is what stands between < and >, for people.
func (s *Slack) meant(ctx context.Context, inner string, look bool) string {
	to, label, labelled := strings.Cut(inner, "|")
	switch {
	case strings.HasPrefix(to, "@"):
		id := to[1:]
		if labelled && label != "" {
			return "@" + label
		}
		if look {
			return "@" + s.person(ctx, id).Name
		}
		return "@" + id
	case strings.HasPrefix(to, "#"):
		if labelled && label != "" {
			return "#" + label
		}
		if look {
			if c, err := s.channel(ctx, to[1:]); err == nil && c.Name != "" {
				return "#" + c.Name
			}
		}
		return to
	case strings.HasPrefix(to, "!subteam^") && labelled, strings.HasPrefix(to, "!date^") && labelled:
		return label
	case strings.HasPrefix(to, "!"):
		word, _, _ := strings.Cut(to[1:], "^")
		return "@" + word
	case !labelled || label == "" || label == to || "mailto:"+label == to || strings.HasSuffix(to, "//"+label):
		return strings.TrimPrefix(to, "mailto:")
	}
	return label + " (" + to + ")"
}

// addressed is a text without the agent's name at its beginning: "@agent /stop" says
// /stop. What says nothing else stays as it is.
func addressed(text, self string) string {
	rest := strings.TrimSpace(text)
	for _, mention := range []string{"<@" + self + ">", "<@" + self + "|"} {
		after, ok := strings.CutPrefix(rest, mention)
		if ok && strings.HasSuffix(mention, "|") {
			_, after, ok = strings.Cut(after, ">")
		}
		if after = strings.TrimSpace(after); ok && after != "" {
			return strings.TrimSpace(strings.TrimLeft(after, ",:"))
		}
	}
	return text
}

func mentioned(text, self string) bool {
	return strings.Contains(text, "<@"+self+">") || strings.Contains(text, "<@"+self+"|")
}
