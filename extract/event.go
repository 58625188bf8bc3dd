package extract

import "encoding/json"

// Kind says what an Event is.
type Kind uint8

const (
	KindText      Kind = iota + 1 // show Text to people
	KindAction                    // run Name with Args, if policy allows
	KindControl                   // Name steers the turn
	KindReasoning                 // Text is never shown, kept for the record
	KindProblem                   // Raw looked like an instruction and was not usable, Why says why
	KindMarkup                    // notation around instructions that says nothing by itself
)

var kindNames = [...]string{"", "text", "action", "control", "reasoning", "problem", "markup"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// Names of controls.
const (
	NoReply = "no-reply"
	Respond = "respond"
	Ignore  = "ignore"
	Stop    = "stop"
	Yes     = "yes"
	No      = "no"
)

// Names of problems.
const (
	Unclosed  = "unclosed"
	Malformed = "malformed"
	Unknown   = "unknown"
	TooLarge  = "too-large"
	Misplaced = "misplaced"
)

// An Event is one thing found in a reply. It is small, because most events are a
// few bytes of text and there are very many of them.
type Event struct {
	Kind    Kind
	Dialect Dialect // whose notation it is; 0 for text

	// Pos and End are the offsets in the reply of the first byte the event
	// stands for and of the byte after its last.
	Pos, End int

	// Text holds the bytes of text and reasoning. Like the bytes of a
	// bufio.Scanner they are valid until the next event is asked for.
	Text []byte

	// Instruction is set for actions, controls and problems.
	*Instruction
}

// An Instruction is what an action, control or problem says.
type Instruction struct {
	// Name is an action's type as the model wrote it (directives: in lower
	// case), a control's name or a problem's kind.
	Name string

	// Args is an action's arguments, always a JSON object.
	Args json.RawMessage

	// Raw is the instruction as the model wrote it.
	Raw string

	// Why says of a problem, in words a model can act on, what is wrong.
	Why string
}

// A Result is what a whole reply came to.
type Result struct {
	Text      []byte
	Reasoning []byte
	Actions   []Event
	Controls  []Event
	Problems  []Event
}

// Add puts one event where it belongs, keeping a copy of its bytes.
func (r *Result) Add(e Event) {
	switch e.Kind {
	case KindText:
		r.Text = append(r.Text, e.Text...)
	case KindReasoning:
		r.Reasoning = append(r.Reasoning, e.Text...)
	case KindAction:
		r.Actions = append(r.Actions, e)
	case KindControl:
		r.Controls = append(r.Controls, e)
	case KindProblem:
		r.Problems = append(r.Problems, e)
	}
}

// Read reads a whole reply at once.
func Read(c Config, reply []byte) Result {
	var result Result
	r := New(c)
	for e := range r.Feed(reply) {
		result.Add(e)
	}
	for e := range r.End() {
		result.Add(e)
	}
	return result
}
