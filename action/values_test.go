package action

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

type archiveArgs struct {
	Minutes int `arg:"minutes" values:"60,1440" optional:"true"`
}

func TestANumberMayHaveOnlySomeValues(t *testing.T) {
	archive := Define(Spec{Name: "archive"}, func(context.Context, Call, archiveArgs) Outcome { return Outcome{} })
	for _, test := range []struct{ name, args, err string }{
		{"none", `{}`, ""},
		{"one of them", `{"minutes":60}`, ""},
		{"one of them as a string", `{"minutes":"1440"}`, ""},
		{"another", `{"minutes":61}`, "archive: minutes is one of 60, 1440, got 61"},
		{"no number", `{"minutes":"an hour"}`, `archive: minutes is a whole number, got "an hour"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := archive.Decode(json.RawMessage(test.args)); message(err) != test.err {
				t.Errorf("the error is %q", message(err))
			}
		})
	}
	if schema := string(archive.Schema()); !strings.Contains(schema, `{"enum":[60,1440],"type":"integer"}`) {
		t.Errorf("the schema is %s", schema)
	}
}
