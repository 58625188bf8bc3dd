package platform

import "context"

// A Doorkeeper is an Inbox that tells whom it does not listen to. A platform asks it where
// it has to answer by itself, as it does whoever uses a slash command.
type Doorkeeper interface {
	// TurnedAway is what to tell the author of a message that is passed over because of who
	// they are or where it is, or "". It says no more than that.
	TurnedAway(ctx context.Context, m Message) (why string, err error)
}

// AnswerTo is what somebody is told who has used a slash command, once it was received. It
// is for their eyes only.
func AnswerTo(ctx context.Context, inbox Inbox, m Message) string {
	keeper, ok := inbox.(Doorkeeper)
	if !ok {
		return "OK"
	}
	why, err := keeper.TurnedAway(ctx, m)
	switch {
	case err != nil:
		return "I could not find out whether I listen to you here; try again."
	case why != "":
		return why
	}
	return "OK"
}
