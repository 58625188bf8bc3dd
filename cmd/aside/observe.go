package main

import (
	"log/slog"
	"net/http"

	"github.com/asidehq/aside/internal/observe"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
)

// newMetrics are the program's metrics, with what the store takes for commits.
func newMetrics(s *store.Store) *observe.Metrics {
	m := observe.New(programVersion())
	s.OnCommit(m.Commit)
	return m
}

// metricsPage is what Prometheus reads.
func metricsPage(m *observe.Metrics, s *store.Store, q *queue.Queue, log *slog.Logger) http.Handler {
	m.Watch(observe.Source{Backlog: s.Backlog, Running: q.Running})
	return m.Handler(log)
}
