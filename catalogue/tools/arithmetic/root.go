package arithmetic

import (
	"errors"
	"math"
	"math/big"
)

// rooted is a power whose exponent is a fraction. Roots that come out even are exact.
func rooted(base, exponent value) (value, error) {
	of, up := exponent.num.Denom(), exponent.num.Num()
	odd := of.Bit(0) == 1
	switch {
	case base.time:
		return value{}, errors.New("a time has no roots")
	case base.num.Sign() < 0 && !odd:
		return value{}, errors.New("a negative number has no such root")
	}
	if of.IsInt64() && of.Int64() <= 64 && up.IsInt64() {
		if r, ok := evenRoot(base.num, of.Int64()); ok {
			return power(value{num: r, about: base.about}, value{num: new(big.Rat).SetInt(up), about: exponent.about})
		}
		if of.Int64() == 2 && up.CmpAbs(big.NewInt(1)) == 0 {
			return squareRoot(base.num, up.Sign() < 0)
		}
	}
	f, _ := exponent.num.Float64()
	b := base.float()
	if b < 0 { // an odd root
		v, err := float(-math.Pow(-b, f))
		if up.Bit(0) == 0 && err == nil {
			v = v.negated()
		}
		return v, err
	}
	return float(math.Pow(b, f))
}

// evenRoot is a root that is a fraction itself.
func evenRoot(r *big.Rat, of int64) (*big.Rat, bool) {
	above, ok := wholeRoot(new(big.Int).Abs(r.Num()), of)
	if !ok {
		return nil, false
	}
	below, ok := wholeRoot(r.Denom(), of)
	if !ok {
		return nil, false
	}
	if r.Sign() < 0 {
		above.Neg(above)
	}
	return new(big.Rat).SetFrac(above, below), true
}

// wholeRoot looks for the whole number whose power is n, by Newton's method from above:
// halving what it can be took seconds for the largest numbers.
func wholeRoot(n *big.Int, of int64) (*big.Int, bool) {
	if n.Sign() == 0 || of == 1 {
		return new(big.Int).Set(n), true
	}
	less := big.NewInt(of - 1)
	x := new(big.Int).Lsh(big.NewInt(1), uint(n.BitLen()-1)/uint(of)+1)
	for {
		next := new(big.Int).Quo(n, new(big.Int).Exp(x, less, nil))
		next.Add(next, new(big.Int).Mul(less, x)).Quo(next, big.NewInt(of))
		if next.Cmp(x) >= 0 {
			break
		}
		x = next
	}
	return x, new(big.Int).Exp(x, big.NewInt(of), nil).Cmp(n) == 0
}

// squareRoot is a square root that goes on for ever, with more digits than are shown.
func squareRoot(r *big.Rat, inverse bool) (value, error) {
	if inverse {
		r = new(big.Rat).Inv(r)
	}
	f := new(big.Float).SetPrec(precision).SetRat(r)
	root, _ := f.Sqrt(f).Rat(nil)
	return checked(value{num: root, about: true})
}

// root is root(x, n).
func root(a []value) (value, error) {
	if a[1].num.Sign() == 0 || a[1].time {
		return value{}, errors.New("root(x, n) needs an n other than 0")
	}
	return rooted(a[0], value{num: new(big.Rat).Inv(a[1].num)})
}

// logarithm is one of a base. Those of the base's own powers are whole.
func logarithm(base float64) func([]value) (value, error) {
	return func(a []value) (value, error) {
		if a[0].time || a[0].num.Sign() <= 0 {
			return value{}, errors.New("only numbers above 0 have a logarithm")
		}
		if n := math.Round(logOf(a[0].num) / math.Log(base)); base == math.Trunc(base) && math.Abs(n) < 4000 {
			exact, err := power(whole(int64(base)), whole(int64(n)))
			if err == nil && exact.num.Cmp(a[0].num) == 0 {
				return whole(int64(n)), nil
			}
		}
		return float(logOf(a[0].num) / math.Log(base))
	}
}

// logOf is the natural logarithm, also of what no float64 holds.
func logOf(r *big.Rat) float64 {
	f := new(big.Float).SetRat(r)
	mantissa := new(big.Float)
	exponent := f.MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(exponent)*math.Ln2
}

// logarithmTo is log(x), or log(x, base).
func logarithmTo(a []value) (value, error) {
	base := 10.0
	if len(a) == 2 {
		base = a[1].float()
	}
	if base <= 0 || base == 1 || math.IsInf(base, 0) {
		return value{}, errors.New("a logarithm needs a base above 0 other than 1")
	}
	return logarithm(base)(a[:1])
}
