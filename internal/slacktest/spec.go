package slacktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asidehq/aside/internal/wiretest"
)

// A spec is Slack's own description of its Web API (OpenAPI 2). It is not in the
// repository: the environment variable ASIDE_SPECS names the directory that has it, or it
// lies beside the repository. Where it is found, every request is checked against it. Slack
// has not brought it up to date for years: newer lists what came after it.
type spec struct {
	methods map[string][]parameter
}

type parameter struct {
	Name     string `json:"name"`
	In       string `json:"in"`
	Type     string `json:"type"`
	Required bool   `json:"required"`
}

// newer are methods and parameters that the description does not have yet.
var newer = map[string][]string{
	"apps.connections.open":        {},
	"files.getUploadURLExternal":   {"filename", "length", "alt_txt", "snippet_type"},
	"files.completeUploadExternal": {"files", "channel_id", "thread_ts", "initial_comment"},
	"chat.postMessage":             {"metadata"},
	"chat.update":                  {"metadata"},
	"conversations.history":        {"include_all_metadata"},
	"conversations.replies":        {"include_all_metadata"},
}

var readSpec = sync.OnceValues(func() (*spec, error) {
	data, err := wiretest.Spec("slack_web_openapi_v2.json")
	if err != nil || data == nil {
		return nil, err
	}
	var read struct {
		Paths map[string]map[string]struct {
			Parameters []parameter `json:"parameters"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, err
	}
	s := &spec{methods: map[string][]parameter{}}
	for path, operations := range read.Paths {
		for _, o := range operations {
			s.methods[strings.TrimPrefix(path, "/")] = o.Parameters
		}
	}
	return s, nil
})

func loadSpec(t T) *spec {
	s, err := readSpec()
	if err != nil {
		t.Fatalf("slacktest: read Slack's description of its API: %v", err)
	}
	return s
}

// check tells what is wrong with a request.
func (s *spec) check(c *call) error {
	described, ok := s.methods[c.method]
	if extra, isNew := newer[c.method]; !ok && !isNew {
		return errors.New("there is no such method")
	} else if !ok {
		for name := range c.values {
			if name != "token" && !slices.Contains(extra, name) {
				return fmt.Errorf("there is no parameter %s", name)
			}
		}
		return nil
	}
	for name := range c.values {
		i := slices.IndexFunc(described, func(p parameter) bool { return p.Name == name })
		switch {
		case name == "token", i < 0 && slices.Contains(newer[c.method], name):
		case i < 0:
			return fmt.Errorf("there is no parameter %s", name)
		default:
			if err := described[i].check(c.get(name)); err != nil {
				return err
			}
		}
	}
	for _, p := range described {
		if p.Required && p.Name != "token" && c.get(p.Name) == "" {
			return fmt.Errorf("%s is missing", p.Name)
		}
	}
	return nil
}

func (p parameter) check(value string) error {
	var err error
	switch p.Type {
	case "boolean":
		_, err = strconv.ParseBool(value)
	case "integer":
		_, err = strconv.Atoi(value)
	case "number":
		_, err = strconv.ParseFloat(value, 64)
	}
	if err != nil {
		return fmt.Errorf("%s is %q, want a %s", p.Name, value, p.Type)
	}
	return nil
}
