"""Games in Portable Game Notation, with headers as lichess and weekly collections write them; all invented."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from ratebook.findings import Findings
from ratebook.lab.imports.histories import import_history
from ratebook.lab.imports.pgn import minutes_of, read_pgn

if TYPE_CHECKING:
    from pathlib import Path

ONLINE = {
    "Event": "Rated Blitz game",
    "Site": "https://lichess.org/invented",
    "UTCDate": "2013.01.02",
    "Round": "-",
    "White": "ann",
    "Black": "bob",
    "Result": "1-0",
    "WhiteElo": "1639",
    "BlackElo": "?",
    "TimeControl": "180+2",
}
WEEKLY = {
    "Event": "Winter Open",
    "Site": "Erewhon",
    "Date": "2024.01.06",
    "EventDate": "2024.01.03",
    "Round": "4.12",
    "White": "M\xfcller, A",
    "Black": "Adams, B",
    "Result": "1/2-1/2",
    "WhiteElo": "2400",
    "WhiteFideId": "0101",
}


def pgn(*games: dict[str, str]) -> bytes:
    texts = (
        "".join(f'[{name} "{value}"]\n' for name, value in game.items()) + "\n1. e4 { [x] } e5 2. f4 *\n\n"
        for game in games
    )
    return "".join(texts).encode("latin-1")


def games_in(
    path: Path, minutes: tuple[float, float] | None = None
) -> tuple[list[dict[str, object]], list[str]]:
    findings = Findings()
    games = read_pgn(path, findings, minutes)
    return games.to_dicts(), [finding.message for finding in findings.of_file(path.name)]


def test_a_compressed_file_is_read_as_it_is(tmp_path: Path) -> None:
    """In two frames, as programs that compress side by side write them; a damaged one cannot be read."""
    (tmp_path / "a.pgn.zst").write_bytes(
        b"".join(pa.compress(pgn(game), "zstd", asbytes=True) for game in (ONLINE, WEEKLY))
    )
    games, _ = games_in(tmp_path)
    assert [game["one"] for game in games] == ["ann", "101"]
    (tmp_path / "b.pgn.zst").write_bytes((tmp_path / "a.pgn.zst").read_bytes()[:-9])
    with pytest.raises(OSError, match="Truncated") as refused:
        games_in(tmp_path / "b.pgn.zst")
    assert refused.value.filename == str(tmp_path / "b.pgn.zst")


def test_a_game_of_a_server_belongs_to_its_day_and_one_of_a_tournament_to_its_event(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(pgn(ONLINE, WEEKLY))
    (online, weekly), messages = games_in(tmp_path / "a.pgn")
    assert messages == []
    shown = ("start", "event", "round", "one", "two", "score", "colour", "rating_one", "rating_two")
    assert [online[name] for name in shown] == [
        date(2013, 1, 2), "Rated Blitz game 2013-01-02", 0, "ann", "bob", 2, 1, 1639.0, None,
    ]  # fmt: skip
    assert [weekly[name] for name in shown] == [
        date(2024, 1, 6), "Winter Open, Erewhon, 2024-01-03", 4, "101", "Adams, B", 1, 1, 2400.0, None,
    ]  # fmt: skip


def test_games_of_a_name_with_one_fide_number_are_those_of_the_number(tmp_path: Path) -> None:
    """Also in another file of the folder; a name with two numbers may be either."""
    both = {"Black": "Chi, D", "BlackFideId": "77"}
    (tmp_path / "a.pgn").write_bytes(
        pgn({**WEEKLY, "WhiteFideId": ""}, {**WEEKLY, **both, "BlackFideId": "78"})
    )
    (tmp_path / "b.pgn").write_bytes(pgn({**WEEKLY, **both}, {**WEEKLY, "Black": "Chi, D"}))
    (tmp_path / "c.txt").write_bytes(b"not read")
    games, _ = games_in(tmp_path)
    assert [(game["one"], game["two"]) for game in games] == [
        ("101", "Adams, B"), ("101", "78"), ("101", "77"), ("101", "Chi, D"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"Result": "*"}, "without a result"),
        ({"UTCDate": "2013.??.??"}, "without a date"),
        ({"UTCDate": "0000.01.01"}, "without a date"),
        ({"UTCDate": "99999.01.01"}, "without a date"),
        ({"White": "?"}, "without a player"),
        ({"Black": "ann"}, "of a player against himself"),
        ({"Variant": "Chess960"}, "of a variant of chess"),
        ({"Event": "Casual Blitz game"}, "not rated"),
        ({"TimeControl": "60+0"}, "of another time control"),
        ({"TimeControl": "-"}, "of another time control"),
    ],
)
def test_what_cannot_be_used_is_left_out_and_counted_by_reason(
    tmp_path: Path, changed: dict[str, str], reason: str
) -> None:
    (tmp_path / "a.pgn").write_bytes(pgn(ONLINE, {**ONLINE, **changed}, {**ONLINE, **changed}))
    games, messages = games_in(tmp_path / "a.pgn", (3, 10))
    assert (len(games), messages) == (1, [f"2 games were left out: 2 {reason}."])


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("180+2", 5.0),
        ("40/7200:3600", 180.0),
        ("40/5400+30:900+30", 165.0),
        ("*180", 3.0),
        ("?", None),
        ("", None),
    ],
)
def test_a_time_control_lasts_its_minutes_and_one_for_each_second(text: str, minutes: float | None) -> None:
    """The standard's section 9.6.1: moves over seconds, a sandclock, seconds with an increment."""
    assert minutes_of(text) == (None if minutes is None else pytest.approx(minutes))


@pytest.mark.parametrize("data", [b"", b"\0\1\xff\n\n[", b"1. e4 e5\n"])
def test_a_file_without_games_gives_no_history(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.pgn").write_bytes(data)
    counts, (found,) = import_history(tmp_path / "a.pgn", tmp_path / "history", read_pgn)
    assert (counts, found.code) == (None, "games-none")
    assert not (tmp_path / "history").exists()
