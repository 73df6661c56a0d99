"""What anyone may read of an explanation does not tell the age of a newcomer, and is true for every age."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from ratebook.cli.report.explanation import explanation_lines
from ratebook.model import PlayerFacts, Rating, System
from ratebook.rating.explanation.ages import rate_at_ends, rated_from
from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.explanation.public import explain_in_public
from ratebook.rating.formulas import rounded
from ratebook.records.explanations import Span
from ratebook.records.record import plain
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.builders import rate
from support.report_strategies import built, reports
from support.whole_run import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.model import Report
    from ratebook.rating.results import RatedSection
    from ratebook.records.explanations import Explanation
    from ratebook.reports.rate import RatedReport

RULEBOOK = load_rulebook()
AGES = st.none() | st.integers(1, 60 * 365)
"""Days before the first section ends; those that are too few to be true are as no birth date."""
ON = date(2024, 6, 1)
NOISE = 1e-6
"""Points by which sums in another order may differ."""
LISTED = {"rating before (R0)", "games (N)", "rating after"}
"""What explanations show in other words: the start, and the exact result."""


@st.composite
def with_ages(draw: st.DrawFn) -> Report:
    """Return a report whose players are of any age, or of none that is known."""
    return of_other_ages(draw, draw(reports()))


def of_other_ages(draw: st.DrawFn, report: Report) -> Report:
    first = min(section.rules_date for section in report.sections)
    players = {}
    for key, facts in report.players.items():
        age = draw(AGES)
        born = None if age is None else first - timedelta(age)
        players[key] = facts._replace(birth_date=born, adult=draw(st.none() | st.booleans()))
    return report._replace(players=players)


def in_whole_points(facts: PlayerFacts) -> PlayerFacts:
    return facts._replace(
        ratings={
            system: rating._replace(
                rating=rounded(rating.rating), peak=rating.peak and max(rating.peak, rounded(rating.rating))
            )
            for system, rating in facts.ratings.items()
        }
    )


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Report, Report]:
    """Return a report, and it with other birth dates and other decimals of the ratings before."""
    report = draw(with_ages())
    other = of_other_ages(draw, report)
    players = {key: in_whole_points(facts) for key, facts in other.players.items()}
    return report, other._replace(players=players) if draw(st.booleans()) else other


@given(pair=pairs())
@examples(20)
def test_the_ends_of_a_section_are_the_same_whatever_the_ages_and_the_decimals(
    pair: tuple[Report, Report],
) -> None:
    one, other = (rate_report(report, RULEBOOK) for report in pair)
    for mine, theirs in zip(one.sections, other.sections, strict=True):
        if published_before(mine) != published_before(theirs):
            continue
        for end, its in zip(rate_at_ends(mine), rate_at_ends(theirs), strict=True):
            assert [list(column) for column in end.columns] == [list(column) for column in its.columns]


@given(pair=pairs())
@examples(20)
def test_a_public_explanation_is_the_same_unless_what_is_published_differs(
    pair: tuple[Report, Report],
) -> None:
    one, other = (rate_report(report, RULEBOOK) for report in pair)
    assume(published(one) == published(other))
    for mine, theirs in zip(explanations(one), explanations(other), strict=True):
        assert shown(mine) == shown(theirs)


@given(report=with_ages())
@examples(20)
def test_the_figures_for_the_true_ages_are_within_what_the_public_reads(report: Report) -> None:
    for rated in rate_report(report, RULEBOOK).sections:
        section = rated_from(rated, {key: in_whole_points(facts) for key, facts in rated.facts.items()})
        check_bounds(section)
        for entry in section.entries:
            public, office = (one(section, entry.seat, RULEBOOK) for one in (explain_in_public, explain))
            assert public is not None
            assert office is not None
            assert outside(public, office, section, entry.seat) == []


@st.composite
def sections_of_blends(draw: st.DrawFn) -> RatedSection:
    """Return a section of players who bring ratings of other systems, a year or two old, and count up to 10 games."""
    points, games = st.integers(100, 2000).map(float), st.integers(3, 60)
    others = (System.QUICK, System.BLITZ, System.ONLINE_QUICK, System.ONLINE_REGULAR)
    days_old = st.integers(0, 1000).map(lambda days: ON - timedelta(days))
    elsewhere = st.dictionaries(
        st.sampled_from(others), built(Rating, points, games, as_of=days_old), min_size=2
    )
    newcomers = built(
        PlayerFacts,
        st.just(""),
        birth_date=st.none() | st.integers(1096, 11_000).map(lambda days: ON - timedelta(days)),
        adult=st.booleans(),
        ratings=elsewhere,
    )
    size = draw(st.sampled_from((4, 6)))
    starts = [draw(newcomers | built(Rating, points, games)) for _ in range(size)]
    rounds: list[list[str]] = [[] for _ in range(size)]
    for _ in range(draw(st.integers(3, 12))):
        order = draw(st.permutations(range(size)))
        for own, other in zip(order[::2], order[1::2], strict=True):
            result = draw(st.sampled_from(("WL", "DD", "LW")))
            rounds[own].append(f"{result[0]}{other + 1}")
            rounds[other].append(f"{result[1]}{own + 1}")
    return rate(starts, [" ".join(cells) for cells in rounds], on=ON.isoformat())


@given(section=sections_of_blends())
@examples(40)
def test_blends_that_move_with_an_age_are_within_their_bounds(section: RatedSection) -> None:
    check_bounds(section)


def check_bounds(section: RatedSection) -> None:
    """Assert that the ends of a section are bounds of its ratings, K and bonuses, as they are for the true ages."""
    ends = rate_at_ends(section)
    low, high, exact = ends[0].columns, ends[-1].columns, section.columns
    for at in range(len(section.players)):
        for lowest, value, highest in (
            (low.rating[at], exact.rating[at], high.rating[at]),
            (low.effective_games[at], exact.effective_games[at], high.effective_games[at]),
            (high.k[at], exact.k[at], low.k[at]),
            (low.step3[at], exact.step3[at], high.step3[at]),
            (low.step4[at], exact.step4[at], high.step4[at]),
            (low.step5[at], exact.step5[at], high.step5[at]),
            (low.bonus[at], exact.bonus[at], high.bonus[at]),
        ):
            assert lowest - NOISE <= value <= highest + NOISE


@given(report=reports())
@examples(20)
def test_no_figure_of_a_public_explanation_is_more_precise_than_a_published_rating(report: Report) -> None:
    for explanation in explanations(rate_report(report, RULEBOOK)):
        numbers = [
            number
            for (_, name), value in figures_of(explanation).items()
            if not name.startswith("games")
            for number in ((value.least, value.most) if isinstance(value, Span) else (value,))
            if isinstance(number, float)
        ]
        assert [one for one in numbers if one != round(one, 0 if abs(one) >= 10.0 else 2)] == []


def published_before(section: RatedSection) -> object:
    """Return what is published of the players before a section; on how many games a first rating counts is, too."""
    ratings = [
        {system: rounded(one.rating) for system, one in section.facts[player].ratings.items()}
        for player in section.players
    ]
    return ratings, list(section.columns.games)


def published(rated: RatedReport) -> list[object]:
    """Return what is published of all players: ratings, N, the floors and what the office decided about them."""
    return [
        None
        if entry.after is None
        else (
            rounded(entry.before.rating) if entry.before.source == "rated" else None,
            entry.after.published,
            entry.after.games,
            settled.floor[at],
            settled.floor_kind[at],
            settled.from_peak[at],
            settled.from_olm[at],
            settled.olm_games[at],
            rounded(settled.peak[at]),
            settled.lowered_to[at],
            settled.request_open[at],
        )
        for section in rated.sections
        for entry in section.entries
        for settled, at in ((section.settlement, section.places[entry.player]),)
    ]


def explanations(rated: RatedReport) -> Iterator[Explanation]:
    for section in rated.sections:
        for entry in section.entries:
            explanation = explain_in_public(section, entry.seat, RULEBOOK)
            assert explanation is not None
            yield explanation


def shown(explanation: Explanation) -> tuple[object, ...]:
    """Return an explanation as text, as JSON, and as the page of the web has it."""
    return (list(explanation_lines(explanation)), plain(explanation), explanation)


def figures_of(explanation: Explanation) -> dict[tuple[str, str], object]:
    """Return all figures, of steps and of their games, by what they are."""
    found: dict[tuple[str, str], object] = {}
    for step in explanation.steps:
        of_step = list(step.figures.items())
        for game in step.games:
            of_step += [
                (f"rating used {game.round} {game.opponent_seat}", game.opponent_rating),
                (f"expected score {game.round} {game.opponent_seat}", game.expected),
            ]
        found |= {(step.title, name): value for name, value in of_step}
    return found


def outside(public: Explanation, office: Explanation, section: RatedSection, seat: int) -> list[object]:
    """Return the figures of the office that the public reads otherwise, or that are beyond their ranges."""
    aged = depends_on_age(section, section.places[next(e.player for e in section.entries if e.seat == seat)])
    read, wrong = figures_of(public), list[object]()
    for (title, name), value in figures_of(office).items():
        if (title, name) not in read or name in LISTED or (aged and title.startswith("Step 1")):
            continue
        figure = read[title, name]
        if not isinstance(value, float):
            if value != figure and not (isinstance(figure, str) and "not public" in figure):
                wrong.append((title, name, value, figure))
            continue
        bounds = (figure.least, figure.most) if isinstance(figure, Span) else (figure, figure)
        digits = 2 if "score" in name else 0 if name.startswith("earlier match") else 1
        if name.startswith("games"):
            near = [value]
        else:
            near = [as_published(value + moved, digits) for moved in (-NOISE, 0.0, NOISE)]
        if not any(bounds[0] <= one <= bounds[1] for one in near):  # type: ignore[operator]  # numbers, as the office's
            wrong.append((title, name, value, figure))
    return wrong


def as_published(value: float, digits: int) -> float:
    return math.floor(value + 0.5) if abs(value) >= 10.0 else round(value, digits)
