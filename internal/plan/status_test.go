package plan

import (
	"slices"
	"testing"
)

func TestAPlanGoesOnlyWhereItMay(t *testing.T) {
	allowed := map[Status][]Status{
		Draft:        {Review, Approved, Closed, Cancelled},
		Review:       {Draft, Approved, Closed, Cancelled},
		Approved:     {Draft, Review, Approved, Implementing, Closed, Cancelled},
		Implementing: {Approved, Done},
		Done:         {Closed},
	}
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			if want := slices.Contains(allowed[from], to); from.May(to) != want {
				t.Errorf("from %s to %s: %v, want %v", from, to, from.May(to), want)
			}
		}
	}
}

func TestWhatAStatusForbidsIsSaid(t *testing.T) {
	const (
		busy   = "plan-001 is being implemented; wait until its run has ended, or stop it first"
		unsaid = " and has to be approved before it can run"
		over   = ", and that is its end; make a new plan for what is left"
	)
	for _, c := range []struct {
		now                 Status
		approve, close, run string
	}{
		{Draft, "", "", "plan-001 is DRAFT" + unsaid},
		{Review, "", "", "plan-001 is REVIEW" + unsaid},
		{Approved, "", "", ""},
		{Implementing, busy, busy, ""},
		{Done, "plan-001 is DONE" + over, "", "plan-001 is DONE" + over},
		{Closed, "plan-001 is CLOSED" + over, "plan-001 is CLOSED" + over, "plan-001 is CLOSED" + over},
		{Cancelled, "plan-001 is CANCELLED" + over, "plan-001 is CANCELLED" + over, "plan-001 is CANCELLED" + over},
	} {
		for doing, want := range map[Status]string{Approved: c.approve, Closed: c.close, Implementing: c.run} {
			if got := refuse("plan-001", doing, c.now); got != want {
				t.Errorf("to %s from %s: %q, want %q", doing, c.now, got, want)
			}
		}
	}
}

func TestAStatusIsReadHoweverItIsWritten(t *testing.T) {
	for text, want := range map[string]Status{"draft": Draft, " DONE ": Done, "Implementing": Implementing} {
		if got, err := ReadStatus(text); got != want || err != nil {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
	if _, err := ReadStatus("ready"); err == nil {
		t.Error("ready is a status")
	}
}
