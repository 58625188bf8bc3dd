// Package tools holds the actions that compute and look up.
package tools

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/asidehq/aside/action"
)

// Specs are the actions of this category.
func Specs() []*action.Spec { return []*action.Spec{calculate()} }

const category = "search"

type calculateArgs struct {
	Expression string `arg:"expression,argument" doc:"such as 342 * 15"`
}

func calculate() *action.Spec {
	return action.Define(action.Spec{
		Name: "calculate", Category: category, Signals: []string{"CALCULATE"},
		Description: "Compute an expression: + - * / ^ and brackets, exactly.",
		Example:     `{"type":"calculate","expression":"342 * 15"}`,
		Repeatable:  true,
	}, func(_ context.Context, _ action.Call, args calculateArgs) action.Outcome {
		result, err := Calculate(args.Expression)
		if err != nil {
			return action.Fail("%s: %v", args.Expression, err)
		}
		return action.Done("%s = %s", args.Expression, result)
	})
}

const (
	longestExpression = 1000
	deepestBrackets   = 50
	largestResult     = 4096 // bits
)

var (
	errTooLarge = errors.New("the result is too large")
	errDivision = errors.New("division by zero")
)

// Calculate computes an expression with exact fractions. A result that is no
// decimal fraction is given to twelve places.
func Calculate(expression string) (string, error) {
	if len(expression) > longestExpression {
		return "", errors.New("the expression is too long")
	}
	c := calculator{rest: expression}
	result, err := c.sum()
	if err != nil {
		return "", err
	}
	if c.next() != 0 {
		return "", fmt.Errorf("%q is not understood here", c.rest)
	}
	return decimal(result), nil
}

// decimal writes a fraction as people do.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	const places = 12
	s := strings.TrimRight(r.FloatString(places), "0")
	if back, ok := new(big.Rat).SetString(s); ok && back.Cmp(r) == 0 {
		return s
	}
	return "about " + strings.TrimSuffix(s, ".")
}

// A calculator reads an expression from left to right.
type calculator struct {
	rest  string
	depth int
}

// next is the next byte that is no space, or 0 at the end.
func (c *calculator) next() byte {
	c.rest = strings.TrimLeft(c.rest, " \t\n")
	if c.rest == "" {
		return 0
	}
	return c.rest[0]
}

func (c *calculator) take(s string) bool {
	c.next()
	rest, ok := strings.CutPrefix(c.rest, s)
	if ok {
		c.rest = rest
	}
	return ok
}

func (c *calculator) sum() (*big.Rat, error) {
	left, err := c.product()
	for err == nil {
		var right *big.Rat
		switch {
		case c.take("+"):
			if right, err = c.product(); err == nil {
				left = new(big.Rat).Add(left, right)
			}
		case c.take("-"):
			if right, err = c.product(); err == nil {
				left = new(big.Rat).Sub(left, right)
			}
		default:
			return left, nil
		}
		if err == nil {
			err = bounded(left)
		}
	}
	return nil, err
}

func (c *calculator) product() (*big.Rat, error) {
	left, err := c.signed()
	for err == nil {
		var right *big.Rat
		switch {
		case !strings.HasPrefix(c.rest, "**") && c.take("*"):
			if right, err = c.signed(); err == nil {
				left = new(big.Rat).Mul(left, right)
			}
		case c.take("/"):
			if right, err = c.signed(); err == nil {
				if right.Sign() == 0 {
					return nil, errDivision
				}
				left = new(big.Rat).Quo(left, right)
			}
		default:
			return left, nil
		}
		if err == nil {
			err = bounded(left)
		}
	}
	return nil, err
}

func (c *calculator) signed() (*big.Rat, error) {
	if c.take("-") {
		if c.depth++; c.depth > deepestBrackets {
			return nil, errors.New("there are too many signs or brackets")
		}
		r, err := c.signed()
		if err != nil {
			return nil, err
		}
		return new(big.Rat).Neg(r), nil
	}
	return c.power()
}

func (c *calculator) power() (*big.Rat, error) {
	base, err := c.atom()
	if err != nil || !c.take("**") && !c.take("^") {
		return base, err
	}
	exponent, err := c.signed()
	if err != nil {
		return nil, err
	}
	if !exponent.IsInt() || !exponent.Num().IsInt64() {
		return nil, errors.New("an exponent is a whole number")
	}
	n := exponent.Num().Int64()
	if n < 0 && base.Sign() == 0 {
		return nil, errDivision
	}
	if bits := max(base.Num().BitLen(), base.Denom().BitLen()); bits > 1 && max(n, -n) > largestResult/int64(bits-1) {
		return nil, errTooLarge
	}
	abs := big.NewInt(max(n, -n))
	result := new(big.Rat).SetFrac(new(big.Int).Exp(base.Num(), abs, nil), new(big.Int).Exp(base.Denom(), abs, nil))
	if n < 0 {
		result.Inv(result)
	}
	return result, nil
}

func (c *calculator) atom() (*big.Rat, error) {
	if c.take("(") {
		if c.depth++; c.depth > deepestBrackets {
			return nil, errors.New("there are too many signs or brackets")
		}
		r, err := c.sum()
		if err == nil && !c.take(")") {
			err = errors.New("a closing bracket is missing")
		}
		return r, err
	}
	if c.next() == 0 {
		return nil, errors.New("a number is missing at the end")
	}
	n := 0
	for n < len(c.rest) && (c.rest[n] >= '0' && c.rest[n] <= '9' || c.rest[n] == '.') {
		n++
	}
	r, ok := new(big.Rat).SetString(c.rest[:n])
	if !ok {
		return nil, fmt.Errorf("%q is not a number", c.rest)
	}
	c.rest = c.rest[n:]
	return r, nil
}

func bounded(r *big.Rat) error {
	if r.Num().BitLen() > largestResult || r.Denom().BitLen() > largestResult {
		return errTooLarge
	}
	return nil
}
