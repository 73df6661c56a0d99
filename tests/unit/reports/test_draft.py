"""A report that is typed: nothing of an older one is lost, and each game is typed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratebook.reports.draft import (
    Draft,
    DraftPlayer,
    DraftSection,
    draft_of,
    native_of,
    with_other_sides,
    wrong_players,
    wrong_results,
)
from ratebook.reports.load import load_bytes

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    "name",
    [
        "festival/festival.json",
        "open-64-players.json",
        "festival/festival.csv",
        "festival/trf26/section-1.trf",
    ],
)
def test_a_report_that_is_opened_in_the_form_and_left_alone_is_the_same(name: str) -> None:
    loaded = load_bytes((EXAMPLES / name).read_bytes(), name).report
    assert loaded is not None
    again = load_bytes(native_of(draft_of(loaded)), "typed.json").report
    assert again == loaded


def test_rounds_of_which_nothing_was_typed_are_no_rounds() -> None:
    typed = section("W2 . . .", "L1 . H .")._replace(texts={"time_control": "G/60;d5"})
    event = {"name": "EXAMPLE", "start": "2021-02-06", "end": "2021-02-06"}
    report = load_bytes(native_of(Draft(event, (typed,))), "typed.json").report
    assert report is not None
    assert [[cell.letter for cell in one.rounds] for one in report.sections[0].entries] == [
        ["W", "", ""],
        ["L", "", "H"],
    ]


def section(*rows: str) -> DraftSection:
    """Return a section of players 1, 2, 3, ... with the results of each as words; a dot is none."""
    players = tuple(
        DraftPlayer(seat, str(90000000 + seat), f"Player {seat}", tuple(row.replace(".", "").split(" ")))
        for seat, row in enumerate(rows, start=1)
    )
    return DraftSection(1, {}, len(rows[0].split(" ")), players)


@pytest.mark.parametrize(
    ("before", "typed", "then"),
    [
        ((". .", ". .", ". ."), ("W2w D3b", ". .", ". ."), ("W2w D3b", "L1b .", ". D1w")),
        ((". .", ". .", ". ."), ("w 2 X3", ". .", ". B"), ("w 2 X3", "L1 .", ". B")),
        (("W2 .", "L1 .", ". ."), ("D2 .", "L1 .", ". ."), ("D2 .", "D1 .", ". .")),
        (("W2 .", "L1 .", ". ."), (". .", "L1 .", ". ."), (". .", ". .", ". .")),
        (("W2 .", "L1 .", ". ."), ("W3 .", "L1 .", ". ."), ("W3 .", ". .", "L1 .")),
        (("W2 .", "L1 .", ". ."), ("D2 .", "B .", ". ."), ("D2 .", "B .", ". .")),
        ((". .", ". .", ". ."), ("H Q", "U W9", "W3 ."), ("H Q", "U W9", "W3 .")),
    ],
    ids=["colours", "forfeit", "changed", "cleared", "another opponent", "both typed", "nothing to tell"],
)  # fmt: skip
def test_the_opponents_row_follows_what_is_typed(
    before: tuple[str, ...], typed: tuple[str, ...], then: tuple[str, ...]
) -> None:
    typed_section = section(*(one.replace("w 2", "w_2") for one in typed))
    players = tuple(
        one._replace(cells=tuple(cell.replace("_", " ") for cell in one.cells))
        for one in typed_section.players
    )
    followed = with_other_sides(section(*before), typed_section._replace(players=players))
    assert [" ".join(cell or "." for cell in one.cells) for one in followed.players] == list(then)


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        (("W2w D3", "L1b B", "H D1"), []),
        (("Q2 .", "U .", "U ."), [("p1-r1", "is not a result")]),
        (("W .", "U .", "U ."), [("p1-r1", "does not name the opponent")]),
        (("W9 W1", "U U", "U U"), [("p1-r1", "number 9"), ("p1-r2", "number 1")]),
        (("W2 .", "W1 .", "U ."), [("p1-r1", "row of number 2 says W1")]),
        (("W2 .", ". .", "U ."), [("p1-r1", "says nothing")]),
        (("N2 X3", "R1 U", "U U"), [("p1-r2", "says U")]),
        (("W2 .", "L1 .", ". ."), [("p3-r1", "Player 3, round 1: there is no result")]),
    ],
)
def test_results_that_cannot_be_are_named_at_their_field(
    rows: tuple[str, ...], wrong: list[tuple[str, str]]
) -> None:
    found = list(wrong_results(section(*rows)))
    assert [one.where for one in found] == [field for field, _ in wrong]
    assert all(text in one.message for one, (_, text) in zip(found, wrong, strict=True))


def test_players_who_are_not_known_or_twice_are_named_at_their_field() -> None:
    players = section(".", ".", ".", ".").players
    first, second, third, fourth = players
    typed = DraftSection(1, {}, 1, (first, second._replace(id=first.id), third._replace(id=""), fourth))
    found = wrong_players(typed, {first.id: "Player 1"})
    assert [(one.where, one.message) for one in found] == [
        ("p2-id", "Player 1 is already number 1."),
        ("p3-id", "Player 3 has no member id yet."),
        ("p4-id", f"There is no member {fourth.id}."),
    ]
