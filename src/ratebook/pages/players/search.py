"""Whom a search finds, with their ratings, and who is offered where it finds no one."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.facts.members import MemberQuestion, find_members
from ratebook.book.facts.near_members import near_members
from ratebook.book.profile import Federation
from ratebook.model import Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns
from ratebook.pages.member import current_ratings
from ratebook.records.players import FoundPlayer
from ratebook.records.system_titles import SYSTEM_TITLES


class PlayerMatch(NamedTuple):
    """A player found, with the current ratings."""

    player: FoundPlayer
    ratings: Mapping[System, Shown]


class PlayerSearch(NamedTuple):
    """A page of those whom a search finds.

    Attributes:
        total: how many there are.
        near: who may be meant, where there are none.
    """

    matches: list[PlayerMatch]
    total: int
    near: list[PlayerMatch]


def _rating_in(system: System) -> Callable[[PlayerMatch], str]:
    return lambda match: shown_rating(match.ratings.get(system))


def ratings_columns() -> Columns[PlayerMatch]:
    """Return a column for each system."""
    return tuple(Column(SYSTEM_TITLES[system], _rating_in(system), "right") for system in System)


def matches_columns() -> Columns[PlayerMatch]:
    """Return who was found, with their ratings."""
    return (
        Column("Name", "player.name"),
        Column("Title", "player.title"),
        *ratings_columns(),
        Column("State", "player.state"),
        Column("Federation", "player.federation"),
        Column("Club", "player.club"),
        Column("ID", "player.id"),
    )


def search(connection: Connection, federation: Federation, question: MemberQuestion) -> PlayerSearch:
    """Return a page of the players whom *question* selects; where it selects none, those who may be meant."""
    players, total = find_members(connection, question._replace(id_parts=True))
    near = near_members(connection, question.text) if question.text and not total else []
    return PlayerSearch(
        with_ratings(connection, federation, players), total, with_ratings(connection, federation, near)
    )


def with_ratings(
    connection: Connection, federation: Federation, players: Iterable[FoundPlayer]
) -> list[PlayerMatch]:
    """Return players with their current ratings."""
    matches = list(players)
    ratings = current_ratings(connection, federation, [player.id for player in matches])
    return [PlayerMatch(player, ratings.get(player.id, {})) for player in matches]
