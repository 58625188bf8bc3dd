package config

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/asidehq/aside/extract"
)

var update = flag.Bool("update", false, "rewrite docs/configuration.md")

func TestTheReferenceIsUpToDate(t *testing.T) {
	const path = "../../docs/configuration.md"
	want := page()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/configuration.md is stale; go test ./internal/config -update rewrites it")
	}
}

const introduction = `<!-- Generated from internal/config by go test ./internal/config -update. Do not edit. -->

# Configuration

Aside reads ` + "`aside.yaml`" + ` in the directory it is started in, or the file that
` + "`--config`" + ` names. Every key is optional, and so is the file: without one Aside runs
with SQLite, the web page and the rehearsal model. Relative paths start at the
directory Aside is started in.

` + "```yaml" + `
models:
  chat: {provider: openai, model: gpt-5.5, api_key: ${OPENAI_API_KEY}}
platforms:
  discord: {token: ${DISCORD_TOKEN}}
  web: {}
` + "```" + `

- ` + "`aside config check`" + ` says what is wrong, with line, column and what would be right.
- ` + "`aside config show`" + ` prints what is in effect, with secrets hidden.
- ` + "`aside config schema`" + ` prints a JSON Schema, with which editors complete and check.

## Values

**Variables.** ` + "`${NAME}`" + ` in a value is the environment variable NAME, which has to be
set; ` + "`${NAME:-default}`" + ` has a default for when it is not set or empty. The default goes
up to the next ` + "`}`" + ` and is taken as it stands, quotes and all. A variable can
also be a number or a switch. ` + "`$${`" + ` is a literal ` + "`${`" + `. In keys and comments variables mean
nothing.

**Secrets** are kept out of messages, logs and the output of ` + "`aside config show`" + `, and so are
passwords in URLs. Where a value is wrong that comes from a variable, the message
names the variable and not the value.

**Durations** have units: ` + "`90s`, `30m`, `24h`, `1h30m`" + `. **Sizes** do too: ` + "`500KB`, `20MB`, `1GB`" + `; a KB is
1024 bytes.

**Lists** take the place of the default, they do not add to it. A key without a value is
as good as none. Anchors, aliases and tags are not read.

## Keys
`

// page is docs/configuration.md.
func page() string {
	var b strings.Builder
	b.WriteString(introduction)
	writeKeys(&b, reflect.TypeFor[Config](), "", "##", map[reflect.Type]bool{})
	return b.String()
}

// writeKeys writes a table of the keys of a section, and then the sections in it,
// each type of section once.
func writeKeys(b *strings.Builder, section reflect.Type, path, level string, written map[reflect.Type]bool) {
	keys := keysOf(section)
	if len(keys) > 0 {
		b.WriteString("\n| key | default | |\n|---|---|---|\n")
	}
	for _, k := range keys {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", k.name, defaultCell(k), docCell(k))
	}
	for _, k := range keys {
		inner, ok := k.section()
		name := join(path, k.name)
		if k.typ.Kind() == reflect.Map && k.typ.Elem().Kind() == reflect.Struct {
			inner, ok, name = k.typ.Elem(), true, join(name, "ROOM")
		}
		if !ok || written[inner] || inner.NumField() == 0 {
			continue
		}
		written[inner] = true
		if inner == reflect.TypeFor[Model]() {
			name = join(path, "ROLE") // they are all alike
		}
		fmt.Fprintf(b, "\n%s# %s\n", level, name)
		writeKeys(b, inner, name, level, written)
	}
}

func defaultCell(k key) string {
	if k.name == "platforms" {
		return "`{web: {}}`"
	}
	if _, ok := k.section(); ok {
		return ""
	}
	if k.typ == reflect.TypeFor[extract.Dialect]() && k.value == "" {
		return "" // none is not one of its values
	}
	if _, ok := elementOf(k.typ); ok {
		return "`[" + strings.ReplaceAll(k.value, ",", ", ") + "]`"
	}
	if k.value != "" {
		return "`" + k.value + "`"
	}
	if k.filled {
		return "needed"
	}
	return ""
}

func docCell(k key) string {
	doc := k.doc
	if f, ok := formOf(k.typ); ok && f.names != nil && !strings.Contains(doc, f.names[0]+": ") {
		doc += " One of " + strings.Join(f.names, ", ") + "."
	}
	if k.most != nil {
		doc += fmt.Sprintf(" From %d to %d.", *k.least, *k.most)
	} else if k.least != nil && *k.least > 0 {
		doc += fmt.Sprintf(" At least %d.", *k.least)
	}
	return strings.ReplaceAll(doc, "|", `\|`)
}
