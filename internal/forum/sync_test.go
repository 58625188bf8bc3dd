package forum_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/forum"
	"github.com/asidehq/aside/platform"
)

func TestFiftyTasksGetFiftyThreads(t *testing.T) {
	r := newRig(t)
	for range 50 {
		r.board.add("Do it")
	}
	r.board.change("ws-050", closed)
	r.board.change("ws-049", func(i *forum.Item) { i.NoThread = true })
	r.reports("48 threads made")
	r.reports("nothing to mend, 48 threads")
	for _, c := range r.Threads(r.room) {
		if c.Metadata.AutoArchive != 10080 {
			t.Errorf("%s is archived after %d minutes", c.Name, c.Metadata.AutoArchive)
		}
		for _, m := range r.Messages(&c) {
			if m.Pinged {
				t.Errorf("%s has notified somebody", c.Name)
			}
		}
	}
}

func TestAThreadFollowsItsItem(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	r.sync()
	r.looks("🟢 [001] Paint")
	r.board.change("ws-001", func(i *forum.Item) { i.Title, i.Mark, i.Body = "Paint it", "🟡", "Anew." })
	r.reports("1 thread renamed, 1 thread written anew")
	if text := r.Messages(r.thread("ws-001"))[0].Content; text != "Anew." {
		t.Errorf("it begins with %q", text)
	}
	r.board.change("ws-001", closed)
	r.reports("1 thread renamed, 1 thread archived")
	r.looks("☑️ [001] Paint it (archived)")
	r.clock.Pass(10 * time.Minute)
	r.board.change("ws-001", func(i *forum.Item) { i.Closed, i.Mark, i.Body = false, "🟢", "Again." })
	r.reports("1 thread renamed, 1 thread written anew, 1 thread opened")
	r.looks("🟢 [001] Paint it")
	r.board.change("ws-001", func(i *forum.Item) { i.NoThread = true })
	r.reports("1 thread archived")
	r.reports("nothing to mend, 1 thread")
	r.looks("🟢 [001] Paint it (archived)")
}

func TestAnItemFollowsItsThread(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	r.sync()
	r.Archive(r.Ada, r.thread("ws-001"), true)
	r.reports("1 thread renamed, 1 task closed because its thread was archived (ws-001)")
	r.looks("☑️ [001] Paint (archived)")
	r.reports("nothing to mend, 1 thread")
	r.Pass(time.Hour)
	r.Archive(r.Ada, r.thread("ws-001"), false)
	r.reports("1 thread renamed, 1 task reopened because its thread was opened (ws-001)")
	r.looks("🟢 [001] Paint")
	r.reports("nothing to mend, 1 thread")
	if got := r.board.notes; !slices.Equal(got, []string{"closed ws-001: its thread was archived", "reopened ws-001: its thread was opened"}) {
		t.Errorf("noted is %q", got)
	}
}

func TestWhoIsKnownIsNotedAndWhoMayNotIsNotHeard(t *testing.T) {
	r := newRig(t)
	r.ChangeRole(r.Guild, r.BotRole, func(role *discordtest.Role) { role.Permissions |= discordtest.ViewAuditLog })
	r.denied = []string{"owner"}
	r.board.add("Paint")
	r.sync()
	r.Archive(r.Owner, r.thread("ws-001"), true)
	r.reports("1 thread opened, 1 problem: ws-001: its thread was archived by owner, who may not talk to the agent, so it stays as it was")
	r.looks("🟢 [001] Paint")
	r.Archive(r.Ada, r.thread("ws-001"), true)
	r.sync()
	if got := r.board.notes; !slices.Equal(got, []string{"closed ws-001: its thread was archived by ada"}) {
		t.Errorf("noted is %q", got)
	}
	r.Archive(r.Owner, r.thread("ws-001"), false)
	r.reports("1 thread archived, 1 problem: ws-001: its thread was opened by owner, who may not talk to the agent, so it stays as it was")
	r.reports("nothing to mend, 1 thread")
}

func TestSilenceClosesNothingAndThanksReopenNothing(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	r.sync()
	r.Hush(r.thread("ws-001"))
	r.reports("nothing to mend, 1 thread")
	r.looks("🟢 [001] Paint (archived)")
	r.board.change("ws-001", closed)
	r.reports("1 thread renamed")
	r.looks("☑️ [001] Paint (archived)")
	r.Pass(time.Minute)
	r.Write(r.Ada, r.thread("ws-001"), "thanks!")
	for range 2 {
		r.reports("nothing to mend, 1 thread")
	}
	r.looks("☑️ [001] Paint")
	if len(r.board.notes) > 0 {
		t.Errorf("noted is %q", r.board.notes)
	}
}

func TestADeletedThreadIsMadeAnewUnlessItsTaskIsClosed(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	r.board.add("Oil")
	r.sync()
	r.board.change("ws-002", closed)
	r.sync()
	r.RemoveThread(r.thread("ws-001"))
	r.RemoveThread(r.thread("ws-002"))
	r.reports("1 thread made")
	r.looks("🟢 [001] Paint")
	r.reports("nothing to mend, 1 thread")
	if i := r.board.items[1]; i.Thread.ID != "" {
		t.Errorf("the closed one still has the thread %v", i.Thread)
	}
}

func TestOrphansAreTakenOverOrReported(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	mine := r.Begin(r.Ada, r.room, "About [001]", "mine")
	r.Begin(r.Ada, r.room, "Hello", "all")
	r.reports("1 thread taken over, 1 thread renamed, 1 orphan that belongs to no task: Hello")
	if r.thread("ws-001").ID != mine.ID {
		t.Error("it is another thread")
	}
	r.looks("Hello", "🟢 [001] Paint")
	r.reports("nothing to mend, 2 threads, 1 orphan that belongs to no task: Hello")
}

func TestTagsAreThoseOfTheMap(t *testing.T) {
	r := newRig(t)
	bug, err := r.keeper().AddTag(r.ctx, platform.Room{Platform: "discord", ID: r.room.ID}, platform.Tag{Name: "Bug"})
	if err != nil {
		t.Fatal(err)
	}
	r.tagMap = filepath.Join(t.TempDir(), "tags.yaml")
	r.board.add("Paint", "bug")
	r.reports("1 thread made, in the tag map " + r.tagMap + ": the file cannot be read: no such file or directory")
	write := func(text string) {
		if err := os.WriteFile(r.tagMap, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("bug: Bug\nidea: Idea\n")
	r.reports("1 thread tagged anew, in the tag map " + r.tagMap + ": line 2: the forum has no tag Idea; it has Bug")
	write("bug: Bug\n")
	r.reports("nothing to mend, 1 thread")
	if tags := r.thread("ws-001").AppliedTags; !slices.Equal(tags, []string{bug.ID}) {
		t.Errorf("it has %v", tags)
	}
	r.board.add("Oil", "bug")
	r.reports("1 thread made")
	if tags := r.thread("ws-002").AppliedTags; !slices.Equal(tags, []string{bug.ID}) {
		t.Errorf("it has %v", tags)
	}
	report, err := r.forum(r.keeper()).ReloadTags(r.ctx)
	if err != nil || report != "1 label and 0 statuses have tags" {
		t.Errorf("told is %q, %v", report, err)
	}
	write("bug: Bug\nidea: Idea\n")
	report, err = r.forum(r.keeper()).ReloadTags(r.ctx)
	if err != nil || !strings.HasSuffix(report, "is wrong:\n- line 2: the forum has no tag Idea; it has Bug") {
		t.Errorf("told is %q, %v", report, err)
	}
	r.tagMap = ""
	if _, err = r.forum(r.keeper()).ReloadTags(r.ctx); err == nil || !strings.Contains(err.Error(), "tag_map") {
		t.Errorf("without a map it is %v", err)
	}
}

func TestAThreadIsNotRenamedMoreOftenThanDiscordAllows(t *testing.T) {
	r := newRig(t)
	r.board.add("Paint")
	r.sync()
	for _, mark := range []string{"🟡", "⚠️", "🟡", "🟢", "⚠️"} {
		r.board.change("ws-001", func(i *forum.Item) { i.Mark = mark })
		r.sync()
	}
	if n := len(r.Requests(http.MethodPatch, r.thread("ws-001").ID)); n != 2 {
		t.Errorf("it was renamed %d times", n)
	}
	r.clock.Pass(10 * time.Minute)
	r.reports("nothing to mend, 1 thread") // it is what it was called last
	r.board.change("ws-001", func(i *forum.Item) { i.Mark = "🟡" })
	r.reports("1 thread renamed")
}

func TestWhatDiscordLimitsOrRefusesIsLeftForLater(t *testing.T) {
	r := newRig(t)
	for _, title := range []string{"Paint", "Oil", "Hang"} {
		r.board.add(title)
	}
	r.Fail(discordtest.Fault{Method: http.MethodPost, Part: "/threads", Status: 429, RetryAfter: 40 * time.Second})
	r.reports("nothing to mend, 0 threads, 3 threads left for later because the platform asks to wait")
	r.reports("3 threads made")
	r.board.change("ws-001", closed)
	r.board.change("ws-002", closed)
	r.Fail(discordtest.Fault{Method: http.MethodPatch, Part: r.thread("ws-001").ID, Status: 429, RetryAfter: 40 * time.Second})
	r.reports("1 thread renamed, 1 thread archived, 1 thread left for later because the platform asks to wait")
	r.reports("1 thread renamed, 1 thread archived")
	r.board.change("ws-003", closed)
	r.Fail(discordtest.Fault{Method: http.MethodPatch, Part: r.thread("ws-003").ID, Status: 403, Code: 50013, Message: "Missing Permissions"})
	r.reports("nothing to mend, 3 threads, 1 problem: ws-003: could not change its thread: the bot lacks the permission for this on Discord: give its role more, or a higher place")
	r.reports("1 thread renamed, 1 thread archived")
	r.looks("☑️ [001] Paint (archived)", "☑️ [002] Oil (archived)", "☑️ [003] Hang (archived)")
}

func TestAThreadWhoseAnswerWasLostIsNotMadeTwice(t *testing.T) {
	for name, done := range map[string]bool{"it was made": true, "it was not made": false} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.board.add("Paint")
			r.Fail(discordtest.Fault{Method: http.MethodPost, Part: "/threads", Status: 500, Done: done})
			if report, err := r.forum(r.keeper()).Sync(r.ctx); err == nil {
				t.Errorf("it reports %q", report)
			}
			if done {
				r.reports("1 thread taken over, 1 thread written anew")
			} else {
				r.reports("nothing to mend, 0 threads") // it may still appear
				r.clock.Pass(31 * time.Second)
				r.reports("1 thread made")
			}
			r.looks("🟢 [001] Paint")
		})
	}
}
