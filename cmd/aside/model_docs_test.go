package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/asidehq/aside/internal/config"
)

func TestTheExamplesInTheModelsPageWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) (string, bool) { return "value-of-" + name, true }
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(examples) < 9 {
		t.Fatalf("only %d examples are found", len(examples))
	}
	for _, example := range examples {
		c, err := config.Parse("docs/models.md", []byte(example[1]), env)
		if err != nil {
			t.Errorf("%v in\n%s", err, example[1])
			continue
		}
		if c.Models.Chat == nil {
			t.Errorf("no model is configured by\n%s", example[1])
		}
		if _, err := newModels(c, nil, nil, slog.New(slog.DiscardHandler)); err != nil {
			t.Errorf("%v with\n%s", err, example[1])
		}
	}
}

// Whatever a person may read about a model stands in the page, and what stands there
// is said somewhere.
func TestTheModelsPageExplainsEveryLine(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "## When it does not answer")
	if !ok {
		t.Fatal("there is no such part")
	}
	variable := regexp.MustCompile(`%[qd]|"…"|…`)
	plain := func(s string) string { return variable.ReplaceAllString(s, "…") }
	code := plain(modelCode(t))
	table = plain(table)

	lines := regexp.MustCompile(`(?m)^\| ([A-Z][^|]*) \|`).FindAllStringSubmatch(table, -1)
	said := regexp.MustCompile(`"((?:The|There is no) [^"\n]*(?:\.|\?))"`).FindAllStringSubmatch(code, -1)
	if len(lines) < 25 || len(said) < 25 {
		t.Fatalf("only %d lines are explained and %d are said", len(lines), len(said))
	}
	for _, line := range lines {
		if !strings.Contains(code, line[1]) {
			t.Errorf("nothing says %q", line[1])
		}
	}
	for _, line := range said {
		// The first goes to a program, and in place of the second there is "Stopped."
		if strings.HasPrefix(line[1], "The conversation so far") || line[1] == "The request was cancelled." {
			continue
		}
		if !strings.Contains(table, "| "+line[1]+" |") {
			t.Errorf("docs/models.md does not explain %q", line[1])
		}
	}
}

// modelCode is the code that says why a model does not answer.
func modelCode(t *testing.T) string {
	t.Helper()
	files := []string{"../../internal/turn/generate.go"}
	for _, folder := range []string{"", "anthropic", "command", "gemini", "openai", "wire"} {
		found, err := filepath.Glob(filepath.Join("../../model", folder, "*.go"))
		if err != nil || len(found) == 0 {
			t.Fatalf("model/%s: %v", folder, err)
		}
		files = append(files, found...)
	}
	var code strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			code.Write(text)
		}
	}
	return code.String()
}
