package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestTheSourcesAreRightOnEverySystem checks all packages and their tests as the
// compiler would for each target. It compiles nothing, so it takes seconds instead of
// minutes: of what others wrote only the declarations are looked at.
func TestTheSourcesAreRightOnEverySystem(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range released {
		t.Run(target, func(t *testing.T) {
			system, processor, _ := strings.Cut(target, "/")
			found, err := packages.Load(&packages.Config{
				// The tests need a PostgreSQL server of their own, which pgtest starts on
				// Unix only.
				Context: t.Context(), Dir: root, Tests: system != "windows",
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
				t.Fatal(err)
			}
			if len(found) < 20 {
				t.Errorf("there are only %d packages", len(found))
			}
			for _, p := range found {
				if strings.HasSuffix(p.PkgPath, ".test") {
					continue // go test has written it, and its bodies are gone too
				}
				for _, problem := range p.Errors {
					t.Errorf("%s: %v", p.ID, problem)
				}
			}
		})
	}
}

func dropBodies(file *ast.File) {
	for _, declared := range file.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok && function.Body != nil {
			function.Body.List = nil
		}
	}
}
