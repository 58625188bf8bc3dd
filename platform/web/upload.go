package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/asidehq/aside/platform"
)

const (
	mostFiles       = 10       // in a message
	defaultFileSize = 20 << 20 // bytes, of all files of a message together
)

// isForm reports whether the body of a request is what a browser makes of a form with
// files.
func isForm(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "multipart/form-data"
}

// A form is being read. What is too much is noticed while it is read, not afterwards.
type form struct {
	w        *Web
	fields   map[string]string
	files    []File
	left     int64 // bytes of files that are still taken
	leftText int64 // bytes of fields
}

// readForm reads a body of fields and files.
func (w *Web) readForm(rw http.ResponseWriter, r *http.Request, names ...string) (map[string]string, []File, error) {
	f := &form{w: w, fields: map[string]string{}, left: w.fileSize, leftText: largestMessage}
	most := f.left + f.leftText
	if r.ContentLength > most {
		return nil, nil, f.tooLarge()
	}
	r.Body = http.MaxBytesReader(rw, r.Body, most)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, nil, invalid("the body is not a form with %s and files", list(names))
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return f.fields, f.files, nil
		}
		if err == nil {
			err = f.part(part, names)
		}
		if err != nil {
			return nil, nil, f.explain(err)
		}
	}
}

// explain makes an error of reading one for a person.
func (f *form) explain(err error) error {
	var known *problem
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &large):
		return f.tooLarge()
	}
	return invalid("the body did not arrive completely")
}

func (f *form) tooLarge() error {
	return &problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the files of a message are at most %s together", platform.SizeText(f.w.fileSize))}
}

func (f *form) part(part *multipart.Part, names []string) error {
	switch name := part.FormName(); {
	case name == "file":
		return f.file(part)
	case slices.Contains(names, name):
		return f.field(part, name)
	default:
		return invalid("there is no field %.50q; there is %s, and file", name, list(names))
	}
}

func (f *form) field(part io.Reader, name string) error {
	if _, ok := f.fields[name]; ok {
		return invalid("%s is there twice", name)
	}
	value, err := io.ReadAll(io.LimitReader(part, f.leftText+1))
	if err != nil {
		return err
	}
	if f.leftText -= int64(len(value)); f.leftText < 0 {
		return &problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the fields are larger than %d KiB", largestMessage>>10)}
	}
	if !utf8.Valid(value) {
		return invalid("%s is not valid UTF-8", name)
	}
	if strings.ContainsRune(string(value), 0) {
		return invalid("%s has a NUL character in it", name)
	}
	f.fields[name] = string(value)
	return nil
}

func (f *form) file(part *multipart.Part) error {
	data, err := io.ReadAll(io.LimitReader(part, f.left+1))
	if err != nil {
		return err
	}
	if len(data) == 0 && part.FileName() == "" {
		return nil // a form in which no file was chosen
	}
	if f.left -= int64(len(data)); f.left < 0 {
		return f.tooLarge()
	}
	if len(f.files) == mostFiles {
		return &problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("a message has at most %d files", mostFiles)}
	}
	f.files = append(f.files, f.w.newFile(platform.NewFile(part.FileName(), part.Header.Get("Content-Type"), data)))
	return nil
}

// newFile is a file as it stands with an entry.
func (w *Web) newFile(f platform.File) File {
	return File{ID: idOfFile + w.newID(), Name: f.Name, Type: f.Type, Size: int64(len(f.Data)), Data: f.Data}
}
