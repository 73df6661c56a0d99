"""A book for each test, made by the commands once and copied."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import OfficeCommands, new_office, write_report

if TYPE_CHECKING:
    from pathlib import Path

EVENT = "202601100001"


@pytest.fixture(scope="session")
def first_books(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Make a book in which nothing is rated, and one with one event, and give their paths."""
    folder = tmp_path_factory.mktemp("first-books")
    office = new_office(folder)
    nothing_rated = str(folder / "nothing-rated.book")
    shutil.copy(office.place, nothing_rated)
    games = ["W2 D3 W4", "L1 L4 L3", "W4 D1 W2", "L3 W2 L1"]
    path = write_report(folder / "first.json", "2026-01-10", [1, 2, 3, 4], games, event_id=EVENT)
    office.done("submit", path, "--received", "2026-01-11")
    office.done("rate")
    return nothing_rated, office.place


def _copy(path: str, folder: Path) -> OfficeCommands:
    place = str(folder / "league.book")
    shutil.copy(path, place)
    return OfficeCommands(place)


@pytest.fixture
def office(first_books: tuple[str, str], tmp_path: Path) -> OfficeCommands:
    """Give a book with members and balances, and nothing rated."""
    return _copy(first_books[0], tmp_path)


@pytest.fixture
def rated(first_books: tuple[str, str], tmp_path: Path) -> OfficeCommands:
    """Give a book with one rated round robin: 1 and 3 beat 2 and 4 and drew with each other, 4 beat 2."""
    return _copy(first_books[1], tmp_path)
