package slacktest

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

func (s *Server) uploadURL(c *call) answer {
	size, err := strconv.Atoi(c.get("length"))
	if c.get("filename") == "" || err != nil || size <= 0 {
		return no("invalid_arguments")
	}
	f := &File{ID: s.id("F"), Name: c.get("filename"), Owner: s.bot.ID, Data: make([]byte, size), shares: map[string][]map[string]any{}}
	s.files[f.ID] = f
	return answer{"upload_url": s.http.URL + "/upload/" + f.ID, "file_id": f.ID}
}

func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request) {
	upload, _, err := r.FormFile("file")
	var data []byte
	if err == nil {
		data, err = io.ReadAll(upload)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[r.PathValue("file")]
	if f == nil || err != nil || len(data) != len(f.Data) {
		http.Error(w, "the upload is not what was announced", http.StatusBadRequest)
		return
	}
	f.Data, f.uploaded = data, true
	_, _ = io.WriteString(w, "OK - "+strconv.Itoa(len(data)))
}

func (s *Server) completeUpload(c *call) answer {
	var wanted []struct{ ID, Title string }
	if json.Unmarshal([]byte(c.get("files")), &wanted) != nil || len(wanted) == 0 {
		return no("invalid_arguments")
	}
	at := s.channel(c.get("channel_id"))
	switch {
	case at == nil:
		return no("channel_not_found")
	case !contains(at.members, s.bot.ID):
		return no("not_in_channel")
	case at.Archived:
		return no("is_archived")
	}
	m := &Message{Channel: at.ID, User: s.bot.ID, BotID: s.bot.BotID, AppID: s.bot.AppID, Text: c.get("initial_comment"), ThreadTS: c.get("thread_ts"), Subtype: "file_share"}
	made := []map[string]any{}
	for _, w := range wanted {
		f := s.files[w.ID]
		if f == nil || !f.uploaded || f.complete {
			return no("file_not_found")
		}
		f.Title, f.hidden = w.Title, s.slowFiles
		m.Files = append(m.Files, f)
		made = append(made, map[string]any{"id": f.ID, "title": f.Title})
	}
	s.add(m)
	for _, f := range m.Files {
		f.complete = true
		f.shares[at.ID] = []map[string]any{{"ts": m.TS, "thread_ts": m.ThreadTS}}
	}
	return answer{"files": made}
}

func (s *Server) fileInfo(c *call) answer {
	f := s.files[c.get("file")]
	if f == nil {
		return no("file_not_found")
	}
	info := s.fileJSON(f)
	info["shares"] = map[string]any{}
	if f.hidden--; f.hidden < 0 {
		info["shares"] = map[string]any{"public": f.shares}
	}
	return answer{"file": info}
}

func (s *Server) serveDownload(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[r.PathValue("file")]
	switch {
	case r.Header.Get("Authorization") != "Bearer "+BotToken:
		// As Slack does: not an error, but the page to sign in.
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!DOCTYPE html><html>Sign in</html>")
	case f == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", f.Type)
		_, _ = w.Write(f.Data)
	}
}
