package forge

import (
	"slices"
	"strings"
	"testing"
)

const unsure = Severity("")

func TestAVerdictIsReadFromWhateverAnAuditorWrites(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		want        Severity
	}{
		// The JSON that was asked for.
		{"a clean verdict", `{"maxSeverity":"none","shouldLoop":false,"summary":"Fine.","concerns":[]}`, None},
		{"a blocking verdict", `{"maxSeverity":"blocking","shouldLoop":true,"summary":"No rollback.","concerns":["There is no rollback."]}`, Blocking},
		{"a minor one", `{"maxSeverity":"minor","shouldLoop":false,"summary":"Nits.","concerns":["A typo."]}`, Minor},
		{"a medium one that wants to loop does not", `{"maxSeverity":"medium","shouldLoop":true,"concerns":["Unclear scope."]}`, Medium},
		{"a major one does not loop either", `{"maxSeverity":"major","shouldLoop":true,"concerns":["Slow."]}`, Major},
		{"a blocking one that does not want to loop does", `{"maxSeverity":"blocking","shouldLoop":false,"concerns":["It loses data."]}`, Blocking},
		{"in a fence", "```json\n{\"maxSeverity\": \"blocking\", \"shouldLoop\": true}\n```", Blocking},
		{"in a fence without a language", "```\n{\"maxSeverity\": \"none\"}\n```", None},
		{"with text around it", "I have read the plan.\n\n{\"maxSeverity\":\"minor\",\"concerns\":[]}\n\nThat is all. Nothing here is a blocking issue to me.", Minor},
		{"with a trailing comma", `{"maxSeverity":"blocking","concerns":["a","b",],}`, Blocking},
		{"with single quotes and no quotes", `{maxSeverity: 'major', shouldLoop: false}`, Major},
		{"with a comment", "{\"maxSeverity\":\"none\" // all fine\n}", None},
		{"with a newline in a text", "{\"maxSeverity\":\"blocking\",\"summary\":\"two\nlines\"}", Blocking},
		{"with a brace in a text", `{"maxSeverity":"minor","summary":"use {} instead of }"}`, Minor},
		{"names in another case", `{"max_severity":"BLOCKING","should_loop":true}`, Blocking},
		{"inside another object", `{"verdict":{"maxSeverity":"medium","concerns":[]}}`, Medium},
		{"the format first and then the verdict", "You asked for {\"maxSeverity\":\"none\",\"shouldLoop\":false}. Here it is:\n{\"maxSeverity\":\"blocking\",\"shouldLoop\":true}", Blocking},
		{"concerns that are objects", `{"maxSeverity":"blocking","concerns":[{"severity":"blocking","title":"Rollback","description":"none"}]}`, Blocking},
		{"a concern that is worse than the whole", `{"maxSeverity":"minor","concerns":[{"severity":"blocking","concern":"It loses data."}]}`, Blocking},
		{"severity only in the concerns", `{"concerns":[{"severity":"minor","text":"a"},{"severity":"major","text":"b"}]}`, Major},
		{"an empty list of concerns", `{"concerns":[],"summary":"Good."}`, None},
		{"concerns without a severity", `{"concerns":["Something."]}`, unsure},
		{"a severity of its own making", `{"maxSeverity":"catastrophic","concerns":["Oh."]}`, unsure},
		{"a severity of its own making that loops", `{"maxSeverity":"catastrophic","shouldLoop":true}`, Blocking},
		{"only whether to loop: no", `{"shouldLoop":false,"summary":"Ship it."}`, None},
		{"only whether to loop: yes", `{"shouldLoop":true}`, Blocking},
		{"critical is blocking", `{"severity":"critical"}`, Blocking},
		{"high is major", `{"severity":"high"}`, Major},
		{"non-blocking in JSON", `{"maxSeverity":"non-blocking"}`, Minor},
		{"an object about something else, and words", "{\"file\":\"a.go\"}\nThere are no blocking concerns.", None},
		{"an object that was cut off, and a label in it", `{"maxSeverity": "blocking", "concerns": ["There is no`, Blocking},

		// Words.
		{"no blocking concerns", "There are no blocking concerns.", None},
		{"non-blocking concerns", "I have two non-blocking concerns.", Minor},
		{"nonblocking, in one word", "Only nonblocking issues were found.", Minor},
		{"a blocking concern", "There is one blocking concern: the rollback is missing.", Blocking},
		{"blocking, and others that are not", "Two blocking issues and three non-blocking nits.", Blocking},
		{"a label", "**Max severity:** blocking\n\nThe rest is fine.", Blocking},
		{"a label in capitals", "VERDICT: MINOR", Minor},
		{"a label that says not blocking", "Overall: not blocking.", Minor},
		{"a label with a word that is no severity, and words", "Verdict: mixed. There is a blocking issue in Testing.", Blocking},
		{"labels of single concerns", "1. Typo. Severity: minor\n2. Data loss. Severity: blocking", Blocking},
		{"the whole counts more than the single ones", "Severity: blocking (in the first draft). Max severity: minor now.", Minor},
		{"nothing blocking", "I see nothing blocking.", None},
		{"none of them is blocking", "None of these points is blocking.", None},
		{"not, some words before", "I do not think that there are any blocking issues here.", None},
		{"no, in an earlier clause", "There is no rollback, which is a blocking issue.", Blocking},
		{"not, in an earlier clause", "The plan does not say who restarts it and that is a blocking problem.", Blocking},
		{"no major or blocking issues", "No critical, major, or blocking issues.", None},
		{"zero blocking issues", "0 blocking issues, 2 minor issues.", Minor},
		{"a list of blockers", "## Blocking\n- The migration cannot be undone.\n\n## Minor\n- A typo.", Blocking},
		{"an empty list of blockers", "Blocking: none\nMinor: a typo in Scope.", Minor},
		{"an empty list of blockers under a heading", "### Blocking\n\nNone.\n\n### Medium\n- The tests are thin.", Medium},
		{"a number of blockers", "Blocking: 2", Blocking},
		{"no number of blockers", "Blocking: 0", None},
		{"items in brackets", "- [blocking] No tests.\n- [minor] Naming.", Blocking},
		{"a blocker as a noun", "The missing backup is a blocker.", Blocking},
		{"no blockers", "No blockers. Good work.", None},
		{"all blockers are resolved", "All blocking concerns have been resolved.", None},
		{"blockers that must be resolved", "The blocking concerns must be resolved first.", Blocking},
		{"blockers that are not resolved", "The blocking issues have not been addressed.", Blocking},
		{"what would be blocking", "If there were blocking issues I would say so.", unsure},
		{"about blocking calls", "The plan replaces blocking IO with non-blocking IO.", unsure},
		{"isn't blocking", "The naming isn't blocking.", None},
		{"is blocking", "The lack of tests is blocking.", Blocking},
		{"no concerns", "LGTM, no concerns.", None},
		{"a major issue", "There's a major issue with the scope.", Major},
		{"nothing that says anything", "I have read it.", unsure},
		{"nothing at all", "", unsure},
		{"a refusal", "I cannot help with that.", unsure},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := ReadVerdict(c.reply)
			if v.Severity != c.want || (v.Unsure != "") != (c.want == unsure) || v.Blocks() != (c.want == Blocking) {
				t.Errorf("%q is %+v, want %q", c.reply, v, c.want)
			}
		})
	}
}

func TestTheConcernsOfAVerdictAreKeptShort(t *testing.T) {
	v := ReadVerdict(`{"maxSeverity":"blocking","summary":" two
	lines ","concerns":["first\nconcern",{"severity":"blocking","section":"Testing","concern":"none at all"},{"severity":"minor","text":"typo"},7,""]}`)
	want := []Concern{{Text: "first concern"}, {Blocking, "Testing: none at all"}, {Minor, "typo"}}
	if !slices.Equal(v.Concerns, want) || v.Summary != "two lines" {
		t.Errorf("%+v", v)
	}
	if got := v.Blockers(); !slices.Equal(got, want[1:2]) {
		t.Errorf("blockers are %+v", got)
	}
	many := ReadVerdict(`{"maxSeverity":"blocking","concerns":[` + strings.Repeat(`"`+strings.Repeat("x", 5000)+`",`, 500) + `]}`)
	if len(many.Concerns) != mostConcerns || len([]rune(many.Concerns[0].Text)) > longestConcern+1 || len(many.Blockers()) != mostConcerns {
		t.Errorf("%d concerns", len(many.Concerns))
	}
	words := ReadVerdict("There are blocking issues:\n- no rollback\n- no tests\n")
	if want := []Concern{{Text: "no rollback"}, {Text: "no tests"}}; !slices.Equal(words.Blockers(), want) {
		t.Errorf("in words: %+v", words)
	}
}

func FuzzReadVerdict(f *testing.F) {
	f.Add(`{"maxSeverity":"none"}`)
	f.Add("Blocking: none, or so")
	f.Add(strings.Repeat("{", 300))
	f.Fuzz(func(t *testing.T, reply string) {
		v := ReadVerdict(reply)
		if v.Severity != "" && !slices.Contains(severities, v.Severity) || v.Severity == "" && v.Unsure == "" || len(v.Concerns) > mostConcerns {
			t.Errorf("%q is %+v", reply, v)
		}
	})
}
