package guild

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

func TestWhatIsSearchedFor(t *testing.T) {
	general := platform.Room{Platform: "discord", ID: "10"}
	for _, test := range []struct {
		name, args string
		direct     bool
		want       platform.Search
	}{
		{"the whole server", `{"query":"tea"}`, false, platform.Search{Text: "tea", Most: 25, Pages: 3}},
		{"a channel", `{"query":"tea","channel":"#general","limit":"50","maxPages":10}`, false, platform.Search{Text: "tea", Room: general, Most: 50, Pages: 10}},
		{"a direct chat is searched alone", `{"query":"tea"}`, true, platform.Search{Text: "tea", Room: general, Most: 25, Pages: 3}},
		{"between dates", `{"query":"tea","after":"2026-01-01","before":"2026-01-02T03:04:05Z"}`, false, platform.Search{Text: "tea", Most: 25, Pages: 3, After: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Before: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}},
		{"before a message", `{"query":"tea","before":"m2"}`, false, platform.Search{Text: "tea", Most: 25, Pages: 3, Before: now}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer()
			out := runIn(t, s, action.Call{Platform: "discord", Room: "10", Person: "ada", Direct: test.direct}, "searchMessages", test.args)
			if !out.OK || s.search != test.want {
				t.Errorf("%+v\n%+v", out, s.search)
			}
			if len(s.calls) != 1 || s.calls[0] != "search near 10 for ada" {
				t.Errorf("asked was %q", s.calls)
			}
		})
	}
}

func TestAMessageThatCannotBeLookedUpIsNotAWrongArgument(t *testing.T) {
	s := newServer()
	s.fail["message m7"] = errors.New("GET https://secret")
	if out := run(t, s, "searchMessages", `{"query":"a","before":"m7"}`); out.OK || out.Summary != "could not look up the message m7: the platform does not answer" {
		t.Errorf("%+v", out)
	}
}

func TestAModelReadsOnlyTheBeginningOfLongMessages(t *testing.T) {
	s := newServer()
	s.found[0].Text = strings.Repeat("é", 10_000)
	out := run(t, s, "searchMessages", `{"query":"é"}`)
	if !strings.Contains(string(out.Data), strings.Repeat("é", 299)+"…") || len(out.Data) > 1500 {
		t.Errorf("%d bytes", len(out.Data))
	}
}
