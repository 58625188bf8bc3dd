package action

import (
	"strings"
	"unicode"
)

// A model that replies in envelopes is asked for one object and nothing else: what other
// dialects look like would only tempt it to mix them.

// template asks for the object. Its example stands on a line of its own.
const template = `Reply with exactly one JSON object. Nothing stands before or after it, and it is in no code block:
{"text":"Here you are.","actions":["REPLY"],"params":{}}
text is what the person reads, and nothing else of it is; "" says nothing.
actions are names from below, carried out in order. Saying that you do something does nothing; only naming it here does. Outcomes are reported.
params are the arguments of each action by its name, as {"NAME":{…}}. They stand behind the names below as an example.

These are always there:
REPLY  Say the text, and do nothing else.
IGNORE  Say nothing at all.
CONTINUE  Say the text, and be asked to go on.
`

// envelopeName is an action's name as envelopes write it: sendMessage is SEND_MESSAGE.
func (s *Spec) envelopeName() string {
	var b strings.Builder
	lower := false // the letter before is one
	for _, r := range s.Name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = !unicode.IsUpper(r)
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// params are the arguments of an action's example, behind a space; "" if it has none.
func (s *Spec) params() string {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(s.Example, `": "`, `":"`), `{"type":"`+s.Name+`",`)
	if !ok {
		return ""
	}
	return " {" + strings.TrimLeft(rest, " ")
}
