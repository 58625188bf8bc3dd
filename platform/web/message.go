package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/asidehq/aside/platform"
)

const (
	largestMessage = 1 << 20 // the whole body, in bytes
	longestUser    = 100     // characters
	longestKey     = 200     // bytes
	longestReplyTo = 200

	fewMessages  = 200 // in an answer, if the request does not say
	mostMessages = 1000

	// storeWithin is how long a message may take into the inbox. Without an end, a store that hangs would keep Run from returning.
	storeWithin = 30 * time.Second
)

// postMessage takes a message from a person. 202 is the promise that it will be
// answered, so it is given only when the message is stored.
func (w *Web) postMessage(rw http.ResponseWriter, r *http.Request) {
	run := w.receive()
	if run == nil {
		refuseForNow(rw)
		return
	}
	defer run.receiving.Done()
	defer hurry(run, rw)()
	e, err := w.readMessage(rw, r)
	switch {
	case err != nil && run.ctx.Err() != nil:
		refuseForNow(rw)
		return
	case err != nil:
		refuseRequest(rw, err)
		return
	}
	// Whoever sent it may be gone before it is stored; it is stored.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), storeWithin)
	defer cancel()
	err = w.take(ctx, run, e)
	switch {
	case err != nil && run.ctx.Err() != nil:
		refuseForNow(rw)
		return
	case err != nil:
		// Nothing is wrong with the request, so that clients try again by themselves.
		w.logger.Error("the message could not be stored", "error", err)
		rw.Header().Set("Retry-After", "1")
		refuse(rw, http.StatusServiceUnavailable, "the message could not be stored; try again")
		return
	}
	w.answer(rw, http.StatusAccepted, map[string]string{"id": e.ID, "room": e.Room})
}

// hurry ends the reading of a request when the run ends: Run waits for it, and whoever
// sends a large file slowly, or not at all, would keep it from returning.
func hurry(run *run, rw http.ResponseWriter) (stop func() bool) {
	control := http.NewResponseController(rw)
	return context.AfterFunc(run.ctx, func() { _ = control.SetReadDeadline(time.Now()) })
}

// take brings a message into the inbox, and so into the log.
func (w *Web) take(ctx context.Context, run *run, e Entry) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(run.ctx, cancel)() // or Run would wait for an inbox that waits
	defer w.wake(e.Room)
	return run.inbox.Receive(ctx, platform.Message{
		Room: platform.Room{Platform: w.Name(), ID: e.Room}, ID: e.ID,
		Author: platform.Person{ID: e.Author, Name: e.Author},
		Text:   e.Text, ReplyTo: e.ReplyTo, At: e.At,
		Direct: true, // nobody has to be mentioned on the agent's own page
		Files:  attached(e.Files),
	})
}

func attached(files []File) []platform.File {
	var all []platform.File
	for _, f := range files {
		all = append(all, platform.File{ID: f.ID, Name: f.Name, Type: f.Type, Size: f.Size, Data: f.Data})
	}
	return all
}

func (w *Web) readMessage(rw http.ResponseWriter, r *http.Request) (Entry, error) {
	room, err := roomOf(r)
	if err != nil {
		return Entry{}, err
	}
	key := r.Header.Get("Idempotency-Key")
	if len(key) > longestKey {
		return Entry{}, invalid("Idempotency-Key is longer than %d bytes", longestKey)
	}
	fields, files, err := w.readBody(rw, r, "text", "user", "reply_to")
	if err != nil {
		return Entry{}, err
	}
	e := Entry{
		Room: room, Author: strings.TrimSpace(fields["user"]), Kind: "person", Text: fields["text"], ReplyTo: fields["reply_to"],
		Reactions: []string{}, Files: files, At: w.now(),
	}
	switch {
	case strings.TrimSpace(e.Text) == "" && len(files) == 0:
		return Entry{}, invalid("text is empty")
	case utf8.RuneCountInString(e.Author) > longestUser:
		return Entry{}, invalid("user is longer than %d characters", longestUser)
	case strings.ContainsFunc(e.Author, unicode.IsControl):
		return Entry{}, invalid("user has a control character in it")
	case len(e.ReplyTo) > longestReplyTo:
		return Entry{}, invalid("reply_to is not the id of a message")
	}
	if e.Author == "" {
		e.Author = "you"
	}
	if key == "" {
		e.ID = idOfMessage + w.newID()
	} else {
		e.ID = derive(idOfKey, room+"\x00"+key)
	}
	return e, nil
}

// readBody reads the fields of a message, and its files if it comes as a form.
func (w *Web) readBody(rw http.ResponseWriter, r *http.Request, names ...string) (map[string]string, []File, error) {
	if isForm(r) {
		return w.readForm(rw, r, names...)
	}
	fields, err := readFields(rw, r, largestMessage, names...)
	return fields, nil, err
}

// A shown entry is one as it stands in an answer.
type shownEntry struct {
	Entry
	HTML     string            `json:"html,omitempty"`
	Outcomes []json.RawMessage `json:"outcomes"`
	Settled  *bool             `json:"settled,omitempty"` // of a person's message
}

func (w *Web) getMessages(rw http.ResponseWriter, r *http.Request) {
	room, err := roomOf(r)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	limit, err := queryNumber(r, "limit", fewMessages, 1, mostMessages)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	html, err := wantsHTML(r)
	if err != nil {
		refuseRequest(rw, err)
		return
	}
	// Before the entries: what happens in between is then behind it, and not missed.
	last, err := w.log.Last(r.Context(), room)
	if err != nil {
		w.broken(rw, "the messages could not be read", err)
		return
	}
	var entries []Entry
	if query := r.URL.Query(); query.Has("before") {
		entries, err = w.log.EntriesBefore(r.Context(), room, query.Get("before"), limit)
	} else {
		entries, err = w.log.Entries(r.Context(), room, query.Get("after"), limit)
	}
	if err != nil {
		w.broken(rw, "the messages could not be read", err)
		return
	}
	shown := make([]shownEntry, len(entries))
	for i, e := range entries {
		if e.Reactions == nil {
			e.Reactions = []string{}
		}
		if e.Files == nil {
			e.Files = []File{}
		}
		outcomes, settled, err := w.outcomes(r.Context(), e)
		if err != nil {
			w.broken(rw, "the outcomes of a message could not be read", err)
			return
		}
		shown[i] = shownEntry{Entry: e, Outcomes: outcomes, Settled: settled}
		if html {
			shown[i].HTML = w.html(e)
		}
	}
	w.answer(rw, http.StatusOK, map[string]any{"event": last, "messages": shown})
}
