"""Compiled code is kept between runs, and an edited formula is never run stale."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.replay.engine import compiled, registration
from ratebook.replay.run import Options, replay
from support.hang_guard import HANG_GUARD

pytestmark = pytest.mark.usefixtures("compiled_engine")


def test_every_function_that_is_compiled_stands_in_a_file_that_the_cache_looks_at() -> None:
    replay(synthetic_history(Shape(50, 30)), options=Options(short=0))
    looked_at = {path.resolve() for path in compiled.source_files()}
    of_functions = {Path(inspect.getfile(function)).resolve() for function in registration._REGISTERED}
    assert len(of_functions) > 8
    assert of_functions <= looked_at


def test_an_edit_of_any_source_gives_the_cache_another_name(tmp_path: Path) -> None:
    for path in compiled.source_files():
        copy = tmp_path / path.relative_to(compiled.PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    copies = sorted(tmp_path.rglob("*.py"))
    names = {compiled.cache_name(copies)}
    for path in copies:
        path.write_text(path.read_text() + "# edited\n")
        names.add(compiled.cache_name(copies))
    assert len(names) == len(copies) + 1


def test_the_name_depends_on_nothing_but_sources_versions_and_processor() -> None:
    assert compiled.cache_name(compiled.source_files()) == compiled.cache_name(compiled.source_files())


def test_a_second_process_finds_the_compiled_loop() -> None:
    replay(synthetic_history(Shape(50, 30)), options=Options(short=0))
    assert compiled.is_compiled(compiled.default_cache())
    code = """
from ratebook.replay.engine.compiled import compiled, default_cache
from ratebook.replay.run import Options, replay
from ratebook.demo.synthetic import Shape, synthetic_history
replay(synthetic_history(Shape(50, 30)), options=Options(short=0))
stats = compiled(default_cache()).rate_sections.stats
assert sum(stats.cache_hits.values()) == 1 and not stats.cache_misses, stats
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=HANG_GUARD)


def test_importing_the_bulk_package_loads_no_heavy_library() -> None:
    heavy = "('numba', 'numpy', 'polars', 'pyarrow')"
    code = f"import ratebook.replay, sys; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
