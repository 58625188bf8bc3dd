package config

// Forge is how plans are forged.
type Forge struct {
	MaxRounds int `yaml:"max_rounds" default:"5" min:"1" max:"20" doc:"How often a draft is audited at most. What still blocks it then is for a person to read."`
}
