# Go 1.27's generic methods are needed everywhere: the toolchain is fixed here and in .ci/run.
export GOTOOLCHAIN = go1.27.3

MODULES = . bench deploy examples/socketwindowwordcount web/build web/browser
TOOL    = go tool -modfile=$(CURDIR)/tools/go.mod
each    = @set -e; for m in $(MODULES); do echo "== $$m: $(1)"; (cd $$m && $(1)); done

# Packages that start goroutines, in code or in tests, or whose records cross them.
RACE = ./connector/... ./flotttest/... ./internal/control/... ./internal/data/... ./internal/fault/... .

.PHONY: demo test test-long test-external check bench

## demo: SocketWindowWordCount over real prose, live in the terminal and on the page (127.0.0.1:8081), then its four graphs. Half a minute (ARGS="-for 10m": longer), or press a key.
demo:
	cd examples/socketwindowwordcount && go run . $(ARGS)

## test: everything that needs only Go.
test:
	$(call each,go test ./...)
	cd web/build && go test -count=1 ./... # its tests read what Go does not know of: sources beside the module

## test-long: property tests with twenty times the cases, then every fuzz target for half a minute.
test-long:
	go test -timeout 60m $$(grep -rl --include='*_test.go' pgregory.net/rapid . | xargs -n1 dirname | sort -u) -rapid.checks=2000
	@set -e; grep -rho --include='*_test.go' --with-filename '^func Fuzz[A-Za-z]*' . | while IFS=: read file f; do \
		go test -run '^$$' -fuzz "^$${f#func }$$" -fuzztime 30s $$(dirname $$file); done

## test-external: tests that need a program beside Go (build tag external): java, node, chromium; fails where the program is missing.
test-external:
	npx --yes -p typescript@7.0.2 tsc -p web
	$(call each,go test -tags external -run External -timeout 40m ./...)

## check: vet, formatting, linters, import order, race detector, fuzz seeds.
check:
	$(call each,go vet ./...)
	@bad=$$($(TOOL) gofumpt -l $$(git ls-files '*.go' ':!*.pb.go')); if [ -n "$$bad" ]; then echo "not gofumpt'd:"; echo "$$bad"; exit 1; fi
	$(call each,$(TOOL) staticcheck ./...)
	$(call each,$(TOOL) golangci-lint run --config $(CURDIR)/.golangci.yml ./...)
	go test ./internal/layering
	go test -race $(RACE)
	cd examples/socketwindowwordcount && go test -race ./...
	go test -run '^Fuzz' ./...

## bench: flott beside Flink (FLINK=DIR, a folder with a runnable Flink 2.3 and its bench.jar) and handwritten loops, in turn.
bench:
	cd bench && go run ./compare -flink "$(FLINK)" $(ARGS)
