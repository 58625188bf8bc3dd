package telegramtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
)

// A Problem is what Telegram answers when it does not do something.
type Problem struct {
	Status      int
	Description string
	Parameters  map[string]any
}

// cut closes the connection instead of an answer.
var cut = &Problem{}

func bad(format string, args ...any) *Problem {
	return &Problem{http.StatusBadRequest, "Bad Request: " + fmt.Sprintf(format, args...), nil}
}

// A call is a request of a method.
type call struct {
	r      *http.Request
	method string
	params map[string]any
	files  map[string]File
}

func (c *call) has(name string) bool { _, ok := c.params[name]; return ok }

func (c *call) text(name string) string {
	switch v := c.params[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func (c *call) number(name string) int {
	n, _ := strconv.Atoi(c.text(name))
	return n
}

func (c *call) long(name string) int64 {
	n, _ := strconv.ParseInt(c.text(name), 10, 64)
	return n
}

func (c *call) yes(name string) bool {
	switch v := c.params[name].(type) {
	case bool:
		return v
	case string:
		return v == "true" || v == "1"
	}
	return false
}

// object reads a parameter that is no plain value: in a form it is a text with JSON.
func (c *call) object(name string, to any) bool {
	v, ok := c.params[name]
	if !ok {
		return false
	}
	raw, isText := v.(string)
	if !isText {
		data, err := json.Marshal(v)
		if err != nil {
			return false
		}
		raw = string(data)
	}
	return json.Unmarshal([]byte(raw), to) == nil
}

// read reads the parameters, in each of the ways in which Telegram takes them.
func read(r *http.Request, method string) (*call, *Problem) {
	c := &call{r: r, method: method, params: map[string]any{}, files: map[string]File{}}
	for name, values := range r.URL.Query() {
		c.params[name] = values[0]
	}
	kind, options, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		d := json.NewDecoder(r.Body)
		d.UseNumber()
		if err := d.Decode(&c.params); err != nil {
			return nil, bad("can't parse JSON object")
		}
	case "application/x-www-form-urlencoded":
		if err := r.ParseForm(); err != nil {
			return nil, bad("can't parse form")
		}
		for name, values := range r.PostForm {
			c.params[name] = values[0]
		}
	case "multipart/form-data":
		parts := multipart.NewReader(r.Body, options["boundary"])
		for {
			part, err := parts.NextPart()
			if errors.Is(err, io.EOF) { // a form may be empty
				break
			}
			if err != nil {
				return nil, bad("can't parse multipart form")
			}
			data, err := io.ReadAll(part)
			if err != nil {
				return nil, bad("can't parse multipart form")
			}
			if part.FileName() != "" {
				c.files[part.FormName()] = File{Name: part.FileName(), Type: part.Header.Get("Content-Type"), Data: data}
			} else {
				c.params[part.FormName()] = string(data)
			}
		}
	}
	return c, nil
}

func (s *Server) routes() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if rest, ok := strings.CutPrefix(path, "/file/bot"); ok {
			r.SetPathValue("token", before(rest))
			r.SetPathValue("path", after(rest))
			s.download(w, r)
			return
		}
		rest, ok := strings.CutPrefix(path, "/bot")
		if !ok {
			http.NotFound(w, r)
			return
		}
		r.SetPathValue("token", before(rest))
		r.SetPathValue("method", after(rest))
		s.serve(w, r)
	})
}

func before(path string) string { head, _, _ := strings.Cut(path, "/"); return head }
func after(path string) string  { _, tail, _ := strings.Cut(path, "/"); return tail }

// serve answers a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	method := r.PathValue("method")
	if token := r.PathValue("token"); token != Token {
		answer(w, nil, &Problem{http.StatusUnauthorized, "Unauthorized", nil})
		return
	}
	c, problem := read(r, method)
	if problem != nil {
		answer(w, nil, problem)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{method, c.params})
	if s.spec != nil {
		if err := s.spec.check(c); err != nil {
			s.t.Errorf("telegramtest: a request that Telegram does not describe: %s: %v", method, err)
		}
	}
	do, ok := methods[method]
	if !ok {
		answer(w, nil, &Problem{http.StatusNotFound, "Not Found", nil})
		return
	}
	if held := s.holds.Take(method); held != nil {
		if held.Done {
			_, _ = do(s, c)
			s.Happened()
		}
		s.mu.Unlock()
		defer s.mu.Lock() // which is given back above
		held.Keep(r)
	}
	if f := s.fault(method); f != nil {
		if f.Done {
			_, _ = do(s, c)
			s.Happened()
		}
		f.answer(w)
		return
	}
	result, problem := do(s, c)
	s.Happened()
	if problem == cut {
		hangUp(w)
		return
	}
	answer(w, result, problem)
}

func (f *Fault) answer(w http.ResponseWriter) {
	if f.Body != "" {
		w.Header().Set("Content-Type", "application/json")
		if f.Status != 0 {
			w.WriteHeader(f.Status)
		}
		_, _ = io.WriteString(w, f.Body)
		return
	}
	if f.Status == 0 {
		hangUp(w)
		return
	}
	p := &Problem{Status: f.Status, Description: f.Description}
	if f.Status == http.StatusTooManyRequests {
		after := int(f.RetryAfter.Seconds())
		p.Description = fmt.Sprintf("Too Many Requests: retry after %d", after)
		p.Parameters = map[string]any{"retry_after": after}
	}
	answer(w, nil, p)
}

// hangUp closes the connection.
func hangUp(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = conn.Close()
	}
}

func answer(w http.ResponseWriter, result any, problem *Problem) {
	body := map[string]any{"ok": problem == nil}
	status := http.StatusOK
	if problem != nil {
		status = problem.Status
		body["error_code"], body["description"] = problem.Status, problem.Description
		if problem.Parameters != nil {
			body["parameters"] = problem.Parameters
		}
	} else {
		body["result"] = result
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

var methods = map[string]func(*Server, *call) (any, *Problem){
	"getMe":               (*Server).getMe,
	"getUpdates":          (*Server).getUpdates,
	"setWebhook":          (*Server).setWebhook,
	"deleteWebhook":       (*Server).deleteWebhook,
	"setMyCommands":       (*Server).setMyCommands,
	"sendMessage":         (*Server).sendMessage,
	"sendPhoto":           (*Server).sendFile,
	"sendDocument":        (*Server).sendFile,
	"sendAudio":           (*Server).sendFile,
	"sendVoice":           (*Server).sendFile,
	"sendMediaGroup":      (*Server).sendMediaGroup,
	"sendPoll":            (*Server).sendPoll,
	"sendChatAction":      (*Server).sendChatAction,
	"editMessageText":     (*Server).editMessageText,
	"editMessageCaption":  (*Server).editMessageCaption,
	"editMessageMedia":    (*Server).editMessageMedia,
	"deleteMessage":       (*Server).deleteMessage,
	"setMessageReaction":  (*Server).setMessageReaction,
	"answerCallbackQuery": (*Server).answerCallbackQuery,
	"pinChatMessage":      (*Server).pinChatMessage,
	"unpinChatMessage":    (*Server).unpinChatMessage,
	"getChat":             (*Server).getChat,
	"getChatMember":       (*Server).getChatMember,
	"restrictChatMember":  (*Server).restrictChatMember,
	"banChatMember":       (*Server).banChatMember,
	"unbanChatMember":     (*Server).unbanChatMember,
	"getFile":             (*Server).getFile,
	"createForumTopic":    (*Server).createForumTopic,
	"editForumTopic":      (*Server).editForumTopic,
	"closeForumTopic":     (*Server).closeForumTopic,
	"reopenForumTopic":    (*Server).reopenForumTopic,
}

func (s *Server) getMe(*call) (any, *Problem) {
	me := user(s.bot)
	me["can_join_groups"], me["can_read_all_group_messages"], me["supports_inline_queries"] = true, false, false
	return me, nil
}

func (s *Server) setMyCommands(c *call) (any, *Problem) {
	var all []struct{ Command, Description string }
	if !c.object("commands", &all) {
		return nil, bad("can't parse BotCommand")
	}
	s.commands = nil
	for _, one := range all {
		if one.Description == "" {
			return nil, bad("BOT_COMMAND_DESCRIPTION_INVALID")
		}
		s.commands = append(s.commands, one.Command)
	}
	return true, nil
}
