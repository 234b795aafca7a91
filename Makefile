# `make` alone lists the targets. Everything lives in .venv and web/node_modules; nothing outside this folder is touched,
# but that `make test` installs Debian packages where they are missing and this account may: Chromium (also without
# its user interface), Firefox, Maxima, xsltproc, zsh, fish.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# Some images forbid Python to keep what it has compiled: every call of `sistel` would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
STAMP := .venv/.stamp
LIGHT := .venv/.light
PAGES := src/sistel/views/assets/files/LICENSES.txt
LOCK := requirements-dev.lock
MODEL ?= models/walker.xml
FOLDER ?= models
UNTIL ?= 10

# Scripts in .venv know its absolute path: an environment that came along with a copied or moved folder is made anew.
HOME_NOTE := .venv/.home
ifneq ($(shell cat $(HOME_NOTE) 2>/dev/null),$(CURDIR))
$(shell rm -f $(STAMP) $(LIGHT))
endif

# The first interpreter that runs, is new enough and can make environments; the lock was made with 3.11.
# A name on PATH is not enough: version managers leave shims that fail.
FIND_PYTHON = for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3 python; do \
	  if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	  then echo "$$python"; break; fi; done
PIP = PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq --constraint $(LOCK)

.PHONY: help setup run studio quick test bench docs site pages lock clean distclean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

setup: $(STAMP) $(PAGES) ## make .venv with sistel and all that development needs
	@if [ -f $(PAGES) ]; then $(BIN)/python tools/assets --tools --scripts --lenient; fi

# Enough to run sistel: it needs nothing but Python, so the first minute does not wait for the tools of development.
$(LIGHT): pyproject.toml $(LOCK)
	@if [ "$$(cat $(HOME_NOTE) 2>/dev/null)" = "$(CURDIR)" ]; then echo "bringing .venv up to date …"; exit; fi; \
	python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
	  echo "sistel needs Python 3.11 or newer with the modules venv and ensurepip; none was found on PATH." >&2; \
	  echo "Install one (Debian, Ubuntu: apt install python3 python3-venv) or name it: make setup PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi; \
	echo "setting up .venv with $$("$$python" --version) …"; \
	"$$python" -m venv --clear .venv; \
	echo "$(CURDIR)" > $(HOME_NOTE)
	@echo "  sistel"
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(STAMP): $(LIGHT)
	@echo "  development tools"
	@$(PIP) --no-build-isolation --editable '.[checks,docs]'
	@echo "  other engines and robots to compare with (about 350 MB to download, 1.3 GB on disk)"
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@
	@echo "done: $(BIN)/sistel"

# What pages carry inside, fetched with npm. Where that cannot be, all the rest works, and the next call tries again.
$(PAGES): web/package-lock.json web/build.mjs web/svelte-plugin.mjs tools/assets \
		$(shell find web/src -name "*.ts" -o -name "*.svelte" -o -name "*.css") | $(LIGHT)
	@echo "  scripts and libraries of pages"
	@$(PIP) brotli fonttools || true
	@$(BIN)/python tools/assets --lenient

run: $(LIGHT) $(PAGES) ## simulate the walking machine, or another file: MODEL=models/four_bar.xml
	@mkdir -p build
	@if [ -f $(PAGES) ]; then page="-o build/run.html"; else page=; fi; \
	$(BIN)/sistel run $(MODEL) --until $(UNTIL) -o build/run.csv -o build/run.svg $$page
	@echo
	@echo "This was $(MODEL), simulated for $(UNTIL) s; every step is in build/run.csv, a moving picture in build/run.svg."
	@if [ -f $(PAGES) ]; then echo "Open build/run.html in a browser: it moves there; space plays, ? shows the keys."; fi
	@echo "Next:"
	@echo "  $(BIN)/sistel show $(MODEL)   what the file says"
	@echo "  $(BIN)/sistel models              the gallery"
	@echo "  $(BIN)/sistel new pendulum my.xml a file of your own to start from"
	@echo "  $(BIN)/sistel --help              all commands; --lang ru for Russian"
	@echo "  make docs                         the documentation, as a site"

studio: $(LIGHT) $(PAGES) ## open the studio on models/, or on another folder: FOLDER=mine
	@$(BIN)/python -c "import starlette, uvicorn, websockets" 2>/dev/null || $(PIP) --no-build-isolation --editable '.[studio]'
	@$(BIN)/sistel studio $(FOLDER)

quick: setup ## check what has changed, in a minute and a half: ruff, mypy, imports, its fast tests
	@$(BIN)/python tools/quick $(FILES)

test: setup ## run every check, as continuous integration does
	@$(BIN)/python tools/check

bench: setup ## run every benchmark; results go to benchmarks/results/
	@for bench in benchmarks/bench_*.py; do echo "── $$bench"; $(BIN)/python "$$bench"; done

docs: setup ## build the documentation into site/
	@$(BIN)/python tools/docs

site: setup ## build gallery, documentation and the studio without a server into site/
	@$(BIN)/python tools/site

pages: setup ## write the pages of docs/ that are made from tables and signatures: reference, commands, Python, gallery
	@$(BIN)/python tools/pages

lock: ## renew requirements-dev.lock with the newest versions that pyproject.toml allows
	@tools/lock $$($(FIND_PYTHON))

clean: ## remove what was built, keep .venv
	rm -rf site build dist htmlcov benchmarks/results .coverage .coverage.* src/sistel/views/assets/files \
	  .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.venv/*' -not -path './.git/*' -prune -exec rm -rf {} +

distclean: clean ## remove .venv and what npm fetched too
	rm -rf .venv web/node_modules
