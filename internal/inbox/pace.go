package inbox

import (
	"fmt"
	"sync"
	"time"

	"github.com/asidehq/aside/platform"
)

// Bots are told apart by their platform, but not where one poses as a person. Two that
// answer each other do so for ever, and can be known by it: each of their messages follows
// an answer, again and again, with never a rest.

const (
	mostInMinute = 20  // answers in a row to one person in one room
	mostInHour   = 150 // the same, at the pace of a slow model
	quietFor     = 10 * time.Minute
	mostPaces    = 1000 // that are kept in memory before old ones are forgotten
)

// A pace is how fast people and the agent answer each other. It is kept in memory only: a
// loop that has been broken does not begin again by itself.
type pace struct {
	mu     sync.Mutex
	people map[pacer]*rounds
}

type pacer struct {
	room   platform.Room
	person string
}

// rounds are the times at which somebody has written after an answer.
type rounds struct {
	times []time.Time // of the last hour, at most mostInHour
	quiet time.Time   // until when nobody answers
}

// hurried tells whether somebody is not to be answered now; first is set when that
// begins.
func (p *pace) hurried(m platform.Message, now time.Time) (hurried, first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.people[pacer{m.Room, m.Author.ID}]
	switch {
	case r == nil:
		return false, false
	case now.Before(r.quiet):
		return true, false
	}
	r.forget(now)
	inMinute := 0
	for _, at := range r.times {
		if now.Sub(at) < time.Minute {
			inMinute++
		}
	}
	if inMinute < mostInMinute && len(r.times) < mostInHour {
		return false, false
	}
	r.times, r.quiet = nil, now.Add(quietFor)
	return true, true
}

// round notes that somebody has written, and that everything before it was answered.
func (p *pace) round(m platform.Message, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.people == nil {
		p.people = map[pacer]*rounds{}
	}
	who := pacer{m.Room, m.Author.ID}
	r := p.people[who]
	if r == nil {
		if len(p.people) >= mostPaces {
			p.forget(now)
		}
		r = &rounds{}
		p.people[who] = r
	}
	r.forget(now)
	r.times = append(r.times, now)
}

// forget forgets everybody who has rested.
func (p *pace) forget(now time.Time) {
	for who, r := range p.people {
		if r.forget(now); len(r.times) == 0 && !now.Before(r.quiet) {
			delete(p.people, who)
		}
	}
}

// forget forgets what is older than an hour.
func (r *rounds) forget(now time.Time) {
	for len(r.times) > 0 && now.Sub(r.times[0]) >= time.Hour {
		r.times = r.times[1:]
	}
}

const hurriedWhy = "The same person and the agent had answered each other too often in a row, as two bots do."

// hurriedNotice is said once, when the agent becomes quiet.
func hurriedNotice() string {
	return fmt.Sprintf("We answer each other very fast, as two bots would. I will be quiet for %d minutes.", int(quietFor.Minutes()))
}
