package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A call is a request that is being handled, with the server's lock held.
type call struct {
	r     *http.Request
	body  map[string]any // nil if there is none
	raw   []byte
	files map[string]upload
}

type upload struct {
	name, kind string
	data       []byte
}

func (c *call) path(name string) string { return c.r.PathValue(name) }

// A problem is Discord's way of saying no.
type problem struct {
	status  int
	code    int
	message string
	errors  any
}

var (
	errUnauthorized = &problem{401, 0, "401: Unauthorized", nil}
	errAccess       = &problem{403, 50001, "Missing Access", nil}
	errPermission   = &problem{403, 50013, "Missing Permissions", nil}
	errBlocked      = &problem{403, 50007, "Cannot send messages to this user", nil}
	errChannel      = &problem{404, 10003, "Unknown Channel", nil}
	errGuild        = &problem{404, 10004, "Unknown Guild", nil}
	errMember       = &problem{404, 10007, "Unknown Member", nil}
	errMessage      = &problem{404, 10008, "Unknown Message", nil}
	errRole         = &problem{404, 10011, "Unknown Role", nil}
	errUser         = &problem{404, 10013, "Unknown User", nil}
	errEmoji        = &problem{400, 10014, "Unknown Emoji", nil}
	errEvent        = &problem{404, 10070, "Unknown Guild Scheduled Event", nil}
	errInteraction  = &problem{404, 10062, "Unknown interaction", nil}
	errOtherAuthor  = &problem{403, 50005, "Cannot edit a message authored by another user", nil}
	errEmpty        = &problem{400, 50006, "Cannot send an empty message", nil}
	errOld          = &problem{400, 50034, "You can only bulk delete messages that are under 14 days old.", nil}
	errArchived     = &problem{400, 50083, "Thread is archived", nil}
	errCrossposted  = &problem{400, 40033, "This message has already been crossposted", nil}
	errType         = &problem{400, 50024, "Cannot execute action on this channel type", nil}
	errLarge        = &problem{413, 40005, "Request entity too large", nil}
)

// invalid is the answer to a request with a wrong field.
func invalid(field, why string) *problem {
	return &problem{400, 50035, "Invalid Form Body", map[string]any{field: map[string]any{"_errors": []any{map[string]any{"code": "INVALID", "message": why}}}}}
}

type handler func(*call) (any, *problem)

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/gateway", s.serveGateway)
	mux.HandleFunc("/gateway/", s.serveGateway)
	mux.HandleFunc("GET /attachments/", s.serveFile)
	for _, routes := range []map[string]handler{
		s.messageRoutes(), s.channelRoutes(), s.guildRoutes(), s.memberRoutes(), s.ownRoutes(),
	} {
		for pattern, h := range routes {
			method, path, _ := strings.Cut(pattern, " ")
			mux.HandleFunc(method+" /api/v10"+path, func(w http.ResponseWriter, r *http.Request) {
				if held := s.holds.Take(r); held != nil {
					s.serveHeld(r, path, h, held)
				}
				s.serve(w, r, path, h)
			})
		}
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		s.t.Errorf("discordtest: nobody answers %s %s", r.Method, r.URL.Path)
		answer(w, 404, map[string]any{"message": "404: Not Found", "code": 0})
	})
	return mux
}

func answer(w http.ResponseWriter, status int, body any) {
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// serve handles a request for a route.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, route string, h handler) {
	c, err := read(r)
	if err != nil {
		answer(w, 400, map[string]any{"message": "The request body contains invalid JSON.", "code": 50109})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Happened()
	reason, _ := url.PathUnescape(r.Header.Get("X-Audit-Log-Reason"))
	s.requests = append(s.requests, Request{r.Method, strings.TrimPrefix(r.URL.Path, "/api/v10"), r.URL.RawQuery, string(c.raw), reason})
	w.Header().Set("Via", "1.1 google")
	if !strings.HasPrefix(route, "/interactions/") && r.Header.Get("Authorization") != "Bot "+Token {
		refuse(w, errUnauthorized)
		return
	}
	if s.spec != nil {
		if err := s.spec.check(route, c); err != nil {
			s.t.Errorf("discordtest: %s %s is not what Discord's description asks for: %v", r.Method, route, err)
		}
	}
	var fault *Fault
	if writes := r.Method != http.MethodGet && strings.HasPrefix(route, "/channels/") && !strings.HasSuffix(route, "/typing"); writes {
		fault = s.fault(r)
	}
	if fault != nil && !fault.Done {
		fail(w, *fault)
		return
	}
	if !s.enter(w, r, route) {
		return
	}
	body, problem := h(c)
	switch {
	case fault != nil:
		fail(w, *fault)
	case problem != nil:
		refuse(w, problem)
	case body == nil:
		answer(w, http.StatusNoContent, nil)
	default:
		status := http.StatusOK
		if code, ok := body.(withStatus); ok {
			status, body = code.status, code.body
		}
		answer(w, status, body)
	}
}

// withStatus is an answer with another status than 200.
type withStatus struct {
	status int
	body   any
}

func refuse(w http.ResponseWriter, p *problem) {
	body := map[string]any{"message": p.message, "code": p.code}
	if p.errors != nil {
		body["errors"] = p.errors
	}
	answer(w, p.status, body)
}

// fail answers as a fault says, or closes the connection.
func fail(w http.ResponseWriter, f Fault) {
	switch {
	case f.Status == 0:
		panic(http.ErrAbortHandler)
	case f.Status == http.StatusTooManyRequests:
		tooMany(w, f.RetryAfter, f.Global)
	case f.Code != 0:
		refuse(w, &problem{f.Status, f.Code, f.Message, nil})
	default:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, "<html>upstream error</html>")
	}
}

func tooMany(w http.ResponseWriter, wait time.Duration, global bool) {
	w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	w.Header().Set("X-RateLimit-Scope", "user")
	if global {
		w.Header().Set("X-RateLimit-Global", "true")
		w.Header().Set("X-RateLimit-Scope", "global")
	}
	answer(w, http.StatusTooManyRequests, map[string]any{
		"message": "You are being rate limited.", "retry_after": wait.Seconds(), "global": global,
	})
}

// A rate is how often something may be done.
type rate struct {
	count int
	per   time.Duration
}

type bucket struct {
	left  int
	until time.Time
}

// enter counts a request, sets the headers that tell how many are left, and refuses it
// when none is.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, route string) bool {
	limit := rate{1000, time.Second}
	if s.postRate.count > 0 && r.Method == http.MethodPost && strings.HasSuffix(route, "/messages") {
		limit = s.postRate
	}
	name := r.Method + route + r.PathValue("channel") + r.PathValue("guild")
	b := s.limits[name]
	if b == nil || !s.now().Before(b.until) {
		b = &bucket{limit.count, s.now().Add(limit.per)}
		s.limits[name] = b
	}
	wait := b.until.Sub(s.now())
	h := w.Header()
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%x", name))
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit.count))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(b.left-1, 0)))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(b.until.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", wait.Seconds()))
	if b.left == 0 {
		tooMany(w, wait, false)
		return false
	}
	b.left--
	return true
}

// largest is how much fits into a request.
const largest = 25 << 20

func read(r *http.Request) (*call, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, largest+1<<20))
	if err != nil {
		return nil, err
	}
	c := &call{r: r, raw: raw, files: map[string]upload{}}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	payload := raw
	if kind == "multipart/form-data" {
		payload = nil
		parts := multipart.NewReader(bytes.NewReader(raw), params["boundary"])
		for {
			part, err := parts.NextPart()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, err
			}
			data, err := io.ReadAll(part)
			if err != nil {
				return nil, err
			}
			if part.FormName() == "payload_json" {
				payload = data
				continue
			}
			c.files[part.FormName()] = upload{part.FileName(), part.Header.Get("Content-Type"), data}
		}
	}
	if len(payload) == 0 {
		return c, nil
	}
	if kind == "application/json" || kind == "multipart/form-data" {
		err = json.Unmarshal(payload, &c.body)
	}
	return c, err
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	data, ok := s.files[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Header.Get("Authorization") != "" {
		s.t.Errorf("discordtest: the bot's token was sent to where files are")
	}
	_, _ = w.Write(data)
}

// into reads a request's body into a struct.
func (c *call) into(v any) {
	raw, _ := json.Marshal(c.body)
	_ = json.Unmarshal(raw, v)
}

// has tells whether a field was given, be it as null.
func (c *call) has(field string) bool {
	_, ok := c.body[field]
	return ok
}
