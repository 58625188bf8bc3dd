package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A Choice is a fact, and why it goes into a prompt or does not.
type Choice struct {
	store.Fact
	Shared  []string // words that it has in common with the message
	Score   float64
	Chosen  bool
	Because string // for a person
}

// PromptTokens is how much of what is remembered about a person stands in a prompt.
const PromptTokens = 500

// The parts of a score. What a message is about counts more than everything else together.
const (
	byRelevance = 3.0
	byRecency   = 1.0
	byUse       = 1.0
	byKind      = 0.5 // of what holds whatever is talked about
	month       = 30 * 24 * time.Hour
)

// always are kinds of facts that matter whatever is talked about.
var always = []string{"preference", "constraint", "person"}

// Choose says which facts about a person go into the prompt for a message, and why, within
// so many tokens: the best first.
func (m *Memory) Choose(ctx context.Context, person, message string, tokens int) ([]Choice, error) {
	facts, err := m.Store.Facts(ctx, person)
	if err != nil {
		return nil, err
	}
	return choose(facts, message, tokens, m.Now()), nil
}

func choose(facts []store.Fact, message string, tokens int, now time.Time) []Choice {
	asked := meaning(message)
	var all []Choice
	found := map[string]int{} // how many facts have a word of the message
	mostHits := 0
	for _, f := range facts {
		c := Choice{Fact: f}
		for _, w := range meaning(f.Text) {
			if slices.Contains(asked, w) && !slices.Contains(c.Shared, w) {
				c.Shared = append(c.Shared, w)
				found[w]++
			}
		}
		mostHits = max(mostHits, f.Hits)
		all = append(all, c)
	}
	// A word that every fact has says little about any of them.
	weight := func(c Choice) (sum float64) {
		for _, w := range c.Shared {
			sum += math.Log(1 + float64(len(facts))/float64(found[w]))
		}
		return sum
	}
	heaviest := 0.0
	for _, c := range all {
		heaviest = max(heaviest, weight(c))
	}
	for i := range all {
		c := &all[i]
		if heaviest > 0 {
			c.Score += byRelevance * weight(*c) / heaviest
		}
		c.Score += byRecency * math.Exp(-float64(now.Sub(c.Updated))/float64(month))
		if mostHits > 0 {
			c.Score += byUse * math.Log1p(float64(c.Hits)) / math.Log1p(float64(mostHits))
		}
		if slices.Contains(always, c.Kind) {
			c.Score += byKind
		}
		c.Because = because(*c, now)
	}
	slices.SortStableFunc(all, func(a, b Choice) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID)) })
	for i := range all {
		if need := model.Tokens(all[i].Text) + 1; need <= tokens {
			tokens -= need
			all[i].Chosen = true
		}
	}
	return all
}

// because says why a fact has its score.
func because(c Choice, now time.Time) string {
	var parts []string
	if len(c.Shared) > 0 {
		parts = append(parts, "about "+strings.Join(c.Shared, ", "))
	}
	switch {
	case c.Hits == 1:
		parts = append(parts, "used once")
	case c.Hits > 1:
		parts = append(parts, fmt.Sprintf("used %d times", c.Hits))
	}
	if slices.Contains(always, c.Kind) {
		parts = append(parts, "a "+c.Kind)
	}
	age := now.Sub(c.Updated)
	if age < time.Hour {
		return strings.Join(append(parts, "new"), "; ")
	}
	return strings.Join(append(parts, platform.DurationText(age.Truncate(time.Hour))+" old"), "; ")
}
