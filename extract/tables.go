package extract

import (
	"slices"
	"strings"
)

// A class says what a byte may be.
type class = uint8

const (
	classMark  class = 1 << iota // begins an instruction or code
	classSpace                   // white space
	classNewline
	classTag    // may follow the < of an instruction
	classSignal // may follow the [ of an instruction
	classWord   // may begin a reply that is nothing but a control
)

// tables is a Config made ready for reading.
type tables struct {
	dialects Dialect
	limit    int
	visible  bool // signals stay in the text

	class [256]class
	marks []byte // the bytes of classMark

	// tags are the names an opening tag may have: in the middle of a line, at
	// its start, and the same before any text.
	tags      [4]nameList
	blockTags nameList
	children  map[string]*Child
	signals   nameList
	keywords  nameList // in an envelope's text
	byName    map[string]*Signal
}

// A nameList is sorted, so that a name being read narrows it to a range.
type nameList []string

// sorted makes a list ready for narrow. A name that is empty names nothing.
func (n nameList) sorted() nameList {
	n = slices.DeleteFunc(n, func(name string) bool { return name == "" })
	slices.Sort(n)
	return slices.Compact(n)
}

// narrow returns the part of the range lo to hi of names that have c at i.
func (n nameList) narrow(lo, hi, i int, c byte) (int, int) {
	for lo < hi && (len(n[lo]) <= i || n[lo][i] < c) {
		lo++
	}
	end := lo
	for end < hi && len(n[end]) > i && n[end][i] == c {
		end++
	}
	return lo, end
}

// whole tells whether the first name of the range lo to hi has the length i.
func (n nameList) whole(lo, hi, i int) bool {
	return lo < hi && len(n[lo]) == i
}

const (
	tagActions  = "actions"
	tagNoReply  = "no-reply"
	tagThink    = "think"
	tagThinking = "thinking"
	tagResponse = "response"
)

// stateTags are the block tags whose JSON is the argument of an action of their
// own.
var stateTags = map[string]string{
	"cron-state":           "cronState",
	"continuation-capsule": "continuationCapsule",
}

// flags are the keywords in an envelope's text that its action receives.
var flags = nameList{"like", "retweet", "repost", "quote", "reply"}

// controls are the keywords that steer the turn.
var controls = nameList{Ignore, No, Respond, Stop, Yes}

func newTables(c Config) *tables {
	t := &tables{dialects: c.Dialects, limit: c.Limit, visible: c.VisibleSignals}
	if t.dialects == 0 {
		t.dialects = Everything
	}
	if t.limit <= 0 {
		t.limit = DefaultLimit
	}
	t.limit = max(t.limit, leastLimit)
	t.addTags(c)
	t.addSignals(c)
	t.classify()
	return t
}

// forText returns the tables for the text of an envelope.
func (t *tables) forText() *tables {
	text := *t
	text.dialects &^= Envelope
	for i := range text.tags {
		text.tags[i] = t.tags[i&1]
	}
	text.keywords = slices.Concat(flags, controls).sorted()
	text.classify()
	return &text
}

func (t *tables) addTags(c Config) {
	var anywhere, atLine, atReply nameList
	if t.dialects&Directives != 0 {
		anywhere = append(anywhere, tagActions, tagNoReply)
		children := c.Children
		if children == nil {
			children = DefaultChildren()
		}
		t.children = make(map[string]*Child, len(children))
		for _, child := range children {
			t.children[strings.ToLower(child.Name)] = &child
		}
	}
	if t.dialects&Blocks != 0 {
		names := c.Tags
		if names == nil {
			names = DefaultTags()
		}
		for _, name := range names {
			t.blockTags = append(t.blockTags, strings.ToLower(name))
		}
		for name := range stateTags {
			t.blockTags = append(t.blockTags, name)
		}
		t.blockTags = t.blockTags.sorted()
		anywhere = append(anywhere, t.blockTags...)
	}
	if t.dialects&Reasoning != 0 {
		atLine = nameList{tagThink, tagThinking}
	}
	if t.dialects&Envelope != 0 {
		atReply = nameList{tagResponse}
	}
	t.tags = [4]nameList{
		anywhere,
		slices.Concat(anywhere, atLine),
		slices.Concat(anywhere, atReply),
		slices.Concat(anywhere, atLine, atReply),
	}
	for i := range t.tags {
		t.tags[i] = t.tags[i].sorted()
	}
}

func (t *tables) addSignals(c Config) {
	if t.dialects&Signals == 0 {
		return
	}
	signals := c.Signals
	if signals == nil {
		signals = DefaultSignals()
	}
	t.byName = make(map[string]*Signal, len(signals))
	for _, signal := range signals {
		t.signals = append(t.signals, signal.Name)
		t.byName[signal.Name] = &signal
	}
	t.signals = t.signals.sorted()
}

// classify fills in what each byte may be.
func (t *tables) classify() {
	t.class = [256]class{}
	for c := range t.class {
		if isSpace(byte(c)) {
			t.class[c] |= classSpace
		}
	}
	t.class['\n'] |= classNewline
	for _, name := range t.tags[3] {
		t.class[name[0]] |= classTag
		t.class[upper(name[0])] |= classTag
	}
	for _, name := range t.signals {
		t.class[name[0]] |= classSignal
	}
	for _, name := range t.keywords {
		t.class[name[0]] |= classSignal
		t.class[upper(name[0])] |= classSignal
	}
	t.marks = []byte{'`', '~'}
	if len(t.tags[3]) > 0 {
		t.marks = append(t.marks, '<')
	}
	if len(t.signals)+len(t.keywords) > 0 {
		t.marks = append(t.marks, '[')
	}
	for _, c := range t.marks {
		t.class[c] |= classMark
	}
	if t.dialects&Envelope != 0 {
		t.class['['] |= classWord
		for _, name := range controls {
			t.class[name[0]] |= classWord
			t.class[upper(name[0])] |= classWord
		}
	}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c + 'A' - 'a'
	}
	return c
}
