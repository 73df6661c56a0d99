"""A book is founded with everything in a folder, as by the imports one by one; interrupted anywhere, it goes on."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING

import pytest
from scripts.pages.places import ROOT
from sqlalchemy import func, select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.demo.build import build_federation
from ratebook.office.creation import create_book
from ratebook.office.founding.contents import Content, Wanted, opened_archive
from ratebook.office.founding.found import LATE, Founded, found
from ratebook.office.imports.reports import import_reports
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.verify import verify
from support.book_federation import current_state, import_lists, written_federation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.office import Progress

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
TODAY = date(2026, 11, 20)
LEAGUE = ROOT / "examples" / "league"
MEMBERS = 24


@pytest.fixture(scope="session")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the files of an invented federation."""
    return written_federation(
        build_federation(MEMBERS, 1, seed=5), tmp_path_factory.mktemp("founding") / "files"
    )


@pytest.fixture
def league(empty_place: str) -> Iterator[Book]:
    """Give a new book of the league, in each store."""
    with closing(create_book(empty_place, Profile(member_id_pattern="NL-[0-9]{4}"), ACTOR)) as made:
        yield made


def founded(book: Book, place: Path, wanted: Wanted = Wanted(), progress: Progress | None = None) -> Founded:  # noqa: B008 - it never changes
    with opened_archive(place) as archive:
        if progress is None:
            return found(book, archive, wanted, ACTOR, TODAY)
        return found(book, archive, wanted, ACTOR, TODAY, progress=progress)


def step_by_step(book: Book, place: Path) -> None:
    import_lists(book, place)
    import_reports(book, place, TODAY, ACTOR, accepted=[LATE])
    rate_ready(book, ACTOR)


def rows_in(book: Book, table: str) -> int:
    with book.reading() as connection:
        count = select(func.count()).select_from(schema.metadata.tables[table])
        return int(connection.execute(count).scalar_one())


def held_in(book: Book) -> int:
    with book.reading() as connection:
        submissions = schema.submissions
        held = select(func.count()).select_from(submissions).where(submissions.c.status == "held")
        return int(connection.execute(held).scalar_one())


def codes(done: Founded) -> list[str]:
    return [finding.code for finding in done.findings if finding.severity == "error"]


def test_the_book_is_the_one_that_single_imports_make(
    book: Book, new_book: Callable[[], Book], federation: Path
) -> None:
    done, other = founded(book, federation), new_book()
    step_by_step(other, federation)
    assert current_state(book) == current_state(other)
    assert verify(book).findings == ()
    assert (done.is_done, done.members, codes(done)) == (True, MEMBERS, [])
    assert done.now == done.sections == rows_in(other, "sections") > 0
    assert done.held == held_in(other)


class Interrupted(Exception):  # noqa: N818 - it stands for Ctrl-C
    """The person has stopped the founding."""


@pytest.mark.long
def test_interrupted_at_any_moment_it_goes_on_where_it_was(
    new_book: Callable[[], Book], federation: Path
) -> None:
    whole = new_book()
    moments: list[int] = []
    founded(whole, federation, progress=lambda done, _total: moments.append(done))
    assert moments == sorted(moments)
    for stop in range(0, len(moments), max(1, len(moments) // 3)):
        book = new_book()
        steps = iter(range(stop))

        def interrupt(_done: int, _total: int, steps: object = steps) -> None:
            if next(steps, None) is None:  # type: ignore[call-overload] # an iterator
                raise Interrupted

        with pytest.raises(Interrupted):
            founded(book, federation, progress=interrupt)
        assert rows_in(book, "members") in {0, MEMBERS}
        assert (rows_in(book, "members") == 0) is (rows_in(book, "opening_balances") == 0)
        assert founded(book, federation).is_done
        assert current_state(book) == current_state(whole)
        assert verify(book).findings == ()


def test_an_error_in_one_list_leaves_the_book_as_it_was_and_names_the_rows_of_all_lists(
    league: Book, tmp_path: Path
) -> None:
    place = shutil.copytree(LEAGUE, tmp_path / "league")
    (place / "members.csv").write_text(
        (place / "members.csv").read_text().replace("1991-11-30", "1991-13-30").replace("NL-0006", "NL-0005")
    )
    (place / "memberships.csv").write_text("member_id,starts,expires\nNL-0001,2026-01-01,soon\n")
    before = {name: rows_in(league, name) for name in schema.metadata.tables}
    done = founded(league, place)
    assert not done.is_done
    errors = {(finding.code, finding.where) for finding in done.findings if finding.severity == "error"}
    assert errors == {
        ("date-unreadable", "members.csv, line 3, birth_date"),
        ("import-row-twice", "members.csv, line 7"),
        ("date-unreadable", "memberships.csv, line 2, expires"),
        ("member-unknown", "opening-balances.csv, line 5, member_id"),
    }
    assert {name: rows_in(league, name) for name in schema.metadata.tables} == before


def test_a_bad_report_is_held_back_and_the_others_are_rated(league: Book) -> None:
    done = founded(league, LEAGUE)
    assert (done.is_done, done.members, done.sections, done.held) == (True, 6, 2, 1)
    assert {line.code for line in done.held_by} == {"end-missing", "time-control-missing"}
    assert {line.name: line.outcome for line in done.files} == {
        "members.csv": "6 added, 0 changed, 0 unchanged",
        "memberships.csv": "3 added, 0 changed, 0 unchanged",
        "foreign-ratings.csv": "3 added, 0 changed, 0 unchanged",
        "opening-balances.csv": "4 added, 0 changed, 0 unchanged",
        "reports/reports.csv": "2 ready, 0 held back, 0 already known",
        "league": "0 ready, 1 held back, 0 already known",
    }


def test_lists_that_were_imported_do_not_take_back_what_the_office_decided_since(league: Book) -> None:
    founded(league, LEAGUE)
    again = founded(league, LEAGUE)
    lists = [line.outcome for line in again.files if line.content is not Content.REPORT]
    assert {*lists} == {"imported already, on 2026-11-20"}
    assert (again.now, again.sections) == (0, 2)
    assert [finding.code for finding in again.findings] == ["found-left"]
    other = founded(league, LEAGUE, Wanted(fide_as_of=TODAY))
    assert "0 added, 0 changed, 6 unchanged" in {line.outcome for line in other.files}


def test_a_report_that_is_in_the_folder_twice_is_named(league: Book, tmp_path: Path) -> None:
    place = shutil.copytree(LEAGUE, tmp_path / "league")
    (place / "reports" / "again").mkdir()
    for name in ("one.json", "two.json"):
        shutil.copy(ROOT / "examples" / "quad.json", place / "reports" / "again" / name)
    done = founded(league, place)
    assert [
        finding.place.file for finding in done.findings if finding.code == "report-submitted-already"
    ] == ["reports/again/two.json"]


def test_a_trial_keeps_nothing(book: Book, federation: Path) -> None:
    before = {name: rows_in(book, name) for name in schema.metadata.tables}
    with book.trying():
        done = founded(book, federation)
        assert done.is_done
        assert rows_in(book, "members") == MEMBERS
    assert {name: rows_in(book, name) for name in schema.metadata.tables} == before
