"""Players as tables show them, seat by seat, gathered over all sections of a report."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.hints import check_same_name, seat_id
from ratebook.model import Cell, ForeignRating, PlayerFacts, Rating, System

SYSTEM_OF_LABEL = {
    "R": System.REGULAR,
    "Q": System.QUICK,
    "B": System.BLITZ,
    "OR": System.ONLINE_REGULAR,
    "OQ": System.ONLINE_QUICK,
    "OB": System.ONLINE_BLITZ,
}


class PrintedRating(NamedTuple):
    """A rating before and after a section, None where unrated; no games before where it is marked as established."""

    system: System
    before: float | None
    games: float | None
    after: float | None


class RatingsRead(NamedTuple):
    """What a file says of the player at a seat besides name and rounds; *pairing* is a rating that names no system."""

    member: str
    ratings: tuple[PrintedRating, ...]
    pairing: float | None = None
    fide: ForeignRating | None = None
    usa_flag: bool = False


class Row(NamedTuple):
    """One seat of one section."""

    seat: int
    name: str
    read: RatingsRead
    cells: tuple[Cell, ...]


def player_id(row: Row, section: int) -> str:
    """Return the member id, else an id made of the seat."""
    return row.read.member or seat_id(section, row.seat)


def published_ratings(section: int, rows: Sequence[Row]) -> dict[tuple[int, int, System], float]:
    """Return the ratings after the section, by section number, seat and system."""
    return {
        (section, row.seat, rating.system): rating.after
        for row in rows
        for rating in row.read.ratings
        if rating.after is not None
    }


def gather_players(findings: Findings, tables: Sequence[tuple[int, Sequence[Row]]]) -> dict[str, PlayerFacts]:
    """Return the players of all *tables*, given with the numbers of their sections.

    What the first table says of a rating before the event holds; a later one may begin with the result.
    """
    players: dict[str, PlayerFacts] = {}
    ratings: dict[str, dict[System, Rating]] = {}
    latest: dict[str, tuple[PrintedRating, ...]] = {}
    for section, rows in tables:
        in_section: set[str] = set()
        for row in rows:
            key = player_id(row, section)
            name, read = row.name, row.read
            again = key in in_section
            in_section.add(key)
            if key not in players:
                own = {
                    system: Rating(before, games)
                    for system, before, games, _ in read.ratings
                    if before is not None
                }
                ratings[key] = own
                facts = PlayerFacts(key, name, ratings=MappingProxyType(own), fide=read.fide)
                players[key] = facts._replace(usa_flag=read.usa_flag, pairing_rating=read.pairing)
                latest[key] = read.ratings
                continue
            player = players[key]
            place = Place(section=section, seats=(row.seat,))
            check_same_name(findings, place, player.name, name, key, in_section=again)
            if read.fide is not None or read.usa_flag or read.pairing is not None:
                players[key] = player._replace(
                    fide=player.fide or read.fide,
                    usa_flag=player.usa_flag or read.usa_flag,
                    pairing_rating=read.pairing if player.pairing_rating is None else player.pairing_rating,
                )
            by_system = {one.system: one for one in latest[key]}
            for printed in read.ratings:
                earlier = by_system.get(printed.system)
                by_system[printed.system] = printed
                if earlier is None:
                    if printed.before is not None:
                        ratings[key][printed.system] = Rating(printed.before, printed.games)
                elif printed.before not in {earlier.before, earlier.after}:
                    findings.add("rating-before-differs", place.but(system=printed.system))
            latest[key] = tuple(by_system.values())
    return players
