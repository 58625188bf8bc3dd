package messaging

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/platform"
)

// A desk is a place with folders, a platform and a sender that keeps what it sends.
type desk struct {
	t       *testing.T
	folders Folders
	limits  platform.Limits
	sent    map[string]sent // by key
	fail    error
	base    string
}

type sent struct {
	room platform.Room
	text string
	file platform.File
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	base := t.TempDir()
	d := &desk{t: t, base: base, limits: platform.Limits{FileSize: 1000}, sent: map[string]sent{}}
	d.folders = Folders{Allowed: []string{filepath.Join(base, "outbound"), filepath.Join(base, "reports")}, Outbound: filepath.Join(base, "outbound"), MaxSize: 2000}
	d.write("outbound/report.pdf", "%PDF-1.7 report")
	d.write("reports/notes.txt", "notes")
	d.write("elsewhere.txt", "not for you")
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.base, filepath.FromSlash(name)) }

func (d *desk) write(name, data string) {
	d.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(d.path(name)), 0o700), os.WriteFile(d.path(name), []byte(data), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) link(to, name string) {
	d.t.Helper()
	if err := os.Symlink(to, d.path(name)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) exists(name string) bool {
	_, err := os.Lstat(d.path(name))
	return err == nil
}

func (d *desk) Name() string                                             { return "signal" }
func (d *desk) Limits() platform.Limits                                  { return d.limits }
func (d *desk) Run(context.Context, platform.Inbox) error                { return nil }
func (d *desk) Post(context.Context, platform.Post) (r platform.Receipt) { return r }

func (d *desk) Platform(name string) (platform.Platform, bool) { return d, name == "signal" }

func (d *desk) SendFile(_ context.Context, _ int64, key string, room platform.Room, text string, read func() (platform.File, error)) (string, error) {
	if _, ok := d.sent[key]; !ok {
		file, err := read()
		if err != nil {
			return "", err
		}
		d.sent[key] = sent{room, text, file}
	}
	return sum(d.sent[key].file.Data), d.fail
}

// SendFiles makes one post of all files that can be read.
func (d *desk) SendFiles(ctx context.Context, turn int64, room platform.Room, text string, files []Outgoing) []Sent {
	var all []Sent
	for _, f := range files {
		sum, err := d.SendFile(ctx, turn, f.Key, room, text, f.Read)
		all, text = append(all, Sent{Sum: sum, Of: 1, Err: err}), ""
	}
	if d.fail != nil {
		for i := range all {
			all[i].Of = len(files) - i
		}
	}
	return all
}

// call runs the action with JSON arguments.
func (d *desk) call(key, args string) action.Outcome {
	d.t.Helper()
	spec := SendFile(d, d, d.folders)
	decoded, err := spec.Decode([]byte(args))
	if err != nil {
		return action.Fail("%v", err)
	}
	return spec.Run(d.t.Context(), action.Call{Key: key, Platform: "signal", Room: "here"}, decoded)
}

// quote is a path as it stands in JSON.
func quote(path string) string { return strings.ReplaceAll(path, `\`, `\\`) }

func TestFilesThatAreSent(t *testing.T) {
	tests := []struct {
		name, args string
		want       sent
	}{
		{"by its name", `{"filePath":"report.pdf"}`, sent{platform.Room{Platform: "signal", ID: "here"}, "", platform.NewFile("report.pdf", "", []byte("%PDF-1.7 report"))}},
		{"by its whole path", `{"path":"BASE/outbound/report.pdf"}`, sent{platform.Room{Platform: "signal", ID: "here"}, "", platform.NewFile("report.pdf", "", []byte("%PDF-1.7 report"))}},
		{"from another directory", `{"file":"notes.txt","caption":"Read this"}`, sent{platform.Room{Platform: "signal", ID: "here"}, "Read this", platform.NewFile("notes.txt", "", []byte("notes"))}},
		{"through a link inside", `{"filePath":"latest.pdf"}`, sent{platform.Room{Platform: "signal", ID: "here"}, "", platform.NewFile("latest.pdf", "", []byte("%PDF-1.7 report"))}},
		{"through a link to another directory that is allowed", `{"filePath":"linked.txt"}`, sent{platform.Room{Platform: "signal", ID: "here"}, "", platform.NewFile("linked.txt", "", []byte("notes"))}},
		{"by a detour inside", `{"filePath":"sub/../report.pdf"}`, sent{platform.Room{Platform: "signal", ID: "here"}, "", platform.NewFile("report.pdf", "", []byte("%PDF-1.7 report"))}},
		{"to another room", `{"filePath":"notes.txt","channelId":"there"}`, sent{platform.Room{Platform: "signal", ID: "there"}, "", platform.NewFile("notes.txt", "", []byte("notes"))}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			d.write("outbound/sub/x.txt", "x")
			d.link("report.pdf", "outbound/latest.pdf")
			d.link("../reports/notes.txt", "outbound/linked.txt")
			out := d.call("k", strings.ReplaceAll(test.args, "BASE", quote(d.base)))
			got := d.sent["k"]
			if !out.OK || got.room != test.want.room || got.text != test.want.text || got.file.Name != test.want.file.Name || string(got.file.Data) != string(test.want.file.Data) || got.file.Type != test.want.file.Type {
				t.Errorf("%+v, sent was %+v", out, got)
			}
			if len(d.sent) != 1 || !d.exists("outbound/report.pdf") {
				t.Error("something else happened")
			}
		})
	}
}

func TestAPathMayBeginWhereAsideWasStarted(t *testing.T) {
	d := newDesk(t)
	t.Chdir(d.base)
	d.folders.Allowed = []string{"outbound"}
	if out := d.call("k", `{"filePath":"./outbound/report.pdf"}`); !out.OK {
		t.Error(out.Summary)
	}
	if out := d.call("l", `{"filePath":"elsewhere.txt"}`); out.OK {
		t.Error("a file beside the directory was sent")
	}
}

func TestFilesThatAreNotSent(t *testing.T) {
	const notThere = "there is no such file in the directories that files may be sent from"
	const secret = "it may hold secrets, which are not sent"
	tests := []struct{ name, args, want string }{
		{"no path", `{}`, "sendFile: filePath is missing"},
		{"a file that does not exist", `{"filePath":"gone.pdf"}`, "could not send gone.pdf: " + notThere},
		{"a file elsewhere", `{"filePath":"BASE/elsewhere.txt"}`, "could not send elsewhere.txt: " + notThere},
		{"a file elsewhere that does not exist looks the same", `{"filePath":"BASE/nowhere.txt"}`, "could not send nowhere.txt: " + notThere},
		{"upwards", `{"filePath":"../elsewhere.txt"}`, "could not send elsewhere.txt: " + notThere},
		{"upwards through a directory", `{"filePath":"sub/../../elsewhere.txt"}`, "could not send elsewhere.txt: " + notThere},
		{"upwards from the whole path", `{"filePath":"BASE/outbound/../elsewhere.txt"}`, "could not send elsewhere.txt: " + notThere},
		{"a directory that begins alike", `{"filePath":"BASE/outbound-other/x.txt"}`, "could not send x.txt: " + notThere},
		{"a link that leads out", `{"filePath":"out.txt"}`, "could not send out.txt: " + notThere},
		{"a link to a directory that leads out", `{"filePath":"outside/elsewhere.txt"}`, "could not send elsewhere.txt: " + notThere},
		{"a link to itself", `{"filePath":"loop"}`, "could not send loop: " + notThere},
		{"a NUL", `{"filePath":"report.pdf\u0000.txt"}`, "could not send report.pdf.txt: " + notThere},
		{"the password file", `{"filePath":"/etc/passwd"}`, "could not send passwd: " + notThere},
		{"a directory", `{"filePath":"sub"}`, "could not send sub: it is not a regular file"},
		{"the directory itself", `{"filePath":"BASE/outbound"}`, "could not send outbound: it is not a regular file"},
		{"nothing in it", `{"filePath":"empty.txt"}`, "could not send empty.txt: it is empty"},
		{"too large for the platform", `{"filePath":"large.bin"}`, "could not send large.bin: it is larger than 1000 bytes"},
		{"an environment", `{"filePath":".env"}`, "could not send .env: " + secret},
		{"an environment for production, in capitals", `{"filePath":".ENV.production"}`, "could not send .ENV.production: " + secret},
		{"a link with a harmless name to one", `{"filePath":"innocent.txt"}`, "could not send innocent.txt: " + secret},
		{"a key by its name", `{"filePath":"id_rsa"}`, "could not send id_rsa: " + secret},
		{"a certificate", `{"filePath":"server.pem"}`, "could not send server.pem: " + secret},
		{"a key by its content", `{"filePath":"readme.txt"}`, "could not send readme.txt: " + secret},
		{"credentials", `{"filePath":"credentials.json"}`, "could not send credentials.json: " + secret},
		{"our own database", `{"filePath":"aside.db"}`, "could not send aside.db: " + secret},
		{"what is in a directory for keys", `{"filePath":".ssh/known_hosts"}`, "could not send known_hosts: " + secret},
		{"an image that is none", `{"filePath":"report.pdf","kind":"image"}`, "could not send report.pdf: it is no image (png, jpeg, gif or webp); send it with kind file"},
		{"audio that is none", `{"filePath":"notes.txt","kind":"audio"}`, "could not send notes.txt: it is no audio; send it with kind file"},
		{"a kind that is none", `{"filePath":"notes.txt","kind":"film"}`, `sendFile: kind is one of image, file, audio, got "film"`},
		{"a platform that is not there", `{"filePath":"notes.txt","platform":"smoke","chat":"1"}`, "smoke is not connected"},
		{"another platform and no room", `{"filePath":"notes.txt","platform":"smoke"}`, "sendFile: channel is missing; it is a room on smoke"},
	}
	d := newDesk(t)
	const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n"
	for name, data := range map[string]string{
		"outbound/sub/x.txt": "x", "outbound-other/x.txt": "x", "outbound/empty.txt": "", "outbound/large.bin": strings.Repeat("x", 1001),
		"outbound/.env": "KEY=1", "outbound/.ENV.production": "KEY=1", "outbound/id_rsa": "x", "outbound/server.pem": "x", "outbound/readme.txt": "Use this:\n" + key,
		"outbound/credentials.json": "{}", "outbound/aside.db": "x", "outbound/.ssh/known_hosts": "x",
	} {
		d.write(name, data)
	}
	d.link("../elsewhere.txt", "outbound/out.txt")
	d.link("..", "outbound/outside")
	d.link("loop", "outbound/loop")
	d.link(".env", "outbound/innocent.txt")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := d.call(test.name, strings.ReplaceAll(test.args, "BASE", quote(d.base)))
			if out.OK || out.Summary != test.want {
				t.Errorf("%+v, want %s", out, test.want)
			}
			if len(d.sent) != 0 {
				t.Errorf("sent was %+v", d.sent)
			}
		})
	}
}

func TestAFileIsNotSentWhereThePlatformCannot(t *testing.T) {
	d := newDesk(t)
	d.limits.FileSize = 0
	if out := d.call("k", `{"filePath":"report.pdf"}`); out.OK || out.Summary != "signal cannot send files" {
		t.Errorf("%+v", out)
	}
	d.limits = platform.Limits{FileSize: 1000, Text: 5}
	if out := d.call("k", `{"filePath":"report.pdf","content":"too long"}`); out.OK || out.Summary != "could not send report.pdf: its content has 8 characters, and signal takes 5" {
		t.Errorf("%+v", out)
	}
	d.limits, d.folders.MaxSize = platform.Limits{FileSize: 1000}, 4
	if out := d.call("k", `{"filePath":"report.pdf"}`); out.OK || out.Summary != "could not send report.pdf: it is larger than 4 bytes" {
		t.Errorf("%+v", out)
	}
}

func TestWhatIsRemovedAfterwards(t *testing.T) {
	tests := []struct {
		name, args string
		before     func(d *desk)
		summary    string
		removed    bool
	}{
		{"nothing, if it is not asked for", `{"filePath":"report.pdf"}`, nil, "sent report.pdf", false},
		{"nothing, if that is said", `{"filePath":"report.pdf","cleanup":false}`, nil, "sent report.pdf", false},
		{"what was sent", `{"filePath":"report.pdf","cleanup":true}`, nil, "sent report.pdf", true},
		{"what was sent, when it is said as text", `{"filePath":"report.pdf","cleanup":"true"}`, nil, "sent report.pdf", true},
		{"nothing, if it could not be delivered", `{"filePath":"report.pdf","cleanup":true}`, func(d *desk) { d.fail = errors.New("the room is gone") }, "could not send report.pdf: the room is gone", false},
		{
			"nothing outside the outbound directory", `{"filePath":"report.pdf","cleanup":true}`,
			func(d *desk) { d.folders.Outbound = d.path("reports") },
			"sent report.pdf; it was not removed: only files in the outbound directory are", false,
		},
		{
			"nothing that was put in its place meanwhile", `{"filePath":"report.pdf","cleanup":true}`,
			func(d *desk) { d.sent["k"] = sent{file: platform.NewFile("report.pdf", "", []byte("the old one"))} },
			"sent report.pdf; it was not removed: it is not the file that was sent any more", false,
		},
		{
			"nothing more, if it is gone already", `{"filePath":"report.pdf","cleanup":true}`,
			func(d *desk) {
				d.sent["k"] = sent{file: platform.NewFile("report.pdf", "", []byte("%PDF-1.7 report"))}
				os.Remove(d.path("outbound/report.pdf"))
			},
			"sent report.pdf", true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			if test.before != nil {
				test.before(d)
			}
			if out := d.call("k", test.args); out.Summary != test.summary {
				t.Errorf("%q, want %q", out.Summary, test.summary)
			}
			if d.exists("outbound/report.pdf") == test.removed {
				t.Errorf("that it was removed is not %v", test.removed)
			}
			if !d.exists("reports/notes.txt") || !d.exists("elsewhere.txt") {
				t.Error("something else was removed")
			}
		})
	}
}

func TestALinkIsNotRemovedWithWhatItLeadsTo(t *testing.T) {
	d := newDesk(t)
	d.link("../reports/notes.txt", "outbound/linked.txt")
	if out := d.call("k", `{"filePath":"linked.txt","cleanup":true}`); out.Summary != "sent linked.txt; it was not removed: only files in the outbound directory are" || !d.exists("reports/notes.txt") {
		t.Errorf("%+v", out)
	}
}

func TestNamesOfSecrets(t *testing.T) {
	for _, name := range []string{".env", ".env.local", "prod.env", "id_ed25519", "ID_RSA.bak", "a/b/server.key", "x.p12", ".aws/config", "Credentials", "aside.yaml", "aside.db-wal", ".git/config", "gcp-credentials.json"} {
		if !secretName(filepath.FromSlash(name)) {
			t.Errorf("%s is sent", name)
		}
	}
	for _, name := range []string{"report.pdf", "environment.txt", "id_rsa.pub", "keys.md", "monkey.png", "a/b/c.txt", "pem.txt", ".gitignore"} {
		if secretName(filepath.FromSlash(name)) {
			t.Errorf("%s is not sent", name)
		}
	}
}
