package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/asidehq/aside/internal/config"
)

// sources is a file of the sources.
func sources(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// understood fails unless a command line is one of aside's.
func understood(t *testing.T, args []string) {
	t.Helper()
	root := newRoot()
	cmd, rest, err := root.Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err != nil || cmd == root || cmd.Flags().NArg() > 0 {
		t.Errorf("aside does not understand %q: %v", args, err)
	}
}

// fromOutside is a variable that compose itself replaces.
var fromOutside = regexp.MustCompile(`\$\{\w+:\?[^}]*\}`)

// inEffect is a configuration with the environment given.
func inEffect(t *testing.T, name, text string, environment map[string]string) *config.Config {
	t.Helper()
	c, err := config.Parse(name, []byte(text), func(name string) (string, bool) {
		value, ok := environment[name]
		return fromOutside.ReplaceAllString(value, "given0from0outside"), ok
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type composeFile struct {
	Services map[string]struct {
		Image       string
		Command     []string
		Environment map[string]string
		Volumes     []string
		Ports       []string
		Configs     []struct{ Source, Target string }
		Healthcheck struct{ Test []string }
		Grace       string `yaml:"stop_grace_period"`
	}
	Configs map[string]struct{ Content string }
	Volumes map[string]any
}

// outside is a variable that compose itself replaces, with what it says if it is not
// set.
var outside = regexp.MustCompile(`\$\{[A-Z_]+:\?[a-z ]+\}`)

func TestTheComposeFile(t *testing.T) {
	t.Parallel()
	var file composeFile
	if err := yaml.Unmarshal([]byte(sources(t, "packaging/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	asides := 0
	for name, service := range file.Services {
		for _, volume := range service.Volumes {
			if source, _, _ := strings.Cut(volume, ":"); !hasKey(file.Volumes, source) {
				t.Errorf("%s: there is no volume %s", name, source)
			}
		}
		if !strings.HasPrefix(name, "aside") {
			continue
		}
		asides++
		understood(t, service.Command)
		check := service.Healthcheck.Test
		if len(check) < 3 || check[0] != "CMD" || check[1] != "/aside" {
			t.Fatalf("%s is checked with %q", name, check)
		}
		understood(t, check[2:])
		if len(service.Configs) != 1 {
			t.Fatalf("%s has %d configurations", name, len(service.Configs))
		}
		where := service.Configs[0]
		if !slices.Contains(service.Command, where.Target) || !slices.Contains(check, where.Target) {
			t.Errorf("%s does not read %s", name, where.Target)
		}
		for key, value := range service.Environment {
			service.Environment[key] = outside.ReplaceAllString(value, "0123456789abcdef")
		}
		text := strings.ReplaceAll(file.Configs[where.Source].Content, "$$", "$")
		c := inEffect(t, name, text, service.Environment)
		if got := c.Database.Reveal(); !strings.HasPrefix(got, "postgres://") || !strings.Contains(got, "@db:") {
			t.Errorf("%s uses %s", name, got)
		}
		if c.Listen.Loopback() || c.Data != "/data" || c.Token.Reveal() == "" {
			t.Errorf("%s listens at %s", name, c.Listen)
		}
		for _, port := range service.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") || !strings.HasSuffix(port, ":8787") {
				t.Errorf("%s is published as %s", name, port)
			}
		}
	}
	if asides != 2 {
		t.Errorf("there are %d Asides", asides)
	}
}

func hasKey(of map[string]any, key string) bool {
	_, ok := of[key]
	return ok
}

// A step is an instruction of the Dockerfile.
type step struct{ stage, name, rest string }

func dockerfile(t *testing.T) []step {
	t.Helper()
	var steps []step
	stage := ""
	for lines := bufio.NewScanner(strings.NewReader(sources(t, "Dockerfile"))); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		if name == "FROM" {
			words := strings.Fields(rest)
			stage = words[len(words)-1]
		}
		steps = append(steps, step{stage, name, rest})
	}
	return steps
}

// TestTheImage does by hand what the Dockerfile says, as far as that is possible
// without Docker: it runs the commands of the build stage in the sources, with their
// output in a directory, and puts the files together from which the image is made.
func TestTheImage(t *testing.T) {
	t.Parallel()
	made, image := t.TempDir(), t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range dockerfile(t) {
		switch {
		case s.stage == "build" && s.name == "RUN" && s.rest != "go mod download": // they are here
			cmd := exec.Command("sh", "-c", strings.ReplaceAll(s.rest, "/out", made))
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "TARGETOS=", "TARGETARCH=", "VERSION=v1.2.3")
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", s.rest, err, said)
			}
		case s.stage == "scratch" && s.name == "COPY":
			words := slices.DeleteFunc(strings.Fields(s.rest), func(word string) bool { return strings.HasPrefix(word, "--") })
			from, to := words[0], words[1]
			switch {
			case strings.HasPrefix(from, "/out"):
				from = made + strings.TrimPrefix(from, "/out")
			case !strings.HasPrefix(from, "/"):
				from = filepath.Join(root, from)
			default:
				continue // of the build stage's own image
			}
			copyInto(t, from, filepath.Join(image, to))
		case s.stage == "scratch" && (s.name == "CMD" || s.name == "HEALTHCHECK"):
			_, list, _ := strings.Cut(s.rest, "[")
			var args []string
			if err := yaml.Unmarshal([]byte("["+list), &args); err != nil {
				t.Fatal(err)
			}
			if s.name == "HEALTHCHECK" {
				args = args[1:]
			}
			understood(t, args)
		}
	}
	runImage(t, image)
}

func copyInto(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		if err := os.MkdirAll(to, 0o755); err != nil {
			t.Fatal(err)
		}
		return
	}
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, info.Mode())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
}

func TestTheConfigurationInTheImage(t *testing.T) {
	t.Parallel()
	text := sources(t, "packaging/container.yaml")
	c := inEffect(t, "container.yaml", text, map[string]string{"ASIDE_TOKEN": "a-token-of-more-than-16"})
	if c.Data != "/data" || c.Listen.Loopback() || c.Database.Reveal() != "sqlite" {
		t.Errorf("got %s", c.YAML())
	}
	if _, err := config.Parse("container.yaml", []byte(text), func(string) (string, bool) { return "", false }); err == nil || !strings.Contains(err.Error(), "ASIDE_TOKEN") {
		t.Errorf("without a token: %v", err)
	}
}

func TestTheUnitOfSystemd(t *testing.T) {
	t.Parallel()
	unit := sources(t, "packaging/aside.service")
	line, _, _ := strings.Cut(unit[strings.Index(unit, "ExecStart="):], "\n")
	words := strings.Fields(strings.TrimPrefix(line, "ExecStart="))
	understood(t, words[1:])
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed, so the unit was not verified")
	}
	program, err := exec.LookPath("aside")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "aside.service")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(unit, words[0], program)), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(analyze, "verify", "--man=no", path).CombinedOutput()
	if err != nil || strings.Contains(string(said), "aside.service") {
		t.Errorf("%v: %s", err, said)
	}
	// 0 is safest; most services are above 90.
	said, err = exec.Command(analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", path).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
