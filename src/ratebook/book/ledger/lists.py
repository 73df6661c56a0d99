"""Published official lists: what is in them, and the ratings of a whole book at a cut-off."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, exists, func, insert, literal, or_, select, tuple_

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Actor, Connection
from ratebook.book.facts.members import name_conditions
from ratebook.book.ledger.official import as_published
from ratebook.book.ledger.read import newest_rows
from ratebook.book.mirrors import Changing, note_changed
from ratebook.book.profile import REVISION, Federation
from ratebook.book.queries import PreparedQuery
from ratebook.model import Shown, System
from ratebook.official_lists.contents import PersonFacts
from ratebook.records.federation import ListSummary, RatingOfList
from ratebook.records.players import OfficialRating
from ratebook.records.record import Office, record

ledger = schema.ledger
lists = schema.published_lists
members = schema.members
ratings = schema.published_ratings

ROWS_AT_ONCE = 5_000


class MemberRating(NamedTuple):
    """A rating of an official list."""

    member: str
    system: System
    official: Shown


@record
class ListLine(RatingOfList):
    """A line of a published list; name, state and *person* are what the book says today."""

    person: Office[PersonFacts] = PersonFacts()


class ListHeader(NamedTuple):
    """What is said of a published list to anyone: not who published it."""

    month: str
    cut_off: date
    published_at: str
    digest: str


class ListedMember(NamedTuple):
    """A member in a published list; name and state are what the book says today."""

    member: str
    name: str
    state: str


class ListQuestion(NamedTuple):
    """Which members of a list a page shows.

    Attributes:
        text: id or parts of the name; empty: all members.
        system: only members who are rated there, the highest first; None: all, by name.
        after: the member who came last on the page before; empty: the first page.
    """

    text: str = ""
    system: System | None = None
    after: str = ""
    most: int = 100


class ChangedRating(NamedTuple):
    """A rating that two lists show differently; None: not in that list."""

    member: str
    before: Shown | None
    after: Shown | None


def published_months(connection: Connection) -> list[str]:
    """Return the months of the published lists, the earliest first."""
    return list(connection.execute(select(lists.c.id).order_by(lists.c.id)).scalars())


def newest_list(connection: Connection) -> str:
    """Return the month of the newest published list; empty where there is none."""
    return str(connection.execute(NEWEST_LIST).scalar() or "")


NEWEST_LIST = select(func.max(lists.c.id))


def first_list_of(connection: Connection, event: str) -> str:
    """Return the month of the first list that has the ratings of an event; empty where none has them.

    It was published after the last section was rated, and its cut-off is not before the end of that section.
    """
    return str(connection.execute(_FIRST_LIST, {"event": event}).scalar() or "")


_OF_EVENT = (schema.sections.c.event_id == bindparam("event")) & schema.sections.c.withdrawn.is_(False)
_RATED = (
    select(func.max(schema.runs.c.started_at))
    .join_from(schema.postings, schema.runs)
    .join(schema.sections)
    .where(_OF_EVENT, schema.runs.c.kind == "rate")
    .scalar_subquery()
)
_ENDED = select(func.max(schema.sections.c.end)).where(_OF_EVENT).scalar_subquery()
_FIRST_LIST = select(func.min(lists.c.id)).where(lists.c.cut_off >= _ENDED, lists.c.published_at >= _RATED)


def public_state(connection: Connection) -> tuple[int, str]:
    """Return the book's revision and the month of its newest list, in one statement: public pages follow from them."""
    ((number, month),) = _PUBLIC_STATE.tuples(connection)
    return number, month or ""


# Every public page asks for it, even if the page itself is cached.
_PUBLIC_STATE = PreparedQuery(select(REVISION, NEWEST_LIST.scalar_subquery()))


def cut_off_of_list(connection: Connection, month: str) -> date:
    """Return the cut-off of a published list."""
    cut_off: date = connection.execute(_CUT_OFF, {"month": month}).scalar_one()
    return cut_off


_CUT_OFF = select(lists.c.cut_off).where(lists.c.id == bindparam("month"))


def all_lists(connection: Connection) -> list[ListSummary]:
    """Return the published lists, the newest first."""
    rows = connection.execute(select(lists).order_by(lists.c.id.desc())).all()
    for row in rows:
        if (row.id, row.digest) not in _COUNTED:
            counted = select(func.count()).where(ratings.c.list_id == row.id)
            _COUNTED[row.id, row.digest] = int(connection.execute(counted).scalar_one())
    return [
        ListSummary(
            month=row.id,
            cut_off=row.cut_off,
            ratings=_COUNTED[row.id, row.digest],
            published_at=row.published_at,
            published_by=row.published_by,
        )
        for row in rows
    ]


_COUNTED: dict[tuple[str, str], int] = {}
"""How many ratings lists of these digests have: a list never changes, and counting reads all of it."""


def members_after(connection: Connection, month: str, after: str, most: int) -> list[str]:
    """Return members of a list in the order of their ids, from the one after an id on."""
    ids = (
        select(ratings.c.member_id)
        .distinct()
        .where(ratings.c.list_id == month, ratings.c.member_id > after)
        .order_by(ratings.c.member_id)
        .limit(most)
    )
    return list(connection.execute(ids).scalars())


def read_list(connection: Connection, month: str, *, among: tuple[str, str] | None = None) -> list[ListLine]:
    """Return the ratings of a list by member and system; none where it is not published.

    *among* are the first and the last id of the members asked for; None: all members.
    """
    member = ratings.c.member_id
    bounds = [] if among is None else [member >= among[0], member <= among[1]]
    rows = connection.execute(
        select(ratings, members.c.name, members.c.state, *(members.c[name] for name in PersonFacts._fields))
        .join(members, members.c.id == ratings.c.member_id)
        .where(ratings.c.list_id == month, *bounds)
    )
    order = list(System)
    lines = [
        ListLine(
            player=member,
            name=name,
            state=state,
            system=System(system),
            official=Shown(rating, games),
            person=PersonFacts._make(value or "" for value in person),
        )
        for _, member, system, rating, games, name, state, *person in rows
    ]
    return sorted(lines, key=lambda line: (line.player, order.index(line.system)))


def ratings_of_list(connection: Connection, month: str) -> dict[tuple[str, System], Shown]:
    """Return the ratings of a list, by member and system; none where it is not published."""
    query = select(ratings.c.member_id, ratings.c.system, ratings.c.rating, ratings.c.provisional_games)
    return {
        (member, System(system)): Shown(rating, games)
        for member, system, rating, games in connection.execute(query.where(ratings.c.list_id == month))
    }


def list_headers(connection: Connection) -> list[ListHeader]:
    """Return the published lists, the newest first."""
    columns = (lists.c.id, lists.c.cut_off, lists.c.published_at, lists.c.digest)
    return [ListHeader._make(row) for row in connection.execute(select(*columns).order_by(lists.c.id.desc()))]


def count_members(connection: Connection, month: str) -> int:
    """Return how many members a list has."""
    counted = select(func.count(ratings.c.member_id.distinct())).where(ratings.c.list_id == month)
    return int(connection.execute(counted).scalar_one())


def count_ratings(connection: Connection, month: str) -> dict[System, int]:
    """Return how many ratings a list has in each of its systems."""
    by_system = select(ratings.c.system, func.count()).group_by(ratings.c.system)
    rows = connection.execute(by_system.where(ratings.c.list_id == month)).all()
    numbers = {system: number for system, number in rows}  # noqa: C416 - rows unpack, dict() of rows does not type
    return {system: numbers[system.value] for system in System if system.value in numbers}


class ListOrder(NamedTuple):
    """A statement for members of a list without an order, by what they are ordered, and what finds that of one."""

    query: Select[tuple[str, str, str]]
    value: ColumnElement[Any]
    descends: bool
    of_member: Select[tuple[Any]]


def _ordered(month: str, question: ListQuestion) -> ListOrder:
    in_list = (ratings.c.list_id == month, ratings.c.member_id == members.c.id)
    query = select(members.c.id, members.c.name, members.c.state).where(*name_conditions(question.text))
    member = members.c.id == bindparam("member")
    value: ColumnElement[Any]
    if question.system is None:
        # Few have a name that is searched for: they are sorted, not looked up in the order of all.
        value = func.upper(members.c.name + "") if question.text else schema.NAME_ORDER
        listed = exists().where(*in_list)
        return ListOrder(
            query.where(listed), value, descends=False, of_member=select(value).where(member, listed)
        )
    value = ratings.c.rating + 0 if question.text else ratings.c.rating
    of_system = (*in_list, ratings.c.system == question.system.value)
    # By the index of the list, whose members these are.
    return ListOrder(
        query.where(*of_system), value, descends=True, of_member=select(value).where(*of_system, member)
    )


def listed_members(connection: Connection, month: str, question: ListQuestion) -> list[ListedMember]:
    """Return the members of a list whom *question* selects."""
    query, value, descends, of_member = _ordered(month, question)
    if question.after:
        own_value = connection.execute(of_member, {"member": question.after}).scalar()
        if own_value is None:
            return []
        query = query.where(_comes_after(question, value, own_value))
    order = (value.desc(), ratings.c.member_id) if descends else (value, members.c.id)
    query = query.order_by(*order)
    return [ListedMember._make(row) for row in connection.execute(query.limit(question.most))]


def _comes_after(question: ListQuestion, value: ColumnElement[Any], own_value: object) -> ColumnElement[bool]:
    """Return the condition for members behind the one who came last, so that an index begins there."""
    if question.system is None:
        return tuple_(value, members.c.id) > tuple_(literal(own_value), literal(question.after))
    rating = ratings.c.rating
    return (rating <= own_value) & ((rating < own_value) | (ratings.c.member_id > question.after))


def begins_after(
    connection: Connection, month: str, system: System | None, member: str, before: int
) -> str | None:
    """Return the member after whom a part of a list begins in which so many come *before* another member.

    Empty: it begins with the list; None: that member is not in the list.
    """
    query, value, descends, of_member = _ordered(month, ListQuestion(system=system))
    own_value = connection.execute(of_member, {"member": member}).scalar()
    if own_value is None:
        return None
    if descends:
        rating, other = ratings.c.rating, ratings.c.member_id
        query = query.where((rating >= own_value) & ((rating > own_value) | (other < member))).order_by(
            value, other.desc()
        )
    else:
        earlier = tuple_(value, members.c.id) < tuple_(literal(own_value), literal(member))
        query = query.where(earlier).order_by(value.desc(), members.c.id.desc())
    return str(connection.execute(query.offset(before).limit(1)).scalar() or "")


def ratings_by_list(
    connection: Connection, first: str, last: str, system: System, ids: Sequence[str]
) -> dict[str, list[tuple[str, int]]]:
    """Return the ratings of some members in a system from a list to another, by member, the earliest first."""
    binds = {"first": first, "last": last, "system": system.value, "ids": list(ids)}
    by_member = groupby(connection.execute(_BY_LIST, binds).all(), key=itemgetter(0))
    return {member: [(month, rating) for _, month, rating in rows] for member, rows in by_member}


_BY_LIST = (
    select(ratings.c.member_id, ratings.c.list_id, ratings.c.rating)
    .where(
        ratings.c.member_id.in_(bindparam("ids", expanding=True)),
        ratings.c.system == bindparam("system"),
        ratings.c.list_id.between(bindparam("first"), bindparam("last")),
    )
    .order_by(ratings.c.member_id, ratings.c.list_id)
)


def ratings_in_lists(
    connection: Connection, months: Sequence[str], ids: Sequence[str]
) -> Mapping[tuple[str, str], Mapping[System, Shown]]:
    """Return the ratings of some members in some lists, by month and member."""
    of_lists: dict[tuple[str, str], dict[System, Shown]] = {}
    rows = _IN_LISTS.tuples(connection, months=list(months), ids=list(ids))
    for month, member, system, rating, games in rows:
        of_lists.setdefault((month, member), {})[System(system)] = Shown(rating, games)
    return of_lists


_IN_LISTS = PreparedQuery(
    select(ratings).where(
        ratings.c.list_id.in_(bindparam("months", expanding=True)),
        ratings.c.member_id.in_(bindparam("ids", expanding=True)),
    )
)


def changed_ratings(connection: Connection, earlier: str, later: str, system: System) -> list[ChangedRating]:
    """Return every rating of a system that two lists show differently."""
    old, new = ratings.alias(), ratings.alias()
    of_both = (old.c.member_id == new.c.member_id, old.c.system == new.c.system)
    rows = connection.execute(
        select(new.c.member_id, old.c.rating, old.c.provisional_games, new.c.rating, new.c.provisional_games)
        .outerjoin_from(new, old, (old.c.list_id == earlier) & of_both[0] & of_both[1])
        .where(
            new.c.list_id == later,
            new.c.system == system.value,
            or_(
                old.c.rating.is_distinct_from(new.c.rating),
                old.c.provisional_games.is_distinct_from(new.c.provisional_games),
            ),
        )
    )
    changes = [
        ChangedRating(member, None if was is None else Shown(was, was_games), Shown(now, games))
        for member, was, was_games, now, games in rows
    ]
    unlisted = connection.execute(
        select(old.c.member_id, old.c.rating, old.c.provisional_games).where(
            old.c.list_id == earlier,
            old.c.system == system.value,
            ~exists().where(new.c.list_id == later, *of_both),
        )
    )
    changes += [ChangedRating(member, Shown(rating, games), None) for member, rating, games in unlisted]
    return changes


def ratings_of_lists(connection: Connection, ids: Iterable[str]) -> Iterator[tuple[str, OfficialRating]]:
    """Yield the published ratings of members, each with the member's id."""
    for month, member, system, rating, games in connection.execute(_OF_MEMBERS, {"ids": list(ids)}):
        yield member, OfficialRating(month=month, system=System(system), official=Shown(rating, games))


def published_ratings(connection: Connection, member: str) -> list[OfficialRating]:
    """Return the published ratings of a member, those of the newest list first."""
    order = list(System)
    ratings = [rating for _, rating in ratings_of_lists(connection, [member])]
    ratings.sort(key=lambda rating: order.index(rating.system))
    return sorted(ratings, key=lambda rating: rating.month, reverse=True)


def ratings_by_month(
    connection: Connection, member: str, system: System, newest: str
) -> list[tuple[str, int]]:
    """Return the published ratings of a member in a system up to the *newest* list, the earliest month first."""
    return list(_BY_MONTH.tuples(connection, member=member, system=system.value, newest=newest))


_BY_MONTH = PreparedQuery(
    select(ratings.c.list_id, ratings.c.rating)
    .where(
        ratings.c.member_id == bindparam("member"),
        ratings.c.system == bindparam("system"),
        ratings.c.list_id <= bindparam("newest"),
    )
    .order_by(ratings.c.list_id)
)
_OF_MEMBERS = select(ratings).where(ratings.c.member_id.in_(bindparam("ids", expanding=True)))


def add_list(  # noqa: PLR0913, PLR0917 - the columns of a list
    connection: Connection, month: str, cut_off: date, actor: Actor, least_games: int, digest: str
) -> None:
    """Add a list, still without ratings."""
    note_changed(connection, Changing.LIST, [month])
    note_linked(connection, Linked.LIST, [month])
    connection.execute(
        insert(lists).values(
            id=month,
            cut_off=cut_off,
            published_by=actor.name,
            published_at=actor.at,
            least_games=least_games,
            digest=digest,
        )
    )


def add_ratings(connection: Connection, month: str, listed: Iterable[MemberRating]) -> None:
    """Add the ratings of a list."""
    rows = (
        {
            "list_id": month,
            "member_id": member,
            "system": system.value,
            "rating": official.rating,
            "provisional_games": official.provisional_games,
        }
        for member, system, official in listed
    )
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        connection.execute(insert(ratings), batch)


def ratings_at_cut_off(
    connection: Connection, federation: Federation, cut_off: date
) -> Iterator[MemberRating]:
    """Yield the ratings of a list closed on *cut_off*, in the order of systems and members."""
    until = (cut_off + timedelta(days=1)).isoformat()
    balances = schema.opening_balances
    for system in System:
        columns = (ledger.c.member_id, ledger.c.rating, ledger.c.games)
        newest = connection.execute(newest_rows(columns, system, ledger.c.place < until))
        rated = {member: (rating, games) for member, rating, games in newest}
        opened = connection.execute(
            select(balances.c.member_id, balances.c.rating, balances.c.games)
            .join(members, members.c.id == balances.c.member_id)
            .where(
                balances.c.system == system.value,
                balances.c.as_of <= cut_off,
                members.c.merged_into.is_(None),
            )
        )
        for member, rating, games in opened:
            rated.setdefault(member, (rating, games))
        for member in sorted(rated):
            official = as_published(federation, system, *rated[member], cut_off)
            if official is not None:
                yield MemberRating(member, system, official)
