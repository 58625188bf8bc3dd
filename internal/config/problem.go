package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is something wrong with the file, and what would be right.
type Problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // from 1; 0 if it is about the file
	Column int    `json:"column"`
	Key    string `json:"key"`  // such as groups.mode; "" if it is about no key
	Text   string `json:"text"` // for a person; without secrets
}

func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if p.Key != "" {
		b.WriteString(": " + p.Key)
	}
	b.WriteString(": " + p.Text)
	return b.String()
}

// Problems is the error of Load: all that is wrong with the file, in its order.
type Problems []Problem

// Error has a line for each.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) sort() {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
