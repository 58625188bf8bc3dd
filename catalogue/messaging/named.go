package messaging

import "path/filepath"

// Sendable tells whether a path is that of a file which may be sent and has at most so
// many bytes, and which one: two paths of the same file give the same.
func (f Folders) Sendable(given string, most int64) (file string, ok bool) {
	dir, name, err := f.find(given)
	if err != nil {
		return "", false
	}
	if _, err := f.read(given, min(most, f.MaxSize)); err != nil {
		return "", false
	}
	return filepath.Join(dir, name), true
}
