package arithmetic

import (
	"fmt"
)

// A parser reads an expression once, from left to right, and computes as it goes.
type parser struct {
	tokens []token
	depth  int
}

func (p *parser) next() token      { return p.tokens[0] }
func (p *parser) at(k kind) bool   { return p.next().kind == k }
func (p *parser) is(s string) bool { return p.next().kind == symbol && p.next().text == s }

// says tells whether a word is next.
func (p *parser) says(words ...string) bool {
	for _, w := range words {
		if p.at(word) && p.next().text == w {
			return true
		}
	}
	return false
}

func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *parser) took(s string) bool {
	if !p.is(s) {
		return false
	}
	p.take()
	return true
}

// rest is what was not read.
func (p *parser) rest(expression string) string { return expression[p.next().at:] }

// deeper is called for everything that stands in something else.
func (p *parser) deeper() error {
	if p.depth++; p.depth > deepest {
		return errTooDeep
	}
	return nil
}

// How strongly operators bind.
const (
	sums     = 1
	products = 2
	signs    = 3
	powers   = 4
)

// An operator between two values.
type operator struct {
	name  string
	binds int
	right bool // a ^ b ^ c is a ^ (b ^ c)
}

// operator is the one that is next, if there is one.
func (p *parser) operator() (operator, bool) {
	switch {
	case p.at(symbol):
		switch text := p.next().text; text {
		case "+", "-":
			return operator{name: text, binds: sums}, true
		case "*", "/", "//":
			return operator{name: text, binds: products}, true
		case "%":
			return operator{name: "mod", binds: products}, true
		case "^":
			return operator{name: text, binds: powers, right: true}, true
		case "(", "√", "π": // 2(3 + 4)
			return operator{name: "", binds: products}, true
		}
	case p.says("mod"):
		return operator{name: "mod", binds: products}, true
	case p.says("of", "x", "times"): // 20 % of 50, 6 x 7
		return operator{name: "*", binds: products}, true
	case p.at(word) && !p.says("in", "to", "as"):
		if _, ok := units[p.next().text]; !ok {
			return operator{name: "", binds: products}, true // 2 pi
		}
	case p.at(number):
		return operator{name: "and", binds: signs}, true // 2 h 30 min
	}
	return operator{}, false
}

// expression reads everything whose operators bind more strongly than the one before it.
func (p *parser) expression(binds int) (value, error) {
	left, err := p.signed()
	for err == nil {
		op, ok := p.operator()
		if !ok || op.binds <= binds {
			return left, nil
		}
		if op.name != "" && op.name != "and" {
			p.take()
		}
		least := op.binds
		if op.right {
			least--
		}
		var right value
		if right, err = p.expression(least); err == nil {
			left, err = combine(op.name, left, right)
		}
	}
	return value{}, err
}

// signed reads a value with its signs. -2 ^ 2 is -4, as on paper.
func (p *parser) signed() (value, error) {
	sign := p.next().text
	if !p.took("-") && !p.took("+") {
		return p.primary()
	}
	if err := p.deeper(); err != nil {
		return value{}, err
	}
	defer func() { p.depth-- }()
	v, err := p.expression(signs)
	if sign == "-" && err == nil {
		v = v.negated()
	}
	return v, err
}

// primary reads a number, what stands in brackets, a constant or a function, and what
// stands behind it: a unit, %, !.
func (p *parser) primary() (v value, err error) {
	switch t := p.take(); {
	case t.kind == number:
		v = value{num: t.num, time: t.text == ":"}
	case t.kind == symbol && t.text == "(":
		v, err = p.bracketed()
	case t.kind == symbol && t.text == "√":
		if err = p.deeper(); err == nil {
			if v, err = p.signed(); err == nil {
				v, err = functions["sqrt"].of([]value{v})
			}
			p.depth--
		}
	case t.kind == symbol && t.text == "π":
		v = constants["pi"]
	case t.kind == word:
		v, err = p.named(t)
	case t.kind == end:
		err = fmt.Errorf("a number is missing at %s", openEnd)
	default:
		err = fmt.Errorf("a number is missing before %q", t.text)
	}
	if err != nil {
		return value{}, err
	}
	return p.behind(v)
}

func (p *parser) bracketed() (value, error) {
	if err := p.deeper(); err != nil {
		return value{}, err
	}
	defer func() { p.depth-- }()
	v, err := p.expression(0)
	if err == nil && !p.took(")") {
		err = fmt.Errorf("a closing bracket is missing")
	}
	return v, err
}

// behind reads what stands behind a value.
func (p *parser) behind(v value) (value, error) {
	for {
		var err error
		switch {
		case p.took("!"):
			v, err = functions["factorial"].of([]value{v})
		case p.took("²"):
			v, err = combine("^", v, whole(2))
		case p.took("³"):
			v, err = combine("^", v, whole(3))
		case p.took("°"), p.says("deg", "degrees") && p.take().kind == word:
			v, err = inDegrees(v)
		case p.is("%") && !p.operandAfter():
			p.take()
			v, err = v.percent()
		case p.at(word) && !v.time:
			unit, ok := units[p.next().text]
			if !ok {
				return v, nil
			}
			p.take()
			v, err = v.in(unit)
		default:
			return v, nil
		}
		if err != nil {
			return value{}, err
		}
	}
}

// operandAfter tells whether behind the next token there is a value: 10 % 3 is a rest, 10 %
// a percentage.
func (p *parser) operandAfter() bool {
	t := p.tokens[1]
	if t.kind == word {
		_, function := functions[t.text]
		_, constant := constants[t.text]
		return function || constant
	}
	return t.kind == number || t.kind == symbol && (t.text == "(" || t.text == "√" || t.text == "π")
}

// named reads what a word means.
func (p *parser) named(t token) (value, error) {
	if f, ok := functions[t.text]; ok {
		if !p.is("(") {
			return value{}, fmt.Errorf("%s needs brackets: %s(…)", t.text, t.text)
		}
		args, err := p.arguments()
		if err == nil && (len(args) < f.least || len(args) > f.most) {
			err = fmt.Errorf("%s(…) has another number of arguments, not %d", t.text, len(args))
		}
		if err != nil {
			return value{}, err
		}
		return f.of(args)
	}
	if c, ok := constants[t.text]; ok {
		return c, nil
	}
	if u, ok := units[t.text]; ok { // "an hour" is written "1 hour"
		return value{}, fmt.Errorf("a number is missing before %q", u.name)
	}
	return value{}, fmt.Errorf("%q is not known here", t.text)
}

// arguments reads what stands in the brackets of a function.
func (p *parser) arguments() (args []value, err error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.take()
	for !p.took(")") {
		if len(args) > 0 && !p.took(",") {
			return nil, fmt.Errorf("a closing bracket is missing")
		}
		v, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

// converted reads the unit that the result is wanted in: 90 min in hours.
func (p *parser) converted(v value) (value, error) {
	if !p.says("in", "to", "as") {
		return v, nil
	}
	p.take()
	unit, ok := units[p.next().text]
	if !p.at(word) || !ok {
		return value{}, fmt.Errorf("%q is not a unit of time", p.next().text)
	}
	p.take()
	if !v.time {
		return value{}, fmt.Errorf("a plain number cannot be given in %s", unit.name)
	}
	v.shown = &unit
	return v, nil
}
