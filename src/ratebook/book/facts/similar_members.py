"""Members who may be meant by an id that is not theirs, found by indexes: one digit is wrong, or the name is alike."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import combinations

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select, Subquery, or_, select, union_all

from ratebook.book import schema
from ratebook.book.facts.near_members import ids_near, near_members
from ratebook.findings import Finding
from ratebook.player_lists.names import name_key, names_agree

members, words = schema.members, schema.name_words

MOST_SUGGESTED = 50
"""Ids of one file for which members are suggested; a file with more wrong ids is probably another table."""
_SHOWN = 3
_LEAST_RESEMBLANCE = 0.6
_NEIGHBOURS = 60
"""Names and words that are read before and after each of a name, in the order of the index."""
_MOST_NAMESAKES = 500
"""Members with a word of the name among whom those with another one are looked for."""
_MOST_WORDS = 3
"""Of a name; the longest words are the most telling."""
_LONGEST_NAME = 200
"""Letters of a name that are compared with others."""


class Suggestions:
    """Members who may be meant by the wrong ids of one file, for the first of them (`MOST_SUGGESTED`)."""

    def __init__(self, connection: Connection, most: int = MOST_SUGGESTED) -> None:
        self._connection = connection
        self._left = most

    def of(self, member: str, name: str, corrected: str = "") -> list[tuple[str, str]]:
        """Return what `similar_members` does, and no one after so many questions."""
        if self._left <= 0:
            return []
        self._left -= 1
        return similar_members(self._connection, member, name, corrected)


def offering(unknown: Finding, nearest: Iterable[tuple[str, str]]) -> Finding:
    """Return a finding with the ids of members who may be meant among its values, beside what its words say of them."""
    candidates = tuple(member for member, _ in nearest)
    return unknown._replace(values=(*unknown.values, ("candidates", candidates))) if candidates else unknown


def similar_members(
    connection: Connection, member: str, name: str, corrected: str = ""
) -> list[tuple[str, str]]:
    """Return the ids and names of members who may be meant by an id that is not theirs, at most three.

    Those whose names agree come first, then those whose id differs by one digit or by two that changed places and whose
    name is alike, then those whose name is alike, then those whose id alone is close; *corrected* is the id without
    letters that stand for digits.
    """
    key = name_key(name[:_LONGEST_NAME])
    rated = select(members.c.id, members.c.name, members.c.folded_name).where(
        members.c.merged_into.is_(None), members.c.id != member
    )
    close_ids = connection.execute(rated.where(members.c.id.in_([*ids_near(member), corrected]))).all()
    by_name: dict[str, list[tuple[str, str]]] = {}
    for row in close_ids:
        by_name.setdefault(row.folded_name, []).append((row.id, row.name))
    alike: list[str] = []
    if key:
        near_ids = [player.id for player in near_members(connection, key)]
        beside = or_(members.c.id.in_(_near_names(key)), members.c.id.in_(near_ids))
        for row in connection.execute(rated.where(beside)):
            same = by_name.setdefault(row.folded_name, [])
            if (row.id, row.name) not in same:
                same.append((row.id, row.name))
        alike = [known for known in sorted(by_name) if known and names_agree(known, key)][:_SHOWN]
        alike += get_close_matches(key, by_name, _SHOWN, _LEAST_RESEMBLANCE)
    near = {row.id for row in close_ids}
    of_names = dict.fromkeys(member for close in alike for member in by_name[close])
    suggested = sorted(
        of_names, key=lambda member: (not (name and names_agree(member[1], name)), member[0] not in near)
    )
    suggested += [(row.id, row.name) for row in close_ids if (row.id, row.name) not in of_names]
    return suggested[:_SHOWN]


def _near_names(key: str) -> CompoundSelect[tuple[str]]:
    """Return the query for members whose names are beside *key* in the index, or have words beside its own.

    Each part reads so many entries of an index, however many members there are.
    """
    parts = [*_beside(members.c.id, members.c.folded_name, key)]
    longest = sorted(dict.fromkeys(key.split()), key=len, reverse=True)[:_MOST_WORDS]
    for word in longest:
        parts += _beside(words.c.member_id, words.c.word, word)
    for word, other in combinations(longest, 2):
        namesakes = _first(_MOST_NAMESAKES, words.c.member_id, words.c.word == word)
        both = words.alias()
        has_both = (both.c.member_id == namesakes.c.member_id) & (both.c.word == other)
        parts.append(select(namesakes.c.member_id).join(both, has_both))
    return union_all(*parts)


def _beside(owner: ColumnElement[str], column: ColumnElement[str], text: str) -> Iterator[Select[tuple[str]]]:
    """Yield the queries for those whose entry in an index is *text*, or beside it."""
    for beside, order in ((column >= text, column.asc()), (column < text, column.desc())):
        yield select(_first(_NEIGHBOURS, owner, beside, order).c[0])


def _first(
    most: int, owner: ColumnElement[str], where: ColumnElement[bool], *order: ColumnElement[str]
) -> Subquery:
    return select(owner).where(where).order_by(*order).limit(most).subquery()
