package chat

import (
	"fmt"
	"io"
	"strings"
)

// A row is one row of the screen.
type row struct {
	text string
	dim  bool
}

// A Screen shows something that changes as it is written: rows at the end of what
// stands in the terminal. When the rows change it writes only what is new, and goes
// back to the first row that is different otherwise.
type Screen struct {
	Out    io.Writer
	Size   func() (width, height int)
	Colour bool
	Cursor bool // it can be moved

	shown []row
	width int
}

const (
	dimOn      = "\x1b[2m"
	dimOff     = "\x1b[0m"
	upBy       = "\x1b[%dA"
	clearBelow = "\x1b[J"
)

// columns is how wide a row may be. The last column stays free: terminals disagree
// about where the cursor is after it.
func (s *Screen) columns() int {
	width, _ := s.Size()
	return max(width-1, 2)
}

// draw shows rows in place of those it has shown before.
func (s *Screen) draw(rows []row) {
	width, height := s.Size()
	same := 0
	for same < len(rows) && same < len(s.shown) && rows[same] == s.shown[same] {
		same++
	}
	if same == len(rows) && same == len(s.shown) {
		return
	}
	last := len(s.shown) - 1
	var b strings.Builder
	switch {
	case last < 0:
		s.write(&b, rows)
	case same > last: // more below
		b.WriteString("\n")
		s.write(&b, rows[same:])
	case same == last && same < len(rows) && s.grown(rows[same]):
		s.text(&b, row{strings.TrimPrefix(rows[same].text, s.shown[same].text), rows[same].dim})
		if same+1 < len(rows) {
			b.WriteString("\n")
			s.write(&b, rows[same+1:])
		}
	case !s.Cursor || last-same >= height-1 || width != s.width:
		// What has changed is out of reach, or nobody knows where it is by now.
		b.WriteString("\n")
		s.text(&b, row{"↻ changed:", true})
		b.WriteString("\n")
		s.write(&b, rows)
	default:
		from := min(same, max(len(rows)-1, 0))
		b.WriteString("\r")
		if up := last - from; up > 0 {
			fmt.Fprintf(&b, upBy, up)
		}
		b.WriteString(clearBelow)
		s.write(&b, rows[min(from, len(rows)):])
	}
	s.shown, s.width = rows, width
	_, _ = io.WriteString(s.Out, b.String()) // who cannot see it cannot be told either
}

// grown reports whether the last row that is shown has only become longer. A letter
// may be changed by what follows, as by an accent; between letters is safe.
func (s *Screen) grown(r row) bool {
	old := s.shown[len(s.shown)-1]
	return r.dim == old.dim && strings.HasPrefix(r.text, old.text) && betweenCharacters(r.text, len(old.text))
}

func (s *Screen) write(b *strings.Builder, rows []row) {
	for i, r := range rows {
		if i > 0 {
			b.WriteString("\n")
		}
		s.text(b, r)
	}
}

func (s *Screen) text(b *strings.Builder, r row) {
	if r.dim && s.Colour && r.text != "" {
		b.WriteString(dimOn + r.text + dimOff)
		return
	}
	b.WriteString(r.text)
}

// end leaves what is shown as it is; what is drawn next stands below.
func (s *Screen) end() {
	if len(s.shown) > 0 {
		_, _ = io.WriteString(s.Out, "\n")
	}
	s.shown = nil
}
