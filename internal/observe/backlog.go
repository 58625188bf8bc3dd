package observe

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/asidehq/aside/internal/store"
)

// A Source says what there is to do at the moment.
type Source struct {
	// Backlog is what the store knows. Processes that share a database all say the
	// same.
	Backlog func(context.Context) (store.Backlog, error)

	// Running is how many sessions this process works through.
	Running func() int
}

// Watch adds what there is to do to the metrics. It is asked for whenever somebody
// looks.
func (m *Metrics) Watch(from Source) {
	m.registry.MustRegister(&backlog{
		from:    from,
		running: m.define(Definition{"aside_sessions_running", "gauge", nil, "Sessions that this process works through."}),
		waiting: m.define(Definition{"aside_leases_waiting", "gauge", nil, "Sessions with open turns that no process works through yet."}),
		turns:   m.define(Definition{"aside_turns_open", "gauge", nil, "Turns that are not settled."}),
		posts:   m.define(Definition{"aside_outbox_waiting", "gauge", nil, "Posts that are to be sent, or to be sent again."}),
		dead:    m.define(Definition{"aside_dead_letters", "gauge", []string{"state"}, "Posts that were not delivered: refused (dead), or too old to be sent without asking (late)."}),
	})
}

// backlogPatience is how long somebody who looks waits for the store.
const backlogPatience = 2 * time.Second

type backlog struct {
	from                                 Source
	running, waiting, turns, posts, dead *prometheus.Desc
}

func (b *backlog) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{b.running, b.waiting, b.turns, b.posts, b.dead} {
		ch <- d
	}
}

func (b *backlog) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, n int, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
	}
	gauge(b.running, b.from.Running())
	ctx, cancel := context.WithTimeout(context.Background(), backlogPatience)
	defer cancel()
	now, err := b.from.Backlog(ctx)
	if err != nil { // a 0 would be a lie
		ch <- prometheus.NewInvalidMetric(b.turns, err)
		return
	}
	gauge(b.waiting, now.Waiting)
	gauge(b.turns, now.Turns)
	gauge(b.posts, now.Posts)
	gauge(b.dead, now.Dead, string(store.Dead))
	gauge(b.dead, now.Late, string(store.Late))
}
