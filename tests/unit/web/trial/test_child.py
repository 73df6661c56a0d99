"""A child takes what limits a system has; macOS and Windows are simulated by what runs when its Python starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.web.trial import child
from ratebook.web.trial.reading import read_in_child

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = (Path(__file__).parents[4] / "examples" / "quad.json").read_bytes()

MACOS = """
import resource
take = resource.setrlimit
def setrlimit(kind, limits):
    if kind == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    take(kind, limits)
resource.setrlimit = setrlimit
"""
WINDOWS = """
import os, sys
if "SYSTEMROOT" not in os.environ:
    os._exit(1)
for name in ("fcntl", "grp", "pwd", "resource"):
    sys.modules[name] = None
"""


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the Python of each child begin with a text."""
    usual = child.environment

    def begin_with(text: str) -> None:
        (tmp_path / "sitecustomize.py").write_text(text, encoding="utf-8")
        paths = (str(tmp_path), usual()["PYTHONPATH"])
        monkeypatch.setattr(child, "environment", lambda: usual() | {"PYTHONPATH": os.pathsep.join(paths)})

    child._warn_once.cache_clear()
    return begin_with


@pytest.mark.parametrize(
    ("system", "missing"),
    [
        (MACOS, "RLIMIT_AS"),
        (WINDOWS, "RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_NPROC"),
    ],
    ids=["macOS", "Windows"],
)
def test_reports_are_read_where_limits_are_missing_and_the_log_names_them_once(
    start: Callable[[str], None],
    system: str,
    missing: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("SYSTEMROOT", "C:\\Windows")
    start(system)
    for _ in range(2):
        assert read_in_child(EXAMPLE, "quad.json").report is not None
    assert [line.split("limits ")[-1] for line in caplog.messages] == [missing]


def test_a_deadline_bounds_a_child_without_limits(
    start: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYSTEMROOT", "C:\\Windows")
    start(WINDOWS)
    loaded = read_in_child(EXAMPLE, "quad.json", limits=child.Limits(deadline=0.01))
    assert [finding.case for finding in loaded.findings] == ["too-heavy"]


def test_the_child_has_no_other_variable_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATEBOOK_WEB_KEY", "secret")
    monkeypatch.setenv("SYSTEMROOT", "C:\\Windows")
    assert set(child.environment()) == {"PYTHONPATH", "SYSTEMROOT"}


@pytest.mark.parametrize(
    ("at_start", "case"),
    [
        ("import os; os._exit(1)", "broken-off"),
        ("import os; os._exit(2)", "broken-off"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "broken-off"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "too-heavy"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", "too-heavy"),
        (f"import os; os._exit({child.TOO_HEAVY})", "too-heavy"),
    ],
)
def test_too_heavy_and_failed_are_told_apart(
    start: Callable[[str], None], at_start: str, case: str, caplog: pytest.LogCaptureFixture
) -> None:
    start(at_start)
    loaded = read_in_child(EXAMPLE, "quad.json")
    assert [finding.case for finding in loaded.findings] == [case]
    assert ("ended with status" in caplog.text) == (case == "broken-off")


def test_the_web_loads_without_the_modules_that_windows_lacks() -> None:
    script = (
        "import sys\n"
        "for name in ('fcntl', 'grp', 'pwd', 'resource'): sys.modules[name] = None\n"
        "import ratebook.cli.main, ratebook.cli.web.serving, ratebook.office.creation\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == ""
