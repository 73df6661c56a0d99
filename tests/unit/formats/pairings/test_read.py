"""Lists of pairings, as directors type them: invented players; what each line means is written by hand."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import Severity
from ratebook.formats.contract import DayOrder, Hints, ParsedReport, is_unreadable
from ratebook.formats.pairings.read import looks_like, parse
from ratebook.formats.source import source_of_bytes

HINTS = Hints(date(2026, 10, 3), date(2026, 10, 4), "G/90;d5")
QUAD = """\
Heron Quad

Round 1
1. Alder, Bruno (1800)  1-0  Dale, Dora (1500)
2. Beck, Ida (1700)  ½-½  Crane, Emil (1600)

Round 2
1. Dale, Dora  0-1  Crane, Emil
2. Alder, Bruno  1-0  Beck, Ida

Round 3
1. Beck, Ida  1-0  Dale, Dora
2. Crane, Emil  1/2-1/2  Alder, Bruno
"""
GAMES = {
    "Alder, Bruno": "W4w W2w D3b",
    "Beck, Ida": "D3w L1b W4w",
    "Crane, Emil": "D2b W4b D1w",
    "Dale, Dora": "L1b L3w L2b",
}


def read(text: str) -> ParsedReport:
    source = source_of_bytes(text.encode(), "pairings.txt")
    assert looks_like(source)
    return parse(source, HINTS)


def cells(parsed: ParsedReport) -> dict[str, str]:
    """Return the rounds of each player by name."""
    assert parsed.report is not None, parsed.findings
    return {
        parsed.report.players[entry.player].name: " ".join(
            f"{cell.letter}{cell.opponent or ''}{cell.colour}" or "-" for cell in entry.rounds
        )
        for section in parsed.report.sections
        for entry in section.entries
    }


def test_players_are_numbered_by_rating_and_the_first_named_has_white() -> None:
    parsed = read(QUAD)
    assert cells(parsed) == GAMES
    assert parsed.report is not None
    assert (parsed.report.event.name, parsed.report.sections[0].name) == ("Heron Quad", "")
    assert [player.pairing_rating for player in parsed.report.players.values()] == [1800, 1700, 1600, 1500]


@pytest.mark.parametrize(
    ("order", "day"), [("month-first", date(2026, 10, 3)), ("day-first", date(2026, 3, 10))]
)
def test_the_day_above_is_read_in_the_order_that_the_user_says(order: str, day: date) -> None:
    text = QUAD.replace("Heron Quad", "Heron Quad - 10/3/2026").encode()
    hints = Hints(time_control="G/90;d5", day_order=DayOrder(order))
    report = parse(source_of_bytes(text, "pairings.txt"), hints).report
    assert report is not None
    assert (report.event.name, report.sections[0].end) == ("Heron Quad", day)


def test_the_only_name_is_the_events_unless_it_is_said_to_be_a_sections() -> None:
    def named(*above: str) -> list[str]:
        report = read(QUAD.replace("Heron Quad", "\n".join(above))).report
        assert report is not None
        return [report.event.name, *(section.name for section in report.sections)]

    assert named("Heron Festival", "Reserve") == ["Heron Festival", "Reserve"]
    assert named("Section: Reserve") == ["", "Reserve"]
    two = read(f"{QUAD}\n{QUAD.replace('Heron Quad', 'Ibis Quad')}").report
    assert two is not None
    assert [section.name for section in two.sections] == ["Heron Quad", "Ibis Quad"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Alder, Bruno  1-0  Beck, Ida", "Alder 1-0 Beck"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder, B. 1 - 0 IDA BECK"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder - Beck 1:0"),
        ("Alder, Bruno  1-0  Beck, Ida", "GM Alder, Bruno [1]\t1\u20130\tBeck, Ida [½]"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane  draw  Alder"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane vs. Alder .5-.5"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane, Emil 0.5 - 0.5 Alder, Bruno"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane =-= Alder"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane-Alder 1/2"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane \u00bd Alder \u00bd"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane remis Alder"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane - Alder \u00bd-\u00bd (agreed in 12 moves)"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane drew with Alder"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane vs Alder - draw"),
        ("Crane, Emil  1/2-1/2  Alder, Bruno", "Crane = Alder"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder d. Beck"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder > Beck"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder beats Beck"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder, Bruno 1-0 Beck, Ida, 34 moves"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder 1 Beck 0"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder (W) 1, Beck 0"),
        ("Alder, Bruno  1-0  Beck, Ida", "Beck 0, Alder (w) 1"),
        ("Alder, Bruno  1-0  Beck, Ida", "Beck (b) lost to Alder"),
        ("Dale, Dora  0-1  Crane, Emil", "Dale lost to Crane"),
        ("Dale, Dora  0-1  Crane, Emil", "Dale pierde con Crane"),
        ("Dale, Dora  0-1  Crane, Emil", "Dale (1512) L to Crane (1702)"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder gewinnt gegen Beck"),
        ("Alder, Bruno  1-0  Beck, Ida", "Alder (1850) W vs Beck (1733)"),
        ("Round 2", "Ronda 2"),
        ("Round 2", "2. Runde am 14.11.2026 um 10:00"),
        ("Round 2", "2nd Round on 2026/11/14"),
        ("Round 2", "Rd. 2 (Saturday, 3 pm)"),
        ("Round 2", "RESULTS OF ROUND 2:"),
        ("1. Beck, Ida  1-0", "Board 1: Beck, Ida  1-0"),
    ],
)
def test_names_and_results_may_be_written_in_other_ways(text: str, written: str) -> None:
    assert text in QUAD
    assert cells(read(QUAD.replace(text, written))) == GAMES


@pytest.mark.parametrize(
    ("line", "white", "black"),
    [
        ("Beck, Ida  1-0F  Dale, Dora", "X4w", "F2b"),
        ("Beck, Ida  0-1 (ff)  Dale, Dora", "F4w", "X2b"),
        ("Beck, Ida  +:-  Dale, Dora", "X4w", "F2b"),
        ("Beck, Ida  1F-0F  Dale, Dora", "X4w", "F2b"),
        ("Beck, Ida  - - +  Dale, Dora", "F4w", "X2b"),
        ("Beck, Ida  0-0  Dale, Dora", "F4w", "F2b"),
        ("Beck, Ida  1-0  Dale, Dora (forfeit)", "X4w", "F2b"),
        ("Beck, Ida  0-1  Dale, Dora, forfeit", "F4w", "X2b"),
        ("Beck, Ida  1-0  Dale, Dora (F)", "X4w", "F2b"),
        ("Beck, Ida  1-0  Dale, Dora (no show)", "X4w", "F2b"),
        ("Beck - Dale  1-0 by forfeit", "X4w", "F2b"),
    ],
)
def test_forfeits(line: str, white: str, black: str) -> None:
    read_cells = cells(read(QUAD.replace("Beck, Ida  1-0  Dale, Dora", line)))
    assert (read_cells["Beck, Ida"].split()[2], read_cells["Dale, Dora"].split()[2]) == (white, black)


@pytest.mark.parametrize(
    ("line", "letter"),
    [
        ("Heron, Alice  half point bye", "H"),
        ("Heron, Alice  ½ bye", "H"),
        ("Heron, Alice  bye (½)", "H"),
        ("Heron, Alice  full point bye", "B"),
        ("Heron, Alice  bye", "B"),
        ("Heron, Alice gets a bye", "B"),
        ("3. Heron, Alice  1-0  BYE", "B"),
        ("3. Heron, Alice (unr)  -  Bye", "B"),
        ("Bye: Heron, Alice", "B"),
        ("Bye: Heron, Alice (1300)", "B"),
        ("Heron, Alice (1300) took a half point bye", "H"),
        ("Heron, Alice (unr): bye", "B"),
        ("Heron, Alice  zero-point bye", "U"),
        ("Heron, Alice  withdrawn", "U"),
        ("Heron, Alice  not paired", "U"),
    ],
)
def test_byes(line: str, letter: str) -> None:
    text = QUAD.replace("\nRound 3", f"{line}\n\nRound 3")
    assert cells(read(text))["Heron, Alice"] == f"- {letter} -"


def test_players_listed_above_the_first_round_are_named_by_number_or_id() -> None:
    text = """\
Heron Quad
11 Alder, Bruno   90000011  1800
12 Beck, Ida      90000012  1700
13 Crane, Emil    90000013  1600
14 Dale, Dora     90000014  unr.

Round 1
1. 11 1-0 14
2. 90000012 ½-½ 90000013
"""
    parsed = read(text)
    assert parsed.report is not None, parsed.findings
    section = parsed.report.sections[0]
    assert [(entry.seat, entry.player) for entry in section.entries] == [
        (11, "90000011"),
        (12, "90000012"),
        (13, "90000013"),
        (14, "90000014"),
    ]
    assert cells(parsed)["Alder, Bruno"] == "W14w"
    assert cells(parsed)["Beck, Ida"] == "D13w"


def errors(text: str) -> list[tuple[str, str, str]]:
    return [
        (finding.code, finding.where, finding.message)
        for finding in read(text).findings
        if finding.severity is Severity.ERROR
    ]


def test_a_name_that_is_nearly_another_one_is_named_with_the_nearest() -> None:
    ((code, where, message),) = errors(QUAD.replace("Beck, Ida  1-0", "Bek, Ida  1-0"))
    assert code == "pairing-name-unknown"
    assert "line 12" in where
    assert "'Bek, Ida'" in message
    assert "'Beck, Ida'" in message


def test_two_players_with_nearly_the_same_name_who_play_in_one_round_are_two() -> None:
    text = QUAD.replace("Dale, Dora", "Beck, Ina")
    assert cells(read(text))["Beck, Ina"] == GAMES["Dale, Dora"]


def test_a_name_that_the_list_of_players_does_not_have_is_an_error() -> None:
    listed = "1 Alder, Bruno 1800\n2 Beck, Ida 1700\n3 Crane, Emil 1600\n4 Dale, Dora 1500\n"
    assert errors(listed + QUAD) == []
    ((code, _, message),) = errors(listed + QUAD.replace("1. Beck, Ida", "1. Crone, Emil"))
    assert code == "pairing-name-unknown"
    assert "'Crane, Emil'" in message


def test_a_last_name_of_two_players_is_unclear() -> None:
    text = QUAD.replace("Dale, Dora", "Beck, Olaf").replace("1. Beck, Ida  1-0", "1. Beck  1-0")
    ((code, _, message),) = errors(text)
    assert code == "pairing-name-unclear"
    assert "'Beck, Ida'" in message
    assert "'Beck, Olaf'" in message


@pytest.mark.parametrize(
    ("text", "written", "code"),
    [
        ("1. Dale, Dora  0-1", "1. Alder, Bruno  0-1", "pairing-twice"),
        ("2. Alder, Bruno  1-0  Beck, Ida", "2. Beck, Ida  1-0  Beck, Ida", "pairing-with-oneself"),
        ("1. Dale, Dora  0-1", "1. Dale, Dora  2-0", "pairing-unreadable"),
    ],
)
def test_what_cannot_be_is_an_error(text: str, written: str, code: str) -> None:
    assert [found for found, _, _ in errors(QUAD.replace(text, written))] == [code]


def test_a_game_without_a_result_is_a_warning_and_counts_as_not_played() -> None:
    parsed = read(QUAD.replace("Beck, Ida  1-0  Dale, Dora", "Beck, Ida  -  Dale, Dora"))
    assert cells(parsed)["Dale, Dora"] == "L1b L3w -"
    (warning,) = [finding for finding in parsed.findings if finding.code == "result-missing"]
    assert warning.severity is Severity.WARNING
    assert "board 1 of round 3" in warning.where


def test_rounds_that_begin_anew_are_another_section() -> None:
    other = QUAD.replace("Heron Quad", "Reserve Quad")
    for name in ("Alder", "Beck", "Crane", "Dale"):
        other = other.replace(name, f"{name}son")
    parsed = read(f"{QUAD}\n{other}")
    assert parsed.report is not None, parsed.findings
    assert [section.name for section in parsed.report.sections] == ["Heron Quad", "Reserve Quad"]
    assert len(parsed.report.players) == 8


LINES = [*QUAD.splitlines(), "Alder half point bye", "3. Beck 2-0 Dale", "7 1-0 9"]


@given(lines=st.lists(st.sampled_from(LINES) | st.text("Round 12-½.bye(), \t", max_size=30), max_size=14))
def test_lines_in_any_order_yield_findings_and_never_an_exception(lines: list[str]) -> None:
    source = source_of_bytes("\n".join(lines).encode(), "pairings.txt")
    if looks_like(source):
        parsed = parse(source, HINTS)
        assert (parsed.report is None) == is_unreadable(parsed.findings)


@pytest.mark.parametrize(
    "line", ["14 November 2026", "Saturday, 7 May 1988", "November 14, 2026", "14 May 26"]
)
def test_a_line_above_the_first_round_that_is_a_date_is_no_player(line: str) -> None:
    assert cells(read(QUAD.replace("Heron Quad\n", f"Heron Quad\n{line}\n"))) == GAMES


@pytest.mark.parametrize(
    "line",
    [
        "Alder, Bruno  0-2  Beck, Ida",
        "Alder, Bruno  1-O  Beck, Ida",
        "Alder, Bruno  1-0  Beck, Ida *",
        "Alder - Beck 1-0*",
        "Alder - Beck 1-0 after an appeal",
        "Alder, Bruno  1-0  Beck, Ida (did not come)",
        "Alder thrashed Beck",
        "Alder has won",
        "Alder, as always, late",
    ],
)
def test_a_line_that_may_be_a_game_is_never_passed_over(line: str) -> None:
    """What it says is not guessed: the line is named."""
    parsed = read(QUAD.replace("2. Alder, Bruno  1-0  Beck, Ida", line))
    assert parsed.report is None
    (unreadable,) = (finding for finding in parsed.findings if finding.code == "pairing-unreadable")
    assert unreadable.place.line == 9
    assert line.split(maxsplit=1)[0] in unreadable.message


def test_games_above_the_first_round_are_an_error() -> None:
    parsed = read(QUAD.replace("Round 1", "Zzz 1"))
    assert [finding.place.line for finding in parsed.findings if finding.code == "pairing-unreadable"] == [
        4,
        5,
    ]


def test_a_remark_that_names_nobody_is_counted_in_a_note() -> None:
    parsed = read(QUAD.replace("Round 2", "Lunch at 12:30, thanks to the Elm Club\nRound 2"))
    assert cells(parsed) == GAMES
    assert [finding.code for finding in parsed.findings if finding.code.startswith("pairing-lines")] == [
        "pairing-lines-left"
    ]


def test_players_are_named_by_number_with_one_stroke_between() -> None:
    listed = (
        "1 Alder, Bruno 90000011 1800\n2 Beck, Ida 90000012 1700\n\nRound 1\n1-2 0-1\nRound 2\n2-1 draw\n"
    )
    assert cells(read(listed)) == {"Alder, Bruno": "L2w D2b", "Beck, Ida": "W1b D1w"}


def test_days_in_the_headings_of_rounds_are_those_of_the_games() -> None:
    source = source_of_bytes(
        QUAD.replace("Round 1", "1. Round on 2026/11/14 at 10:00")
        .replace("Round 3", "3. Round on 2026/11/15")
        .encode(),
        "pairings.txt",
    )
    parsed = parse(source, Hints(time_control="G/90;d5"))
    assert parsed.report is not None, parsed.findings
    section = parsed.report.sections[0]
    assert (section.start, section.end) == (date(2026, 11, 14), date(2026, 11, 15))


def test_the_numbered_games_of_a_match_are_rounds() -> None:
    text = "Match\nGame 1: Hooper 1 Petrov 0\nGame 2: Petrov \u00bd Hooper \u00bd\n"
    assert cells(read(text)) == {"Hooper": "W2w D2b", "Petrov": "L1b D1w"}


def test_games_and_byes_may_share_the_line_of_their_round() -> None:
    text = "Rd 1: Hale 1-0 Penn; Moss 1/2 Reed; Sand bye\nRd 2: Sand 0-1 Hale; Penn 1-0 Moss; Reed half-point bye\n"
    read_cells = cells(read(text))
    assert read_cells == {
        "Hale": "W2w W5b",
        "Penn": "L1b W3w",
        "Moss": "D4w L2b",
        "Reed": "D3b H",
        "Sand": "B L1w",
    }


def test_a_game_whose_result_is_told_behind_the_names_is_never_a_name() -> None:
    text = "Round 1\nHale 1-0 Penn\nRound 2\n1. Penn vs Hale: forfeit win for Hale\n"
    assert "pairing-unreadable" in {finding.code for finding in read(text).findings}


@pytest.mark.parametrize("unrated", ["", " (unr)"])
def test_a_numbered_list_needs_no_ratings(unrated: str) -> None:
    parsed = read(f"Heron Quad\n1. Al Ash{unrated}\n2. Bo Birch\n\nRound 1\n1 beat 2\n")
    assert parsed.report is not None
    assert cells(parsed) == {"Al Ash": "W2w", "Bo Birch": "L1b"}
    assert parsed.report.event.name == "Heron Quad"


@pytest.mark.parametrize(
    "text",
    [
        "Hello, the games of round 1:\nAlder 1-0 Beck\nRound 2:\nBeck 1/2 Alder\nRatings: Bruno Alder 1800, Beck 1700",
        "Ratings: Alder 1800, Ida Beck 1700\nOct 3, 2026, G/90 d5, rd 1:\nBruno Alder 1-0 Beck\nRd 2\nBeck = Alder",
        "Ratings:\nAlder 1800\nBeck 1700\nCrane unrated\nRound 1\nAlder 1-0 Beck\nRound 2\nBeck = Alder\nCrane absent",
    ],
)
def test_ratings_above_or_below_rounds_that_end_a_sentence(text: str) -> None:
    parsed = read(text)
    assert parsed.report is not None, parsed.findings
    rated = [player for player in parsed.report.players.values() if player.pairing_rating]
    assert [(player.name.split()[-1], player.pairing_rating) for player in rated] == [
        ("Alder", 1800),
        ("Beck", 1700),
    ]
    assert [*cells(parsed).values()][:2] == ["W2w D2b", "L1b D1w"]


def test_a_game_above_the_first_round_is_told_what_it_lacks() -> None:
    parsed = read("Alder 1-0 Beck\nRound 2\nBeck 1-0 Alder\n")
    assert [(finding.code, finding.case) for finding in parsed.findings] == [
        ("pairing-unreadable", "above-rounds")
    ]


def test_two_players_of_whom_a_line_says_that_they_play_a_match_are_a_match() -> None:
    games = "Game 1: Alder 1-0 Beck\nGame 2: Beck 1-0 Alder\n"
    for title, kind in (
        ("Match: Alder (1800) vs. Beck (1700)", "match"),
        ("Alder (1800) vs. Beck (1700)", "other"),
    ):
        parsed = read(f"{title}\n{games}")
        assert parsed.report is not None, parsed.findings
        assert parsed.report.sections[0].type == kind


def test_a_forfeit_may_have_a_remark() -> None:
    assert cells(read("Round 1\n1. Alder - Beck  0-1 forfeit (Alder did not show up)\n")) == {
        "Alder": "F2w",
        "Beck": "X1b",
    }
