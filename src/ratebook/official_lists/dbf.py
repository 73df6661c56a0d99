"""What both dBASE lists of US Chess share: columns, what does not fit into them, and notes on it.

Source: docs/formats/player-lists.md#us-chess.

The lists themselves were not seen: field names are those that public programs read, the widths of names and ratings are
known from a description, the others are inferred (docs/inferred.md, official lists in dBASE files).
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from ratebook.findings import Finding, finding
from ratebook.formats.uschess.columns import ascii_text
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import System
from ratebook.player_lists.members_columns import LIFE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ratebook.official_lists.contents import ListMember, ListRating, OfficialList

RATING_WIDTH = 7
EXPIRY_WIDTH = 8
STATE_WIDTH = 2
ID_WIDTH = 8

MOST_POINTS = 9999
MOST_GAMES = 99
"""Four digits of points and two of games."""

LAST_OF_1999 = "19991231"
"""How these lists write a life membership."""


class TableWriter:
    """Writes a table of members with two ratings each, and counts what it could not hold.

    Attributes:
        name: of the table, for its notes.
        name_width: letters of a member's name.
        print_rating: a rating as the table has it.
        second: the system of the second rating.
    """

    def __init__(
        self, name: str, name_width: int, print_rating: Callable[[ListRating | None], str], second: System
    ) -> None:
        self.name = name
        self.name_width = name_width
        self.print_rating = print_rating
        self.second = second
        self.losses: Counter[str] = Counter()

    def rows(self, official: OfficialList) -> Iterator[tuple[str, str, str, str, str, str]]:
        """Yield id, name, expiry, state and two ratings of each member; who has neither rating is left out."""
        systems = (System.REGULAR, self.second)
        for member in official.members:
            for system in member.ratings:
                if system not in systems:
                    self.losses[f"{system} rating"] += 1
            if not any(system in member.ratings for system in systems):
                continue
            if len(member.id) > ID_WIDTH or not member.id.isascii():
                self.losses[f"member whose id has more than {ID_WIDTH} plain characters"] += 1
                continue
            first, other = (self._rating(member.ratings.get(system)) for system in systems)
            yield member.id, self._name(member), _expiry(member.expires), self._state(member), first, other

    def _name(self, member: ListMember) -> str:
        plain = " ".join(ascii_text(member.name).split())
        if plain != member.name:
            self.losses["name with letters beyond ASCII"] += 1
        if len(plain) > self.name_width:
            self.losses[f"name longer than {self.name_width} letters"] += 1
        return plain[: self.name_width].rstrip()

    def _state(self, member: ListMember) -> str:
        if len(member.state) <= STATE_WIDTH and member.state.isascii():
            return member.state
        self.losses["state that is no code of two letters"] += 1
        return ""

    def _rating(self, rating: ListRating | None) -> str:
        if rating is None:
            return self.print_rating(None)
        if rating.games is not None and rating.games > MOST_GAMES:
            self.losses[f"number of games above {MOST_GAMES}"] += 1
            rating = rating._replace(games=MOST_GAMES)
        return self.print_rating(rating._replace(rating=min(rating.rating, MOST_POINTS)))

    def table(
        self, fields: Sequence[tuple[str, int]], rows: Iterator[Sequence[str]], official: OfficialList
    ) -> tuple[bytes, tuple[Finding, ...]]:
        """Return the table and the notes on what it could not hold; its day is the first of the list's month."""
        data = write_dbf(fields, rows, date.fromisoformat(f"{official.month}-01"))
        return data, tuple(self._notes())

    def _notes(self) -> Iterator[Finding]:
        for what, count in sorted(self.losses.items()):
            yield finding("lost-in-dbf-list", self.name, what=what, count=count)


def _expiry(day: date | None) -> str:
    if day is None:
        return ""
    return LAST_OF_1999 if day == LIFE else day.strftime("%Y%m%d")
