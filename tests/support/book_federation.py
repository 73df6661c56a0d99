"""The invented federation in a book: its lists imported, its reports sent in some order, its corrections made."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.connection import Actor
from ratebook.book.facts.member_files import load_member_files
from ratebook.demo.files import federation_files
from ratebook.office.decisions.members import FLAG_WORD, OPT_IN_WORD, Mark, write_mark
from ratebook.office.imports.corrections import Corrected, apply_corrections
from ratebook.office.imports.foreign_ratings import import_external_ratings
from ratebook.office.imports.members import import_members, import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_reports
from ratebook.office.rating.history_columns import export_history
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.book.connection import Book
    from ratebook.demo.values import InventedFederation
    from ratebook.office.decisions.revision import Reason

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
NOT_COMPARED = {"id", "posting_id", "section_id", "superseded_by"}
"""Numbers that the store gives, in the order in which rows were written."""


def written_federation(federation: InventedFederation, place: Path) -> Path:
    """Write *federation* to the folder *place*."""
    for name, data in federation_files(federation):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


def import_lists(book: Book, place: Path) -> None:
    """Import members, memberships, ratings of other federations and opening balances."""
    imports = (
        import_members(book, place / "members.csv", ACTOR),
        import_memberships(book, place / "memberships.csv", ACTOR),
        import_external_ratings(book, place / "external-ratings.csv", ACTOR),
        import_opening_balances(book, place / "opening-balances.csv", ACTOR),
    )
    for done in imports:
        assert {one.code for one in done.findings} <= {"balance-peak-bounded"}
        assert done.rows == done.added + done.changed + done.unchanged > 0


def send_reports(book: Book, place: Path, order: Sequence[int], batches: int, today: date) -> None:
    """Import the reports in an *order* of the rows of their table, in several *batches*, and rate after each.

    Every batch is a table of its own, so that each import is one that the office could have made.
    """
    table = place / "reports.csv"
    header, *rows = table.read_text(encoding="utf-8").splitlines(keepends=True)
    assert sorted(order) == list(range(len(rows)))
    size = -(-len(rows) // batches)
    for start in range(0, len(rows), size):
        table.write_text(header + "".join(rows[at] for at in order[start : start + size]), encoding="utf-8")
        result = import_reports(book, place, today, ACTOR, accepted=["all"])
        assert [one for one in result.findings if one.severity == "error"] == []
        assert rate_ready(book, ACTOR).held == ()
        assert [one for one in verify(book).findings if one.severity == "error"] == []
    table.write_text(header + "".join(rows), encoding="utf-8")


def settle(book: Book) -> None:
    """Rate again what waits; nothing differs then."""
    rerate(book, ACTOR)
    assert verify(book).findings == ()


def make_corrections(book: Book, place: Path) -> Corrected:
    """Make the corrections of the federation, rate what they mended, and rate again what waits."""
    corrected = apply_corrections(book, place / "corrections.csv", ACTOR, accepted=["all"])
    assert (corrected.findings, corrected.refused, corrected.held) == ((), 0, 0)
    assert rate_ready(book, ACTOR).held == ()
    settle(book)
    return corrected


def current_state(book: Book) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that must not depend on the order of arrival: current rows, norms and titles."""
    ledger, norms, titles = schema.ledger, schema.norms, schema.titles
    asked = {
        "ledger": select(*[column for column in ledger.c if column.name not in NOT_COMPARED])
        .where(ledger.c.superseded_by.is_(None))
        .order_by(ledger.c.member_id, ledger.c.system, ledger.c.place),
        "norms": select(*[column for column in norms.c if column.name not in NOT_COMPARED]).order_by(
            norms.c.member_id, norms.c.place
        ),
        "titles": select(titles).order_by(titles.c.member_id, titles.c.title),
    }
    with book.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(question)] for name, question in asked.items()
        }


def turn_marks(book: Book, members: Sequence[str], because: Reason) -> None:
    """Opt every member in or out, and turn every US flag, in the first year: each to what it was not."""
    with book.writing() as connection:
        files = load_member_files(connection, members)
        for member in members:
            opted_in, flag = files[member].fide_opt_in, files[member].usa_flag
            write_mark(connection, Mark(member, OPT_IN_WORD, date(2020, 1, 15), not opted_in), because)
            write_mark(connection, Mark(member, FLAG_WORD, date(2020, 7, 1), not flag), because)


def history_of(book: Book, *, with_birth_dates: bool = False) -> dict[str, Any]:
    """Return what an export of a book's history writes as Arrow tables by name, in memory."""
    from pyarrow import parquet  # noqa: PLC0415 - few tests need it

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "history"
        export_history(book, place, with_birth_dates=with_birth_dates)
        return {path.stem: parquet.read_table(path, memory_map=False) for path in place.iterdir()}
