package platform

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A File is attached to a message or a post. Its bytes are in memory: a message is
// stored with everything that belongs to it before the platform hears that it was
// received, so an adapter fetches them first, and no more of them than Aside takes.
type File struct {
	ID   string // the platform's own id, where it has one
	Name string // hostile where a person chose it: see CleanName
	Type string // the media type: see TypeOf
	Kind Kind   // how a post is to show it
	Size int64  // in bytes
	Data []byte // nil if it was not fetched, because it is too large; Size is then what the platform says
}

// A Kind is how a file is to be shown.
type Kind string

const (
	KindAny   Kind = "" // as the platform does it by itself
	KindImage Kind = "image"
	KindAudio Kind = "audio"
	KindVoice Kind = "voice" // speech, as if somebody had spoken it there
	KindFile  Kind = "file"  // to be downloaded, whatever it is
)

// NewFile is a file of that name and content. declared is the media type that its
// sender claims, which may be "".
func NewFile(name, declared string, data []byte) File {
	return File{Name: CleanName(name), Type: TypeOf(declared, data), Size: int64(len(data)), Data: data}
}

const (
	longestName = 100 // characters
	longestEnd  = 20  // of them, what is kept of a suffix such as .tar
)

// CleanName makes a name that can be shown, logged and offered for saving: no path,
// nothing invisible, nothing that turns the direction of writing, not too long. What
// is clean stays as it is.
func CleanName(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), strings.ContainsRune(`"<>|:*?`, r):
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if utf8.RuneCountInString(name) > longestName {
		end := path.Ext(name)
		if utf8.RuneCountInString(end) > longestEnd {
			end = ""
		}
		keep := longestName - utf8.RuneCountInString(end)
		name = strings.TrimSpace(string([]rune(name)[:keep])) + end
	}
	if strings.Trim(name, ". /") == "" {
		return "file"
	}
	return name
}

var mediaType = regexp.MustCompile(`^[a-z]{1,20}/[a-z0-9][a-z0-9.+-]{0,99}$`)

// TypeOf is the media type of a file. What its bytes show counts; what its sender
// claims counts only where they show no more than that it is some text, some archive
// or some bytes, and never makes a picture, a sound or a film of them. Of a file that
// was not fetched there is only the claim.
func TypeOf(declared string, data []byte) string {
	claim, _, err := mime.ParseMediaType(declared)
	if err != nil || !mediaType.MatchString(claim) {
		claim = "application/octet-stream"
	}
	if data == nil {
		return claim
	}
	found, _, _ := mime.ParseMediaType(http.DetectContentType(data)) // it always is one
	switch found {
	case "text/plain", "text/xml", "application/octet-stream", "application/zip", "application/x-gzip":
	default:
		return found
	}
	switch family, _, _ := strings.Cut(claim, "/"); {
	case family == "image", family == "audio", family == "video", claim == "application/octet-stream":
		return found
	case family == "text" && !strings.HasPrefix(found, "text/"):
		return found
	}
	return claim
}

// ImageType is the media type of a picture as browsers and models show it, or "" for
// everything else. It looks at the bytes alone.
func ImageType(data []byte) string {
	switch found := http.DetectContentType(data); found {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return found
	}
	return ""
}

// IsText tells whether data can be read as text.
func IsText(data []byte) bool {
	return utf8.Valid(data) && !bytes.ContainsRune(data, 0) && strings.HasPrefix(http.DetectContentType(data), "text/")
}

// SizeText is a number of bytes as people say it: 312 bytes, 120 KB, 2.5 MB. A KB is
// 1024 bytes.
func SizeText(n int64) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1<<9)>>10)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/(1<<20)), ".0") + " MB"
}
