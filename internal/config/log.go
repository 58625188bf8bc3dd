package config

import "log/slog"

type Log struct {
	Format LogFormat `yaml:"format" default:"text" doc:"How lines are written. text: for people. json: for programs."`
	Level  LogLevel  `yaml:"level" default:"info" doc:"What is written: this and what is worse. What people write is in the log at debug only."`
}

// A LogFormat is how lines of the log are written.
type LogFormat string

func (LogFormat) names() []string { return []string{"text", "json"} }

// A LogLevel is how much is logged.
type LogLevel string

func (LogLevel) names() []string { return []string{"debug", "info", "warn", "error"} }

// Level is the level as slog has it.
func (l LogLevel) Level() slog.Level {
	var level slog.Level
	_ = level.UnmarshalText([]byte(l)) // one of the names
	return level
}

// ReadLogFormat reads a format as it stands in the file.
func ReadLogFormat(text string) (LogFormat, error) { return readName[LogFormat](text) }

// ReadLogLevel reads a level as it stands in the file.
func ReadLogLevel(text string) (LogLevel, error) { return readName[LogLevel](text) }
