package main

import (
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/store/storetest"
	"github.com/asidehq/aside/platform"
)

// What the guide teaches can be said, and nothing else is taught: in every combination of
// the dialects in which instructions stand in a text. Envelopes have a template of their own.
func TestTheGuideTeachesExactlyWhatIsOn(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), "sqlite", storetest.Dir(t), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	registry, err := newRegistry(workshop{})
	if err != nil {
		t.Fatal(err)
	}
	turn := &store.Turn{Flow: "message", Message: platform.Message{Room: platform.Room{Platform: "web", ID: "a"}, Text: "hi", Author: platform.Person{ID: "ada"}}}
	const inText = extract.Directives | extract.Blocks | extract.Signals | extract.Reasoning
	for on := extract.Dialect(1); on <= extract.Everything; on++ {
		if on&^inText != 0 {
			continue
		}
		t.Run(on.String(), func(t *testing.T) {
			c, err := config.Parse("aside.yaml", []byte("dialects: ["+on.String()+"]\npersona: {file: none.md}\n"), os.LookupEnv)
			if err != nil {
				t.Fatal(err)
			}
			prompt, err := newGatherer(c, s, registry, slog.New(slog.DiscardHandler)).Gather(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			taught := 0
			for line := range strings.Lines(prompt.System) {
				if read := extract.Read(reading(c), []byte(line)); strings.HasPrefix(line, "<") || strings.HasPrefix(line, "[") || len(read.Actions) > 0 {
					taught++
					if len(read.Actions) != 1 || registry.Find(read.Actions[0].Name) == nil || len(read.Problems) > 0 {
						t.Errorf("%q is read as %+v, with problems %+v", line, read.Actions, read.Problems)
					}
				}
			}
			if canAct := on&^extract.Reasoning != 0; canAct != (taught > 0) {
				t.Errorf("%d instructions are taught", taught)
			}
			if off := extract.Everything &^ on; off != 0 {
				read := extract.Read(extract.Config{Dialects: off}, []byte(prompt.System))
				if len(read.Actions)+len(read.Controls)+len(read.Problems)+len(read.Reasoning) > 0 {
					t.Errorf("of other dialects it has %+v, %+v and %+v", read.Actions, read.Controls, read.Problems)
				}
			}
		})
	}
}
