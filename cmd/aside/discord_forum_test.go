package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/operator"
)

// newForumScene is a scene whose tasks have threads in a forum. more is added below tasks.
func newForumScene(t *testing.T, more string) (*scene, *discordtest.Channel) {
	t.Helper()
	s := prepareScene(t, "")
	forum := s.discord.AddChannel(s.discord.Guild, "tasks", discordtest.Forum)
	s.configured(fmt.Sprintf("tasks:\n  forum: discord/%s\n%s", forum.ID, more))
	return s, forum
}

// threads are a forum's, by name, and whether they are archived.
func (s *scene) threads(forum *discordtest.Channel) string {
	var all []string
	for _, c := range s.discord.Threads(forum) {
		line := c.Name
		if c.Metadata.Archived {
			line += " (archived)"
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

func (s *scene) untilThreads(forum *discordtest.Channel, want string) {
	s.t.Helper()
	s.until("the threads are "+want, func() bool { return s.threads(forum) == want })
}

// A task that a reply makes has a thread; closing either closes the other.
func TestDiscordATaskAndItsThread(t *testing.T) {
	s, forum := newForumScene(t, "")
	s.begin()
	d := s.discord
	m := s.ask(d.Ada, d.General, "we must paint the door", block(`{"type":"taskCreate","title":"Paint the door","description":"Blue, <@`+d.Ada.ID+`>.","tags":["home"]}`))
	s.says(d.General, m, "Done: made the task ws-001: Paint the door")
	s.untilThreads(forum, "🟢 [001] Paint the door")
	thread := d.Threads(forum)[0]
	first := d.Messages(&thread)[0]
	if want := "Blue, <@" + d.Ada.ID + ">.\n\nws-001 · priority 2 · home · by ada"; first.Content != want || first.Pinged {
		t.Errorf("it begins with %q, and notified somebody: %v", first.Content, first.Pinged)
	}

	s.ask(d.Ada, d.General, "done", block(`{"type":"taskClose","taskId":"<#`+thread.ID+`>"}`))
	s.untilThreads(forum, "☑️ [001] Paint the door (archived)")
	d.Archive(s.mod, &thread, false)
	s.until("the task is open again", func() bool { return s.tasks() == "ws-001 open Paint the door; " })
	s.untilThreads(forum, "🟢 [001] Paint the door")

	d.Archive(s.mod, &thread, true)
	s.until("the task is closed", func() bool { return s.tasks() == "" })
	var shown tasks.Task
	inJSON(t, &shown, "task", "show", "1", "--config", s.config)
	if last := shown.History[len(shown.History)-1]; shown.Reason != "its thread was archived" || shown.Thread != "discord/"+thread.ID || last.By != "discord" {
		t.Errorf("it is %+v", shown)
	}
	if n := len(d.Threads(forum)); n != 1 {
		t.Errorf("there are %d threads", n)
	}
}

// What happens while Aside is down is seen when it is back, from either side.
func TestDiscordTasksAndThreadsChangedWhileItIsDown(t *testing.T) {
	s, forum := newForumScene(t, "")
	s.begin()
	d := s.discord
	s.ask(d.Ada, d.General, "two things", block(`[{"type":"taskCreate","title":"Paint"},{"type":"taskCreate","title":"Oil"}]`))
	s.untilThreads(forum, "🟢 [001] Paint; 🟢 [002] Oil")
	s.kill(syscall.SIGKILL)
	all := d.Threads(forum)
	d.Archive(s.mod, &all[slices.IndexFunc(all, func(c discordtest.Channel) bool { return strings.HasSuffix(c.Name, "Paint") })], true)
	succeeds(t, "task", "close", "2", "--config", s.config)
	succeeds(t, "task", "add", "Hang", "--config", s.config)
	succeeds(t, "task", "add", "Silent", "--label", "no-thread", "--config", s.config)
	s.begin()
	s.untilThreads(forum, "☑️ [001] Paint (archived); ☑️ [002] Oil (archived); 🟢 [003] Hang")
	if got := s.tasks(); got != "ws-003 open Hang; ws-004 open Silent; " {
		t.Errorf("open are %s", got)
	}
}

// Killed when Discord has made the thread and nobody knows its id.
func TestDiscordAThreadIsMadeOnceHoweverTheProgramEnds(t *testing.T) {
	s, forum := newForumScene(t, "")
	s.begin()
	d := s.discord
	arrived := d.Hold(http.MethodPost, "/channels/"+forum.ID+"/threads", true)
	s.ask(d.Ada, d.General, "paint", block(`{"type":"taskCreate","title":"Paint"}`))
	select {
	case <-arrived:
	case <-s.ctx.Done():
		t.Fatalf("Discord was not asked\n%s", s.output.String())
	}
	s.kill(syscall.SIGKILL)
	s.begin()
	s.untilThreads(forum, "🟢 [001] Paint")
	m := s.ask(d.Ada, d.General, "is all well?", block(`{"type":"taskSync"}`))
	s.says(d.General, m, "thread")
	s.ask(d.Ada, d.General, "close it", block(`{"type":"taskClose","taskId":"1"}`))
	s.untilThreads(forum, "☑️ [001] Paint (archived)")
}

// Fifty tasks that were there before the forum was.
func TestDiscordFiftyTasksAreShownOnRequest(t *testing.T) {
	tags := filepath.Join(t.TempDir(), "tags.yaml")
	if err := os.WriteFile(tags, []byte("ops: Operations\nidea: Idea\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, forum := newForumScene(t, "  tag_map: "+tags+"\n")
	d := s.discord
	d.ChangeChannel(forum, func(c *discordtest.Channel) {
		c.AvailableTags = []discordtest.Tag{{ID: "777777777777777777", Name: "operations"}}
	})
	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	var lines strings.Builder
	for i := range 50 {
		fmt.Fprintf(&lines, `{"id":"ws-%03d","title":"Task %d","labels":["ops"]}`+"\n", i+1, i+1)
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s.begin()
	succeeds(t, "task", "import", file, "--config", s.config)
	s.until("there are fifty threads", func() bool { return len(d.Threads(forum)) == 50 })
	d.Begin(d.Ada, forum, "Hello", "all")
	m := s.ask(d.Ada, d.General, "compare", block(`{"type":"taskSync"}`))
	s.says(d.General, m, "Done: nothing to mend, 51 threads, 1 orphan that belongs to no task: Hello, in the tag map "+tags+": line 2: the forum has no tag Idea; it has operations")
	m = s.ask(d.Ada, d.General, "the tags", block(`{"type":"tagMapReload"}`))
	s.says(d.General, m, "Done: 1 label and 0 statuses have tags, and in "+tags+" is wrong:\n- line 2: the forum has no tag Idea; it has operations")
	for _, c := range d.Threads(forum) {
		if c.Name != "Hello" && !slices.Equal(c.AppliedTags, []string{"777777777777777777"}) {
			t.Errorf("%s has the tags %v", c.Name, c.AppliedTags)
		}
	}
}

// A job has a thread: archiving it pauses the job, and opening it needs somebody who is known
// and may.
func TestDiscordAJobAndItsThread(t *testing.T) {
	s := prepareScene(t, "")
	d := s.discord
	d.ChangeRole(d.Guild, d.BotRole, func(r *discordtest.Role) { r.Permissions |= discordtest.ViewAuditLog })
	forum := d.AddChannel(d.Guild, "jobs", discordtest.Forum)
	s.configured(fmt.Sprintf("crons: {forum: discord/%s}\n", forum.ID))
	s.begin()
	m := s.ask(d.Ada, d.General, "news every morning", block(`{"type":"cronCreate","name":"News","schedule":"0 9 1 1 *","prompt":"Tell @everyone the news.","channel":"general"}`))
	s.says(d.General, m, "cron-001")
	s.untilThreads(forum, "🟢 [001] News")
	thread := d.Threads(forum)[0]
	first := d.Messages(&thread)[0]
	if want := "Tell @everyone the news.\n\ncron-001 · 0 9 1 1 * UTC · in #general · for ada"; first.Content != want || first.Pinged {
		t.Errorf("it begins with %q, and notified somebody: %v", first.Content, first.Pinged)
	}
	d.Archive(d.Ada, &thread, true)
	s.untilThreads(forum, "⏸️ [001] News (archived)")
	bob := d.AddUser("bob")
	d.AddMember(d.Guild, bob)
	d.Archive(bob, &thread, false) // whose job it is not
	s.until("it is archived again", func() bool { return s.threads(forum) == "⏸️ [001] News (archived)" })
	d.Archive(d.Ada, &thread, false)
	s.untilThreads(forum, "🟢 [001] News")
	m = s.ask(d.Ada, d.General, "compare", block(`{"type":"cronSync"}`))
	s.says(d.General, m, "Done: nothing to mend, 1 thread")
	m = s.ask(d.Ada, d.General, "the tags", block(`{"type":"cronTagMapReload"}`), "There are none.")
	s.says(d.General, m, "Failed: no tag map is configured; whoever looks after Aside can name a file in aside.yaml, as crons: {tag_map: tags.yaml}")
}

// Whoever edits the first message of a thread that they have begun themselves changes the
// job's prompt, if they may.
func TestDiscordAJobWhoseThreadSomebodyHasBegun(t *testing.T) {
	s := prepareScene(t, "")
	d := s.discord
	forum := d.AddChannel(d.Guild, "jobs", discordtest.Forum)
	s.configured(fmt.Sprintf("crons: {forum: discord/%s}\n", forum.ID))
	bob := d.AddUser("bob")
	d.AddMember(d.Guild, bob)
	s.begin()
	adas, bobs := d.Begin(d.Ada, forum, "my [001]", "Tell the news."), d.Begin(bob, forum, "my [002]", "Tell jokes.")
	s.ask(d.Ada, d.General, "news", block(`[{"type":"cronCreate","name":"News","schedule":"0 9 1 1 *","prompt":"Tell the news."},{"type":"cronCreate","name":"Weather","schedule":"0 9 1 1 *","prompt":"Tell the weather."}]`))
	s.untilThreads(forum, "🟢 [001] News; 🟢 [002] Weather")
	d.Rewrite(bobs, bobs.ID, "Tell secrets.")
	d.Rewrite(adas, adas.ID, "Tell the good news.")
	prompt := func(id string) string {
		var job operator.Cron
		inJSON(t, &job, "cron", "show", id, "--config", s.config)
		return job.Prompt
	}
	m := s.ask(d.Ada, d.General, "compare", block(`{"type":"cronSync"}`))
	s.says(d.General, m, "Done:")
	if news, weather := prompt("1"), prompt("2"); news != "Tell the good news." || weather != "Tell the weather." {
		t.Errorf("the prompts are %q and %q", news, weather)
	}
}
