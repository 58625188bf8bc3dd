package observe

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics are the program's own, in a registry of their own. A nil Metrics counts
// nothing.
type Metrics struct {
	// Definitions are all of them, for the docs. Those that Go's collectors add, go_…
	// and process_…, are not among them.
	Definitions []Definition

	registry  *prometheus.Registry
	turns     *prometheus.CounterVec
	stages    *prometheus.HistogramVec
	firstText *prometheus.HistogramVec
	settled   *prometheus.HistogramVec
	requests  *prometheus.CounterVec
	tokens    *prometheus.CounterVec
	actions   *prometheus.CounterVec
	posts     *prometheus.CounterVec
	commits   *prometheus.HistogramVec
}

// A Definition is what a metric is called and what it means.
type Definition struct {
	Name   string
	Type   string // counter, gauge or histogram
	Labels []string
	Help   string
}

// What an answer takes: from what a model that is there at once needs, to what a person
// still waits for, to what only a queue explains.
var answerTimes = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

// What a flush of the disk takes.
var commitTimes = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}

// New makes the metrics of a version of the program.
func New(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.turns = m.counter("aside_turns_total", "Turns that were settled, by why they were started and what came of them.", "flow", "result")
	m.stages = m.histogram("aside_stage_seconds", "Time that the stages of turns have taken.", answerTimes, "stage")
	m.firstText = m.histogram("aside_first_text_seconds", "Time from the receipt of a message until the first text of its answer was shown.", answerTimes, "platform")
	m.settled = m.histogram("aside_settled_seconds", "Time from the receipt of a message until its turn was settled.", answerTimes, "platform")
	m.requests = m.counter("aside_model_requests_total", "Requests to models, each try by itself, by how they ended.", "provider", "role", "result")
	m.tokens = m.counter("aside_model_tokens_total", "Tokens that models have read (input) and written (output), where the provider counts.", "provider", "role", "direction")
	m.actions = m.counter("aside_actions_total", "Actions by what they came to. Names that do not exist are unknown.", "action", "outcome")
	m.posts = m.counter("aside_posts_total", "Posts by what became of them.", "platform", "state")
	m.commits = m.histogram("aside_store_commit_seconds", "Time that commits of the store have taken.", commitTimes)
	m.commits.WithLabelValues() // there before the first one

	build := m.define(Definition{"aside_build_info", "gauge", []string{"version", "go_version"}, "Always 1; the labels say which program this is."})
	m.registry.MustRegister(
		constant{prometheus.MustNewConstMetric(build, prometheus.GaugeValue, 1, version, runtime.Version())},
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

func (m *Metrics) define(d Definition) *prometheus.Desc {
	m.Definitions = append(m.Definitions, d)
	return prometheus.NewDesc(d.Name, d.Help, d.Labels, nil)
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	m.Definitions = append(m.Definitions, Definition{name, "counter", labels, help})
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	m.Definitions = append(m.Definitions, Definition{name, "histogram", labels, help})
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(v)
	return v
}

// A constant is a metric that never changes.
type constant struct{ prometheus.Metric }

func (c constant) Describe(ch chan<- *prometheus.Desc) { ch <- c.Desc() }
func (c constant) Collect(ch chan<- prometheus.Metric) { ch <- c.Metric }

// Turn counts a turn that was settled, so long after its message was received.
func (m *Metrics) Turn(flow, result, platform string, after time.Duration) {
	if m == nil {
		return
	}
	m.turns.WithLabelValues(flow, result).Inc()
	m.settled.WithLabelValues(platform).Observe(after.Seconds())
}

// FirstText notes that a person sees something, so long after the message was received.
func (m *Metrics) FirstText(platform string, after time.Duration) {
	if m != nil {
		m.firstText.WithLabelValues(platform).Observe(after.Seconds())
	}
}

// Stage notes how long a stage of a turn took.
func (m *Metrics) Stage(name string, took time.Duration) {
	if m != nil {
		m.stages.WithLabelValues(name).Observe(took.Seconds())
	}
}

// Action counts an action. Its name is that of a definition, or Unknown.
func (m *Metrics) Action(name, outcome string) {
	if m != nil {
		m.actions.WithLabelValues(name, outcome).Inc()
	}
}

// Unknown is the name of everything that is called what nothing is called.
const Unknown = "unknown"

// Post counts a post.
func (m *Metrics) Post(platform, state string) {
	if m != nil {
		m.posts.WithLabelValues(platform, state).Inc()
	}
}

// Commit notes how long a commit of the store took.
func (m *Metrics) Commit(took time.Duration) {
	if m != nil {
		m.commits.WithLabelValues().Observe(took.Seconds())
	}
}

// request counts a request to a model.
func (m *Metrics) request(a Asked, result string, input, output int) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(a.Provider, a.Role, result).Inc()
	m.tokens.WithLabelValues(a.Provider, a.Role, "input").Add(float64(input))
	m.tokens.WithLabelValues(a.Provider, a.Role, "output").Add(float64(output))
}
