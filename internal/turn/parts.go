package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/asidehq/aside/extract"
)

// A Part is a stretch of a reply as the model wrote it, and what it was taken for.
type Part struct {
	Kind string `json:"kind"` // of the event: text, action, control, reasoning, problem or markup
	Text string `json:"text"`
}

// Parts reads a reply again and cuts it where its reading changes. Together they
// are the reply, byte for byte.
func Parts(c extract.Config, reply string) []Part {
	type span struct {
		kind       extract.Kind
		begin, end int
	}
	var spans []span
	reader := extract.New(c)
	take := func(e extract.Event) {
		spans = append(spans, span{e.Kind, e.Pos, e.End})
	}
	for e := range reader.Feed([]byte(reply)) {
		take(e)
	}
	for e := range reader.End() {
		take(e)
	}
	// A signal that stays visible is text as well; then it counts as what it does.
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.kind, a.kind))
	})
	all := []Part{}
	at := 0
	add := func(kind extract.Kind, end int) {
		if end <= at {
			return
		}
		text := strings.ToValidUTF8(reply[at:end], "\uFFFD")
		if n := len(all); n > 0 && all[n-1].Kind == kind.String() && kind != extract.KindAction {
			all[n-1].Text += text
		} else {
			all = append(all, Part{kind.String(), text})
		}
		at = end
	}
	for i, s := range spans {
		if s.kind == extract.KindText {
			// Up to what is inside it, if anything is.
			for _, inner := range spans[i+1:] {
				if inner.begin >= s.end {
					break
				}
				if inner.kind != extract.KindText {
					s.end = inner.begin
					break
				}
			}
		}
		add(extract.KindText, s.begin) // white space that is not shown
		add(s.kind, s.end)
	}
	add(extract.KindText, len(reply))
	return all
}
