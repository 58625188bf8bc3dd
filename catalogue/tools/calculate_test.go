package tools

import (
	"strings"
	"testing"
)

func TestCalculate(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"342 * 15", "5130"},
		{"2**100", "1267650600228229401496703205376"},
		{"2^10", "1024"},
		{"2^-2", "0.25"},
		{"0.1 + 0.2", "0.3"},
		{"10 / 3", "about 3.333333333333"},
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"-(2 - 5)", "3"},
		{"2 - -3", "5"},
		{"10 - 4 - 3", "3"},
		{"2 ** 3 ** 2", "512"},
		{"-2 ** 2", "-4"},
		{" 7 ", "7"},
	} {
		got, err := Calculate(test.expression)
		if err != nil || got != test.want {
			t.Errorf("%s is %q (%v), want %s", test.expression, got, err, test.want)
		}
	}
}

func TestCalculateSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{"1/0", "division by zero"},
		{"0 ** -1", "division by zero"},
		{"", "a number is missing at the end"},
		{"1 +", "a number is missing at the end"},
		{"(1", "a closing bracket is missing"},
		{"2 x 3", `"x 3" is not understood here`},
		{"print(1)", `"print(1)" is not a number`},
		{"9 ** 999999999", "the result is too large"},
		{"1.2.3", `"1.2.3" is not a number`},
		{"2 ** 0.5", "an exponent is a whole number"},
		{strings.Repeat("(", 400), "there are too many signs or brackets"},
		{strings.Repeat("-", 400) + "1", "there are too many signs or brackets"},
		{strings.Repeat("9", 2000), "the expression is too long"},
	} {
		if got, err := Calculate(test.expression); err == nil || err.Error() != test.want {
			t.Errorf("%.20s is %q (%v), want the error %s", test.expression, got, err, test.want)
		}
	}
}
