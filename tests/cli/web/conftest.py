"""A book for servers that are started."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def book(tmp_path: Path) -> str:
    """Give the place of a new book."""
    place = str(tmp_path / "league.book")
    create_book(place, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    return place
