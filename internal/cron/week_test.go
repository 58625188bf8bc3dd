package cron

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
)

// A week is one in which clocks change, with the schedules that it is made of; without
// ASIDE_TORTURE it is only the days around that. In 2018 five of the six zones changed them.
type week struct {
	name       string
	from       time.Time
	days       int
	often      bool // schedules that are due often
	kills      int  // about one in so many points at which a process may die
	downFor    time.Duration
	simulation uint64
}

func date(month time.Month, day int) time.Time {
	return time.Date(2018, month, day, 0, 0, 0, 0, time.UTC)
}

func weeks() []week {
	if os.Getenv("ASIDE_TORTURE") == "" {
		return []week{
			{name: "Berlin forward", from: date(3, 25), days: 1, kills: 50, downFor: 9 * time.Hour},
			{name: "New York back, Sao Paulo forward", from: date(11, 4), days: 1, kills: 50, downFor: 3 * time.Hour},
		}
	}
	var all []week
	for seed := range uint64(5) {
		for _, w := range []week{
			{name: "Sao Paulo back", from: date(2, 14)},
			{name: "New York forward", from: date(3, 8)},
			{name: "Berlin forward", from: date(3, 22)},
			{name: "Lord Howe and Auckland back", from: date(3, 29)},
			{name: "Auckland forward", from: date(9, 26)},
			{name: "Lord Howe forward", from: date(10, 4)},
			{name: "Berlin back", from: date(10, 25)},
			{name: "New York back, Sao Paulo forward", from: date(11, 1)},
		} {
			w.name, w.simulation = fmt.Sprint(w.name, " ", seed), seed
			w.days, w.often, w.kills, w.downFor = 7, true, 30+int(seed)*40, time.Duration(seed)*7*time.Hour
			all = append(all, w)
		}
	}
	return all
}

// schedules are those of 200 jobs in six zones.
func (w week) schedules() []string {
	rare := []string{"30 2 * * *", "0 0 * * *", "15 1 * * 0", "59 23 * * *", "5 3 * * 0,6", "45 2 1,25,28 * *", "0 9 * * 1-5", "30 1,2 * * 0", "@every 37h", "0 2 * * *", "20 0 * * 7"}
	if w.often {
		return append(rare, "*/30 * * * *", "7 * * * *", "*/20 1-3 * * *", "0 */2 * * *", "@every 90m", "@every 47m")
	}
	return append(rare, "*/30 1-2 * * 0", "7 0-3 * * 0", "10 * 25 3 *")
}

const jobCount = 200

func TestEveryRunOfAWeekInWhichClocksChangeHappensOnce(t *testing.T) {
	t.Parallel()
	for _, w := range weeks() {
		t.Run(w.name, func(t *testing.T) { w.play(t, "sqlite", storetest.Dir(t), 1) })
	}
}

func TestEveryRunHappensOnceWhereTwoProcessesShareADatabase(t *testing.T) {
	t.Parallel()
	all := weeks()
	if os.Getenv("ASIDE_TORTURE") == "" {
		all = []week{{name: "Lord Howe and Auckland", from: date(3, 31), days: 1, kills: 80}}
	}
	for _, w := range all {
		t.Run(w.name, func(t *testing.T) { w.play(t, postgres.Server(t).Database(t), "", 2) })
	}
}

// play lets processes run through a week, in which they are killed again and again, and
// compares what they have done with what the clock on the wall says.
func (w week) play(t *testing.T, database, data string, processes int) {
	world := newWorld(t, database, data, w.from, 7+w.simulation)
	running := make([]*process, processes)
	for i := range running {
		running[i] = world.start()
	}
	schedules := w.schedules()
	jobs := make([]store.CronJob, jobCount)
	for i := range jobs {
		jobs[i] = running[0].add(job(fmt.Sprint(i), schedules[i%len(schedules)], sixZones[i/len(schedules)%len(sixZones)]))
	}
	var mu sync.Mutex // asked by several goroutines
	world.dies = func() bool {
		mu.Lock()
		defer mu.Unlock()
		return world.random.IntN(w.kills) == 0
	}
	end := w.from.AddDate(0, 0, w.days)
	kills, late := 0, time.Duration(0)
	for {
		for i, p := range running {
			if !p.isDoomed() {
				continue
			}
			p.kill()
			kills++
			if processes == 1 && w.downFor > 0 && world.random.IntN(8) == 0 { // nobody is there for a while
				late = time.Duration(world.random.Int64N(int64(w.downFor)))
				world.set(world.clock().Add(late))
			}
			if processes > 1 {
				world.bury(p)
			}
			running[i] = world.start()
		}
		world.quiet(running...)
		if anyDoomed(running) {
			continue
		}
		next, err := running[0].Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if now := world.clock(); now.After(end) {
			end = now // nobody was there when it ended
		}
		if next.After(end) {
			break
		}
		if next.After(world.clock()) {
			world.set(next)
		}
		ring(t, running, world.clock())
	}
	world.dies = func() bool { return false }
	w.compare(t, world, running[0], jobs, end)
	t.Logf("%d jobs, %d runs, %d kills", len(jobs), len(world.replies), kills)
	if kills < 3 {
		t.Errorf("only %d kills: that shows nothing", kills)
	}
	for _, p := range running {
		p.stop()
	}
}

func anyDoomed(all []*process) bool {
	for _, p := range all {
		if p.isDoomed() {
			return true
		}
	}
	return false
}

// ring has all processes ring at the same time.
func ring(t *testing.T, all []*process, now time.Time) {
	t.Helper()
	var ringing sync.WaitGroup
	errs := make([]error, len(all))
	for i, p := range all {
		ringing.Go(func() { errs[i] = p.Ring(t.Context(), now) })
	}
	ringing.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// bury notes on PostgreSQL that a process is dead: nobody waits for ten seconds here.
func (w *world) bury(dead *process) {
	w.t.Helper()
	s, err := store.Open(w.t.Context(), w.database, w.data, w.clock)
	if err != nil {
		w.t.Fatal(err)
	}
	s.Process = dead.Store.Process
	if err := errors.Join(s.Leave(w.t.Context()), s.Close()); err != nil {
		w.t.Fatal(err)
	}
}

// compare compares the runs with what was due.
func (w week) compare(t *testing.T, world *world, p *process, jobs []store.CronJob, end time.Time) {
	t.Helper()
	done := 0
	expected := map[string][]time.Time{} // many jobs are alike
	for _, j := range jobs {
		due, known := expected[j.Schedule+j.Zone]
		if !known {
			due = w.due(t, j, end)
			expected[j.Schedule+j.Zone] = due
		}
		runs, err := p.Runs(t.Context(), j, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for i := len(runs) - 1; i >= 0; i-- {
			r := runs[i]
			if at+r.Times > len(due) || !due[at].Equal(r.Due) {
				t.Fatalf("%s %q in %s: run %d is for %s (%s), due was %v", j.ID(), j.Schedule, j.Zone, at, r.Due, r.Outcome, due)
			}
			switch at += r.Times; r.Outcome {
			case store.CronDone:
				done++
				turn, err := p.Store.Turn(t.Context(), r.Turn)
				if err != nil || turn.Message.ID != r.Key || turn.Reply != said || turn.Stage != store.Settled || world.replies[r.Key] > 1 {
					t.Errorf("%s was done %d times: %+v, %v", r.Key, world.replies[r.Key], turn, err)
				}
			case store.CronMissed:
				if i == 0 || runs[i-1].Outcome != store.CronDone {
					t.Errorf("%s: after what was missed at %s the last one was not run", j.ID(), r.Due)
				}
			default:
				t.Errorf("%s is %s: %s", r.Key, r.Outcome, r.Why)
			}
		}
		if at != len(due) {
			t.Errorf("%s %q in %s: %d of %d due times were dealt with", j.ID(), j.Schedule, j.Zone, at, len(due))
		}
	}
	if done < len(world.replies) { // who is killed while something is stored does not hear that it was
		t.Errorf("%d runs are done, and %d were", done, len(world.replies))
	}
}

// due is when a job was due, by the clock on the wall.
func (w week) due(t *testing.T, j store.CronJob, end time.Time) []time.Time {
	t.Helper()
	interval, ok := strings.CutPrefix(j.Schedule, "@every ")
	if !ok {
		return dueBetween(t, j.Schedule, j.Zone, w.from, end)
	}
	every, err := time.ParseDuration(interval)
	if err != nil {
		t.Fatal(err)
	}
	var all []time.Time
	for at := w.from.Add(every); !at.After(end); at = at.Add(every) {
		all = append(all, at)
	}
	return all
}
