"""What came twice: sections of submissions, by what was played, and whole reports that were sent again."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import bindparam, delete, insert, or_, select
from sqlalchemy.sql.elements import BindParameter

from ratebook.book import schema
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import batches
from ratebook.book.submissions import HOLDING, QueuedReport, read_submissions

reported, submissions = schema.reported_sections, schema.submissions


class SameSection(NamedTuple):
    """A section of a report, and the *number* of one of another submission with the same players and results."""

    section: int
    number: int
    submission: int
    event_id: str


def store_sections(connection: Connection, submission: int, hashes: Mapping[int, str]) -> None:
    """Store by what the sections of a submission are known, by number."""
    rows = [
        {"submission_id": submission, "number": number, "played_hash": played}
        for number, played in hashes.items()
    ]
    if rows:
        connection.execute(_STORE, rows)


def replace_sections(connection: Connection, submission: int, hashes: Mapping[int, str]) -> None:
    """Store what `store_sections` does in place of what was stored before."""
    connection.execute(_FORGET, {"of_submission": submission})
    store_sections(connection, submission, hashes)


def same_sections(
    connection: Connection, hashes: Mapping[int, str], *, besides: int | None = None
) -> list[SameSection]:
    """Return for each section, by its hash, the first that is the same in a submission that holds, *besides* one."""
    section_of = {played: section for section, played in hashes.items()}
    first: dict[int, SameSection] = {}
    for batch in batches(section_of):
        for row in connection.execute(_SAME, {"hashes": batch, "besides": besides or 0}):
            section = section_of[row.played_hash]
            first.setdefault(section, SameSection(section, row.number, row.id, row.event_id))
    return [first[section] for section in sorted(first)]


def sent_again(
    connection: Connection, row: QueuedReport, besides: Collection[int], *, most: int = 10
) -> list[QueuedReport]:
    """Return other submissions of the same report, *besides* its own versions.

    They have its content, or its days and players; or one of the two could not be read, and both came in
    files of the same name.
    """
    known = submissions.c
    own = connection.execute(select(known.content_hash, known.roster_hash).where(known.id == row.id)).one()
    same_file = known.source_name == row.source_name
    same = [known.content_hash == own.content_hash] if own.content_hash else []
    if own.roster_hash:
        same += [known.roster_hash == own.roster_hash, same_file & (known.roster_hash == "")]
    else:
        same.append(same_file)
    others = select(known.id).where(known.id.not_in(list(besides)), or_(*same)).limit(most)
    return [*read_submissions(connection, connection.execute(others).scalars().all())]


# Asked for each report of an import: making a statement anew takes as long as the store needs for it.
_HASHES: BindParameter[list[str]] = bindparam("hashes", expanding=True)
_STORE = insert(reported)
_FORGET = delete(reported).where(reported.c.submission_id == bindparam("of_submission"))
_SAME = (
    select(reported.c.number, reported.c.played_hash, submissions.c.id, submissions.c.event_id)
    .join_from(reported, submissions)
    .where(
        reported.c.played_hash.in_(_HASHES),
        submissions.c.id != bindparam("besides"),
        submissions.c.status.in_(HOLDING),
    )
    .order_by(submissions.c.id, reported.c.number)
)
