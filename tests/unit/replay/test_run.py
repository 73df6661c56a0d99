"""The loop, compiled or as it stands, gives the ledger of the second opinion to the last bit, however it is cut."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.rating.results import SOURCE_NAMES
from ratebook.replay.engine.compiled import compiled, default_cache
from ratebook.replay.history import write_history
from ratebook.replay.load import chunks, first_places, source_of
from ratebook.replay.run import Options, Replayed, replay, replay_to_file
from ratebook.replay.tables import History, table_of
from ratebook.rules.rulebook import load_rulebook
from unit.replay.second_opinion import second_opinion
from unit.replay.test_matches import two_players

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.rules.rulebook import Rulebook

pytestmark = pytest.mark.usefixtures("compiled_engine")

COMPILED = Options(workings=True, short=0)

BUSY = {"matches": 0.2, "foreign": 0.1, "decided": 0.3, "half_k": 0.4, "unknown": 0.3, "unrated": 0.3}

ERAS = {
    "half K and integers": Shape(2500, 250, 1, date(2001, 1, 1), date(2007, 12, 31), **BUSY),
    "integers until September 2014": Shape(2500, 250, 2, date(2008, 1, 1), date(2015, 6, 30), **BUSY),
    "the 2015 lists": Shape(2500, 250, 3, date(2015, 1, 1), date(2020, 5, 31), **BUSY),
    "the blend": Shape(2500, 250, 4, date(2020, 6, 1), date(2026, 6, 30), **BUSY),
    "all years, a federation's shares": Shape(6000, 500, 5, date(2001, 1, 1), date(2025, 12, 31)),
}


@pytest.fixture(scope="module")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache without compiled code: a short history is interpreted."""
    return tmp_path_factory.mktemp("nothing-compiled")


def uncompiled(history: History, cache: Path, rulebook: Rulebook | None = None) -> Replayed:
    return replay(history, rulebook, Options(workings=True, cache=cache, short=10**9))


def bits(frame: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - a Polars frame
    """Return the columns with floats as their bits, so that 0.0 and -0.0 differ."""
    return {
        name: frame[name].reinterpret(signed=True).to_list()
        if frame[name].dtype == pl.Float64
        else frame[name].to_list()
        for name in frame.columns
    }


def assert_same(one: Replayed, other: Replayed) -> None:
    for left, right in ((one.ledger, other.ledger), (one.standings, other.standings)):
        assert left is not None
        assert right is not None
        assert len(left) > 0
        for name, values in bits(left).items():
            assert values == bits(right)[name], name


@pytest.mark.parametrize("era", ERAS)
def test_the_loop_and_the_second_opinion_agree_to_the_last_bit(era: str, nowhere: Path) -> None:
    history = synthetic_history(ERAS[era])
    expected = second_opinion(history)
    assert_same(expected, replay(history, options=COMPILED))
    assert_same(expected, uncompiled(history, nowhere))


@pytest.mark.parametrize("name", ["junior-club", "england", "scotland"])
def test_the_loop_and_the_second_opinion_agree_by_the_rules_of_other_federations(
    name: str, nowhere: Path
) -> None:
    """K by age reads birth dates in the loop; both engines are compared over rules of each shape elsewhere."""
    rulebook = load_rulebook().with_overlay_file(f"examples/federations/{name}.toml")
    history = synthetic_history(Shape(600, 60, 6, date(2026, 1, 1), date(2026, 6, 30), **BUSY))
    expected = second_opinion(history, rulebook)
    assert_same(expected, replay(history, rulebook, COMPILED))
    assert_same(expected, uncompiled(history, nowhere, rulebook))


@pytest.mark.statement("Q38")
@pytest.mark.parametrize(
    ("day", "rating"),
    [
        (date(2005, 10, 1), 2201.0),
        (date(2008, 4, 1), 2151.0),
        (date(2011, 2, 11), 2145.16),
        (date(2015, 1, 1), 2214.02),
    ],
)
def test_a_newcomer_of_2151_fide_starts_as_in_his_year(day: date, rating: float, nowhere: Path) -> None:
    """Compiled and not: F + 50, F, -350 + 1.16 F, 20 + 1.02 F; ten games each time."""
    history = two_players((), kind=0)
    history = history._replace(
        sections=history.sections.with_columns(start=pl.lit(day), end=pl.lit(day)),
        foreign_ratings=pl.DataFrame(
            {"member": [0], "source": [0], "list_date": [day], "rating": [2151.0]},
            schema_overrides={"member": pl.Int32, "source": pl.Int8},
        ),
    )
    for replayed in (replay(history, options=COMPILED), uncompiled(history, nowhere)):
        assert replayed.ledger is not None
        first = replayed.ledger.row(0, named=True)
        assert (first["rating_before"], first["games_before"]) == (pytest.approx(rating), 10.0)


def test_the_synthetic_histories_reach_every_branch() -> None:
    """Without this, agreement could be about nothing."""
    ledger = pl.concat(
        frame
        for shape in ERAS.values()
        if (frame := second_opinion(synthetic_history(shape)).ledger) is not None
    )
    assert set(ledger["source"]) == set(range(len(SOURCE_NAMES)))
    assert set(ledger["formula"]) == {1, 2}
    assert set(ledger["system"]) == set(range(6))
    assert set(ledger["record"]) == {0, 1, 2}
    assert set(ledger["at_least"]) == set(range(8))
    for column in (
        "k",
        "bonus",
        "floor_applied",
        "lowered",
        "match_change",
        "step3",
        "step4",
        "wins",
        "peak",
    ):
        assert 0 < ledger[column].null_count() < len(ledger), column
    assert (ledger["bonus"] > 0).any()
    assert (ledger["games"] % 1 > 0).any(), "no half-K section"
    assert (ledger["rating"] % 1 > 0).any(), "no rating in full precision"


def test_chunks_of_any_size_and_threads_change_nothing() -> None:
    history = synthetic_history(ERAS["the blend"])
    whole = replay(history, options=COMPILED)
    for options in (
        COMPILED._replace(sections_at_once=7),
        COMPILED._replace(sections_at_once=1),
        COMPILED._replace(threads=2),
        COMPILED._replace(threads=2, sections_at_once=50),
    ):
        assert_same(whole, replay(history, options=options))


def test_the_order_in_which_players_are_stored_changes_nothing() -> None:
    history = synthetic_history(ERAS["integers until September 2014"])
    whole, turned = replay(history, options=COMPILED), replay(with_entries_turned(history), options=COMPILED)
    keys = ["section", "system", "member"]
    assert whole.ledger is not None
    assert turned.ledger is not None
    assert_same(
        whole._replace(ledger=whole.ledger.sort(keys)), turned._replace(ledger=turned.ledger.sort(keys))
    )


def with_entries_turned(history: History) -> History:
    """Return the history with the entries of every section in the reverse order."""
    raw = next(chunks(source_of(history), 10**9))
    sizes = raw.sections["entries"]
    first = first_places(sizes)
    section = np.repeat(np.arange(len(sizes)), sizes)
    order = first[:-1][section] + first[1:][section] - 1 - np.arange(len(section))
    entries = {name: values[order] for name, values in raw.entries.items()}
    first_game = first_places(raw.entries["games"])
    games = np.concatenate([np.arange(first_game[entry], first_game[entry + 1]) for entry in order])
    size = np.repeat(sizes[section][order], entries["games"])
    opponent = size - 1 - raw.games["opponent"][games]
    return history._replace(
        entries=table_of("entries", entries),
        games=table_of("games", {"opponent": opponent, "score": raw.games["score"][games]}),
    )


def test_polars_frames_and_files_are_the_same_history(tmp_path: Path) -> None:
    history = synthetic_history(ERAS["the 2015 lists"])
    write_history(history, tmp_path / "history")
    from_tables = replay(history, options=COMPILED)
    frames = History(*(pl.DataFrame(table) for table in history))
    assert_same(from_tables, replay(frames, options=COMPILED))
    assert_same(from_tables, replay(tmp_path / "history", options=COMPILED))
    written = replay_to_file(tmp_path / "history", tmp_path / "ledger.parquet", options=COMPILED)
    assert written.standings is not None
    from_file = Replayed(pl.read_parquet(tmp_path / "ledger.parquet"), written.standings, ())
    assert_same(from_tables, from_file)
    assert from_tables.ledger is not None
    assert written.rows == len(from_tables.ledger)


def test_a_rule_overlay_is_another_table_and_not_another_compile(nowhere: Path) -> None:
    history = synthetic_history(ERAS["the blend"])
    plain = replay(history, options=COMPILED)
    rate_sections: Any = compiled(default_cache()).rate_sections
    compiles = len(rate_sections.signatures)
    rulebook = load_rulebook().with_overlay({"bonus_multiplier": "6"})
    what_if = replay(history, rulebook, COMPILED)
    assert len(rate_sections.signatures) == compiles == 1
    assert_same(what_if, second_opinion(history, rulebook))
    assert_same(what_if, uncompiled(history, nowhere, rulebook))
    assert plain.ledger is not None
    assert what_if.ledger is not None
    assert what_if.ledger["bonus"].sum() > plain.ledger["bonus"].sum()


def test_matches_are_forgotten_only_when_no_window_reaches_them() -> None:
    shape = Shape(1500, 30, 7, date(2004, 1, 1), date(2024, 12, 31), matches=0.9, foreign=0.0)
    history = synthetic_history(shape)
    assert_same(second_opinion(history), replay(history, options=COMPILED._replace(sections_at_once=10)))


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    members=st.integers(3, 60),
    begin=st.dates(date(2001, 1, 1), date(2025, 1, 1)),
    shares=st.tuples(*(st.floats(0.0, 0.4) for _ in range(4))),
)
def test_small_histories_of_any_kind_agree(
    nowhere: Path, seed: int, members: int, begin: date, shares: tuple[float, ...]
) -> None:
    end = date(min(begin.year + 3, 2026), 6, 1)
    matches, foreign, decided, unrated = shares
    shape = Shape(200, members, seed, begin, end, unrated, matches, foreign, decided)
    history = synthetic_history(shape)
    expected = second_opinion(history).ledger
    assert expected is not None
    for replayed in (uncompiled(history, nowhere), replay(history, options=COMPILED)):
        assert replayed.ledger is not None
        assert bits(replayed.ledger) == bits(expected)
