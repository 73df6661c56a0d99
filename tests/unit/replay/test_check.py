"""Bad columns give a finding before they are looped over: compiled code would read out of bounds silently."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.findings import has_errors
from ratebook.formats.contract import InputError
from ratebook.rating.decisions import FLOOR
from ratebook.replay.history import HistoryWriter, write_history
from ratebook.replay.run import Options, check_history, ledger_of, replay, replay_to_file
from ratebook.replay.tables import History
from ratebook.rules.rulebook import load_rulebook
from support.whole_run import examples

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("compiled_engine")

SHAPE = Shape(400, 60, 1, date(2003, 1, 1), date(2024, 12, 31), decided=0.3, matches=0.1, foreign=0.1)
GOOD = synthetic_history(SHAPE)
COMPILED = Options(short=0, sections_at_once=5)

BAD = {
    "member too large": ("entries", "member", 3, 60, "history-value"),
    "member negative": ("entries", "member", 0, -7, "history-value"),
    "fide rating not a number": ("entries", "fide", 2, float("nan"), "history-value"),
    "more games than there are": ("entries", "games", 1, 60_000, "history-incomplete"),
    "fewer games than there are": ("entries", "games", 5, 0, "history-"),
    "opponent outside": ("games", "opponent", 4, 50_000, "history-game-wrong"),
    "score out of range": ("games", "score", 4, 9, "history-game-wrong"),
    "no such colour": ("games", "colour", 0, 2, "history-value"),
    "sections not sorted": ("sections", "end", 0, date(2020, 1, 1), "history-"),
    "section before the rules": ("sections", "start", 0, date(1999, 1, 1), "history-rules-unknown"),
    "no such kind": ("sections", "kind", 1, 7, "history-value"),
    "no system": ("sections", "systems", 1, 0, "history-value"),
    "too many entries": ("sections", "entries", 1, 100_000, "history-value"),
    "negative entries": ("sections", "entries", 1, -5, "history-value"),
    "balance of nobody": ("balances", "member", -1, 60, "history-value"),
    "balance not a number": ("balances", "rating", 2, float("nan"), "history-value"),
    "balance infinite": ("balances", "rating", 2, float("inf"), "history-value"),
    "counts overflow": ("balances", "wins", 2, 2_000_000_000, "history-value"),
    "balances not sorted": ("balances", "member", 0, 50, "history-not-sorted"),
    "no such decision": ("decisions", "kind", 0, 10, "history-value"),
    "decision of no system": ("decisions", "system", 0, 6, "history-value"),
    "floor between two levels": ("balances", "floor_money", 0, 1850.0, "history-value"),
    "floor above those of its kind": ("balances", "floor_money", 0, 2100.0, "history-value"),
    "list of nobody": ("foreign_ratings", "member", 0, -1, "history-value"),
    "published rating of nobody": ("published_ratings", "member", -1, 60, "history-value"),
    "published rating of no system": ("published_ratings", "system", 0, 6, "history-value"),
    "published rating on no day": ("published_ratings", "list_date", 0, None, "history-value"),
    "published rating of nothing": ("published_ratings", "rating", 0, 0, "history-value"),
    "published rating without end": ("published_ratings", "rating", 0, 2_000_000_000, "history-value"),
    "published games negative": ("published_ratings", "games", 0, -5, "history-value"),
    "published ratings not sorted": ("published_ratings", "member", 0, 59, "history-not-sorted"),
}


def damaged(table: str, column: str, row: int, value: Any) -> History:  # noqa: ANN401 - any kind of value
    """Return the good history with one value replaced."""
    frame = pl.DataFrame(getattr(GOOD, table))
    values = frame[column].to_list()
    values[row] = value
    series = pl.Series(column, values, dtype=frame[column].dtype)
    return GOOD._replace(**{table: frame.with_columns(series)})


@pytest.mark.parametrize("case", BAD)
def test_a_bad_value_gives_a_finding(case: str) -> None:
    table, column, row, value, code = BAD[case]
    replayed = replay(damaged(table, column, row, value), options=COMPILED)
    assert replayed.ledger is None
    assert replayed.standings is None
    assert has_errors(replayed.findings)
    assert [finding.code for finding in replayed.findings if finding.code.startswith(code)]
    assert check_history(damaged(table, column, row, value)) == replayed.findings
    assert all(finding.where and finding.message and finding.remedy for finding in replayed.findings)


def test_the_good_history_has_no_findings() -> None:
    assert replay(GOOD, options=COMPILED).findings == ()
    assert check_history(GOOD) == ()


def test_a_member_twice_in_a_section_gives_a_finding() -> None:
    members = pl.DataFrame(GOOD.entries)["member"].to_list()
    replayed = replay(damaged("entries", "member", 1, members[0]), options=COMPILED)
    assert [finding.code for finding in replayed.findings] == ["history-player-twice"]


def test_a_game_that_is_not_mirrored_is_a_warning_and_is_rated() -> None:
    scores = pl.DataFrame(GOOD.games)["score"].to_list()
    replayed = replay(damaged("games", "score", 0, 2 if scores[0] != 2 else 0), options=COMPILED)
    assert [finding.code for finding in replayed.findings] == ["history-not-mirrored"]
    assert replayed.ledger is not None


def test_a_rating_that_is_published_twice_gives_a_finding() -> None:
    published = pl.DataFrame(GOOD.published_ratings)
    history = GOOD._replace(published_ratings=pl.concat([published[:1], published]))
    assert [finding.code for finding in check_history(history)] == ["history-not-sorted"]


def test_rows_that_no_section_asks_for_give_a_finding() -> None:
    more = pl.concat([pl.DataFrame(GOOD.games), pl.DataFrame(GOOD.games)[:1]])
    replayed = replay(GOOD._replace(games=more), options=COMPILED)
    assert [finding.code for finding in replayed.findings] == ["history-left-over"]
    assert replayed.ledger is None


def test_what_is_no_history_gives_a_finding(tmp_path: Path) -> None:
    (tmp_path / "members.parquet").write_text("no parquet")
    for history in (tmp_path, tmp_path / "missing", GOOD._replace(games=3)):
        assert [finding.code for finding in replay(history).findings] == ["history-unreadable"]
    without = GOOD._replace(entries=pl.DataFrame(GOOD.entries).drop("marks"))
    assert [finding.code for finding in replay(without, options=COMPILED).findings] == ["history-unreadable"]
    with pytest.raises(InputError, match="history-unreadable"):
        ledger_of(without, options=COMPILED)
    text = GOOD._replace(games=pl.DataFrame({"opponent": ["x"], "score": ["y"]}))
    assert [finding.code for finding in replay(text, options=COMPILED).findings] == ["history-unreadable"]


def test_a_file_of_another_version_gives_a_finding(tmp_path: Path) -> None:
    write_history(GOOD, tmp_path / "history")
    pl.DataFrame(GOOD.games).write_parquet(tmp_path / "history" / "games.parquet")
    found = replay(tmp_path / "history", options=COMPILED).findings
    assert [finding.code for finding in found] == ["history-unreadable"]
    assert "version" in found[0].message


def test_a_folder_without_published_ratings_is_read_and_says_nothing_of_them(tmp_path: Path) -> None:
    history = synthetic_history(SHAPE._replace(ineligible=1.0))
    write_history(history, tmp_path / "history")
    assert [finding.code for finding in check_history(tmp_path / "history")] == ["history-match-not-eligible"]
    (tmp_path / "history" / "published_ratings.parquet").unlink()
    assert check_history(tmp_path / "history") == ()


@pytest.mark.parametrize("setting", ["logistic_scale=1e-320", "logistic_scale=5", "k_numerator=1e308"])
def test_what_if_values_that_rate_nothing_give_a_finding(setting: str, tmp_path: Path) -> None:
    name, _, value = setting.partition("=")
    rulebook = load_rulebook().with_overlay({name: value})
    # An empty cache and a high limit: the second one is interpreted.
    for options in (COMPILED, COMPILED._replace(cache=tmp_path, short=1_000_000)):
        replayed = replay(GOOD, rulebook, options)
        assert [finding.code for finding in replayed.findings] == ["what-if-unusable"]
        assert replayed.ledger is None


def test_a_bad_history_leaves_no_file_behind(tmp_path: Path) -> None:
    written = replay_to_file(
        damaged("games", "opponent", -1, 40_000), tmp_path / "ledger.parquet", options=COMPILED
    )
    assert written.rows == 0
    assert has_errors(written.findings)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_no_file_behind(tmp_path: Path) -> None:
    def interrupt(_done: int, _all: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay_to_file(GOOD, tmp_path / "ledger.parquet", options=COMPILED._replace(progress=interrupt))
    with pytest.raises(KeyboardInterrupt), HistoryWriter(tmp_path / "history"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_history_is_never_written_over_another(tmp_path: Path) -> None:
    write_history(GOOD, tmp_path / "history")
    with pytest.raises(FileExistsError):
        write_history(GOOD, tmp_path / "history")


VALUES = st.one_of(st.integers(-(2**31), 2**31 - 1), st.sampled_from([0, 1, 2, 63, 255, 65535]))


@examples(20)
@given(table=st.sampled_from(History._fields), data=st.data())
def test_no_damage_ends_the_process(table: str, data: st.DataObject) -> None:
    frame = pl.DataFrame(getattr(GOOD, table))
    column = data.draw(st.sampled_from(frame.columns))
    row = data.draw(st.integers(0, len(frame) - 1))
    kind = frame[column].dtype
    value: Any = data.draw(VALUES)
    if kind == pl.Float64:
        value = data.draw(st.floats())
    elif kind == pl.Boolean:
        value = bool(value & 1)
    elif kind == pl.String:
        value = str(value)
    elif kind == pl.Date:
        value = data.draw(st.dates())
    elif kind != pl.Int32:
        value = abs(value) % 128
    replayed = replay(damaged(table, column, row, value), options=COMPILED)
    assert (replayed.ledger is None) == has_errors(replayed.findings)


def test_a_thread_that_fails_keeps_nobody_waiting() -> None:
    """Strengths of 0 divide by zero in one of the threads; the other waits for sections that it never rates."""
    history = synthetic_history(Shape(20_000, 2_000))
    rulebook = load_rulebook().with_overlay({"logistic_scale": "0.001"})
    replayed = replay(history, rulebook, Options(short=0, threads=2))
    assert [finding.code for finding in replayed.findings] == ["what-if-unusable"]
    assert replayed.ledger is None


@pytest.mark.parametrize("kind", range(4))
def test_a_decided_floor_is_at_a_level_of_its_kind(kind: int) -> None:
    frame = pl.DataFrame(GOOD.decisions)
    row = pl.int_range(len(frame)) == frame["kind"].to_list().index(FLOOR)
    columns = {"floor_kind": kind, "value": 1850.0}
    wrong = frame.with_columns(
        pl.when(row).then(pl.lit(value, frame[name].dtype)).otherwise(pl.col(name)).alias(name)
        for name, value in columns.items()
    )
    (found,) = replay(GOOD._replace(decisions=wrong), options=COMPILED).findings
    assert (found.code, found.where.split(", ")[-1]) == ("history-value", "value")
