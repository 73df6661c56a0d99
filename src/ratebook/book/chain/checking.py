"""Whether the chain holds, and whether the book still holds what its links say."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, bindparam, select, text
from sqlalchemy.exc import DBAPIError

from ratebook.book import schema
from ratebook.book.chain.contents import AT_ONCE, Linked, contents_of, subjects_of
from ratebook.book.chain.links import NO_LINK, Head, digest_of, head_at, next_head, read_links
from ratebook.book.chain.rights import ADDED_TO
from ratebook.book.chain.values import value_findings
from ratebook.book.failures import is_of_value
from ratebook.findings import Finding, Place, finding

_MOST_SAID = 20
_AMCHECK = text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")
_INDEXES = text(
    "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
    " WHERE relnamespace = current_schema()::regnamespace AND relam = (SELECT oid FROM pg_am WHERE amname = 'btree')"
    " ORDER BY 1"
)
_CHECK_INDEX = text("SELECT bt_index_check(CAST(:name AS regclass), true)")
_ON_FILE = text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'")
_ON_SERVER = text("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'")


def store_findings(connection: Connection, *, deep: bool) -> Iterator[Finding]:
    """Yield what the store itself finds damaged; *deep* compares its indexes with their tables.

    PostgreSQL notices damaged pages while they are read, where its checksums are on, and checks indexes by its module
    ``amcheck``, where that is installed.
    """
    if connection.dialect.name == "sqlite":
        answers = connection.exec_driver_sql(
            f"PRAGMA {'integrity' if deep else 'quick'}_check({_MOST_SAID})"
        ).scalars()
        yield from (
            finding("store-damaged", Place(subject="the file"), said=answer)
            for answer in answers
            if answer != "ok"
        )
        for table, row, other, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            fault = f"row {row} refers to nothing in {other}"
            yield finding("store-damaged", Place(table=table), said=fault)
    elif deep and connection.execute(_AMCHECK).first() is not None:
        for name in connection.execute(_INDEXES).scalars():
            try:
                with connection.begin_nested():
                    connection.execute(_CHECK_INDEX, {"name": name})
            except DBAPIError as failure:
                yield finding(
                    "store-damaged", Place(subject=f"index {name}"), said=str(failure.orig).splitlines()[0]
                )
    yield from value_findings(connection)


def chain_findings(
    connection: Connection, sealed: Head | None = None, since: Head = NO_LINK
) -> Iterator[Finding]:
    """Yield what was changed, removed, added or reordered by anything but this program's own writers.

    All links are read. What they vouch for must be there, and is compared where it was written *since* a head of the
    chain. *sealed* is how far the chain went when that was noted outside the book.
    """
    yield from _guards_missing(connection)
    if sealed is not None and head_at(connection, sealed.number) != sealed:
        yield finding("seal-not-found", Place(link=sealed.number))
    if since != NO_LINK and head_at(connection, since.number) != since:
        yield finding("verified-not-found", Place(link=since.number))
    newest = _NewestLinks(since)
    yield from newest.read(connection)
    for kind in Linked:
        yield from newest.compare(connection, kind)
    for unknown, subject in sorted(newest.links, key=str):
        yield finding("link-broken", Place(subject=f"{unknown} {subject}"))
    for row in connection.execute(_ENDED_WRONGLY, {"first": newest.first_posting}).scalars():
        yield finding("kept-changed", Place(subject=f"ledger row {row}"))


class _NewestLinks:
    """The newest link about each subject, as long as that was not compared with the book.

    Attributes:
        links: salt and digest, by kind and subject.
        compared: the kinds and subjects whose contents are compared: those with a link *since* a head of the chain.
    """

    def __init__(self, since: Head) -> None:
        self.since = since
        self.links: dict[tuple[str, str], tuple[str, str]] = {}
        self.compared: set[tuple[str, str]] = set()

    @property
    def first_posting(self) -> int:
        """The first posting among those that are compared."""
        numbers = (
            int(subject) for kind, subject in self.compared if kind == Linked.POSTING and subject.isdecimal()
        )
        return min(numbers, default=0)

    def read(self, connection: Connection) -> Iterator[Finding]:
        """Read all links, and yield those that do not follow from the ones before."""
        number, head = 0, ""
        for link in read_links(connection):
            if link.number != number + 1:
                yield finding("link-missing", Place(link=link.number), first=number + 1)
            elif next_head(head, link.number, link.kind, link.subject, link.digest) != link.head:
                yield finding("link-broken", Place(link=link.number))
            number, head = link.number, link.head
            self.links[link.kind, link.subject] = (link.salt, link.digest)
            if number > self.since.number:
                self.compared.add((link.kind, link.subject))
        if not number:
            yield finding("link-missing", Place(subject="the chain"), first=1)

    def compare(self, connection: Connection, kind: Linked) -> Iterator[Finding]:
        """Yield what of a kind is not what its newest links say."""
        try:
            subjects = subjects_of(connection, kind)
        except Exception as failure:
            if not is_of_value(failure):
                raise
            for key in [key for key in self.links if key[0] == kind]:
                del self.links[key]
            yield finding("kept-changed", Place(subject=str(kind)))
            return
        yield from self._kept(kind, subjects)
        compared = [subject for subject in subjects if (kind.value, subject) in self.compared]
        for start in range(0, len(compared), AT_ONCE):
            for subject, content in _readable_contents(connection, kind, compared[start : start + AT_ONCE]):
                salt, digest = self.links.get((kind.value, subject), ("", ""))
                if digest and (content is None or digest_of(salt, content) != digest):
                    yield finding("kept-changed", Place(subject=f"{kind} {subject}"))
        for subject in subjects:
            self.links.pop((kind.value, subject), None)

    def _kept(self, kind: Linked, subjects: Sequence[str]) -> Iterator[Finding]:
        """Yield which subjects the book has without a link, or no longer has."""
        gone = {subject for of_kind, subject in self.links if of_kind == kind} - set(subjects)
        for subject in sorted(gone, key=str):
            if self.links.pop((kind.value, subject))[1]:
                yield finding("kept-missing", Place(subject=f"{kind} {subject}"))
        for subject in subjects:
            if not self.links.get((kind.value, subject), ("", ""))[1]:
                yield finding("kept-added", Place(subject=f"{kind} {subject}"))


def _readable_contents(
    connection: Connection, kind: Linked, subjects: Sequence[str]
) -> Iterator[tuple[str, str | None]]:
    """Yield each subject with its content; None where a value of it cannot be read."""
    try:
        contents = list(contents_of(connection, kind, subjects))
    except Exception as failure:
        if not is_of_value(failure):
            raise
        if len(subjects) == 1:
            yield subjects[0], None
            return
        for half in (subjects[: len(subjects) // 2], subjects[len(subjects) // 2 :]):
            yield from _readable_contents(connection, kind, half)
    else:
        yield from contents


def _guards_missing(connection: Connection) -> Iterator[Finding]:
    on_file = connection.dialect.name == "sqlite"
    known = set(connection.execute(_ON_FILE if on_file else _ON_SERVER).scalars())
    for name in guards(on_file=on_file):
        if name not in known:
            yield finding("guard-missing", Place(subject=f"trigger {name}"))


def guards(*, on_file: bool) -> list[str]:
    """Return the triggers by which a store refuses to change what is only ever added to."""
    # On a file REPLACE would delete rows without a word to the triggers for deleting.
    kinds = ("keeps_rows", "never_changes", *(("replaces_nothing",) if on_file else ()))
    return [f"{table}_{kind}" for kind in kinds for table in ADDED_TO]


def is_intact(connection: Connection) -> bool:
    """Return whether neither the store nor the chain finds anything wrong; stops at the first thing that is."""
    return not any(True for _ in store_findings(connection, deep=False)) and not any(
        True for _ in chain_findings(connection)
    )


_ENDING = schema.postings.alias()
_ENDED_WRONGLY = (
    select(schema.ledger.c.id)
    .join(_ENDING, _ENDING.c.id == schema.ledger.c.superseded_by)
    .where(schema.ledger.c.superseded_by >= bindparam("first"))
    .where(
        (_ENDING.c.id <= schema.ledger.c.posting_id)
        | (_ENDING.c.system != schema.ledger.c.system)
        | _ENDING.c.section_id.is_distinct_from(schema.ledger.c.section_id)
        | (_ENDING.c.section_id.is_(None) & (_ENDING.c.place != schema.ledger.c.place))
    )
    .order_by(schema.ledger.c.id)
)
"""A row is ended by a later posting of the same section and system, or of the same place where no section gave it."""
