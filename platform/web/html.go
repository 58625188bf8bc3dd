package web

import (
	"encoding/json"
	"net/http"
)

// wantsHTML reports whether a request asks for the agent's texts as HTML too.
func wantsHTML(r *http.Request) (bool, error) {
	switch r.URL.Query().Get("html") {
	case "":
		return false, nil
	case "1":
		return true, nil
	}
	return false, invalid("html is 1 or missing")
}

// html is an entry's text as HTML. What people write is shown as they wrote it.
func (w *Web) html(e Entry) string {
	if w.render == nil || e.Kind != "agent" || e.Text == "" {
		return ""
	}
	return w.render(e.Text)
}

// An entryWithHTML is an entry as it stands in an event for whoever asks for HTML.
type entryWithHTML struct {
	Entry
	HTML string `json:"html,omitempty"`
}

// withHTML adds the HTML to an event that has an entry for its body.
func (w *Web) withHTML(e Event) (Event, error) {
	switch e.Kind {
	case "post", "edit", "react", "mark":
	default:
		return e, nil
	}
	var entry Entry
	if err := json.Unmarshal(e.Body, &entry); err != nil {
		return e, err
	}
	body, err := json.Marshal(entryWithHTML{entry, w.html(entry)})
	if err != nil {
		return e, err
	}
	e.Body = body
	return e, nil
}
