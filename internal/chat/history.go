package chat

import (
	"os"
	"strings"
)

const (
	keptLines   = 500
	historySize = 1 << 20 // a file that is longer is cut when it is read
)

// A History is what was typed, in a file that only its owner can read. One that cannot
// be written is no reason not to talk.
type History struct{ Path string }

// Read returns the last lines, oldest first.
func (h History) Read() []string {
	body, err := os.ReadFile(h.Path)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(body), "\n"), "\n")
	lines = lines[max(len(lines)-keptLines, 0):]
	if len(body) > historySize {
		h.rewrite(lines)
	}
	return lines
}

// rewrite keeps only these lines. It goes by way of another file: a crash half-way
// must not lose the history.
func (h History) rewrite(lines []string) {
	next := h.Path + ".new"
	if os.WriteFile(next, []byte(strings.Join(lines, "\n")+"\n"), 0o600) == nil {
		_ = os.Rename(next, h.Path)
	}
}

// Add adds a line.
func (h History) Add(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	file, err := os.OpenFile(h.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	_ = file.Chmod(0o600) // it may be older than this rule
	_, _ = file.WriteString(line + "\n")
}
