# Every target builds what it needs; the environment is rebuilt only when the lock file or pyproject.toml changes.
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
TRAIN := .venv-train
PROOFS := .venv-proofs
SITE := .venv-site
FIND_PYTHON = for p in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done

# Byte code is kept whatever the environment says: the tests start hundreds of processes of the same modules.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := PYTHONPYCACHEPREFIX="$(CURDIR)/$(VENV)/pycache" $(BIN)/python -m pytest
PARALLEL := -n auto --dist worksteal
# The suite makes and removes 80,000 files: in memory, where that is roomy, it takes two thirds of the time.
IN_MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print "TMPDIR=/dev/shm" }')

.PHONY: tui demo test test-all long faults fuzz oracles soak audit check quality bench e2e screenshots docs site house detector lesson-scorer order-scorer paste-scorer lock clean

tui: $(STAMP)
	@$(BIN)/learn-tui

demo: $(STAMP)
	@$(BIN)/learn-tui --demo

test: $(STAMP)
	@$(IN_MEMORY) $(PYTEST) $(PARALLEL)

# MORE takes further options of pytest, as in: make test-all MORE=--durations=40
test-all: $(STAMP)
	@$(IN_MEMORY) $(PYTEST) $(PARALLEL) -m 'not e2e and not perf and not long' --hypothesis-profile=ci $(MORE)

long: $(STAMP)
	@$(PYTEST) -m long

# Storms of kill -9, broken disks, clocks, crash points and mutants; figures and what was skipped come last.
faults: $(STAMP)
	@$(PYTEST) -n 2 --dist worksteal -m '' -rs -q tests/faults

# A million inputs for the parsers: guided by coverage where atheris installs, else by mutation alone.
fuzz: $(PROOFS)/.ready
	@$(PROOFS)/bin/python -m tests.fuzz $(ARGS)

# The statistics against libraries that are too large for every environment.
oracles: $(PROOFS)/.ready
	@$(PROOFS)/bin/python -m pytest -q tests/learn/statistics/test_oracles.py

# A simulated year in one store, against a small one.
soak: $(STAMP)
	@$(BIN)/python -m tests.soak $(ARGS)

# Pins, hashes and licences; known weaknesses where a source of them answers.
audit: $(PROOFS)/.ready
	@$(PROOFS)/bin/python -m scripts.audit

check: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@PYTHONPATH=src:hooks:tui $(BIN)/lint-imports

# How good the search of earlier tasks is: make quality TASKS=history.jsonl ARGS="--read 30"
quality: $(STAMP)
	@$(BIN)/python -m tests.quality $(TASKS) $(ARGS)

bench: $(STAMP)
	@$(BIN)/python -m tests.perf

e2e: $(STAMP)
	@$(PYTEST) -m e2e -rs tests/e2e

screenshots: $(STAMP)
	@$(BIN)/python scripts/screenshots.py
	@$(BIN)/python scripts/tour.py

docs: $(STAMP)
	@$(BIN)/python scripts/reference.py
	@$(BIN)/python -m scripts.house --docs

# Builds the documentation into build/site, which opens and searches without a server; a dead link fails it
# (with --quiet it would not).
site: $(SITE)/.ready
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict
	@echo "Open build/site/index.html"

$(SITE)/.ready: requirements-docs.lock $(STAMP)
	@[ -x $(SITE)/bin/python ] || $(BIN)/python -m venv $(SITE)
	@$(SITE)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

# Counts circles, names and sizes; what is counted, line by line: make house ARGS=-v
house: $(STAMP)
	@$(BIN)/python -m scripts.house $(ARGS)

# Trains the detector's weights anew: make detector PROMPTS="labelled.jsonl …" SENTENCES="own.jsonl …"
detector: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_detector --prompts $(PROMPTS) --sentences $(SENTENCES)

# Trains the scorer of sentences anew: make lesson-scorer PROMPTS=prompts.jsonl LESSONS=lessons.jsonl MORE=--report-only
lesson-scorer: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_lessons --prompts $(PROMPTS) --lessons $(LESSONS) $(MORE)

# Trains the scorer of orders anew: make order-scorer PROMPTS="prompts.jsonl lessons.jsonl" MORE=--report-only
order-scorer: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_orders --prompts $(PROMPTS) $(MORE)

# Trains the scorer of pasted blocks anew: make paste-scorer PROMPTS="prompts.jsonl tasks.jsonl" MORE=--report-only
paste-scorer: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_pastes --prompts $(PROMPTS) $(MORE)

$(PROOFS)/.ready: requirements-proofs.lock $(STAMP)
	@[ -x $(PROOFS)/bin/python ] || $(BIN)/python -m venv $(PROOFS)
	@$(PROOFS)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: \
		-r requirements-proofs.lock || echo "What is used for the proofs cannot be installed here; they do without." >&2
	@$(PROOFS)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(PROOFS)/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(TRAIN)/.ready: requirements-train.lock $(STAMP)
	@[ -x $(TRAIN)/bin/python ] || $(BIN)/python -m venv $(TRAIN)
	@$(TRAIN)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-train.lock
	@$(TRAIN)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(TRAIN)/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

lock:
	@$(BIN)/pip install -q uv
	@$(BIN)/uv pip compile --group pyproject.toml:train --universal --generate-hashes --no-emit-index-url --no-annotate --no-header -p 3.11 -q -o requirements-train.lock
	@$(BIN)/uv pip compile --group pyproject.toml:proofs --universal --generate-hashes --no-emit-index-url --no-annotate --no-header -p 3.11 -q -o requirements-proofs.lock
	@$(BIN)/uv pip compile --group pyproject.toml:docs --universal --generate-hashes --no-emit-index-url --no-annotate --no-header -p 3.11 -q -o requirements-docs.lock
	@$(BIN)/uv pip compile pyproject.toml --group dev --extra mcp --extra vectors --universal --generate-hashes --no-emit-index-url --no-annotate --no-header -p 3.11 -q -o requirements.lock

clean:
	@rm -rf $(VENV) $(TRAIN) $(PROOFS) $(SITE)

$(STAMP): requirements.lock pyproject.toml
	@python=$$($(FIND_PYTHON)); \
	[ -n "$$python" ] || { echo "Learnloop needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3" >&2; exit 1; }; \
	echo "Building the environment in $(VENV) (once) …"; \
	[ -x $(BIN)/python ] || $$python -m venv $(VENV) || { rm -rf $(VENV); \
	echo "This Python cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@
