package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// build builds the program the way make build does.
func build(ctx context.Context, to string) error {
	// Without -buildvcs=false go asks git, which refuses in a checkout that belongs to
	// someone else.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", to, "github.com/asidehq/aside/cmd/aside")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// A program is the real one, with its model in this process. It can be started again
// and finds its data then.
type program struct {
	binary string
	config string
	url    string
	model  *httptest.Server
	client *http.Client

	cmd    *exec.Cmd // nil while it does not run
	output bytes.Buffer
	worked time.Duration // processor time of the runs that have ended
}

// newProgram prepares a program with its data in dir, or in the database of a URL.
func newProgram(binary, dir, database string) (*program, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := free.Addr().String()
	free.Close()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	p := &program{
		binary: binary, config: filepath.Join(dir, "aside.yaml"), url: "http://" + address,
		model:  httptest.NewServer(http.HandlerFunc(answer)),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}},
	}
	text := fmt.Sprintf("data: %q\ndatabase: %q\nlisten: %s\nmodels:\n  chat: {provider: openai, model: test, base_url: %q, api_key: none}\n",
		filepath.Join(dir, "data"), database, address, p.model.URL)
	return p, os.WriteFile(p.config, []byte(text), 0o600)
}

// readyWithin is how long a start may take before it counts as failed.
const readyWithin = 30 * time.Second

// start starts the program, with a command such as strace before it if there is one,
// and returns how long it took until it was ready.
func (p *program) start(ctx context.Context, before ...string) (time.Duration, error) {
	command := append(before, p.binary, "run", "--config", p.config, "--log-level", "warn")
	p.cmd = exec.Command(command[0], command[1:]...)
	p.cmd.Stderr = &p.output
	p.cmd.SysProcAttr = ownGroup()
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return 0, err
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for time.Since(began) < readyWithin {
		if p.ready(ctx) {
			return time.Since(began), nil
		}
		select {
		case <-ctx.Done():
			return 0, errors.Join(ctx.Err(), p.stop())
		case <-tick.C:
		}
	}
	_ = p.cmd.Process.Kill()
	return 0, errors.Join(fmt.Errorf("it was not ready after %v", readyWithin), p.stop())
}

func (p *program) ready(ctx context.Context) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/readyz", nil)
	if err != nil {
		return false
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode == http.StatusOK
}

// stop ends the program in good order.
func (p *program) stop() error {
	if p.cmd == nil {
		return nil
	}
	terminate(p.cmd.Process)
	err := p.cmd.Wait()
	p.worked += p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	p.cmd = nil
	p.client.CloseIdleConnections()
	if err != nil {
		return fmt.Errorf("the program ended with %w\n%s", err, &p.output)
	}
	return nil
}

// close stops the program if it still runs, and its model.
func (p *program) close() error {
	defer p.model.Close()
	return p.stop()
}

// errNoMemory says that this system does not tell what a process takes.
var errNoMemory = errors.New("only Linux tells in /proc")

// memory is what the program takes, in bytes.
func (p *program) memory() (int64, error) {
	if runtime.GOOS != "linux" {
		return 0, errNoMemory
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	return resident(string(status))
}

// resident reads the line VmRSS of a /proc/PID/status.
func resident(status string) (int64, error) {
	for line := range strings.Lines(status) {
		rest, ok := strings.CutPrefix(line, "VmRSS:")
		if !ok {
			continue
		}
		number, unit, _ := strings.Cut(strings.TrimSpace(rest), " ")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || unit != "kB" {
			return 0, fmt.Errorf("%q does not say a size in kB", strings.TrimSpace(line))
		}
		return n * 1024, nil
	}
	return 0, errors.New("there is no line VmRSS")
}
