package extract

import (
	"fmt"
	"slices"
	"strings"
)

// A Dialect is a way of writing instructions, or several ways joined with |.
type Dialect uint8

const (
	Directives Dialect = 1 << iota // <actions><react emoji="eyes"/></actions>
	Blocks                         // <discord-action>{"type":"channelList"}</discord-action>
	Signals                        // [REMEMBER:User prefers dark mode]
	Envelope                       // {"text":"Done!","action":"SOCIAL_ENGAGE"}
	Reasoning                      // <think>…</think>

	Everything = Directives | Blocks | Signals | Envelope | Reasoning
)

var dialectNames = []string{"directives", "blocks", "signals", "envelope", "reasoning"}

// String lists the dialects by name, separated by commas.
func (d Dialect) String() string {
	var names []string
	for i, name := range dialectNames {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseDialects reads a comma-separated list of dialect names. The empty list is
// an error: a reader without dialects would show everything.
func ParseDialects(list string) (Dialect, error) {
	var d Dialect
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(dialectNames, strings.ToLower(strings.TrimSpace(name)))
		if i < 0 {
			return 0, fmt.Errorf("no dialect is called %q; there are %s", strings.TrimSpace(name), strings.Join(dialectNames, ", "))
		}
		d |= 1 << i
	}
	return d, nil
}

// A Child is a tag that may stand in an <actions> block.
type Child struct {
	Name string
	Text string // the argument its content is, as in <voice>content</voice>; "" if it has none
}

// A Signal is an instruction of the form [NAME:argument].
type Signal struct {
	Name string

	// Params names its arguments, which are separated by colons; the last takes
	// the rest. None means the one argument "argument".
	Params []string

	// Pair is set where the two arguments may contain colons themselves, as a
	// correction's old and new text: they are then cut at => or ->, or else in
	// the most even way.
	Pair bool
}

// DefaultLimit is how many bytes one instruction may have.
const DefaultLimit = 1 << 20

// leastLimit leaves room for the longest escape in an envelope's text.
const leastLimit = 16

// Config says what a Reader looks for. Its zero value is every dialect with the
// children, tags and signals of the Default functions.
type Config struct {
	Dialects Dialect  // 0 is Everything
	Children []Child  // nil is DefaultChildren
	Tags     []string // tags of blocks that carry an action; nil is DefaultTags
	Signals  []Signal // nil is DefaultSignals

	// VisibleSignals leaves signals in the text as well as reporting them.
	VisibleSignals bool

	// Limit is how many bytes an instruction may have, at least 16; 0 is
	// DefaultLimit.
	Limit int
}

// DefaultChildren are the tags known in an <actions> block.
func DefaultChildren() []Child {
	return []Child{{Name: "react"}, {Name: "send-file"}, {Name: "send-message", Text: "text"}, {Name: "voice", Text: "text"}}
}

// DefaultTags are the tags around a block's JSON.
func DefaultTags() []string {
	return []string{"discord-action", "action"}
}

// DefaultSignals are the signals known between brackets.
func DefaultSignals() []Signal {
	return []Signal{
		{Name: "SEARCH"},
		{Name: "WEB_SEARCH"},
		{Name: "SEARCH_DEEPER"},
		{Name: "REMEMBER"},
		{Name: "FORGET_THIS"},
		{Name: "CORRECT", Params: []string{"old", "new"}, Pair: true},
		{Name: "CALCULATE"},
		{Name: "COMMAND"},
		{Name: "EXECUTE"},
		{Name: "REQUEST_TIER", Params: []string{"level", "content"}},
		{Name: "SEARCH_EPISODIC"},
	}
}
