package platform

import (
	"context"
	"time"
)

// A ForumThread is a thread of a forum as it stands there.
type ForumThread struct {
	Room     Room
	Name     string
	Tags     []string // by id
	Archived bool
	Changed  time.Time // when it was last archived or opened
	Own      bool      // the agent has made it, and with it the starter

	// Drifted is set where nobody has decided that it is archived or open: the platform has
	// archived it because nobody wrote there, or opened it because somebody did.
	Drifted bool
}

// A Starter is the message that a thread of a forum begins with.
type Starter struct {
	Author Person
	Text   string
	Edited time.Time // zero if it never was
}

// A ForumKeeper knows the threads of a forum. Platforms have no keys for threads, and an
// answer can be lost: whoever makes one looks first whether it is there.
type ForumKeeper interface {
	Threader
	TagKeeper

	// ForumThreads are all threads of a forum, the archived ones too. Of those that are open
	// it is not known whether they have drifted.
	ForumThreads(ctx context.Context, forum Room) ([]ForumThread, error)

	// ForumThread is one of them, looked at closely. Of one that was deleted the error is a
	// *Problem that is Gone.
	ForumThread(ctx context.Context, thread Room) (ForumThread, error)

	// Starter reads a thread's starter; EditStarter changes one that the agent wrote, and
	// leaves a thread open that was archived. It is repeatable. Of one that was deleted the
	// error is a *Problem that is Gone.
	Starter(ctx context.Context, thread Room) (Starter, error)
	EditStarter(ctx context.Context, thread Room, text string) error

	// ArchivedBy is who has last archived a thread, or opened it. It is a Person without an
	// id where the platform does not tell, or it was the agent itself.
	ArchivedBy(ctx context.Context, thread Room) (Person, error)
}

// A ThreadNews is what has happened to a thread of a forum.
type ThreadNews string

const (
	ThreadMade      ThreadNews = "made"
	ThreadChanged   ThreadNews = "changed" // its name, its tags
	ThreadArchived  ThreadNews = "archived"
	ThreadOpened    ThreadNews = "opened"
	ThreadDeleted   ThreadNews = "deleted"
	ThreadRewritten ThreadNews = "rewritten" // its starter was edited
)

// A ThreadEvent tells of a thread of a forum. It is a hint to look: what happens while nobody
// listens is told to nobody.
type ThreadEvent struct {
	Forum  Room
	Thread Room
	News   ThreadNews
}

// A Watcher is an Inbox that wants to know what happens to the threads of forums, the agent's
// own doings included. ThreadEvent returns at once.
type Watcher interface {
	ThreadEvent(e ThreadEvent)
}
