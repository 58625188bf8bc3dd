package extract_test

import (
	"fmt"
	"slices"

	"github.com/asidehq/aside/extract"
)

// A reply is fed as it streams. What is certain comes out at once, what may still
// become part of an instruction is held back.
func ExampleReader() {
	r := extract.New(extract.Config{})
	stream := []string{"Great idea! <act", "ions><react emo", `ji="eyes"/></acti`, "ons> I'll look", " into it."}

	show := func(e extract.Event) {
		switch e.Kind {
		case extract.KindText:
			fmt.Printf("show %q\n", e.Text)
		case extract.KindAction:
			fmt.Printf("run  %s %s\n", e.Name, e.Args)
		}
	}
	for _, chunk := range stream {
		for event := range r.Feed([]byte(chunk)) {
			show(event)
		}
	}
	for event := range r.End() {
		show(event)
	}
	// Output:
	// show "Great idea!"
	// run  react {"emoji":"eyes"}
	// show " "
	// show "I'll look"
	// show " into it."
}

// A Reader is used for one reply after another; its buffers are kept.
func ExampleReader_Reset() {
	r := extract.New(extract.Config{})
	for _, reply := range []string{"[CALCULATE:6*7]", "Nothing to do."} {
		var result extract.Result
		for e := range r.Feed([]byte(reply)) {
			result.Add(e)
		}
		for e := range r.End() {
			result.Add(e)
		}
		fmt.Printf("%d actions, text %q\n", len(result.Actions), result.Text)
		r.Reset()
	}
	// Output:
	// 1 actions, text ""
	// 0 actions, text "Nothing to do."
}

// A reply that is at hand as a whole is read in one call. What looked like an
// instruction and was none is not lost, but reported.
func ExampleRead() {
	result := extract.Read(extract.Config{}, []byte(`Done.
<discord-action>{"type":"pinMessage",}</discord-action>
<discord-action>{"emoji":"eyes"}</discord-action>`))
	fmt.Printf("%s\n", result.Text)
	for _, a := range result.Actions {
		fmt.Println(a.Dialect, a.Name, string(a.Args))
	}
	for _, p := range result.Problems {
		fmt.Println(p.Name+":", p.Why)
	}
	// Output:
	// Done.
	// blocks pinMessage {}
	// malformed: the object needs a "type" that names the action
}

// Which dialects are read, and which children, tags and signals exist in them, is
// up to the program.
func ExampleConfig() {
	c := extract.Config{
		Dialects: extract.Directives | extract.Signals,
		Children: append(extract.DefaultChildren(), extract.Child{Name: "dim-lights", Text: "room"}),
		Signals:  []extract.Signal{{Name: "PLAY", Params: []string{"artist", "title"}}},
	}
	result := extract.Read(c, []byte(`[PLAY:Nina Simone:Feeling Good] <actions><dim-lights to="20%">kitchen</dim-lights></actions>`))
	for _, a := range result.Actions {
		fmt.Println(a.Name, string(a.Args))
	}
	// Output:
	// PLAY {"artist":"Nina Simone","title":"Feeling Good"}
	// dim-lights {"to":"20%","room":"kitchen"}
}

// Whether an instruction stands in code is known: an example is not executed.
func ExampleRead_code() {
	result := extract.Read(extract.Config{}, []byte("Write `[SEARCH:tea]` to search. [SEARCH:coffee]"))
	fmt.Printf("%s\n", result.Text)
	fmt.Println(slices.Collect(names(result.Actions)), string(result.Actions[0].Args))
	// Output:
	// Write `[SEARCH:tea]` to search.
	// [SEARCH] {"argument":"coffee"}
}

func names(events []extract.Event) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, e := range events {
			if !yield(e.Name) {
				return
			}
		}
	}
}
