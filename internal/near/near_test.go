package near

import "testing"

func TestTheNameThatWasProbablyMeant(t *testing.T) {
	names := []string{"sendMessage", "sendFile", "react", "Europe/Berlin"}
	for word, want := range map[string]string{
		"sendMesage":    "sendMessage",
		"SENDFILE":      "sendFile",
		"raect":         "react",
		"europe/berlni": "Europe/Berlin",
		"xyz":           "",
		"":              "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q is taken for %q, not %q", word, got, want)
		}
	}
}
