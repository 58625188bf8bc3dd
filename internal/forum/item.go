package forum

import (
	"context"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// An Item is what has a thread: a task, a job.
type Item struct {
	ID       string // ws-001
	Number   string // 001
	Title    string
	Mark     string // the glyph before its name, by its status
	Body     string // what the thread begins with
	Labels   []string
	Status   string // as the tag map calls it
	Closed   bool
	NoThread bool          // it is to have none
	Thread   platform.Room // that a Linker has noted for it; without an ID there is none
	Changed  time.Time
}

// Words are what a board calls what it has.
type Words struct {
	One, Many        string   // task, tasks
	Closed, Reopened string   // what becomes of one: closed, reopened
	Statuses         []string // that the tag map may name
}

// By is who has archived or opened a thread, and so closes or reopens an item. A person
// without an id is not known.
type By struct {
	Person platform.Person
	Why    string // to be noted
}

// A Board is what is mirrored. Close and Reopen do nothing to an item that is so already; an
// error is a Refusal if whoever has archived or opened the thread may not do it.
type Board interface {
	Name() string // in the store: tasks, crons
	Words() Words
	Items(ctx context.Context) ([]Item, error)
	Close(ctx context.Context, item Item, by By) error
	Reopen(ctx context.Context, item Item, by By) error
}

// A Linker is a Board that notes which thread shows an item; one without an ID is none.
type Linker interface {
	Link(ctx context.Context, item Item, thread platform.Room) error
}

// A Rewriter is a Board whose items are changed by whoever edits the starter of a thread that
// they have begun themselves. An error is a Refusal if they may not, or the text cannot be
// taken.
type Rewriter interface {
	Rewrite(ctx context.Context, item Item, by platform.Person, text string) error
}

// A Refusal is why a board does not take something, for a person to read.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// longestName is how many characters a thread's name may have, as UTF-16 counts them, which
// is the strictest way.
const longestName = 100

// Name is what the thread of an item is called.
func (i Item) Name() string {
	return cut(i.Mark+" "+i.base(), longestName)
}

// base is the name without the mark, which changes.
func (i Item) base() string {
	return i.number() + " " + strings.Join(strings.Fields(i.Title), " ")
}

func (i Item) number() string { return "[" + i.Number + "]" }

// cut is a text that is not longer than most.
func cut(text string, most int) string {
	text = strings.TrimSpace(text)
	if platform.CountUTF16.Of(text) <= most {
		return text
	}
	var b strings.Builder
	n := 1 // for the ellipsis
	for _, r := range text {
		if n += platform.CountUTF16.Of(string(r)); n > most {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimRight(b.String(), " ") + "…"
}
