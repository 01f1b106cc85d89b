# Every command that a person or a machine runs on this project. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCK := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

# Many tests wait for processes and servers of their own: one process more than there are cores keeps the cores busy.
TEST_PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')

# What is compiled is kept: the tests start many processes, and most load the same modules.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo up test test-system-postgres check check-deep format lint types imports docs texts lock clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 24

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Gleanery needs Python 3.11 or newer: run 'make PYTHON=/path/to/python3.11 ...'."; exit 1; }
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# The lock file pins the build tools too, so nothing is downloaded that has no hash. It names all that is needed, so
# nothing is resolved: some versions of pip would take a newer psycopg[pool] than the one that is pinned, and then refuse it.
$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing what Gleanery runs on ..."
	@$(PIP) install --require-hashes --no-deps --only-binary=:all: -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@$(PIP) check
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing what Gleanery is built and tested with ..."
	@$(PIP) install --require-hashes --no-deps --only-binary=:all: -r requirements-dev.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@$(PIP) check
	@touch $@ $(VENV)/.run

demo: $(VENV)/.run  ## start Gleanery on sample data; prints a link that logs you in
	@$(BIN)/gleanery demo

up: $(VENV)/.run  ## start Gleanery on your own data
	@$(BIN)/gleanery up

test: $(VENV)/.dev  ## run the whole test suite (sets up all it needs)
	@tools/chromium > /dev/null
	$(BIN)/pytest -n $(TEST_PROCESSES)

test-system-postgres: $(VENV)/.dev  ## run the database tests on the PostgreSQL 15 of this machine, if there is one
	@$(BIN)/python tools/on_system_postgres.py $(BIN)/pytest -n auto -m database

check: format lint types imports test docs  ## everything CI wants, in order

check-deep: check  ## the same, with far more examples for the property tests
	HYPOTHESIS_PROFILE=deep $(BIN)/pytest -n $(TEST_PROCESSES)

format: $(VENV)/.dev  ## check the formatting (make format FIX=1 mends it)
	$(BIN)/ruff format $(if $(FIX),,--check) .

lint: $(VENV)/.dev  ## look for mistakes (make lint FIX=1 mends what it can)
	$(BIN)/ruff check $(if $(FIX),--fix) .

types: $(VENV)/.dev  ## check the types
	GLEANERY_DATA_DIR=.cache/types $(BIN)/mypy

imports: $(VENV)/.dev  ## check who may import whom
	$(BIN)/lint-imports

docs: $(VENV)/.dev  ## check the generated pages (make docs FIX=1 writes them anew)
	GLEANERY_DATA_DIR=.cache/docs $(BIN)/python tools/docs.py $(if $(FIX),--write)

texts: $(VENV)/.dev  ## compile the translations of the public site
	$(BIN)/pybabel --quiet compile --domain django --directory src/gleanery/publishing/locale

lock: $(VENV)/.dev  ## pin the newest allowed versions (make lock UPGRADE=1 for newer ones)
	$(LOCK) $(if $(UPGRADE),--upgrade) --extra build -o requirements.lock
	$(LOCK) $(if $(UPGRADE),--upgrade) --extra build --extra dev --extra llm --extra pdf --extra browser --extra parquet -c requirements.lock -o requirements-dev.lock

clean:  ## remove what make made
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
