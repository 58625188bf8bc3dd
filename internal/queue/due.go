package queue

import "time"

// Some turns must not begin before a time. Their session has no owner until then; this is
// who looks again when it has come. The look-out would do, were it not a second late.

// Await sees to it that sessions which can be claimed at a time are.
func (q *Queue) Await(due time.Time) {
	q.mu.Lock()
	if q.due.IsZero() || due.Before(q.due) {
		q.due = due
	}
	q.mu.Unlock()
	select {
	case q.sooner <- struct{}{}:
	default: // it was said already
	}
}

// watch claims sessions when they are due, until the queue stops.
func (q *Queue) watch() {
	q.ring()
	for {
		alarm, stop := q.alarm()
		select {
		case <-q.stopping.Done():
			stop()
			return
		case <-q.sooner:
		case <-alarm:
			q.ring()
		}
		stop()
	}
}

// alarm rings when the next session is due, or never.
func (q *Queue) alarm() (<-chan time.Time, func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.due.IsZero() {
		return nil, func() {}
	}
	return q.After(q.due.Sub(q.store.Now()))
}

// ring claims what is due by now. It looks ahead first: what becomes due in between is
// claimed, and the other way round it would be seen by neither.
func (q *Queue) ring() {
	q.mu.Lock()
	q.due = time.Time{}
	q.mu.Unlock()
	q.lookAhead()
	q.mu.Lock()
	q.behind = true
	q.mu.Unlock()
	if err := q.fill(q.turns); err != nil && q.stopping.Err() == nil {
		q.Logger.Error("could not look for what is due", "error", err) // the look-out tries again
	}
}

// lookAhead finds out when the next session is due.
func (q *Queue) lookAhead() {
	due, err := q.store.NextDue(q.turns)
	switch {
	case q.stopping.Err() != nil:
	case err != nil:
		q.Logger.Error("could not look for what is due", "error", err)
		q.Await(q.store.Now().Add(later))
	case !due.IsZero():
		q.Await(due)
	}
}

// after is the time.Timer that is used where nobody wants another one.
func after(d time.Duration) (<-chan time.Time, func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}
