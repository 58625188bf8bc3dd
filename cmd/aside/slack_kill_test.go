package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
)

// Killed while Slack has the request and nobody has the answer: what was posted stands
// there once.
func TestSlackKilledWhileAnAnswerIsOnItsWay(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("All work and no play makes a dull day.\n\n", 2000)
	for _, test := range []struct {
		name, method string
		done         bool
		reply        string
	}{
		{"a post that Slack had not done yet is made", "chat.postMessage", false, "Right away."},
		{"a post that Slack had done stands there once", "chat.postMessage", true, "Right away."},
		{"a file that Slack had not shared yet is shared", "files.completeUploadExternal", false, long},
		{"a file that Slack had shared stands there once", "files.completeUploadExternal", true, long},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSlackScene(t, "")
			d := s.slack
			in := d.Direct(d.Ada)
			s.model.replies(test.reply)
			arrived := d.Hold(test.method, test.done)
			message := d.Write(d.Ada, in, "do it")
			select {
			case <-arrived:
			case <-s.ctx.Done():
				t.Fatalf("Slack was not asked\n%s", s.output.String())
			}
			s.kill(syscall.SIGKILL)
			s.begin()
			s.settle(in.ID, message)
			files := 0
			for _, m := range d.Posts(in, "") {
				files += len(m.Files)
			}
			posts := len(d.Posts(in, ""))
			if test.reply == long && (files != 1 || posts != 2) || test.reply != long && posts != 1 {
				t.Errorf("there are %d posts with %d files\n%s", posts, files, s.output.String())
			}
			if heard := s.model.heard(); len(heard) != 1 {
				t.Errorf("the model was asked %d times", len(heard))
			}
		})
	}
}

// Killed while a reply is shown as it grows: the one that is written anew after that is
// written where the first one was.
func TestSlackKilledWhileAReplyIsShown(t *testing.T) {
	t.Parallel()
	for _, done := range []bool{true, false} {
		t.Run(fmt.Sprintf("after Slack has done it %v", done), func(t *testing.T) {
			s := newSlackScene(t, "")
			d := s.slack
			in := d.Direct(d.Ada)
			arrived := d.Hold("chat.postMessage", done)
			s.model.does(func(w http.ResponseWriter, _ string) {
				s.streamUntil(w, "Once upon a time", func() bool {
					select {
					case <-arrived:
						return true
					default:
						return false
					}
				})
				<-s.ctx.Done()
			})
			message := d.Write(d.Ada, in, "tell me")
			<-arrived
			s.kill(syscall.SIGKILL)
			s.model.replies("The end.")
			s.begin()
			s.settle(in.ID, message)
			s.says(in, "", "The end.")
		})
	}
}

// What people write while the program is not there is answered when it is back: in direct
// chats, in channels, and in threads that it takes part in.
func TestSlackWhatWasWrittenInTheMeantimeIsAnswered(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	direct := d.Direct(d.Ada)
	s.model.replies("Hello.")
	first := d.Write(d.Ada, d.General, s.to("hi"))
	s.settle(roomIn(d.General, first), first)
	other := d.Write(d.Owner, d.General, "lunch?")

	s.kill(syscall.SIGKILL)
	inDirect := d.Write(d.Ada, direct, "anyone?")
	inThread := d.WriteIn(d.Ada, d.General, first, "are you there?")
	inChannel := d.Write(d.Ada, d.General, s.to("hello?"))
	among := d.WriteIn(d.Ada, d.General, other, "pizza")
	s.model.replies("Back again.")
	s.begin()
	s.settle(direct.ID, inDirect)
	s.settle(roomIn(d.General, first), inThread)
	s.settle(roomIn(d.General, inChannel), inChannel)
	s.says(direct, "", "Back again.")
	s.says(d.General, first, "Hello.", "Back again.")
	s.says(d.General, inChannel, "Back again.")
	s.says(d.General, other)
	if turns := s.turns(roomIn(d.General, other)); len(turns) != 0 {
		t.Errorf("%s was answered: %+v", among, turns)
	}
}

// A short torture: people write while the program is killed over and over, and answers of
// Slack get lost. At the end every message has exactly one answer, in order.
func TestSlackTorture(t *testing.T) {
	s := newSlackScene(t, "")
	d := s.slack
	number := regexp.MustCompile(`question (\d+)`)
	s.model.does(func(w http.ResponseWriter, asked string) {
		stream(w, "Answer "+number.FindStringSubmatch(asked)[1]+".")
		finish(w)
	})
	people := []*slacktest.User{d.Ada, d.Owner, d.AddUser("grace"), d.AddUser("alan")}
	rooms := make([]*slacktest.Channel, len(people))
	for i, u := range people {
		rooms[i] = d.Direct(u)
	}
	const questions, kills = 40, 6
	written := make([][]string, len(rooms))
	writing := make(chan struct{})
	go func() {
		defer close(writing)
		random := rand.New(rand.NewPCG(3, 5))
		for n := range questions {
			i := n % len(rooms)
			written[i] = append(written[i], d.Write(people[i], rooms[i], fmt.Sprintf("question %d", n)))
			if random.IntN(4) == 0 {
				d.Fail(slacktest.Fault{Done: random.IntN(2) == 0, Status: []int{0, 502}[random.IntN(2)]})
			}
			time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond) // people take their time
		}
	}()
	random := rand.New(rand.NewPCG(7, 11))
	for range tortureKills(kills) {
		time.Sleep(time.Duration(20+random.IntN(300)) * time.Millisecond) // the moment is the point
		s.kill(syscall.SIGKILL)
		s.begin()
	}
	<-writing
	for i, in := range rooms {
		for _, id := range written[i] {
			s.settle(in.ID, id)
		}
		var want, got []string
		for n := i; n < questions; n += len(rooms) {
			want = append(want, fmt.Sprintf("Answer %d.", n))
		}
		for _, m := range d.Posts(in, "") {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the answers are %q, want %q\n%s", got, want, s.output.String())
		}
	}
}
