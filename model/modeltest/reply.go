package modeltest

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/asidehq/aside/model"
)

func replies(t *testing.T, p Provider) {
	long := strings.Repeat("a long way to go, ", 1<<20/18)
	usage := model.Usage{Input: 11, Output: 7}
	whole := p.Begin + p.Text("Grüße, ") + p.Text("5 € 👋") + p.End[model.Done]
	cases := []struct {
		name    string
		packets []string
		text    string
		end     model.End
	}{
		{"in parts", []string{p.Begin, p.Text("Hel"), p.Text("lo"), p.End[model.Done]}, "Hello", model.Done},
		{"in one packet", []string{whole}, "Grüße, 5 € 👋", model.Done},
		{"in packets of one byte", strings.Split(whole, ""), "Grüße, 5 € 👋", model.Done},
		{"with lines that end in CR LF", []string{strings.ReplaceAll(whole, "\n", "\r\n")}, "Grüße, 5 € 👋", model.Done},
		{"with comments that keep the connection alive", []string{": wait\n\n", p.Begin, ":\n\n", p.Text("Hi"), ": wait\n\n", p.End[model.Done]}, "Hi", model.Done},
		{"with a quote, a newline and an escape", []string{p.Begin, p.Text("\"a\"\n\\n"), p.End[model.Done]}, "\"a\"\n\\n", model.Done},
		{"of a megabyte at once", []string{p.Begin, p.Text(long), p.End[model.Done]}, long, model.Done},
		{"that may not be longer", []string{p.Begin, p.Text("Hel"), p.End[model.Length]}, "Hel", model.Length},
		{"that the provider cuts", []string{p.Begin, p.Text("Hel"), p.End[model.Filtered]}, "Hel", model.Filtered},
		{"that is empty", []string{p.Begin, p.End[model.Done]}, "", model.Done},
		{"without a blank line at its end", []string{strings.TrimSuffix(whole, "\n")}, "Grüße, 5 € 👋", model.Done},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := Read(t, p.at(t, sends(c.packets...)).Stream(t.Context(), hello))
			if a.Text != c.text || a.End != c.end || a.Usage != usage || a.Err != nil {
				t.Errorf("got %v", a)
			}
		})
	}
	t.Run("whose connection is cut after its end", func(t *testing.T) {
		m := p.at(t, func(w http.ResponseWriter, _ *http.Request) {
			Send(w, p.Begin, p.Text("Hello"), p.End[model.Done])
			Cut(w)
		})
		if a := Read(t, m.Stream(t.Context(), hello)); a.Text != "Hello" || a.End != model.Done {
			t.Errorf("got %v", a)
		}
	})
}

func requests(t *testing.T, p Provider) {
	for name, value := range p.Environment {
		t.Setenv(name, value)
	}
	picture := []byte("\x89PNG picture")
	conversation := model.Request{System: "Be brief, a<b.", Messages: []model.Message{
		{Role: model.User, Text: "first question"},
		{Role: model.Assistant, Text: ""}, // was cut before its first word
		{Role: model.User, Text: " \n"},
		{Role: model.Assistant, Text: "first answer"},
		{Role: model.User, Text: "second question", Images: []model.Image{{Type: "image/png", Data: picture}}},
		{Role: model.User, Images: []model.Image{{Type: "image/jpeg", Data: picture}}},
	}}
	for _, key := range []string{Key, ""} {
		name := "with a key"
		if key == "" {
			name = "without a key none is sent, whatever the environment has"
		}
		t.Run(name, func(t *testing.T) {
			var asked []*http.Request
			var body []byte
			m := p.New(address(t, func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r)
				body, _ = io.ReadAll(r.Body)
				Send(w, p.Begin, p.Text("Hi"), p.End[model.Done])
			}), key)
			if a := Read(t, m.Stream(t.Context(), conversation)); a.Text != "Hi" || len(asked) != 1 {
				t.Fatalf("got %v after %d requests", a, len(asked))
			}
			if sent := asked[0].Header.Get(p.KeyHeader); sent != key && sent != "Bearer "+key || key == "" && sent != "" {
				t.Errorf("the key is sent as %q", sent)
			}
			for _, value := range p.Environment {
				for _, sent := range asked[0].Header {
					if strings.Contains(strings.Join(sent, " "), value) {
						t.Errorf("%q from the environment is sent", value)
					}
				}
			}
			at := 0 // everything is there, in this order
			image := base64.StdEncoding.EncodeToString(picture)
			for _, part := range []string{"first question", "first answer", "image/jpeg"} {
				i := bytes.Index(body[at:], []byte(part))
				if i < 0 {
					t.Fatalf("no %q where it should be in %s", part, body)
				}
				at += i
			}
			for _, part := range []string{"Be brief", "second question", "image/png"} {
				if !bytes.Contains(body, []byte(part)) {
					t.Errorf("no %q in %s", part, body)
				}
			}
			if n := bytes.Count(body, []byte(image)); n != 2 {
				t.Errorf("%d images are sent", n)
			}
		})
	}
}
