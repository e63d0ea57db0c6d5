# Everything a checkout needs, on a machine with Python >= 3.11 and its pip.
# Each target sets up what it needs in .venv; a second call does not install again.
# Another interpreter: make test PYTHON=/usr/bin/python3.12

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=
AREA ?=
WORKERS ?= auto
AREA ?=
BENCH_ARGS ?=

# The first of these that is new enough; asked only when the environment is made.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
IS_NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
FIND_PYTHON = for python in $(CANDIDATES); do \
	if $$python $(IS_NEW_ENOUGH) 2>/dev/null; then echo $$python; break; fi; done
PYTHON ?= $(shell $(FIND_PYTHON))

# A stamp carries the checksum of pyproject.toml: what is installed follows its text.
SUM := $(shell cksum < pyproject.toml | cut -d ' ' -f 1)
STAMP = $(VENV)/stamp-$(1)-$(SUM)

# Workers share two cores; a BLAS that starts its own threads only gets in their way.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
PYTEST = $(ONE_THREAD) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

.PHONY: help
help: ## show this list
	@echo "Gelenk: a robotics workbench"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "  PYTHON=...  interpreter for a new $(VENV)    PYTEST_ARGS=...  passed to pytest"
	@echo "  WORKERS=n   test processes                AREA=...         of bench and golden; else all"

.PHONY: run
run: $(call STAMP,run) ## set up and open the page
	@$(BIN)/gelenk open

.PHONY: test
test: warmup browser ## set up and pass every test, doctest and example
	@$(PYTEST) $(PYTEST_ARGS)

.PHONY: test-fast
test-fast: warmup ## the tests that take less than a second each
	@$(PYTEST) -m "not slow" --hypothesis-profile dev $(PYTEST_ARGS)

.PHONY: bench
bench: $(call STAMP,bench) ## measure AREA (or all) against targets and other libraries
	@$(BIN)/python -m benchmarks $(AREA) $(BENCH_ARGS)

.PHONY: check
check: $(call STAMP,dev) ## formatting, lint, types, layers, words
	@failed=; \
	for tool in "ruff format --check ." "ruff check ." "pyright" "pyright -p pyright-strict.json" \
			"lint-imports" "python tests/house/words.py"; do \
		echo "make: $$tool"; $(BIN)/$$tool || failed="$$failed; $$tool"; \
	done; \
	if [ -n "$$failed" ]; then echo "make: not yet$$failed" >&2; exit 1; fi

.PHONY: format
format: $(call STAMP,dev) ## format the code and mend what ruff can mend
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

.PHONY: capabilities
capabilities: warmup ## which capabilities the tests prove
	@$(PYTEST) --capabilities-report=build/capabilities.json $(PYTEST_ARGS)
	@PYTHONPATH=tests $(BIN)/python -m testkit.capabilities build/capabilities.json

.PHONY: golden
golden: warmup ## keep today's results as right, all or of AREA=world
	@$(ONE_THREAD) PYTHONPATH=tests $(BIN)/python -m golden.write $(AREA)

.PHONY: docs
docs: $(call STAMP,docs) ## build the documentation into site/
	@PYTHONPATH=tests NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

.PHONY: pictures
pictures: $(call STAMP,docs) ## draw the pictures of the documentation again
	@$(BIN)/python docs/pictures/make_conventions.py
	@$(BIN)/python docs/pictures/make_hero.py
	@$(BIN)/python docs/pictures/make_world.py
	@$(BIN)/python docs/pictures/make_gallery.py

.PHONY: outputs
outputs: $(call STAMP,run) ## write what the documentation's code prints again
	@$(BIN)/python docs/pages.py

.PHONY: clean
clean: ## remove what the other targets made, .venv included
	@rm -rf $(VENV) build dist site .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Users need no Node: the page's bundle is part of the package. A test fails when it is
# not the one of the sources; this builds it again.
CLIENT := src/gelenk/ui/client
.PHONY: client
client: ## build the page's bundle from its sources (needs Node 20.19 or newer)
	@for tool in node npm; do command -v $$tool > /dev/null || { \
		echo "make: found no $$tool; the page is built with Node 20.19 or newer and its npm" >&2; \
		echo "      (https://nodejs.org, on Debian: apt install nodejs npm)" >&2; exit 1; }; done
	@cd $(CLIENT) && npm ci --no-audit --no-fund && npm test --if-present && npm run build

# The tests of the page drive a Chromium of the system. Where there is none and none can
# be installed, they are skipped, and the summary of the tests says so.
BROWSERS := chromium chromium-browser google-chrome
.PHONY: browser
browser:
	@for name in $(BROWSERS); do command -v $$name > /dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		echo "make: installing chromium, for the tests of the page" >&2; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium > /dev/null && exit 0; \
	fi; \
	echo "make: found no Chromium, and none could be installed: the tests of the page" >&2; \
	echo "      in a browser will be SKIPPED (on Debian: apt install chromium)" >&2

# Kernels are compiled by one process before the test workers start: otherwise each
# worker would compile all of them.
.PHONY: warmup
warmup: $(call STAMP,dev)
	-@$(BIN)/gelenk warmup

# -- the environment ---------------------------------------------------------------

EXTRAS_run :=
EXTRAS_dev := [dev]
EXTRAS_bench := [dev,bench]
EXTRAS_docs := [docs]

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "make: found no Python 3.11 or newer ($(CANDIDATES)); install one or say which:" >&2; \
		echo "      make PYTHON=/path/to/python3.12" >&2; exit 1; fi
	@if ! $(PYTHON) $(IS_NEW_ENOUGH); then \
		echo "make: Gelenk needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) -V 2>&1);" >&2; \
		echo "      say which one to take: make PYTHON=/path/to/python3.12" >&2; exit 1; fi
	@echo "make: new environment $(VENV) with $$($(PYTHON) -V)" >&2
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "make: could not make $(VENV); on Debian: apt install python3-venv" >&2; exit 1; }

$(VENV)/stamp-%-$(SUM): | $(BIN)/python
	@echo "make: installing gelenk$(EXTRAS_$*)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".$(EXTRAS_$*)"
	@rm -f $(VENV)/stamp-$*-*
	@touch $@
