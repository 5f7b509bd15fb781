# Every target builds what it needs. The environment is rebuilt when the lock file or pyproject.toml changes, when its
# Python is gone, and when the folder was moved. Paths are relative, and programs are started by `python -m`, because
# rules of make and first lines of scripts cannot hold every path.

# A Python that is named has an environment of its own, as in: make test PYTHON=python3.13
VENV := .venv$(if $(PYTHON),-$(shell "$(PYTHON)" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null))
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
MOVED := $(shell [ -x $(BIN)/python ] && [ "$$(cat $(STAMP) 2>/dev/null)" = "$$(pwd -P)" ] || echo moved)
TRAIN := .venv-train
PROOFS := .venv-proofs
SITE := .venv-site
FIND_PYTHON = for p in $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11); do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done
NO_PYTHON := $(if $(PYTHON),$(PYTHON) is no Python 3.11 or newer,Learnloop needs Python 3.11 or newer)
# What is imported is compiled then: half of the packages never is.
PIP := -m pip install -q --no-compile --disable-pip-version-check
# uv installs in 2 s what takes pip 16, from pip's index; where it cannot, pip does.
INDEX = UV_DEFAULT_INDEX="$${PIP_INDEX_URL:-$$($(BIN)/python -m pip config get global.index-url 2>/dev/null)}"
UV := -m uv pip install -q --link-mode copy -p $(BIN)/python
LOCK := -m uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --no-header -p 3.11 -q

# Byte code is kept whatever the environment says: the tests start hundreds of processes of the same modules.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := PYTHONPYCACHEPREFIX="$$PWD/$(VENV)/pycache" $(BIN)/python -m pytest
PARALLEL := -n auto --dist worksteal
COMPILED := $(VENV)/.compiled
# The suite makes and removes 80,000 files: in memory, where that is roomy, it takes two thirds of the time.
IN_MEMORY := $(if $(TMPDIR),,$(shell [ -w /dev/shm ] && df -Pk /dev/shm | awk 'NR == 2 && $$4 > 4000000 { print "TMPDIR=/dev/shm" }'))

.PHONY: tui demo test test-all long faults storm fuzz oracles simulate simulate-team soak audit check quality bench e2e team-demo screenshots docs site house hearing similarity paste-scorer lock clean moved

tui: $(STAMP)
	@$(BIN)/python -m learnloop_tui.main

demo: $(STAMP)
	@$(BIN)/python -m learnloop_tui.main --demo

test: $(COMPILED)
	@$(IN_MEMORY) $(PYTEST) $(PARALLEL)

# MORE takes further options of pytest, as in: make test-all MORE=--durations=40
test-all: $(COMPILED)
	@$(IN_MEMORY) $(PYTEST) $(PARALLEL) -m 'not e2e and not perf and not long' --hypothesis-profile=ci $(MORE)

long: $(STAMP)
	@$(PYTEST) -m long

# Storms of kill -9, broken disks, clocks, crash points and mutants; figures and what was skipped come last.
faults: $(STAMP)
	@$(PYTEST) -n 2 --dist worksteal -m '' -rs -q tests/faults

# Hooks, writers, ingests and verdicts at once, killed with -9: make storm ARGS="--seconds 600 --consoles"
storm: $(STAMP)
	@$(BIN)/python -m scripts.storm $(ARGS)

# A million inputs for the parsers: guided by coverage where atheris installs, else by mutation alone.
fuzz: $(PROOFS)/.ready
	@$(PROOFS)/bin/python -m scripts.fuzz $(ARGS)

# What experiments promise, in worlds with a known truth: make simulate ARGS="--runs 1000"
simulate: $(STAMP)
	@$(BIN)/python -m scripts.simulate $(ARGS)

# A team's machines and a real Postgres through kills, clones and backups: make simulate-team ARGS="--steps 10000"
simulate-team: $(STAMP)
	@$(BIN)/python -m scripts.simulate.team $(ARGS)

# The statistics against libraries that are too large for every environment.
oracles: $(PROOFS)/.ready
	@$(PROOFS)/bin/python -m pytest -q tests/learn/statistics/test_oracles.py

# A simulated year in one store, against a small one.
soak: $(STAMP)
	@$(BIN)/python -m scripts.soak $(ARGS)

# Pins, hashes and licences; known weaknesses where a source of them answers.
audit: $(PROOFS)/.ready
	@$(PROOFS)/bin/python -m scripts.audit

check: $(STAMP)
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m mypy
	@PYTHONPATH=src:hooks:tui $(BIN)/python -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

# How good the search of earlier tasks is: make quality TASKS=history.jsonl ARGS="--read 130 --to read.tsv"; ARGS="--graded read.tsv"
quality: $(STAMP)
	@$(BIN)/python -m scripts.quality $(TASKS) $(ARGS)

bench: $(STAMP)
	@$(BIN)/python -m scripts.perf $(ARGS)

e2e: $(STAMP)
	@$(PYTEST) -m e2e -rs tests/e2e

# A team's lesson through a throw-away Postgres and through a repository, with real agents and a scripted model.
team-demo: $(STAMP)
	@$(BIN)/python -m scripts.team_demo

screenshots: $(STAMP)
	@$(BIN)/python scripts/screenshots.py
	@$(BIN)/python scripts/tour.py

docs: $(STAMP)
	@$(BIN)/python scripts/reference.py
	@$(BIN)/python -m scripts.house --docs

# Builds the documentation into build/site, which opens and searches without a server; a dead link fails it
# (with --quiet it would not).
site: $(SITE)/.ready
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/python -m mkdocs build --strict
	@echo "Open build/site/index.html"

$(SITE)/.ready: requirements-docs.lock $(STAMP)
	@[ -x $(SITE)/bin/python ] || $(BIN)/python -m venv $(SITE)
	@$(SITE)/bin/python $(PIP) --require-hashes -r requirements-docs.lock
	@touch $@

# Counts circles, names and sizes; what is counted, line by line: make house ARGS=-v
house: $(STAMP)
	@$(BIN)/python -m scripts.house $(ARGS)

# Trains the three heads of the ear anew: make hearing PROMPTS=prompts.jsonl LESSONS=lessons.jsonl SENTENCES="more.jsonl …" MORE=--report-only
hearing: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_hearing --prompts $(PROMPTS) --lessons $(LESSONS) --sentences $(SENTENCES) $(MORE)

# Trains anew what decides whether two texts say the same.
similarity: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_similarity

# Trains the scorer of pasted blocks anew: make paste-scorer PROMPTS="prompts.jsonl tasks.jsonl" MORE=--report-only
paste-scorer: $(TRAIN)/.ready
	@$(TRAIN)/bin/python -m scripts.train_pastes --prompts $(PROMPTS) $(MORE)

$(PROOFS)/.ready: requirements-proofs.lock $(STAMP)
	@[ -x $(PROOFS)/bin/python ] || $(BIN)/python -m venv $(PROOFS)
	@$(PROOFS)/bin/python $(PIP) --require-hashes --only-binary :all: -r requirements-proofs.lock || echo "What is used for the proofs cannot be installed here; they do without." >&2
	@$(PROOFS)/bin/python $(PIP) --require-hashes -r requirements.lock
	@$(PROOFS)/bin/python $(PIP) --no-build-isolation --no-deps -e .
	@touch $@

$(TRAIN)/.ready: requirements-train.lock $(STAMP)
	@[ -x $(TRAIN)/bin/python ] || $(BIN)/python -m venv $(TRAIN)
	@$(TRAIN)/bin/python $(PIP) --require-hashes -r requirements-train.lock
	@$(TRAIN)/bin/python $(PIP) --require-hashes -r requirements.lock
	@$(TRAIN)/bin/python $(PIP) --no-build-isolation --no-deps -e .
	@touch $@

lock: $(STAMP)
	@$(BIN)/python $(PIP) uv
	@$(BIN)/python $(LOCK) --group pyproject.toml:train -o requirements-train.lock
	@$(BIN)/python $(LOCK) --group pyproject.toml:proofs -o requirements-proofs.lock
	@$(BIN)/python $(LOCK) --group pyproject.toml:docs -o requirements-docs.lock
	@$(BIN)/python $(LOCK) pyproject.toml --group dev --extra mcp --extra team --extra vectors -o requirements.lock

clean:
	@rm -rf .venv .venv-*

# The first run of the tests compiles them in two halves at once: each of its workers would compile them all.
$(COMPILED): $(STAMP)
	@for half in "[a-i]" "[j-z]"; do $(PYTEST) -q --collect-only tests/$$half* >/dev/null 2>&1 & done; wait; touch $@

$(STAMP): requirements.lock pyproject.toml $(MOVED)
	@python=$$($(FIND_PYTHON)); \
	[ -n "$$python" ] || { echo "$(NO_PYTHON); name one with: make PYTHON=/path/to/python3" >&2; exit 1; }; \
	echo "Building the environment in $(VENV) (once) …"; \
	[ -x $(BIN)/python ] || said=$$("$$python" -m venv --clear $(VENV) 2>&1) || { rm -rf $(VENV); \
	echo "No virtual environment (on Debian: apt-get install python3-venv): $$(echo "$$said" | head -n 1)" >&2; exit 1; }
	@{ { $(BIN)/python $(PIP) uv && $(INDEX) $(BIN)/python $(UV) --require-hashes -r requirements.lock || \
	$(BIN)/python $(PIP) --require-hashes -r requirements.lock; } && \
	$(BIN)/python $(PIP) --no-build-isolation --no-deps -e .; } >$(VENV)/pip.log 2>&1 || { \
	echo "No packages: is PyPI, or the index that pip is set to, within reach? See $(VENV)/pip.log" >&2; exit 1; }
	@# Relative: Python 3.11 reads the file in the letters of the locale, and LC_ALL=C has no umlauts.
	@printf '../../../../%s\n' hooks src tui >"$$(echo $(VENV)/lib/python3*/site-packages)/_editable_impl_learnloop.pth"
	@pwd -P >$@
