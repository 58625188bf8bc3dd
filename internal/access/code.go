package access

import (
	"io"
	"strings"
)

// alphabet has no two characters that look alike, in capitals: neither 0 nor O, neither 1
// nor I. It has 32, so that a byte gives each of them as often.
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

const codeLength = 8

// NewCode makes a code of random bytes. A source that fails is none that can be gone on
// with: crypto/rand's never does.
func NewCode(random io.Reader) string {
	var b [codeLength]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		panic("no random bytes for a code: " + err.Error())
	}
	for i, n := range b {
		b[i] = alphabet[int(n)%len(alphabet)]
	}
	return string(b[:])
}

// ReadCode is a code as somebody has typed it.
func ReadCode(typed string) string {
	return strings.ToUpper(strings.TrimSpace(typed))
}
