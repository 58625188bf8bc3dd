package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/asidehq/aside/internal/discordtest"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store/pgtest"
)

const (
	soon    = `{"type":"defer","delaySeconds":1,"prompt":"Say that the oven is on."}`
	notSoon = `{"type":"defer","delaySeconds":1800,"prompt":"Say that the oven is on."}`
	hourly  = `{"type":"loopCreate","intervalSeconds":3600,"prompt":"Say that the oven is on.","label":"oven"}`
)

// promises has the model promise something with an instruction, and answer in its own way
// what is asked by nobody.
func (s *scene) promises(instruction string, later func(w http.ResponseWriter)) {
	s.model.does(func(w http.ResponseWriter, asked string) {
		switch {
		case strings.Contains(asked, "Say that the oven is on."):
			later(w)
		case strings.HasPrefix(asked, "[results]"):
			stream(w, "OK.")
			finish(w)
		default:
			stream(w, block(instruction))
			finish(w)
		}
	})
}

// saying is a model that says a text.
func saying(text string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		stream(w, text)
		finish(w)
	}
}

// ofFlow are turns that nobody has started.
func ofFlow(flow string) func(sceneTurn) bool {
	return func(t sceneTurn) bool { return t.Flow == flow }
}

// promise has somebody ask for something that is to be done later.
func (s *scene) promise(who *discordtest.User, in *discordtest.Channel) {
	s.t.Helper()
	s.settle(in, s.discord.Write(who, in, s.to("later, please")))
}

// spoken are the posts that answer nobody.
func (s *scene) spoken(in *discordtest.Channel) (all []string) {
	for _, p := range s.discord.Posts(in) {
		if p.Reference == nil {
			all = append(all, p.Content)
		}
	}
	return all
}

// overdue makes everything in the data of a process that does not run due since an hour ago.
func (v *victim) overdue() {
	v.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(v.data, "aside.db"))
	if err != nil {
		v.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE appointment SET due = created - 3600000000 WHERE state = 'pending'`); err != nil {
		v.t.Fatal(err)
	}
}

// A laterPage is what aside later list tells.
type laterPage struct{ Deferrals, Loops []operator.Appointment }

func TestDiscordADeferralIsDoneAndItsLongAnswerIsSplit(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("All work and no play makes Jack a dull boy, now. ", 190))[:9000]
	s := newScene(t, "")
	in := s.discord.General
	s.promises(soon, saying(long))
	s.promise(s.discord.Ada, in)
	turns := s.settleAll(in, ofFlow("deferral"))
	got := s.spoken(in)
	if len(turns) != 1 || len(got) != 5 || strings.Join(got, " ") != strings.TrimSpace(long) {
		t.Errorf("%d turns, %d posts: %q", len(turns), len(got), got)
	}
	for _, part := range got {
		if len(part) > 2000 {
			t.Errorf("a post has %d characters", len(part))
		}
	}
}

// Whenever the program is killed, what was promised is done, and said once.
func TestDiscordWhatWasPromisedIsKeptAcrossAKill(t *testing.T) {
	for _, test := range []struct {
		name, does, flow string
		kill             func(s *scene) // and start again
	}{
		{"before it is due", notSoon, "deferral", func(s *scene) {
			s.promise(s.discord.Ada, s.discord.General)
			s.kill(syscall.SIGKILL)
			s.overdue()
			s.begin()
		}},
		{"before a loop is due", hourly, "loop", func(s *scene) {
			s.promise(s.discord.Ada, s.discord.General)
			s.kill(syscall.SIGKILL)
			s.overdue()
			s.begin()
		}},
		{"while the model is asked", soon, "deferral", func(s *scene) {
			began := make(chan struct{}, 1)
			s.promises(soon, func(http.ResponseWriter) {
				began <- struct{}{}
				<-s.ctx.Done()
			})
			s.promise(s.discord.Ada, s.discord.General)
			<-began
			s.kill(syscall.SIGKILL)
			s.promises(soon, saying("The oven is on."))
			s.begin()
		}},
		{"while Discord has the post and nobody has the answer", soon, "deferral", func(s *scene) {
			s.promise(s.discord.Ada, s.discord.General)
			arrived := s.discord.Hold(http.MethodPost, "/channels/"+s.discord.General.ID+"/messages", true)
			select {
			case <-arrived:
			case <-s.ctx.Done():
				s.t.Fatal("Discord was not asked")
			}
			s.kill(syscall.SIGKILL)
			s.begin()
		}},
		{"as soon as it stands there", soon, "deferral", func(s *scene) {
			s.promise(s.discord.Ada, s.discord.General)
			s.until("it is posted", func() bool { return len(s.spoken(s.discord.General)) == 1 })
			s.kill(syscall.SIGKILL)
			s.begin()
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, "")
			s.promises(test.does, saying("The oven is on."))
			test.kill(s)
			turns := s.settleAll(s.discord.General, ofFlow(test.flow))
			// However often it is started.
			s.kill(syscall.SIGKILL)
			s.begin()
			s.promises(test.does, saying("It was done twice."))
			s.settle(s.discord.General, s.discord.Write(s.discord.Ada, s.discord.General, s.to("something else")))
			if got := s.spoken(s.discord.General); len(turns) != 1 || len(got) != 1 || !strings.HasSuffix(got[0], "The oven is on.") {
				t.Errorf("%d turns, and there stands %q", len(turns), got)
			}
		})
	}
}

func TestDiscordWhoMayNotAnyMoreGetsNothingSaid(t *testing.T) {
	list := func(s *scene) (page laterPage) {
		s.t.Helper()
		inJSON(s.t, &page, "later", "list", "--config", s.config)
		return page
	}
	t.Run("who may not write in the room", func(t *testing.T) {
		s := newScene(t, "")
		d := s.discord
		for _, does := range []string{notSoon, hourly} {
			s.promises(does, saying("It was said."))
			s.promise(d.Ada, d.General)
		}
		s.kill(syscall.SIGKILL)
		s.overdue()
		d.Except(d.General, d.Ada, discordtest.SendMessages)
		s.begin()
		s.settleAll(d.General, ofFlow("deferral"))
		s.settleAll(d.General, ofFlow("loop"))
		const why = "the person may not write in that room any more"
		page := list(s)
		if len(page.Deferrals) != 1 || page.Deferrals[0].State != "barred" || page.Deferrals[0].Reason != why ||
			len(page.Loops) != 1 || page.Loops[0].State != "paused" || page.Loops[0].Reason != why {
			t.Errorf("listed are %+v", page)
		}
		if got := s.spoken(d.General); len(got) != 0 {
			t.Errorf("there stands %q", got)
		}
		s.ask(s.mod, d.General, "why?", block(`{"type":"deferList"}`), "I see.")
		if asked := s.model.heard(); !strings.Contains(asked[len(asked)-1], why) {
			t.Errorf("the model was told %q", asked)
		}
	})
	t.Run("who is not let in any more", func(t *testing.T) {
		s := newPairingScene(t)
		d := s.discord
		room := d.Direct(d.Ada)
		d.Write(d.Ada, room, "hello")
		s.until("a code is posted", func() bool { return len(d.Posts(room)) == 1 })
		succeeds(t, "pairing", "approve", regexp.MustCompile(`[A-HJ-NP-Z2-9]{8}`).FindString(s.texts(room)[0]), "--config", s.config)
		s.promises(notSoon, saying("It was said."))
		s.settle(room, d.Write(d.Ada, room, "later, please"))
		succeeds(t, "pairing", "revoke", "discord/"+d.Ada.ID, "--config", s.config)
		s.kill(syscall.SIGKILL)
		s.overdue()
		s.begin()
		s.settleAll(room, ofFlow("deferral"))
		page := list(s)
		if len(page.Deferrals) != 1 || page.Deferrals[0].State != "barred" || page.Deferrals[0].Reason != "the person may not talk to the agent any more" {
			t.Errorf("listed are %+v", page)
		}
		if got := strings.Join(s.texts(room), "\n"); strings.Contains(got, "It was said.") {
			t.Errorf("there stands %q", got)
		}
	})
}

func TestTheOperatorSeesAndCancelsWhatIsToBeDoneLater(t *testing.T) {
	s := newScene(t, "")
	in := s.discord.General
	for _, does := range []string{notSoon, notSoon, hourly} {
		s.promises(does, saying("It was said."))
		s.promise(s.discord.Ada, in)
	}
	at := []string{"--config", s.config}
	for _, running := range []bool{true, false} {
		var page laterPage
		inJSON(t, &page, append([]string{"later", "list"}, at...)...)
		if len(page.Loops) != 1 || page.Loops[0].Label != "oven" || page.Loops[0].Room != "discord/"+in.ID || page.Loops[0].Person != "discord/"+s.discord.Ada.ID || page.Loops[0].Next == nil {
			t.Fatalf("running is %v: listed are %+v", running, page)
		}
		table := succeeds(t, append([]string{"later", "list"}, at...)...)
		for _, want := range []string{"ID", "defer-2", "loop-1", "pending", "1 hour", "ada", "oven"} {
			if !strings.Contains(table, want) {
				t.Errorf("running is %v: the table has no %s:\n%s", running, want, table)
			}
		}
		if got := succeeds(t, append([]string{"later", "show", "loop-1"}, at...)...); !strings.Contains(got, "Say that the oven is on.") || !strings.Contains(got, "#general") {
			t.Errorf("running is %v: shown is\n%s", running, got)
		}
		isRefused(t, `there is no "defer-9"`, append([]string{"later", "cancel", "defer-9"}, at...)...)
		id := "defer-1"
		if !running {
			id = "defer-2"
		}
		if got := succeeds(t, append([]string{"later", "cancel", id}, at...)...); got != id+" is cancelled\n" {
			t.Errorf("running is %v: it says %q", running, got)
		}
		if running {
			s.theAPITells(page.Loops[0])
			s.kill(syscall.SIGTERM)
		}
	}
	succeeds(t, "later", "cancel", "loop-1", "--config", s.config)
	if got := succeeds(t, append([]string{"later", "list"}, at...)...); got != "nothing is to be done later\n" {
		t.Errorf("it says %q", got)
	}
	s.configured("actions: {categories: {defer: false}}\n")
	isRefused(t, "the category defer is switched off", append([]string{"later", "show", "defer-1"}, at...)...)
	if got := succeeds(t, append([]string{"later", "list"}, at...)...); got != "nothing is to be done later\n" {
		t.Errorf("it says %q", got)
	}
	s.overdue()
	s.begin()
	for path, want := range map[string]int{"/api/v1/deferrals": 403, "/api/v1/deferrals/defer-1": 403, "/api/v1/loops": 200} {
		if status, body := s.fetch(http.MethodGet, path); status != want || want == 403 && !strings.Contains(body, "the category defer is switched off") {
			t.Errorf("%s says %d %s", path, status, body)
		}
	}
}

// fetch is what the API answers.
func (v *victim) fetch(method, path string) (status int, body string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.url+path, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}

// theAPITells looks at what the API says about a loop, and about the first deferral, which was
// cancelled.
func (s *scene) theAPITells(want operator.Appointment) {
	s.t.Helper()
	var got operator.Appointment
	status, body := s.fetch(http.MethodGet, "/api/v1/loops/loop-1")
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK || !reflect.DeepEqual(got, want) {
		s.t.Errorf("the API says %d %s", status, body)
	}
	for _, test := range []struct {
		method, path string
		status       int
		says         string
	}{
		{http.MethodGet, "/api/v1/loops/loop-9", 404, "there is no such deferral or loop"},
		{http.MethodGet, "/api/v1/loops/defer-1", 404, "there is no such deferral or loop"},
		{http.MethodDelete, "/api/v1/deferrals/x", 404, "there is no such deferral or loop"},
		{http.MethodGet, "/api/v1/deferrals/defer-1", 200, `"state":"cancelled"`},
		{http.MethodDelete, "/api/v1/deferrals/defer-1", 200, `"state":"cancelled"`},
		{http.MethodGet, "/api/v1/deferrals", 200, `"id":"defer-2"`},
		{http.MethodGet, "/api/v1/loops", 200, `"loops":[{"id":"loop-1"`},
	} {
		if status, body := s.fetch(test.method, test.path); status != test.status || !strings.Contains(body, test.says) {
			s.t.Errorf("%s %s says %d %s", test.method, test.path, status, body)
		}
	}
}

// Two processes on one PostgreSQL ring at the same time, and one of them is killed.
func TestOfTwoProcessesOneDoesWhatIsDue(t *testing.T) {
	model := &prompter{}
	model.does(func(w http.ResponseWriter, asked string) {
		if strings.Contains(asked, "Say that the oven is on.") {
			stream(w, "The oven is on.")
		} else {
			stream(w, block(soon))
		}
		finish(w)
	})
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	database := pgtest.Start(t).Database(t)
	here, there := newVictim(t, database, server.URL), newVictim(t, database, server.URL)
	here.start()
	there.start()
	rooms := []string{"a", "b", "c", "d"}
	for i, room := range rooms {
		v := []*victim{here, there}[i%2]
		v.settle(v.say(room, "later, please"))
	}
	here.kill(syscall.SIGKILL)
	for _, room := range rooms {
		turns := there.settleIn("web/"+room, ofFlow("deferral"))
		var said []string
		for _, e := range there.entries(room) {
			if e.Kind == "agent" && e.ReplyTo == "" {
				said = append(said, e.Text)
			}
		}
		if len(turns) != 1 || !slices.Equal(said, []string{"The oven is on."}) {
			t.Errorf("in %s there are %d turns, and there stands %q", room, len(turns), said)
		}
	}
}

func TestDiscordAgentsAreAskedAndTheAnswerKnowsWhatTheySaid(t *testing.T) {
	s := newScene(t, "sessions: {parallel: 1}\n")
	in := s.discord.General
	s.model.does(func(w http.ResponseWriter, asked string) {
		switch {
		case strings.Contains(asked, "Count the "):
			_, what, _ := strings.Cut(asked, "Count the ")
			stream(w, "Seven "+what)
		case strings.HasPrefix(asked, "[results]"):
			stream(w, "I was told: "+asked)
		default:
			stream(w, "I ask two.\n<action>{\"type\":\"spawnAgent\",\"prompt\":\"Count the cats\"}</action><action>{\"type\":\"spawnAgent\",\"prompt\":\"Count the dogs\"}</action>")
		}
		finish(w)
	})
	message := s.discord.Write(s.discord.Ada, in, s.to("how many are there?"))
	s.settle(in, message)
	s.says(in, message, "I ask two.", "Seven cats", "Seven dogs")
	if got := s.spoken(in); len(got) != 0 {
		t.Errorf("the agents have posted %q", got)
	}
}
