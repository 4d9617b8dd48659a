# One word does the whole of a thing, on a machine with nothing but Python (3.11 or newer) and make.
PYTHON ?= python3
BIN := .venv/bin
DEMO ?= build/demo

.PHONY: demo test lint format check bench slow

demo: .venv/installed
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BIN)/profdb demo $(DEMO)/runs
	$(BIN)/profdb ingest $(DEMO)/runs/dcu $(DEMO)/runs/0815 $(DEMO)/runs/1009 --db $(DEMO)/profdb.duckdb
	$(BIN)/profdb report budget --run dcu --no-sql --db $(DEMO)/profdb.duckdb
	$(BIN)/profdb model add $(DEMO)/runs/hybrid-27b.json --db $(DEMO)/profdb.duckdb
	$(BIN)/profdb report closure --run dcu --model hybrid-27b --no-sql --db $(DEMO)/profdb.duckdb
	$(BIN)/profdb report regression --base 0815 --cand 1009 --no-sql --db $(DEMO)/profdb.duckdb

test: .venv/installed-dev
	$(BIN)/pytest -q -n auto --dist loadfile -m "not slow"

slow: .venv/installed-dev
	$(BIN)/pytest -q -m slow

lint: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
# By the name of the package: mypy takes a checkout folder for one only if it is called like one.
	ln -sfn .. .venv/profdb
	cd .venv && bin/mypy --config-file ../pyproject.toml profdb

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

check: lint test

bench: .venv/installed-dev
	$(BIN)/python -m bench.ingest
	$(BIN)/python -m bench.pair_views

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
