# Every target sets up what it needs: only Python 3.11 or newer, make and git must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench fmt docs clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "ratebook needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

demo: $(READY)
	@echo 'A real section of 64 players, seven rounds, as an office would rate it:'
	$(BIN)/ratebook rate examples/open-64-players.json
	@echo 'A report with planted mistakes (the check ends with status 1, as it should):'
	$(BIN)/ratebook check examples/planted-mistakes.json || test $$? -eq 1
	@echo 'Why seat 15 gained 197 points:'
	$(BIN)/ratebook explain examples/open-64-players.json --section 1 --seat 15

test: $(READY)
	$(BIN)/python -m pytest -q -n 2

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.generate_docs --check
	$(BIN)/python -m pytest -q -n 2

bench: $(READY)
	$(BIN)/python benchmarks/start_up.py
	$(BIN)/python benchmarks/interpreted_engine.py
	$(BIN)/python benchmarks/formats.py

docs: $(READY)
	$(BIN)/python -m ratebook.rules.write_snapshot
	$(BIN)/python -m scripts.generate_docs

fmt: $(READY)
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# Coverage-guided fuzzing of the readers of reports; not part of the tests.
FUZZ_SECONDS ?= 60
.PHONY: fuzz
fuzz: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
	$(BIN)/python fuzz/fuzz_reports.py -max_total_time=$(FUZZ_SECONDS)
