package arithmetic

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatPeopleWriteComesOutAsTheyExpect(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		// whole numbers and fractions, exactly
		{"342 * 15", "5130"},
		{"2**100", "1267650600228229401496703205376"},
		{"2^10", "1024"},
		{"2^-2", "0.25"},
		{"0.1 + 0.2", "0.3"},
		{"10 / 3", "about 3.33333333333"},
		{"2/3 + 1/3", "1"},
		{"1/3 * 3", "1"},
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"-(2 - 5)", "3"},
		{"2 - -3", "5"},
		{"10 - 4 - 3", "3"},
		{"2 ** 3 ** 2", "512"},
		{"-2 ** 2", "-4"},
		{"(-2) ** 2", "4"},
		{"2 ** -1", "0.5"},
		{" 7 ", "7"},
		{"6 * 7 =", "42"},
		{"1,000,000 / 4", "250000"},
		{"1_000 + 1", "1001"},
		{"1.5e3", "1500"},
		{"0xff + 0b11", "258"},
		{"6 × 7 ÷ 2 − 1", "20"},
		{"6 x 7", "42"},
		{"2(3 + 4)", "14"},
		{"7 // 2", "3"},
		{"-7 // 2", "-4"},
		{"10 % 3", "1"},
		{"-1 mod 7", "6"},
		{"5!", "120"},
		{"3² + 4²", "25"},
		{"1e-20", "0.00000000000000000001"},
		{"1 / 3e20", "about 3.33333333333e-21"},
		{"7 ** 500", "about 3.5401364945e422"},

		// percentages
		{"15%", "0.15"},
		{"20% of 50", "10"},
		{"100 + 10%", "110"},
		{"80 - 25 %", "60"},
		{"10% + 5%", "0.15"},
		{"200 * 15 %", "30"},
		{"(50)%", "0.5"},

		// functions and constants
		{"sqrt(16)", "4"},
		{"sqrt(2)", "about 1.41421356237"},
		{"√16 + 1", "5"},
		{"sqrt(4/9)", "about 0.666666666667"},
		{"8 ^ (1/3)", "2"},
		{"(-8) ^ (1/3)", "-2"},
		{"27 ^ (2/3)", "9"},
		{"cbrt(27)", "3"},
		{"root(81, 4)", "3"},
		{"2 ** 0.5", "about 1.41421356237"},
		{"round(2.5)", "3"},
		{"round(-2.5)", "-3"},
		{"round(3.14159, 2)", "3.14"},
		{"floor(-1.5)", "-2"},
		{"ceil(1.2)", "2"},
		{"trunc(-1.7)", "-1"},
		{"abs(-3)", "3"},
		{"min(3, 1, 2)", "1"},
		{"max(1,200)", "200"},
		{"sum(1, 2, 3)", "6"},
		{"avg(1, 2)", "1.5"},
		{"median(5, 1, 9, 3)", "4"},
		{"gcd(12, 18)", "6"},
		{"lcm(4, 6)", "12"},
		{"log(1000)", "3"},
		{"log2(1024)", "10"},
		{"log(8, 2)", "3"},
		{"ln(e)", "about 1"},
		{"exp(1)", "about 2.71828182846"},
		{"sin(0)", "0"},
		{"sin(pi)", "0"},
		{"sin(30°)", "about 0.5"},
		{"cos(60 deg)", "about 0.5"},
		{"2 pi", "about 6.28318530718"},
		{"π", "about 3.14159265359"},

		// times
		{"2 h 30 min", "2 h 30 min"},
		{"90 min", "1 h 30 min"},
		{"90 min in h", "1.5 h"},
		{"1 week to hours", "168 h"},
		{"17:45 - 09:20", "8 h 25 min"},
		{"3 days / 4 h", "18"},
		{"1.5 h * 3", "4 h 30 min"},
		{"8 h / 3", "2 h 40 min"},
		{"1 h - 90 min", "-30 min"},
		{"250 ms * 10", "2.5 s"},
		{"1 d 1 s", "1 d 1 s"},
		{"sum(1:30, 0:45)", "2 h 15 min"},
		{"0 h", "0 s"},
		{"8 h + 10%", "8 h 48 min"},
	} {
		got, err := Evaluate(test.expression)
		if err != nil || got != test.want {
			t.Errorf("%s is %q (%v), want %s", test.expression, got, err, test.want)
		}
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"1/0", "division by zero"},
		{"5 mod 0", "division by zero"},
		{"0 ** -1", "division by zero"},
		{"", "a number is missing at the end"},
		{"1 +", "a number is missing at the end"},
		{"* 2", `a number is missing before "*"`},
		{"(1", "a closing bracket is missing"},
		{"max(1, 2", "a closing bracket is missing"},
		{"1)", `")" is not understood here`},
		{"2 3", "an operator is missing between two numbers"},
		{"print(1)", `"print" is not known here`},
		{"os.exit", `"." is not understood`},
		{"sqrt 2", "sqrt needs brackets: sqrt(…)"},
		{"sqrt(1, 2)", "sqrt(…) has another number of arguments, not 2"},
		{"min()", "min(…) has another number of arguments, not 0"},
		{"sqrt(-1)", "a negative number has no such root"},
		{"ln(0)", "only numbers above 0 have a logarithm"},
		{"asin(2)", "there is no such number"},
		{"9 ** 999999999", "the result is too large"},
		{"9 ** 9 ** 9 ** 9", "the result is too large"},
		{"1e9999 ** 2", "the result is too large"},
		{"2000!", "the result is too large"},
		{"1.5!", "only whole numbers have a factorial"},
		{"1.2.3", `"1.2." is not a number`},
		{"1 h + 2", "a time and a plain number cannot be added"},
		{"1 h * 2 h", "two times cannot be multiplied"},
		{"3 / 2 h", "a plain number cannot be divided by a time"},
		{"5 in hours", "a plain number cannot be given in h"},
		{"5 h in miles", `"miles" is not a unit of time`},
		{"h", `a number is missing before "h"`},
		{strings.Repeat("(", 400), "there are too many signs or brackets"},
		{strings.Repeat("-", 400) + "1", "there are too many signs or brackets"},
		{strings.Repeat("√", 400) + "1", "the expression is too long"},
		{strings.Repeat("√", 200) + "1", "there are too many signs or brackets"},
		{strings.Repeat("9", 2000), "the expression is too long"},
		{"2; 3", `";" is not understood`},
	} {
		if got, err := Evaluate(test.expression); err == nil || err.Error() != test.want {
			t.Errorf("%.30s is %q (%v), want the error %s", test.expression, got, err, test.want)
		}
	}
}

// What is written out can be read again, and is the same number.
func TestLawSumsAndProductsOfFractionsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string) *big.Rat {
			return big.NewRat(rapid.Int64Range(-1e9, 1e9).Draw(t, name), []int64{1, 2, 5, 10, 1000}[rapid.IntRange(0, 4).Draw(t, name+" below")])
		}
		a, b, c := n("a"), n("b"), n("c")
		want := new(big.Rat).Add(a, new(big.Rat).Mul(b, c))
		got, err := Evaluate(fmt.Sprintf("(%s) + (%s) * (%s)", a.FloatString(4), b.FloatString(4), c.FloatString(4)))
		if err != nil {
			t.Fatal(err)
		}
		if back, ok := new(big.Rat).SetString(got); !ok || back.Cmp(want) != 0 {
			t.Fatalf("%s is not %s", got, want)
		}
	})
}

func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{"1 + 2", "sqrt(2)^3!", "17:45 - 2 h 5%", "log(8, 2) // 1e3", "((((", "2 pi r", "9^9^9", "root(2, 0.0001)", "√²³°%!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		result, err := Evaluate(expression)
		if (err == nil) == (result == "") {
			t.Errorf("%q is %q, %v", expression, result, err)
		}
	})
}
