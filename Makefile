# Every target sets the machine up first (scripts/setup.sh: system packages, solver); when that is done it
# takes no time. One profile for everything, so that nothing is compiled twice.

CARGO ?= cargo
CONCERTINO := target/release/concertino
NEXTEST := $(shell $(CARGO) nextest --version >/dev/null 2>&1 && echo yes)

.PHONY: build demo test bench setup lint clean

build: setup
	$(CARGO) build --release --workspace

# The main job on the bundled example: coverage, alarms with their source lines, how to replay each.
demo: build
	$(CONCERTINO) test --dir examples/demo --time-per-function 5

test: build
ifeq ($(NEXTEST),yes)
	$(CARGO) nextest run --release --workspace --no-fail-fast
else
	$(CARGO) test --release --workspace --no-fail-fast
endif

bench: build
	bench/run

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

setup:
	@scripts/setup.sh

clean:
	$(CARGO) clean
	rm -rf examples/demo/.concertino
