"""Players as a copy of a book has them: what they are called, their ratings and titles, some hundred at once."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import balances_of
from ratebook.book.facts.members import load_members
from ratebook.book.ledger.careers import EarnedTitle, titles_of
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.pages.member import END_OF_HISTORY
from ratebook.pages.ratings import current_text
from ratebook.titles.classes import rating_class


class RatingNow(NamedTuple):
    """A rating after everything that is rated, as people write it; *as_of* as on the page of a member."""

    system: System
    shown: str
    rating_class: str
    as_of: date


class PlayerNow(NamedTuple):
    """A player as the book has him now; *merged_into* is the id under which he is rated, where that is another."""

    id: str
    name: str
    state: str
    merged_into: str | None
    erased: bool
    ratings: tuple[RatingNow, ...]
    titles: tuple[EarnedTitle, ...]


def players_now(connection: Connection, federation: Federation, ids: Sequence[str]) -> dict[str, PlayerNow]:
    """Return players by id; an id that was merged has no ratings of its own."""
    known = load_members(connection, ids)
    rated = [one for one, member in known.items() if member.merged_into is None]
    standings = load_standings(connection, rated, END_OF_HISTORY)
    balances = balances_of(connection, rated)
    titles = titles_of(connection, rated)
    found = {}
    for one, member in known.items():
        ratings = []
        for system in System:
            standing = standings.get(one, {}).get(system)
            balance = balances.get(one, {}).get(system)
            if standing is not None:
                rating, as_of = standing.rating, standing.end
            elif balance is not None:
                rating, as_of = balance.rating, balance.as_of
            else:
                continue
            shown = current_text(federation, system, rating.rating, rating.games, as_of)
            ratings.append(RatingNow(system, shown, rating_class(rating.rating).name, as_of))
        facts = member.facts
        found[one] = PlayerNow(
            one,
            facts.name,
            facts.state,
            member.merged_into,
            member.erased,
            tuple(ratings),
            titles.get(one, ()),
        )
    return found
