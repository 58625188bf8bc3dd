package arithmetic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// A function has a number of arguments between least and most.
type function struct {
	least, most int
	of          func(args []value) (value, error)
}

const many = 100 // arguments of min, max and the like

// functions that are known, by name.
var functions = map[string]function{
	"abs":       {1, 1, func(a []value) (value, error) { v := a[0]; v.num = new(big.Rat).Abs(v.num); return v, nil }},
	"sign":      {1, 1, func(a []value) (value, error) { return whole(int64(a[0].num.Sign())), nil }},
	"floor":     {1, 1, rounding(floor)},
	"ceil":      {1, 1, rounding(ceiling)},
	"trunc":     {1, 1, rounding(func(r *big.Rat) *big.Int { return new(big.Int).Quo(r.Num(), r.Denom()) })},
	"round":     {1, 2, round},
	"min":       {1, many, extreme(-1)},
	"max":       {1, many, extreme(1)},
	"sum":       {1, many, sum},
	"avg":       {1, many, average},
	"mean":      {1, many, average},
	"median":    {1, many, median},
	"gcd":       {2, many, wholeNumbers(func(a, b *big.Int) *big.Int { return new(big.Int).GCD(nil, nil, a, b) })},
	"lcm":       {2, many, wholeNumbers(lcm)},
	"mod":       {2, 2, func(a []value) (value, error) { return combine("mod", a[0], a[1]) }},
	"pow":       {2, 2, func(a []value) (value, error) { return combine("^", a[0], a[1]) }},
	"factorial": {1, 1, factorial},
	"sqrt":      {1, 1, func(a []value) (value, error) { return rooted(a[0], value{num: big.NewRat(1, 2)}) }},
	"cbrt":      {1, 1, func(a []value) (value, error) { return rooted(a[0], value{num: big.NewRat(1, 3)}) }},
	"root":      {2, 2, root},
	"hypot":     {2, 2, func(a []value) (value, error) { return float(math.Hypot(a[0].float(), a[1].float())) }},
	"exp":       {1, 1, smooth(math.Exp)},
	"ln":        {1, 1, logarithm(math.E)},
	"log":       {1, 2, logarithmTo},
	"log10":     {1, 1, logarithm(10)},
	"log2":      {1, 1, logarithm(2)},
	"sin":       {1, 1, smooth(math.Sin)},
	"cos":       {1, 1, smooth(math.Cos)},
	"tan":       {1, 1, smooth(math.Tan)},
	"asin":      {1, 1, smooth(math.Asin)},
	"acos":      {1, 1, smooth(math.Acos)},
	"atan":      {1, 1, smooth(math.Atan)},
	"sinh":      {1, 1, smooth(math.Sinh)},
	"cosh":      {1, 1, smooth(math.Cosh)},
	"tanh":      {1, 1, smooth(math.Tanh)},
}

var constants = map[string]value{
	"pi":  irrational("3.14159265358979323846264338327950288419716939937510582097494459"),
	"tau": irrational("6.28318530717958647692528676655900576839433879875021164194988918"),
	"e":   irrational("2.71828182845904523536028747135266249775724709369995957496696763"),
	"phi": irrational("1.61803398874989484820458683436563811772030917980576286213544862"),
}

func irrational(text string) value {
	r, _ := new(big.Rat).SetString(text)
	return value{num: r, about: true}
}

func inDegrees(v value) (value, error) {
	if v.time {
		return value{}, errors.New("a time is no angle")
	}
	right := new(big.Rat).Quo(constants["pi"].num, big.NewRat(180, 1))
	return checked(value{num: right.Mul(right, v.num), about: true})
}

func (v value) float() float64 {
	f, _ := v.num.Float64()
	return f
}

// float is the value of a number that was computed with the machine's numbers, which have
// about as many digits as are shown.
func float(f float64) (value, error) {
	if math.IsNaN(f) {
		return value{}, errors.New("there is no such number")
	}
	r := new(big.Rat)
	if math.IsInf(f, 0) || r.SetFloat64(f) == nil {
		return value{}, errTooLarge
	}
	if math.Abs(f) < 1e-15 { // sin(pi)
		return value{num: new(big.Rat), about: true}, nil
	}
	return value{num: r, about: true}, nil
}

func smooth(of func(float64) float64) func([]value) (value, error) {
	return func(a []value) (value, error) {
		if a[0].time {
			return value{}, errors.New("a time cannot be computed with like that")
		}
		return float(of(a[0].float()))
	}
}

func ceiling(r *big.Rat) *big.Int {
	down := floor(new(big.Rat).Neg(r))
	return down.Neg(down)
}

func rounding(to func(*big.Rat) *big.Int) func([]value) (value, error) {
	return func(a []value) (value, error) {
		return value{num: new(big.Rat).SetInt(to(a[0].num)), time: a[0].time}, nil
	}
}

// round rounds half away from zero, as people do, to whole numbers or so many places.
func round(a []value) (value, error) {
	places := 0
	if len(a) == 2 {
		if !a[1].num.IsInt() || a[1].num.Cmp(big.NewRat(mostPlaces, 1)) > 0 || a[1].num.Sign() < 0 {
			return value{}, fmt.Errorf("round(x, places) takes 0 to %d places", mostPlaces)
		}
		places = int(a[1].num.Num().Int64())
	}
	r, _ := new(big.Rat).SetString(a[0].num.FloatString(places))
	return value{num: r, time: a[0].time}, nil
}

func extreme(sign int) func([]value) (value, error) {
	return func(a []value) (value, error) {
		if err := alike(a); err != nil {
			return value{}, err
		}
		return slices.MaxFunc(a, func(x, y value) int { return sign * x.num.Cmp(y.num) }), nil
	}
}

// alike is an error where times and plain numbers are mixed.
func alike(a []value) error {
	if slices.ContainsFunc(a, func(v value) bool { return v.time != a[0].time }) {
		return errors.New("times and plain numbers cannot be compared")
	}
	return nil
}

func sum(a []value) (v value, err error) {
	v = a[0]
	for _, next := range a[1:] {
		if v, err = combine("+", v, next); err != nil {
			return value{}, err
		}
	}
	return v, nil
}

func average(a []value) (value, error) {
	v, err := sum(a)
	if err != nil {
		return value{}, err
	}
	return combine("/", v, whole(int64(len(a))))
}

func median(a []value) (value, error) {
	if err := alike(a); err != nil {
		return value{}, err
	}
	slices.SortFunc(a, func(x, y value) int { return x.num.Cmp(y.num) })
	return average(a[(len(a)-1)/2 : len(a)/2+1])
}

func wholeNumbers(of func(a, b *big.Int) *big.Int) func([]value) (value, error) {
	return func(a []value) (value, error) {
		var result *big.Int
		for _, v := range a {
			if !v.num.IsInt() || v.time || v.num.Sign() == 0 {
				return value{}, errors.New("only whole numbers other than 0 can be used there")
			}
			n := new(big.Int).Abs(v.num.Num())
			if result == nil {
				result = n
				continue
			}
			result = of(result, n)
			if result.BitLen() > largest {
				return value{}, errTooLarge
			}
		}
		return value{num: new(big.Rat).SetInt(result)}, nil
	}
}

func lcm(a, b *big.Int) *big.Int {
	shared := new(big.Int).GCD(nil, nil, a, b)
	return shared.Mul(new(big.Int).Quo(a, shared), b)
}

func factorial(a []value) (value, error) {
	n := a[0].num
	switch {
	case !n.IsInt() || n.Sign() < 0 || a[0].time:
		return value{}, errors.New("only whole numbers have a factorial")
	case n.Cmp(big.NewRat(factorials, 1)) > 0:
		return value{}, errTooLarge
	}
	return checked(value{num: new(big.Rat).SetInt(new(big.Int).MulRange(1, max(1, n.Num().Int64())))})
}
