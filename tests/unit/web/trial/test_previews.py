"""A preview is computed once for each state of the book."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.book.connection import Actor
from ratebook.checks import ReportedFacts
from ratebook.office.queue.preview import preview
from ratebook.reports.load import LoadedReport
from ratebook.web.site import Served, Site
from ratebook.web.store.accounts import Account, Role
from ratebook.web.trial import previews as of_previews
from ratebook.web.trial.kept import Trial
from ratebook.web.trial.previews import Previews
from support.book_reports import add_members, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book
    from ratebook.office.queue.preview import Preview

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Preview]:
    """Give the previews that are computed, one after the other."""
    made: list[Preview] = []
    work = preview

    def noted(*given: Any, **named: Any) -> Preview:  # noqa: ANN401 - as the function itself
        made.append(work(*given, **named))
        return made[-1]

    monkeypatch.setattr(of_previews, "preview", noted)
    return made


def test_a_preview_is_kept_until_the_book_the_report_the_day_or_the_account_changes(
    new_book: Callable[[], Book], computed: list[Preview]
) -> None:
    book, previews, today = new_book(), Previews(), [date(2026, 3, 2)]
    add_members(book, 4)
    site = Site(book, Served.ALL, lambda: today[0])
    accounts = [an_account(""), an_account("90000001")]

    def look(day: str = "2026-03-01", account: int = 0) -> Preview:
        loaded = LoadedReport(report(day, [1, 2, 3, 4], ROUNDS), (), {}, ReportedFacts())
        with site.reading() as reader:
            return previews.of(site, reader, accounts[account], Trial("report.json", loaded), loaded)

    first = look()
    assert look() is first
    assert len(computed) == 1
    look("2026-02-28")
    look(account=1)
    assert len(computed) == 3
    assert look() is first
    today[0] = date(2026, 3, 3)
    look()
    assert len(computed) == 4
    # A report that is sent raises no revision, and is told of all the same.
    send(book, report("2026-03-01", [1, 2, 3, 4], ROUNDS), ACTOR)
    assert look().examined.known is not None
    assert len(computed) == 5


def test_a_replacement_came_when_what_it_replaces_came(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 4)
    site = Site(book, Served.ALL, lambda: date(2026, 3, 20))
    sent = send(book, report("2026-03-01", [1, 2, 3, 4], ROUNDS), ACTOR)
    loaded = LoadedReport(
        report("2026-03-01", [1, 2, 3, 4], ["L2 D3", "W1 W4", "W4 D1", "L3 L2"]), (), {}, ReportedFacts()
    )

    def codes(revises: int | None) -> set[str]:
        trial = Trial("report.json", loaded, revises=revises)
        with site.reading() as reader:
            return {
                found.code for found in Previews().of(site, reader, an_account(""), trial, loaded).findings
            }

    assert "report-late" in codes(None)
    assert "report-late" not in codes(sent.number)


def test_what_is_kept_is_bounded(new_book: Callable[[], Book], computed: list[Preview]) -> None:
    book = new_book()
    add_members(book, 4)
    site = Site(book, Served.ALL, lambda: date(2026, 3, 2))
    days = ("2026-02-27", "2026-02-28", "2026-03-01")

    def looked(previews: Previews, *days: str) -> int:
        before = len(computed)
        for day in days:
            loaded = LoadedReport(report(day, [1, 2, 3, 4], ROUNDS), (), {}, ReportedFacts())
            with site.reading() as reader:
                previews.of(site, reader, an_account(""), Trial("report.json", loaded), loaded)
        return len(computed) - before

    size = of_previews._size_of(_one(looked, computed, days[0]))
    previews = Previews(2 * size)
    assert looked(previews, *days) == 3
    assert looked(previews, days[2], days[1]) == 0
    assert looked(previews, days[0]) == 1
    assert looked(Previews(size - 1), days[0], days[0]) == 2


def _one(looked: Callable[..., int], computed: list[Preview], day: str) -> Preview:
    looked(Previews(), day)
    return computed[-1]


def an_account(member: str) -> Account:
    """Return an account of a director."""
    values: dict[str, Any] = dict.fromkeys(Account._fields)
    return Account(
        **{
            **values,
            "id": 1,
            "name": "director",
            "role": Role.DIRECTOR,
            "member_id": member,
            "affiliates": (),
        }
    )
