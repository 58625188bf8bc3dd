package slacktest

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A call is a request for a method, with the server's lock held.
type call struct {
	method string
	values url.Values
}

func (c *call) get(name string) string { return c.values.Get(name) }

func (c *call) flag(name string) bool {
	v, _ := strconv.ParseBool(c.get(name))
	return v
}

type answer map[string]any

// no is Slack's way of saying no.
func no(problem string) answer { return answer{"ok": false, "error": problem} }

var methods = map[string]func(*Server, *call) answer{
	"auth.test":                    (*Server).authTest,
	"apps.connections.open":        (*Server).openConnection,
	"chat.postMessage":             (*Server).postMessage,
	"chat.update":                  (*Server).updateMessage,
	"chat.delete":                  (*Server).deleteMessage,
	"conversations.history":        (*Server).history,
	"conversations.replies":        (*Server).repliesTo,
	"conversations.list":           (*Server).listChannels,
	"conversations.info":           (*Server).channelInfo,
	"conversations.members":        (*Server).listMembers,
	"conversations.create":         (*Server).createChannel,
	"conversations.rename":         (*Server).renameChannel,
	"conversations.setTopic":       (*Server).setTopic,
	"conversations.archive":        (*Server).archive,
	"users.conversations":          (*Server).listOwn,
	"users.info":                   (*Server).userInfo,
	"users.list":                   (*Server).listUsers,
	"users.setPresence":            (*Server).setPresence,
	"users.profile.set":            (*Server).setProfile,
	"reactions.add":                (*Server).addReaction,
	"reactions.remove":             (*Server).removeReaction,
	"pins.add":                     (*Server).addPin,
	"pins.remove":                  (*Server).removePin,
	"pins.list":                    (*Server).listPins,
	"files.getUploadURLExternal":   (*Server).uploadURL,
	"files.completeUploadExternal": (*Server).completeUpload,
	"files.info":                   (*Server).fileInfo,
}

func (s *Server) serveMethod(w http.ResponseWriter, r *http.Request) {
	c, err := readCall(r)
	if err != nil {
		write(w, no("invalid_form_data"))
		return
	}
	do := methods[c.method]
	if do == nil {
		s.t.Errorf("slacktest: nobody answers %s", c.method)
		write(w, no("unknown_method"))
		return
	}
	held := s.holds.Take(c.method)
	if held != nil && !held.Done {
		held.Keep(r)
	}
	s.mu.Lock()
	a, fault := s.answer(c, r, do)
	s.Happened()
	s.mu.Unlock()
	switch {
	case held != nil:
		held.Keep(r)
	case fault != nil:
		fault.answer(w)
	default:
		write(w, a)
	}
}

func (s *Server) answer(c *call, r *http.Request, do func(*Server, *call) answer) (answer, *Fault) {
	noted := Request{c.method, map[string]string{}}
	for name := range c.values {
		noted.Values[name] = c.get(name)
	}
	delete(noted.Values, "token")
	s.requests = append(s.requests, noted)
	if r.URL.Query().Has("token") {
		s.t.Errorf("slacktest: the token of %s stands in its address", c.method)
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if token == "" {
		token = c.get("token")
	}
	want := BotToken
	if c.method == "apps.connections.open" {
		want = AppToken
	}
	if token != want {
		return no("invalid_auth"), nil
	}
	if s.spec != nil {
		if err := s.spec.check(c); err != nil {
			s.t.Errorf("slacktest: %s is not what Slack's description asks for: %v", c.method, err)
		}
	}
	fault := s.fault(c.method)
	if fault != nil && !fault.Done {
		return nil, fault
	}
	return do(s, c), fault
}

func (f *Fault) answer(w http.ResponseWriter) {
	switch {
	case f.Status == 0 && f.Error == "":
		panic(http.ErrAbortHandler)
	case f.Error != "":
		write(w, no(f.Error))
	case f.Status == http.StatusTooManyRequests:
		w.Header().Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, `{"ok":false,"error":"ratelimited"}`)
	default:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, "<html>upstream error</html>")
	}
}

func write(w http.ResponseWriter, a answer) {
	if _, said := a["ok"]; !said {
		a["ok"] = true
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(a)
}

// readCall reads a query, a form or JSON.
func readCall(r *http.Request) (*call, error) {
	c := &call{method: r.PathValue("method"), values: r.URL.Query()}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	if err != nil {
		return nil, err
	}
	switch {
	case len(body) == 0:
	case kind == "application/json":
		var fields map[string]any
		if err := json.Unmarshal(body, &fields); err != nil {
			return nil, err
		}
		for name, v := range fields {
			text, ok := v.(string)
			if !ok {
				packed, _ := json.Marshal(v)
				text = string(packed)
			}
			c.values.Set(name, text)
		}
	case kind == "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, err
		}
		for name, v := range form {
			c.values[name] = v
		}
	default:
		return nil, fmt.Errorf("a body of %q", kind)
	}
	return c, nil
}

// page cuts a list: limit and cursor, as all lists have.
func page[E any](c *call, all []E, a answer, name string) answer {
	limit, _ := strconv.Atoi(c.get("limit"))
	if limit <= 0 || limit > 1000 {
		limit = 100
	}
	from := 0
	if cursor := c.get("cursor"); cursor != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(cursor, "after-"))
		if err != nil || n > len(all) {
			return no("invalid_cursor")
		}
		from = n
	}
	to := min(len(all), from+limit)
	next := ""
	if to < len(all) {
		next = "after-" + strconv.Itoa(to)
	}
	a[name] = all[from:to:to]
	a["has_more"] = next != ""
	a["response_metadata"] = map[string]any{"next_cursor": next}
	return a
}
