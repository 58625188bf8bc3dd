package telegramtest

import (
	"net/http/httptest"
	"strconv"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/wiretest"
)

// T is what the server needs of *testing.T.
type T = wiretest.T

// Token is the bot's token. Every other one is wrong.
const Token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"

// A Server is a Telegram.
type Server struct {
	wiretest.News
	t    T
	http *httptest.Server
	spec *spec // nil if the API's description was not found

	mu       sync.Mutex
	skew     time.Duration // how far the clock was moved on
	bot      *User
	lastUser int64
	lastChat int64
	lastID   int // of messages in private chats and small groups
	users    map[int64]*User
	chats    map[int64]*Chat
	files    map[string]File // by file_id
	commands []string
	answers  map[string]int // to callback queries, by id
	serial   int            // of callbacks, albums and files

	updates    []*update // not confirmed yet
	lastUpdate int
	confirmed  int // updates up to this one are
	allowed    []string
	poller     *poller
	polls      int
	hook       hook

	faults   []Fault
	chaos    func(method string) *Fault
	holds    wiretest.Holds[string] // by method
	requests []Request

	// What New makes.
	Ada      *User
	Owner    *User
	Private  *Chat // Ada's with the bot
	Workshop *Chat // a supergroup with its owner, Ada and the bot
}

// A Request is what a client has asked for.
type Request struct {
	Method string
	Params map[string]any
}

// New starts a Telegram with a bot, Ada, who has a private chat with it, and a supergroup,
// Workshop. It ends with the test.
func New(t T) *Server {
	t.Helper()
	s := &Server{
		t:          t,
		lastUser:   1000,
		lastChat:   5000,
		lastID:     100,
		lastUpdate: 700_000,
		users:      map[int64]*User{},
		chats:      map[int64]*Chat{},
		files:      map[string]File{},
		answers:    map[string]int{},
	}
	s.spec = loadSpec(t)
	s.bot = s.AddUser("Aside", "aside_bot")
	s.bot.Bot = true
	s.Ada = s.AddUser("Ada", "ada")
	s.Owner = s.AddUser("Olga", "owner")
	s.Private = s.Direct(s.Ada)
	s.Workshop = s.AddChat("supergroup", "Workshop", s.Owner)
	s.Join(s.Workshop, s.Ada)
	s.http = httptest.NewServer(s.routes())
	t.Cleanup(func() {
		s.Drop()
		s.stopHook()
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// URL is where the API is.
func (s *Server) URL() string { return s.http.URL }

// Bot is the bot's user.
func (s *Server) Bot() *User { return s.bot }

// Checked tells whether requests are checked against the API's description.
func (s *Server) Checked() bool { return s.spec != nil }

func (s *Server) now() time.Time { return time.Now().Add(s.skew) }

// Pass lets time pass, for the dates of messages.
func (s *Server) Pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew += d
}

// next is a number that was not used before.
func (s *Server) next() string {
	s.serial++
	return strconv.Itoa(s.serial)
}

// Requests are all requests so far of a method.
func (s *Server) Requests(method string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Request
	for _, r := range s.requests {
		if r.Method == method {
			found = append(found, r)
		}
	}
	return found
}

// Commands are what the bot offers when a person types a slash.
func (s *Server) Commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.commands...)
}

// Answers are how often a callback query was answered.
func (s *Server) Answers(callback string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answers[callback]
}
