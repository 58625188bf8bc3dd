package config

import (
	"reflect"
	"strings"
)

// leastSecret is how long a text has to be to be taken for a part of a secret.
// Shorter ones are found in anything.
const leastSecret = 8

// Sensitive tells whether a value, such as that of an environment variable, gives
// access to Aside, its database or its platforms. The models' keys do not count: a
// program that is a model may need its own.
func (c *Config) Sensitive(value string) bool {
	secrets := []string{c.Token.Reveal(), c.Crons.HookSecret.Reveal()}
	if postgres(strings.SplitN(c.Database.Reveal(), ":", 2)[0]) {
		secrets = append(secrets, c.Database.Reveal())
	}
	secrets = append(secrets, secretsIn(reflect.ValueOf(c.Platforms))...)
	for _, secret := range secrets {
		if len(value) >= leastSecret && strings.Contains(secret, value) || len(secret) >= leastSecret && strings.Contains(value, secret) {
			return true
		}
	}
	return false
}
