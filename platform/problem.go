package platform

import (
	"fmt"
	"time"
)

// A Problem is why a platform did not do what it was asked. Its reason is for a person.
type Problem struct {
	Outcome    Outcome // never Delivered
	Reason     string
	RetryAfter time.Duration // how long a Limited one must wait
	Gone       bool          // it was Refused because what it is about is there no more
}

func (p *Problem) Error() string { return p.Reason }

// Refuse is the problem of what a platform will not do, now or later.
func Refuse(format string, args ...any) *Problem {
	return &Problem{Outcome: Refused, Reason: fmt.Sprintf(format, args...)}
}

// Err is nil for a receipt of something that was done, else a *Problem.
func (r Receipt) Err() error {
	if r.Outcome == Delivered {
		return nil
	}
	return &Problem{r.Outcome, r.Reason, r.RetryAfter, r.Gone}
}
