package config

import "regexp"

// Tasks are the board.
type Tasks struct {
	Prefix string     `yaml:"prefix" default:"ws" filled:"true" doc:"What the names of new tasks begin with, as in ws-001: up to 20 lower-case letters and digits."`
	Labels TaskLabels `yaml:"labels" doc:"The rules for the labels of tasks."`
}

type TaskLabels struct {
	Known    []string `yaml:"known" doc:"The only labels that a task can be given, besides those of no_thread. Where none are listed it can have any."`
	NoThread []string `yaml:"no_thread" default:"no-thread" doc:"With one of these labels a task has no thread in the forum."`
}

var taskPrefix = regexp.MustCompile(`^[a-z][a-z0-9]{0,19}$`)

func (d *decoder) checkTasks(t Tasks) {
	const path = "tasks.prefix"
	if !d.wrong[path] && !taskPrefix.MatchString(t.Prefix) {
		d.report(d.given[path], path, "%q is no such beginning; it has up to 20 lower-case letters and digits and begins with a letter, such as ws", t.Prefix)
	}
}
