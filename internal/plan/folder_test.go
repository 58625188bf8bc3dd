package plan

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func newPlan(t *testing.T, f *Folder, number int, description string) *File {
	t.Helper()
	d, err := New(Beginning{Number: number, Created: time.Unix(0, 0), Description: description})
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Create(number, d)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func TestAPlanIsMadeOnceAndFoundAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plans")
	f := NewFolder(dir)
	if _, err := f.Read(1); !errors.Is(err, ErrNoPlan) {
		t.Errorf("before there is any: %v", err)
	}
	if files, wrong, err := f.List(); files != nil || wrong != nil || err != nil {
		t.Errorf("before there is any: %v, %v, %v", files, wrong, err)
	}
	file := newPlan(t, f, 1, "Größe: ../../etc/passwd & more")
	if file.Name != "plan-001-gr-e-etc-passwd-more.md" {
		t.Errorf("it is called %s", file.Name)
	}
	if again := newPlan(t, f, 1, "Something else"); again.Name != file.Name || again.String() != file.String() {
		t.Errorf("made again it is %s", again.Name)
	}
	newPlan(t, f, 2, "😀")
	files, wrong, err := f.List()
	if err != nil || wrong != nil || len(files) != 2 || files[1].Name != "plan-002-plan.md" {
		t.Errorf("the list is %v, %v, %v", files, wrong, err)
	}
	if last, err := f.Last(); last != 2 || err != nil {
		t.Errorf("the last is %d, %v", last, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("there is %v, %v", left, err)
	}
}

func TestAPlanIsMeantHoweverItIsWritten(t *testing.T) {
	for text, want := range map[string]int{
		"plan-001": 1, "001": 1, "1": 1, " PLAN-012 ": 12, "plan-1": 1, "plan 3": 0, "#4": 4, "plan-001-say-hello.md": 1, "plan-001-say-hello": 1, "plan-1234": 1234,
		"": 0, "ws-004": 0, "0": 0, "-1": 0, "../plan-001.md": 0, "plan-": 0, "99999999999": 0, "plan-001/../../x": 0,
	} {
		if got := Number(text); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

func TestWhatAPersonSavesMeanwhileIsKept(t *testing.T) {
	dir := t.TempDir()
	f := NewFolder(dir)
	file := newPlan(t, f, 1, "Say hello")
	calls := 0
	got, err := f.Change(1, func(d *Document) error {
		if calls++; calls == 1 {
			put(t, dir, file.Name, strings.Replace(d.String(), Placeholder, "By hand.", 1))
		}
		return d.SetHeader(State, string(Approved))
	})
	if err != nil || calls != 2 || got.Status() != Approved || got.Written(Scope) != "By hand." {
		t.Errorf("after %d calls it is %v, %v", calls, got, err)
	}
	stored, err := f.Read(1)
	if err != nil || stored.String() != got.String() {
		t.Errorf("the file is %v, %v", stored, err)
	}
	if info, err := os.Stat(filepath.Join(dir, file.Name)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
}

func TestSomebodyWhoSavesAllTheTimeWins(t *testing.T) {
	dir := t.TempDir()
	f := NewFolder(dir)
	file := newPlan(t, f, 1, "Say hello")
	last := ""
	_, err := f.Change(1, func(d *Document) error {
		last = d.String() + "more\n"
		put(t, dir, file.Name, last)
		return d.SetHeader(State, string(Approved))
	})
	stored, readErr := os.ReadFile(filepath.Join(dir, file.Name))
	if !errors.Is(err, ErrBusy) || readErr != nil || string(stored) != last {
		t.Errorf("%v, %v; the file is %q", err, readErr, stored)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("there is %v", left)
	}
}

func TestChangesOfOneProcessAreAllKept(t *testing.T) {
	f := NewFolder(t.TempDir())
	newPlan(t, f, 1, "Say hello")
	var all sync.WaitGroup
	for _, word := range []string{"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"} {
		all.Go(func() {
			if _, err := f.Change(1, func(d *Document) error { return d.Append(AuditLog, word) }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	file, err := f.Read(1)
	if err != nil {
		t.Fatal(err)
	}
	log, _ := file.Section(AuditLog)
	words := strings.Fields(log)
	slices.Sort(words)
	if got := strings.Join(words, " "); got != "a1 b2 c3 d4 e5 f6 g7 h8" {
		t.Errorf("the log is %s", got)
	}
}

func TestAFileThatCannotBeReadIsReportedAndNeverWritten(t *testing.T) {
	dir := t.TempDir()
	f := NewFolder(dir)
	newPlan(t, f, 1, "Fine")
	broken := "---\nid: plan-002\nstatus: MAYBE\n---\n"
	for name, text := range map[string]string{
		"plan-002-broken.md": broken, "plan-003-other.md": "---\nid: plan-004\nstatus: DRAFT\n---\n",
		"plan-005-a.md": sample, "plan-005-b.md": sample, "notes.md": "mine", ".plan-006-x.md.ABC": "left behind", "plan-07-x.md": "no", "plan-0008-x.md": "no",
	} {
		put(t, dir, name, text)
	}
	files, wrong, err := f.List()
	if err != nil || len(files) != 1 || len(wrong) != 3 {
		t.Fatalf("the list is %v, %v, %v", files, wrong, err)
	}
	for i, want := range []string{
		`plan-002-broken.md, line 3: the status is "MAYBE"; write status:`, "plan-003-other.md, line 2: the id in its header is plan-004; write plan-003",
		"plan-005-b.md, line 1: plan-005-a.md is a file of plan-005 too",
	} {
		if !strings.HasPrefix(wrong[i].Error(), want) {
			t.Errorf("wrong is %v, want %s", wrong[i], want)
		}
	}
	var p *Problem
	if _, err := f.Change(2, func(*Document) error { t.Error("it is changed"); return nil }); !errors.As(err, &p) {
		t.Errorf("changing: %v", err)
	}
	if d, _ := New(Beginning{Number: 2, Description: "x"}); d == nil {
		t.Error("no plan")
	} else if _, err := f.Create(2, d); !errors.As(err, &p) {
		t.Errorf("creating: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "plan-002-broken.md")); err != nil || string(text) != broken {
		t.Errorf("the file is %q, %v", text, err)
	}
}

func TestALinkDoesNotLeadOutOfTheFolder(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	text := strings.Replace(sample, "plan-007", "plan-001", 1)
	if err := errors.Join(os.WriteFile(outside, []byte(text), 0o600), os.Symlink(outside, filepath.Join(dir, "plan-001-x.md"))); err != nil {
		t.Fatal(err)
	}
	f := NewFolder(dir)
	if file, err := f.Read(1); err == nil {
		t.Errorf("read %s", file)
	}
	if _, err := f.Change(1, func(d *Document) error { return d.SetHeader(State, string(Done)) }); err == nil {
		t.Error("it was changed")
	}
	if now, err := os.ReadFile(outside); err != nil || string(now) != text {
		t.Errorf("the file is %q, %v", now, err)
	}
}
