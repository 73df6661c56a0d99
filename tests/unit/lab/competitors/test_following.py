"""Competitors against a plain program that rates section by section, and against what they may not know."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl
import pytest

from ratebook.lab.cells.cell import run_cell
from ratebook.lab.cells.forecasts import ratings_before, rows_of
from ratebook.lab.cells.measures import Measures
from ratebook.lab.cells.scores import scores_of
from ratebook.lab.competitors.competitor import LIST as OFFICIAL
from ratebook.lab.competitors.competitor import Competitor
from ratebook.lab.competitors.following import follower_of
from ratebook.lab.competitors.order import turns_of
from ratebook.lab.competitors.rating_system import members_of
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import World
from ratebook.replay.run import Options, Run, replay
from ratebook.replay.tables import SCHEMAS, History
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.lab.cells.content import CellContent

WORLD = World(years=4, members=90, arrivals=15, children=0.4, walk=40.0, regions=2, dual=0.5, events=5.0)
SINCE = date(2005, 7, 1)
RULES = load_rulebook()
ELO, GLICKO, OF_1995 = (
    Competitor("elo", (("k", 24.0),)),
    Competitor("glicko", (("c", 60.0),)),
    Competitor("glicko-1995", (("c", 15.0),)),
)
LIST, FEDERATION = Competitor(OFFICIAL), Competitor("federation-k")
Q = math.log(10) / 400


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a world."""
    folder = tmp_path_factory.mktemp("competitors") / "world"
    make_world(WORLD, folder)
    return folder


class Seen(NamedTuple):
    """A section as a plain program reads it: who plays, how strong, rated how by the rules before and after; games."""

    end: date
    strength: dict[int, float]
    before: dict[int, tuple[float, float, int]]
    after: dict[int, float]
    k: dict[int, float]
    games: list[tuple[int, int, float]]


@pytest.fixture(scope="module")
def sections(world: Path) -> list[Seen]:
    """Give the rated sections of a world in their order."""
    tables = {name: pl.read_parquet(world / f"{name}.parquet") for name in ("sections", "entries", "games")}
    ledger = replay(world, RULES, Options(workings=True)).ledger
    assert ledger is not None
    known = {
        (row["section"], row["member"]): row
        for row in ledger.filter(pl.col("system") == 0).iter_rows(named=True)
    }
    strengths = pl.read_parquet(world / "truth.parquet")["strength"].to_list()
    scores = tables["games"].select("opponent", "score").rows()
    found, entry, game = [], 0, 0
    for number, section in enumerate(tables["sections"].iter_rows(named=True)):
        strong = strengths[entry : entry + section["entries"]]
        members = tables["entries"]["member"][entry : entry + section["entries"]].to_list()
        counts = tables["entries"]["games"][entry : entry + section["entries"]].to_list()
        played = []
        for seat, (member, count) in enumerate(zip(members, counts, strict=True)):
            for opponent, score in scores[game : game + count]:
                if seat < opponent and (number, member) in known:
                    played.append((member, members[opponent], score / 2))
            game += count
        entry += section["entries"]
        rows = {one: known[number, one] for one in members if (number, one) in known}
        before = {
            one: (row["rating_before"], row["games_before"], row["source"]) for one, row in rows.items()
        }
        after = {one: row["rating"] for one, row in rows.items()}
        # D25, section 4.2: K = 800 / (N' + m); the special formula has none.
        k = {
            one: 800 / (row["effective_games"] + row["played"]) if row["k"] is None else row["k"]
            for one, row in rows.items()
        }
        found.append(Seen(section["end"], dict(zip(members, strong, strict=True)), before, after, k, played))
    return found


def expectancy(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def f(variance: float) -> float:
    return 1 / math.sqrt(1 + 3 * Q * Q * variance / math.pi**2)


def is_established(section: Seen, *players: int) -> bool:
    facts = [section.before[one] for one in players]
    return section.end >= SINCE and all(source == 0 and games > 25 for _, games, source in facts)


def loss(score: float, forecast: float) -> float:
    return -(score * math.log(forecast) + (1 - score) * math.log(1 - forecast))


def played(
    section: Seen, rating: dict[int, float], deviation: dict[int, float]
) -> tuple[list[float], dict[int, float], dict[int, float]]:
    """Return the losses of a section's games, and sums of f (S - E) and of q^2 f^2 E (1 - E) by player."""
    losses = []
    surplus: dict[int, float] = defaultdict(float)
    information: dict[int, float] = defaultdict(float)
    for player, other, score in section.games:
        if is_established(section, player, other):
            joint = f(deviation[player] ** 2 + deviation[other] ** 2)
            losses.append(loss(score, expectancy((rating[player] - rating[other]) * joint)))
        for each, against, made in ((player, other, score), (other, player, 1 - score)):
            factor = f(deviation[against] ** 2)
            e = expectancy((rating[each] - rating[against]) * factor)
            surplus[each] += factor * (made - e)
            information[each] += Q * Q * factor * factor * e * (1 - e)
    return losses, surplus, information


def forecasts(sections: list[Seen], competitor: Competitor) -> tuple[list[float], list[float]]:
    """Return the log loss of each game between established players, section by section (R95, appendix B).

    Beside it how many deviations the rating of each established player was away from the strength.
    """
    rating: dict[int, float] = {}
    deviation: dict[int, float] = defaultdict(float)
    last: dict[int, date] = {}
    losses: list[float] = []
    away = []
    glicko = competitor.method.startswith("glicko")
    constant = dict(competitor.constants).get("c", 0.0)
    for section in sections:
        for player, (opening, games, _) in section.before.items():
            if player not in rating:
                rating[player] = opening
                deviation[player] = (
                    math.sqrt(1 / (1 / 350**2 + min(games, 26) * Q * Q / 4)) if glicko else 0.0
                )
            elif glicko:
                days = (section.end - last[player]).days
                time = math.log(1 + days) if competitor.method == "glicko-1995" else days / 365.2425
                deviation[player] = min(math.sqrt(deviation[player] ** 2 + constant**2 * time), 350.0)
            last[player] = section.end
            if (
                glicko
                and section.end >= SINCE
                and section.before[player][1] > 25
                and section.before[player][2] == 0
            ):
                away.append(abs(rating[player] - section.strength[player]) / deviation[player])
        lost, surplus, information = played(section, rating, deviation)
        losses += lost
        for player in section.before:
            if glicko:
                variance = 1 / (1 / deviation[player] ** 2 + information[player])
                rating[player] += Q * variance * surplus[player]
                deviation[player] = math.sqrt(variance)
            else:
                rating[player] += dict(competitor.constants).get("k", section.k[player]) * surplus[player]
    return losses, away


def forecasts_of_lists(sections: list[Seen]) -> list[float]:
    """Return the same from lists: the newest rating by the third Wednesday of the month before."""
    first: dict[int, float] = {}
    rows: dict[int, list[tuple[date, float]]] = defaultdict(list)
    losses: list[float] = []
    for section in sections:
        for one, (opening, _, _) in section.before.items():
            first.setdefault(one, opening)
        month_before = (section.end.replace(day=1) - timedelta(days=1)).replace(day=1)
        cut_off = next(
            day
            for day in (month_before + timedelta(days=at) for at in range(14, 21))
            if day.isoweekday() == 3
        )
        listed = {
            one: ([first[one]] + [rating for day, rating in rows[one] if day <= cut_off])[-1]
            for one in section.before
        }
        losses += [
            loss(score, expectancy(listed[one] - listed[other]))
            for one, other, score in section.games
            if is_established(section, one, other)
        ]
        for one, rating in section.after.items():
            rows[one].append((section.end, rating))
    return losses


def cell_of(world: Path, folder: Path, competitor: Competitor, at_once: int = 37) -> CellContent:
    measures = Measures(since=SINCE, competitor=competitor)
    found = run_cell(
        world, RULES, measures, folder / "games.parquet", Options(sections_at_once=at_once)
    ).content
    assert found is not None
    return found


@pytest.mark.parametrize("competitor", [ELO, FEDERATION, GLICKO, OF_1995, LIST], ids=lambda one: one.method)
def test_competitors_forecast_as_a_plain_program_does(
    world: Path, sections: list[Seen], tmp_path: Path, competitor: Competitor
) -> None:
    wanted, away = (
        (forecasts_of_lists(sections), []) if competitor == LIST else forecasts(sections, competitor)
    )
    found = cell_of(world, tmp_path, competitor)
    overall = scores_of(found)
    assert overall.games == len(wanted) > 300
    assert overall.log_loss == pytest.approx(np.mean(wanted), rel=1e-9)
    if away:
        within = [np.mean(np.array(away) <= width) for width in (1, 2, 3)]
        assert found.truth.coverage == pytest.approx(within, abs=1e-12)
    else:
        assert found.truth.coverage == ()
    # What is left of the balance of points would be that of the rules.
    assert found.balance == ()


@pytest.mark.parametrize("competitor", [ELO, GLICKO, LIST], ids=lambda one: one.method)
def test_nothing_is_known_of_a_section_before_it_is_over(world: Path, competitor: Competitor) -> None:
    """Other results of a section change no forecast in it or before it, and those after it (LABORATORY A3)."""
    tables = {name: pl.read_parquet(world / f"{name}.parquet") for name in SCHEMAS}
    chosen = len(tables["sections"]) // 2
    counts = tables["entries"]["games"].to_numpy()
    entries = np.repeat(np.arange(len(tables["sections"])), tables["sections"]["entries"])
    of_game = np.repeat(entries, counts)
    scores = tables["games"]["score"].to_numpy()
    turned = np.where(of_game == chosen, 2 - scores, scores).astype("u1")
    found = []
    for values in (scores, turned):
        games = tables["games"].with_columns(score=pl.Series(values))
        run = Run(History(**{**tables, "games": games}), RULES, Options(workings=True))
        follower = follower_of(competitor, members_of(run.birth_days), RULES, Measures())
        before = []
        for raw, ledger in run.rated_chunks():
            rows = rows_of(ledger, 0)
            before.append(
                follower.follow(raw, rows, ratings_before(raw, rows, len(run.birth_days))).ratings.before
            )
        found.append(np.concatenate(before))
    known = entries <= chosen
    assert np.array_equal(found[0][known], found[1][known], equal_nan=True)
    assert not np.array_equal(found[0][~known], found[1][~known], equal_nan=True)


def test_a_turn_has_no_member_twice_and_keeps_the_order_of_each() -> None:
    section = np.repeat(np.arange(40), 3)
    member = np.array([(7 * at + 5 * (at % 3)) % 23 for at in range(120)])
    turns = turns_of(section, member, 41)
    assert turns.turn[40] == -1
    for number in range(len(turns.first) - 1):
        mine = turns.entries[turns.first[number] : turns.first[number + 1]]
        assert len(np.unique(member[mine])) == len(mine)
        assert turns.place[mine].tolist() == list(range(len(mine)))
    for one in range(23):
        of_member = turns.turn[section[member == one]]
        assert (np.diff(of_member) > 0).all()
    assert len(turns.first) - 1 < 40


@pytest.mark.long
def test_glicko_s_constant_is_found_in_a_world_that_walks(tmp_path: Path) -> None:
    """Strengths walk by 120 points a year; a training of three years finds about that, and says that it fitted."""
    walking = World(years=5, members=130, walk=120.0, regions=1, draws=0.0, events=12.0)
    make_world(walking, tmp_path / "world")
    fitted = run_cell(
        tmp_path / "world",
        RULES,
        Measures(since=date(2007, 1, 1), competitor=Competitor("glicko", fitted="c")),
        tmp_path / "games.parquet",
    ).content
    assert fitted is not None
    assert fitted.fitted is not None
    assert not fitted.fitted.on_edge
    assert fitted.fitted.value == pytest.approx(120.0, rel=0.2)
