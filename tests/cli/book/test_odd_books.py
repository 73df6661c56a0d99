"""All commands that read, over a book of everything that is rare: none fails, and all JSON can be read."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cli.book.office_commands import OfficeCommands
from ratebook.book.connection import open_book
from ratebook.cli.book.group import COMMANDS
from ratebook.model import System
from ratebook.official_lists.write import LIST_FORMATS
from support.book_reports import member_id
from support.odd.books import HALF, LISTS, NAMES, odd_book
from support.postgresql import drop_database, new_database

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from click.testing import Result

MEMBERS = [member_id(at) for at, _ in enumerate(NAMES, start=1)]
WRITING = frozenset(
    [
        "init",
        "upgrade",
        "adopt-rules",
        "found",
        "import",
        "add-member",
        "foreign-events",
        "submit",
        "fix",
        "recheck",
        "accept",
        "reject",
        "rate",
        "rerate",
        "correct",
        "undo",
        "grant",
        "deny",
        "adjust",
        "merge",
        "erase",
        "publish",
        "data",
        "export",
        "import-book",
        "backup",
        "restore",
        "server-role",
        "seal-key",
    ]
)
"""Commands that write a book or files, or read no book."""
WITHOUT_ARGUMENTS = [
    "profile",
    "waits",
    "lists",
    "events",
    "members",
    "verify",
    "seal",
    "audit",
    "decisions",
    "queue",
]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the place of the book, once in each store."""
    folder = tmp_path_factory.mktemp("odd")
    if request.param == "sqlite":
        odd_book(str(folder / "odd.book"), folder).close()
        yield str(folder / "odd.book")
        return
    server = request.getfixturevalue("server")
    place = new_database(server)
    odd_book(place, folder).close()
    yield place
    drop_database(server, place)


def questions(place: str) -> Iterator[Sequence[str]]:
    """Yield what the commands are asked for."""
    with closing(open_book(place)) as book, book.reading() as connection:
        events = sorted(connection.exec_driver_sql("SELECT id FROM events").scalars())
        numbers = sorted(connection.exec_driver_sql("SELECT id FROM submissions").scalars())
        rows = connection.exec_driver_sql(
            "SELECT DISTINCT ledger.member_id, sections.event_id FROM ledger"
            " JOIN sections ON sections.id = ledger.section_id WHERE superseded_by IS NULL"
        )
        rated = sorted((str(member), str(event)) for member, event in rows)
    yield from ((one,) for one in WITHOUT_ARGUMENTS)
    yield from (("top", "--system", one.value, "--ages", "u12") for one in System)
    yield from (("top", "--system", one.value) for one in System)
    yield from (("show", str(one)) for one in numbers)
    yield from (("list", LISTS[0], "--format", one.name) for one in LIST_FORMATS if not one.binary)
    yield from (("queue", "--all"), ("queue", "--summary"), ("audit", "--all"), ("member", "X"))
    yield "list-diff", *LISTS
    yield "decisions", "--subject", "book"
    yield from (("decisions", "--subject", f"event {one}") for one in events)
    yield from ((one, event) for one in ("event", "crosstable") for event in events)
    for at, member in enumerate(MEMBERS):
        yield "history", member, "--changes"
        yield "official", member, "--on", "2026-04-15"
        yield "audit", "--subject", f"member {member}"
        yield from ((one, member) for one in ("member", "history", "norms", "titles", "official"))
        yield "head-to-head", MEMBERS[0], member
        # Each system once or twice: six commands for each member would be a third of all.
        yield "compare", MEMBERS[0], member, "--system", tuple(System)[at % len(System)].value
    yield from (("explain", *pair, "--public") for pair in rated)
    yield from (("explain", *pair) for pair in rated)


def failures(office: OfficeCommands, asked: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the answers to a question, as JSON and as text."""
    for more in ((),) if asked[0] == "list" else ((), ("--json",)):
        answer = office.run(*asked, *more)
        if _is_wrong(answer):
            yield f"{' '.join((*asked, *more))}: {answer.exception!r} {answer.output[-200:]}"
        elif more:
            json.loads(answer.stdout)


def _is_wrong(answer: Result) -> bool:
    ended = answer.exception is None or isinstance(answer.exception, SystemExit)
    return not ended or answer.exit_code not in {0, 1} or "Traceback" in answer.output


def test_no_command_that_reads_fails(place: str) -> None:
    office = OfficeCommands(place)
    asked = list(questions(place))
    assert {one[0] for one in asked} == COMMANDS.keys() - WRITING
    if "://" in place:
        # The statements are others on a server, but not what comes of the values: one question of each kind.
        asked = list({(one[0], *(part for part in one if "--" in part)): one for one in asked}.values())
    assert [found for one in asked for found in failures(office, one)] == []


def test_half_games_are_numbers_in_json_and_have_a_legend(place: str) -> None:
    office = OfficeCommands(place)
    (first, *_) = office.asked("history", member_id(HALF), "--system", "regular")["sections"]
    assert (first["before"], first["after"]["provisional_games"]) == (
        {"rating": 1500, "provisional_games": 12.5},
        14,
    )
    (table,) = office.asked("crosstable", "HALF 2005-01-08")["sections"]
    newcomers = [one for one in table["lines"] if one["before"] is None]
    assert {one["after"]["provisional_games"] for one in newcomers} == {1.5}
    assert "P1.5: provisional, based on 1.5 games" in office.done("crosstable", "HALF 2005-01-08")
