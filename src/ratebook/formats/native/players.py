"""The players of a native report: ratings, floors and facts, each checked by itself."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ratebook.formats.reading.fields import (
    HIGHEST_RATING,
    LOWEST_RATING,
    Fields,
    open_object,
    readable,
    shown_key,
)
from ratebook.model import (
    Ceiling,
    EarlierMatch,
    EnteredFloor,
    FloorKind,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    System,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ratebook.formats.contract import Findings

PLAYER_KEYS = frozenset(
    {
        "adult",
        "birth_date",
        "canadian_resident",
        "ceilings",
        "cfc",
        "fide",
        "fide_opt_in",
        "floors",
        "id",
        "initial",
        "matches",
        "name",
        "ratings",
        "us_member",
        "usa_flag",
    }
)
SYSTEM_KEYS = frozenset(system.value for system in System)
RATING_KEYS = frozenset(Rating._fields)
FOREIGN_KEYS = frozenset(ForeignRating._fields)
INITIAL_KEYS = frozenset(InitialRating._fields)
FLOOR_KEYS = frozenset(EnteredFloor._fields)
CEILING_KEYS = frozenset(Ceiling._fields)
MATCH_KEYS = frozenset(EarlierMatch._fields)

_FLOOR_STEP = 100
_CREDITED_GAMES_AT_MOST = 10
"""Step 1 credits no more games than these (D25 section 2)."""
_ESTABLISHED_ABOVE = 25
_HIGHEST_FLOOR = 2_200
_HIGHEST_MONEY_FLOOR = 2_000

_NO_RATINGS: Mapping[System, Rating] = MappingProxyType({})
_NO_INITIAL: Mapping[System, InitialRating] = MappingProxyType({})


def read_player(findings: Findings, value: object, position: int) -> PlayerFacts | None:
    """Return the player in *value*, number *position* of the list, or None where it has no usable id."""
    key = value.get("id") if isinstance(value, dict) else None
    named = isinstance(key, str) and key and readable(key)
    where = f"player {shown_key(str(key))}" if named else f"player {position} of the list"
    fields = open_object(findings, value, where, PLAYER_KEYS)
    if fields is None:
        return None
    player = PlayerFacts(
        id=fields.text("id"),
        name=fields.text("name"),
        birth_date=fields.day("birth_date"),
        adult=fields.flag("adult"),
        canadian_resident=bool(fields.flag("canadian_resident")),
        ratings=_read_ratings(fields),
        fide=_read_foreign(fields, "fide"),
        cfc=_read_foreign(fields, "cfc"),
        floors=_read_floors(fields),
        ceilings=_read_ceilings(fields),
        us_member=bool(fields.flag("us_member")),
        usa_flag=bool(fields.flag("usa_flag")),
        fide_opt_in=bool(fields.flag("fide_opt_in")),
        matches=_read_matches(fields),
        initial=_read_initial(fields),
    )
    for system in player.initial.keys() & player.ratings.keys():
        fields.add("initial-ignored.player", f"initial.{system}", system=system)
    if player.id:
        return player
    if key is None:
        fields.require("id")
    elif key == "":
        fields.add("id-empty", "id")
    return None


def _read_ratings(fields: Fields) -> Mapping[System, Rating]:
    systems = fields.inner("ratings", SYSTEM_KEYS, "system-unknown.key")
    if systems is None or not systems.values:
        return _NO_RATINGS
    ratings = {}
    for system in System:
        one = systems.inner(system.value, RATING_KEYS)
        rating = None if one is None else _read_rating(one)
        if rating is not None:
            ratings[system] = rating
    return ratings


def _read_rating(fields: Fields) -> Rating | None:
    points = fields.rating("rating")
    rating = Rating(
        rating=LOWEST_RATING if points is None else points,
        games=fields.games("games"),
        wins=fields.count("wins"),
        draws=fields.count("draws"),
        losses=fields.count("losses"),
        record=fields.choice("record", Record, "record-unknown"),
        long_events=fields.count("long_events"),
        peak=fields.rating("peak"),
        life_master_games=fields.count("life_master_games"),
        published=fields.whole("published", LOWEST_RATING, HIGHEST_RATING, "rating-out-of-range.field"),
        published_games=fields.games("published_games"),
        as_of=fields.day("as_of"),
    )
    if "games" not in fields.values:
        fields.findings.add("games-missing.rating", fields.place("games"))
    _check_counts(fields, rating)
    _check_peak(fields, rating)
    _check_record(fields, rating)
    return rating if fields.require("rating") and points is not None else None


def _check_counts(fields: Fields, rating: Rating) -> None:
    """Warn of counts that do not fit N: half-K games and the conversion of 2001 may explain more, nothing far less."""
    if rating.games is None:
        return
    counted = (rating.wins or 0) + (rating.draws or 0) + (rating.losses or 0)
    complete = None not in {rating.wins, rating.draws, rating.losses}
    if complete and counted + _CREDITED_GAMES_AT_MOST < rating.games:
        fields.add("counts-below-games", "games", counted=counted, games=rating.games)
    if counted > rating.games:
        fields.add("counts-exceed-games", "games", counted=counted, games=rating.games)


def _check_peak(fields: Fields, rating: Rating) -> None:
    """Warn of a peak that cannot be the highest established rating."""
    if rating.peak is None:
        return
    if rating.games is not None and rating.games <= _ESTABLISHED_ABOVE:
        fields.add("peak-without-established", "peak", games=rating.games)
    elif rating.peak < rating.rating:
        fields.add("peak-below-rating", "peak", peak=rating.peak, rating=rating.rating)


def _check_record(fields: Fields, rating: Rating) -> None:
    """Report a record that cannot be, given the counts."""
    wins, draws, losses = rating.wins, rating.draws, rating.losses
    if rating.record is Record.WINS:
        contradicted = bool(draws or losses)
    elif rating.record is Record.LOSSES:
        contradicted = bool(draws or wins)
    elif rating.record is Record.MIXED and wins is not None and draws is not None and losses is not None:
        contradicted = draws == 0 and (wins == 0) != (losses == 0)
    else:
        contradicted = False
    if contradicted:
        counts = ", ".join(
            f"{'unknown' if count is None else count} {name}"
            for count, name in ((wins, "wins"), (draws, "draws"), (losses, "losses"))
        )
        fields.add("record-contradicts-counts", "record", record=str(rating.record), counts=counts)


def _read_foreign(fields: Fields, key: str) -> ForeignRating | None:
    foreign = fields.inner(key, FOREIGN_KEYS)
    if foreign is None:
        return None
    rating, as_of = foreign.rating("rating"), foreign.day("as_of")
    if not foreign.require("rating") or rating is None:
        return None
    return ForeignRating(rating, as_of)


def _read_initial(fields: Fields) -> Mapping[System, InitialRating]:
    systems = fields.inner("initial", SYSTEM_KEYS, "system-unknown.key")
    if systems is None or not systems.values:
        return _NO_INITIAL
    initial = {}
    for system in System:
        one = systems.inner(system.value, INITIAL_KEYS)
        if one is None:
            continue
        rating, games = one.rating("rating"), one.games("games")
        if one.require("rating") and rating is not None:
            initial[system] = InitialRating(rating, games or 0)
    return initial


def _listed(fields: Fields, key: str, what: str, allowed: frozenset[str]) -> Iterator[Fields]:
    """Yield the objects of the list in *key*; a place names them by *what* and their position."""
    for position, value in enumerate(fields.items(key), start=1):
        one = open_object(fields.findings, value, fields.place(f"{what} {position}"), allowed)
        if one is not None:
            yield one


def _read_floors(fields: Fields) -> tuple[EnteredFloor, ...]:
    floors = []
    for one in _listed(fields, "floors", "floor", FLOOR_KEYS):
        system = one.choice("system", System, "system-unknown.choice")
        kind = one.choice("kind", FloorKind, "floor-kind-unknown")
        highest = _HIGHEST_MONEY_FLOOR if kind is FloorKind.MONEY else _HIGHEST_FLOOR
        floor = one.real("floor", _FLOOR_STEP, highest, "floor-level-wrong.field")
        if floor is not None and floor % _FLOOR_STEP:
            one.add("floor-level-wrong", "floor", floor=floor, floor_step=_FLOOR_STEP, highest=highest)
        if one.require("system", "kind", "floor") and system and kind and floor is not None:
            floors.append(EnteredFloor(system, kind, floor))
    return tuple(floors)


def _read_ceilings(fields: Fields) -> tuple[Ceiling, ...]:
    ceilings = []
    for one in _listed(fields, "ceilings", "ceiling", CEILING_KEYS):
        system = one.choice("system", System, "system-unknown.choice")
        ceiling = one.rating("ceiling")
        if one.require("system", "ceiling") and system and ceiling is not None:
            ceilings.append(Ceiling(system, ceiling))
    return tuple(ceilings)


def _read_matches(fields: Fields) -> tuple[EarlierMatch, ...]:
    matches = []
    for one in _listed(fields, "matches", "match", MATCH_KEYS):
        system = one.choice("system", System, "system-unknown.choice")
        end = one.day("end")
        change = one.real("change", -HIGHEST_RATING, HIGHEST_RATING)
        if one.require("system", "end", "change") and system and end and change is not None:
            matches.append(EarlierMatch(system, end, change))
    return tuple(matches)
