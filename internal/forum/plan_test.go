package forum_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
)

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	room = platform.Room{Platform: "discord", ID: "1"}
)

func at(id string) platform.Room { return platform.Room{Platform: "discord", ID: id} }

// paint is an item, changed as said.
func paint(changes ...func(*forum.Item)) forum.Item {
	i := forum.Item{ID: "ws-001", Number: "001", Title: "Paint the door", Mark: "🟢", Body: "Blue.", Thread: at("10"), Changed: noon.Add(-time.Hour)}
	for _, change := range changes {
		change(&i)
	}
	return i
}

func closed(i *forum.Item)   { i.Closed, i.Mark = true, "☑️" }
func unlinked(i *forum.Item) { i.Thread = platform.Room{} }

// door is its thread.
func door(changes ...func(*platform.ForumThread)) platform.ForumThread {
	t := platform.ForumThread{Room: at("10"), Name: "🟢 [001] Paint the door", Own: true, Changed: noon.Add(-2 * time.Hour)}
	for _, change := range changes {
		change(&t)
	}
	return t
}

func archived(t *platform.ForumThread) { t.Archived, t.Changed = true, noon.Add(-time.Minute) }
func drifted(t *platform.ForumThread)  { t.Drifted = true }
func called(name string) func(*platform.ForumThread) {
	return func(t *platform.ForumThread) { t.Name = name }
}

// kept is what is stored of both.
func kept(changes ...func(*store.Mirror)) store.Mirror {
	m := store.Mirror{Board: "tasks", Item: "ws-001", Forum: room, Thread: at("10"), Text: forum.Digest("Blue."), Name: "🟢 [001] Paint the door", Shown: "🟢 [001] Paint the door"}
	for _, change := range changes {
		change(&m)
	}
	return m
}

func agreedClosed(m *store.Mirror) { m.Closed = true }
func busy(m *store.Mirror)         { m.Busy = true }

// told is a plan in words.
func told(p forum.Plan) string {
	var lines []string
	for _, s := range p.Steps {
		line := fmt.Sprintf("%s %s", s.Do, s.Item.ID)
		if s.Thread.Room.ID != "" {
			line += " " + s.Thread.Room.ID
		}
		if s.Change.Name != nil {
			line += fmt.Sprintf(" name %q", *s.Change.Name)
		}
		if s.Change.Tags != nil {
			line += fmt.Sprintf(" tags %v", *s.Change.Tags)
		}
		if s.Change.Archived != nil {
			line += fmt.Sprintf(" archived %v", *s.Change.Archived)
		}
		if s.Text != nil {
			line += fmt.Sprintf(" text %q", *s.Text)
		}
		if s.Do == forum.Adopt && s.Mirror.Closed {
			line += " as closed"
		}
		lines = append(lines, line)
	}
	for _, t := range p.Orphans {
		lines = append(lines, "orphan "+t.Room.ID)
	}
	if !p.Later.IsZero() {
		lines = append(lines, "later in "+p.Later.Sub(noon).String())
	}
	return strings.Join(lines, "\n")
}

func TestWhatIsPlanned(t *testing.T) {
	none := []store.Mirror(nil)
	for _, test := range []struct {
		name    string
		items   []forum.Item
		threads []platform.ForumThread
		mirrors []store.Mirror
		want    []string
	}{
		{"nothing is done where all is well", list(paint()), list(door()), list(kept()), nil},
		{"nothing is done where both are closed", list(paint(closed)), list(door(archived, called("☑️ [001] Paint the door"))), list(kept(agreedClosed)), nil},
		{"an item without a thread gets one", list(paint(unlinked)), nil, none, list("create ws-001")},
		{"a closed item without a thread gets none", list(paint(unlinked, closed)), nil, none, nil},
		{"an item that is to have none gets none", list(paint(unlinked, func(i *forum.Item) { i.NoThread = true })), nil, none, nil},
		{"a thread that was asked for a moment ago is waited for", list(paint(unlinked)), nil, list(kept(asked(10 * time.Second))), list("later in 20s")},
		{"and made when it does not come", list(paint(unlinked)), nil, list(kept(asked(31 * time.Second))), list("create ws-001")},
		{"one that came is taken", list(paint(unlinked)), list(door()), list(kept(asked(10 * time.Second))), list("adopt ws-001 10", "link ws-001 10", `edit ws-001 10 text "Blue."`)},
		{"a thread that was deleted is made anew", list(paint()), nil, list(kept()), list("create ws-001")},
		{"unless the item is closed", list(paint(closed)), nil, list(kept(agreedClosed)), list("release ws-001")},

		{"a thread gets the item's name", list(paint(func(i *forum.Item) { i.Title = "Paint the gate" })), list(door()), list(kept()), list(`edit ws-001 10 name "🟢 [001] Paint the gate"`)},
		{"a name that somebody has changed is put back", list(paint()), list(door(called("my door"))), list(kept()), list(`edit ws-001 10 name "🟢 [001] Paint the door"`)},
		{"what the platform makes of a name is left at that", list(paint()), list(door(called("🟢 [001] Paint door"))), list(kept(func(m *store.Mirror) { m.Shown = "🟢 [001] Paint door" })), nil},
		{"a third name in ten minutes waits", list(paint(func(i *forum.Item) { i.Mark = "🟡" })), list(door()), list(kept(renamed(time.Minute, 4*time.Minute))), list("later in 6m0s")},
		{"but not the rest", list(paint(closed)), list(door()), list(kept(renamed(time.Minute, 4*time.Minute))), list("edit ws-001 10 archived true", "later in 6m0s")},
		{"after ten minutes it is given", list(paint(func(i *forum.Item) { i.Mark = "🟡" })), list(door()), list(kept(renamed(time.Minute, 10*time.Minute))), list(`edit ws-001 10 name "🟡 [001] Paint the door"`)},
		{"a thread gets the item's text", list(paint(func(i *forum.Item) { i.Body = "Green." })), list(door()), list(kept()), list(`edit ws-001 10 text "Green."`)},
		{"but not one that somebody else has begun", list(paint(func(i *forum.Item) { i.Body = "Green." })), list(door(func(t *platform.ForumThread) { t.Own = false })), list(kept()), nil},
		{"a board learns of its thread", list(paint(unlinked)), list(door()), list(kept()), list("link ws-001 10")},

		{"a closed item's thread is archived", list(paint(closed)), list(door()), list(kept()), list(`edit ws-001 10 name "☑️ [001] Paint the door" archived true`)},
		{"a reopened item's thread is opened", list(paint()), list(door(archived)), list(kept(agreedClosed)), list("edit ws-001 10 archived false")},
		{"an item is closed because its thread was archived", list(paint()), list(door(archived)), list(kept()), list("close ws-001 10")},
		{"an item is reopened because its thread was opened", list(paint(closed)), list(door()), list(kept(agreedClosed)), list("reopen ws-001 10")},
		{"both closed by themselves agree", list(paint(closed, func(i *forum.Item) { i.Mark = "🟢" })), list(door(archived)), list(kept()), list("agree ws-001 10")},
		{"silence closes nothing", list(paint()), list(door(archived, drifted)), list(kept()), nil},
		{"a change wakes a silent thread", list(paint(func(i *forum.Item) { i.Title = "Paint it" })), list(door(archived, drifted)), list(kept()), list(`edit ws-001 10 name "🟢 [001] Paint it" archived false`)},
		{"closing a silent one leaves it archived", list(paint(closed)), list(door(archived, drifted)), list(kept()), list(`edit ws-001 10 name "☑️ [001] Paint the door"`)},
		{"an opening that nobody has decided on reopens nothing", list(paint(closed)), list(door(called("☑️ [001] Paint the door"))), list(kept(agreedClosed, func(m *store.Mirror) { m.Drifted = noon.Add(-2 * time.Hour) })), nil},
		{"a change that was cut off is nobody's decision: opened", list(paint(closed)), list(door(called("☑️ [001] Paint the door"))), list(kept(agreedClosed, busy)), list("edit ws-001 10 archived true")},
		{"a change that was cut off is nobody's decision: archived", list(paint()), list(door(archived)), list(kept(busy)), list("edit ws-001 10 archived false")},
		{"a change that was cut off when all was done is noted", list(paint()), list(door()), list(kept(busy)), list("agree ws-001 10")},
		{"a closed item's text is written, and its thread archived again", list(paint(closed, func(i *forum.Item) { i.Body = "Green." })), list(door(archived, called("☑️ [001] Paint the door"))), list(kept(agreedClosed)), list(`edit ws-001 10 archived true text "Green."`)},

		{"an orphan with the number is taken", list(paint(unlinked)), list(door(called("so [001] what"))), none, list("adopt ws-001 10", "link ws-001 10", `edit ws-001 10 name "🟢 [001] Paint the door" text "Blue."`)},
		{"the agent's own first, then the open one", list(paint(unlinked)), list(door(inRoom("7"), func(t *platform.ForumThread) { t.Own = false }), door(inRoom("8"), archived), door(inRoom("9"))), none, list("adopt ws-001 9", "link ws-001 9", `edit ws-001 9 text "Blue."`, "orphan 7")},
		{"the thread that the board knows is taken", list(paint()), list(door(called("anything"))), none, list("adopt ws-001 10", `edit ws-001 10 name "🟢 [001] Paint the door" text "Blue."`)},
		{"an orphan that was archived since closes its item", list(paint(unlinked)), list(door(archived)), none, list("adopt ws-001 10", "link ws-001 10", "close ws-001 10")},
		{"one that was archived before is opened", list(paint(unlinked, func(i *forum.Item) { i.Changed = noon })), list(door(archived)), none, list("adopt ws-001 10 as closed", "link ws-001 10", `edit ws-001 10 archived false text "Blue."`)},
		{"an open orphan of a closed item is archived", list(paint(unlinked, closed)), list(door()), none, list("adopt ws-001 10", "link ws-001 10", `edit ws-001 10 name "☑️ [001] Paint the door" archived true text "Blue."`)},
		{"an unknown orphan is reported", list(paint()), list(door(), door(inRoom("11"), called("[002] Other")), door(inRoom("12"), called("Hello"))), list(kept()), list("orphan 11", "orphan 12")},
		{"an archived one is not", list(paint()), list(door(), door(inRoom("12"), archived, called("Hello"))), list(kept()), nil},
		{"where two have a number the title tells", list(paint(), paint(unlinked, func(i *forum.Item) { i.ID, i.Title = "dc-001", "Oil it" })), list(door(), door(inRoom("12"), called("🟡 [001] Oil it")), door(inRoom("13"), called("[001] Else"))), list(kept()), list("adopt dc-001 12", "link dc-001 12", `edit dc-001 12 name "🟢 [001] Oil it" text "Blue."`, "orphan 13")},

		{"an item that is to have no thread any more", list(paint(func(i *forum.Item) { i.NoThread = true })), list(door()), list(kept()), list("release ws-001 10")},
		{"an item that is gone", nil, list(door()), list(kept()), list("release ws-001 10")},
		{"another forum than before", list(paint()), nil, list(kept(func(m *store.Mirror) { m.Forum = at("2") })), list("create ws-001")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := told(forum.MakePlan(forum.World{Forum: room, Items: test.items, Threads: test.threads, Mirrors: test.mirrors, Now: noon}))
			if want := strings.Join(test.want, "\n"); got != want {
				t.Errorf("planned is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func list[T any](all ...T) []T { return all }

func inRoom(id string) func(*platform.ForumThread) {
	return func(t *platform.ForumThread) { t.Room = at(id) }
}

func asked(ago time.Duration) func(*store.Mirror) {
	return func(m *store.Mirror) { *m = store.Mirror{Item: "ws-001", Forum: room, Tried: noon.Add(-ago)} }
}

func renamed(last, before time.Duration) func(*store.Mirror) {
	return func(m *store.Mirror) { m.Renamed = [2]time.Time{noon.Add(-last), noon.Add(-before)} }
}

func TestTheNameOfAThread(t *testing.T) {
	for _, test := range []struct{ name, title, want string }{
		{"of a title", "Paint", "🟢 [001] Paint"},
		{"of one in several lines", " Paint\n\tthe  door ", "🟢 [001] Paint the door"},
		{"of one that is too long", strings.Repeat("x", 200), "🟢 [001] " + strings.Repeat("x", 90) + "…"},
		{"of one whose characters are long", strings.Repeat("🎨", 60), "🟢 [001] " + strings.Repeat("🎨", 45) + "…"},
		{"of one that just fits", strings.Repeat("x", 91), "🟢 [001] " + strings.Repeat("x", 91)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := paint(func(i *forum.Item) { i.Title = test.title }).Name()
			if got != test.want || platform.CountUTF16.Of(got) > 100 {
				t.Errorf("it is %q, want %q", got, test.want)
			}
		})
	}
}

func TestTheTagsOfAThread(t *testing.T) {
	words := forum.Words{Statuses: []string{"open", "blocked"}}
	m, wrong := forum.ReadTagMap([]byte("labels: {bug: Bug, a: t3, b: t4, c: t5, d: t6, e: t7}\nstatus: {blocked: Waiting}\n"), words)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	there := []platform.Tag{{ID: "t1", Name: "bug"}, {ID: "t2", Name: "Waiting"}, {ID: "t3"}, {ID: "t4"}, {ID: "t5"}, {ID: "t6"}, {ID: "t7"}, {ID: "t8", Name: "Hand"}}
	tags, wrong := m.Find(there)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for _, test := range []struct {
		name   string
		labels []string
		status string
		has    []string
		want   string
	}{
		{"that of a label", []string{"BUG", "other"}, "open", nil, `edit ws-001 10 tags [t1]`},
		{"that of a status comes last", []string{"c", "bug"}, "blocked", nil, `edit ws-001 10 tags [t5 t1 t2]`},
		{"those that are there stay in any order", []string{"c", "bug"}, "blocked", []string{"t2", "t1", "t5"}, ``},
		{"what does not hold any more is taken off", nil, "open", []string{"t1"}, `edit ws-001 10 tags []`},
		{"what somebody has put there stays", []string{"bug"}, "open", []string{"t8"}, `edit ws-001 10 tags [t1 t8]`},
		{"five at most, those of the item first", []string{"bug", "a", "b", "c", "d", "e"}, "blocked", []string{"t8"}, `edit ws-001 10 tags [t1 t3 t4 t5 t6]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := forum.World{Forum: room, Tags: tags, Now: noon, Mirrors: list(kept())}
			w.Items = list(paint(func(i *forum.Item) { i.Labels, i.Status = test.labels, test.status }))
			w.Threads = list(door(func(t *platform.ForumThread) { t.Tags = test.has }))
			if got := told(forum.MakePlan(w)); got != test.want {
				t.Errorf("planned is %s, want %s", got, test.want)
			}
		})
	}
}

func TestWhatIsWrongWithATagMap(t *testing.T) {
	words := forum.Words{Statuses: []string{"open", "closed"}}
	there := []platform.Tag{{ID: "123456789012345678", Name: "Bug"}, {ID: "2", Name: "Feature"}}
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "labels:\n  bug: Bug\n  idea: 2\nstatus:\n  open: Feature\n", nil},
		{"nothing, in JSON", `{"labels": {"bug": "123456789012345678"}, "status": {"closed": "bug"}}`, nil},
		{"nothing, flat", "bug: 123456789012345678\nidea: feature\n", nil},
		{"nothing, empty", "", nil},
		{"nothing, with empty sections", "labels:\nstatus:\n", nil},
		{"a tag that is not there", "bug: Bug\nidea: Idea\n", []string{"line 2: the forum has no tag Idea; it has Bug, Feature"}},
		{"no tag", "labels:\n  bug:\n  idea: [a]\n", []string{"line 2: bug needs the name or the id of a tag, such as bug: Bug", "line 3: idea needs the name or the id of a tag, such as idea: Bug"}},
		{"a status that there is not", "status:\n  done: Bug\n", []string{"line 2: there is no status done; there are open, closed"}},
		{"a list", "- bug\n", []string{"line 1: here labels and their tags belong, such as bug: Bug"}},
		{"a label twice", "labels:\n  bug: Bug\n  BUG: Feature\n", []string{"line 3: bug is there twice; the first one counts"}},
		{"no YAML", "bug: [\nidea", []string{"line"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, wrong := forum.ReadTagMap([]byte(test.text), words)
			_, missing := m.Find(there)
			got := append(wrong, missing...)
			if !slices.EqualFunc(got, test.want, func(got, want string) bool { return strings.HasPrefix(got, want) }) {
				t.Errorf("it is %q, want %q", got, test.want)
			}
		})
	}
}

func TestTheBodyOfAThread(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, test := range []struct {
		name, title, text string
		facts             []string
		want              string
	}{
		{"a text and facts", "Paint", " Blue.\n", []string{"ws-001", "", "by\nAda"}, "Blue.\n\nws-001 · by Ada"},
		{"no text", "Paint", "", []string{"ws-001"}, "ws-001"},
		{"a title that does not fit into the name", long, "Blue.", []string{"ws-001"}, long + "\n\nBlue.\n\nws-001"},
		{"a text that is too long", "Paint", strings.Repeat("y", 3000), []string{"ws-001"}, strings.Repeat("y", 1991) + "…\n\nws-001"},
		{"facts that are too long", "Paint", "Blue.", []string{strings.Repeat("z", 3000)}, "Blue.\n\n" + strings.Repeat("z", 499) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := paint(func(i *forum.Item) { i.Title = test.title })
			i.Write(test.text, test.facts...)
			if i.Body != test.want || platform.CountUTF16.Of(i.Body) > 2000 {
				t.Errorf("it is %q, want %q", i.Body, test.want)
			}
		})
	}
}
