package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Torture: many rooms, writers that try again with the same key, a model whose
// replies act, and a program that is killed at random moments, over and over. At the
// end every accepted message has exactly one answer, in order, every action ran
// exactly once, nothing raw was ever visible, and nothing is left over.
//
// make torture does it at length; ASIDE_TORTURE is how often it is killed.
func TestTorture(t *testing.T) {
	for name, sig := range map[string]os.Signal{"kill -9": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) { torture(t, sig, tortureKills(6), "sqlite", 1) })
	}
}

// tortureKills is how often the program is killed: a few times, or as often as was
// asked for.
func tortureKills(few int) int {
	if n, err := strconv.Atoi(os.Getenv("ASIDE_TORTURE")); err == nil {
		return n
	}
	return few
}

const (
	tortureRooms   = 20
	tortureWriters = 8
)

func torture(t *testing.T, sig os.Signal, kills int, database string, processes int) {
	model := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(model.Close)
	var victims []*victim
	for range processes {
		victims = append(victims, newVictim(t, database, model.URL))
	}
	for _, v := range victims {
		v.start()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()

	var watching sync.WaitGroup
	for room := range tortureRooms {
		watching.Go(func() { victims[room%processes].watch(ctx, roomName(room)) })
	}
	// Writers write until the last kill, and finish what they have begun.
	over := make(chan struct{})
	accepted := make([][]string, tortureRooms)
	var writing sync.WaitGroup
	for w := range tortureWriters {
		writing.Go(func() {
			for n := 0; ; n++ {
				for room := w; room < tortureRooms; room += tortureWriters {
					select {
					case <-over:
						return
					default:
					}
					text := fmt.Sprintf("m-%d-%d", room, n)
					victims[n%processes].write(roomName(room), text)
					accepted[room] = append(accepted[room], text)
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(7, uint64(kills)))
	for range kills {
		time.Sleep(time.Duration(20+random.IntN(400)) * time.Millisecond) // the moment is the point
		v := victims[random.IntN(processes)]
		v.kill(sig)
		v.start()
	}
	close(over)
	writing.Wait()
	victims[0].check(accepted)
	stop()
	watching.Wait()
	for _, v := range victims {
		v.kill(syscall.SIGTERM)
	}
}

func roomName(n int) string { return fmt.Sprintf("room%02d", n) }

// A victim is the real program with a model server beside it.
type victim struct {
	t      *testing.T
	config string
	url    string
	cmd    *exec.Cmd
	output bytes.Buffer
}

func newVictim(t *testing.T, database, model string) *victim {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	dir := t.TempDir()
	v := &victim{t: t, config: filepath.Join(dir, "aside.yaml"), url: "http://" + address}
	text := fmt.Sprintf("data: %s\ndatabase: %s\nlisten: %s\nmodels:\n  chat: {provider: openai, model: test, base_url: %s, api_key: none}\n",
		filepath.Join(dir, "data"), database, address, model)
	if err := os.WriteFile(v.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return v
}

// answer is the model: it streams a reply with instructions in it.
func answer(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked := request.Messages[len(request.Messages)-1].Content
	reply := fmt.Sprintf("Answer to %s, <actions><react emoji=\"eyes\"/></actions>with `[CODE]`.\n[REMEMBER:%s]\n<action>{\"type\":\"sendMessage\",\"chat\":\"log\",\"content\":\"did %s\"}</action>", asked, asked, asked)
	w.Header().Set("Content-Type", "text/event-stream")
	for chunk := range slices.Chunk([]byte(reply), 7) {
		text, _ := json.Marshal(string(chunk))
		fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", text)
		w.(http.Flusher).Flush()
	}
	io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// start starts the program and waits until it is ready.
func (v *victim) start() {
	v.t.Helper()
	v.cmd = exec.Command("aside", "run", "--config", v.config, "--log-level", "warn")
	v.cmd.Env = append(os.Environ(), noWaitAtExit)
	v.cmd.Stderr = &v.output
	if err := v.cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { v.cmd.Process.Kill() })
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); {
		if answer, err := http.Get(v.url + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	v.t.Fatalf("it is not ready:\n%s", v.output.String())
}

// kill ends the program and waits until it is gone.
func (v *victim) kill(sig os.Signal) {
	v.t.Helper()
	if err := v.cmd.Process.Signal(sig); err != nil {
		v.t.Fatalf("it is gone already: %v\n%s", err, v.output.String())
	}
	err := v.cmd.Wait()
	if sig == syscall.SIGTERM && err != nil {
		v.t.Errorf("after SIGTERM it ended with %v\n%s", err, v.output.String())
	}
}

// write writes a message, again and again until it is accepted.
func (v *victim) write(room, text string) {
	body, _ := json.Marshal(map[string]string{"text": text, "user": "ada"})
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); {
		r, _ := http.NewRequest(http.MethodPost, v.url+"/api/v1/rooms/"+room+"/messages", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", text)
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if answer.StatusCode == http.StatusAccepted {
				return
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	v.t.Errorf("%s was never accepted", text)
}

// watch follows a room's events and looks for anything raw.
func (v *victim) watch(ctx context.Context, room string) {
	last := "0"
	for ctx.Err() == nil {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, v.url+"/api/v1/rooms/"+room+"/events", nil)
		r.Header.Set("Last-Event-ID", last)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			line := lines.Text()
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				last = id
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				v.look(data)
			}
		}
		answer.Body.Close()
	}
}

// look reports an event in which something raw is visible.
func (v *victim) look(data string) {
	var entry struct{ Kind, Text string }
	if err := json.Unmarshal([]byte(data), &entry); err != nil || entry.Kind != "agent" {
		return
	}
	for _, raw := range []string{"<act", "</act", "emoji=", "[REM", "sendMessage", "\"type\""} {
		if strings.Contains(entry.Text, raw) {
			v.t.Errorf("this was visible: %q", entry.Text)
		}
	}
}

type tortureEntry struct {
	ID, Kind, Text string
	ReplyTo        string `json:"reply_to"`
	Reactions      []string
}

func (v *victim) entries(room string) []tortureEntry {
	v.t.Helper()
	answer, err := http.Get(v.url + "/api/v1/rooms/" + room + "/messages?limit=1000")
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	var page struct{ Messages []tortureEntry }
	if err := json.NewDecoder(answer.Body).Decode(&page); err != nil {
		v.t.Fatal(err)
	}
	return page.Messages
}

// check waits until every accepted message is answered and asks that all is as if
// nothing had happened.
func (v *victim) check(accepted [][]string) {
	v.t.Helper()
	total := 0
	for room, texts := range accepted {
		total += len(texts)
		var answers []tortureEntry
		var messages []tortureEntry
		for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			answers, messages = nil, nil
			for _, e := range v.entries(roomName(room)) {
				if e.Kind == "agent" {
					answers = append(answers, e)
				} else {
					messages = append(messages, e)
				}
			}
			if len(answers) >= len(texts) && strings.Contains(answers[len(answers)-1].Text, "remembered") {
				break
			}
		}
		if len(answers) != len(texts) || len(messages) != len(texts) {
			v.t.Fatalf("room %d: %d messages were accepted, %d stand there, %d answers\n%s", room, len(texts), len(messages), len(answers), v.output.String())
		}
		for i, text := range texts {
			want := fmt.Sprintf("Answer to %s, with `[CODE]`.\n\nDone: remembered: %s", text, text)
			if answers[i].Text != want || answers[i].ReplyTo != messages[i].ID || messages[i].Text != text {
				v.t.Errorf("room %d: answer %d is %q to %q, want %q", room, i, answers[i].Text, messages[i].Text, want)
			}
			if !slices.Equal(messages[i].Reactions, []string{"👀"}) {
				v.t.Errorf("room %d: message %d has the reactions %v", room, i, messages[i].Reactions)
			}
		}
	}
	logged := map[string]int{}
	for _, e := range v.entries("log") {
		logged[e.Text]++
	}
	for _, texts := range accepted {
		for _, text := range texts {
			if total <= 1000 && logged["did "+text] != 1 {
				v.t.Errorf("the action of %s was done %d times", text, logged["did "+text])
			}
		}
	}
	v.t.Logf("%d messages, each answered once and in order", total)
}
