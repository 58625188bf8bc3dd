//go:build unix

package pgtest

import (
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// A process is a running postgres with all the processes it has started.
type process struct {
	cmd   *exec.Cmd
	log   tail
	ended chan struct{} // closed when the last of its processes is gone
}

func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	// Every process of the server holds this pipe, and Wait returns when the last of
	// them has let go of it. A file here would have Wait return when postgres itself
	// is gone, while its children may still write to the data directory.
	cmd.Stdout, cmd.Stderr = &p.log, &p.log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start postgres: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // how it ended is in the log
	}()
	return p, nil
}

// end sends a signal and waits until all processes are gone. One that does not heed
// the signal is killed, and that is an error.
func (p *process) end(signal syscall.Signal) error {
	// An error means that it has ended already.
	_ = p.cmd.Process.Signal(signal)
	if p.endsWithin(patience) {
		return nil
	}
	_ = p.cmd.Process.Kill()
	if !p.endsWithin(patience) {
		return fmt.Errorf("postgres has processes left a minute after it was told to stop and then killed:\n%s", &p.log)
	}
	return fmt.Errorf("postgres did not stop and had to be killed:\n%s", &p.log)
}

func (p *process) endsWithin(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	}
}

// tail is a Writer that keeps the end of what was written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 16 << 10

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if excess := len(t.text) - tailSize; excess > 0 {
		t.text = append(t.text[:0], t.text[excess:]...)
	}
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
