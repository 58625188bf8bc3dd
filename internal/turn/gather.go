package turn

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/asidehq/aside/action"
	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// A Gatherer puts together what the model is asked: who it is, what it can do, what it
// knows of the person, what was said before, and the message.
type Gatherer struct {
	Store    *store.Store
	Registry *action.Registry
	Policy   action.Policy
	Dialects extract.Dialect // that chat is told of
	Persona  func() string

	// DialectsOf are those that a role is told of; nil is Dialects for all.
	DialectsOf func(role string) extract.Dialect

	// Memory knows what the model is told about the person who asks.
	Memory *memory.Memory

	// Tokens is about how much history stands in a prompt word for word. Twice as much
	// does while what is older waits to be folded into the summary: there is no gap.
	Tokens int

	// Guides as they were made: a situation has always the same one, and making it took a
	// twentieth of a message's processor time.
	guides sync.Map
}

const (
	mostExchanges = 30 // in a prompt, however short; each costs time in every request
)

// A Prompt is what the model is asked, and what is to be known about it.
type Prompt struct {
	model.Request
	Tokens int  // about as many
	Full   bool // it is time to fold the older part of the history
}

// Gather makes the prompt of a turn.
func (g *Gatherer) Gather(ctx context.Context, t *store.Turn) (Prompt, error) {
	facts, err := g.facts(ctx, t)
	if err != nil {
		return Prompt{}, err
	}
	summary, exchanges, err := g.said(ctx, t)
	if err != nil {
		return Prompt{}, err
	}
	var p Prompt
	rest := len(exchanges)
	exchanges, p.Full = fitting(exchanges, g.Tokens)
	raised, err := g.raised(ctx, t)
	if err != nil {
		return Prompt{}, err
	}
	var before []tiered
	var short bool
	if summary.Until > 0 || len(exchanges) < rest || rest >= 2*mostExchanges { // or everything is told
		if before, short, err = g.earlier(ctx, t, summary.Cleared, exchanges, raised); err != nil {
			return Prompt{}, err
		}
	}
	slices.Reverse(exchanges)
	p.System = g.system(t, facts, summary, short && !t.Raised)
	at := map[int64]int{} // where the message of a turn stands
	if len(before) > 0 {
		p.Messages = append(p.Messages, model.Message{Role: model.User, Text: earlierText(before)})
	}
	for _, x := range exchanges {
		for _, turn := range append(x.Also, x.Turn) {
			at[turn] = len(p.Messages)
		}
		p.Messages = append(p.Messages, model.Message{Role: model.User, Text: spoken(t, x.Author, x.Text)})
		if x.Answer != "" {
			p.Messages = append(p.Messages, model.Message{Role: model.Assistant, Text: x.Answer})
		}
	}
	at[t.ID] = len(p.Messages)
	p.Messages = append(p.Messages, model.Message{Role: model.User, Text: asked(t)})
	if err := g.join(ctx, t, &p, at); err != nil {
		return Prompt{}, err
	}
	if err := g.follow(ctx, t, &p.Request); err != nil {
		return Prompt{}, err
	}
	if err := attach(ctx, g.Store, t.Session, p.Messages, at); err != nil {
		return Prompt{}, err
	}
	p.Tokens = model.Tokens(p.System)
	for _, m := range p.Messages {
		p.Tokens += model.Tokens(m.Text)
	}
	return p, nil
}

// raised is what the model is told more of than usual, because it has asked for it.
func (g *Gatherer) raised(ctx context.Context, t *store.Turn) (map[int64]int, error) {
	if t.Raised = false; t.Follows == 0 {
		return nil, nil
	}
	chain, err := g.Store.Chain(ctx, t)
	if err != nil {
		return nil, err
	}
	raised, err := raisedIn(ctx, g.Store, chain)
	t.Raised = raised != nil
	return raised, err
}

// facts are what the model is told about the person, oldest first. An errand has no memory
// of anybody.
func (g *Gatherer) facts(ctx context.Context, t *store.Turn) ([]memory.Choice, error) {
	t.Used = nil
	if t.Brief != nil {
		return nil, nil
	}
	all, err := g.Memory.Choose(ctx, person(t), store.Words(t.Message), memory.PromptTokens)
	chosen := slices.DeleteFunc(all, func(c memory.Choice) bool { return !c.Chosen })
	for _, c := range chosen {
		if len(c.Shared) > 0 {
			t.Used = append(t.Used, c.ID)
		}
	}
	slices.SortFunc(chosen, func(a, b memory.Choice) int { return cmp.Compare(a.ID, b.ID) })
	return chosen, err
}

// said is what is told of the conversation so far: of some errands nothing.
func (g *Gatherer) said(ctx context.Context, t *store.Turn) (summary store.Summary, exchanges []store.Exchange, err error) {
	if alone(t) {
		return summary, nil, nil
	}
	if summary, err = g.Store.Summary(ctx, t.Session); err == nil {
		exchanges, err = g.Store.Exchanges(ctx, t.Session, summary.Until, t.Number, 2*mostExchanges)
	}
	return summary, exchanges, err
}

// fitting are the newest exchanges that stand in a prompt, and whether they are more
// than there should be.
func fitting(newestFirst []store.Exchange, most int) (_ []store.Exchange, full bool) {
	sum := 0
	for i, x := range newestFirst {
		sum += tokens(x)
		if sum > 2*most {
			return newestFirst[:i], true
		}
	}
	return newestFirst, sum > most || len(newestFirst) > mostExchanges
}

// spoken is a message with its author's name where several people write.
func spoken(t *store.Turn, author, text string) string {
	if t.Message.Direct || author == "" {
		return text
	}
	return author + ": " + text
}

// asked is what the model is to answer.
func asked(t *store.Turn) string {
	if t.Brief != nil {
		return t.Message.Text // which says itself what it is
	}
	return spoken(t, t.Message.Author.Name, store.Words(t.Message))
}

// join adds the messages that are answered with the turn's own.
func (g *Gatherer) join(ctx context.Context, t *store.Turn, p *Prompt, at map[int64]int) error {
	joined, err := g.Store.Burst(ctx, t)
	if err != nil {
		return err
	}
	last := &p.Messages[len(p.Messages)-1]
	for _, j := range joined {
		last.Text += "\n" + store.Words(j.Message)
		at[j.ID] = len(p.Messages) - 1
	}
	return nil
}

// follow adds what was replied to the message before, what came of it, and what the
// person has added meanwhile.
func (g *Gatherer) follow(ctx context.Context, t *store.Turn, r *model.Request) error {
	if t.Follows == 0 {
		return nil
	}
	chain, err := g.Store.Chain(ctx, t)
	if err != nil {
		return err
	}
	joins, err := g.Store.Joins(ctx, t)
	if err != nil {
		return err
	}
	for i, before := range chain {
		input := t.Input
		if i+1 < len(chain) {
			input = chain[i+1].Input
		}
		for _, join := range joins {
			if join.Joined == before.ID {
				r.Messages = append(r.Messages, corrections(t, []*store.Turn{join})...)
			}
		}
		r.Messages = append(r.Messages,
			model.Message{Role: model.Assistant, Text: cmp.Or(before.Reply, before.Shown, "…")},
			model.Message{Role: model.User, Text: input})
	}
	r.Messages = append(r.Messages, corrections(t, t.Added)...)
	return nil
}

// system is the part of the prompt that comes before the conversation, of which more can be
// told if it is short.
func (g *Gatherer) system(t *store.Turn, facts []memory.Choice, summary store.Summary, short bool) string {
	var b strings.Builder
	if readsPlain(t) {
		return plainNote // the persona is for people, and the guide for what is acted on
	}
	b.WriteString(strings.TrimSpace(g.Persona()) + "\n\n" + g.guide(t, short))
	if t.Silent {
		b.WriteString(silentNote)
	}
	if len(facts) > 0 {
		b.WriteString("\nWhat you remember about the person who writes" + amongOthers(t) + ":\n")
		for _, f := range facts {
			b.WriteString("- " + f.Text + "\n")
		}
	}
	if summary.Text != "" {
		b.WriteString("\nWhat was said earlier in this conversation, in short:\n" + summary.Text + "\n")
	}
	return b.String()
}

// amongOthers says that what is remembered is not for everybody's ears.
func amongOthers(t *store.Turn) string {
	if t.Message.Direct {
		return ""
	}
	return " (others read along here: use it, but do not recite it)"
}

// explained are the categories that are explained in every prompt; of the others there is
// a line until the model asks.
var explained = []string{"messaging", "memory", "search"}

// GuideIn is the guide to actions as they are written in some dialects. Whoever reads
// envelopes is sent nothing else.
func GuideIn(dialects extract.Dialect) action.Guide {
	on := func(d extract.Dialect) bool { return dialects&d != 0 }
	return action.Guide{Blocks: on(extract.Blocks), Directives: on(extract.Directives), Signals: on(extract.Signals), Envelope: on(extract.Envelope)}
}

// guide says what the model can do in a turn. It is told how to read more of the conversation
// where that is shortened.
func (g *Gatherer) guide(t *store.Turn, short bool) string {
	in, dialects := situation(t), g.Dialects
	if g.DialectsOf != nil {
		dialects = g.DialectsOf(roleOf(t))
	}
	key := fmt.Sprintf("%s %s %d %t %t %d %t", in.Flow, in.Origin, in.Depth, in.Direct, in.Bot, dialects, short)
	if made, ok := g.guides.Load(key); ok && in.Only == nil {
		return made.(string)
	}
	offered := slices.DeleteFunc(slices.Clone(g.Registry.Specs()), func(s *action.Spec) bool {
		return !g.Policy.Offers(in, s) || s.Name == catalogue.RequestTierName && !short
	})
	guide := GuideIn(dialects)
	// Of a few actions all is told: asking for more is not among them.
	guide.Full = func(category string) bool { return in.Only != nil || slices.Contains(explained, category) }
	text := guide.Text(offered)
	if in.Only == nil { // lists are as many as jobs
		g.guides.Store(key, text)
	}
	return text
}
