"""The engine compiles as it stands, and the compiled form gives the same results to the last bit.

A throw-away compile: the functions that the engine marks are registered with Numba, one small driver is compiled around
them, and random sections go through both. The bulk replay does the same with its own driver, which every run compares
with the interpreted engine (tests/unit/replay/test_run.py); the drivers here are the soak's.
"""

from __future__ import annotations

import math
import random
import tomllib
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numba
import numpy as np
import pytest

from ratebook.model import System
from ratebook.rating.floors import NO_FLOOR, UNKNOWN
from ratebook.rating.formulas import COMPILABLE, NO_AGE, converted_fide, converted_fide_youth
from ratebook.rating.settlement import (
    DENIED,
    GRANTED,
    NO_CEILING,
    NOT_ANSWERED,
    SettlementColumns,
    settle_players,
)
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from ratebook.rating.step1 import NO_BIRTH_DATE, NO_RATING, SOURCES, SourceColumns, initial_rating
from ratebook.rating.steps import SectionColumns, rate_in_five_steps, rate_in_one_pass
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import load_rulebook
from support.builders import columns_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECTIONS = 400
FOREIGN_SECTIONS = 100

RULES = tuple(
    (on, system, rules_of(on, system))
    for on, system in (
        ("2002-06-01", System.REGULAR),
        ("2005-06-01", System.QUICK),
        ("2007-06-01", System.REGULAR),
        ("2009-06-01", System.QUICK),
        ("2012-09-01", System.REGULAR),
        ("2013-06-01", System.REGULAR),
        ("2014-06-01", System.BLITZ),
        ("2016-06-01", System.REGULAR),
        ("2016-06-01", System.ONLINE_QUICK),
        ("2016-06-01", System.ONLINE_BLITZ),
        ("2021-06-01", System.REGULAR),
        ("2021-06-01", System.ONLINE_QUICK),
        ("2024-06-01", System.QUICK),
        ("2025-06-01", System.REGULAR),
        ("2025-06-01", System.ONLINE_BLITZ),
        ("2025-06-01", System.ONLINE_REGULAR),
    )
)
"""Both eras of every rule whose shape changed: initial method, effective games, stored precision, half K, floors."""
LEAGUES = tuple(
    load_rulebook().with_overlay_file(tomllib.loads(text)).in_force(System.REGULAR, date(2025, 6, 1))
    for text in (
        """
        initial_method.values = [{ from = 2025-01-01, is = "constant" }]
        initial_constant.values = [{ from = 2025-01-01, is = 800 }]
        special_most_games.values = [{ from = 2025-01-01, is = "off" }]
        special_reach.values = [{ from = 2025-01-01, is = 250 }]
        bonus_multiplier.values = [{ from = 2025-01-01, is = "off" }]
        opponent_ratings.values = [{ from = 2025-01-01, is = "before" }]
        expectancy.values = [{ from = 2025-01-01, is = "linear" }]
        stored_precision.values = [{ from = 2025-01-01, is = "integer-nearest" }]
        plain_k_1.values = [{ from = 2025-01-01, is = {k = 32}}]
        """,
        """
        special_most_games.values = [{ from = 2025-01-01, is = "off" }]
        expectancy.values = [{ from = 2025-01-01, is = "fide-table" }]
        expectancy_most_difference.values = [{ from = 2025-01-01, is = 400 }]
        k_times_games_most.values = [{ from = 2025-01-01, is = 300 }]
        plain_k_1.values = [{ from = 2025-01-01, is = {k = 40, games_below = 30}}]
        plain_k_2.values = [{ from = 2025-01-01, is = {k = 40, rating_below = 2300, age_below = 18}}]
        plain_k_3.values = [{ from = 2025-01-01, is = {k = 20, rating_below = 2400}}]
        plain_k_4.values = [{ from = 2025-01-01, is = {k = 10}}]
        """,
        """
        effective_games.values = [{ from = 2025-01-01, is = "off" }]
        expectancy.values = [{ from = 2025-01-01, is = "normal" }]
        """,
        """
        opponent_ratings.values = [{ from = 2025-01-01, is = "before" }]
        expectancy_most_difference.values = [{ from = 2025-01-01, is = 350 }]
        """,
    )
)
"""Rules of the shapes that US Chess does not have; with the special formula and without it."""
RULES += tuple(("2025-06-01", System.REGULAR, rules) for rules in LEAGUES for _ in range(2))


TABLED = tuple(("K", k) for k in (32.0, 40.0, 20.0, 10.0, 33.0))
"""K of the tables above; 33 is cut, 300 over nine games."""

Columns = TypeVar("Columns", SourceColumns, SectionColumns, SettlementColumns)


class Case(NamedTuple):
    """The arguments of one run of the driver."""

    rules: RulesInForce
    half_k: int
    dual_rated: int
    is_match: int
    end_day: float
    unrated: list[int]
    sources: SourceColumns
    columns: SectionColumns
    settlement: SettlementColumns


def rate_a_section(  # noqa: PLR0913, PLR0917 - the columns of one section, as the bulk replay hands them over
    rules: Any,  # noqa: ANN401 - a NamedTuple interpreted, a record of a NumPy array compiled
    half_k: int,
    dual_rated: int,
    is_match: int,
    end_day: float,
    unrated: Sequence[int],
    sources: SourceColumns,
    columns: SectionColumns,
    settlement: SettlementColumns,
) -> None:
    """Run Step 1 for those who need it, the five steps, and what follows them."""
    for player in range(len(unrated)):
        if unrated[player]:
            rating, games, _ = initial_rating(rules, sources, player, end_day)
            columns.rating[player] = rating
            columns.games[player] = games
            columns.newcomer[player] = 1 if games == 0.0 else 0
    rate_in_five_steps(rules, half_k, dual_rated, is_match, columns)
    settle_players(rules, is_match, columns, settlement)


def rate_a_foreign_event(
    rules: Any,  # noqa: ANN401 - a NamedTuple interpreted, a record of a NumPy array compiled
    youth: int,
    updated: int,
    columns: SectionColumns,
) -> None:
    """Convert the opponents' ratings and rate against them once."""
    for player in range(updated, len(columns.rating)):
        if youth:
            columns.rating[player] = converted_fide_youth(rules, columns.rating[player])
        else:
            columns.rating[player] = converted_fide(rules, columns.rating[player])
    rate_in_one_pass(rules, 0, 0, columns)


def random_rating(source: random.Random) -> float:
    """Return a rating: often anything, sometimes round or far out, so that knots and boundaries are met."""
    kind = source.random()
    if kind < 0.15:
        return float(source.choice((100, 400, 500, 900, 1300, 1700, 2100, 2200, 2355, 2500, 2700, 2800)))
    if kind < 0.3:
        return float(source.randint(100, 2900))
    return source.uniform(100.0, 2900.0)


def random_pairings(source: random.Random, players: int) -> tuple[list[int], list[int], list[float]]:
    """Return first_game, opponent and score of a section in which some games repeat and a few are one-sided."""
    games: list[list[tuple[int, float]]] = [[] for _ in range(players)]
    for _ in range(source.randint(1, 7)):
        order = list(range(players))
        source.shuffle(order)
        for seat, other in zip(order[::2], order[1::2], strict=False):
            if source.random() < 0.15:
                continue
            score = source.choice((0.0, 0.5, 1.0, 1.0))
            for _ in range(source.choice((1, 1, 1, 1, 2, 3))):
                games[seat].append((other, score))
                if source.random() < 0.97:
                    games[other].append((seat, 1.0 - score))
    first = [0]
    for own in games:
        first.append(first[-1] + len(own))
    return first, [game[0] for own in games for game in own], [game[1] for own in games for game in own]


def source_columns(source: random.Random, players: int, end_day: float) -> SourceColumns:
    """Return random other ratings, birth days and the rest of what Step 1 may start from."""
    size = players * SOURCES
    known = [source.random() < 0.3 for _ in range(size)]
    return SourceColumns(
        rating=[random_rating(source) if one else NO_RATING for one in known],
        games=[source.choice((0.0, 2.0, 3.0, 4.0, 7.5, 12.0, 26.0, 300.0, math.inf)) for _ in range(size)],
        day=[end_day - source.choice((0, 10, 400, 3000, -5)) for _ in range(size)],
        birth_day=[
            NO_BIRTH_DATE if source.random() < 0.2 else end_day - float(source.randint(200, 20000))
            for _ in range(players)
        ],
        adult=[source.randint(0, 1) for _ in range(players)],
        canadian=[source.randint(0, 1) for _ in range(players)],
        converted=[0.0] * size,
        factor=[0.0] * size,
        staleness_days=[0.0] * size,
        age_rating=[0.0] * size,
        strength=[0.0] * size,
        staleness=[0.0] * size,
        weight=[0.0] * size,
    )


def settlement_columns(source: random.Random, players: int) -> SettlementColumns:
    """Return random counts, peaks, entered floors, ceilings and match windows."""

    def now_and_then(chance: float, value: Callable[[], float], otherwise: float) -> list[float]:
        return [value() if source.random() < chance else otherwise for _ in range(players)]

    inputs: dict[str, list[Any]] = {
        "peak": now_and_then(0.5, lambda: random_rating(source), UNKNOWN),
        "wins": now_and_then(0.6, lambda: float(source.randint(0, 20)), UNKNOWN),
        "draws": now_and_then(0.8, lambda: float(source.randint(0, 20)), UNKNOWN),
        "long_sections": now_and_then(0.8, lambda: float(source.randint(0, 20)), UNKNOWN),
        "olm_games": now_and_then(0.3, lambda: float(source.choice((299, 300, 301))), UNKNOWN),
        "first": [source.randint(0, 1) for _ in range(players)],
        "lowered": now_and_then(0.1, lambda: 100.0 * source.randint(10, 20), NO_FLOOR),
        "entered": now_and_then(0.1, lambda: 100.0 * source.randint(1, 20), NO_FLOOR),
        "ceiling": now_and_then(0.1, lambda: 100.0 * source.randint(10, 25), NO_CEILING),
        "net_short": now_and_then(0.3, lambda: source.uniform(-110.0, 110.0), 0.0),
        "net_long": now_and_then(0.3, lambda: source.uniform(-210.0, 210.0), 0.0),
        "request": [source.choice((NOT_ANSWERED, GRANTED, GRANTED, DENIED)) for _ in range(players)],
    }
    assert inputs.keys() <= set(SettlementColumns._fields)
    kinds = SettlementColumns.__annotations__
    return SettlementColumns._make(
        inputs.get(name, [0] * players if "int" in str(kinds[name]) else [0.0] * players)
        for name in SettlementColumns._fields
    )


def random_case(seed: int) -> Case:
    """Return one random section: newcomers, special and standard players, floors, matches, half K, both eras."""
    source = random.Random(seed)  # noqa: S311 - seeded sections, not secrets
    _, _, rules = RULES[seed % len(RULES)]
    players = source.choice((2, 2, 3, 4, 6, 12, 30))
    end_day = 738000.0 + source.randint(0, 400)
    unrated = [1 if source.random() < 0.25 else 0 for _ in range(players)]
    columns = columns_of(
        [random_rating(source) for _ in range(players)],
        [
            source.choice((1.0, 3.0, 6.5, 8.0, 8.5, 9.0, 20.0, 26.0, 50.0, 1000.0, math.inf))
            for _ in range(players)
        ],
        random_pairings(source, players),
        record=[source.choice((MIXED, MIXED, MIXED, ALL_WINS, ALL_LOSSES)) for _ in range(players)],
        several_seats=[source.choice((0, 0, 0, 1)) for _ in range(players)],
        ages=[source.choice((NO_AGE, 8.5, 17.99, 18.0, 40.0)) for _ in range(players)],
    )
    return Case(
        rules=rules,
        half_k=1 if rules.half_k_numerator > 0 and source.random() < 0.3 else 0,
        dual_rated=source.randint(0, 1),
        is_match=1 if players == 2 and source.random() < 0.6 else 0,
        end_day=end_day,
        unrated=unrated,
        sources=source_columns(source, players, end_day),
        columns=columns,
        settlement=settlement_columns(source, players),
    )


def rules_record(rules: RulesInForce) -> Any:  # noqa: ANN401 - NumPy is optional and untyped here
    """Return the rules as a row of a record array, integers as integers."""
    kinds = RulesInForce.__annotations__
    dtype = np.dtype(
        [(name, np.int64 if kinds[name] is int else np.float64) for name in RulesInForce._fields]
    )
    return np.array([tuple(rules)], dtype=dtype).view(np.recarray)[0]


def as_array(values: Sequence[float], name: str, kind: type) -> Any:  # noqa: ANN401 - NumPy is optional here
    """Return a column as an array of the type that its annotation names."""
    annotation = str(kind.__annotations__[name])
    dtype = np.int64 if "int" in annotation else np.float64
    return np.array(values, dtype=dtype)


def as_arrays(columns: Columns) -> Columns:
    """Return the same tuple with arrays in place of lists."""
    kind = type(columns)
    return kind._make(as_array(values, name, kind) for name, values in columns._asdict().items())


def differing_columns(interpreted: Any, compiled: Any) -> list[str]:  # noqa: ANN401 - any of the three tuples
    """Return the names of the columns that are not the same bytes."""
    kind = type(interpreted)
    return [
        name
        for name, values in interpreted._asdict().items()
        if as_array(values, name, kind).tobytes() != getattr(compiled, name).tobytes()
    ]


@pytest.fixture(scope="module")
def compiled() -> dict[str, Callable[..., None]]:
    """Register every marked function with Numba and compile the two drivers."""
    from ratebook.replay.engine.registration import register_engine  # noqa: PLC0415 - Numba is optional

    register_engine()
    return {"section": numba.njit(rate_a_section), "foreign": numba.njit(rate_a_foreign_event)}


@pytest.mark.soak
def test_compiled_sections_equal_interpreted_ones_to_the_last_bit(
    compiled: dict[str, Callable[..., None]],
) -> None:
    seen: set[object] = set()
    for seed in range(SECTIONS):
        case = random_case(seed)
        arrays = (as_arrays(case.sources), as_arrays(case.columns), as_arrays(case.settlement))
        compiled["section"](
            rules_record(case.rules),
            case.half_k,
            case.dual_rated,
            case.is_match,
            case.end_day,
            np.array(case.unrated, dtype=np.int64),
            *arrays,
        )
        rate_a_section(*case)
        for interpreted, array in zip((case.sources, case.columns, case.settlement), arrays, strict=True):
            assert differing_columns(interpreted, array) == [], f"seed {seed}, {RULES[seed % len(RULES)][:2]}"
        seen |= set(case.columns.formula)
        seen |= {f"floor {kind}" for kind in case.settlement.floor_kind}
        seen |= {"newcomer"} if any(case.columns.newcomer) else set()
        seen |= {("K", k) for k in case.columns.k} & set(TABLED)
        seen |= {"bonus"} if any(case.columns.bonus) else set()
        seen |= {"match"} if case.is_match else set()
        seen |= {"half K"} if case.half_k else set()
        seen |= {"request"} if any(case.settlement.request_open) else set()
        seen |= {"lowered"} if any(to > 0 for to in case.settlement.lowered_to) else set()
        seen |= {"ceiling"} if any(case.settlement.ceiling_applied) else set()
    wanted: set[object] = {0, 1, 2, *(f"floor {kind}" for kind in range(6))}
    wanted |= {*TABLED, "newcomer", "bonus", "match", "half K", "request", "lowered", "ceiling"}
    assert seen >= wanted, "the random sections missed a branch"


@pytest.mark.soak
def test_compiled_foreign_events_equal_interpreted_ones_to_the_last_bit(
    compiled: dict[str, Callable[..., None]],
) -> None:
    for seed in range(FOREIGN_SECTIONS):
        source = random.Random(seed)  # noqa: S311 - seeded sections, not secrets
        _, _, rules = RULES[seed % len(RULES)]
        players = source.randint(2, 12)
        columns = columns_of(
            [random_rating(source) for _ in range(players)],
            [source.choice((9.0, 26.0, 400.0, math.inf)) for _ in range(players)],
            random_pairings(source, players),
        )
        youth, updated = source.randint(0, 1), source.randint(1, players - 1)
        arrays = as_arrays(columns)
        compiled["foreign"](rules_record(rules), youth, updated, arrays)
        rate_a_foreign_event(rules, youth, updated, columns)
        assert differing_columns(columns, arrays) == [], f"seed {seed}"


def test_every_function_that_the_drivers_need_is_marked() -> None:
    """A formula that is not marked would fail to compile in the bulk replay only."""
    names = {function.__name__ for function in COMPILABLE}
    assert len(names) == len(COMPILABLE), "two marked functions share a name"
    assert names >= {
        "strength",
        "expected_of_strengths",
        "expected_score",
        "provisional_expected_score",
        "most_effective_games",
        "k_factor",
        "special_rating",
        "root_nearby",
        "nearest_root",
        "initial_rating",
        "rate_newcomers",
        "rate_in_five_steps",
        "rate_in_one_pass",
        "settle_players",
        "limited_change",
        "stored_rating",
    }


def test_the_comparison_sees_a_single_bit(compiled: dict[str, Callable[..., None]]) -> None:
    """Without this, a comparison of nothing would pass too."""
    case = random_case(3)
    arrays = as_arrays(case.columns)
    assert differing_columns(case.columns, arrays) == []
    case.columns.rating[0] = math.nextafter(case.columns.rating[0], math.inf)
    assert differing_columns(case.columns, arrays) == ["rating"]
    assert set(compiled) == {"section", "foreign"}
