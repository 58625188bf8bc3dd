package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// A scrape is what Prometheus has read: the names of samples, each with its labels,
// and the names of metrics with their types.
type scrape struct {
	labels map[string][]string
	types  map[string]string
}

var sampleLine = regexp.MustCompile(`^([a-z_]+)(?:\{(.*)\})? \S+$`)

func (v *victim) scrape() scrape {
	v.t.Helper()
	page := v.get("/metrics")
	s := scrape{map[string][]string{}, map[string]string{}}
	for lines := bufio.NewScanner(strings.NewReader(page)); lines.Scan(); {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			s.types[name] = kind
		}
		if m := sampleLine.FindStringSubmatch(line); m != nil {
			for _, label := range labelName.FindAllStringSubmatch(m[2], -1) {
				s.labels[m[1]] = append(s.labels[m[1]], label[1])
			}
			s.labels[m[1]] = append(s.labels[m[1]], "job", "instance") // Prometheus adds them
		}
	}
	if len(s.types) == 0 {
		v.t.Fatalf("there are no metrics in %s", page)
	}
	return s
}

// scraped is a scrape of the program after a turn that does a little of everything.
func scraped(t *testing.T) scrape {
	v := startFaulty(t, &faultyModel{scripts: map[string][]http.HandlerFunc{
		"hi": {saysCounted(`Hello. <actions><react emoji="eyes"/></actions>`)},
	}})
	v.settle(v.say("lobby", "hi"))
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if s := v.scrape(); s.types["aside_turns_total"] != "" { // it is counted once it is stored
			return s
		}
	}
	t.Fatalf("the turn was not counted:\n%s", v.get("/metrics"))
	return scrape{}
}

var (
	labelName  = regexp.MustCompile(`([a-z_]+)(?:=|!=|=~|!~)"`)
	metricName = regexp.MustCompile(`\b(?:aside|go|process)_[a-z_]+`)
	grouping   = regexp.MustCompile(`\b(?:by|without) \(([^)]*)\)`)
	selector   = regexp.MustCompile(`([a-z_]+)\{([^}]*)\}`)
)

// check looks at an expression of Prometheus' language: every metric in it exists, and
// has the labels that it is asked for.
func (s scrape) check(t *testing.T, expr string) {
	t.Helper()
	names := metricName.FindAllString(expr, -1)
	if len(names) == 0 {
		t.Errorf("%s: there is no metric in it", expr)
	}
	var known []string
	for _, name := range names {
		if s.labels[name] == nil {
			t.Errorf("%s: there is no metric %s", expr, name)
		}
		known = append(known, s.labels[name]...)
	}
	for _, group := range grouping.FindAllStringSubmatch(expr, -1) {
		for _, label := range strings.Split(group[1], ", ") {
			if !slices.Contains(known, label) {
				t.Errorf("%s: nothing has a label %s", expr, label)
			}
		}
	}
	for _, m := range selector.FindAllStringSubmatch(expr, -1) {
		for _, label := range labelName.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(s.labels[m[1]], label[1]) {
				t.Errorf("%s: %s has no label %s", expr, m[1], label[1])
			}
		}
	}
	if strings.Count(expr, "(") != strings.Count(expr, ")") {
		t.Errorf("%s: the brackets do not match", expr)
	}
}

func TestTheDashboardShowsWhatTheProgramExports(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../packaging/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Templating struct {
			List []struct {
				Name  string
				Query any
			}
		}
		Panels []struct {
			ID          int
			Type, Title string
			Description string
			Targets     []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	s := scraped(t)
	ids, shown := map[int]bool{}, ""
	for _, panel := range board.Panels {
		if ids[panel.ID] {
			t.Errorf("two panels have the id %d", panel.ID)
		}
		ids[panel.ID] = true
		if panel.Type == "row" {
			continue
		}
		if len(panel.Targets) == 0 || panel.Title == "" || panel.Description == "" {
			t.Errorf("panel %d (%s) shows nothing, or does not say what", panel.ID, panel.Title)
		}
		for _, target := range panel.Targets {
			s.check(t, target.Expr)
			shown += target.Expr + "\n"
		}
	}
	for name := range s.types {
		if strings.HasPrefix(name, "aside_") && !strings.Contains(shown, name) {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
}

func TestTheAlertsWatchWhatTheProgramExports(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../packaging/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	s := scraped(t)
	rules := 0
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			rules++
			s.check(t, rule.Expr)
			if rule.Alert == "" || rule.Labels["severity"] == "" || rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" {
				t.Errorf("%+v is not complete", rule)
			}
		}
	}
	if rules == 0 {
		t.Error("there are no rules")
	}
}

func TestTheDocsNameWhatTheProgramExports(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/observing.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(aside_[a-z_]+)` \\| (\\w+) \\|").FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = m[2]
	}
	exported := scraped(t).types
	for name, kind := range exported {
		if strings.HasPrefix(name, "aside_") && documented[name] != kind {
			t.Errorf("%s is a %s and documented as %q", name, kind, documented[name])
		}
	}
	for name := range documented {
		if exported[name] == "" {
			t.Errorf("%s is documented and not exported", name)
		}
	}
}
