# Every target sets up what it needs: only Python 3.11 or newer, make and git must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The first pip that knows groups of dependencies.
PIP := 'pip>=25.1'
# Each process has a half of the tests and in the end some of the other's: what a file's tests share is made once.
TESTS := $(BIN)/python -m pytest -q -n 2 --dist worksteal
# Without bytecode, every process that tests start would compile all modules again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check bench fmt docs clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "ratebook needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP)
	# Modules are compiled when they are loaded first: most never are.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[all]' --group dev
	touch $(READY)

# The demo's folder: an invented federation and its book, made anew each time.
DEMO := build/demo
BOOK := $(BIN)/ratebook book --book $(DEMO)/federation.book --as demo
PLAYER := 90000001
MONTH := $(shell date +%Y-%m)

demo: $(READY)
	@echo '1. A real section of 64 players, seven rounds, as an office would rate it:'
	$(BIN)/ratebook rate examples/open-64-players.json
	@echo '2. A report with planted mistakes (the check ends with status 1, as it should):'
	$(BIN)/ratebook check examples/planted-mistakes.json || test $$? -eq 1
	@echo '3. An invented federation, four years of it until last weekend, into a book:'
	rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BIN)/ratebook demo-federation --out $(DEMO)/federation --members 300 --years 4 --recent
	$(BOOK) init --name 'Example Federation'
	$(BOOK) import members $(DEMO)/federation/members.csv
	$(BOOK) import memberships $(DEMO)/federation/memberships.csv
	$(BOOK) import foreign-ratings $(DEMO)/federation/external-ratings.csv
	$(BOOK) import opening-balances $(DEMO)/federation/opening-balances.csv
	$(BOOK) import reports $(DEMO)/federation --accept all
	$(BOOK) rate | tail -n 8
	@echo '4. Mistakes have come to light: results, ids, dates and time controls are corrected, and what follows rated again.'
	$(BOOK) import corrections $(DEMO)/federation/corrections.csv --accept all
	$(BOOK) rate | tail -n 3
	$(BOOK) rerate | head -n 1
	@echo '5. The official list, and the history of a member with the explanation of the last rating:'
	$(BOOK) publish --for $(MONTH)
	$(BOOK) list $(MONTH) | head -n 12
	$(BOOK) history $(PLAYER) | tail -n 20
	$(BOOK) explain $(PLAYER) $$($(BOOK) history $(PLAYER) | grep -oE "[0-9]{12}" | tail -n 1)
	@echo '6. Everything is computed again and compared:'
	$(BOOK) verify
	@echo 'The same in a browser, with an account of each role: make web'

# An invented federation, served until Ctrl-C, with an account of each role.
.PHONY: web
web: $(READY)
	$(BIN)/ratebook web --demo

# The committee's test of 18 variants, on a simulated federation: the report is build/lab/report.html.
.PHONY: lab
lab: $(READY)
	$(BIN)/ratebook lab run examples/lab/committee-2012/study.toml --results build/lab --jobs 2
	$(BIN)/ratebook lab compare build/lab
	$(BIN)/ratebook lab report build/lab --out build/lab/report.html --pictures build/lab/pictures --force

# The same over 12 million games of 600,000 members: ten minutes at most, of two quiet cores.
.PHONY: lab-full
lab-full: $(READY)
	$(BIN)/python -m benchmarks.lab --results build/lab-full
	$(BIN)/ratebook lab compare build/lab-full
	$(BIN)/ratebook lab report build/lab-full --out build/lab-full/report.html --force

# Answers that are known beforehand, all of them, each figure with its bounds: ten minutes of one core.
.PHONY: lab-check
lab-check: $(READY)
	$(TESTS) --soak -rP tests/lab_known

test: $(READY)
	$(TESTS)

# Every page closely, in both schemes, where "make test" does so with one page of each room and that of all parts.
.PHONY: looks
looks: $(READY)
	RATEBOOK_LOOKS=yes $(TESTS) tests/web/test_public_pages.py tests/web/test_rooms.py tests/web/director tests/web/office

# What needs no server, no compiler and no minute.
.PHONY: quick
quick: $(READY)
	$(TESTS) -m 'not long and not soak' tests/unit tests/docs tests/house

# The same tests with the lowest versions that pyproject.toml declares, in an environment of its own below build. The
# oldest versions have no wheels for the newest Pythons: use 3.11 or 3.12, as in PYTHON=python3.11.
LOWEST := build/lowest
.PHONY: lowest
lowest: $(READY)
	$(BIN)/python -m scripts.lowest_versions $(LOWEST)/constraints.txt
	$(PYTHON) -m venv --clear $(LOWEST)/venv
	$(LOWEST)/venv/bin/python -m pip install --quiet --disable-pip-version-check $(PIP)
	$(LOWEST)/venv/bin/python -m pip install --quiet --disable-pip-version-check -c $(LOWEST)/constraints.txt -e '.[all]' --group dev
	$(LOWEST)/venv/bin/python -m pytest -q -n 2 --dist worksteal -m 'not long and not soak' tests/unit tests/docs tests/house

# The built wheel in an empty environment, outside the checkout: the base, which must be small, a book, and a server.
.PHONY: wheel-test
wheel-test: $(READY)
	$(BIN)/python -m scripts.wheel_smoke

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.generate_docs --check
	$(TESTS)

# All published ratings that are stored, a minute: prints the table and writes docs/agreement.md.
.PHONY: published
published: $(READY)
	$(BIN)/python -m scripts.published

bench: $(READY)
	$(BIN)/python -m benchmarks.start_up
	$(BIN)/python benchmarks/interpreted_engine.py
	$(BIN)/python benchmarks/formats.py
	$(BIN)/python -m benchmarks.large_report
	$(BIN)/python -m benchmarks.replay --games 200000 --members 10000 --repeat 3 --no-compile-time

# The figures of docs/performance.md: 12 million games of 600,000 members, against riix too, and the tables of an archive.
.PHONY: bench-full bench-archive
bench-full: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group bench
	$(BIN)/python -m benchmarks.replay --games 12000000 --members 600000 --book-members 20000 --slope
	$(BIN)/python -m benchmarks.book
	$(MAKE) bench-archive

# An archive of 20,000 members in both stores, and the memory of rating with 200,000 members, 1,500 of whom play.
bench-archive: $(READY)
	PYTHONPATH=tests $(BIN)/python -m benchmarks.archive --members 20000 --years 3 --stores SQLite PostgreSQL
	$(BIN)/python -m benchmarks.archive --members 1500 --idle 198500

# A picture of every page of the web, which docs/web-tour.md shows.
.PHONY: screenshots
screenshots: $(READY)
	PYTHONPATH=tests $(BIN)/python -m scripts.screenshots

# A release as far as that needs no public account: says what is missing, or builds, checks, tags here, and says what
# remains to be done by hand.
.PHONY: release
release: check
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group release
	PYTHONPATH=tests $(BIN)/python -m scripts.release

# The documentation as a site, in build/site/html; whatever the builder warns of, such as a broken link, is an error.
.PHONY: site
site: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group site
	$(BIN)/python -m scripts.site

docs: $(READY)
	$(BIN)/python -m scripts.generate_docs

fmt: $(READY)
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# Coverage-guided fuzzing of everything that reads files, settings and requests, in one run; not part of the tests.
# FUZZ_INPUTS=10000000 FUZZ_SECONDS=0 goes on for so many inputs.
FUZZ_SECONDS ?= 60
FUZZ_INPUTS ?= -1
.PHONY: fuzz
fuzz: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group fuzz
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS) --inputs $(FUZZ_INPUTS)

# Commands of an office killed at random moments in both stores, and a server stopped under them: a quarter of an hour.
KILLS ?= 200
.PHONY: kills
kills: $(READY)
	PYTHONPATH=tests $(BIN)/python -m scripts.kills --kills $(KILLS)

# People of each role who open and type whatever comes to mind, ten minutes; each SEED is another way of STEPS steps.
STEPS ?= 3000
SEEDS ?= 1 2 3 4 5 6
.PHONY: wander
wander: $(READY)
	RATEBOOK_STEPS=$(STEPS) RATEBOOK_SEEDS="$(SEEDS)" $(BIN)/python -m pytest -q -n 2 -rP tests/web/test_wandering.py

# CPU of each kind of page, and latency at a steady rate, on a million ledger rows in a file below build; minutes at first.
# BENCH_WEB='--postgresql postgresql://user@server/postgres' takes a server, BENCH_WEB='--rows 42000' a quick look.
.PHONY: bench-web
bench-web: $(READY)
	$(BIN)/python -m benchmarks.web $(BENCH_WEB)

# Every statement and commit of an office's round, in both stores, is a moment at which its process is killed; half an
# hour of two cores. Prints how many moments there were, and how many different contents they left. Then all
# examples that Hypothesis makes, of which "make test" has a third.
.PHONY: soak
soak: $(READY)
	$(BIN)/python -m pytest -q -n 2 --soak -m soak -rP --durations=0 --ignore=tests/lab_known tests
	RATEBOOK_EXAMPLES=all $(TESTS) -m hypothesis tests
