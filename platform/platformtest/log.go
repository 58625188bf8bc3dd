package platformtest

import (
	"bytes"
	"log/slog"
	"sync"
)

// A Log keeps what is logged, in all its detail. The zero Log is ready to use.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Logger writes to the log.
func (l *Log) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is all that was logged so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
