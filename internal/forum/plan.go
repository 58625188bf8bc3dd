package forum

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

// A World is what a sync has read.
type World struct {
	Forum   platform.Room
	Items   []Item
	Threads []platform.ForumThread
	Mirrors []store.Mirror
	Tags    Tags
	Now     time.Time

	// Starters are those of threads that somebody else has begun, where the board is a
	// Rewriter.
	Starters map[platform.Room]platform.Starter
}

// What is to be done about an item and its thread.
type Do string

const (
	Create  Do = "create"  // a thread
	Adopt   Do = "adopt"   // a thread that is there and not known
	Link    Do = "link"    // note on the board which thread it is
	Edit    Do = "edit"    // the thread's name, tags, text, or whether it is archived
	Close   Do = "close"   // the item: somebody has archived its thread
	Reopen  Do = "reopen"  // the item: somebody has opened its thread
	Agree   Do = "agree"   // note that both are the same
	Rewrite Do = "rewrite" // the item: somebody has edited the starter of their thread
	Release Do = "release" // archive the thread of an item that is to have none, and forget it
)

// A Step is one thing that is to be done.
type Step struct {
	Do     Do
	Item   Item
	Thread platform.ForumThread  // but to create
	Mirror store.Mirror          // that is adopted
	Change platform.ThreadChange // that is edited
	Text   *string               // of the starter that is edited, or was
}

// A Plan is what is to be done, and what cannot be.
type Plan struct {
	Steps   []Step
	Orphans []platform.ForumThread // open threads that belong to no item
	Later   time.Time              // when there will be more to do; zero if nothing waits
}

const (
	// patience is how long a thread may still appear that was asked for: no request is
	// waited for longer.
	patience = 30 * time.Second

	// A thread gets another name twice in ten minutes: Discord allows no more, and other
	// changes of a thread would have to wait with the third.
	renameWindow = 10 * time.Minute
)

// MakePlan compares the items with the threads. Whether an item is closed and whether its
// thread is archived is compared with what both were when they last agreed: whichever is
// different has changed. Both cannot have changed and still differ.
func MakePlan(w World) Plan {
	p := planner{World: w, threads: map[platform.Room]platform.ForumThread{}, mirrors: map[string]store.Mirror{}, claimed: map[platform.Room]bool{}, numbers: map[string]int{}}
	for _, t := range w.Threads {
		p.threads[t.Room] = t
	}
	for _, m := range w.Mirrors {
		if m.Forum == w.Forum {
			p.mirrors[m.Item] = m
			p.claimed[m.Thread] = true
		}
	}
	known := map[string]bool{}
	for _, i := range w.Items {
		known[i.ID] = true
		p.numbers[i.Number]++
		p.claimed[i.Thread] = true
	}
	for _, i := range w.Items {
		p.item(i)
	}
	for _, m := range w.Mirrors {
		if !known[m.Item] && m.Forum == w.Forum {
			p.add(Step{Do: Release, Item: Item{ID: m.Item}, Thread: p.threads[m.Thread]})
		}
	}
	for _, t := range w.Threads {
		if !t.Archived && !p.claimed[t.Room] {
			p.plan.Orphans = append(p.plan.Orphans, t)
		}
	}
	return p.plan
}

type planner struct {
	World
	threads map[platform.Room]platform.ForumThread
	mirrors map[string]store.Mirror // by item
	claimed map[platform.Room]bool  // threads that belong to an item
	numbers map[string]int          // how many items have one
	plan    Plan
}

func (p *planner) add(s Step) { p.plan.Steps = append(p.plan.Steps, s) }

// later notes when there will be more to do.
func (p *planner) later(at time.Time) {
	if p.plan.Later.IsZero() || at.Before(p.plan.Later) {
		p.plan.Later = at
	}
}

func (p *planner) item(i Item) {
	m, mirrored := p.mirrors[i.ID]
	t, there := p.threads[m.Thread]
	if i.NoThread {
		if mirrored {
			p.add(Step{Do: Release, Item: i, Thread: t})
		}
		return
	}
	if !there {
		if t, there = p.orphan(i); there {
			m = p.adopt(i, t, m)
		}
	}
	switch {
	case there:
		p.pair(i, t, m)
	case i.Closed && mirrored:
		p.add(Step{Do: Release, Item: i})
	case i.Closed: // what is done needs no thread any more
	case mirrored && p.Now.Sub(m.Tried) < patience:
		p.later(m.Tried.Add(patience))
	default:
		p.add(Step{Do: Create, Item: i})
	}
}

// orphan finds the thread of an item among those that belong to none: one that was made when
// the answer was lost, or that somebody has begun. The number tells; where several items have
// the same, so does the title. The agent's own counts more, then one that is open, then the
// oldest.
func (p *planner) orphan(i Item) (platform.ForumThread, bool) {
	if t, ok := p.threads[i.Thread]; ok {
		return t, true
	}
	var found []platform.ForumThread
	for _, t := range p.Threads {
		if p.claimed[t.Room] || !strings.Contains(t.Name, i.number()) {
			continue
		}
		if p.numbers[i.Number] == 1 || strings.HasSuffix(i.Name(), after(t.Name, i.number())) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return platform.ForumThread{}, false
	}
	slices.SortFunc(found, func(a, b platform.ForumThread) int {
		return cmp.Or(order(b.Own, a.Own), order(a.Archived, b.Archived), cmp.Compare(len(a.Room.ID), len(b.Room.ID)), strings.Compare(a.Room.ID, b.Room.ID))
	})
	return found[0], true
}

// after is what stands in a name from the number on.
func after(name, number string) string { return name[strings.Index(name, number):] }

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// adopt makes a thread that of an item. Nothing is known of what they were: the item counts,
// unless somebody has archived the thread since it was changed.
func (p *planner) adopt(i Item, t platform.ForumThread, m store.Mirror) store.Mirror {
	m = store.Mirror{Item: i.ID, Forum: p.Forum, Thread: t.Room, Closed: t.Archived, Renamed: m.Renamed}
	if t.Archived && !t.Drifted && t.Changed.After(i.Changed) {
		m.Closed = i.Closed
	}
	if starter, ok := p.Starters[t.Room]; ok {
		m.Text = digest(starter.Text)
	}
	p.claimed[t.Room] = true
	p.add(Step{Do: Adopt, Item: i, Thread: t, Mirror: m})
	return m
}

// pair compares an item with its thread.
func (p *planner) pair(i Item, t platform.ForumThread, m store.Mirror) {
	if i.Thread != t.Room {
		p.add(Step{Do: Link, Item: i, Thread: t})
	}
	if starter, ok := p.Starters[t.Room]; ok && digest(starter.Text) != m.Text {
		p.add(Step{Do: Rewrite, Item: i, Thread: t, Text: &starter.Text})
	}
	// While Aside changes a thread, and where nobody has decided on it, it tells nothing.
	decided := t.Archived != m.Closed && !m.Busy && !t.Drifted && (m.Drifted.IsZero() || !same(t.Changed, m.Drifted))
	if decided && i.Closed == m.Closed {
		do := Close
		if i.Closed {
			do = Reopen
		}
		p.add(Step{Do: do, Item: i, Thread: t})
		return
	}
	s := Step{Do: Edit, Item: i, Thread: t}
	s.Change.Name = p.rename(i, t, m)
	if tags := p.Tags.want(i, t.Tags); !sameTags(tags, t.Tags) {
		s.Change.Tags = &tags
	}
	if m.Text != digest(i.Body) && t.Own {
		s.Text = &i.Body
	}
	edited := s.Change.Name != nil || s.Change.Tags != nil || s.Text != nil
	mine := m.Busy || i.Closed != m.Closed
	switch {
	case t.Archived != i.Closed && (edited || mine), t.Archived && s.Text != nil:
		s.Change.Archived = &i.Closed
	case !edited && mine:
		s.Do = Agree
	case !edited:
		return
	}
	p.add(s)
}

// rename is the name that a thread is to get, nil if it has it or has to wait for it. What a
// platform makes of a name is left at that.
func (p *planner) rename(i Item, t platform.ForumThread, m store.Mirror) *string {
	name := i.Name()
	if t.Name == name || m.Name == name && t.Name == m.Shown {
		return nil
	}
	if again := m.Renamed[1].Add(renameWindow); p.Now.Before(again) {
		p.later(again)
		return nil
	}
	return &name
}

// same tells whether two times are, as far as they are stored.
func same(a, b time.Time) bool {
	return a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond))
}

// sameTags tells whether the same tags are in both.
func sameTags(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// digest is a text in short.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}
