package messaging

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// What programs keep secrets in. The list errs on the side of refusing: a file with
// another name is easily made by someone who means it.
var (
	secretNames = []string{
		".env*", "*.env", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore",
		"*.ppk", "*.kdbx", "credentials", "credentials.*", "*credentials.json", "client_secret*", "service-account*.json", "secrets", "secrets.*",
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd", ".dockercfg", "shadow", "kubeconfig",
		"aside.yaml", "aside.yml", "aside.db*",
	}
	secretFolders = []string{".ssh", ".aws", ".gnupg", ".kube", ".docker", ".git"}

	privateKey = regexp.MustCompile(`BEGIN ([A-Z0-9]+ )*PRIVATE KEY|PuTTY-User-Key-File-|AGE-SECRET-KEY-`)
)

// secretName tells whether a path is one of those that hold secrets.
func secretName(name string) bool {
	parts := strings.Split(strings.ToLower(filepath.ToSlash(name)), "/")
	last := len(parts) - 1
	if slices.ContainsFunc(parts[:last], func(folder string) bool { return slices.Contains(secretFolders, folder) }) {
		return true
	}
	if strings.HasSuffix(parts[last], ".pub") {
		return false // the half of a key that is for everyone
	}
	return slices.ContainsFunc(secretNames, func(pattern string) bool {
		match, _ := path.Match(pattern, parts[last]) // the patterns are right
		return match
	})
}

// secretContent tells whether there is a private key in a file.
func secretContent(data []byte) bool { return privateKey.Match(data) }

// Secret tells whether a file is one of those that hold secrets, by its name or by what is
// in it.
func Secret(name string, data []byte) bool { return secretName(name) || secretContent(data) }
