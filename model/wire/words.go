package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// wordsLimit is how much of an error is read. It holds the longest explanation;
// what is longer is a web page or an echo of the request.
const wordsLimit = 64 << 10

// Words reads what a server says about an error: the message, the code and so on
// of an object, whatever its shape, or the text as it stands.
func Words(body io.Reader) string {
	data, _ := io.ReadAll(io.LimitReader(body, wordsLimit)) // a part is better than nothing
	var value any
	if json.Unmarshal(data, &value) != nil {
		return strings.TrimSpace(string(data))
	}
	return strings.Join(collect(nil, value), "; ")
}

// tellingKeys are the members that carry words. Others may repeat the request,
// and what a person wrote must not be taken for the server's reason.
var tellingKeys = []string{"message", "msg", "code", "type", "param", "loc", "error", "errors", "detail", "title", "status", "details", "reason", "retryDelay"}

func collect(found []string, value any) []string {
	switch value := value.(type) {
	case string:
		if value != "" && !slices.Contains(found, value) {
			found = append(found, value)
		}
	case float64:
		number, _ := json.Marshal(value)
		found = append(found, string(number))
	case []any:
		for _, member := range value {
			found = collect(found, member)
		}
	case map[string]any:
		for _, key := range tellingKeys {
			found = collect(found, value[key])
		}
	}
	return found
}

// errorIn returns the words of the error that came in place of a chunk, "" if it
// is an ordinary one.
func errorIn(data []byte) string {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return ""
	}
	var event struct{ Error json.RawMessage }
	if json.Unmarshal(data, &event) != nil || len(event.Error) == 0 || string(event.Error) == "null" {
		return ""
	}
	if said := Words(bytes.NewReader(event.Error)); said != "" {
		return said
	}
	return "error"
}

// short cuts what goes to the log.
func short(s string) string {
	const most = 500
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// hide takes the key out of what a server or the network says. Some repeat it.
func (s *Server) hide(text string) string {
	if s.Key == "" {
		return text
	}
	return strings.ReplaceAll(text, s.Key, "[key]")
}
