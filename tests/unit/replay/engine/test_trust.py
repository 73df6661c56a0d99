"""Compiled code that others could have changed is not run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.replay.engine import compiled
from ratebook.replay.run import Options, replay

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of caches of a user whose loop seems to be compiled."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    place = compiled.cached_folder(compiled.default_cache())
    (place / "engine").mkdir(parents=True)
    (place / "engine" / "kernel.rate_sections-1.nbc").write_bytes(b"")
    assert compiled.is_compiled(compiled.default_cache())
    return compiled.default_cache()


def _given_to_another(path: Path) -> None:
    os.chown(path, 65_534, 65_534)


CHANGES: dict[str, Callable[[Path], None]] = {
    "written by the group": lambda path: path.chmod(0o775),
    "written by all": lambda path: path.chmod(0o757),
    **({"another's": _given_to_another} if os.geteuid() == 0 else {}),
}


@pytest.mark.parametrize(
    ("above", "change"),
    [(above, one) for above in range(5) for one in CHANGES if above > 1 or one == "another's"],
)
def test_code_that_others_could_have_changed_is_neither_run_nor_kept(
    cache: Path, above: int, change: str
) -> None:
    place = compiled.cached_folder(cache)
    (code,) = place.rglob("*.nbc")
    path = (code, *code.parents)[above]
    CHANGES[change](path)
    said = [(one.where, one.severity.value, one.code) for one in compiled.cache_findings(cache)]
    assert said == [(str(path), "warning", "compiled-code-not-trusted")]
    assert not compiled.is_compiled(cache)
    replayed = replay(synthetic_history(Shape(games=20, members=10)), options=Options(short=10**9))
    assert replayed.ledger is not None
    assert [one.where for one in replayed.findings] == [str(path)]
    before = sorted(place.rglob("*"))
    compiled.compiled.__wrapped__(cache)
    assert sorted(place.rglob("*")) == before


def test_the_folder_of_compiled_code_is_made_for_the_user_alone(tmp_path: Path) -> None:
    place = compiled.cached_folder(tmp_path / "new")
    compiled.compiled.__wrapped__(tmp_path / "new")
    assert [oct(one.stat().st_mode & 0o777) for one in (place, place.parent)] == ["0o700", "0o700"]
    place.chmod(0o755)
    compiled.compiled.__wrapped__(tmp_path / "new")
    assert oct(place.stat().st_mode & 0o777) == "0o700"
