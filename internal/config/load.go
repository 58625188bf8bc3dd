package config

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
)

// File is where the configuration is when nobody says where.
const File = "aside.yaml"

// Default is the configuration of an empty file.
func Default() *Config {
	c := new(Config)
	setDefaults(reflect.ValueOf(c).Elem())
	c.Platforms.Web = new(Web)
	return c
}

// Load reads a file; env looks up environment variables, as os.LookupEnv does. The
// path "" is File, which need not be there. What is wrong with the file is an
// error of type Problems.
func Load(path string, env func(string) (string, bool)) (*Config, error) {
	name := path
	if path == "" {
		name = File
	}
	source, err := os.ReadFile(name)
	switch {
	case path == "" && errors.Is(err, fs.ErrNotExist):
		return Default(), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, Problems{{File: name, Text: "there is no such file"}}
	case err != nil:
		return nil, Problems{{File: name, Text: "cannot be read: " + cause(err)}}
	}
	return Parse(name, source, env)
}

// cause leaves out the path, which the message names already.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

// Parse reads the text of a file, which is called name in messages.
func Parse(name string, source []byte, env func(string) (string, bool)) (*Config, error) {
	root, at, problem := parse(source)
	if problem != "" {
		return nil, Problems{{File: name, Line: at.line, Column: at.column, Text: problem}}
	}
	c := Default()
	d := &decoder{file: name, env: env, given: map[string]place{}, wrong: map[string]bool{}}
	d.section(root, reflect.ValueOf(c).Elem(), "", place{1, 1})
	d.check(c)
	if len(d.problems) > 0 {
		d.problems.sort()
		return nil, d.problems
	}
	return c, nil
}
