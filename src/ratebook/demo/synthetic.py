"""A synthetic history as columns: any size in seconds, from a seed; members are drawn at random.

Sizes of sections, shares of systems, newcomers, draws, byes, matches and foreign events are like those of a federation;
pairings are those of a round robin cut short, results follow a strength that each member has from the beginning.
"""

from datetime import date
from typing import Any, NamedTuple

import numpy as np

from ratebook.model import Bound, FloorKind, System
from ratebook.rating.decisions import (
    CEILING,
    CEILING_LIFTED,
    FLOOR,
    FLOOR_KINDS,
    FLOOR_LIFTED,
    INITIAL,
    MONEY_FLOOR,
    OPT_IN,
    OPT_IN_LIFTED,
    RATING,
    USA_FLAG,
    USA_FLAG_LIFTED,
)
from ratebook.rating.floors import LEVELS
from ratebook.replay.memory import (
    FOREIGN,
    MATCH,
    NOBODY,
    ORDINARY,
    REQUEST_DENIED,
    REQUEST_GRANTED,
    SEVERAL_SEATS,
    SYSTEMS,
    UPDATE,
    US_MEMBER,
    Array,
)
from ratebook.replay.tables import EMPTY_COUNT, History, table_of
from ratebook.rules.rulebook import load_rulebook

FIRST_ID = 90_000_001
FIRST_EVENT = 1_000_000_000
MOST_ROUNDS = 9
MATCH_GAMES = 8

SHARES = {
    (System.REGULAR,): 0.55,
    (System.REGULAR, System.QUICK): 0.20,
    (System.QUICK,): 0.10,
    (System.BLITZ,): 0.07,
    (System.ONLINE_REGULAR,): 0.01,
    (System.ONLINE_QUICK,): 0.03,
    (System.ONLINE_BLITZ,): 0.04,
}
"""How many sections are rated in which systems; a system that does not exist yet gives way to OTB Regular."""


class Shape(NamedTuple):
    """What a synthetic history is like.

    Attributes:
        games: rated games, roughly.
        members: members, of whom not all may play.
        seed: the same seed gives the same history.
        first_day, last_day: of the sections' ends.
        unrated: share of members without an opening balance.
        matches, foreign: shares of sections.
        decided: share of members about whom the office decided something.
        half_k: share of sections at half K while the rules allow it.
        unknown: share of opening balances that lack counts, peaks or N.
        ineligible: share of matches whose players' published ratings do not allow a match.
    """

    games: int
    members: int
    seed: int = 1
    first_day: date = date(2014, 1, 1)
    last_day: date = date(2025, 12, 31)
    unrated: float = 0.1
    matches: float = 0.01
    foreign: float = 0.005
    decided: float = 0.01
    half_k: float = 0.1
    unknown: float = 0.1
    ineligible: float = 0.0


def synthetic_history(shape: Shape) -> History:
    """Return a history of that shape."""
    chance = np.random.default_rng(shape.seed)
    strength = np.clip(chance.normal(1300.0, 400.0, shape.members), 150.0, 2700.0).astype("f4")
    sections = _sections(chance, shape)
    entries, first = _entries(chance, shape, sections)
    games = _games(chance, sections, entries, first, strength)
    return History(
        members=_members(chance, shape),
        balances=_balances(chance, shape, strength),
        foreign_ratings=_foreign_ratings(chance, shape, strength),
        decisions=_decisions(chance, shape, strength),
        published_ratings=_published_ratings(shape, sections, entries, first),
        sections=table_of("sections", {**sections, "entries": np.diff(first)}),
        entries=table_of("entries", {name: entries[name] for name in ("member", "games", "marks", "fide")}),
        games=games,
    )


def _sections(chance: np.random.Generator, shape: Shape) -> dict[str, Array]:
    sizes = np.array([4, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 40, 60, 100])
    rounds = np.array([3, 3, 5, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 7])
    weight = np.array([8, 8, 2, 6, 9, 9, 9, 9, 8, 7, 5, 3, 2, 0.6])
    weight /= weight.sum()
    per_section = float((sizes * rounds * weight).sum()) / 2.0 * 0.93
    count = max(3, round(shape.games / per_section))
    drawn = chance.choice(len(sizes), count, p=weight)
    end = np.sort(chance.integers(shape.first_day.toordinal(), shape.last_day.toordinal() + 1, count))
    start = np.maximum(end - chance.integers(0, 3, count), shape.first_day.toordinal())
    kind = np.full(count, ORDINARY, "i1")
    draw = chance.random(count)
    kind[draw < shape.matches] = MATCH
    kind[draw > 1.0 - shape.foreign] = FOREIGN
    groups = list(SHARES)
    group = chance.choice(len(groups), count, p=list(SHARES.values()))
    systems = np.zeros(count, "u1")
    half_k = chance.random(count) < shape.half_k
    order = {system: place for place, system in enumerate(System)}
    rulebook = load_rulebook()
    for number, group_systems in enumerate(groups):
        mask = np.uint8(sum(1 << order[system] for system in group_systems))
        mine = group == number
        exist, halves = _dated(rulebook, group_systems, start[mine])
        systems[mine] = np.where(exist, mask, 1)
        half_k[mine] &= halves
    systems[kind == FOREIGN] = 1
    half_k[kind == FOREIGN] = False
    return {
        "event": FIRST_EVENT + np.arange(count),
        "number": np.ones(count, "i4"),
        "start": start.astype("i4"),
        "end": end.astype("i4"),
        "kind": kind,
        "half_k": half_k,
        "youth": (kind == FOREIGN) & (chance.random(count) < 0.3),
        "systems": systems,
        "size": np.where(kind == MATCH, 2, np.where(kind == FOREIGN, 10, sizes[drawn])),
        "rounds": np.where(
            kind == MATCH,
            chance.integers(2, MATCH_GAMES + 1, count),
            np.where(kind == FOREIGN, 7, rounds[drawn]),
        ),
    }


def _dated(rulebook: Any, systems: tuple[System, ...], starts: Array) -> tuple[Array, Array]:  # noqa: ANN401
    """Return for each start of a section whether all *systems* exist, and whether they allow half K."""
    days, place = np.unique(starts, return_inverse=True)
    rules = [
        [rulebook.in_force(system, date.fromordinal(day)) for system in systems] for day in days.tolist()
    ]
    exist = np.array([all(rule.system_exists == 1 for rule in of_day) for of_day in rules], bool)
    halves = np.array([all(rule.half_k_numerator >= 0 for rule in of_day) for of_day in rules], bool)
    return exist[place], halves[place]


def _entries(
    chance: np.random.Generator, shape: Shape, sections: dict[str, Array]
) -> tuple[dict[str, Array], Array]:
    size = np.minimum(sections["size"], max(2, shape.members - 1))
    sections["size"] = size
    first = np.zeros(len(size) + 1, "i8")
    np.cumsum(size, out=first[1:])
    count = int(first[-1])
    section = np.repeat(np.arange(len(size), dtype="i4"), size)
    # The square makes some members busy; the permutation scatters them over memory.
    scattered = chance.permutation(shape.members).astype("i4")
    place = (chance.random(count) ** 2 * shape.members).astype("i8")
    while True:
        key = section.astype("i8") * shape.members + place
        order = np.argsort(key, kind="stable")
        twice = np.zeros(count, bool)
        twice[order[1:]] = key[order[1:]] == key[order[:-1]]
        if not twice.any():
            break
        place[twice] = chance.integers(0, shape.members, int(twice.sum()))
    member = scattered[place]
    marks = np.zeros(count, "u1")
    fide = np.zeros(count)
    kind = sections["kind"][section]
    match = kind == MATCH
    draw = chance.random(count)
    marks[match & (draw < 0.3)] |= REQUEST_GRANTED
    marks[match & (draw > 0.8)] |= REQUEST_DENIED
    marks[(kind == ORDINARY) & (draw < 0.001)] |= SEVERAL_SEATS
    foreign = np.flatnonzero(kind == FOREIGN)
    update = chance.random(len(foreign)) < 0.3
    marks[foreign[update]] |= UPDATE
    marks[foreign[update & (chance.random(len(foreign)) < 0.8)]] |= US_MEMBER
    brings = chance.random(len(foreign)) < 0.9
    fide[foreign[brings]] = chance.integers(1200, 2500, int(brings.sum()))
    member[foreign[~update]] = NOBODY
    return {"member": member, "marks": marks, "fide": fide, "section": section}, first


def _games(
    chance: np.random.Generator,
    sections: dict[str, Array],
    entries: dict[str, Array],
    first: Array,
    strength: Array,
) -> Any:  # noqa: ANN401 - a table
    section = entries["section"]
    count = len(section)
    size = sections["size"][section].astype("i4")
    rounds = np.minimum(sections["rounds"], MOST_ROUNDS)[section].astype("i1")
    start = first[:-1][section]
    at = (np.arange(count) - start).astype("i4")
    rating = np.where(entries["member"] >= 0, strength[entries["member"]], np.float32(1700.0))
    opponent = np.zeros((count, MOST_ROUNDS), "u2")
    score = np.zeros((count, MOST_ROUNDS), "u1")
    played = np.zeros((count, MOST_ROUNDS), bool)
    for number in range(int(rounds.max(initial=0))):
        other = _round_robin(at, size, number)
        lower = start + np.minimum(at, other)
        draw = chance.random(count, dtype="f4")[lower]
        luck = chance.random(count, dtype="f4")[lower]
        upper = start + np.maximum(at, other)
        expected = 1.0 / (1.0 + np.exp((rating[upper] - rating[lower]) * np.float32(0.005756)))
        of_lower = np.where(luck < 0.12, 1, np.where(luck < 0.12 + 0.88 * expected, 2, 0))
        played[:, number] = (number < rounds) & (other != at) & (draw > 0.05)
        opponent[:, number] = other
        score[:, number] = np.where(at < other, of_lower, 2 - of_lower)
    entries["games"] = played.sum(axis=1).astype("u2")
    return table_of("games", {"opponent": opponent[played], "score": score[played]})


def _round_robin(at: Array, size: Array, number: int) -> Array:
    """Return whom the places *at* in sections of a *size* meet in a round; themselves where they have a bye.

    Circle method: i meets j where i + j is the number of the round, modulo the circle; the odd one meets the last.
    """
    around = np.where(size % 2 == 0, size - 1, size)
    last, even = size - 1, size % 2 == 0
    other = (number - at) % around
    other = np.where(even & (other == at), last, other)
    middle = (number * ((around + 1) // 2)) % around
    return np.where(even & (at == last), middle, other)


def _members(chance: np.random.Generator, shape: Shape) -> Any:  # noqa: ANN401 - a table
    count = shape.members
    middle = shape.first_day.toordinal()
    born = middle - chance.integers(4 * 365, 70 * 365, count)
    is_known = chance.random(count) > 0.2
    draw = chance.random((4, count))
    return table_of(
        "members",
        {
            "id": np.arange(FIRST_ID, FIRST_ID + count),
            "birth_date": np.where(is_known, born, -1),
            "adult": draw[0] < 0.3,
            "canadian_resident": draw[1] < 0.01,
            "usa_flag": draw[2] < 0.95,
            "fide_opt_in": draw[3] < 0.3,
        },
    )


def _balances(chance: np.random.Generator, shape: Shape, strength: Array) -> Any:  # noqa: ANN401 - a table
    share = np.array([1.0, 0.5, 0.2, 0.0, 0.0, 0.0])
    rated = chance.random(shape.members) >= shape.unrated
    has = rated[:, None] & (chance.random((shape.members, SYSTEMS)) < share)
    member, system = np.nonzero(has)
    count = len(member)
    games = np.where(
        chance.random(count) < 0.85, chance.integers(27, 600, count), chance.integers(0, 27, count)
    ).astype("f8")
    wins = np.floor(games * 0.45)
    draws = np.floor(games * 0.1)
    unbroken = (games > 0) & (chance.random(count) < 0.01)
    wins[unbroken], draws[unbroken] = games[unbroken], 0
    rating = np.round(np.clip(strength[member] + chance.normal(0, 80, count), 100, 2750))
    long_events = np.floor(games / 4)
    losses = games - wins - draws
    peak = np.where(games > 26, rating + chance.integers(0, 120, count), np.nan)  # established
    olm = np.where(rating >= 2150, chance.integers(0, 320, count), 0)  # near the level
    unknown = chance.random(count) < shape.unknown
    part = chance.integers(0, 4, count)
    record = np.where(unbroken, 1, np.where(chance.random(count) < 0.5, 0, -1))

    # Drawn apart: histories of earlier versions have the other columns as they are.
    bounds = chance.spawn(1)[0].integers(0, 60, count)

    def without(values: Array, which: int) -> Array:
        return np.where(unknown & (part == which), -1, values).astype("i4")

    floors = {
        f"floor_{kind}": _levels_or_none(
            kind, np.where(chance.random(count) < shape.decided, rating // 100 * 100 - 200, np.nan)
        )
        for kind in FLOOR_KINDS
    }
    return table_of(
        "balances",
        {
            "member": member,
            "system": system,
            "as_of": np.where(
                unknown, -1, shape.first_day.toordinal() - chance.integers(0, 2000, count)
            ).astype("i4"),
            "rating": rating,
            "games": np.where(unknown & (part == 0) & (games > 26), np.nan, games),  # established
            "wins": without(wins, 1),
            "draws": without(draws, 1),
            "losses": without(losses, 2),
            "record": record,
            "long_events": without(long_events, 3),
            "peak": np.where(unknown & (part == 1), np.nan, peak),
            "life_master_games": without(olm, 3),
            "at_least": np.where(bounds <= sum(Bound), bounds, 0),
            **floors,
        },
    )


def _levels_or_none(kind: FloorKind, floors: Array) -> Array:
    """Return multiples of 100 as *floors* of a kind, NaN where no rule of it gives such a level."""
    lowest, highest = LEVELS[kind]
    return np.where((floors >= lowest) & (floors <= highest), floors, np.nan)


def _foreign_ratings(chance: np.random.Generator, shape: Shape, strength: Array) -> Any:  # noqa: ANN401 - a table
    has = chance.random((shape.members, 2)) < np.array([0.05, 0.01])
    member, source = np.nonzero(has)
    lists = chance.integers(1, 4, len(member))
    member, source = np.repeat(member, lists), np.repeat(source, lists)
    day = chance.integers(shape.first_day.toordinal() - 300, shape.last_day.toordinal(), len(member))
    order = np.lexsort((day, source, member))
    member, source, day = member[order], source[order], day[order]
    rating = np.round(np.clip(strength[member] - 50 + chance.normal(0, 60, len(member)), 1000, 2800))
    return table_of(
        "foreign_ratings", {"member": member, "source": source, "list_date": day, "rating": rating}
    )


def _decisions(chance: np.random.Generator, shape: Shape, strength: Array) -> Any:  # noqa: ANN401 - a table
    has = chance.random((shape.members, SYSTEMS)) < np.array([1.0, 0.3, 0.1, 0.0, 0.1, 0.0]) * shape.decided
    member, system = np.nonzero(has)
    several = chance.integers(1, 4, len(member))
    member, system = np.repeat(member, several), np.repeat(system, several)
    count = len(member)
    day = chance.integers(shape.first_day.toordinal() - 100, shape.last_day.toordinal(), count)
    order = np.lexsort((day, system, member))
    member, system, day = member[order], system[order], day[order]
    kind = chance.choice(
        [FLOOR, FLOOR_LIFTED, CEILING, CEILING_LIFTED, INITIAL], count, p=[0.5, 0.15, 0.1, 0.05, 0.2]
    )
    level = strength[member] // 100 * 100
    value = np.where(kind == CEILING, level + 100.0, np.where(kind == INITIAL, level, level - 100.0))
    floor_kind = chance.integers(0, len(FLOOR_KINDS), count)
    value = np.maximum(value, 100.0)
    for place, of_kind in enumerate(FLOOR_KINDS):
        wrong = (kind == FLOOR) & (floor_kind == place) & np.isnan(_levels_or_none(of_kind, value))
        floor_kind[wrong] = MONEY_FLOOR
        value[wrong] = np.minimum(value[wrong], LEVELS[FloorKind.MONEY][1])
    rows = {
        "member": member,
        "system": system,
        "effective": day,
        "kind": kind,
        "floor_kind": floor_kind,
        "value": value,
        "games": np.where(kind == INITIAL, chance.choice([0.0, 5.0, 10.0], count), 0.0),
    }
    for more in (_marks(shape), _adjustments(shape, strength)):
        others = np.zeros(len(more["member"]))
        rows = {name: np.concatenate([values, more.get(name, others)]) for name, values in rows.items()}
    order = np.lexsort((rows["effective"], rows["system"], rows["member"]))
    return table_of("decisions", {name: values[order] for name, values in rows.items()})


def _marks(shape: Shape) -> dict[str, Array]:
    """Return opt-ins, opt-outs and flags of some members, from numbers of their own."""
    chance = np.random.default_rng((shape.seed, 2))
    member = np.flatnonzero(chance.random(shape.members) < 3.0 * shape.decided).repeat(3)
    count = len(member)
    day = chance.integers(shape.first_day.toordinal() - 100, shape.last_day.toordinal(), count)
    kinds = [OPT_IN, OPT_IN_LIFTED, USA_FLAG, USA_FLAG_LIFTED]
    return {"member": member, "effective": day, "kind": chance.choice(kinds, count, p=[0.35, 0.15, 0.2, 0.3])}


def _adjustments(shape: Shape, strength: Array) -> dict[str, Array]:
    """Return ratings that were adjusted, up and down, in the systems with most ratings; numbers of their own."""
    chance = np.random.default_rng((shape.seed, 3))
    member = np.flatnonzero(chance.random(shape.members) < shape.decided).repeat(2)
    count = len(member)
    day = chance.integers(shape.first_day.toordinal() - 100, shape.last_day.toordinal(), count)
    value = np.clip(strength[member] + chance.normal(0, 300, count), 100, 2900)
    return {
        "member": member,
        "system": chance.choice([0, 0, 1], count),
        "effective": day,
        "kind": np.full(count, RATING),
        "value": value,
    }


def _published_ratings(
    shape: Shape, sections: dict[str, Array], entries: dict[str, Array], first: Array
) -> Any:  # noqa: ANN401 - a table
    """Return ratings of the lists that were in effect when matches began, for their players only."""
    # Numbers of their own: the other tables of a seed do not depend on these.
    chance = np.random.default_rng((shape.seed, 1))
    match, system = np.nonzero(
        (sections["kind"] == MATCH)[:, None] & (sections["systems"][:, None] >> np.arange(SYSTEMS) & 1 == 1)
    )
    member = entries["member"][first[:-1][match][:, None] + np.arange(2)]
    months = np.array([date.fromordinal(day).replace(day=1).toordinal() for day in sections["start"][match]])
    count = len(match)
    # Any two of these are at most 400 points apart.
    rating = chance.integers(1300, 1701, (count, 2))
    games = np.full((count, 2), EMPTY_COUNT)
    listed = np.ones((count, 2), bool)
    draw = chance.random(count) / shape.ineligible if shape.ineligible else np.ones(count)
    rating[draw < 0.4, 0] += 1000
    games[(draw >= 0.4) & (draw < 0.8), 1] = 10
    listed[(draw >= 0.8) & (draw < 1.0), 0] = False
    keys = np.stack([member, np.repeat(system, 2).reshape(-1, 2), np.repeat(months, 2).reshape(-1, 2)])
    keys = keys.reshape(3, -1)[:, listed.reshape(-1)]
    # Sorted, and one row for who plays two matches in a month.
    (member, system, months), place = np.unique(keys, axis=1, return_index=True)
    return table_of(
        "published_ratings",
        {
            "member": member,
            "system": system,
            "list_date": months,
            "rating": rating[listed][place],
            "games": games[listed][place],
        },
    )
