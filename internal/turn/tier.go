package turn

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	catalogue "github.com/asidehq/aside/catalogue/memory"
	"github.com/asidehq/aside/internal/memory"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// Each exchange of a conversation is told at a tier: the newest in full, older ones by their
// beginnings, the oldest in a line, and what is older still only as the summary has it. A
// model that needs more says so (requestTier) and is asked again, once, with what it needs.

const (
	told     = 0 // as the summary tells it
	line     = 1
	shorter  = 2
	wordwise = 3

	mostShort  = 40  // exchanges that are told shortened
	mostRaised = 10  // that are raised at a time
	reachable  = 500 // the exchanges, from the newest on, that can be raised

	lineTokens    = 15 // of a message
	shorterTokens = 40
)

// EarlierMark begins what the model is told in short. It is data, as results are.
const EarlierMark = "[earlier]"

const earlierHead = EarlierMark + "\nWhat was said before, oldest first. What ends in … is shortened.\n"

// A tiered exchange is one that is told at a tier.
type tiered struct {
	store.Exchange
	tier int
}

// earlier are the exchanges that are told below those in full, newest first, within what is
// left of the budget, and whether something of them is left out.
func (g *Gatherer) earlier(ctx context.Context, t *store.Turn, cleared int64, full []store.Exchange, raised map[int64]int) (all []tiered, short bool, err error) {
	before, used := t.Number, 0
	for _, x := range full {
		before, used = min(before, x.Message), used+tokens(x)
	}
	older, err := g.Store.Exchanges(ctx, t.Session, cleared, before, mostShort)
	if err != nil {
		return nil, false, err
	}
	left := max(0, 2*g.Tokens-used-model.Tokens(earlierHead))
	shortly := min(g.Tokens/2, left)
	all = tiers(older, shortly, min(g.Tokens/4, left-shortly))
	known := map[int64]bool{}
	for i := range all {
		known[all[i].Message] = true
		all[i].tier = max(all[i].tier, raised[all[i].Message])
	}
	for message, tier := range raised {
		if known[message] || message >= before {
			continue
		}
		found, err := g.Store.Exchanges(ctx, t.Session, message-1, message+1, 1)
		if err != nil {
			return nil, false, err
		}
		for _, x := range found {
			all = append(all, tiered{x, tier})
		}
	}
	short = slices.ContainsFunc(all, tiered.cut)
	all = slices.DeleteFunc(all, func(x tiered) bool { return x.tier == told })
	slices.SortFunc(all, func(a, b tiered) int { return cmp.Compare(b.Message, a.Message) })
	g.bound(all)
	return all, short, nil
}

// tiers gives each exchange its tier, newest first: their beginnings as far as the first
// budget goes, and a line as far as the second does.
func tiers(newestFirst []store.Exchange, shortly, lines int) []tiered {
	all := make([]tiered, len(newestFirst))
	tier := shorter
	for i, x := range newestFirst {
		all[i] = tiered{x, told}
		if tier == shorter {
			if shortly -= model.Tokens(tiered{x, shorter}.text()); shortly >= 0 {
				all[i].tier = shorter
				continue
			}
			tier = line
		}
		if tier == line {
			if lines -= model.Tokens(tiered{x, line}.text()); lines >= 0 {
				all[i].tier = line
				continue
			}
			tier = told
		}
	}
	return all
}

// bound keeps what was raised to be told in full within the budget of what is.
func (g *Gatherer) bound(newestFirst []tiered) {
	left := g.Tokens
	for i := range newestFirst {
		x := &newestFirst[i]
		if x.tier < wordwise {
			continue
		}
		if tokens(x.Exchange) > left {
			x.Text, x.Answer = cutTokens(x.Text, left/2), cutTokens(x.Answer, left/2)
		}
		left = max(0, left-tokens(x.Exchange))
	}
}

// text is what is told of an exchange: a line for each message, so that nobody can write
// lines in another's name.
func (x tiered) text() string {
	var b strings.Builder
	for _, by := range [][2]string{{cmp.Or(x.Author, "Person"), x.Text}, {"You", x.Answer}} {
		text := strings.TrimSpace(by[1])
		if text == "" {
			continue
		}
		switch x.tier {
		case wordwise:
			text = strings.ReplaceAll(text, "\n", "\n  ")
		case shorter:
			text = sentences(strings.Join(strings.Fields(text), " "), shorterTokens)
		default:
			text = cutTokens(strings.Join(strings.Fields(text), " "), lineTokens)
		}
		b.WriteString(strings.Join(strings.Fields(by[0]), " ") + ": " + text + "\n")
	}
	return b.String()
}

// sentences are the first sentences of a text that fit, or the beginning of the first.
func sentences(text string, most int) string {
	short := cutTokens(text, most)
	if short == text {
		return text
	}
	if end := strings.LastIndexAny(short, ".!?"); end > len(short)/2 {
		return short[:end+1] + " …"
	}
	return short
}

// cut tells whether something of an exchange is left out.
func (x tiered) cut() bool {
	return x.tier == told || x.tier < wordwise && strings.Contains(x.text(), "…")
}

// earlierText is what is told of earlier exchanges, oldest first.
func earlierText(newestFirst []tiered) string {
	var b strings.Builder
	b.WriteString(earlierHead)
	for _, x := range slices.Backward(newestFirst) {
		b.WriteString(x.text())
	}
	return strings.TrimSpace(b.String())
}

// raisedIn is which messages are told at a higher tier, because a turn before this one has
// asked for it; nil if none has.
func raisedIn(ctx context.Context, s *store.Store, chain []*store.Turn) (map[int64]int, error) {
	var all map[int64]int
	for _, before := range chain {
		ledger, err := s.Actions(ctx, before.ID)
		if err != nil {
			return nil, err
		}
		for _, a := range ledger {
			var r catalogue.Raised
			if a.State != store.Done || len(a.Trace) == 0 || json.Unmarshal(a.Trace, &r) != nil || r.Tier == 0 {
				continue
			}
			if all == nil {
				all = map[int64]int{}
			}
			for _, message := range r.Messages {
				all[message] = max(all[message], r.Tier)
			}
		}
	}
	return all, nil
}

// Tiers raises what was said earlier, for requestTier.
type Tiers struct {
	Store  *store.Store
	Tokens int // of history in a prompt
}

var _ catalogue.Tiers = Tiers{}

// Raise implements catalogue/memory.Tiers.
func (r Tiers) Raise(ctx context.Context, turn int64, level int, content string) ([]int64, error) {
	t, err := r.Store.Turn(ctx, turn)
	if err != nil || t == nil || alone(t) {
		return nil, err
	}
	chain, err := r.Store.Chain(ctx, t)
	if err != nil {
		return nil, err
	}
	switch before, err := raisedIn(ctx, r.Store, chain); {
	case err != nil:
		return nil, err
	case before != nil:
		return nil, catalogue.ErrRaised
	}
	summary, err := r.Store.Summary(ctx, t.Session)
	if err != nil {
		return nil, err
	}
	all, err := r.Store.Exchanges(ctx, t.Session, summary.Cleared, t.Number, reachable)
	if err != nil {
		return nil, err
	}
	latest := all[:min(len(all), 2*mostExchanges)]
	open := slices.IndexFunc(latest, func(x store.Exchange) bool { return x.Message <= summary.Until })
	if open >= 0 {
		latest = latest[:open]
	}
	full, _ := fitting(latest, r.Tokens)
	return matching(all[len(full):], content), nil
}

// matching are the exchanges that have most of the words of a text, the best and newest first.
func matching(newestFirst []store.Exchange, content string) []int64 {
	most, wanted := 1, 1
	found := map[int64]int{}
	for _, x := range newestFirst {
		n, all := memory.Shared(x.Author+"\n"+x.Text+"\n"+x.Answer, content)
		found[x.Message], most, wanted = n, max(most, n), max(1, (all+1)/2)
	}
	var ids []int64
	for _, x := range newestFirst {
		if n := found[x.Message]; n == most || n >= wanted {
			ids = append(ids, x.Message)
		}
	}
	slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Compare(found[b], found[a]) })
	return ids[:min(len(ids), mostRaised)]
}
