# Go 1.27's generic methods are needed everywhere: the toolchain is fixed here and in .ci/run.
export GOTOOLCHAIN = go1.27.3

MODULES  = . bench examples/socketwindowwordcount
TOOL     = go tool -modfile=$(CURDIR)/tools/go.mod
GOFUMPT  = $(TOOL) gofumpt
each     = @set -e; for m in $(MODULES); do echo "== $$m: $(1)"; (cd $$m && $(1)); done

.PHONY: demo test test-long test-external check bench fuzz-seeds

## demo: SocketWindowWordCount over real prose, live in the terminal, then its four graphs. Half a minute, or press q.
demo:
	cd examples/socketwindowwordcount && go run . $(ARGS)

## test: everything that needs only Go.
test:
	$(call each,go test ./...)

## test-long: the same with more seeds and longer runs.
test-long:
	FLOTT_TEST_LONG=1 go test -timeout 60m ./...

## test-external: tests that need a program beside Go (build tag external); fails where the program is missing.
test-external:
	$(call each,go test -tags external -run 'External' ./...)

## check: vet, formatting, linters, import order, race detector, fuzz seeds.
check:
	$(call each,go vet ./...)
	@bad=$$($(GOFUMPT) -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "not gofumpt'd:"; echo "$$bad"; exit 1; fi
	$(call each,$(TOOL) staticcheck ./...)
	$(call each,$(TOOL) golangci-lint run --config $(CURDIR)/.golangci.yml ./...)
	go test ./internal/layering
	go test -race $(RACE)
	go test -run '^Fuzz' ./...

# Every package that starts goroutines, or whose records cross them.
RACE = . ./connector/... ./flotttest/... ./internal/control/... ./internal/data/... ./examples/...

## bench: flott beside Flink (FLINK=DIR, a folder with a runnable Flink 2.3 and its bench.jar) and a handwritten loop, in turn.
bench:
	cd bench && go run ./compare -flink "$(FLINK)" $(ARGS)
