"""What holds for every section, whatever it looks like.

The special formula and the five steps are compared with ``reference``, which is written from the documents and shares
no code with the engine.
"""

from __future__ import annotations

import math
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from properties.special_cases import Special, plain_ratings, special_cases
from ratebook.model import (
    Cell,
    Entry,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Section,
    SectionType,
    System,
)
from ratebook.rating.formulas import expected_score, provisional_expected_score
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED, special_rating
from ratebook.rating.steps import SectionColumns, rate_in_one_pass
from support import reference
from support.builders import columns_of, rate, rules_of
from support.counted_work import FOURFOLD, growth_of
from support.whole_run import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.rating.results import RatedSection
    from ratebook.rules.in_force import RulesInForce

RULES = rules_of("2024-06-01")
RECORDS = {MIXED: reference.MIXED, ALL_WINS: reference.WINS, ALL_LOSSES: reference.LOSSES}
CAP = 2700.0
WITHIN_TOLERANCE = 4e-4
"""f counts as zero within 1e-7 of a game: up to 8e-5 / slope weight points, the least weight here is 0.25."""


# The special formula


def by_engine(case: Special) -> float:
    return special_rating(
        RULES,
        case.rating,
        case.prior_games,
        case.record,
        case.score,
        list(case.opponents),
        len(case.opponents),
    )


def by_reference(case: Special) -> float:
    return reference.special(case.rating, case.prior_games, RECORDS[case.record], case.opponents, case.score)


@pytest.mark.statement("A1", "A2", "A3", "F1", "F2", "F3", "F4", "F5", "Q1", "Q2", "Q3")
@examples(160)
@given(special_cases())
@example(Special(1300.0, 0.0, MIXED, (1665.6806660053724,), 1.0))
@example(Special(1300.0, 0.0, MIXED, (500.0, 600.0), 2.0))
@example(Special(400.0, 0.0, MIXED, (1500.0, 1600.0), 0.0))
@example(Special(1300.0, 0.0, MIXED, (1000.0, 2000.0), 1.0))
@example(Special(1550.0, 0.0, MIXED, (1000.0, 1000.0, 2000.0, 3000.0), 2.0))
@example(Special(1300.0, 0.0, MIXED, (383.0, 2400.0), 0.5))
@example(Special(1700.0, 4.0, ALL_WINS, (1200.0, 1250.0), 2.0))
@example(Special(900.0, 4.0, ALL_LOSSES, (1500.0, 1400.0), 0.0))
@example(Special(1500.0, 8.0, MIXED, (1500.0,) * 24, 12.0))
def test_the_special_rating_is_the_root_nearest_to_the_prior_rating(case: Special) -> None:
    assert by_engine(case) == pytest.approx(by_reference(case), abs=WITHIN_TOLERANCE)


@pytest.mark.statement("A1", "F4", "Q1", "Q3")
@examples(80)
@given(special_cases())
def test_the_special_rating_is_what_the_documented_iteration_finds_from_the_prior_rating(
    case: Special,
) -> None:
    by_iteration = reference.special_by_iteration(
        case.rating,
        case.prior_games,
        RECORDS[case.record],
        case.opponents,
        case.score,
        start_closed_form=False,
    )
    assert by_engine(case) == pytest.approx(by_iteration, abs=1e-3)


@pytest.mark.statement("F6", "A1")
@examples(100)
@given(special_cases())
def test_winning_every_game_never_lowers_a_special_rating(case: Special) -> None:
    won = case._replace(score=float(len(case.opponents)))
    assert by_engine(won) >= min(case.rating, CAP)


@pytest.mark.statement("F6", "A1")
@examples(100)
@given(special_cases())
@example(Special(1000.0, 1.0, MIXED, (1400.00004,), 0.0))
def test_losing_every_game_never_raises_a_special_rating(case: Special) -> None:
    lost = case._replace(score=0.0)
    assert by_engine(lost) <= case.rating


@pytest.mark.statement("F6")
@examples(60)
@given(special_cases())
def test_a_higher_score_never_gives_a_lower_special_rating(case: Special) -> None:
    ratings = [by_engine(case._replace(score=halves / 2)) for halves in range(2 * len(case.opponents) + 1)]
    assert ratings == sorted(ratings)


@pytest.mark.statement("F5")
@given(special_cases())
def test_no_special_rating_exceeds_2700(case: Special) -> None:
    assert by_engine(case) <= CAP


finite = st.floats(-1e6, 1e6, allow_nan=False, allow_infinity=False)


@pytest.mark.statement("A2", "Q3")
@examples(80)
@given(
    finite,
    st.floats(0.0, 1e4),
    st.sampled_from((MIXED, ALL_WINS, ALL_LOSSES)),
    st.lists(finite, min_size=1, max_size=20),
    st.floats(0.0, 1.0),
)
def test_no_input_makes_the_special_formula_loop_or_raise(
    rating: float, prior_games: float, record: int, opponents: list[float], share: float
) -> None:
    result = special_rating(
        RULES, rating, prior_games, record, share * len(opponents), opponents, len(opponents)
    )
    assert math.isfinite(result)


@pytest.mark.statement("A2", "Q3")
@pytest.mark.parametrize("games", [2000, 20000])
@pytest.mark.parametrize("spread", [0.0, 1e-9, 0.37, 400.0, 800.0])
def test_thousands_of_games_are_solved_exactly_and_at_once(games: int, spread: float) -> None:
    opponents = [1000.0 + spread * (number % 3) for number in range(games)]
    case = Special(1250.0, 5.5, MIXED, tuple(opponents), float(games // 3))
    assert by_engine(case) == pytest.approx(by_reference(case), abs=WITHIN_TOLERANCE)
    fewer = case._replace(opponents=case.opponents[::4], score=case.score / 4)
    assert growth_of(by_engine, fewer, case) < FOURFOLD


@pytest.mark.statement("A2")
@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_opponents_does_not_change_a_bit(order: int) -> None:
    opponents = (1500.1, 1700.7, 1100.3, 1500.1, 900.9)
    one = by_engine(Special(1412.3, 3.0, MIXED, opponents, 2.5))
    assert by_engine(Special(1412.3, 3.0, MIXED, opponents[::order], 2.5)).hex() == one.hex()


# Expected scores


@pytest.mark.statement("G1")
@given(plain_ratings, plain_ratings)
def test_the_expected_scores_of_a_pair_add_up_to_one(one: float, other: float) -> None:
    assert expected_score(RULES, one, other) + expected_score(RULES, other, one) == pytest.approx(
        1.0, abs=1e-12
    )


@pytest.mark.statement("F1")
@given(plain_ratings, plain_ratings)
@example(1300.0, 1700.0)
@example(2065.6806660053724, 1665.6806660053724)
def test_the_provisional_expected_scores_of_a_pair_add_up_to_one(one: float, other: float) -> None:
    total = provisional_expected_score(RULES, one, other) + provisional_expected_score(RULES, other, one)
    assert total == pytest.approx(1.0, abs=1e-12)
    exact = reference.expectancy_of_special(Fraction(one), Fraction(other))
    assert provisional_expected_score(RULES, one, other) == pytest.approx(float(exact), abs=1e-12)


# Whole sections


class Played(NamedTuple):
    """A random section: who starts with what, and each round's pairings (one index, another, score of the first)."""

    starts: tuple[Rating | InitialRating | None, ...]
    rounds: tuple[tuple[tuple[int, int, float], ...], ...]


@st.composite
def starts(draw: st.DrawFn) -> Rating | InitialRating | None:
    kind = draw(st.sampled_from(("rated", "rated", "rated", "few", "unbroken", "initial", "unrated")))
    rating = draw(plain_ratings)
    if kind == "rated":
        return Rating(rating, draw(st.sampled_from((9.0, 20.0, 26.0, 100.0, None))))
    if kind == "few":
        return Rating(rating, float(draw(st.integers(1, 8))))
    if kind == "unbroken":
        record = draw(st.sampled_from((Record.WINS, Record.LOSSES)))
        return Rating(rating, float(draw(st.integers(1, 12))), record=record)
    if kind == "initial":
        return InitialRating(rating, draw(st.sampled_from((0, 3, 10))))
    return None


@st.composite
def sections(draw: st.DrawFn) -> Played:
    players = draw(st.integers(2, 9))
    rounds = []
    for _ in range(draw(st.integers(1, 5))):
        order = draw(st.permutations(range(players)))
        pairs = list(zip(order[::2], order[1::2], strict=False))
        kept = [pair for pair in pairs if draw(st.integers(0, 5))]
        rounds.append(tuple((one, other, draw(st.sampled_from((0.0, 0.5, 1.0)))) for one, other in kept))
    return Played(tuple(draw(starts()) for _ in range(players)), tuple(rounds))


LETTERS = {1.0: "W", 0.5: "D", 0.0: "L"}


def as_section(
    played: Played,
    seats: Sequence[int],
    keys: Sequence[str],
    order: Sequence[int],
    *,
    on: date = date(2024, 6, 1),
) -> tuple[Section, dict[str, PlayerFacts]]:
    """Return the section with these seat numbers and player keys, its entries written down in this order."""
    cells: list[list[Cell]] = [[Cell()] * len(played.rounds) for _ in played.starts]
    for number, pairings in enumerate(played.rounds):
        for one, other, score in pairings:
            cells[one][number] = Cell(LETTERS[score], seats[other], "")
            cells[other][number] = Cell(LETTERS[1.0 - score], seats[one], "")
    entries = tuple(Entry(seats[at], keys[at], tuple(cells[at])) for at in order)
    facts = {}
    for key, start in zip(keys, played.starts, strict=True):
        facts[key] = PlayerFacts(
            id=key,
            ratings={System.REGULAR: start} if isinstance(start, Rating) else {},
            initial={System.REGULAR: start} if isinstance(start, InitialRating) else {},
        )
    return Section(1, "", on, on, "G/90;d5", SectionType.SWISS, False, False, False, entries), facts


def rate_played(played: Played, rules: RulesInForce = RULES) -> RatedSection:
    size = range(len(played.starts))
    section, facts = as_section(played, [at + 1 for at in size], [str(at) for at in size], list(size))
    return rate(facts, section, rules=rules)


def exact_results(rated: RatedSection) -> dict[str, str | None]:
    """Return each player's rating after the section to the last bit."""
    return {one.player: None if one.after is None else one.after.rating.hex() for one in rated.entries}


@examples(30)
@given(sections(), st.data())
def test_other_names_and_seats_change_no_bit(played: Played, data: st.DataObject) -> None:
    size = len(played.starts)
    plain, plain_facts = as_section(
        played, list(range(1, size + 1)), [f"P{at}" for at in range(size)], list(range(size))
    )
    seats = data.draw(st.permutations(range(11, 11 + size)))
    keys = [f"member {number}" for number in data.draw(st.permutations(range(size)))]
    order = data.draw(st.permutations(range(size)))
    moved, moved_facts = as_section(played, seats, keys, order)
    before = exact_results(rate(plain_facts, plain))
    after = exact_results(rate(moved_facts, moved))
    assert [after[keys[at]] for at in range(size)] == [before[f"P{at}"] for at in range(size)]


@examples(30)
@given(sections(), st.data())
def test_the_order_of_rounds_matters_less_than_a_billionth(played: Played, data: st.DataObject) -> None:
    shuffled = played._replace(rounds=tuple(data.draw(st.permutations(played.rounds))))
    for entry, other in zip(rate_played(played).entries, rate_played(shuffled).entries, strict=True):
        assert (entry.after is None) == (other.after is None)
        if entry.after is not None and other.after is not None:
            assert entry.after.rating == pytest.approx(other.after.rating, abs=1e-9)


@given(sections())
def test_the_same_section_gives_the_same_bits_again(played: Played) -> None:
    first, second = rate_played(played), rate_played(played)
    assert exact_results(first) == exact_results(second)
    assert first.entries == second.entries
    assert first.columns == second.columns


@pytest.mark.statement("L1", "A9")
@given(sections())
def test_nobody_falls_below_the_floor_and_nobody_without_a_game_moves(played: Played) -> None:
    rated = rate_played(played)
    for at, entry in enumerate(rated.entries):
        if entry.workings is None:
            assert entry.after is None or entry.after.rating == entry.before.rating
            continue
        assert entry.after is not None
        assert entry.after.rating >= max(100.0, rated.settlement.floor[at])
        assert entry.workings.step5 >= 100.0


@examples(20)
@given(sections())
def test_a_section_does_not_change_the_facts_it_was_given(played: Played) -> None:
    size = range(len(played.starts))
    section, facts = as_section(played, [at + 1 for at in size], [str(at) for at in size], list(size))
    copy = dict(facts)
    rate(facts, section)
    assert facts == copy


EDITIONS = {
    # Printed in D25 section 8 and in docs/rules/readings.md#2-dated-values, not read from the program's timeline.
    "2002-06-01": reference.Edition(bonus=10, new_effective_games=False),
    "2010-06-01": reference.Edition(bonus=6, new_effective_games=False),
    "2013-01-01": reference.Edition(bonus=8, new_effective_games=False),
    "2013-06-01": reference.Edition(bonus=8, new_effective_games=True),
    "2014-06-01": reference.Edition(bonus=10, new_effective_games=True),
    "2016-06-01": reference.Edition(bonus=12, new_effective_games=True),
    "2018-06-01": reference.Edition(bonus=14, new_effective_games=True),
    "2024-06-01": reference.Edition(bonus=12, new_effective_games=True),
    "2025-06-01": reference.Edition(bonus=10, new_effective_games=True),
}


def as_reference(played: Played) -> list[reference.Player]:
    """Return the players of a section as the reference takes them; the unrated without birth date start at 750."""
    games: list[list[tuple[int, float]]] = [[] for _ in played.starts]
    for pairings in played.rounds:
        for one, other, score in pairings:
            games[one].append((other, score))
            games[other].append((one, 1.0 - score))
    known = []
    for start, own in zip(played.starts, games, strict=True):
        if isinstance(start, Rating):
            record = start.record.value if start.record else reference.MIXED
            count = math.inf if start.games is None else start.games
            known.append(reference.Player(start.rating, count, tuple(own), unrated=False, record=record))
        elif isinstance(start, InitialRating):
            known.append(reference.Player(start.rating, start.games, tuple(own), unrated=True))
        else:
            known.append(reference.Player(750.0, 0.0, tuple(own), unrated=True))
    return known


@pytest.mark.statement(
    "P1",
    "P2",
    "P3",
    "P4",
    "P5",
    "P6",
    "P7",
    "E1",
    "E2",
    "E3",
    "G1",
    "G2",
    "G4",
    "A1",
    "A3",
    "A4",
    "A5",
    "A6",
    "A9",
    "B1",
)
@examples(60)
@given(sections(), st.sampled_from(sorted(EDITIONS)))
def test_the_five_steps_are_those_of_an_independent_reference(played: Played, on: str) -> None:
    steps = reference.five_steps(as_reference(played), EDITIONS[on])
    rated = rate_played(played, rules_of(on))
    for at, entry in enumerate(rated.entries):
        if entry.workings is None:
            assert not any(at in pairing[:2] for pairings in played.rounds for pairing in pairings)
            continue
        assert entry.workings.step3 == (
            None if steps.step3[at] is None else pytest.approx(steps.step3[at], abs=WITHIN_TOLERANCE)
        )
        # A difference within the tolerance of Step 3 reaches the later steps, never enlarged more than a few times.
        assert entry.workings.step4 == pytest.approx(steps.step4[at], abs=5 * WITHIN_TOLERANCE)
        assert entry.workings.step5 == pytest.approx(steps.step5[at], abs=25 * WITHIN_TOLERANCE)


# Opponents whose ratings are held


def one_against(
    rating: float, games: float, opponents: Sequence[int], ratings: Sequence[float], scores: Sequence[float]
) -> SectionColumns:
    """Return the columns of one player against opponents without games of their own."""
    first = [0] + [len(opponents)] * (1 + len(ratings))
    pairings = (first, [1 + opponent for opponent in opponents], scores)
    return columns_of([rating, *ratings], [games] + [0.0] * len(ratings), pairings)


@pytest.mark.statement("G4")
@examples(45)
@given(
    plain_ratings,
    st.sampled_from((9.0, 26.0, 300.0, math.inf)),
    st.lists(plain_ratings, min_size=1, max_size=5),
    st.data(),
    st.sampled_from(sorted(EDITIONS)),
)
def test_a_higher_score_never_gives_a_lower_standard_rating(
    rating: float, games: float, ratings: list[float], data: st.DataObject, on: str
) -> None:
    opponents = data.draw(st.lists(st.integers(0, len(ratings) - 1), min_size=1, max_size=8))
    scores = data.draw(
        st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=len(opponents), max_size=len(opponents))
    )
    better = data.draw(st.integers(0, len(opponents) - 1))
    assume(scores[better] < 1.0)
    rules = rules_of(on)
    columns = one_against(rating, games, opponents, ratings, scores)
    rate_in_one_pass(rules, 0, 0, columns)
    scores[better] += 0.5
    improved = one_against(rating, games, opponents, ratings, scores)
    rate_in_one_pass(rules, 0, 0, improved)
    assert improved.step5[0] >= columns.step5[0]
    if columns.step5[0] > 100.0:
        assert improved.step5[0] > columns.step5[0]


@pytest.mark.statement("G4")
@given(plain_ratings, st.lists(plain_ratings, min_size=1, max_size=8))
def test_winning_everything_never_lowers_and_losing_everything_never_raises_a_standard_rating(
    rating: float, ratings: list[float]
) -> None:
    opponents = range(len(ratings))
    won = one_against(rating, 50.0, opponents, ratings, [1.0] * len(ratings))
    rate_in_one_pass(RULES, 0, 0, won)
    assert won.step5[0] >= rating
    lost = one_against(rating, 50.0, opponents, ratings, [0.0] * len(ratings))
    rate_in_one_pass(RULES, 0, 0, lost)
    assert lost.step5[0] <= rating
