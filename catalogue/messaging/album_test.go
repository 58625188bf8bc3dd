package messaging

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// callAll runs calls that follow each other.
func (d *desk) callAll(args ...string) []action.Outcome {
	d.t.Helper()
	spec := SendFile(d, d, d.folders)
	var calls []action.Call
	var all []action.Args
	for i, one := range args {
		decoded, err := spec.Decode([]byte(one))
		if err != nil {
			d.t.Fatal(err)
		}
		calls = append(calls, action.Call{Key: string(rune('a' + i)), Platform: "signal", Room: "here"})
		all = append(all, decoded)
	}
	return spec.RunAll(d.t.Context(), calls, all)
}

func TestFilesThatFollowEachOtherHaveAnOutcomeEach(t *testing.T) {
	d := newDesk(t)
	d.write("outbound/more.txt", "more")
	var got []string
	for _, out := range d.callAll(`{"filePath":"report.pdf","content":"Look"}`, `{"filePath":"gone.txt"}`, `{"filePath":"more.txt","cleanup":true}`,
		`{"filePath":"notes.txt","content":"Its own"}`, `{"filePath":"notes.txt","channel":"there"}`, `{"filePath":"notes.txt"}`) {
		got = append(got, out.Summary)
	}
	want := []string{
		"sent report.pdf", "could not send gone.txt: there is no such file in the directories that files may be sent from", "sent more.txt",
		"sent notes.txt", "sent notes.txt", "sent notes.txt",
	}
	if !slices.Equal(got, want) {
		t.Errorf("they came to %q, want %q", got, want)
	}
	texts := ""
	for _, key := range strings.Split("a b c d e f", " ") {
		texts += key + ":" + d.sent[key].text + "@" + d.sent[key].room.ID + " "
	}
	if texts != "a:Look@here b:@ c:@here d:Its own@here e:@there f:@here " {
		t.Errorf("sent were %s", texts)
	}
	if d.exists("outbound/more.txt") || !d.exists("outbound/report.pdf") {
		t.Error("what was to be removed is there, or what was not is gone")
	}
}

func TestFilesOfWhichNobodyKnowsAreToldOfTogether(t *testing.T) {
	d := newDesk(t)
	d.fail = &platform.Problem{Outcome: platform.Unknown, Reason: "no answer"}
	out := d.call("k", `{"filePath":"report.pdf","cleanup":true}`)
	if want := "report.pdf may not have arrived (no answer); look whether you see it before you ask again"; !out.Unclear || out.OK || out.Summary != want || !d.exists("outbound/report.pdf") {
		t.Errorf("%+v", out)
	}
	all := d.callAll(`{"filePath":"report.pdf"}`, `{"filePath":"notes.txt"}`)
	for _, out := range all {
		if want := "report.pdf, notes.txt may not have arrived (no answer); look whether you see them before you ask again"; !out.Unclear || out.Summary != want {
			t.Errorf("%+v", out)
		}
	}
	d.fail = errors.New("the room is closed")
	if out := d.call("m", `{"filePath":"report.pdf"}`); out.Unclear || out.Summary != "could not send report.pdf: the room is closed" {
		t.Errorf("%+v", out)
	}
}

func TestFilesTogetherWhereNoneAreTakenAllFail(t *testing.T) {
	d := newDesk(t)
	d.limits.FileSize = 0
	for _, out := range d.callAll(`{"filePath":"report.pdf"}`, `{"filePath":"notes.txt"}`) {
		if out.OK || out.Summary != "signal cannot send files" {
			t.Errorf("%+v", out)
		}
	}
}
