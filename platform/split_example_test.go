package platform_test

import (
	"fmt"
	"strings"

	"github.com/asidehq/aside/platform"
)

// A text over the limit is cut where a person would cut it.
func ExampleSplit() {
	text := "The first paragraph says little.\n\nThe second says more. It goes on for a while."
	for _, part := range platform.Split(text, platform.Limits{Text: 40}) {
		fmt.Printf("%q\n", part)
	}
	// Output:
	// "The first paragraph says little."
	// "The second says more."
	// "It goes on for a while."
}

// Code stays code in every part.
func ExampleSplit_code() {
	text := "```go\nfirst()\nsecond()\nthird()\nfourth()\n```"
	for _, part := range platform.Split(text, platform.Limits{Text: 32}) {
		fmt.Printf("%s\n\n", part)
	}
	// Output:
	// ```go
	// first()
	// second()
	// ```
	//
	// ```go
	// third()
	// fourth()
	// ```
}

// A text that would fill the room is attached, and its beginning shown.
func ExampleAttach() {
	text := strings.Repeat("A line of a long report.\n", 1000)
	shown, file := platform.Attach(text, platform.Limits{Text: 90}, platform.MostParts)
	fmt.Println(shown[0])
	fmt.Println(len(file) == len(text))
	// Output:
	// A line of a long report.
	// A line of a long report.
	// … (the whole text is attached)
	// true
}
