package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A problem is what is wrong with a request.
type problem struct {
	status int
	why    string
}

func (p *problem) Error() string { return p.why }

func invalid(format string, args ...any) error {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// refuseRequest answers with what readFields and the like have found.
func refuseRequest(rw http.ResponseWriter, err error) {
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{http.StatusBadRequest, "the request could not be read"}
	}
	refuse(rw, p.status, p.why)
}

var roomName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

const roomRule = "a room is 1 to 100 letters (a to z), digits, - _ or ."

// validRoom reports whether a room can have this name. One of dots alone means
// something else in an address.
func validRoom(room string) bool {
	return roomName.MatchString(room) && strings.Trim(room, ".") != ""
}

func roomOf(r *http.Request) (string, error) {
	room := r.PathValue("room")
	if !validRoom(room) {
		return "", invalid("%s", roomRule)
	}
	return room, nil
}

// readFields reads a body that is a JSON object of strings. A field that is missing
// or null is "".
func readFields(rw http.ResponseWriter, r *http.Request, limit int64, names ...string) (map[string]string, error) {
	body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, limit))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, &problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d KiB", limit>>10)}
	}
	if err != nil {
		return nil, invalid("the body did not arrive completely")
	}
	// encoding/json would put U+FFFD in place of what is not UTF-8.
	if !utf8.Valid(body) {
		return nil, invalid("the body is not valid UTF-8")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil || raw == nil {
		return nil, invalid("the body is not a JSON object with %s", list(names))
	}
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if !slices.Contains(names, name) {
			return nil, invalid("there is no field %.50q; there is %s", name, list(names))
		}
		var value string
		if err := json.Unmarshal(raw[name], &value); err != nil {
			return nil, invalid("%s is not a string", name)
		}
		// PostgreSQL cannot store it.
		if strings.ContainsRune(value, 0) {
			return nil, invalid("%s has a NUL character in it", name)
		}
		fields[name] = value
	}
	return fields, nil
}

// list is the names as they stand in a sentence.
func list(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// queryNumber reads a whole number between two others from the query.
func queryNumber(r *http.Request, name string, otherwise, least, most int) (int, error) {
	value := r.URL.Query().Get(name)
	if value == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return 0, invalid("%s is a whole number from %d to %d", name, least, most)
	}
	return n, nil
}
