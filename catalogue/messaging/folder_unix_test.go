//go:build unix

package messaging

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func TestWhatIsNoRegularFileIsNotReadAndNobodyWaitsForIt(t *testing.T) {
	d := newDesk(t)
	if err := syscall.Mkfifo(d.path("outbound/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.folders.Allowed = append(d.folders.Allowed, "/dev")
	for _, given := range []string{"pipe", "/dev/zero", "/dev/null"} {
		if out := d.call(given, `{"filePath":"`+given+`"}`); out.OK || out.Summary != "could not send "+filepath.Base(given)+": it is not a regular file" {
			t.Errorf("%s: %+v", given, out)
		}
	}
}

func TestALinkThatAppearsAfterThePathWasResolvedIsNotFollowed(t *testing.T) {
	d := newDesk(t)
	d.link("../elsewhere.txt", "outbound/swapped.txt")
	d.link("report.pdf", "outbound/within.txt")
	for _, name := range []string{"swapped.txt", "within.txt"} {
		if data, err := readIn(d.path("outbound"), name, 100); !errors.Is(err, errNotRegular) || data != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// Somebody exchanges the file and links all the time; whatever is read is never what
// stands elsewhere, and never a secret.
func TestNothingElseIsReadWhateverIsPutInTheWay(t *testing.T) {
	d := newDesk(t)
	d.write("outbound/.env", "KEY=1")
	d.write("outbound/public", "for everyone")
	done := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		links := []string{"../elsewhere.txt", ".env", "/dev/zero"}
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			temporary := d.path("outbound/next")
			os.Remove(temporary)
			if i%2 == 0 {
				_ = os.WriteFile(temporary, []byte("for everyone"), 0o600)
			} else {
				_ = os.Symlink(links[i/2%len(links)], temporary)
			}
			_ = os.Rename(temporary, d.path("outbound/public"))
		}
	})
	for range 2000 {
		file, err := d.folders.read("public", 100)
		if err == nil && string(file.Data) != "for everyone" {
			t.Errorf("%q was read", file.Data)
		}
	}
	close(done)
	others.Wait()
}
