"""What the ratings of a FIDE tournament report are: national events have national ratings in FIDE's column.

Source: docs/formats/trf.md#players.
"""

from collections.abc import Mapping, Sequence

from ratebook.formats.contract import Hints
from ratebook.formats.trf.records import PlayerRow, TournamentRecords
from ratebook.model import PlayerFacts

_FIRST_NAMED = 5


def with_ratings_told_apart(
    records: TournamentRecords, ids: Sequence[str], players: Mapping[str, PlayerFacts], hints: Hints
) -> dict[str, PlayerFacts]:
    """Return *players* with the ratings of the FIDE column as FIDE ratings, or as pairing ratings if the user says so.

    Where no one says what they are, those without a FIDE number are reported.
    """
    if hints.ratings == "pairing":
        return {key: _with_pairing_rating(player) for key, player in players.items()}
    rows = dict(zip(reversed(ids), reversed(records.players), strict=True))
    rated = [
        (player, rows[key], player.fide.rating) for key, player in players.items() if player.fide is not None
    ]
    if hints.ratings is None:
        alone = [_named(player, row, rating) for player, row, rating in rated if not row.number.strip("0")]
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
