package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/asidehq/aside/action"
	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/model"
)

// explains is how the guide to envelopes explains an action: its name and, if it has some,
// arguments.
var explains = regexp.MustCompile(`(?m)^([A-Z][A-Z0-9_]*)(?: (\{.*?\}))?  [A-Z]`)

// Whatever the guide says can be written: a reply that does as it says is read without a
// problem, and each of its actions is found and has the arguments that it needs.
func TestAReplyWrittenAsTheTemplateSaysIsRead(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	guide := turn.GuideIn(extract.Everything).Text(registry.Specs())
	reading := extract.Config{Dialects: extract.Everything}
	explained := map[*action.Spec]bool{}
	for _, found := range explains.FindAllStringSubmatch(guide, -1) {
		name, params := found[1], found[2]
		if params == "" {
			params = "{}"
		}
		reply, err := json.Marshal(map[string]any{"text": "Here {you} are.", "actions": []string{name}, "params": map[string]any{name: json.RawMessage(params)}})
		if err != nil {
			t.Errorf("%s: %v", found[0], err)
			continue
		}
		read := extract.Read(reading, reply)
		if string(read.Text) != "Here {you} are." || len(read.Actions) != 1 || len(read.Problems) > 0 {
			t.Errorf("%s is read as %+v", reply, read)
			continue
		}
		spec := registry.Find(read.Actions[0].Name)
		if spec == nil {
			if name != "REPLY" && name != "IGNORE" && name != "CONTINUE" {
				t.Errorf("there is no %s", name)
			}
			continue
		}
		explained[spec] = true
		if args, err := spec.Decode(read.Actions[0].Args); err != nil || len(args.Warnings) > 0 {
			t.Errorf("%s is not understood: %v, %v", reply, err, args.Warnings)
		}
	}
	for _, s := range registry.Specs() {
		if !explained[s] {
			t.Errorf("%s is not explained", s.Name)
		}
	}
	for line := range strings.SplitSeq(guide, "\n") { // what it shows
		if strings.HasPrefix(line, "{") {
			if read := extract.Read(reading, []byte(line)); len(read.Text) == 0 || len(read.Problems) > 0 {
				t.Errorf("its own example is read as %+v", read)
			}
		}
	}
}

// Asking for envelopes costs no more than asking for blocks does.
func TestTheTemplateIsShort(t *testing.T) {
	t.Parallel()
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	alone := model.Tokens(turn.GuideIn(extract.Envelope).Text(nil))
	envelope, blocks := model.Tokens(turn.GuideIn(extract.Envelope).Text(registry.Specs())), model.Tokens(turn.GuideIn(extract.Blocks).Text(registry.Specs()))
	t.Logf("the template has %d tokens, with every action %d; in blocks %d", alone, envelope, blocks)
	if alone > 250 || envelope > blocks {
		t.Errorf("the template has %d tokens, and with every action %d, where blocks have %d", alone, envelope, blocks)
	}
}
