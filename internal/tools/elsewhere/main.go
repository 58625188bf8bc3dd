// Elsewhere checks all packages and their tests as the compiler would for other systems:
// scripts/lint runs it. It compiles nothing, so it takes seconds instead of minutes: of
// what others wrote only the declarations are looked at. With the race detector it would
// take minutes again, so it is no test.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// targets are the systems. Their other processors have no sources of their own here.
var targets = []string{"linux/arm64", "darwin/arm64", "windows/amd64"}

func main() {
	root, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "elsewhere:", err)
		os.Exit(1)
	}
	failed := false
	for _, target := range targets {
		problems, err := check(root, target)
		if err != nil {
			problems = append(problems, err.Error())
		}
		for _, problem := range problems {
			failed = true
			fmt.Fprintf(os.Stderr, "elsewhere: %s: %s\n", target, problem)
		}
	}
	if failed {
		os.Exit(1)
	}
	fmt.Println("elsewhere: right on " + strings.Join(targets, ", "))
}

// check looks at all packages for a target.
func check(root, target string) (problems []string, err error) {
	system, processor, _ := strings.Cut(target, "/")
	found, err := packages.Load(&packages.Config{
		// The tests need a PostgreSQL server of their own, which pgtest starts on Unix
		// only.
		Dir: root, Tests: system != "windows",
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
		ParseFile: func(files *token.FileSet, name string, source []byte) (*ast.File, error) {
			file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
				dropBodies(file)
			}
			return file, err
		},
	}, "./...")
	if err != nil {
		return nil, err
	}
	if len(found) < 20 {
		problems = append(problems, fmt.Sprintf("there are only %d packages; run it from the root of the sources", len(found)))
	}
	for _, p := range found {
		if strings.HasSuffix(p.PkgPath, ".test") {
			continue // go test has written it, and its bodies are gone too
		}
		for _, problem := range p.Errors {
			problems = append(problems, fmt.Sprintf("%s: %v", p.ID, problem))
		}
	}
	return problems, nil
}

func dropBodies(file *ast.File) {
	for _, declared := range file.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok && function.Body != nil {
			function.Body.List = nil
		}
	}
}
