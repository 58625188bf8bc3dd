package turn

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

// paced is a stage in a direct chat with somebody who may be a bot.
func paced(t *testing.T) (g *groupStage, write func(id int)) {
	t.Helper()
	g = newGroup(t, echo)
	g.inbox.Rules.Posing = func(string) bool { return true }
	return g, func(id int) {
		t.Helper()
		g.write("eve", fmt.Sprint(id), fmt.Sprint("text ", id), func(m *platform.Message) { m.Direct = true })
	}
}

func TestTwoBotsDoNotAnswerEachOtherForEver(t *testing.T) {
	for _, test := range []struct {
		name    string
		between time.Duration // an answer and the next message
		most    int           // answers
	}{
		{"at full speed", time.Millisecond, 20},
		{"every two seconds", 2 * time.Second, 20},
		{"as slowly as a model can be", 20 * time.Second, 150},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, write := paced(t)
			answers := 0
			for answers < 1000 { // the other one answers whatever is said, and only that
				write(answers)
				turns, err := g.Store.TurnsOf(t.Context(), "test", fmt.Sprint(answers))
				if err != nil || len(turns) != 1 {
					t.Fatalf("the turns are %v, %v", turns, err)
				}
				if turns[0].Unanswered != "" && turns[0].Notice == "" {
					break
				}
				g.settled(1)
				answers++
				g.clock.add(test.between)
			}
			texts := g.room.texts("a")
			if len(texts) != test.most+1 || texts[test.most] != "We answer each other very fast, as two bots would. I will be quiet for 10 minutes." {
				t.Errorf("there are %d posts, the last is %q", len(texts), texts[len(texts)-1])
			}
			g.clock.add(10 * time.Minute)
			write(5000)
			g.settled(1)
			if got := len(g.room.texts("a")); got != test.most+2 {
				t.Errorf("after a while it does not answer again: %d", got)
			}
		})
	}
}

func TestPeopleAreNotTakenForBots(t *testing.T) {
	t.Run("who sends many messages at once is answered to each", func(t *testing.T) {
		g, write := paced(t)
		release := make(chan struct{})
		g.asked.then = hold(release)
		for i := range 60 {
			write(i)
		}
		close(release)
		g.settled(60)
		if got := len(g.room.texts("a")); got != 60 {
			t.Errorf("%d of 60 were answered", got)
		}
	})
	t.Run("a long conversation goes on", func(t *testing.T) {
		g, write := paced(t)
		for i := range 160 {
			write(i)
			g.settled(1)
			g.clock.add(30 * time.Second)
		}
		if got := len(g.room.texts("a")); got != 160 {
			t.Errorf("%d of 160 were answered", got)
		}
	})
}

// hold answers when it is released.
func hold(release <-chan struct{}) script {
	return func(ctx context.Context, asked string) (string, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return echo(ctx, asked)
	}
}
