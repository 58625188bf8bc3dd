package inbox

import (
	"context"

	"github.com/asidehq/aside/platform"
)

// change receives what a person has changed an earlier message to. While that still waits
// to be answered, its text is replaced. Otherwise the change is a message of its own, which
// goes the way of all others: it comes after the turn that is running, if there is one.
func (in *Inbox) change(ctx context.Context, m platform.Message) error {
	for {
		before, err := in.Store.Edit(ctx, m)
		switch {
		case err != nil:
			return err
		case before.Done:
			if before.Turn != 0 && isStop(m) {
				in.Stop(m.Room.String(), before.Turn)
			}
			return nil
		case before.Known:
			// Who was answered is answered again, though they may have taken the agent's
			// name out.
			m.Mentioned = m.Mentioned || before.Answered
			_, err := in.receive(ctx, m)
			return err
		case !m.Direct && !m.Mentioned:
			return nil // it was not for the agent, and is not now
		}
		first := m
		first.ID, first.Edits = m.Edits, ""
		fresh, err := in.receive(ctx, first)
		if fresh || err != nil {
			return err
		}
		// What was unknown a moment ago is stored by now, and maybe with the old text.
	}
}
