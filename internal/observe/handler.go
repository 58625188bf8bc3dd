package observe

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Handler answers Prometheus. What cannot be found out is left out, and logged.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: scrapeLog{log}, ErrorHandling: promhttp.ContinueOnError,
	})
}

type scrapeLog struct{ log *slog.Logger }

// Println implements promhttp.Logger.
func (s scrapeLog) Println(words ...any) {
	s.log.Warn("metrics are missing", "error", fmt.Sprint(words...))
}
