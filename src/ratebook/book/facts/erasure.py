"""Where a book may name a person: the versions of reports, and texts in any table."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Table, and_, false, null, or_, select, true, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import forget_salts, note_linked
from ratebook.book.connection import Connection
from ratebook.book.submissions import StoredReport, read_submissions

submissions, findings = schema.submissions, schema.findings

AT_ONCE = 100
"""Rows that are read at a time: a report may be large."""


class TextsOfTable(NamedTuple):
    """The columns of a table whose texts may name a person.

    Attributes:
        link: the kind of the links that vouch for a row, and the column of what they are about.
        keys: the columns by which a row is found.
        texts: the columns; those of *json* hold JSON.
        only: which rows; a seat of a member has the name of that member.
    """

    table: Table
    link: tuple[Linked, str]
    texts: tuple[str, ...]
    json: tuple[str, ...] = ()
    keys: tuple[str, ...] = ("id",)
    only: ColumnElement[bool] = true()


TEXTS = (
    TextsOfTable(
        submissions,
        (Linked.SUBMISSION, "id"),
        ("event_name", "source_name", "report", "stated"),
        ("report", "stated"),
    ),
    TextsOfTable(findings, (Linked.SUBMISSION, "submission_id"), ("place", "facts"), ("place", "facts")),
    TextsOfTable(schema.decisions, (Linked.DECISION, "id"), ("reason", "details"), ("details",)),
    TextsOfTable(schema.audit, (Linked.AUDIT, "id"), ("subject", "subject_id", "details")),
    TextsOfTable(schema.events, (Linked.EVENT, "id"), ("name", "city", "affiliate", "chief_td")),
    TextsOfTable(schema.sections, (Linked.SECTION, "id"), ("name",)),
    TextsOfTable(
        schema.entries,
        (Linked.SECTION, "section_id"),
        ("name",),
        keys=("section_id", "seat"),
        only=schema.entries.c.member_id.not_in(select(schema.members.c.id)),
    ),
    TextsOfTable(schema.rerate_marks, (Linked.MARK, "id"), ("reason",)),
)
"""Every column in which people or reports write what they like, but those of the members themselves."""


class TextRow(NamedTuple):
    """A row that may name a person.

    Attributes:
        texts: by the names of their columns.
        about: whether the row, a decision or an entry of the audit log, is about the member.
        submission: the number of the report that it belongs to; None where it belongs to none.
    """

    source: TextsOfTable
    key: tuple[Any, ...]
    subject: object
    texts: dict[str, str]
    about: bool
    submission: int | None


def text_rows(
    connection: Connection,
    runs: Collection[str],
    members: Collection[str],
    name_someone: Callable[[Iterable[str]], bool],
) -> Iterator[TextRow]:
    """Yield the rows whose texts *name someone*, and those about *members*.

    The store looks for *runs* of letters, one of which such a text has; without any, all texts are read.
    """
    about: Mapping[Table, ColumnElement[bool]] = {
        schema.decisions: schema.decisions.c.member_id.in_(members),
        schema.audit: (schema.audit.c.subject_kind == "member") & schema.audit.c.subject_id.in_(members),
    }
    numbers = {submissions: "id", findings: "submission_id"}
    for source in TEXTS:
        columns = source.table.c
        of_member = about.get(source.table, false())
        number = numbers.get(source.table)
        query = select(
            *(columns[name] for name in (*source.keys, source.link[1], *source.texts)),
            of_member,
            columns[number] if number else null(),
        ).where(or_(_has_run([columns[name] for name in source.texts], runs), of_member), source.only)
        keys, texts = len(source.keys), len(source.texts)
        for row in connection.execute(query.execution_options(yield_per=AT_ONCE)):
            row_texts = [value or "" for value in row[keys + 1 : keys + 1 + texts]]
            is_about = bool(row[keys + 1 + texts])
            if is_about or name_someone(row_texts):
                named = dict(zip(source.texts, row_texts, strict=True))
                yield TextRow(
                    source=source,
                    key=tuple(row[:keys]),
                    subject=row[keys],
                    texts=named,
                    about=is_about,
                    submission=row[keys + 2 + texts],
                )


def _has_run(columns: Iterable[Column[Any]], runs: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a text has one of *runs* of letters; all texts may, where there are none."""
    if not runs:
        return true()
    return or_(*(column.icontains(run, autoescape=True) for column in columns for run in runs))


def rewrite_row(connection: Connection, row: TextRow, texts: Mapping[str, str]) -> None:
    """Write other texts into a row; the links of the chain no longer reveal anything about the old ones."""
    kind, _ = row.source.link
    note_linked(connection, kind, [str(row.subject)])
    forget_salts(connection, kind, [str(row.subject)])
    columns = row.source.table.c
    is_row = and_(*(columns[name] == value for name, value in zip(row.source.keys, row.key, strict=True)))
    connection.execute(update(row.source.table).where(is_row).values(dict(texts)))


def chains_about(connection: Connection, members: Collection[str]) -> list[StoredReport]:
    """Return every version of each report that names one of *members* by id in any version, or is about their event."""
    entries, sections = schema.entries, schema.sections
    events = select(sections.c.event_id).join_from(entries, sections).where(entries.c.member_id.in_(members))
    naming = or_(
        submissions.c.event_id.in_(events),
        *(submissions.c.report.contains(f'"{member}"', autoescape=True) for member in members),
    )
    chain = set(connection.execute(select(submissions.c.id).where(naming)).scalars())
    new = chain
    while new:
        earlier = select(submissions.c.revises).where(
            submissions.c.id.in_(new), submissions.c.revises.is_not(None)
        )
        later = select(submissions.c.id).where(submissions.c.revises.in_(new))
        new = {number for links in (earlier, later) for number in connection.execute(links).scalars()} - chain
        chain |= new
    return read_submissions(connection, sorted(chain))


def rewrite_submission(
    connection: Connection, number: int, values: Mapping[str, object], rewritten: Callable[[str], str]
) -> None:
    """Write a version of a report without a person, with what follows from it, and its findings *rewritten*."""
    note_linked(connection, Linked.SUBMISSION, [number])
    forget_salts(connection, Linked.SUBMISSION, [number])
    connection.execute(update(submissions).where(submissions.c.id == number).values(dict(values)))
    for row in connection.execute(select(findings).where(findings.c.submission_id == number)).all():
        before = {name: getattr(row, name) for name in ("place", "facts")}
        after = {name: rewritten(text) for name, text in before.items()}
        if after != before:
            connection.execute(update(findings).where(findings.c.id == row.id).values(after))


def actors_named(connection: Connection, runs: Sequence[str]) -> list[str]:
    """Return the names in the audit log of those who did something that have one of *runs* of letters."""
    by = schema.audit.c.by
    return list(connection.execute(select(by).where(_has_run([by], runs)).distinct()).scalars())


def namesakes(
    connection: Connection,
    runs: Collection[str],
    members: Collection[str],
    name_someone: Callable[[Iterable[str]], bool],
) -> list[str]:
    """Return the members besides *members* whose names *name someone*, as in `text_rows`."""
    table = schema.members
    is_other = table.c.id.not_in(members)
    others = select(table.c.id, table.c.name).where(is_other, _has_run([table.c.name], runs))
    rows = connection.execute(others.order_by(table.c.id).execution_options(yield_per=AT_ONCE))
    return [member for member, name in rows if name_someone([name])]
