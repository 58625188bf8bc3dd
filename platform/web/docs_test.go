package web_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/platform/web"
)

// TestTheExamplesInTheDocumentationWork runs every curl command of docs/api.md, in
// order. What is asked for by an id of the document is not there; everything else
// has to succeed.
func TestTheExamplesInTheDocumentationWork(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newRunningPage(t, func(o *web.Options) { o.Token, o.Turns = token, turns{} })
	dir := t.TempDir()
	for name, data := range map[string]string{"cat.png": png, "notes.txt": "notes"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for line := range strings.Lines(string(text)) {
		example, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    curl ")
		if !ok {
			continue
		}
		ran++
		t.Run(example, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			script := strings.ReplaceAll(example, "http://127.0.0.1:8787", p.server.URL)
			if !strings.Contains(script, "-b ") && !strings.Contains(script, "/login") {
				script = `-H "Authorization: Bearer $ASIDE_TOKEN" ` + script
			}
			cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+curl+" -sS -i "+script)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "ASIDE_TOKEN="+token)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			answer := ""
			lines := bufio.NewScanner(out)
			for lines.Scan() {
				answer += lines.Text() + "\n"
				if strings.HasPrefix(lines.Text(), "event: post") {
					cancel() // a stream has no end
				}
			}
			_ = cmd.Wait() // what it printed says more
			status, _, _ := strings.Cut(strings.TrimPrefix(answer, "HTTP/1.1 "), " ")
			want := "2"
			if strings.Contains(example, "turns?message=") || strings.Contains(example, "/files/") {
				want = "404"
			}
			if !strings.HasPrefix(status, want) || strings.Contains(example, "/events") && !strings.Contains(answer, "event: post") {
				t.Errorf("got %s", answer)
			}
		})
	}
	if ran < 10 {
		t.Errorf("there are only %d examples", ran)
	}
}
