"""Official lists: closed on their day, published once, never changed."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.chain.links import head_of_list
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.members import membership_ends, names_of
from ratebook.book.failures import refused
from ratebook.book.ledger import lists
from ratebook.book.ledger.careers import titles_earned_by
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import Federation, raise_revision, read_federation
from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.model import Shown, System
from ratebook.official_lists.calendar import EVERY_MONTH, cut_off_of, month_of
from ratebook.official_lists.contents import ListMember, OfficialList, in_public, shown_rating
from ratebook.official_lists.write import write_list
from ratebook.pages.columns import Column, Columns


class Publication(NamedTuple):
    """What publishing a list did."""

    month: str
    cut_off: date
    members: int
    ratings: int
    findings: tuple[Finding, ...]


def publish(  # noqa: PLR0913 - what, when, by whom, and how
    book: Book, month: str, today: date, actor: Actor, *, accepted: Collection[str] = (), second: str = ""
) -> Publication:
    """Publish the official list of *month* (``2026-12``).

    It takes the ratings after the sections that ended by its cut-off. A member who was rated in no section since has
    the same rating again, and an opening balance counts as a rating.

    *accepted* are codes of findings that were looked at: ``rerate-waits``, ``list-skips-months``, ``list-not-due``;
    *second* is the person who consented, where another one had to.

    Raises:
        BookError: there is no such month, the list exists, or its cut-off has not passed.

    Source: docs/rules/readings.md#official-lists; docs/rules/outside.md#7-publication-and-re-rating.
    """
    with book.writing() as connection:
        federation = read_federation(connection)
        cut_off, findings = _may_publish(connection, federation, month, today, accepted)
        if has_errors(findings):
            return Publication(month, cut_off, 0, 0, tuple(findings))
        digest = _digest(lists.ratings_at_cut_off(connection, federation, cut_off))
        lists.add_list(connection, month, cut_off, actor, federation.profile.least_published_games, digest)
        raise_revision(connection)
        rated = Counter[str]()
        lists.add_ratings(
            connection, month, _counted(lists.ratings_at_cut_off(connection, federation, cut_off), rated)
        )
        note_audit(
            connection,
            actor,
            "publish",
            AuditSubject("list", month),
            f"{len(rated)} members, {rated.total()} ratings"
            + (f", with the consent of {second}" if second else ""),
        )
        return Publication(month, cut_off, len(rated), rated.total(), tuple(findings))


class ListPreview(NamedTuple):
    """What a list would have, and what differs from the *newest* one; *findings* must be accepted first."""

    month: str
    cut_off: date
    members: int
    ratings: int
    findings: tuple[Finding, ...]
    newest: str
    changes: tuple["ListChange", ...]


def preview_list(connection: Connection, month: str, today: date) -> ListPreview:
    """Return what publishing the list of *month* would do, refused as `publish` is."""
    federation = read_federation(connection)
    cut_off, findings = _may_publish(connection, federation, month, today, ())
    newest = lists.newest_list(connection)
    ratings = {
        (rating.member, rating.system): rating.official
        for rating in lists.ratings_at_cut_off(connection, federation, cut_off)
    }
    return ListPreview(
        month=month,
        cut_off=cut_off,
        members=len({member for member, _ in ratings}),
        ratings=len(ratings),
        findings=tuple(findings),
        newest=newest,
        changes=tuple(_differences(connection, lists.ratings_of_list(connection, newest), ratings)),
    )


def against_publishing(connection: Connection, month: str, today: date) -> list[Finding]:
    """Return what must be accepted before the list of *month* is published, refused as `publish` is."""
    return _may_publish(connection, read_federation(connection), month, today, ())[1]


def next_month(connection: Connection, today: date) -> str:
    """Return the month of the list that is due next, in the order of the federation's list months."""
    profile = read_federation(connection).profile
    newest = lists.newest_list(connection)
    month = _month_after(newest) if newest else month_of(today)
    if not newest and cut_off_of(_month_after(month), profile.cut_off) <= today:
        month = _month_after(month)
    while int(month[5:]) not in profile.list_months:
        month = _month_after(month)
    return month


def _month_after(month: str) -> str:
    year, number = map(int, month.split("-"))
    return f"{year + number // 12:04d}-{number % 12 + 1:02d}"


def _may_publish(
    connection: Connection, federation: Federation, month: str, today: date, accepted: Collection[str]
) -> tuple[date, list[Finding]]:
    """Return the cut-off of a list, and what should be looked at before it is closed: errors, or notes if accepted."""
    cut_off = checked_cut_off(month, federation)
    if today < cut_off:
        raise refused("list-too-early", Place(month=month), cut_off=cut_off, today=today)
    months = lists.published_months(connection)
    if month in months:
        raise refused("list-published-already", Place(month=month))
    later = next((published for published in months if published > month), None)
    if later is not None:
        raise refused("list-out-of-order", Place(month=month), later=later)
    list_months = federation.profile.list_months
    objections = []
    waiting = len(read_pending(connection))
    if waiting:
        objections.append(finding("rerate-waits.list-without", Place(month=month), waiting=waiting))
    if int(month[5:]) not in list_months:
        due = ", ".join(map(str, list_months))
        objections.append(finding("list-not-due", Place(month=month), due=due))
    newest = max(months, default=month)
    skipped = lists_between(newest, month, list_months)
    if skipped > 0:
        objections.append(finding("list-skips-months", Place(month=month), newest=newest, skipped=skipped))
    return cut_off, [
        objection._replace(accepted=True) if objection.code in accepted else objection
        for objection in objections
    ]


def lists_between(earlier: str, later: str, list_months: Collection[int] = EVERY_MONTH) -> int:
    """Return how many lists lie between two others where lists are published for *list_months* of each year.

    >>> lists_between("2026-11", "2027-02"), lists_between("2026-10", "2027-04", (1, 4, 7, 10))
    (2, 1)
    """
    (year, month), (later_year, later_month) = (map(int, name.split("-")) for name in (earlier, later))
    between = range(12 * year + month, 12 * later_year + later_month - 1)
    return sum(at % 12 + 1 in list_months for at in between)


def checked_cut_off(month: str, federation: Federation) -> date:
    """Return the cut-off of a list; a `BookError` if there is no such month."""
    try:
        return cut_off_of(month, federation.profile.cut_off)
    except (ValueError, OverflowError) as failure:
        raise refused("month-wrong", Place(month=month)) from failure


def _counted(ratings: Iterable[lists.MemberRating], rated: Counter[str]) -> Iterator[lists.MemberRating]:
    """Yield *ratings* and count those of each member."""
    for rating in ratings:
        rated[rating.member] += 1
        yield rating


def _digest(rows: Iterable[lists.MemberRating]) -> str:
    """Return the digest of a list's contents, in the order of systems and members."""
    digest = hashlib.sha256()
    for row in rows:
        games = "" if row.official.provisional_games is None else row.official.provisional_games
        digest.update(f"{row.system.value}\t{row.member}\t{row.official.rating}\t{games}\n".encode())
    return digest.hexdigest()


def digest_of_list(connection: Connection, month: str) -> str:
    """Return the digest of a published list as it is in the book."""
    order = list(System)
    ratings = [
        lists.MemberRating(line.player, line.system, line.official)
        for line in lists.read_list(connection, month)
    ]
    return _digest(sorted(ratings, key=lambda rating: (order.index(rating.system), rating.member)))


def require_published(connection: Connection, month: str) -> None:
    """Refuse a list that is not published, by a `BookError`."""
    months = lists.published_months(connection)
    if month not in months:
        raise refused("list-unknown.not-published", Place(month=month), known=", ".join(months) or "none yet")


def official_list(connection: Connection, month: str) -> OfficialList:
    """Return the list of *month*, which must be published, as the writers of lists take it.

    Ratings are as they were published; names and other facts of members, memberships, and the titles earned by the
    cut-off are as the book knows them today.
    """
    lines: dict[str, list[lists.ListLine]] = {}
    require_published(connection, month)
    for line in lists.read_list(connection, month):
        lines.setdefault(line.player, []).append(line)
    expires = membership_ends(connection, lines)
    cut_off = lists.cut_off_of_list(connection, month)
    titles = titles_earned_by(connection, cut_off)
    return OfficialList(
        federation=read_federation(connection).profile.name,
        month=month,
        cut_off=cut_off,
        members=tuple(
            ListMember(
                id=member,
                name=ratings[0].name,
                state=ratings[0].state,
                expires=expires.get(member),
                ratings={line.system: line.official for line in ratings},
                titles=titles.get(member, ()),
                person=ratings[0].person,
            )
            for member, ratings in lines.items()
        ),
        seal=str(head_of_list(connection, month) or ""),
    )


class ListFile(NamedTuple):
    """A list in one of its formats, as anyone may take it home."""

    name: str
    content: bytes


def list_file(connection: Connection, month: str, form: str) -> ListFile:
    """Return the published list of *month* in one of `LIST_FORMATS` (else a `KeyError`), without what is not public."""
    ((name, content),) = write_list(in_public(official_list(connection, month)), form).files.items()
    return ListFile(name, content)


class ListChange(NamedTuple):
    """One rating that two lists show differently; None: not in that list."""

    member: str
    name: str
    system: System
    before: Shown | None
    after: Shown | None


def change_between_lists(change: ListChange) -> str:
    """Return how far a rating moved from one list to the next."""
    if change.before is None or change.after is None:
        return ""
    points = change.after.rating - change.before.rating
    return f"{points:+d}" if points else "games only"


def size_of_change(change: ListChange) -> int:
    """Return the points by which a rating moved; one that came or went counts in full."""
    before, after = (0 if shown is None else shown.rating for shown in (change.before, change.after))
    return abs(after - before)


def list_change_columns(earlier: str, later: str) -> Columns[ListChange]:
    """Return the columns of what differs between two lists."""
    return (
        Column("ID", "member"),
        Column("Name", "name"),
        Column("System", "system"),
        Column(earlier, lambda change: shown_rating(change.before) or "-", "right"),
        Column(later, lambda change: shown_rating(change.after) or "-", "right"),
        Column("Change", change_between_lists, "right"),
    )


def list_difference(connection: Connection, earlier: str, later: str) -> list[ListChange]:
    """Return what differs between two lists, both published, by member and system."""
    for month in (earlier, later):
        require_published(connection, month)
    return _differences(connection, *(lists.ratings_of_list(connection, month) for month in (earlier, later)))


def _differences(
    connection: Connection,
    before: Mapping[tuple[str, System], Shown],
    after: Mapping[tuple[str, System], Shown],
) -> list[ListChange]:
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    names = names_of(connection, {member for member, _ in changed})
    return [
        ListChange(member, names[member], system, before.get((member, system)), after.get((member, system)))
        for member, system in changed
    ]
