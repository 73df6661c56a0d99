"""Whole explanations, one of each kind, word for word; a change of them is made by ``--snapshot-update`` alone.

Their figures are computed again: each page from nothing but itself (``examples.explained_pages``), and each section by
the second engine of the tests, from the ratings that its pages say the players started from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from examples.explained_pages import check_page
from examples.kinds import KINDS, Kind
from examples.printed_pages import Page, games_of, read_page
from support import reference
from support.command_line import invoke

KEPT = Path(__file__).parent / "explanations"
POINTS = 1e-5
FIRST_DAY_OF_TODAYS_EFFECTIVE_GAMES = "2013-05-08"


def explained(kind: Kind, seat: int = 0) -> str:
    arguments = ("explain", "-", "--seat", str(seat or kind.seat), "--system", kind.system)
    shown = invoke(*arguments, data=json.dumps(kind.report).encode())
    assert shown.exit_code == 0, shown.output
    return shown.stdout


def page_of(kind: Kind, seat: int = 0) -> Page:
    return read_page(explained(kind, seat).splitlines())


def section_of(kind: Kind) -> dict[str, Any]:
    section: dict[str, Any] = kind.report["sections"][0]
    return section


@pytest.mark.parametrize("name", KINDS)
def test_an_explanation_reads_as_it_did(name: str, request: pytest.FixtureRequest) -> None:
    shown = explained(KINDS[name])
    kept = KEPT / f"{name}.txt"
    if request.config.getoption("--snapshot-update"):
        KEPT.mkdir(exist_ok=True)
        kept.write_text(shown, encoding="utf-8")
    assert shown == kept.read_text(encoding="utf-8")


def test_every_explanation_that_is_kept_is_compared() -> None:
    assert {path.stem for path in KEPT.iterdir()} == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_page_says_everything_that_its_rating_follows_from(name: str) -> None:
    check_page(read_page((KEPT / f"{name}.txt").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("name", KINDS)
def test_no_wrong_figure_of_a_page_goes_unnoticed(name: str) -> None:
    """The reader of the pages is itself tested: each figure of the steps, moved by a third, contradicts others."""
    page = page_of(KINDS[name])
    unnoticed = []
    for title, step in page.steps.items():
        for figure, value in step.figures.items():
            # The games of another rating matter up to its game factor; floors, as far as they are reached.
            if isinstance(value, str) or ": games (N)" in figure or title.startswith(("Floors", "Update")):
                continue
            step.figures[figure] = value + 1 / 3
            try:
                check_page(page)
            except AssertionError:
                pass
            else:
                unnoticed.append(f"{title}: {figure}")
            step.figures[figure] = value
    assert unnoticed == []


def player_of(kind: Kind, seat: int, page: Page) -> reference.Player:
    """The player as the page of *seat* says that he starts; the games are those of the report."""
    start = page.step("Step 1")
    rounds = [
        one for entry in section_of(kind)["entries"] if entry["seat"] == seat for one in entry["rounds"]
    ]
    scores = {"W": 1.0, "D": 0.5, "L": 0.0}
    return reference.Player(
        rating=start.number("rating before (R0)"),
        games=games_of(start, "games (N)"),
        played=tuple((int(one[1:]) - 1, scores[one[0]]) for one in rounds),
        unrated="Step 1: rating before the section" not in page.steps,
        record=kind.record(seat),
    )


@pytest.mark.parametrize("name", [name for name in KINDS if name != "foreign-event"])
def test_the_second_engine_finds_the_figures_of_every_step(name: str) -> None:
    kind = KINDS[name]
    section = section_of(kind)
    pages = [page_of(kind, entry["seat"]) for entry in section["entries"]]
    today = kind.report["event"]["start"] >= FIRST_DAY_OF_TODAYS_EFFECTIVE_GAMES
    found = reference.five_steps(
        [player_of(kind, seat, page) for seat, page in enumerate(pages, start=1)],
        reference.Edition(kind.bonus, today),
        half_k=section.get("half_k", False),
        reduced_k=name == "reduced-k",
        match=section.get("type") == "match",
    )
    of_steps: tuple[list[Any], ...] = (found.step3, found.step4, found.step5)
    for at, page in enumerate(pages):
        for number, results in enumerate(of_steps, start=3):
            name_of_figure = f"rating after Step {number}"
            shown = [
                step.figures[name_of_figure] for step in page.steps.values() if name_of_figure in step.figures
            ]
            assert shown == ([] if results[at] is None else [pytest.approx(results[at], abs=POINTS)])


def test_the_second_engine_finds_the_figures_of_a_foreign_event() -> None:
    """D25 section 2.1 converts FIDE ratings; section 6 applies the standard formula once, with bonus."""
    kind = KINDS["foreign-event"]
    page = page_of(kind)
    faced = [-1073 + 1.5667 * 1980, 20 + 1.02 * 2304, 20 + 1.02 * 2250]
    edition = reference.Edition(kind.bonus, new_effective_games=True)
    rating = reference.standard(
        player_of(kind, 1, page), faced, edition, half_k=False, reduced_k=False, match=False
    )
    assert page.step("One pass").figures["rating after the one pass"] == pytest.approx(rating, abs=POINTS)
    assert "Step 4" not in "\n".join(page.steps)
    assert {"foreign_eligibility", "foreign_automatic_rating"} <= page.rules.keys()


# What each kind must say in short


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bonus", "Scored 3 of 3 against 1.09 expected: +124, of which 52 are bonus."),
        ("bonus", "The opponents averaged 1699."),
        ("special", "A player rated 1446 would be expected to score the same in all these games."),
        ("newcomer-by-age", "Unrated before; the starting rating, by age, is 562 and counts as 0 games."),
        ("newcomer-by-fide", "the starting rating, from the FIDE rating, is 2214 and counts as 10 games."),
        ("blend", "from other ratings (OTB Regular, online Blitz, FIDE, CFC), is 1309 and"),
        ("unbroken-record", "All games before were won; they count as 4 games won at 1050."),
        ("reduced-k", "Reduced K applies."),
        (
            "floor-personal",
            "The computed rating is below the personal floor of 122, which raises the rating.",
        ),
        ("floor-peak", "The computed rating is below the peak floor of 1700, which holds."),
        (
            "floor-original-life-master",
            "The computed rating is below the original Life Master floor of 2200, which holds.",
        ),
        (
            "floor-prize",
            "The computed rating is below the floor of 1800 that the office has entered, which holds.",
        ),
        ("match-limit", "The limits of match play allow +30."),
        ("floor-request", "the office granted the floor request, and the floor is now 1600."),
        ("foreign-event", "Computed once, against converted FIDE ratings."),
        ("half-k", "Half K applies."),
    ],
)
def test_the_short_form_has_the_words_of_its_kind(name: str, sentence: str) -> None:
    assert sentence in page_of(KINDS[name]).short


def test_json_has_the_short_form_and_the_same_steps() -> None:
    kind = KINDS["bonus"]
    shown = invoke("explain", "-", "--seat", "1", "--json", data=json.dumps(kind.report).encode())
    (explanation,) = json.loads(shown.stdout)["explanations"]
    page = page_of(kind)
    assert "\n".join(f"  {sentence}" for sentence in explanation["short"]) == page.short
    assert [step["title"] for step in explanation["steps"]] == list(page.steps)
    for step in explanation["steps"]:
        for figure, value in step["figures"].items():
            printed = page.steps[step["title"]].figures[figure]
            assert printed == (value if isinstance(value, str) else pytest.approx(value, abs=1e-6))
    assert explanation["steps"][-2]["games"][0]["opponent"] == "BAKER, EXAMPLE"
