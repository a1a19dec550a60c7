# Two commands on a fresh machine: `make run` starts the broker, `make test` runs everything.
# Needs Python 3.11 to 3.13 and make; the Spark and Java tests also a JDK 17 and Maven.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
SRC    := conftest.py src tests compat_tests spark bench

.DEFAULT_GOAL := help
.PHONY: help run test lint type format generate docs bench compat spark clean

help: ## what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else f"kwire: Python 3.11 to 3.13 is needed, $(PYTHON) is {v[0]}.{v[1]} (remedy: make PYTHON=python3.12 ...)")'
	@echo "kwire: creating the virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade -c constraints.txt pip

# One stamp per set of packages: a second call finds it and starts at once.
$(VENV)/.runtime: $(BIN)/python pyproject.toml constraints.txt
	@echo "kwire: installing kwire and its runtime dependencies"
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.lint: $(VENV)/.runtime
	@echo "kwire: installing the linter and the type checker"
	@$(PIP) install -c constraints.txt --group lint
	@touch $@

$(VENV)/.test: $(VENV)/.runtime
	@echo "kwire: installing what the tests need (Spark is 400 MB: a minute or two, once)"
	@$(PIP) install -c constraints.txt --group test
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	@echo "kwire: installing what the benchmarks compare with"
	@$(PIP) install -c constraints.txt --group bench
	@touch $@

run: $(VENV)/.runtime ## start the broker on 127.0.0.1:9092, data in ./kwire-data
	@exec $(BIN)/kwire serve --port 9092 --data-dir kwire-data

# --fetch-jars gets Apache Kafka and Spark's connector with Maven into .cache/ before the first test, once.
test: $(VENV)/.test ## set everything up and run all tests
	@$(BIN)/python -m pytest -n 2 --dist loadgroup --fetch-jars $(ARGS)

lint: $(VENV)/.lint ## ruff: format and lint, changing nothing
	@$(BIN)/ruff format --check $(SRC)
	@$(BIN)/ruff check $(SRC)

format: $(VENV)/.lint ## ruff: format and fix what it can
	@$(BIN)/ruff check --fix-only $(SRC)
	@$(BIN)/ruff format $(SRC)

type: $(VENV)/.lint $(VENV)/.test ## pyright, strict
	@$(BIN)/pyright

generate: $(VENV)/.runtime ## write the message classes from protocol_specs/
	@$(BIN)/python -m kwire.protocol.specs protocol_specs src/kwire/protocol/messages

docs: $(VENV)/.runtime ## write the generated tables in docs/
	@$(BIN)/python -m kwire.cli.reference docs

bench: $(VENV)/.bench ## measure; report in docs/PERFORMANCE.md
	@$(BIN)/python -m bench $(ARGS)

compat: $(VENV)/.test ## all foreign clients and the reference broker; table in docs/COMPATIBILITY.md
	@$(BIN)/python -m pytest --fetch-jars --write-page compat_tests $(ARGS)

spark: $(VENV)/.test ## the Spark tests alone
	@$(BIN)/python -m pytest --fetch-jars spark tests/spark $(ARGS)

clean: ## remove the virtual environment and caches
	@rm -rf $(VENV) .cache .pytest_cache .ruff_cache .hypothesis
