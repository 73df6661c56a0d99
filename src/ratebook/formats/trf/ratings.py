"""What the ratings of a FIDE tournament report are: national events have national ratings in FIDE's column.

Source: docs/formats/trf.md#players.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from ratebook.formats.contract import Hints
from ratebook.formats.trf.records import PlayerRow, TournamentRecords
from ratebook.model import PlayerFacts

_FLOOR_RAISED = date(2024, 3, 1)
_LOWEST_FIDE_RATING = 1_400
_LOWEST_BEFORE = 1_000
"""FIDE publishes no lower rating (FIDE Council, the reform of ratings of 2024-03-01; before it 1000 from 2012 on)."""

_FIRST_NAMED = 5


def with_ratings_told_apart(
    records: TournamentRecords,
    ids: Sequence[str],
    players: Mapping[str, PlayerFacts],
    end: date | None,
    hints: Hints,
) -> dict[str, PlayerFacts]:
    """Return *players* with the ratings of the FIDE column as FIDE ratings, or as pairing ratings if the user says so.

    Where no one says what they are, those that FIDE cannot have given, and those without a FIDE number, are reported.
    """
    if hints.ratings == "pairing":
        return {key: _with_pairing_rating(player) for key, player in players.items()}
    rows = dict(zip(reversed(ids), reversed(records.players), strict=True))
    floor = _LOWEST_BEFORE if end is not None and end < _FLOOR_RAISED else _LOWEST_FIDE_RATING
    rated = [
        (player, rows[key], player.fide.rating) for key, player in players.items() if player.fide is not None
    ]
    below = [_named(player, row, rating) for player, row, rating in rated if rating < floor]
    if below:
        records.add("fide-rating-too-low", floor=floor, count=len(below), players=_first(below))
    if hints.ratings is None:
        alone = [
            _named(player, row, rating)
            for player, row, rating in rated
            if rating >= floor and not row.number.strip("0")
        ]
        if alone:
            records.add("fide-number-missing", count=len(alone), players=_first(alone))
    return dict(players)


def _with_pairing_rating(player: PlayerFacts) -> PlayerFacts:
    if player.fide is None:
        return player
    rating = player.fide.rating if player.pairing_rating is None else player.pairing_rating
    return player._replace(fide=None, pairing_rating=rating)


def _named(player: PlayerFacts, row: PlayerRow, rating: float) -> str:
    return " ".join(
        part for part in (player.name or f"seat {row.seat}", row.federation, f"{rating:g}") if part
    )


def _first(texts: Sequence[str]) -> str:
    return "; ".join(texts[:_FIRST_NAMED]) + ("; …" if len(texts) > _FIRST_NAMED else "")
