SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Knobs, to be set on the command line: make fuzz FUZZTIME=1h
FUZZTIME ?= 10m
FUZZTIME_SHORT ?= 1s
BENCHTIME ?= 1s
KILLS ?= 200
VERSION ?=

LDFLAGS := -s -w $(if $(VERSION),-X main.version=$(VERSION))

.PHONY: help build dist man test bench fuzz torture lint fmt setup

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/aside, one static file
	CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o bin/aside ./cmd/aside

dist: ## packages of every system and their sums in dist/ (VERSION=v1.2.3)
	go run ./internal/tools/dist -version "$(or $(VERSION),$(shell git describe --tags --always --dirty 2>/dev/null || echo devel))"

man: ## write the manual pages to bin/man
	go run ./cmd/aside docs man bin/man

test: setup ## lint, the tests with the race detector, a short fuzz run
	@FUZZTIME_SHORT=$(FUZZTIME_SHORT) scripts/test

bench: ## measure the extractor and the program, and check their budgets
	@echo "Measuring; this takes a few minutes."
	@go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) -count 3 ./extract \
		| tee /dev/stderr | go run ./internal/tools/benchtable || missed=1; \
	go run ./internal/tools/spinebench || missed=1; \
	exit $${missed:-0}

fuzz: ## fuzz every target in turn, FUZZTIME (10m) in all
	@scripts/fuzz total $(FUZZTIME)

torture: ## kill the program 200 times in each way and look for losses (KILLS=200)
	@ASIDE_TORTURE=$(KILLS) CGO_ENABLED=1 go test -run Torture -count 1 -timeout 60m -v ./cmd/aside
	@ASIDE_TORTURE=$(KILLS) CGO_ENABLED=1 go test -run EveryRun -count 1 -timeout 120m -v ./internal/cron

lint: ## go vet, staticcheck, and is everything formatted
	@scripts/lint

fmt: ## format all Go files
	go tool gofumpt -w .

setup: ## install what the tests need besides Go, or say what is missing
	@scripts/setup
