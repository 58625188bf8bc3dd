package discordtest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/asidehq/aside/internal/wiretest"
)

// T is what the server needs of *testing.T.
type T = wiretest.T

// Token is the bot's token. Every other one is wrong.
const Token = "MTE.secret.token"

// A Server is a Discord.
type Server struct {
	wiretest.News
	t    T
	http *httptest.Server
	spec *spec // nil if the API's description was not found

	mu       sync.Mutex
	lastID   uint64
	skew     time.Duration // how far the clock was moved on
	bot      *User
	app      string
	users    map[string]*User
	guilds   map[string]*Guild
	channels map[string]*Channel
	order    []string // of channels
	messages map[string][]*Message
	nonces   map[string]nonce
	files    map[string][]byte
	commands []*Command
	answers  map[string][]map[string]any // to interactions, by id
	typing   map[string]int

	sessions   map[string]*session
	heartbeat  time.Duration
	noACKs     bool
	beats      []int            // what heartbeats have said
	presences  []map[string]any // that the bot has sent
	identifies int
	startsLeft int // sessions that may be begun today
	resumes    int
	refuse     int // close code for IDENTIFY, or 0

	faults   []Fault
	holds    wiretest.Holds[*http.Request]
	limits   map[string]*bucket
	postRate rate
	requests []Request
	indexing bool // the search is not ready

	// What New makes.
	Guild   *Guild
	General *Channel
	Owner   *User
	Ada     *User
	BotRole *Role
}

// A Request is what a client has asked for.
type Request struct {
	Method, Path, Query string
	Body                string
	Reason              string // for the audit log
}

// New starts a Discord with a guild, Workshop, in which there are its owner, Ada and the
// bot, and a room, general. It ends with the test.
func New(t T) *Server {
	t.Helper()
	s := &Server{
		t:         t,
		users:     map[string]*User{},
		guilds:    map[string]*Guild{},
		channels:  map[string]*Channel{},
		messages:  map[string][]*Message{},
		nonces:    map[string]nonce{},
		files:     map[string][]byte{},
		answers:   map[string][]map[string]any{},
		typing:    map[string]int{},
		sessions:  map[string]*session{},
		limits:    map[string]*bucket{},
		heartbeat: 40 * time.Second,

		startsLeft: 1000,
	}
	s.spec = loadSpec(t)
	s.app = s.id()
	s.bot = s.AddUser("aside")
	s.bot.Bot = true
	s.Owner = s.AddUser("owner")
	s.Ada = s.AddUser("ada")
	s.Guild = s.AddGuild("Workshop", s.Owner)
	s.General = s.AddChannel(s.Guild, "general", Text)
	s.AddMember(s.Guild, s.Ada)
	s.BotRole = s.JoinBot(s.Guild)
	s.http = httptest.NewServer(s.routes())
	t.Cleanup(func() {
		s.DropAll()
		s.http.Close()
	})
	return s
}

// APIURL is where REST is.
func (s *Server) APIURL() string { return s.http.URL + "/api/v10" }

// GatewayURL is where the gateway is.
func (s *Server) GatewayURL() string {
	return "ws" + strings.TrimPrefix(s.http.URL, "http") + "/gateway"
}

// Bot is the bot's user.
func (s *Server) Bot() *User { return s.bot }

// Checked tells whether requests are checked against the API's description.
func (s *Server) Checked() bool { return s.spec != nil }

// epoch is where Discord's ids begin to count milliseconds.
const epoch = 1420070400000

// id makes an id. Later ones are larger.
func (s *Server) id() string {
	s.lastID = max(s.lastID+1, uint64(s.now().UnixMilli()-epoch)<<22)
	return strconv.FormatUint(s.lastID, 10)
}

func (s *Server) now() time.Time { return time.Now().Add(s.skew).UTC() }

// Pass lets time pass, for the age of messages and the windows of limits and nonces.
func (s *Server) Pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew += d
}

// Requests are all requests so far whose path has a part in it.
func (s *Server) Requests(method, part string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Request
	for _, r := range s.requests {
		if r.Method == method && strings.Contains(r.Path, part) {
			found = append(found, r)
		}
	}
	return found
}

// AllRequests are all requests so far.
func (s *Server) AllRequests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}
