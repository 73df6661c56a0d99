"""Rankings in public: by state and age group, which count on 1 January."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from ratebook.book.ledger import history
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.pages.official.ranking import AGE_BANDS, ranking
from support.web.federation import TODAY

if TYPE_CHECKING:
    from ratebook.book.connection import Book
    from ratebook.records.federation import RankingPlace


def ranked(book: Book, band: str, today: date = TODAY, state: str = "OR") -> list[RankingPlace]:
    """Return a ranking of an age group."""
    with book.reading() as connection:
        federation = read_federation(connection)
        return ranking(connection, federation, System.REGULAR, today=today, most=100, band=band, state=state)


@pytest.mark.parametrize("band", ["", *AGE_BANDS])
def test_a_ranking_of_few_is_that_of_all_who_are_meant(
    federation: Book, monkeypatch: pytest.MonkeyPatch, band: str
) -> None:
    looked_up = ranked(federation, band)
    monkeypatch.setattr(history, "FEW_MEMBERS", 0)
    assert looked_up == ranked(federation, band)
    assert looked_up or band
    assert ranked(federation, band, state="NOWHERE") == []


def test_no_day_within_a_year_tells_a_birthday(federation: Book) -> None:
    for band in ("u12", "u16", "u20"):
        first = [one.player for one in ranked(federation, band, date(2021, 1, 1))]
        for days in range(0, 365, 13):
            day = date(2021, 1, 1) + timedelta(days)
            assert [one.player for one in ranked(federation, band, day)] == first
