// Package observe counts what the program does, for Prometheus, and makes the spans of
// turns, for OpenTelemetry.
//
// It knows OpenTelemetry's interface only; the program decides whether spans go
// anywhere. Before changing it, know what must not get out: labels and attributes hold
// names that the program or its configuration has chosen, and ids. Texts, arguments
// and the words of errors stay inside; a name that a model has chosen is "unknown".
package observe
