"""A report that is typed: nothing of an older one is lost, and each game is typed once."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ratebook.formats.contract import Hints
from ratebook.reports.draft import (
    Draft,
    DraftPlayer,
    DraftSection,
    draft_of,
    native_of,
    read_cell,
    wrong_players,
    wrong_results,
)
from ratebook.reports.load import load_bytes
from ratebook.reports.other_sides import settled, with_opponents_results, with_other_sides

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
        (("W2 .", "L1 .", ". ."), ("D2 .", "L1 .", ". ."), ("D2 .", "L1 .", ". .")),
        (("W2 .", "L1 .", ". ."), (". .", "L1 .", ". ."), (". .", "L1 .", ". .")),
        (("W2 .", "L1 .", ". ."), ("W3 .", "L1 .", ". ."), ("W3 .", "L1 .", "L1 .")),
        (("W2 .", "L1 .", ". ."), ("D2 .", "B .", ". ."), ("D2 .", "B .", ". .")),
        (("2w .", "1b .", ". ."), ("W2 .", "1b .", ". ."), ("W2 .", "L1b .", ". .")),
        ((". .", ". .", ". ."), ("H Q", "U W9", "W3 ."), ("H Q", "U W9", "W3 .")),
        (("W2w .", "W1b .", ". ."), ("W2w .", ". .", ". ."), ("W2w .", "L1b .", ". .")),
        (("W2 .", "Q .", ". ."), ("W2 .", ". .", ". ."), ("W2 .", "L1 .", ". .")),
        (("W2 .", "W1 .", "W2 ."), ("W2 .", ". .", "W2 ."), ("W2 .", ". .", "W2 .")),
        (("W2 .", ". .", "D2 ."), ("W2 .", ". .", ". ."), ("W2 .", "L1 .", ". .")),
        (("W2 .", "W1 .", ". ."), ("W2 .", "B .", ". ."), ("W2 .", "B .", ". .")),
    ],
    ids=[
        *("colours", "forfeit", "changed", "cleared", "another opponent", "both typed"),
        *("paired before", "nothing to tell"),
        *("contradiction cleared", "unreadable cleared", "two still tell", "one of two gone", "contradicted again"),
    ],
)  # fmt: skip
def test_the_opponents_row_is_filled_in_and_never_changed(
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
        (("W2 .", "W1 .", "U ."), [("p1-r1", "Round 1: row 1 says W2; row 2 says W1.")]),
        (("W2 .", ". .", "U ."), [("p1-r1", "row 2 says nothing")]),
        (("N2 X3", "R1 U", "U U"), [("p1-r2", "row 3 says U")]),
        (("2w .", "1b .", "U ."), [("p1-r1", "no result yet"), ("p2-r1", "no result yet")]),
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


@pytest.mark.parametrize(
    ("rows", "seat", "then"),
    [
        (("W2b .", "W1w .", ". ."), 1, "W2b . | L1w . | . ."),
        (("W2b .", "W1w .", ". ."), 2, "L2b . | W1w . | . ."),
        (("W3 .", "L1 .", "L1 ."), 1, "W3 . | . . | L1 ."),
        ((". .", "L1 .", ". ."), 1, ". . | . . | . ."),
        (("H .", "L1 .", ". ."), 2, "W2 . | L1 . | . ."),
    ],
)
def test_the_row_that_is_right_decides_a_disagreement(rows: tuple[str, ...], seat: int, then: str) -> None:
    decided = settled(section(*rows), seat, 0)
    assert [" ".join(cell or "." for cell in one.cells) for one in decided.players] == then.split(" | ")


@pytest.mark.parametrize(
    "text",
    [
        "w2",
        "W2",
        "=2",
        "½2",
        "½",
        "bye",
        "BYE",
        "0",
        "H",
        "U",
        "half",
        "1-2",
        "w 2 b",
        "L2b",
        "Q2",
        "12",
        "W",
    ],
)
def test_a_result_means_in_the_form_what_it_means_in_a_file(text: str) -> None:
    table = f"#,Name,Rd 1\n1,ALICE HERON,{text}\n2,BRUNO ALDER,\n"
    loaded = load_bytes(table.encode(), "table.csv", Hints(end=date(2026, 10, 4), time_control="G/60;d5"))
    in_file = None if loaded.report is None else loaded.report.sections[0].entries[0].rounds[0]
    assert read_cell(text) == in_file


def test_moved_players_take_their_results_along() -> None:
    played = section("W2w =3b", "l1b H", "U =1w")
    moved = played.with_player_moved(3, -2)
    assert [(one.seat, one.name, one.row) for one in moved.players] == [
        (1, "Player 3", 3),
        (2, "Player 1", 1),
        (3, "Player 2", 2),
    ]
    assert [one.cells for one in moved.players] == [("U", "D2w"), ("W3w", "D1b"), ("L2b", "H")]
    assert moved.with_player_moved(1, -1) == moved
    assert moved.with_player(DraftPlayer(0)).players[-1].row == 4


def test_a_removed_row_is_never_another_ones() -> None:
    added = section(".", ".").without_player(2).with_player(DraftPlayer(0, name="CARLA FINCH"))
    assert [(one.seat, one.row) for one in added.players] == [(1, 1), (2, 3)]


@pytest.mark.parametrize(
    ("rows", "removed", "seats"),
    [
        ((".", ".", "."), (2,), [1, 2, 3]),
        ((".", ".", "."), (3,), [1, 2, 3]),
        (("W2", "L1", "."), (2,), [1, 3, 4]),
        (("W3", ".", "L1"), (3,), [1, 2, 4]),
        (("W3", "."), (), [1, 2, 3]),
    ],
    ids=[
        "free",
        "the last",
        "a result names it",
        "a result names the last",
        "a result names the next player",
    ],
)
def test_a_free_number_is_used_again_if_no_result_names_it(
    rows: tuple[str, ...], removed: tuple[int, ...], seats: list[int]
) -> None:
    typed = section(*rows)
    for seat in removed:
        typed = typed.without_player(seat)
    added = typed.with_player(DraftPlayer(0, name="CARLA FINCH"))
    assert [one.seat for one in added.players] == seats


def test_a_removed_row_is_put_back_with_its_results() -> None:
    played = section("W2w =3b", "L1b H", "U =1w")
    removed = played.without_player(2).with_player_moved(3, -1)
    back = removed.with_player_back(2)
    assert [(one.seat, one.name, one.cells) for one in back.players] == [
        (1, "Player 3", ("U", "D3w")),
        (2, "Player 2", ("L3b", "H")),
        (3, "Player 1", ("W2w", "D1b")),
    ]
    assert back.removed == ()
    # Its number is another player's meanwhile.
    taken = section(".", "H").without_player(2).with_player(DraftPlayer(0, name="CARLA FINCH"))
    assert [(one.seat, one.cells) for one in taken.with_player_back(2).players] == [
        *((1, ("",)), (2, ("",)), (3, ("H",)))
    ]


def test_a_player_who_is_added_has_the_results_that_named_him() -> None:
    typed = section("W3w D4", ". D4").with_player(DraftPlayer(0)).with_player(DraftPlayer(0))
    filled = with_opponents_results(with_opponents_results(typed, 3), 4)
    assert [one.cells for one in filled.players[2:]] == [("L1b", ""), ("", "")]


def test_days_and_the_time_control_of_a_file_are_in_the_form() -> None:
    table = b"#,Name,Rd 1\n1,ALICE HERON,W2\n2,BRUNO ALDER,L1\n"
    hints = Hints(start=date(2026, 10, 3), end=date(2026, 10, 4), time_control="G/60;d5", name="FALL SWISS")
    report = load_bytes(table, "table.csv", hints).report
    assert report is not None
    typed = draft_of(report)
    assert (typed.event["name"], typed.event["start"], typed.event["end"]) == (
        "FALL SWISS",
        "2026-10-03",
        "2026-10-04",
    )
    assert typed.sections[0].texts["time_control"] == "G/60;d5"
    # The table has no ids; those that were made of seats are no one's.
    assert [player.id for player in typed.sections[0].players] == ["", ""]


def test_a_newcomer_without_an_id_is_a_person_of_his_own() -> None:
    rows = section("W2", "L1").players
    players = (rows[0], rows[1]._replace(id="new", name="Heron, Alice"))
    typed = DraftSection(1, {"time_control": "G/60;d5"}, 1, players)
    assert list(wrong_players(typed, {rows[0].id: "Player 1"})) == []
    report = load_bytes(native_of(Draft({"name": "EVENING", "end": "2021-02-06"}, (typed,))), "t.json").report
    assert report is not None
    assert [one.name for one in report.players.values()] == ["Player 1", "Heron, Alice"]
    assert list(report.players)[1] == "section-1-seat-2"
