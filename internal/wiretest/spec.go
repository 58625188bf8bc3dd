package wiretest

import (
	"errors"
	"os"
	"path/filepath"
)

// Spec is the file of an API's description, nil if it is not found. Descriptions are not in
// the repository: the environment variable ASIDE_SPECS names the directory that has them,
// or they lie beside the repository.
func Spec(name string) ([]byte, error) {
	var directories []string
	if named := os.Getenv("ASIDE_SPECS"); named != "" {
		directories = append(directories, named)
	}
	if root, err := root(); err == nil {
		directories = append(directories, filepath.Join(root, "..", "shared", "specs"))
	}
	for _, directory := range directories {
		data, err := os.ReadFile(filepath.Join(directory, name))
		if !errors.Is(err, os.ErrNotExist) {
			return data, err
		}
	}
	return nil, nil
}

// root is the directory of the module: tests run in those of their packages.
func root() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("there is no go.mod above the test")
		}
	}
}
