"""What a release wrote, later versions read: its book, its web store, its portable files, its formats."""

from __future__ import annotations

import json
import zipfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scripts.freeze import BOOK, EXPORT, RELEASES, SCHEMAS, STEPS, STORE, freeze, schemas, steps

from ratebook.book.connection import open_book
from ratebook.office.copies.export import import_book
from ratebook.office.creation import upgrade_book
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from ratebook.web.store.accounts import Role, all_accounts
from ratebook.web.store.opening import open_store
from support.book_rounds import ACTOR

if TYPE_CHECKING:
    from collections.abc import Iterator


AT_HAND = "the version at hand"
KEPT = [path.name for path in sorted(RELEASES.glob("*.zip"))]


@pytest.fixture(scope="module", params=[*KEPT, AT_HAND])
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param in KEPT:
        return RELEASES / str(request.param)
    target = tmp_path_factory.mktemp("release") / "at-hand.zip"
    freeze(target)
    return target


@pytest.fixture
def release(archive: Path, tmp_path: Path) -> Path:
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    return tmp_path


def check_book(place: str) -> None:
    with closing(open_book(place)) as book:
        verified = verify(book, deep=True)
        assert (verified.findings, verified.rows > 0) == ((), True)
        difference = rerate(book, ACTOR, everything=True)
        assert (difference.sections > 0, difference.rated, difference.changes) == (True, 0, ())


def test_its_book_is_upgraded_and_every_rating_in_it_comes_out_again(release: Path) -> None:
    upgrade_book(str(release / BOOK), ACTOR)
    check_book(str(release / BOOK))


def test_its_portable_files_make_the_book_in_both_stores(release: Path, empty_place: str) -> None:
    import_book(str(release / EXPORT), empty_place)
    check_book(empty_place)


def test_its_web_store_lets_in_whom_it_let_in(release: Path) -> None:
    with closing(open_store(str(release / STORE))) as store, store.reading() as connection:
        assert {account.role for account in all_accounts(connection)} == {*Role}


def test_what_its_formats_have_is_still_there(release: Path) -> None:
    current = schemas()
    for path in sorted((release / SCHEMAS).iterdir()):
        frozen, now = (json.loads(file.read_text("utf-8")) for file in (path, current[path.name]))
        assert list(taken_away(frozen, now, path.name)) == []


def test_what_makes_its_tables_stays_as_it_was(release: Path) -> None:
    for path in sorted((release / STEPS).iterdir()):
        assert path.read_bytes() == steps()[path.name].read_bytes(), path.name


def taken_away(frozen: Any, now: Any, place: str) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Yield the places at which a schema has lost what it had, or asks for what it did not."""
    if not isinstance(frozen, dict) or not isinstance(now, dict):
        return
    for key in ("properties", "$defs", "schemas", "paths"):
        for name in frozen.get(key, {}):
            if name not in now.get(key, {}):
                yield f"{place}/{key}/{name}"
    if isinstance(values := frozen.get("enum"), list) and not {*map(str, values)} <= {
        *map(str, now.get("enum", ()))
    }:
        yield f"{place}/enum"
    required = now.get("required")
    if (
        isinstance(required, list)
        and "openapi" not in place
        and not {*required} <= {*frozen.get("required", ())}
    ):
        yield f"{place}/required"
    for key in frozen.keys() & now.keys():
        yield from taken_away(frozen[key], now[key], f"{place}/{key}")


def test_a_field_that_goes_is_seen() -> None:
    frozen = {"properties": {"a": {"enum": ["x", "y"]}, "b": {}}, "required": ["a"]}
    assert list(taken_away(frozen, {**frozen, "required": []}, "f")) == []
    now = {"properties": {"a": {"enum": ["x"]}}, "required": ["a", "c"]}
    assert list(taken_away(frozen, now, "f")) == ["f/properties/b", "f/required", "f/properties/a/enum"]
