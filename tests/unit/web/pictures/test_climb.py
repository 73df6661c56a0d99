"""From before to after: the parts add up to the change as it is published."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ratebook.model import System
from ratebook.records.explanations import ExplainedStep, Explanation, Figure, Span
from ratebook.web.pictures.climb import climb


def explanation(**figures: Figure) -> Explanation:
    names = {
        "before": "rating before (R0)",
        "change": "K (S - E)",
        "limited": "rating after match limits",
        "after": "displayed",
    }
    step = ExplainedStep(
        title="Step 1: rating before the section",
        text=(),
        figures={names.get(name, name): value for name, value in figures.items()},
    )
    return Explanation(
        section=1,
        section_name="",
        system=System.REGULAR,
        rules_date="2025-01-01",
        seat=1,
        player="A",
        name="",
        short=(),
        steps=(step,),
    )


@pytest.mark.parametrize(
    ("figures", "parts"),
    [
        # 1308.87 + 27.95 + 7.95 = 1344.76: shown as 1309, 1337 and 1345.
        (
            {"before": 1308.866874, "change": 27.946425, "bonus": 7.946425, "after": 1345},
            [("Before", "1309"), ("Score above expectation", "+28"), ("Bonus", "+8"), ("After", "1345")],
        ),
        # 1500 + 73.6 + 53.5 = 1627.1: the sentence above the picture says that 54 are bonus.
        (
            {"before": 1500.0, "change": 73.6, "bonus": 53.5, "after": 1627},
            [("Before", "1500"), ("Score above expectation", "+73"), ("Bonus", "+54"), ("After", "1627")],
        ),
        # A peak of 1941 gives a floor of 1700 (D25 section 5).
        (
            {"before": 1712.0, "change": -65.772543, "bonus": 0, "after": 1700},
            [("Before", "1712"), ("Score below expectation", "-66"), ("Floor", "+54"), ("After", "1700")],
        ),
        (
            {"before": 1500.0, "change": 67.916469, "limited": 1530.0, "after": 1530},
            [
                ("Before", "1500"),
                ("Score above expectation", "+68"),
                ("Limit of the match", "-38"),
                ("After", "1530"),
            ],
        ),
        (
            {"before": 1432.5, "after": 1446},
            [("Before", "1433"), ("By the special formula", "+13"), ("After", "1446")],
        ),
        (
            {
                "before": 1038.0,
                "change": Span(least=32.0, most=37.0),
                "bonus": Span(least=12.0, most=17.0),
                "after": 1092,
            },
            [("Before", "1038"), ("Score and bonus", "+54"), ("After", "1092")],
        ),
        (
            {"before": 1482.0, "change": Span(least=0.0, most=1.0), "after": 1482},
            [("Before", "1482"), ("Score against expectation", "0"), ("After", "1482")],
        ),
        ({"before": Span(least=700.0, most=800.0), "after": 900}, []),
        ({}, []),
    ],
)
def test_parts_are_named_and_add_up(figures: dict[str, Figure], parts: list[tuple[str, str]]) -> None:
    assert [(part.title, part.text) for part in climb(explanation(**figures))] == parts


def test_decimals_that_are_not_public_are_no_floor() -> None:
    figures = explanation(before=1600.0, change=20.4, bonus=0, after=1622)
    assert [part.title for part in climb(figures)][2] == "Floor"
    public = replace(figures, exact=False)
    assert [(part.title, part.text) for part in climb(public)] == [
        ("Before", "1600"),
        ("Score above expectation", "+22"),
        ("After", "1622"),
    ]


def test_bars_begin_where_the_last_one_ended() -> None:
    # 1700 to 1740: shown from 1684 (0.4 of 40 below) over 66 points (1.65 of 40).
    before, score, bonus, after = climb(explanation(before=1700.0, change=25.0, bonus=15.0, after=1740))
    assert (before.left, before.width) == (0, round(1000 * 16 / 66))
    assert (score.left, score.left + score.width) == (round(1000 * 16 / 66), round(1000 * 41 / 66))
    assert (bonus.left, bonus.left + bonus.width) == (round(1000 * 41 / 66), round(1000 * 56 / 66))
    assert after.width == round(1000 * 56 / 66)
    assert (score.kind, after.kind) == ("up", "whole")
