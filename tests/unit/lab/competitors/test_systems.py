"""Systems against examples that their authors printed, and against their formulas worked out by hand."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from elote import EloCompetitor, Glicko2Competitor, GlickoCompetitor

from ratebook.lab.competitors.elo import Elo, FederationK, FideElo
from ratebook.lab.competitors.glicko import Glicko, Glicko2, Stephenson
from ratebook.lab.competitors.rating_system import (
    Entries,
    RatedMembers,
    RatingSystem,
    SectionGames,
    members_of,
)
from ratebook.replay.tables import EMPTY_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DAY = 735_000
"""In 2013."""
Q = math.log(10) / 400


def members(size: int, *, born: int = 0) -> RatedMembers:
    return RatedMembers(size, np.full(size, born))


def entries(*ratings: float, games: float = 100.0, k: float = 20.0, day: int = DAY) -> Entries:
    size = len(ratings)
    return Entries(
        np.arange(size), np.full(size, day), np.array(ratings), np.full(size, games), np.full(size, k)
    )


def against_all(scores: list[float], edge: float = 0.0) -> SectionGames:
    """Return the games of the first entry against the others."""
    count = len(scores)
    return SectionGames(
        np.zeros(count, "i8"), np.arange(1, count + 1), np.array(scores), np.full(count, edge)
    )


def rated(system: RatingSystem, who: Entries, games: SectionGames) -> float:
    """Return the rating of the first entry after a section."""
    system.begin(who)
    system.wait(who)
    system.play(who, games)
    return float(system.rating[0])


def expectancy(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


PLAYERS, ROUNDS = 8, 15


def rounds() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield who meets in each round, one against one, and what the first of each pair scores."""
    random = np.random.default_rng(1)
    for _ in range(ROUNDS):
        yield random.permutation(PLAYERS).reshape(-1, 2), random.choice([0.0, 0.5, 1.0], PLAYERS // 2)


RATINGS = [1200.0 + 130.0 * number for number in range(PLAYERS)]
DEVIATIONS = [40.0 + 35.0 * number for number in range(PLAYERS)]


def by_rounds(system: RatingSystem, days: int) -> RatingSystem:
    """Return a system that has rated the rounds, so many days apart, from the ratings and deviations above."""
    first = entries(*RATINGS)
    system.begin(first)
    if isinstance(system, Glicko):
        system.deviation[:] = DEVIATIONS
    for number, (pairs, scores) in enumerate(rounds()):
        now = entries(*RATINGS, day=DAY + days * number)
        system.wait(now)
        system.play(now, SectionGames(pairs[:, 0], pairs[:, 1], scores, np.zeros(len(pairs))))
    return system


def by_elote(players: Sequence[Any], **when: Callable[[int], datetime]) -> Sequence[Any]:
    """Return players of elote who have played the rounds, each game by itself, at the times that *when* tells."""
    for number, (pairs, scores) in enumerate(rounds()):
        moments = {name: time(number) for name, time in when.items()}
        for (player, other), score in zip(pairs.tolist(), scores.tolist(), strict=True):
            if score == 0.5:
                players[player].tied(players[other], **moments)
            else:
                winner, loser = (player, other) if score == 1.0 else (other, player)
                players[winner].beat(players[loser], **moments)
    return players


def test_elo_is_that_of_elote() -> None:
    players = by_elote([EloCompetitor(rating, k_factor=24.0) for rating in RATINGS])
    system = by_rounds(Elo(members(PLAYERS), k=24.0), 30)
    assert system.rating == pytest.approx([player.rating for player in players], abs=1e-9)


def test_glicko_is_that_of_elote(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its q has five digits, and its periods are days: both are set to ours."""
    for name, value in (("_q", Q), ("_c", 60.0), ("_rating_period_days", 365.2425)):
        monkeypatch.setattr(GlickoCompetitor, name, value)
    first = datetime(2013, 5, 1, tzinfo=UTC)
    players = by_elote(
        [GlickoCompetitor(*start) for start in zip(RATINGS, DEVIATIONS, strict=True)],
        match_time=lambda number: first + timedelta(days=30 * number),
    )
    system = by_rounds(Glicko(members(PLAYERS), c=60.0), 30)
    assert system.rating == pytest.approx([player.rating for player in players], abs=1e-9)
    assert system.deviation == pytest.approx([player.rd for player in players], abs=1e-9)


def test_glicko_2_is_that_of_elote(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round is a period: elote adds the new volatility with each game, and no more while its clock stands still."""
    monkeypatch.setattr(Glicko2Competitor, "_epsilon", 1e-12)
    players = by_elote(
        [Glicko2Competitor(*start) for start in zip(RATINGS, DEVIATIONS, strict=True)],
        match_time=lambda _: datetime(2013, 5, 1, tzinfo=UTC),
    )
    system = by_rounds(Glicko2(members(PLAYERS), tau=0.5, period=30.0), 30)
    assert isinstance(system, Glicko2)
    assert system.rating == pytest.approx([player.rating for player in players], abs=1e-4)
    assert system.deviation == pytest.approx([player.rd for player in players], abs=1e-4)
    assert system.volatility == pytest.approx([player.volatility for player in players], rel=1e-7)
    assert np.ptp(system.volatility) > 1e-5


def test_glicko_2_gives_what_its_author_printed() -> None:
    """M. E. Glickman, "Example of the Glicko-2 system": 1500, 200, 0.06 becomes 1464.06, 151.52, 0.05999."""
    who = entries(1500.0, 1400.0, 1550.0, 1700.0)
    system = Glicko2(members(4), tau=0.5)
    system.begin(who)
    system.deviation[:] = [200.0, 30.0, 100.0, 300.0]
    system.wait(who)
    assert system.deviation.tolist() == [200.0, 30.0, 100.0, 300.0]
    system.play(who, against_all([1.0, 0.0, 0.0]))
    assert system.rating[0] == pytest.approx(1464.06, abs=0.011)
    assert system.deviation[0] == pytest.approx(151.52, abs=0.011)
    assert system.volatility[0] == pytest.approx(0.05999, abs=0.00001)


def test_the_volatility_of_glicko_2_solves_the_equation_of_step_5() -> None:
    """Surprises of every size: the root is where the printed function changes its sign."""
    scores = [[1.0] * 8, [0.0] * 8, [1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 1.0, 0.0]]
    for number, score in enumerate(scores):
        who = entries(1900.0 - 300 * number, *[1700.0] * 8)
        system = Glicko2(members(9), tau=0.9)
        system.begin(who)
        system.deviation[:] = 60.0
        system.wait(who)
        variance = (60.0 * Q) ** 2
        factor = 1 / math.sqrt(1 + 3 * variance / math.pi**2)
        expected = 1 / (1 + math.exp(-factor * (200.0 - 300 * number) * Q))
        v = 1 / (8 * factor**2 * expected * (1 - expected))
        delta = v * factor * (sum(score) - 8 * expected)
        system.play(who, against_all(score))
        sign = []
        for x in (2 * math.log(system.volatility[0]) + off for off in (-1e-6, 1e-6)):
            known = variance + v + math.exp(x)
            top = math.exp(x) * (delta**2 - known) / (2 * known**2)
            sign.append(top - (x - 2 * math.log(0.06)) / 0.9**2)
        assert sign[0] > 0.0 > sign[1]


def test_glicko_2_grows_by_the_time_between_sections() -> None:
    who = entries(1500.0, 1500.0)
    system = Glicko2(members(2), period=30.0)
    system.begin(who)
    system.wait(who)
    system.deviation[:] = 50.0
    system.wait(entries(1500.0, 1500.0, day=DAY + 90))
    # The third period waits for the new volatility.
    assert system.deviation[0] == pytest.approx(math.sqrt(50.0**2 + 2 * (0.06 / Q) ** 2))


def test_stephenson_s_system_follows_its_printed_formula() -> None:
    """PlayerRatings, doc/ChessRatings.pdf, appendix."""
    c, h, b, pull = 30.0, 9.0, 3.0, 2.0
    who = entries(2100.0, 2000.0, 2250.0)
    system = Stephenson(members(3), c=c, h=h, b=b, pull=pull)
    system.begin(who)
    system.wait(who)
    system.deviation[:] = [80.0, 60.0, 120.0]
    later = entries(2100.0, 2000.0, 2250.0, day=DAY + 200)
    system.wait(later)
    v = [old**2 + c**2 * 200 / 365.2425 for old in (80.0, 60.0, 120.0)]
    system.play(later, against_all([1.0, 0.5], edge=25.0))
    k = [1 / math.sqrt(1 + 3 * Q**2 * own / math.pi**2) for own in v]
    e = [expectancy(k[1] * (2100 - 2000 + 25)), expectancy(k[2] * (2100 - 2250 + 25))]
    d = Q**2 * sum(k[at + 1] ** 2 * e[at] * (1 - e[at]) for at in range(2))
    after = 1 / (1 / (v[0] + h**2 * 2) + d)
    gained = k[1] * (1.0 - e[0] + b / 100) + k[2] * (0.5 - e[1] + b / 100)
    rating = 2100 + Q * after * gained + pull / 100 * ((2000 + 2250) / 2 - 2100)
    assert system.rating[0] == pytest.approx(rating, abs=1e-9)
    assert system.deviation[0] == pytest.approx(math.sqrt(after), abs=1e-9)


def test_stephenson_s_system_without_its_constants_is_glicko() -> None:
    who, games = entries(2100.0, 2000.0, 2250.0), against_all([1.0, 0.5], edge=25.0)
    plain = Stephenson(members(3), c=30.0, h=0.0, b=0.0, pull=0.0)
    assert rated(plain, who, games) == pytest.approx(rated(Glicko(members(3), c=30.0), who, games), abs=1e-9)


@pytest.mark.parametrize(
    ("rating", "games", "born", "k"),
    [
        (2000.0, 30.0, 0, 20.0),
        (2000.0, 29.0, 0, 40.0),
        (2000.0, math.inf, 1995, 40.0),
        (2000.0, math.inf, 1994, 20.0),
        (2300.0, math.inf, 1995, 20.0),
        (2400.0, 100.0, 0, 10.0),
        (2399.0, 100.0, 0, 20.0),
    ],
    ids=["30 games", "29 games", "18 this year", "19 this year", "18 and strong", "2400", "below 2400"],
)
def test_fide_s_k(rating: float, games: float, born: int, k: float) -> None:
    """FIDE Handbook B.02, 8.3.3: a win against an equal gains K / 2; the section ends in 2013."""
    who = entries(rating, rating, games=games)
    assert rated(FideElo(members(2, born=born)), who, against_all([1.0])) == pytest.approx(rating + k / 2)


def test_fide_s_k_is_at_most_700_divided_by_the_games_and_differences_count_up_to_400() -> None:
    who = entries(1500.0, *[1500.0] * 20, games=5.0)
    assert rated(FideElo(members(21)), who, against_all([1.0] * 20)) == pytest.approx(1500 + 35 * 10)
    far = entries(2300.0, 1500.0)
    assert rated(FideElo(members(2)), far, against_all([0.0])) == pytest.approx(2300 - 20 * 10 / 11)


def test_fide_s_k_stays_10_for_those_who_have_been_at_2400() -> None:
    who, system = entries(2396.0, 1900.0), FideElo(members(2))
    own = rated(system, who, against_all([1.0]))
    assert own == pytest.approx(2396 + 20 / 11)
    system.rating[0], own = 2399.0, 2399.0
    system.play(who, against_all([1.0]))
    own += 20 / 11
    assert system.rating[0] == pytest.approx(own)
    assert own > 2400
    for _ in range(2):
        system.play(who, against_all([0.0]))
        own -= 10 * 10 / 11
        assert system.rating[0] == pytest.approx(own)


def test_elo_counts_the_edge_of_white_and_the_federation_s_k_is_what_the_rules_used() -> None:
    who = entries(1600.0, 1500.0, k=27.5)
    wanted = 1600 + 32 * (1 - expectancy(135))
    assert rated(Elo(members(2), k=32.0), who, against_all([1.0], edge=35.0)) == pytest.approx(wanted)
    assert rated(FederationK(members(2)), who, against_all([1.0])) == pytest.approx(
        1600 + 27.5 * (1 - expectancy(100))
    )


def test_elo_s_k_falls_with_the_games_before_a_section() -> None:
    """K = 250 / (N + 5)^0.4: two games at once, then one; who is only known to be established has many."""
    system, who = Elo(members(3), k=250.0, games=5.0, power=0.4), entries(1500.0, 1500.0, 1500.0, games=0.0)
    assert rated(system, who, against_all([1.0, 1.0])) == pytest.approx(1500 + 250 / 5**0.4)
    before = system.rating.copy()
    system.play(who, against_all([0.0]))
    expected = expectancy(before[0] - before[1])
    assert system.rating[0] == pytest.approx(before[0] - 250 / 7**0.4 * expected)
    assert system.rating[1] == pytest.approx(before[1] + 250 / 6**0.4 * expected)
    established = rated(
        Elo(members(2), k=250.0, power=0.4), entries(1500.0, 1500.0, games=math.inf), against_all([1.0])
    )
    assert established == pytest.approx(1500 + 250 / 1000**0.4 / 2)


def test_years_of_birth_follow_from_days() -> None:
    days = np.array([date(1995, 12, 31).toordinal(), EMPTY_COUNT, date(1996, 1, 1).toordinal()])
    assert members_of(days).birth_years.tolist() == [1995, 0, 1996]
