package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestARestartDoesNotAnswerOldMessagesAgain(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, d *directChat) {
		d.model.does(func(w http.ResponseWriter, asked string) {
			stream(w, "Answer to "+asked)
			finish(w)
		})
		d.begin()
		var ids, want []string
		ask := func() {
			text := fmt.Sprint("question ", len(ids))
			ids, want = append(ids, d.write(text)), append(want, "Answer to "+text)
			d.settled(ids[len(ids)-1])
		}
		ask()
		ask()
		for _, sig := range []os.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL} {
			d.kill(sig)
			d.begin()
			for _, id := range ids {
				d.repeat(id) // and the platform brings them all once more
			}
			ask() // what was brought before it has been looked at
		}
		if got := d.posts(); !slices.Equal(got, want) {
			t.Errorf("posts are %q, want %q\n%s", got, want, d.output.String())
		}
		if heard := d.model.heard(); len(heard) != len(want) {
			t.Errorf("the model was asked %q", heard)
		}
	})
}

func TestWhatWasRepliedBeforeThePlatformIsConnectedIsDelivered(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, d *directChat) {
		asked := make(chan struct{}, 1)
		d.model.does(func(w http.ResponseWriter, _ string) { asked <- struct{}{} }) // and says nothing
		d.begin()
		id := d.write("are you there?")
		select {
		case <-asked:
		case <-time.After(time.Minute):
			t.Fatalf("the model was not asked\n%s", d.output.String())
		}
		d.kill(syscall.SIGKILL)
		d.gate.setShut(true)
		d.model.replies("Here I am.")
		d.start()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(25 * time.Millisecond) {
			turns := d.turns()
			if len(turns) == 1 && turns[0].State == "acted" {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("there is no reply: %+v\n%s", turns, d.output.String())
			}
		}
		if got := d.posts(); len(got) != 0 {
			t.Errorf("through a gate that is shut came %q", got)
		}
		d.gate.setShut(false)
		d.settled(id)
		if got := d.posts(); !slices.Equal(got, []string{"Here I am."}) {
			t.Errorf("posts are %q\n%s", got, d.output.String())
		}
	})
}

func TestWhatAProviderSaysIsWrongReachesNoRoom(t *testing.T) {
	t.Parallel()
	faults := []struct {
		name string
		step http.HandlerFunc
		want string
	}{
		{"the key is refused", refuses(401, `{"error":{"message":"Incorrect API key provided: `+anotherKey+`","code":"invalid_api_key","trace":"`+onlyInJSON+`"}}`), "The model's provider does not accept the key."},
		{"the request is refused", refuses(400, `{"error":{"message":"the seventh parameter is odd","trace":"`+onlyInJSON+`"}}`), "The model's provider does not understand the request."},
		{"there is no money left", refuses(429, `{"error":{"message":"`+onlyInJSON+`","type":"insufficient_quota","code":"insufficient_quota"}}`), "has no credit left."},
		{"an error in the middle of a reply", func(w http.ResponseWriter, _ *http.Request) {
			stream(w, "Here it is. ")
			io.WriteString(w, `data: {"error":{"message":"Incorrect API key provided: `+anotherKey+`","code":"invalid_api_key","trace":"`+onlyInJSON+`"}}`+"\n\n")
		}, "Here it is.\n\nThe model's provider does not accept the key."},
	}
	everywhere(t, func(t *testing.T, d *directChat) {
		d.begin()
		for i, fault := range faults {
			d.model.does(func(w http.ResponseWriter, _ string) { fault.step(w, nil) })
			d.settled(d.write(fault.name))
			got := d.posts()
			if len(got) != i+1 || !strings.Contains(got[i], fault.want) {
				t.Fatalf("%s: posts are %q, want %q\n%s", fault.name, got, fault.want, d.output.String())
			}
		}
		for _, secret := range []string{anotherKey, onlyInJSON, "invalid_api_key", "insufficient_quota", "seventh parameter", `{"error"`} {
			if strings.Contains(d.gate.everythingSent(), secret) {
				t.Errorf("%q was sent", secret)
			}
		}
	})
}
