package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

const picture = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"

// A seeingModel keeps the images it is shown and replies as it is told to.
type seeingModel struct {
	reply func(text string) string
	asked chan struct{} // gets one for each request, if there is room
	hold  chan struct{} // requests wait for it

	mu     sync.Mutex
	images []string // of the last request
}

func (m *seeingModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	var images []string
	text := ""
	for _, message := range request.Messages {
		text = "" // of the last one
		var parts []struct {
			Type, Text string
			ImageURL   struct{ URL string } `json:"image_url"`
		}
		if json.Unmarshal(message.Content, &text) == nil || json.Unmarshal(message.Content, &parts) != nil {
			continue
		}
		for _, part := range parts {
			text += part.Text
			if data, ok := strings.CutPrefix(part.ImageURL.URL, "data:image/png;base64,"); ok {
				image, _ := base64.StdEncoding.DecodeString(data) // what is none is not equal
				images = append(images, string(image))
			}
		}
	}
	m.mu.Lock()
	m.images = images
	m.mu.Unlock()
	select {
	case m.asked <- struct{}{}:
	default:
	}
	select {
	case <-m.hold:
	case <-r.Context().Done():
		return
	}
	stream(w, m.reply(text))
	finish(w)
}

func (m *seeingModel) seen() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.images
}

func startSeeing(t *testing.T, reply func(text string) string) (*victim, *seeingModel) {
	t.Helper()
	m := &seeingModel{reply: reply, asked: make(chan struct{}, 1), hold: make(chan struct{})}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	v := newVictim(t, "sqlite", server.URL)
	v.start()
	return v, m
}

// upload sends a message with a file, which is accepted, and returns its id.
func (v *victim) upload(room, key, text, name, data string) string {
	v.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, data)
	}
	if err == nil {
		err = form.WriteField("text", text)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		v.t.Fatal(err)
	}
	r, _ := http.NewRequest(http.MethodPost, v.url+"/api/v1/rooms/"+room+"/messages", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Idempotency-Key", key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatalf("%v\n%s", err, v.output.String())
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusAccepted {
		v.t.Fatalf("the file was answered with %s %s, %v", answer.Status, said, err)
	}
	return idIn(v.t, string(said))
}

type fileEntry struct {
	Kind, Text string
	Files      []struct {
		ID, Name, Type string
		Size           int64
	}
}

// fileEntries are the entries of a room that have files.
func (v *victim) fileEntries(room, kind string) (all []fileEntry) {
	v.t.Helper()
	var page struct{ Messages []fileEntry }
	if err := json.Unmarshal([]byte(v.get("/api/v1/rooms/"+room+"/messages?limit=1000")), &page); err != nil {
		v.t.Fatal(err)
	}
	for _, e := range page.Messages {
		if e.Kind == kind && len(e.Files) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// outgoing puts a file where the agent may send it from.
func (v *victim) outgoing(name, data string) {
	v.t.Helper()
	if err := os.WriteFile(filepath.Join(v.data, "outbound", name), []byte(data), 0o600); err != nil {
		v.t.Fatal(err) // the directory is made by the program
	}
}

// holds asks that a room has one entry with one file, which can be downloaded.
func (v *victim) holds(room, kind, text, name, data string) {
	v.t.Helper()
	entries := v.fileEntries(room, kind)
	if len(entries) != 1 || len(entries[0].Files) != 1 || entries[0].Text != text || entries[0].Files[0].Name != name || entries[0].Files[0].Size != int64(len(data)) {
		v.t.Fatalf("in %s stands %+v", room, entries)
	}
	if got := v.get("/api/v1/files/" + entries[0].Files[0].ID); got != data {
		v.t.Errorf("the file of %s is %q", room, got)
	}
}

func TestAPictureReachesTheModelAndAFileThePerson(t *testing.T) {
	t.Parallel()
	report := "%PDF-1.7\n" + strings.Repeat("\x00\xff report", 100_000)
	v, m := startSeeing(t, func(text string) string {
		switch {
		case strings.HasPrefix(text, "what is it?"):
			return `A cat. <actions><send-file path="report.pdf" caption="All about it" cleanup="true"/></actions>`
		case strings.HasPrefix(text, "steal"):
			return `Here. <actions><send-file path="../aside.db"/></actions>`
		}
		return "You said " + text
	})
	close(m.hold)
	v.outgoing("report.pdf", report)
	id := v.upload("lobby", "one", "what is it?", "cat.png", picture)
	v.settle(id)
	if got := m.seen(); len(got) != 1 || got[0] != picture {
		t.Errorf("the model has seen %q", got)
	}
	v.holds("lobby", "person", "what is it?", "cat.png", picture)
	v.holds("lobby", "agent", "All about it", "report.pdf", report)
	v.isAnswered("lobby", id, "A cat.")
	if left := names(t, filepath.Join(v.data, "outbound")); left != "" {
		t.Errorf("left is %s", left)
	}
	v.isAnswered("lobby", v.say("lobby", "steal"), "Here.\n\nFailed: could not send aside.db: there is no such file in the directories that files may be sent from")
	if got := m.seen(); len(got) != 1 {
		t.Errorf("the model was reminded of %d images", len(got))
	}
	v.kill(syscall.SIGTERM)
}

func TestAPictureIsNotLostWithTheProcessThatReceivedIt(t *testing.T) {
	t.Parallel()
	v, m := startSeeing(t, func(string) string { return "A cat." })
	id := v.upload("lobby", "one", "", "cat.png", picture)
	<-m.asked
	v.kill(syscall.SIGKILL)
	close(m.hold)
	v.start()
	if again := v.upload("lobby", "one", "", "cat.png", picture); again != id {
		t.Errorf("sent again it is %s, not %s", again, id)
	}
	v.isAnswered("lobby", id, "A cat.")
	if got := m.seen(); len(got) != 1 || got[0] != picture {
		t.Errorf("the model has seen %q", got)
	}
	v.holds("lobby", "person", "", "cat.png", picture)
}

func TestAFileIsPostedOnceThoughTheProgramIsKilledAsSoonAsItStandsThere(t *testing.T) {
	t.Parallel()
	v, m := startSeeing(t, func(text string) string {
		return fmt.Sprintf(`Done. <actions><send-file path="%s.txt" cleanup="true"/></actions>`, text)
	})
	close(m.hold)
	for n := range 5 {
		room := fmt.Sprint("room", n)
		v.outgoing(room+".txt", "report of "+room)
		events, err := http.Get(v.url + "/api/v1/rooms/" + room + "/events?after=0")
		if err != nil {
			t.Fatal(err)
		}
		id := v.say(room, room)
		for lines := bufio.NewScanner(events.Body); lines.Scan(); {
			if strings.Contains(lines.Text(), `"kind":"agent"`) && strings.Contains(lines.Text(), room+".txt") {
				break
			}
		}
		v.kill(syscall.SIGKILL)
		events.Body.Close()
		v.start()
		v.isAnswered(room, id, "Done.")
		v.holds(room, "agent", "", room+".txt", "report of "+room)
		if left := names(t, filepath.Join(v.data, "outbound")); left != "" {
			t.Errorf("left is %s", left)
		}
	}
}

func TestAFileThatAReplyNamesIsSentAndItsPathIsNotShown(t *testing.T) {
	t.Parallel()
	m := &faultyModel{scripts: map[string][]http.HandlerFunc{}}
	v := startFaulty(t, m)
	path := filepath.Join(v.data, "outbound", "report.pdf")
	m.mu.Lock()
	m.scripts["where is it?"] = []http.HandlerFunc{says("It is in `" + path + "`.")}
	m.mu.Unlock()
	v.outgoing("report.pdf", "%PDF-1.7 report")
	id := v.say("lobby", "where is it?")
	v.isAnswered("lobby", id, "It is in `report.pdf`.")
	v.holds("lobby", "agent", "", "report.pdf", "%PDF-1.7 report")
	if events := v.events("lobby", 1); strings.Contains(events, v.data) {
		t.Errorf("the path was to be seen:\n%s", events)
	}
}
