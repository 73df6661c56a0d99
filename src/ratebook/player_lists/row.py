"""One row of a player list, and how rows and the players of a report are told to be the same person."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from enum import IntEnum, StrEnum
from typing import BinaryIO, NamedTuple, TypeAlias

from ratebook.findings import Finding, Findings, Place
from ratebook.formats.reading.fields import readable
from ratebook.model import PlayerFacts, Report
from ratebook.player_lists.names import SUFFIXES, name_key, similarity_keys

_MEMBER_ID_DIGITS = 8
_MOST_WORDS = 12

_SMALL = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
_BETWEEN = b" \t\n\r\v\f\x1c\x1d\x1e\x1f,.-\"()/'`"
_BIRTH_YEAR = re.compile(r"(?:18|19|20)[0-9]{2}", re.ASCII)


class ListKind(StrEnum):
    """Where a list comes from; the value names it in messages."""

    MEMBERS = "members CSV"
    GOLDEN = "Golden Database"
    SUPPLEMENT = "rating supplement"
    COMBINED = "combined list"
    FIDE = "FIDE list"
    CFC = "CFC list"

    @property
    def by_member_id(self) -> bool:
        """Whether the rows carry US Chess member ids."""
        return self not in {ListKind.FIDE, ListKind.CFC}

    @property
    def published(self) -> bool:
        """Whether its US Chess ratings are the published integers, not the ratings as stored."""
        return self in {ListKind.GOLDEN, ListKind.SUPPLEMENT, ListKind.COMBINED}


class ListedPlayer(NamedTuple):
    """One row of a list.

    Attributes:
        kind: the list it comes from.
        where: file and line or record, for findings.
        facts: what the list says; its ``id`` is the number by which the list knows the player.
        expires: last day of the US Chess membership, for life members that of the calendar; None where unknown.
        birth_year: year of birth where the list gives no more.
        as_of: the day of a FIDE list, where it says it.
        games: the games that were rated for a FIDE list; None where it does not say.
    """

    kind: ListKind
    where: Place
    facts: PlayerFacts
    expires: date | None = None
    birth_year: int | None = None
    as_of: date | None = None
    games: int | None = None


class ListedPlayers(NamedTuple):
    """What a list says about the players of one report, by the report's keys; no *kind* where the file is no list."""

    players: Mapping[str, ListedPlayer]
    findings: tuple[Finding, ...]
    kind: ListKind | None = None
    name: str = ""

    @property
    def expires(self) -> dict[str, date]:
        """The last day of membership of each player for whom the list gives it, by the report's key."""
        return {key: row.expires for key, row in self.players.items() if row.expires is not None}


class Match(IntEnum):
    """How far a row concerns the report."""

    NONE = 0
    SIMILAR = 1
    WANTED = 2


class Search(NamedTuple):
    """The players a list is searched for.

    Attributes:
        ids: as `id_key` makes them.
        names: as `name_key` makes them.
        letters: the letters of these names in every order in which a list may have them; a quick first look.
        similar: what similar names would share with theirs (`similarity_keys`); empty: they are not looked for.
    """

    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    letters: frozenset[bytes] = frozenset()
    similar: frozenset[str] = frozenset()

    def match(self, number: str, name: str) -> Match:
        """Return whether the row with this number and name is wanted, or its name similar to a wanted one.

        Lists have a million rows, so that the usual answer has to be quick.
        """
        if (number.strip().lstrip("0") or number.strip()) in self.ids:
            return Match.WANTED
        # The letters of the name, without what may be between them.
        is_plain = not self.similar and name.isascii()
        if is_plain and name.encode().translate(_SMALL, _BETWEEN) not in self.letters:
            return Match.NONE
        key = name_key(name)
        if key in self.names:
            return Match.WANTED
        if self.similar and not self.similar.isdisjoint(similarity_keys(key)):
            return Match.SIMILAR
        return Match.NONE


Rows: TypeAlias = Callable[[BinaryIO, str, Search, Findings], Iterator[ListedPlayer]]
"""What reads a list: the stream, the name of the file, what is searched for, and what is found on the way."""


class EveryPlayer(Search):
    """Asks a list for all its rows."""

    def match(self, number: str, name: str) -> Match:  # noqa: ARG002 - as in the class
        """Return that the row is wanted."""
        return Match.WANTED


def orders_of(key: str) -> Iterator[bytes]:
    """Yield the letters of the compared name *key* in the orders of words that make the same name.

    Last names may come first, and Jr. anywhere.

    >>> sorted(orders_of("ann example"))
    [b'annexample', b'exampleann']
    """
    words = [word for word in key.split() if word not in SUFFIXES]
    suffix = "".join(word for word in key.split() if word in SUFFIXES)
    for first in range(max(1, len(words))):
        order = words[first:] + words[:first]
        for at in range(len(order) + 1) if suffix else (0,):
            yield "".join((*order[:at], suffix, *order[at:])).encode()


def search_for(report: Report) -> Search:
    """Return what to look for in a list to find the players of *report*."""
    keys = {name_key(player.name) for player in report.players.values()}
    # No one has a dozen names; such a text would only take time.
    names = frozenset(key for key in keys if key and len(key.split()) <= _MOST_WORDS)
    ids = filter(
        None, (number for player in report.players.values() for number in (player.id, player.fide_id))
    )
    letters = frozenset(order for key in names if key.isascii() for order in orders_of(key))
    return Search(ids=frozenset(map(id_key, ids)), names=names, letters=letters)


def similar_to(names: Iterable[str]) -> Search:
    """Return what to look for in a list to find names similar to *names*."""
    return Search(similar=frozenset(shared for name in names for shared in similarity_keys(name_key(name))))


def id_key(text: str) -> str:
    """Return an id as it is compared: without blanks and leading zeros.

    >>> id_key(" 00012345"), id_key("P1"), id_key("000")
    ('12345', 'P1', '000')
    """
    text = text.strip()
    return text.lstrip("0") or text


def is_member_id(text: str) -> bool:
    """Return whether *text* has the form of a US Chess member id: eight digits, not all of them 0.

    >>> is_member_id("90000001"), is_member_id("seat-3"), is_member_id("00000000")
    (True, False, False)
    """
    return text.isascii() and text.isdecimal() and len(text) == _MEMBER_ID_DIGITS and bool(text.strip("0"))


def clean_name(name: str) -> str:
    r"""Return *name* on one line and fit for a terminal.

    >>> clean_name(" ADAMS,\tEXAMPLE\a ")
    'ADAMS, EXAMPLE'
    """
    name = " ".join(name.split())
    return name if readable(name) else "".join(letter for letter in name if letter.isprintable())


def year_of(text: str) -> int | None:
    """Return the year of birth that *text* is, or None.

    >>> year_of("1990"), year_of("0000"), year_of("")
    (1990, None, None)
    """
    return int(text) if _BIRTH_YEAR.fullmatch(text) else None


def similar_player(kind: ListKind, where: Place, number: str, name: str) -> ListedPlayer:
    """Return a row that is kept for its name alone; nothing else of it is read."""
    return ListedPlayer(kind, where, PlayerFacts(clean_name(number), clean_name(name)))


def place_of(report: Report, players: Collection[str]) -> Place:
    """Return the place of players: their seats if all of them are in one section, else their keys in the report."""
    wanted = set(players)
    seats = [
        (section.number, entry.seat, entry.player)
        for section in report.sections
        for entry in section.entries
        if entry.player in wanted
    ]
    sections = {section for section, _, _ in seats}
    if len(sections) == 1 and {player for _, _, player in seats} == wanted:
        return Place(section=sections.pop(), seats=tuple(seat for _, seat, _ in seats))
    return Place(players=tuple(players))
