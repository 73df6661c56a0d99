"""Reports of real sections that each show one rule: the program rates them as they were published.

Each case is a native report and, beside it, what was published of the seats that are meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from scripts.published.office import at_half_k

from ratebook.formats.registry import read_report
from ratebook.model import System
from ratebook.reports.rate import after_ratings, rate_report
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from ratebook.model import Report
    from ratebook.rating.results import RatedSection

FOLDER = Path(__file__).parent / "cases"

TOLERANCE = 1.0
TOLERANCE_OF_BLENDS = 1.5
"""Initial ratings of others in these sections are solved from their own published integers."""

UNEXPLAINED = {("match-team-2018-04-21", 30), ("match-team-2018-04-21", 31)}
"""Seats of a match that no one can explain: a player on few games, and the opponent."""

FACTS = {
    ("dual-t65-2012-08-11", 13, System.REGULAR): {"peak": 1700.0},
    ("dual-t65-2012-08-11", 13, System.QUICK): {"peak": 1600.0},
    ("dual-t65-2012-08-11", 14, System.QUICK): {"peak": 1500.0},
    ("match-team-2013-08-17", 20, System.REGULAR): {"life_master_games": 300},
    ("match-team-2013-08-17", 41, System.REGULAR): {"peak": 1800.0},
    ("match-team-2018-04-21", 28, System.REGULAR): {"peak": 1700.0},
    ("match-team-2018-04-21", 44, System.REGULAR): {"peak": 2000.0},
    ("match-team-2018-04-21", 43, System.REGULAR): {"games": 27.0},
}
"""What follows from the published rating of a seat and is in no report: the peak of a floor, the number of games."""

MISTAKE = "online-half-k-2018-02-11"


class Expected(NamedTuple):
    """What was published of one seat in one system."""

    seat: int
    system: System
    published: float


def case(name: str) -> tuple[Report, list[Expected]]:
    """Return the report of a case, with its `FACTS`, and what is expected of it."""
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.expected.json").read_text(encoding="utf-8"))
    report = read_report((FOLDER / document["report"]).read_bytes(), document["report"]).report
    assert report is not None
    expected = [
        Expected(one["seat"], System(one["system"]), one["published"]) for one in document["expected"]
    ]
    players = dict(report.players)
    for (of, seat, system), known in FACTS.items():
        if of == name:
            player = next(entry.player for entry in report.sections[0].entries if entry.seat == seat)
            ratings = players[player].ratings
            rating = ratings[system]._replace(**known)  # type: ignore[arg-type]  # fields of Rating by name
            players[player] = players[player]._replace(ratings={**ratings, system: rating})
    expected = [one for one in expected if (name, one.seat) not in UNEXPLAINED]
    return report._replace(players=players), expected


NAMES = sorted(path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.expected.json"))


@pytest.mark.parametrize("name", [name for name in NAMES if name != MISTAKE])
def test_a_case_is_rated_as_published(name: str) -> None:
    report, expected = case(name)
    after = after_ratings(rate_report(report, load_rulebook()).sections)
    number = report.sections[0].number
    tolerance = TOLERANCE_OF_BLENDS if name.startswith("gf-") else TOLERANCE
    differing = {}
    for rating in expected:
        computed = after.get((number, rating.seat, rating.system))
        if computed is None or abs(computed.rating - rating.published) > tolerance + 1e-9:
            differing[rating.seat, rating.system] = (computed, rating.published)
    assert expected
    assert differing == {}


def test_the_mistake_of_the_office_is_recognised_as_half_k() -> None:
    """Online sections last rated before June 2021 are no cases for the program: only half K gives their ratings."""
    report, expected = case(MISTAKE)
    (rated,) = rate_report(report, load_rulebook()).sections

    def differing(section: RatedSection) -> int:
        after = after_ratings([section])
        return sum(
            abs(after[section.section.number, one.seat, one.system].rating - one.published) > TOLERANCE
            for one in expected
        )

    assert differing(at_half_k(rated)) == 0
    assert differing(rated) > len(expected) // 2


def test_every_case_is_used() -> None:
    reports = {path.name for path in FOLDER.glob("*.json") if not path.name.endswith(".expected.json")}
    named = {
        json.loads((FOLDER / f"{name}.expected.json").read_text(encoding="utf-8"))["report"] for name in NAMES
    }
    assert reports == named
