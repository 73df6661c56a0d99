"""Members: written, and found by id or by parts of their names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import forget_salts, note_linked
from ratebook.book.facts.member_files import batches, grouped, rows_about
from ratebook.book.facts.states import is_state
from ratebook.book.failures import refused
from ratebook.book.mirrors import Changing, note_changed
from ratebook.book.queries import PreparedQuery
from ratebook.findings import Place
from ratebook.player_lists.names import folded, name_key
from ratebook.records.players import FoundPlayer
from ratebook.records.record import fields_of

members, words = schema.members, schema.name_words

_FOUND_AT_MOST = 50
IDENTITY = tuple(field.name for field in fields_of(FoundPlayer))


class MemberQuestion(NamedTuple):
    """Which members are wanted: those who meet every condition that is not empty, and come after the member of an id.

    *text* is an id, or parts of the name in any order; *club* a part of its name. *id_parts* says whether a part of an
    id is enough, for those who look someone up; whoever writes an id means it all.
    """

    text: str = ""
    club: str = ""
    state: str = ""
    federation: str = ""
    fide_id: str = ""
    most: int = _FOUND_AT_MOST
    page: int = 1
    after: str = ""
    id_parts: bool = False


class MemberFacts(NamedTuple):
    """A member to be written: everything of the person that no other table holds."""

    id: str
    name: str = ""
    birth_date: date | None = None
    adult: bool | None = None
    state: str = ""
    canadian_resident: bool = False
    usa_flag: bool = False
    fide_opt_in: bool = False
    fide_id: str = ""
    sex: str = ""
    title: str = ""
    federation: str = ""
    club: str = ""


LATER_FACTS = ("fide_id", "sex", "title", "federation", "club")
"""Texts that the first books did not have; where they are empty, the tables have nothing."""


class StoredMember(NamedTuple):
    """A member of the book.

    Attributes:
        merged_into: the id under which the member is rated, where that is another one.
        erased: whether the personal data were removed.
    """

    facts: MemberFacts
    merged_into: str | None
    erased: bool


def load_members(connection: Connection, ids: Iterable[str]) -> dict[str, StoredMember]:
    """Return the members among *ids* that exist."""
    loaded: dict[str, StoredMember] = {}
    for row in rows_about(connection, select(members), members.c.id, ids):
        values = {name: getattr(row, name) for name in MemberFacts._fields}
        facts = MemberFacts(**values | {name: values[name] or "" for name in LATER_FACTS})
        loaded[row.id] = StoredMember(facts, row.merged_into, row.erased_at is not None)
    return loaded


def write_members(connection: Connection, facts: Iterable[MemberFacts]) -> tuple[int, int]:
    """Write members, new ones and changed ones; return how many of each there were."""
    added = changed = 0
    written = {member.id: member for member in facts}
    for batch in batches(written):
        rows = {row.id: row for row in connection.execute(select(members).where(members.c.id.in_(batch)))}
        fresh = [_values(written[member]) for member in batch if member not in rows]
        if fresh:
            connection.execute(insert(members), fresh)
            _write_words(connection, {str(member["id"]): str(member["folded_name"]) for member in fresh})
            note_linked(connection, Linked.MEMBER, (str(member["id"]) for member in fresh))
            note_changed(connection, Changing.PLAYER, (str(member["id"]) for member in fresh))
        added += len(fresh)
        for member, row in rows.items():
            values = _values(written[member])
            if any(getattr(row, name) != value for name, value in values.items()):
                connection.execute(update(members).where(members.c.id == member).values(values))
                if row.folded_name != values["folded_name"]:
                    connection.execute(delete(words).where(words.c.member_id == member))
                    _write_words(connection, {member: str(values["folded_name"])})
                note_linked(connection, Linked.MEMBER, [member])
                note_changed(connection, Changing.PLAYER, [member])
                changed += 1
    return added, changed


def _write_words(connection: Connection, names: Mapping[str, str]) -> None:
    """Write the words of folded names, by member."""
    rows = [
        {"word": word, "member_id": member}
        for member, name in names.items()
        for word in dict.fromkeys(name.split())
    ]
    if rows:
        connection.execute(insert(words), rows)


def _values(facts: MemberFacts) -> dict[str, object]:
    later = {name: getattr(facts, name) or None for name in LATER_FACTS}
    return {**facts._asdict(), **later, "folded_name": name_key(facts.name)}


def names_of(connection: Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the names of members."""
    names: dict[str, str] = {}
    for batch in batches(ids):
        names.update((member, name) for member, name in _HELD_NAMES.tuples(connection, ids=batch))
    return names


_HELD_NAMES = PreparedQuery(
    select(members.c.id, members.c.name).where(members.c.id.in_(bindparam("ids", expanding=True)))
)


def states_of(connection: Connection) -> dict[str, str]:
    """Return the states of all members of whom they are known."""
    return {
        member: state for member, state in connection.execute(select(members.c.id, members.c.state)) if state
    }


def names_by_member(connection: Connection, ids: Iterable[str]) -> dict[str, list[str]]:
    """Return the names that the book has for each of the members who are rated under *ids*: theirs first.

    Those of ids that were merged into theirs follow.
    """
    return _by_owner(connection, _NAMES, ids)


def fide_ids_of(connection: Connection, ids: Iterable[str]) -> dict[str, list[str]]:
    """Return the FIDE ids of the members who are rated under *ids*, those of merged ids too."""
    return _by_owner(connection, _FIDE_IDS, ids)


_OWNER = func.coalesce(members.c.merged_into, members.c.id)
_IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
# As indexes find them.
_RATED_UNDER = or_(
    and_(members.c.id.in_(_IDS), members.c.merged_into.is_(None)), members.c.merged_into.in_(_IDS)
)
_NAMES = (
    select(_OWNER, members.c.name)
    .where(members.c.name != "", _RATED_UNDER)
    .order_by(members.c.merged_into.is_not(None), members.c.id)
)
_FIDE_IDS = select(_OWNER, members.c.fide_id).where(members.c.fide_id.is_not(None), _RATED_UNDER)
_OWNERS = select(members.c.id, _OWNER).where(members.c.id.in_(_IDS))


def _by_owner(connection: Connection, query: Select[Any], ids: Iterable[str]) -> dict[str, list[str]]:
    pairs: list[Sequence[str]] = []
    for batch in batches(ids):
        pairs += connection.execute(query, {"ids": batch}).all()
    return grouped(pairs)


def canonical_ids(connection: Connection) -> list[str]:
    """Return the ids under which members are rated."""
    rated = select(members.c.id).where(members.c.merged_into.is_(None)).order_by(members.c.id)
    return list(connection.execute(rated).scalars())


def merge_member(connection: Connection, old: str, new: str) -> None:
    """Merge the id *old*, with all that were merged into it, into the member *new*."""
    merged = (members.c.id == old) | (members.c.merged_into == old)
    ids = [old, *earlier_ids(connection, old)]
    note_changed(connection, Changing.PLAYER, [*ids, new])
    note_linked(connection, Linked.MEMBER, ids)
    connection.execute(update(members).where(merged).values(merged_into=new))


def part_member(connection: Connection, old: str, followers: Iterable[str]) -> None:
    """Take back that the id *old* was merged; *followers* are the ids that had been merged into it."""
    ids = list(followers)
    note_changed(connection, Changing.PLAYER, [holding_id(connection, old), old, *ids])
    note_linked(connection, Linked.MEMBER, [old, *ids])
    connection.execute(update(members).where(members.c.id == old).values(merged_into=None))
    connection.execute(update(members).where(members.c.id.in_(ids)).values(merged_into=old))


def erase_member(connection: Connection, member: str, at: str) -> tuple[int, int]:
    """Remove the personal data of a member from the members and from the seats of sections.

    Return how many ids and how many seats had some.

    The ids that were merged into the member's are the same person.
    """
    ids = [member, *earlier_ids(connection, member)]
    unerased = [
        member.facts.id
        for member in load_members(connection, ids).values()
        if not member.erased or member.facts != _without_person(member.facts)
    ]
    if unerased:
        note_linked(connection, Linked.MEMBER, unerased)
        forget_salts(connection, Linked.MEMBER, unerased)
        connection.execute(delete(words).where(words.c.member_id.in_(unerased)))
        emptied = _values(_without_person(MemberFacts("")))
        del emptied["id"], emptied["usa_flag"], emptied["fide_opt_in"]
        connection.execute(update(members).where(members.c.id.in_(unerased)).values(**emptied, erased_at=at))
    entries = schema.entries
    seats = entries.c.member_id.in_(ids) & (entries.c.name != "")
    sections = list(connection.execute(select(entries.c.section_id).where(seats)).scalars())
    note_changed(connection, Changing.PLAYER, ids if unerased or sections else [])
    note_linked(connection, Linked.SECTION, sections)
    forget_salts(connection, Linked.SECTION, sections)
    connection.execute(update(entries).where(seats).values(name=""))
    return len(unerased), len(sections)


def _without_person(facts: MemberFacts) -> MemberFacts:
    """Return what is kept of a member: the id, and whether FIDE rates the person, from which ratings followed."""
    return MemberFacts(facts.id, usa_flag=facts.usa_flag, fide_opt_in=facts.fide_opt_in)


def erased_since(connection: Connection, moment: str) -> list[str]:
    """Return the members whose personal data were removed at a moment in UTC or later."""
    return list(connection.execute(select(members.c.id).where(members.c.erased_at >= moment)).scalars())


def membership_ends(connection: Connection, ids: Iterable[str]) -> dict[str, date]:
    """Return the last day of the newest membership of each of the members who has one."""
    memberships = schema.memberships
    newest = select(memberships.c.member_id, func.max(memberships.c.expires))
    return dict(
        rows_about(connection, newest.group_by(memberships.c.member_id), memberships.c.member_id, ids)
    )


def merged_ids(connection: Connection, ids: Iterable[str]) -> Mapping[str, str]:
    """Return the ids among *ids* that exist, each with the id under which it is rated."""
    owners: dict[str, str] = {}
    for batch in batches(ids):
        owners |= dict(connection.execute(_OWNERS, {"ids": batch}).all())
    return owners


def holding_id(connection: Connection, member: str) -> str:
    """Return the id under which a member is rated.

    Raises:
        BookError: there is no such member.
    """
    holder = connection.execute(_HOLDING, {"member": member}).scalar()
    if holder is None:
        raise refused("member-unknown.id", Place(members=(member,)))
    return str(holder)


_THE_MEMBER = members.c.id == bindparam("member")
_HOLDING = select(_OWNER).where(_THE_MEMBER)


def earlier_ids(connection: Connection, member: str) -> tuple[str, ...]:
    """Return the ids that were merged into a member."""
    return tuple(connection.execute(_EARLIER, {"member": member}).scalars())


_EARLIER = select(members.c.id).where(members.c.merged_into == bindparam("member")).order_by(members.c.id)
IDS_OF_MEMBER = select(members.c.id).where(_THE_MEMBER | (members.c.merged_into == bindparam("member")))
"""The id under which a member is rated, and those that were merged into it."""


class KnownPlayer(NamedTuple):
    """A member under the id under which the member is rated, and the ids that were merged into it."""

    player: FoundPlayer
    earlier_ids: tuple[str, ...]


def person_of(connection: Connection, member: str) -> KnownPlayer:
    """Return a member, whichever of the member's ids is asked for.

    Raises:
        BookError: there is no such member.
    """
    rows = {row.id: row for row in _PERSON.rows(connection, member=member)}
    row = rows.pop(member, None)
    if row is None:
        raise refused("member-unknown.id", Place(members=(member,)))
    if row.merged_into is not None:
        return person_of(connection, row.merged_into)
    return KnownPlayer(player_of(row[1:]), tuple(sorted(rows)))


_PERSON = PreparedQuery(
    select(members.c.merged_into, *(members.c[name] for name in IDENTITY)).where(
        _THE_MEMBER | (members.c.merged_into == bindparam("member"))
    )
)


def find_members(connection: Connection, question: MemberQuestion) -> tuple[list[FoundPlayer], int]:
    """Return a page of the members whom *question* selects, in the order of their names, and how many there are.

    Parts of a name are those with which its words begin; where no name has them, those that are anywhere in it. So it
    is with a part of an id. Merged ids are found by the whole id alone.
    """
    columns = [members.c[name] for name in IDENTITY]
    matching = select(*columns).where(*_conditions(connection, question))
    rated = matching.where(members.c.merged_into.is_(None))
    total = 0
    if question.text:
        exact = connection.execute(matching.where(members.c.id == question.text)).all()
        if exact:
            return [player_of(row) for row in exact], len(exact)
        part_of_id = question.text if question.id_parts and _is_part_of_id(question.text) else ""
        matching = rated.where(*_beginnings(question.text, part_of_id))
        total = _count(connection, matching)
        rated = rated.where(*_parts(question.text, part_of_id))
    if not total:
        matching = rated
        total = _count(connection, matching)
    if question.after:
        last = select(members.c.folded_name).where(members.c.id == question.after).scalar_subquery()
        matching = matching.where(tuple_(members.c.folded_name, members.c.id) > tuple_(last, question.after))
    in_order = matching.order_by(members.c.folded_name, members.c.id)
    page = in_order.limit(question.most).offset((question.page - 1) * question.most)
    return [player_of(row) for row in connection.execute(page)], total


def _is_part_of_id(text: str) -> bool:
    return len(text) >= LEAST_LETTERS and " " not in text and any(map(str.isdecimal, text))


def _beginnings(text: str, part_of_id: str) -> list[ColumnElement[bool]]:
    if not part_of_id:
        return _name_beginnings(text)
    return [members.c.id >= part_of_id, members.c.id < part_of_id + _LAST_LETTER]


def _parts(text: str, part_of_id: str) -> list[ColumnElement[bool]]:
    if not part_of_id:
        return _name_parts(text)
    return [or_(members.c.id.contains(part_of_id, autoescape=True), and_(*_name_parts(text)))]


def _count(connection: Connection, query: Select[Any]) -> int:
    return int(connection.execute(select(func.count()).select_from(query.subquery())).scalar_one())


def name_conditions(text: str) -> list[ColumnElement[bool]]:
    """Return what is true of members who have the id *text*, or words that begin with its parts; none for no text."""
    return [or_(members.c.id == text, and_(*_name_beginnings(text)))] if text else []


MOST_PARTS = 12
"""Of a name that is searched for: each is compared with every name there is."""


def asked_parts(text: str) -> list[str]:
    """Return the words by which names are looked for, each once.

    >>> asked_parts("de la cruz de")
    ['de', 'la', 'cruz']
    """
    return list(dict.fromkeys(text.split()))[:MOST_PARTS]


def _name_parts(text: str) -> list[ColumnElement[bool]]:
    parts = asked_parts(name_key(text)) or [text]
    return [members.c.folded_name.contains(part, autoescape=True) for part in parts]


LEAST_LETTERS = 3
"""The shortest part that is looked up in the index of words; so many words begin with less that names are read."""

_LAST_LETTER = "\U0010ffff"


def _name_beginnings(text: str) -> list[ColumnElement[bool]]:
    return [begins(part) for part in asked_parts(name_key(text)) or [text]]


def free_id(connection: Connection, form: str) -> str:
    """Return the id after the highest one of a member; nothing where ids of the *form* are no numbers."""
    newest = connection.execute(select(func.max(members.c.id))).scalar() or ""
    following = str(int(newest) + 1).zfill(len(newest)) if newest.isascii() and newest.isdecimal() else ""
    fits = following and re.fullmatch(form or ".+", following)
    return following if fits and not merged_ids(connection, [following]) else ""


def begins(part: str) -> ColumnElement[bool]:
    """Return what is true of members of whose names a word begins with *part*."""
    if len(part) < LEAST_LETTERS:
        return (literal(" ") + members.c.folded_name).contains(f" {part}", autoescape=True)
    return members.c.id.in_(
        select(words.c.member_id).where(words.c.word >= part, words.c.word < part + _LAST_LETTER)
    )


def _conditions(connection: Connection, question: MemberQuestion) -> Iterator[ColumnElement[bool]]:
    if question.state:
        yield is_state(members.c.state, question.state)
    if question.federation:
        yield func.upper(members.c.federation) == question.federation.upper()
    if question.fide_id:
        yield members.c.fide_id == question.fide_id
    if question.club:
        # No store folds accents: there are few clubs.
        clubs = connection.execute(select(members.c.club).where(members.c.club.is_not(None)).distinct())
        yield members.c.club.in_([club for club in clubs.scalars() if folded(question.club) in folded(club)])


def player_of(row: Iterable[object]) -> FoundPlayer:
    """Return the member whose `IDENTITY` is in a row."""
    return FoundPlayer(
        **{name: "" if value is None else str(value) for name, value in zip(IDENTITY, row, strict=True)}
    )


def members_with_fide_ids(connection: Connection) -> dict[str, list[str]]:
    """Return all members who have a FIDE id, by it; under the ids under which they are rated."""
    query = select(members.c.fide_id, _OWNER).where(members.c.fide_id.is_not(None)).distinct()
    return grouped(connection.execute(query.order_by(members.c.fide_id, _OWNER)))


def members_by_fide_id(connection: Connection, fide_ids: Iterable[str]) -> dict[str, list[str]]:
    """Return the members who have each of *fide_ids*, by the ids under which they are rated."""
    query = select(members.c.fide_id, _OWNER).distinct()
    return grouped(rows_about(connection, query, members.c.fide_id, fide_ids))


def duplicates_of(
    connection: Connection, facts: Iterable[MemberFacts]
) -> Iterator[tuple[MemberFacts, FoundPlayer]]:
    """Yield those of *facts* who may be another member of the book, with that member.

    The other one has the same name and birth date, or the same FIDE id, and is not merged.
    """
    columns = [members.c[name] for name in IDENTITY]
    for member in facts:
        same = []
        if member.fide_id:
            same.append(members.c.fide_id == member.fide_id)
        if member.birth_date is not None and member.name:
            words = name_key(member.name).split()
            # Someone wrote the last name first, and no comma.
            orders = [" ".join(words[at:] + words[:at]) for at in range(len(words))]
            same.append((members.c.birth_date == member.birth_date) & members.c.folded_name.in_(orders))
        if same:
            other = select(*columns).where(
                or_(*same), members.c.id != member.id, members.c.merged_into.is_(None)
            )
            for row in connection.execute(other.order_by(members.c.id).limit(1)):
                yield member, player_of(row)
