package slacktest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/wiretest"
)

// T is what the server needs of *testing.T.
type T = wiretest.T

// The tokens of the app, and what it signs with. Every other one is wrong.
const (
	BotToken      = "xoxb-1-secret"
	AppToken      = "xapp-1-secret"
	SigningSecret = "8f742231b10e8888abcd99yyyzzz85a5"
)

// A Server is a Slack with one workspace.
type Server struct {
	wiretest.News
	t    T
	http *httptest.Server
	spec *spec // nil if the API's description was not found

	mu       sync.Mutex
	lastTS   int64 // microseconds
	number   int   // of the last id
	skew     time.Duration
	bot      *User
	users    []*User
	channels []*Channel
	messages map[string][]*Message // by channel
	files    map[string]*File
	custom   []string // names of the workspace's own emoji

	conns     map[*connection]bool // true if events go there
	opened    int                  // connections that were greeted
	envelopes map[string]*envelope
	muted     bool
	closed    bool          // Socket Mode is switched off
	silent    chan struct{} // closed when pings are answered again; nil if they are
	slowFiles int           // how often files.info does not know yet where a file was shared

	faults   []Fault
	holds    wiretest.Holds[string] // by method
	requests []Request
	hook     *hook

	// What New makes.
	General *Channel
	Owner   *User
	Ada     *User
}

// A Request is what a client has asked for.
type Request struct {
	Method string // chat.postMessage
	Values map[string]string
}

// New starts a Slack with its owner, Ada and the bot, who are in a channel, general. It
// ends with the test.
func New(t T) *Server {
	t.Helper()
	s := &Server{
		t: t, messages: map[string][]*Message{}, files: map[string]*File{},
		conns: map[*connection]bool{}, envelopes: map[string]*envelope{}, custom: []string{"party_parrot"},
	}
	s.spec = loadSpec(t)
	s.bot = s.AddUser("aside")
	s.bot.IsBot, s.bot.BotID, s.bot.AppID = true, "B0ASIDE", "A0ASIDE"
	s.Owner = s.AddUser("owner")
	s.Owner.IsOwner, s.Owner.IsAdmin = true, true
	s.Ada = s.AddUser("ada")
	s.General = s.AddChannel("general", s.Owner, s.Ada, s.bot)
	s.http = httptest.NewServer(s.routes())
	t.Cleanup(func() {
		s.Drop()
		s.http.Close()
	})
	return s
}

// APIURL is where the Web API is.
func (s *Server) APIURL() string { return s.http.URL + "/api/" }

// Bot is the bot's user.
func (s *Server) Bot() *User { return s.bot }

// Checked tells whether requests are checked against the API's description.
func (s *Server) Checked() bool { return s.spec != nil }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/link/", s.serveSocket)
	mux.HandleFunc("POST /upload/{file}", s.serveUpload)
	mux.HandleFunc("GET /files/{file}/{name}", s.serveDownload)
	mux.HandleFunc("/api/{method}", s.serveMethod)
	return mux
}

func (s *Server) now() time.Time { return time.Now().Add(s.skew) }

// ts makes the id of a message: when it was written, and unlike every other.
func (s *Server) ts() string {
	s.lastTS = max(s.lastTS+1, s.now().UnixMicro())
	return fmt.Sprintf("%d.%06d", s.lastTS/1e6, s.lastTS%1e6)
}

func (s *Server) id(kind string) string {
	s.number++
	return fmt.Sprintf("%s0%06d", kind, s.number)
}

// Pass lets time pass.
func (s *Server) Pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew += d
}

// Requests are all requests of a method so far.
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

// Secrets are what must not be seen anywhere.
func Secrets() []string {
	return []string{strings.TrimPrefix(BotToken, "xoxb-"), strings.TrimPrefix(AppToken, "xapp-"), SigningSecret}
}
