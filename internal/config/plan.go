package config

// Plans says what plans are about.
type Plans struct {
	Project string `yaml:"project" doc:"The directory of the project that plans are about. The model that works on a phase is shown the files in it that the phase names; without one it is shown none."`
}
