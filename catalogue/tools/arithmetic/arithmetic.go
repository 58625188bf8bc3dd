// Package arithmetic computes what people write down: numbers, the usual functions and
// constants, percentages, and times. Whole numbers and fractions are exact. It imports the
// standard library only.
//
// Before changing it, know that expressions come from models: everything is bounded (the
// length of an expression, its depth, the size of every number on the way), and there are no
// names but those in its tables.
package arithmetic

import (
	"errors"
	"fmt"
)

const (
	longest    = 1000      // of an expression, in bytes
	deepest    = 50        // brackets and signs in each other
	largest    = 16_384    // bits of a number on the way
	digits     = 12        // significant ones of a number that is not exact
	mostDigits = 400       // of a whole number that is written out
	mostPlaces = 30        // of a decimal fraction that is written out
	factorials = 1_000     // the largest number that has one here
	precision  = 256       // bits of a root
	openEnd    = "the end" // what an expression that breaks off has next
)

var (
	errTooLarge = errors.New("the result is too large")
	errDivision = errors.New("division by zero")
	errTooDeep  = errors.New("there are too many signs or brackets")
)

// Evaluate computes an expression and writes the result as people do. What is not exact
// begins with "about".
func Evaluate(expression string) (string, error) {
	if len(expression) > longest {
		return "", errors.New("the expression is too long")
	}
	tokens, err := scan(expression)
	if err != nil {
		return "", err
	}
	p := parser{tokens: tokens}
	v, err := p.expression(0)
	if err == nil {
		v, err = p.converted(v)
	}
	if err != nil {
		return "", err
	}
	if !p.at(end) {
		return "", fmt.Errorf("%q is not understood here", p.rest(expression))
	}
	return v.String(), nil
}
