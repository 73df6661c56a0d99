"""Members whose name or id is nearly what was searched for, and near words: a letter is wrong, missing, or too many.

Both stores answer by the index of words, without extensions: the words that one slip makes of a part are looked up
themselves, and some words that begin as the part does are compared with it.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from string import ascii_lowercase, digits
from typing import NamedTuple

from sqlalchemy import Column, Connection, or_, select, text

from ratebook.book import schema
from ratebook.book.connection import POSTGRESQL
from ratebook.book.facts.members import IDENTITY, LEAST_LETTERS, asked_parts, begins, player_of
from ratebook.player_lists.names import folded, name_key
from ratebook.records.players import FoundPlayer

members, words = schema.members, schema.name_words

MOST_OFFERED = 5
_MOST_PARTS = 3
"""Of the text; the longest are the most telling."""
_LONGEST_PART = 20
_WORDS_READ = 400
"""Entries of the index that begin as a part does, and are compared with it."""
_NEAREST_WORDS = 12
"""For a part; the members of these are looked up."""
_MEMBERS_READ = 60
_LONG_WORD = 6
"""From so many letters on, two slips are forgiven."""
_NAMES_COMPARED = 5_000
_LONGEST_ID = 40
"""Letters of an id up to which a slip of the finger is looked for: longer texts are no ids."""


class Slips(NamedTuple):
    """How many letters differ: from a whole word, and from its beginning that is nearest."""

    whole: int
    beginning: int


def near_members(connection: Connection, text: str) -> list[FoundPlayer]:
    """Return the members whose names or ids are nearly *text*, the nearest first; the work has bounds."""
    if any(map(str.isdecimal, text)):
        return _members_by_id(connection, text)
    parts = sorted(asked_parts(name_key(text)), key=len, reverse=True)[:_MOST_PARTS]
    nearest = {part: _near_words(connection, part) for part in parts}
    if not any(nearest.values()):
        return []
    columns = [members.c[name] for name in IDENTITY]
    query = select(members.c.folded_name, *columns).where(members.c.merged_into.is_(None))
    for part, near in nearest.items():
        owners = select(words.c.member_id).where(words.c.word.in_(list(near)))
        query = query.where(or_(begins(part), members.c.id.in_(owners)) if near else begins(part))
    rows = connection.execute(query.order_by(members.c.folded_name, members.c.id).limit(_MEMBERS_READ))
    near_first = sorted(rows, key=lambda row: _slips_in(row.folded_name, nearest))
    return [player_of(row[1:]) for row in near_first[:MOST_OFFERED]]


def _members_by_id(connection: Connection, text: str) -> list[FoundPlayer]:
    near = select(*(members.c[name] for name in IDENTITY)).where(
        members.c.id.in_(list(ids_near(text))), members.c.merged_into.is_(None)
    )
    rows = connection.execute(near.order_by(members.c.folded_name, members.c.id).limit(MOST_OFFERED))
    return [player_of(row) for row in rows]


def _near_words(connection: Connection, part: str) -> dict[str, int]:
    """Return the words of names that are nearly *part*, or begin nearly as it, with the number of slips."""
    if not LEAST_LETTERS <= len(part) <= _LONGEST_PART:
        return {}
    beginning = part[: (len(part) + 1) // 2]
    binds = {
        "slipped": json.dumps(sorted(one_slip(part))),
        "beginning": beginning,
        "beyond": f"{beginning}\U0010ffff",
    }
    found = filter(None, connection.execute(_WORDS_LIKE[connection.dialect.name], binds).scalars())
    slips = {word: _slips_of(part, word) for word in found}
    near = sorted((slip, word) for word, slip in slips.items() if 0 < slip <= _forgiven_in(part))
    return {word: slip for slip, word in near[:_NEAREST_WORDS]}


# The slipped words come as one value: a statement for so many takes longer to make than to answer. Each is looked up by
# itself: PostgreSQL reads a small table as a whole for a long list.
_WORDS_LIKE = {
    store: text(
        f"WITH slipped AS (SELECT value AS word FROM {elements}), "  # noqa: S608 - of this module
        "alike AS (SELECT word FROM name_words WHERE word >= :beginning AND word < :beyond"
        f" ORDER BY word LIMIT {_WORDS_READ}) "
        "SELECT (SELECT word FROM name_words WHERE word = slipped.word LIMIT 1) FROM slipped"
        " UNION SELECT word FROM alike"
    )
    for store, elements in (
        ("sqlite", "json_each(:slipped)"),
        (POSTGRESQL, "json_array_elements_text(CAST(:slipped AS json))"),
    )
}


def _slips_of(part: str, word: str) -> int:
    slips = slips_between(part, word)
    return min(slips.whole, slips.beginning)


def _slips_in(name: str, nearest: Mapping[str, Mapping[str, int]]) -> int:
    """Return the slips by which the words of a name differ from the parts of a text."""
    return sum(min((_slips_of(part, word) for word in name.split()), default=len(part)) for part in nearest)


def one_slip(part: str) -> set[str]:
    """Return the words that one letter wrong, missing, too many or swapped with its neighbour makes of *part*.

    >>> {"anna", "ana", "nan", "an", "aan"} <= one_slip("ann"), "ann" in one_slip("ann")
    (True, False)
    """
    letters = sorted({*ascii_lowercase, *part})
    slipped = set()
    for at in range(len(part) + 1):
        before, after = part[:at], part[at:]
        slipped |= {before + letter + after for letter in letters}
        if after:
            slipped.add(before + after[1:])
            slipped |= {before + letter + after[1:] for letter in letters}
            slipped.add(before + after[1:2] + after[0] + after[2:])
    return slipped - {part}


def slips_between(part: str, word: str) -> Slips:
    """Return how many letters are wrong, missing, too many or swapped with their neighbour.

    The last line of the usual table: a place of it has the slips between *part* and so many letters of *word*.

    >>> slips_between("kowlas", "kowalski"), slips_between("smith", "smyth")
    (Slips(whole=3, beginning=1), Slips(whole=1, beginning=1))
    """
    earlier: list[int] = []
    line = list(range(len(word) + 1))
    for row, letter in enumerate(part, start=1):
        following = [row]
        for at, other in enumerate(word, start=1):
            slips = min(line[at] + 1, following[-1] + 1, line[at - 1] + (letter != other))
            swapped = row > 1 and at > 1 and letter == word[at - 2] and part[row - 2] == other
            following.append(min(slips, earlier[at - 2] + 1) if swapped else slips)
        earlier, line = line, following
    return Slips(line[-1], min(line))


def near_words(connection: Connection, text: str, names: Column[str]) -> str:
    """Return a text as `forgiven` makes it from the newest *names* of a table, such as those of its events."""
    newest = select(names).order_by(names.table.c.id.desc()).limit(_NAMES_COMPARED)
    return forgiven(folded(text), [folded(name) for name in connection.execute(newest).scalars()])


def forgiven(text: str, names: Iterable[str]) -> str:
    """Return *text* as it may be meant: parts that no one of the folded *names* has are the nearest of their words.

    It is empty where nothing is forgiven: all parts are there, or no word is near one of them.

    >>> (
    ...     forgiven("mapel open", ["maple falls open", "river quad"]),
    ...     forgiven("maple zebra", ["maple falls open"]),
    ... )
    ('maple open', '')
    """
    known = Counter(word for name in names for word in name.split())
    parts = asked_parts(text)
    meant = [part if any(part in word for word in known) else _nearest(part, known) for part in parts]
    return " ".join(meant) if all(meant) and meant != parts else ""


def _nearest(part: str, known: Mapping[str, int]) -> str:
    """Return the word that is nearest to *part*, of several the most frequent one; empty where none is near."""
    if not LEAST_LETTERS <= len(part) <= _LONGEST_PART:
        return ""
    slips = ((_slips_of(part, word), -count, word) for word, count in known.items())
    return min((near for near in slips if near[0] <= _forgiven_in(part)), default=(0, 0, ""))[2]


def _forgiven_in(part: str) -> int:
    """Return how many slips are forgiven in a part of a text."""
    return 2 if len(part) >= _LONG_WORD else 1


def ids_near(member: str) -> Iterator[str]:
    """Yield the ids that one slip of the finger makes of *member*."""
    letters = list(member) if len(member) <= _LONGEST_ID else []
    for at, _ in enumerate(pairwise(letters)):
        swapped = [*letters]
        swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
        yield "".join(swapped)
    for at, letter in enumerate(letters):
        for digit in digits:
            if digit != letter:
                yield "".join([*letters[:at], digit, *letters[at + 1 :]])
