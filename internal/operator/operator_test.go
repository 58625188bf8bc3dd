package operator_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/console"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

const token = "a token of 16 characters or more"

// An aside is a store with an API before it, as aside run has them.
type aside struct {
	data   string
	store  *store.Store
	server *httptest.Server
	woken  string
	off    string // why tasks may not be used
}

func newAside(t *testing.T) *aside {
	t.Helper()
	a := &aside{data: t.TempDir()}
	var err error
	if a.store, err = store.Open(t.Context(), "sqlite", a.data, time.Now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.store.Close() })
	desk := &console.Console{Store: a.store, Metrics: http.NotFoundHandler(), Queue: a, Gatherer: gatherer{}, Budget: 100}
	desk.Board, desk.Off = a.board(), func(string) string { return a.off }
	a.server = httptest.NewUnstartedServer(nil)
	page, err := web.New(web.Options{
		Log: store.Web{Store: a.store}, Listen: a.server.Listener.Addr().String(), Token: token,
		Turns: operator.Pages{Local: operator.Local{Store: a.store}}, More: desk.Routes(),
	})
	if err != nil {
		t.Fatal(err)
	}
	a.server.Config.Handler = page.Handler()
	a.server.Start()
	t.Cleanup(a.server.Close)
	ctx, stop := context.WithCancel(t.Context())
	running := make(chan error, 1)
	go func() { running <- page.Run(ctx, nil) }()
	t.Cleanup(func() {
		stop()
		if err := <-running; err != nil {
			t.Error(err)
		}
	})
	a.awaitReady(t)
	return a
}

// Enqueue notes which session would be worked through.
func (a *aside) Enqueue(open func(claim bool) (string, bool, error)) (err error) {
	a.woken, _, err = open(true)
	return err
}

// awaitReady asks until the API takes requests.
func (a *aside) awaitReady(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		answer, err := http.Get(a.server.URL + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return
		}
	}
	t.Fatal("the API is not ready")
}

// receive stores a message with a dead letter as its answer.
func (a *aside) receive(t *testing.T, room, text string) int64 {
	t.Helper()
	m := platform.Message{Room: platform.Room{Platform: "web", ID: room}, ID: text, Text: text, Author: platform.Person{ID: "ada", Name: "Ada"}, At: time.Now()}
	r, err := a.store.Receive(t.Context(), m, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.store.AddPost(t.Context(), store.Post{Key: "answer to/" + text, Turn: r.Turn, Room: m.Room, Text: "<b>" + text, State: store.Dead, Reason: "gone"}); err != nil {
		t.Fatal(err)
	}
	return r.Turn
}

// open is the way that Open finds while a process holds the data directory.
func (a *aside) open(t *testing.T) operator.Operator {
	t.Helper()
	if err := a.store.Announce(a.data, a.server.Listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	o, err := operator.Open(t.Context(), "sqlite", a.data, token)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := o.(operator.Remote); !ok {
		t.Fatalf("the way is %T", o)
	}
	return o
}

func TestBothWaysGiveTheSameAnswers(t *testing.T) {
	a := newAside(t)
	first := a.receive(t, "lobby", "one")
	middle := time.Now()
	a.receive(t, "attic", "two")
	local, remote := operator.Local{Store: a.store, Gatherer: gatherer{}, Budget: 100}, a.open(t)
	same := func(name string, ask func(operator.Operator) (any, error)) {
		t.Helper()
		x, errX := ask(local)
		y, errY := ask(remote)
		if !reflect.DeepEqual(plain(t, x), plain(t, y)) || (errX == nil) != (errY == nil) {
			t.Errorf("%s: the store says %s, %v\nand the API %s, %v", name, plain(t, x), errX, plain(t, y), errY)
		}
	}
	for _, room := range []string{"web/lobby", "web/nowhere", "discord/1 & 2", "lobby", ""} {
		same("the prompt in "+room, func(o operator.Operator) (any, error) { return o.Prompt(t.Context(), room, "a & b\n?") })
	}
	same("a turn", func(o operator.Operator) (any, error) { return o.Turn(t.Context(), first) })
	same("a turn that is not there", func(o operator.Operator) (any, error) {
		if _, err := o.Turn(t.Context(), 99); !errors.Is(err, operator.ErrNoSuchTurn) {
			t.Errorf("turn 99: %v", err)
		}
		return nil, nil
	})
	for _, q := range []operator.Query{
		{Limit: 20},
		{Limit: 1},
		{Room: "web/attic", Limit: 20},
		{State: "waiting", Limit: 20},
		{State: "settled", Limit: 20},
		{Since: middle, Limit: 20},
		{Room: "attic", Limit: 20},
		{State: "done", Limit: 20},
		{Limit: 0},
	} {
		same("turns", func(o operator.Operator) (any, error) { return o.Turns(t.Context(), q) })
	}
	same("dead letters", func(o operator.Operator) (any, error) { return o.Dead(t.Context()) })
}

// plain is a value as JSON, without what encoding may lose.
func plain(t *testing.T, value any) string {
	t.Helper()
	b, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "null", "[]")
}

func TestARunningAsideIsAskedToResendAndDrop(t *testing.T) {
	a := newAside(t)
	a.receive(t, "lobby", "one")
	a.receive(t, "attic", "two")
	o := a.open(t)
	if err := o.Resend(t.Context(), "answer to/one"); err != nil || a.woken != "web/lobby" {
		t.Errorf("sent again: %v, woken %q", err, a.woken)
	}
	if err := o.Drop(t.Context(), "answer to/two"); err != nil {
		t.Errorf("dropped: %v", err)
	}
	for name, do := range map[string]func(context.Context, string) error{"resend": o.Resend, "drop": o.Drop} {
		if err := do(t.Context(), "answer to/one"); !errors.Is(err, operator.ErrNoSuchLetter) {
			t.Errorf("%s of what is no dead letter: %v", name, err)
		}
	}
	if letters, err := o.Dead(t.Context()); err != nil || len(letters) != 0 {
		t.Errorf("the dead letters are %v, %v", letters, err)
	}
}

func TestAStoreThatNobodyHoldsIsWorkedOnDirectly(t *testing.T) {
	a := newAside(t)
	a.receive(t, "lobby", "one")
	if err := a.store.Close(); err != nil {
		t.Fatal(err)
	}
	o, err := operator.Open(t.Context(), "sqlite", a.data, "")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Resend(t.Context(), "answer to/one"); err != nil {
		t.Error(err)
	}
	turns, err := o.Turns(t.Context(), operator.Query{State: "acted", Limit: 1})
	if err != nil || len(turns) != 1 || turns[0].Receipts[0].State != store.Queued {
		t.Errorf("the turns are %s, %v", plain(t, turns), err)
	}
}

func TestWhyThereIsNoWay(t *testing.T) {
	a := newAside(t)
	o := a.open(t).(operator.Remote)
	o.Token = "wrong"
	if _, err := o.Dead(t.Context()); err == nil || !strings.Contains(err.Error(), "does not accept the token") || strings.Contains(err.Error(), "wrong") {
		t.Errorf("with a wrong token: %v", err)
	}
	o.Token = token
	a.server.Close()
	if _, err := o.Dead(t.Context()); err == nil || !strings.Contains(err.Error(), "does not answer at "+o.Address) {
		t.Errorf("nobody there: %v", err)
	}
	if err := os.Remove(filepath.Join(a.data, "address")); err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Open(t.Context(), "sqlite", a.data, token); !errors.Is(err, operator.ErrStarting) {
		t.Errorf("no address yet: %v", err)
	}
	if _, err := operator.Open(t.Context(), "sqlite", t.TempDir(), token); !errors.Is(err, store.ErrNoData) {
		t.Errorf("no data: %v", err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) }))
	defer other.Close()
	o.Address = strings.TrimPrefix(other.URL, "http://")
	if _, err := o.Dead(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("another server: %v", err)
	}
}

func TestWhereAProcessIsReached(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8787": "127.0.0.1:8787", "0.0.0.0:80": "localhost:80", "[::]:80": "localhost:80", ":80": "localhost:80",
		"[::1]:80": "[::1]:80", "bot.example.com:80": "bot.example.com:80",
	} {
		if got := operator.Dial(listen); got != want {
			t.Errorf("%s is reached at %s, want %s", listen, got, want)
		}
	}
}
