// Package extract reads a chat model's reply while it streams and separates the
// words meant for people from the instructions meant for the runtime.
//
// A [Reader] is fed the reply in chunks of any size and yields [Event] values:
// text to show, actions to run, controls that steer the turn, reasoning that is
// never shown, and problems, which look like instructions and cannot be used.
// However the reply is cut into chunks, the outcome is the same, and no byte that
// could still become part of an instruction is ever yielded as text.
//
//	r := extract.New(extract.Config{})
//	for chunk := range chunks {
//		for event := range r.Feed(chunk) {
//			…
//		}
//	}
//	for event := range r.End() {
//		…
//	}
//
// The package imports the standard library only and knows no action: which
// directive children, block tags and signals exist is said in [Config].
//
// # For whoever changes it
//
// The way of a byte is chunk → scanner (scan.go) → candidate (one file per
// dialect) → shower (show.go) → event. The scanner walks text and knows code;
// where an instruction may begin it starts a candidate, which reads on until it
// knows. A candidate never looks at a byte twice and never gives up a byte: it
// ends in a piece that is taken out, or it steps aside and the scanner walks on
// behind its first byte. Nothing is decided by how the chunks were cut; a
// condition on "the bytes that happen to be here" is a bug unless it only decides
// how far to look now.
package extract
