package platformtest

import (
	"context"
	"testing"
	"time"

	"github.com/asidehq/aside/platform"
)

// A Harness says how an adapter is tested and what it can do. Every ability has
// to be said, also those it lacks: an ability that gets lost in a change is not to
// go unnoticed.
type Harness struct {
	// Start starts a fake server with at least one room. It is called once for
	// every check; what it started ends with t.Cleanup.
	Start func(t T) Server

	Edit   Ability // platform.Editor
	Delete Ability // platform.Deleter
	React  Ability // platform.Reactor
	Type   Ability // platform.Typist
	Open   Ability // platform.Opener
	Choose Ability // platform.Chooser; the Server is a Presser
	Upload Ability // posts with files: Limits.FileSize is not 0
	Attach Ability // people can attach files; the Server is an Attacher
	IDs    Ability // a receipt has the id of the post
	Keys   Ability // a post with a key that was used is not a second post
	Acks   Ability // the platform is told which messages were received
	Refuse Ability // the platform may refuse a post, or ask to wait

	// Patience is how long a check waits for what must happen; 10 s if it is 0.
	Patience time.Duration
}

// An Ability is what a harness says about its adapter.
type Ability uint8

const (
	Unsaid Ability = iota // fails the suite
	Can
	Cannot
)

// T is what a check needs of *testing.T.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// RetryAfter is how long a server with the fault Limit asks to wait.
const RetryAfter = 7 * time.Second

// A Server is a fake of a platform. Its methods are called from several
// goroutines.
type Server interface {
	// Adapter makes an adapter for this server. Called again, after the first
	// adapter has stopped, it makes the one that a restarted program would have:
	// it knows what is stored, on the server or on disk, and nothing else.
	Adapter() platform.Platform

	// Room is a room in which the adapter may read and write.
	Room() platform.Room

	// Connected waits until an adapter is connected, so that a message written
	// now reaches it.
	Connected(ctx context.Context) error

	// Write writes a message as a person would and gives its id. The server sends
	// it at once, or when the adapter is connected again.
	Write(room platform.Room, text string) (id string)

	// Repeat sends a message again, as platforms do when in doubt.
	Repeat(room platform.Room, id string)

	// Received is closed when the adapter has told the platform that it has
	// received a message. It is not called where the harness says Cannot.
	Received(room platform.Room, id string) <-chan struct{}

	// Posts are what the adapter wrote and what stands in the room now, oldest
	// first, with the text as people read it.
	Posts(room platform.Room) []Post

	// Reactions are the emoji that the adapter has on a message.
	Reactions(room platform.Room, message string) []string

	// Fail makes the next request that writes something end with a fault.
	Fail(fault Fault)

	// Drop cuts the adapter's connection, if it has one, and whatever it is
	// waiting for. It may connect again at once; until it has, Connected waits.
	Drop()
}

// A Post is something that stands in a room.
type Post struct {
	ID      string
	Text    string
	Files   []platform.File // Name and Data
	Choices []string        // the buttons below it
}

// A Fault is what a server does with a request.
type Fault uint8

const (
	Refuse Fault = iota // it says no, for good
	Limit               // it says to come again after RetryAfter
	Lose                // it does what it is asked, and the answer is lost
)

// Run runs the suite.
func Run(t *testing.T, h Harness) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.run(t, h) })
	}
}

// A check is a test of the suite.
type check struct {
	name string
	run  func(T, Harness)
}

var checks = []check{
	{"it can do what the harness says and nothing else", checkAbilities},

	{"a message arrives as it was written", checkMessage},
	{"a message is received once even if the server sends it twice", checkOnce},
	{"messages of a room arrive in order", checkOrder},
	{"a message that could not be stored holds back the later ones of its room", checkHeldBack},
	{"received is told only after the inbox has stored it", checkReceived},
	{"a message whose storing failed comes again", checkComesAgain},
	{"reconnecting after the connection drops loses nothing", checkReconnect},
	{"shutdown while a message is being stored loses nothing and Run returns nil", checkShutdown},
	{"a message that shutdown kept from being stored comes after the restart", checkShutdownUnstored},

	{"a post is delivered and its receipt has the id", checkPost},
	{"the same key twice is one post where the platform can", checkKeys},
	{"a long text is split and its parts fit", checkSplit},
	{"a text over the limit is refused or delivered whole", checkOverLimit},
	{"a refused post is Refused and says why", checkRefused},
	{"a rate-limited post is Limited and says how long to wait", checkLimited},
	{"a post whose answer was lost is Unknown, or delivered once", checkLost},

	{"an edit replaces the text and can be repeated", checkEdit},
	{"a delete takes the post away", checkDelete},
	{"a reaction can be put on and taken off and repeated", checkReact},
	{"typing can be shown", checkType},
	{"edits, deletes and reactions have honest receipts", checkHonest},

	{"what is opened is filled once, also after a restart", checkOpen},
	{"a post whose opening was lost stands there once", checkOpenLost},
	{"files go where their post was opened", checkOpenFiles},
	{"buttons stand below a post, are pressed, change and go", checkChoose},

	{"a file is posted with its name and its bytes", checkUpload},
	{"a file is posted once for each key", checkUploadKeys},
	{"a file that is not posted has an honest receipt", checkUploadHonest},
	{"a file that a person attaches arrives with its message", checkAttached},
}
