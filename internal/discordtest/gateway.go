package discordtest

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/coder/websocket"
)

// A session is what a client has begun with IDENTIFY and may continue with RESUME.
type session struct {
	id       string
	log      [][]byte // every event, by sequence number less one
	shard    [2]int
	intents  int
	compress bool
	zlib     *zlib.Writer
	conn     *connection // nil while the client is away
}

// A connection is a client's websocket. What is sent goes through a queue, so that
// nobody waits for a slow client.
type connection struct {
	ws *websocket.Conn

	mu    sync.Mutex
	queue []frame
	more  chan struct{}
}

type frame struct {
	kind websocket.MessageType
	data []byte
	code websocket.StatusCode // closes the connection, if it is not 0
}

func (c *connection) push(f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, f)
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *connection) write(ctx context.Context) {
	for {
		c.mu.Lock()
		queue := c.queue
		c.queue = nil
		c.mu.Unlock()
		for _, f := range queue {
			if f.code != 0 {
				_ = c.ws.Close(f.code, string(f.data))
				return
			}
			if c.ws.Write(ctx, f.kind, f.data) != nil {
				return
			}
		}
		select {
		case <-c.more:
		case <-ctx.Done():
			return
		}
	}
}

// An envelope is everything that goes over the gateway.
type envelope struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int            `json:"s"`
	Type *string         `json:"t"`
}

func pack(op int, data any) []byte {
	raw, _ := json.Marshal(data)
	packed, _ := json.Marshal(envelope{Op: op, Data: raw})
	return packed
}

func (c *connection) send(op int, data any) {
	c.push(frame{kind: websocket.MessageText, data: pack(op, data)})
}

func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); q.Get("v") != "10" || q.Get("encoding") != "json" {
		http.Error(w, "want ?v=10&encoding=json", http.StatusBadRequest)
		return
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	c := &connection{ws: ws, more: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(r.Context())
	var writing sync.WaitGroup
	writing.Go(func() { c.write(ctx) })
	s.mu.Lock()
	c.send(10, map[string]any{"heartbeat_interval": s.heartbeat.Milliseconds()})
	s.mu.Unlock()
	for {
		_, data, err := ws.Read(ctx)
		if err != nil {
			s.gone(c, websocket.CloseStatus(err))
			break
		}
		var e envelope
		if json.Unmarshal(data, &e) != nil {
			c.push(frame{code: 4002, data: []byte("Error while decoding payload.")})
			continue
		}
		s.take(c, e)
	}
	cancel()
	writing.Wait()
	_ = ws.CloseNow()
}

// gone takes a connection off its session. A session that its client has closed is
// over.
func (s *Server) gone(c *connection, code websocket.StatusCode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, session := range s.sessions {
		if session.conn != c {
			continue
		}
		session.conn = nil
		if code == websocket.StatusNormalClosure || code == websocket.StatusGoingAway {
			delete(s.sessions, id)
		}
	}
	s.Happened()
}

// take handles what a client sends.
func (s *Server) take(c *connection, e envelope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Happened()
	switch e.Op {
	case 1:
		var seq int
		_ = json.Unmarshal(e.Data, &seq)
		s.beats = append(s.beats, seq)
		if !s.noACKs {
			c.send(11, nil)
		}
	case 2:
		s.identify(c, e.Data)
	case 3:
		var presence map[string]any
		_ = json.Unmarshal(e.Data, &presence)
		s.presences = append(s.presences, presence)
	case 4:
		s.moveVoice(e.Data)
	case 6:
		s.resume(c, e.Data)
	default:
		c.push(frame{code: 4001, data: []byte("Unknown opcode.")})
	}
}

func (s *Server) identify(c *connection, data []byte) {
	var d struct {
		Token    string         `json:"token"`
		Intents  int            `json:"intents"`
		Shard    *[2]int        `json:"shard"`
		Compress bool           `json:"compress"`
		Presence map[string]any `json:"presence"`
	}
	_ = json.Unmarshal(data, &d)
	s.identifies++
	switch {
	case d.Token != Token:
		c.push(frame{code: 4004, data: []byte("Authentication failed.")})
		return
	case s.refuse != 0:
		c.push(frame{code: websocket.StatusCode(s.refuse), data: []byte("No.")})
		return
	}
	if d.Presence != nil {
		s.presences = append(s.presences, d.Presence)
	}
	session := &session{id: "session-" + s.id(), shard: [2]int{0, 1}, intents: d.Intents, compress: d.Compress, conn: c}
	if d.Shard != nil {
		session.shard = *d.Shard
	}
	s.sessions[session.id] = session
	guilds := []map[string]any{}
	for _, g := range s.guilds {
		if g.Members[s.bot.ID] != nil && session.covers(g.ID) {
			guilds = append(guilds, map[string]any{"id": g.ID, "unavailable": true})
		}
	}
	session.event("READY", map[string]any{
		"v": 10, "user": s.bot, "guilds": guilds, "session_id": session.id, "resume_gateway_url": s.GatewayURL(),
		"shard": session.shard, "application": map[string]any{"id": s.app, "flags": 0}, "private_channels": []any{},
	})
	for _, g := range guilds {
		session.event("GUILD_CREATE", s.guildCreate(s.guilds[g["id"].(string)]))
	}
}

func (s *Server) resume(c *connection, data []byte) {
	var d struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int    `json:"seq"`
	}
	_ = json.Unmarshal(data, &d)
	s.resumes++
	session := s.sessions[d.Session]
	switch {
	case d.Token != Token:
		c.push(frame{code: 4004, data: []byte("Authentication failed.")})
	case session == nil:
		c.send(9, false)
	case d.Seq > len(session.log):
		c.push(frame{code: 4007, data: []byte("Invalid seq.")})
	default:
		session.conn = c
		for _, event := range session.log[d.Seq:] {
			session.send(event)
		}
		session.event("RESUMED", map[string]any{})
	}
}

func (s *Server) moveVoice(data []byte) {
	var d struct {
		Guild   string  `json:"guild_id"`
		Channel *string `json:"channel_id"`
		Mute    bool    `json:"self_mute"`
		Deaf    bool    `json:"self_deaf"`
	}
	_ = json.Unmarshal(data, &d)
	g := s.guilds[d.Guild]
	if g == nil {
		return
	}
	if d.Channel != nil {
		// Discord says nothing to who may not come in.
		c := s.channels[*d.Channel]
		if c == nil || c.Type != Voice && c.Type != Stage || !s.can(s.bot.ID, c, Connect) {
			return
		}
	}
	v := &VoiceState{GuildID: g.ID, ChannelID: d.Channel, UserID: s.bot.ID, SessionID: "voice", SelfMute: d.Mute, SelfDeaf: d.Deaf}
	g.Voice[s.bot.ID] = v
	if d.Channel == nil {
		delete(g.Voice, s.bot.ID)
	}
	s.dispatch("VOICE_STATE_UPDATE", g.ID, v)
}

// covers tells whether a guild is on the session's shard. What is in no guild is on
// the first.
func (x *session) covers(guild string) bool {
	if guild == "" {
		return x.shard[0] == 0
	}
	return int(number(guild)>>22%uint64(x.shard[1])) == x.shard[0]
}

// event appends an event to a session, and sends it if somebody is there.
func (x *session) event(name string, data any) {
	raw, _ := json.Marshal(data)
	seq := len(x.log) + 1
	packed, _ := json.Marshal(envelope{Op: 0, Data: raw, Seq: &seq, Type: &name})
	x.log = append(x.log, packed)
	x.send(packed)
}

func (x *session) send(packed []byte) {
	if x.conn == nil {
		return
	}
	if !x.compress {
		x.conn.push(frame{kind: websocket.MessageText, data: packed})
		return
	}
	var b bytes.Buffer
	if x.zlib == nil {
		x.zlib = zlib.NewWriter(nil) // which is large: it is used again
	}
	x.zlib.Reset(&b)
	_, _ = x.zlib.Write(packed)
	_ = x.zlib.Close()
	x.conn.push(frame{kind: websocket.MessageBinary, data: b.Bytes()})
}

// Which intent an event needs, in a guild and in a direct chat.
var intents = map[string][2]int{
	"GUILD_CREATE": {1, 1}, "GUILD_UPDATE": {1, 1}, "GUILD_DELETE": {1, 1},
	"GUILD_ROLE_CREATE": {1, 1}, "GUILD_ROLE_UPDATE": {1, 1}, "GUILD_ROLE_DELETE": {1, 1},
	"CHANNEL_CREATE": {1, 1}, "CHANNEL_UPDATE": {1, 1}, "CHANNEL_DELETE": {1, 1},
	"THREAD_CREATE": {1, 1}, "THREAD_UPDATE": {1, 1}, "THREAD_DELETE": {1, 1},
	"GUILD_MEMBER_UPDATE": {1 << 1, 1 << 1}, "VOICE_STATE_UPDATE": {1 << 7, 1 << 7},
	"MESSAGE_CREATE": {1 << 9, 1 << 12}, "MESSAGE_UPDATE": {1 << 9, 1 << 12}, "MESSAGE_DELETE": {1 << 9, 1 << 12},
	"MESSAGE_DELETE_BULK":  {1 << 9, 1 << 12},
	"MESSAGE_REACTION_ADD": {1 << 10, 1 << 13}, "MESSAGE_REACTION_REMOVE": {1 << 10, 1 << 13},
}

// dispatch sends an event to every session that is to see it. guild is "" for direct
// chats.
func (s *Server) dispatch(name, guild string, data any) {
	for _, x := range s.sessions {
		need, ok := intents[name]
		want := need[0]
		if guild == "" {
			want = need[1]
		}
		if !x.covers(guild) || ok && x.intents&want == 0 {
			continue
		}
		if m, is := data.(*Message); is && x.intents&(1<<15) == 0 && guild != "" && m.Author.ID != s.bot.ID && !m.mentions(s.bot.ID) {
			hidden := *m
			hidden.Content = ""
			x.event(name, &hidden)
			continue
		}
		x.event(name, data)
	}
	s.Happened()
}
