package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/asidehq/aside/catalogue/messaging"
)

// How much of the project's files a phase is shown.
const (
	longestShown = 24 << 10 // of one file
	mostShown    = 96 << 10 // of all
)

// readProject shows the files that a phase names. A path comes from a plan, which a model
// may have written: what is read is a regular file inside the project, wherever links lead,
// and none that holds secrets.
func readProject(dir string, names []string) []string {
	if dir == "" || len(names) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return []string{"The project's files cannot be read."}
	}
	defer root.Close()
	var all []string
	left := mostShown
	for _, name := range names {
		text, why := readShown(root, name, min(longestShown, left))
		if why != "" {
			all = append(all, fmt.Sprintf("File %s: %s", name, why))
			continue
		}
		left -= len(text)
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		all = append(all, fmt.Sprintf("File %s:\n%s\n%s\n%s", name, fence, strings.TrimRight(text, "\n"), fence))
	}
	return all
}

// readShown is what a file says, or why it is not shown.
func readShown(root *os.Root, name string, most int) (text, why string) {
	if messaging.Secret(name, nil) {
		return "", "it may hold secrets, which are not shown"
	}
	if most <= 0 {
		return "", "not shown, there are too many"
	}
	// The name of a pipe must not make anybody wait for who writes into it.
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "there is no such file yet"
	case err != nil:
		return "", "it cannot be read"
	case info.IsDir():
		return "", "it is a directory"
	case !info.Mode().IsRegular():
		return "", "it is not a regular file"
	}
	file, err := root.Open(name)
	if err != nil {
		return "", "it cannot be read"
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	switch {
	case err != nil:
		return "", "it cannot be read"
	case bytes.IndexByte(data, 0) >= 0:
		return "", "it is not a text"
	case messaging.Secret(name, data):
		return "", "it may hold secrets, which are not shown"
	case len(data) > most:
		return strings.ToValidUTF8(string(data[:most]), "�") + "\n… (the rest is not shown)", ""
	}
	return strings.ToValidUTF8(string(data), "�"), ""
}
