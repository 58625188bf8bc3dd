package arithmetic

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// A value is a number, or a time in seconds.
type value struct {
	num   *big.Rat
	about bool  // it is not exact
	time  bool  // it is a time
	share bool  // it was written with %: 100 + 10 % is 110
	shown *unit // in which a time is to be written
}

// A unit of time.
type unit struct {
	name    string
	seconds *big.Rat
}

var units = unitTable(
	"ms millisecond milliseconds", big.NewRat(1, 1000),
	"s sec secs second seconds", big.NewRat(1, 1),
	"min mins minute minutes", big.NewRat(60, 1),
	"h hr hrs hour hours", big.NewRat(3600, 1),
	"d day days", big.NewRat(86_400, 1),
	"week weeks", big.NewRat(604_800, 1),
)

func unitTable(rows ...any) map[string]unit {
	table := map[string]unit{}
	for i := 0; i < len(rows); i += 2 {
		names := strings.Fields(rows[i].(string))
		for _, name := range names {
			table[name] = unit{names[0], rows[i+1].(*big.Rat)}
		}
	}
	return table
}

func whole(n int64) value { return value{num: big.NewRat(n, 1)} }

func (v value) negated() value {
	v.num = new(big.Rat).Neg(v.num)
	return v
}

func (v value) percent() (value, error) {
	if v.time {
		return value{}, errors.New("a time is no percentage")
	}
	return value{num: new(big.Rat).Quo(v.num, big.NewRat(100, 1)), about: v.about, share: true}, nil
}

func (v value) in(u unit) (value, error) {
	return checked(value{num: new(big.Rat).Mul(v.num, u.seconds), about: v.about, time: true})
}

// combine computes what an operator says. "" is the times that nobody writes, and "and" the
// plus in 2 h 30 min.
func combine(op string, a, b value) (value, error) {
	v := value{about: a.about || b.about}
	switch op {
	case "and":
		if !a.time || !b.time {
			return value{}, errors.New("an operator is missing between two numbers")
		}
		op = "+"
		fallthrough
	case "+", "-":
		if b.share && !a.share {
			b = value{num: new(big.Rat).Mul(a.num, b.num), time: a.time}
		}
		if a.time != b.time {
			return value{}, errors.New("a time and a plain number cannot be added")
		}
		v.time, v.share = a.time, a.share && b.share
		if v.num = new(big.Rat); op == "+" {
			v.num.Add(a.num, b.num)
		} else {
			v.num.Sub(a.num, b.num)
		}
	case "*", "":
		if a.time && b.time {
			return value{}, errors.New("two times cannot be multiplied")
		}
		v.time = a.time || b.time
		v.num = new(big.Rat).Mul(a.num, b.num)
	case "/", "//", "mod":
		return divide(op, a, b)
	case "^":
		return power(a, b)
	}
	return checked(v)
}

func divide(op string, a, b value) (value, error) {
	switch {
	case b.num.Sign() == 0:
		return value{}, errDivision
	case b.time && !a.time, op == "mod" && a.time != b.time:
		return value{}, errors.New("a plain number cannot be divided by a time")
	}
	v := value{num: new(big.Rat).Quo(a.num, b.num), about: a.about || b.about, time: a.time && !b.time}
	switch op {
	case "//":
		v.num.SetInt(floor(v.num))
	case "mod":
		times := new(big.Rat).SetInt(floor(v.num))
		v.num, v.time = times.Sub(a.num, times.Mul(times, b.num)), a.time
	}
	return checked(v)
}

func power(base, exponent value) (value, error) {
	switch {
	case base.time || exponent.time:
		return value{}, errors.New("a time has no powers")
	case base.num.Sign() == 0 && exponent.num.Sign() < 0:
		return value{}, errDivision
	case !exponent.num.IsInt():
		return rooted(base, exponent)
	case !exponent.num.Num().IsInt64():
		return value{}, errTooLarge
	}
	n := exponent.num.Num().Int64()
	times := max(n, -n)
	if bits := max(base.num.Num().BitLen(), base.num.Denom().BitLen()); bits > 1 && (times < 0 || times > largest/int64(bits-1)) {
		return value{}, errTooLarge
	}
	abs := big.NewInt(times)
	result := new(big.Rat).SetFrac(new(big.Int).Exp(base.num.Num(), abs, nil), new(big.Int).Exp(base.num.Denom(), abs, nil))
	if n < 0 {
		result.Inv(result)
	}
	return checked(value{num: result, about: base.about || exponent.about})
}

func checked(v value) (value, error) { return v, bounded(v.num) }

func bounded(r *big.Rat) error {
	if r.Num().BitLen() > largest || r.Denom().BitLen() > largest {
		return errTooLarge
	}
	return nil
}

// floor is the largest whole number that is not larger.
func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the denominator is positive
}

// String writes a value as people do.
func (v value) String() string {
	if v.time {
		return v.timeText()
	}
	text, exact := decimal(v.num)
	if !exact || v.about && !v.num.IsInt() {
		return "about " + text
	}
	return text
}

// timeText writes a time in its parts: 2 h 30 min.
func (v value) timeText() string {
	if v.shown != nil {
		n := value{num: new(big.Rat).Quo(v.num, v.shown.seconds), about: v.about}
		return n.String() + " " + v.shown.name
	}
	if v.num.Sign() < 0 {
		return "-" + v.negated().timeText()
	}
	var parts []string
	left := new(big.Rat).Set(v.num)
	for _, name := range []string{"d", "h", "min"} {
		u := units[name]
		if n := floor(new(big.Rat).Quo(left, u.seconds)); n.Sign() > 0 {
			parts = append(parts, n.String()+" "+u.name)
			whole := new(big.Rat).SetInt(n)
			left.Sub(left, whole.Mul(whole, u.seconds))
		}
	}
	if left.Sign() > 0 || len(parts) == 0 {
		parts = append(parts, value{num: left, about: v.about}.String()+" s")
	}
	return strings.Join(parts, " ")
}

// decimal writes a fraction with a decimal point, and tells whether that is all of it.
func decimal(r *big.Rat) (text string, exact bool) {
	if r.IsInt() {
		text = r.Num().String()
		if len(text) <= mostDigits {
			return text, true
		}
		return significant(r), false
	}
	if places, finite := r.FloatPrec(); finite && places <= mostPlaces {
		return r.FloatString(places), true
	}
	return significant(r), false
}

// significant writes a number with as many digits as matter.
func significant(r *big.Rat) string {
	f := new(big.Float).SetPrec(precision).SetRat(r)
	text := f.Text('g', digits)
	mantissa, exponent, large := strings.Cut(text, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if !large {
		return mantissa
	}
	return fmt.Sprintf("%se%s", mantissa, strings.TrimPrefix(exponent, "+"))
}
