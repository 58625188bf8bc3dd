package inbox

import (
	"context"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// Rules say which messages start a turn.
type Rules struct {
	Allowed func(platform.Message) bool // where the agent may be talked to; nil is everywhere
	Door    Door                        // who may talk to it; nil is everyone
	Mode    func(platform.Message) Mode // of a message's room with several people; nil answers everything

	// Debounce is how long the turn of a message waits for more of the same person, where
	// several people write; nil does not wait. In a direct chat no turn does.
	Debounce func(m platform.Message) time.Duration

	// Limits are those that a message counts for; nil has none.
	Limits func(m platform.Message) []store.Limit

	// Posing tells whether a bot may pose as a person on a platform; nil is nowhere. There
	// the agent is quiet for a while when it and somebody answer each other too fast.
	Posing func(platform string) bool

	// Command tells whether a text is one that the runtime answers itself; nil knows
	// StopCommand alone.
	Command func(text string) bool

	Reactions   bool          // people's reactions start turns
	OnRemove    bool          // so does taking one off
	ReactionAge time.Duration // of the message that has the reaction, at most
}

// A Door is where strangers stop.
type Door interface {
	// Knows tells whether the author of a message may talk to the agent.
	Knows(ctx context.Context, m platform.Message) (bool, error)

	// Knock is called with a message of somebody whom it does not know. Nothing else
	// becomes of the message.
	Knock(ctx context.Context, m platform.Message) error
}

// A Mode says what is answered where several people write.
type Mode string

const (
	Open    Mode = "open"    // everything
	Listen  Mode = "listen"  // what mentions the agent; the rest is read, and acted on in silence
	Mention Mode = "mention" // what mentions the agent; the rest is not read
	Judge   Mode = "judge"   // everything is read, and a model decides what is answered
	Off     Mode = "off"     // nothing
)

// A fate is what becomes of a message.
type fate int

const (
	ignored   fate = iota
	overheard      // read, and no more
	listened       // read and acted on, but not answered
	answered
	judged  // answered, if a model says so
	stops   // the running turn
	chooses // an answer to a prompt
	knocks  // a stranger's
)

// stopSign is the reaction to an answer that cancels what is being done.
const stopSign = "🛑"

// awaited is what people are being waited for. It is looked up only if it matters.
type awaited struct {
	stranger     func() (bool, error)
	choice       func() (*store.Prompt, error) // the prompt among whose choices the message is, or nil
	confirmation func() (bool, error)          // of something in the post that has the reaction
}

// fateOf is what becomes of a message. The answer to a prompt comes before everything
// that is configured about reactions and rooms: it was asked for.
func (r Rules) fateOf(m platform.Message, now time.Time, waits awaited) (fate, error) {
	switch {
	case m.Author.Bot:
		return ignored, nil // two bots would answer each other for ever
	case r.Allowed != nil && !r.Allowed(m):
		return ignored, nil
	}
	// Before anything else: whatever a stranger does is no answer, no choice, no sign to
	// stop.
	if stranger, err := waits.stranger(); stranger || err != nil {
		return knocks, err
	}
	prompt, err := waits.choice()
	switch {
	case err != nil:
		return ignored, err
	case prompt != nil && !prompt.Answered && now.Before(prompt.Expires):
		return chooses, nil
	case prompt != nil && m.Reaction != nil:
		return ignored, nil // too late
	case m.Reaction != nil:
		return r.reaction(m, now, waits.confirmation)
	case m.Direct || r.Mode == nil:
		return answered, nil
	}
	switch mode := r.Mode(m); {
	case mode == Off:
		return ignored, nil
	case m.Mentioned, mode == Open:
		return answered, nil
	case mode == Judge:
		return judged, nil
	case mode == Listen && r.isCommand(m.Text):
		return overheard, nil // it was meant for somebody else
	case mode == Listen:
		return listened, nil
	}
	return ignored, nil
}

// handling is how a message of a fate is answered.
func (r Rules) handling(m platform.Message, f fate) (how store.Handling) {
	how.Silent, how.Quietly = f == listened, f == judged
	if m.Reaction == nil && r.isCommand(m.Text) {
		return how
	}
	if r.Limits != nil {
		how.Limits = r.Limits(m)
	}
	if m.Reaction != nil || m.Edits != "" {
		return how
	}
	if r.Debounce != nil && !m.Direct {
		how.Debounce = r.Debounce(m)
	}
	return how
}

// isPaced tells whether it matters how fast a message comes.
func (r Rules) isPaced(m platform.Message) bool {
	return r.Posing != nil && r.Posing(m.Room.Platform) && !(m.Reaction == nil && r.isCommand(m.Text))
}

func (r Rules) isCommand(text string) bool {
	if r.Command == nil {
		return strings.TrimSpace(text) == StopCommand
	}
	return r.Command(text)
}

func (r Rules) reaction(m platform.Message, now time.Time, waits func() (bool, error)) (fate, error) {
	reaction := m.Reaction
	if reaction.ToAgent && !reaction.Removed {
		if reaction.Emoji == stopSign {
			return stops, nil
		}
		if waiting, err := waits(); waiting || err != nil {
			return answered, err
		}
	}
	switch {
	case !r.Reactions, m.Direct, reaction.Removed && !r.OnRemove:
		return ignored, nil
	case r.ReactionAge > 0 && now.Sub(reaction.To.At) > r.ReactionAge:
		return ignored, nil
	case r.Mode == nil:
		return answered, nil
	}
	switch mode := r.Mode(m); {
	case mode == Off:
		return ignored, nil
	case mode == Listen && !reaction.ToAgent:
		return listened, nil
	}
	return answered, nil
}
