package slack_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/internal/slacktest"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/platformtest"
)

// hooked is a desk to which Slack sends requests.
func hooked(t *testing.T) (*desk, string) {
	t.Helper()
	d := newDesk(t)
	d.options.AppToken, d.options.SigningSecret = "", slacktest.SigningSecret
	d.anew()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.Slack.Hook()(w, r) }))
	t.Cleanup(server.Close)
	return d, server.URL
}

// send sends a request as Slack would, or not quite, and gives the answer.
func send(t *testing.T, to, body string, change func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	slacktest.Sign(r, slacktest.SigningSecret, []byte(body), time.Now())
	if change != nil {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(said)
}

func TestOnlyRequestsThatSlackHasSignedAreTaken(t *testing.T) {
	d, to := hooked(t)
	d.run()
	body := `{"type":"url_verification","challenge":"3eZbrw1aB"}`
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"one that is signed", nil, 200},
		{"one without a signature", func(r *http.Request) { r.Header.Del("X-Slack-Signature") }, 401},
		{"one without a time", func(r *http.Request) { r.Header.Del("X-Slack-Request-Timestamp") }, 401},
		{"one with another secret", func(r *http.Request) { slacktest.Sign(r, "x", []byte(body), time.Now()) }, 401},
		{"one with another body", func(r *http.Request) { slacktest.Sign(r, slacktest.SigningSecret, []byte(body+" "), time.Now()) }, 401},
		{"an old one", func(r *http.Request) {
			slacktest.Sign(r, slacktest.SigningSecret, []byte(body), time.Now().Add(-6*time.Minute))
		}, 401},
		{"one from the future", func(r *http.Request) {
			slacktest.Sign(r, slacktest.SigningSecret, []byte(body), time.Now().Add(6*time.Minute))
		}, 401},
		{"one whose time was changed", func(r *http.Request) { r.Header.Set("X-Slack-Request-Timestamp", fmt.Sprint(time.Now().Unix()+1)) }, 401},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, said := send(t, to, body, test.change)
			if status != test.status || (status == 200) != (said == "3eZbrw1aB") {
				t.Errorf("it is answered with %d %q", status, said)
			}
		})
	}
	if status, _ := send(t, to, strings.Repeat("x", 2<<20), nil); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large one is answered with %d", status)
	}
}

func TestRequestsAreAnsweredWhenWhatTheySayIsStored(t *testing.T) {
	d, to := hooked(t)
	d.Server.Hook(to)
	// Before it runs, nothing is taken.
	d.Server.Write(d.Ada, d.General, "too early")
	if status, _ := send(t, to, `{"type":"event_callback","event":{"type":"message"}}`, nil); status != http.StatusServiceUnavailable {
		t.Errorf("before it runs the answer is %d", status)
	}
	d.run()
	if err := d.Until(d.ctx, func() bool { return len(d.Requests("users.conversations")) > 0 }); err != nil {
		t.Fatal(err)
	}
	message := d.Server.Write(d.Ada, d.General, "<@"+d.Bot().ID+"> hi")
	if m := d.await(message); m.Text != "hi" || !m.Mentioned {
		t.Errorf("it is %+v", m)
	}
	<-d.Received(d.General, message)
	d.Repeat(d.General, message)
	id, answered := d.Command(d.Ada, d.Direct(d.Ada), "/aside", "stop")
	if answer, err := answered(d.ctx); err != nil || !strings.Contains(answer, `"OK"`) {
		t.Errorf("a command is answered with %s, %v", answer, err)
	}
	if m := d.await(id); m.Text != "/stop" {
		t.Errorf("it is %+v", m)
	}
	post := d.delivered(d.Post(d.ctx, platform.Post{Key: "a", Room: d.room(d.General, ""), Text: "?", Choices: []string{"✅"}, Created: d.clock.Now()}))
	if _, err := d.Press(d.Ada, d.General, post, "aside-choice-0", "✅")(d.ctx); err != nil {
		t.Fatal(err)
	}
	d.next(func(m platform.Message) bool { return m.Reaction != nil && m.Reaction.Emoji == "✅" })
	for _, nonsense := range []string{"", "{", "[]", `{"event":7}`, `{"event":{"type":"message","channel":{}}}`} {
		if status, _ := send(t, to, nonsense, nil); status != http.StatusOK { // it would not be any better the next time
			t.Errorf("%q is answered with %d", nonsense, status)
		}
	}
	d.halt()
	if status, _ := send(t, to, `{"event":{"type":"message"}}`, nil); status != http.StatusServiceUnavailable {
		t.Errorf("when it has stopped the answer is %d", status)
	}
}

func TestARequestWhoseMessageCannotBeStoredIsNotAnsweredWithSuccess(t *testing.T) {
	d, to := hooked(t)
	tried := make(chan struct{}, 100)
	d.inbox.Before(func(context.Context, platform.Message) error {
		select {
		case tried <- struct{}{}:
		default:
		}
		return platformtest.ErrNotStored
	})
	d.run()
	go func() {
		<-tried
		d.stop()
	}()
	body := `{"type":"event_callback","event":{"type":"message","channel":"` + d.Direct(d.Ada).ID + `","channel_type":"im","user":"` + d.Ada.ID + `","ts":"1700000000.000100","text":"hi"}}`
	for {
		status, _ := send(t, to, body, nil)
		if status == http.StatusOK {
			t.Fatal("it was answered with success")
		}
		if len(tried) > 0 || d.ctx.Err() != nil {
			break
		}
		select {
		case <-d.ended:
			return
		default:
		}
	}
}
