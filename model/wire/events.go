package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// eventLimit is the longest event that is read. The longest that was seen is a reply
// that came as one.
const eventLimit = 32 << 20

var errLongEvent = errors.New("an event is longer than 32 MB")

// events yields the data of the server-sent events in body, and the error that ended
// them, if it was not their end. A line that was cut is left out. The data is valid
// until the next one.
//
// This is not left to an SDK: Google's takes a comment for an error, and writes to
// the standard log when a stream is cut.
func events(body *bufio.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var data []byte
		for {
			line, err := readLine(body, eventLimit-len(data))
			switch {
			case errors.Is(err, io.EOF):
				if len(data) > 0 { // whole lines, without the empty one that should follow
					yield(data, nil)
				}
				return
			case err != nil:
				yield(nil, err)
				return
			}
			name, value, _ := bytes.Cut(line, []byte(":"))
			switch {
			case len(line) == 0:
				if len(data) > 0 && !yield(data, nil) {
					return
				}
				data = data[:0]
			case string(name) == "data":
				data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
			}
		}
	}
}

// readLine reads a line without its end. A line that was cut is io.EOF as well.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var long []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(long)+len(part) > limit {
			return nil, errLongEvent
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if long != nil {
			part = append(long, part...)
		}
		return bytes.TrimSuffix(part[:len(part)-1], []byte("\r")), nil
	}
}

// looksLikeEvents tells events from a page or an object that came instead. The
// content type cannot be relied on.
func looksLikeEvents(body *bufio.Reader) bool {
	for {
		b, err := body.Peek(1)
		if err != nil {
			return true // nothing: the stream was cut, which is noticed on reading it
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			body.Discard(1)
		case '{', '[', '<':
			return false
		default:
			return true
		}
	}
}
