package mark

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asidehq/aside/platform"
)

// Glyphs are the emoji that marks are shown as.
type Glyphs struct {
	Received, Processing, Success, Complete, Error string
}

// Bare is an emoji without the invisible character that tells the coloured form of some:
// platforms disagree about it.
func Bare(emoji string) string { return strings.ReplaceAll(emoji, "\ufe0f", "") }

// of is the glyph of a mark, "" for one that is not shown.
func (g Glyphs) of(m Mark) string {
	switch m {
	case Received:
		return g.Received
	case Processing:
		return g.Processing
	case Success:
		return g.Success
	case Complete:
		return g.Complete
	case Error, Stalled:
		return g.Error
	}
	return ""
}

func (g Glyphs) all() []string {
	return []string{g.Received, g.Processing, g.Success, g.Complete, g.Error}
}

// named are the glyphs as aside.yaml has them.
func (g Glyphs) named() map[Mark]string {
	return map[Mark]string{Received: g.Received, Processing: g.Processing, Success: g.Success, Complete: g.Complete, Error: g.Error}
}

// Texts are the glyphs and what they are shown for, for a page: "received 👀 stalled 😱 …".
func (g Glyphs) Texts() string {
	var all []string
	for _, m := range []Mark{Received, Stalled, Processing, Success, Complete, Error} {
		all = append(all, string(m)+" "+g.of(m))
	}
	return strings.Join(all, " ")
}

// Check tells which glyph a platform does not take, and what to do about it; "" if there is
// none. It would never arrive, on any message.
func (g Glyphs) Check(platforms map[string]platform.Platform) (of Mark, wrong string) {
	for _, name := range slices.Sorted(maps.Keys(platforms)) {
		picky, ok := platforms[name].(platform.Picky)
		if !ok {
			continue
		}
		named := g.named()
		for _, m := range slices.Sorted(maps.Keys(named)) {
			glyph := named[m]
			near := picky.Nearest(glyph)
			if Bare(near) == Bare(glyph) && near != "" {
				continue
			}
			do := "choose one that it offers"
			if near != "" {
				do = "the nearest one that it takes is " + near
			}
			return m, fmt.Sprintf("%s does not take %s as a reaction; %s, or switch marks off with reactions.marks: false", name, glyph, do)
		}
	}
	return "", ""
}

// shown is what stands on a message in the end: the glyph of the mark, and on a platform
// where the agent has one reaction on a message what it has put there itself. A person was
// told of that one; only an error counts more.
func (g Glyphs) shown(w Wanted, one bool) string {
	if one && len(w.Own) > 0 && w.Mark.Final() && w.Mark != Error {
		return w.Own[len(w.Own)-1]
	}
	return g.of(w.Mark)
}

// among are those glyphs that are among some emoji.
func (g Glyphs) among(emoji []string) []string {
	return slices.DeleteFunc(g.all(), func(glyph string) bool {
		return !slices.ContainsFunc(emoji, func(e string) bool { return Bare(e) == Bare(glyph) })
	})
}
