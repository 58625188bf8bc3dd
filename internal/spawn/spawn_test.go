package spawn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	actions "github.com/asidehq/aside/catalogue/spawn"
	"github.com/asidehq/aside/internal/errandtest"
	"github.com/asidehq/aside/internal/spawn"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/model"
	"github.com/asidehq/aside/platform"
)

// A desk is an office whose agent can ask others.
type desk struct {
	*errandtest.Office
	t      *testing.T
	agents *spawn.Agents
}

func prepare(t *testing.T, opt errandtest.Options) *desk {
	t.Helper()
	if opt.Dir == "" {
		opt.Dir = storetest.Dir(t)
	}
	d := &desk{t: t}
	opt.More = func(o *errandtest.Office) []*action.Spec {
		d.agents = &spawn.Agents{Store: o.Store, Now: o.Clock.Now, Open: o.Queue.Open, StopTurn: o.Engine.StopTurn, Wait: pause}
		return actions.Specs(o.Outbox, d.agents)
	}
	d.Office = errandtest.New(t, opt)
	return d
}

func newDesk(t *testing.T, parallel int) *desk {
	t.Helper()
	d := prepare(t, errandtest.Options{Parallel: parallel})
	d.Start()
	return d
}

// pause waits for less than it is asked to.
func pause(ctx context.Context, _ time.Duration) error {
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ask is an instruction to ask an agent.
func ask(label string, more ...string) string {
	return fmt.Sprintf(`<action>{"type":"spawnAgent","label":%q,"prompt":"Job %s."%s}</action>`, label, label, strings.Join(more, ""))
}

// outcomes are what came of the actions of a message.
func (d *desk) outcomes(id string) (all []string) {
	d.t.Helper()
	for _, a := range d.Ledger(id) {
		one := string(a.State) + ": " + a.Summary
		var said struct{ Label, Text string }
		if len(a.Data) > 0 {
			if err := json.Unmarshal(a.Data, &said); err != nil {
				d.t.Fatal(err)
			}
			one += ": " + said.Label + " says " + said.Text
		}
		all = append(all, one)
	}
	return all
}

func (d *desk) came(id string, want ...string) {
	d.t.Helper()
	if got := d.outcomes(id); !slices.Equal(got, want) {
		d.t.Errorf("it came to\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Though one turn at a time may run, the four agents of one work, and at the same time: each
// waits for the others.
func TestFourAgentsWorkAtOnceThoughThereIsOnePlace(t *testing.T) {
	d := newDesk(t, 1)
	var together sync.WaitGroup
	together.Add(4)
	for _, label := range []string{"a", "b", "c", "d"} {
		d.Model.Does("Job "+label+".", func(context.Context) (string, error) {
			together.Done()
			together.Wait()
			return "This is " + label + ".", nil
		})
	}
	d.Model.Answers("begin!", "Four and one."+ask("a")+ask("b")+ask("c")+ask("d")+ask("e"))
	d.Model.Answers("[results]", "All four have answered.")
	d.Ask("ada", "r", "1", "begin!")
	d.came("1",
		"done: the agent a has answered: a says This is a.", "done: the agent b has answered: b says This is b.",
		"done: the agent c has answered: c says This is c.", "done: the agent d has answered: d says This is d.",
		"refused: a reply can have spawnAgent at most 4 times")
	if len(d.Model.Asked("Job e.")) != 0 {
		t.Error("a fifth one was asked")
	}
	if got := strings.Join(d.Hall.Texts("r"), "\n"); strings.Contains(got, "This is") || !strings.Contains(got, "All four have answered.") {
		t.Errorf("there stands %q", got)
	}
}

func TestWhatAnAgentIsAndKnows(t *testing.T) {
	d := newDesk(t, 8)
	var asked store.Brief
	d.Engine.ModelOf = func(b store.Brief) (model.Model, error) {
		asked = b
		return d.Model, nil
	}
	d.Model.Answers("begin!", ask("x", `,"channel":"b"`, `,"model":"small"`))
	d.Model.Answers("Job x.", "Found it.")
	d.Ask("ada", "a", "1", "begin!")
	d.came("1", "done: the agent x has answered: x says Found it.")
	if got := d.Hall.Texts("b"); !slices.Equal(got, []string{"Found it."}) {
		t.Errorf("in the room stands %q", got)
	}
	turns := d.Turns("turn-1-action-0")
	if len(turns) != 1 || turns[0].Depth != 1 || turns[0].Flow != "spawn" || turns[0].Session != "spawn/turn-1-action-0" ||
		turns[0].Message.Author.ID != "ada" || asked.Model != "small" || asked.Within != "message" {
		t.Errorf("the agent is %+v, %+v", turns, asked)
	}
	const told = "[Another agent has asked you to do this for ada. Do it, and answer with what you have found out or done; say so if you could not.]\n\nJob x."
	if got := d.Model.Asked("Job x."); !slices.Equal(got, []string{told}) {
		t.Errorf("it was told %q", got)
	}
}

func TestWhatGoesWrongWithAnAgentIsAFailure(t *testing.T) {
	for _, test := range []struct {
		name  string
		with  func(d *desk)
		asks  string
		wants string
	}{
		{"its model fails", func(d *desk) {
			d.Model.Does("Job x.", func(context.Context) (string, error) {
				return "", &model.Error{Kind: model.BadKey, Message: "The model's key is not accepted."}
			})
		}, ask("x"), "failed: the agent x could not do it: The model's key is not accepted."},
		{"it is barred", func(d *desk) {
			d.Engine.Barred = func(context.Context, *store.Turn) (string, error) { return "the room is closed", nil }
		}, ask("x"), "failed: the agent x could not do it: the room is closed"},
		{"it says nothing", func(d *desk) { d.Model.Answers("Job x.", "<no-reply/>") }, ask("x"), "done: the agent x has answered: x says (it has said nothing)"},
		{
			"the person may not write there", func(d *desk) { d.Hall.Deny("ada", platform.SendMessages, "b", true) },
			ask("x", `,"channel":"b"`), "refused: you may not write messages there",
		},
		{"there is no such room", func(*desk) {}, ask("x", `,"channel":"nowhere"`), "refused: there is no channel nowhere"},
		{"its model has no name that can be one", func(*desk) {}, ask("x", `,"model":"--help"`), `failed: spawnAgent: "--help" is no name of a model`},
		{"it has nothing to do", func(*desk) {}, `<action>{"type":"spawnAgent"}</action>`, "failed: spawnAgent: prompt is missing"},
		{"it has too much to read", func(*desk) {}, `<action>{"type":"spawnAgent","prompt":"` + strings.Repeat("x", 8001) + `"}</action>`, "failed: spawnAgent: prompt needs at most 8000 characters, got 8001"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, 8)
			test.with(d)
			d.Model.Answers("begin!", test.asks)
			d.Ask("ada", "a", "1", "begin!")
			d.came("1", test.wants)
		})
	}
}

// stuck has the model of an agent think until it is cancelled.
func (d *desk) stuck(job string) (began, ended chan struct{}) {
	began, ended = make(chan struct{}), make(chan struct{})
	d.Model.Does(job, func(ctx context.Context) (string, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return "Half an ans", ctx.Err()
	})
	return began, ended
}

func TestStopStopsTheAgentsToo(t *testing.T) {
	d := newDesk(t, 1)
	began, ended := d.stuck("Job x.")
	d.Model.Answers("begin!", ask("x", `,"channel":"b"`))
	d.Say("ada", "a", "1", "begin!")
	<-began
	d.Say("ada", "a", "2", "/stop")
	d.Settled("1")
	d.Settled("2")
	<-ended
	d.came("1", "failed: the agent x was stopped with everything else")
	d.Settled("turn-1-action-0")
	if got := d.Hall.Texts("b"); len(got) != 0 {
		t.Errorf("the agent has said %q", got)
	}
	if got := d.Hall.Texts("a"); len(got) != 3 || !strings.Contains(got[1], "Stopped.") || got[2] != "Stopped." {
		t.Errorf("there stands %q", got)
	}
}

func TestAnAgentThatTakesTooLongIsStopped(t *testing.T) {
	d := newDesk(t, 8)
	began, ended := d.stuck("Job x.")
	d.Ask("ada", "a", "1", "hello") // who is answered
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	specs := actions.Specs(d.Outbox, d.agents)
	if specs[0].Time != 2*time.Minute || specs[0].Most != 4 {
		t.Errorf("it may take %v", specs[0].Time)
	}
	args, err := specs[0].Decode([]byte(`{"prompt":"Job x.","label":"x","channel":"b"}`))
	if err != nil {
		t.Fatal(err)
	}
	outcome := make(chan action.Outcome, 1)
	go func() {
		outcome <- specs[0].Run(ctx, action.Call{Turn: 1, Key: "k", Platform: "hall", Room: "a", Person: "ada"}, args)
	}()
	<-began
	cancel(action.ErrTooSlow) // as the engine does after that time
	if got := <-outcome; got.OK || got.Summary != "the agent x took longer than 2 minutes and was stopped" {
		t.Errorf("it came to %+v", got)
	}
	<-ended
	d.Settled("k")
	if turns := d.Turns("k"); len(turns) != 1 || turns[0].Unanswered != "the agent that has asked does not wait any more" || len(d.Hall.Texts("b")) != 0 {
		t.Errorf("the agent is %+v", turns[0])
	}
}

// After a crash the call is run again, and waits for the agent that there is: before it has
// begun, while it works, and when it is done.
func TestAfterACrashTheSameAgentIsWaitedFor(t *testing.T) {
	for _, done := range []bool{false, true} {
		t.Run(fmt.Sprintf("the agent is done: %v", done), func(t *testing.T) {
			opt := errandtest.Options{Dir: storetest.Dir(t), Clock: errandtest.NewClock(), Hall: errandtest.NewHall(), Model: &errandtest.Model{}, Parallel: 1}
			opt.Model.Answers("begin!", ask("x"))
			first := prepare(t, opt)
			var began chan struct{}
			if done {
				opt.Model.Answers("Job x.", "Found it.")
				began = make(chan struct{})
				opened := first.agents.Open
				first.agents.Open = func(ctx context.Context, e store.Errand) (int64, error) {
					turn, err := opened(ctx, e)
					first.Settled(e.Key)
					close(began)
					<-ctx.Done() // before anybody has looked
					return turn, err
				}
			} else {
				began, _ = first.stuck("Job x.")
			}
			first.Start()
			first.Say("ada", "a", "1", "begin!")
			<-began
			first.Stop()
			if err := first.Store.Close(); err != nil {
				t.Fatal(err)
			}
			opt.Model.Answers("Job x.", "Found it.")
			second := prepare(t, opt)
			second.Start()
			second.Settled("1")
			second.came("1", "done: the agent x has answered: x says Found it.")
			asked := 2 // it was cut off while the model was thinking
			if done {
				asked = 1
			}
			if n := len(opt.Model.Asked("Job x.")); n != asked || len(second.Turns("turn-1-action-0")) != 1 {
				t.Errorf("the model of the agent was asked %d times", n)
			}
		})
	}
}
