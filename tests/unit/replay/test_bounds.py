"""A replay carries lower bounds on: unknown peaks and counts are at least what a balance and the ledger show."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratebook.model import Bound
from ratebook.replay.history import write_history
from ratebook.replay.run import Options, check_history, replay
from ratebook.replay.tables import SCHEMAS, VERSION, VERSION_KEY, History
from unit.replay.second_opinion import second_opinion

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.replay.run import Replayed

pytestmark = pytest.mark.usefixtures("compiled_engine")

COMPILED = Options(workings=True, short=0)
INTERPRETED = Options(workings=True, short=10**9)
OPPONENTS = 10
PLAYERS = OPPONENTS + 1
HALF_POINTS = {"W": 2, "D": 1, "L": 0}
OPENED = date(2015, 12, 31)


def table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Return a table of a history; what a row does not say is no, nothing or empty."""
    schema = SCHEMAS[name]
    nothing = {pa.bool_(): False, pa.string(): ""}
    unsaid = {field.name: None if field.nullable else nothing.get(field.type, 0) for field in schema}
    return pa.Table.from_pylist([unsaid | row for row in rows], schema)


def career(scores: str, **known: float) -> History:
    """Return a history of a member who opens at 2300, established, and of whom only what is *known* is given.

    There is a section of ten games for each of *scores*, all won (W), drawn (D) or lost (L) against others of 2300.
    """
    unknown = {"system": 0, "as_of": OPENED, "rating": 2300.0}
    other = unknown | {"games": 500.0, "peak": 2300.0, "life_master_games": 0, "record": 0}
    days = [date(2016 + at // 12, at % 12 + 1, 15) for at in range(len(scores))]
    games = [
        {"opponent": opponent, "score": points}
        for score in scores
        for opponent, points in (
            *((other, HALF_POINTS[score]) for other in range(1, PLAYERS)),
            *((0, 2 - HALF_POINTS[score]) for _ in range(OPPONENTS)),
        )
    ]
    entries = [{"member": member, "games": 1 if member else OPPONENTS} for member in range(PLAYERS)]
    return History(
        members=table("members", [{"id": str(90000001 + member)} for member in range(PLAYERS)]),
        balances=table(
            "balances",
            [{"member": 0} | unknown | known, *({"member": one} | other for one in range(1, PLAYERS))],
        ),
        foreign_ratings=table("foreign_ratings", []),
        decisions=table("decisions", []),
        published_ratings=table("published_ratings", []),
        sections=table(
            "sections",
            [
                {
                    "event": f"{day:%Y%m%d}0001",
                    "number": 1,
                    "start": day,
                    "end": day,
                    "systems": 1,
                    "entries": PLAYERS,
                }
                for day in days
            ],
        ),
        entries=table("entries", entries * len(scores)),
        games=table("games", games),
    )


def rows_of(replayed: Replayed, member: int = 0) -> pl.DataFrame:
    """Return the ledger of a member."""
    assert replayed.findings == ()
    assert replayed.ledger is not None
    return replayed.ledger.filter(pl.col("member") == member)


def standing_of(replayed: Replayed) -> dict[str, Any]:
    """Return where the member of the career stands in the end."""
    assert replayed.standings is not None
    (row,) = replayed.standings.filter(pl.col("member") == 0).iter_rows(named=True)
    return row


@pytest.mark.statement("L2", "L3")
@pytest.mark.parametrize(("drawn", "floor"), [(5, 2100.0), (25, 2100.0), (30, 2200.0), (40, 2200.0)])
def test_nobody_falls_below_the_floors_of_what_the_ledger_shows(drawn: int, floor: float) -> None:
    """D25 section 5: 2300 was attained, so the floor is 2100; after 300 games from 2200 or more it is 2200."""
    replayed = replay(career("D" * drawn + "L" * 25), options=COMPILED)
    ledger = rows_of(replayed)
    assert ledger["rating"].to_list()[:drawn] == [2300.0] * drawn
    assert ledger["rating"].min() == floor
    standing = standing_of(replayed)
    assert (standing["rating"], standing["peak"]) == (floor, 2300.0)
    assert Bound(standing["at_least"]) == Bound.PEAK | Bound.COUNTS | Bound.LIFE_MASTER_GAMES
    seen = ledger.filter(pl.col("rating_before") >= 2200.0)["played"].sum()
    assert standing["life_master_games"] == seen
    assert (seen >= 300) == (floor == 2200.0)
    assert (standing["draws"], standing["losses"]) == (10 * drawn, 250)


def test_what_is_known_is_no_bound_and_a_stated_bound_stays_one() -> None:
    known = {
        "wins": 300,
        "draws": 100,
        "losses": 100,
        "long_events": 90,
        "peak": 2350.0,
        "life_master_games": 12,
    }
    scores = "DDLL"
    counted = standing_of(replay(career(scores, games=500.0, **known), options=COMPILED))
    assert counted["at_least"] == 0
    for bound in Bound:
        replayed = replay(career(scores, games=500.0, at_least=int(bound), **known), options=COMPILED)
        assert standing_of(replayed) == counted | {"at_least": int(bound)}


@pytest.mark.parametrize("scores", ["D" * 5 + "L" * 25, "D" * 30 + "L" * 10, "WWLLWL"])
def test_all_engines_agree_about_bounds(scores: str) -> None:
    history = career(scores)
    expected = second_opinion(history)
    for options in (COMPILED, INTERPRETED, COMPILED._replace(sections_at_once=7)):
        replayed = replay(history, options=options)
        assert replayed.ledger is not None
        assert replayed.standings is not None
        assert expected.ledger is not None
        assert expected.standings is not None
        assert replayed.ledger.rows() == expected.ledger.rows()
        assert replayed.standings.rows() == expected.standings.rows()


def test_final_standings_are_balances_of_the_next_replay() -> None:
    """The 300 games of an original Life Master are counted over both replays."""
    whole = career("D" * 30 + "L" * 12)
    first = career("D" * 20)
    entries, games = 20 * PLAYERS, 2 * 20 * OPPONENTS
    begun = replay(first, options=COMPILED)
    rest = whole._replace(
        balances=begun.standings,
        sections=whole.sections.slice(20),
        entries=whole.entries.slice(entries),
        games=whole.games.slice(games),
    )
    ended, at_once = replay(rest, options=COMPILED), replay(whole, options=COMPILED)
    assert standing_of(ended) == standing_of(at_once)
    assert standing_of(ended)["rating"] == 2200.0


def test_balances_of_an_earlier_version_have_no_bounds(tmp_path: Path) -> None:
    """In memory and on disk the column may be absent; it is written when the history is."""
    history = career("DLLLL", peak=2300.0)
    older = history._replace(balances=history.balances.drop_columns(["at_least"]))
    expected = standing_of(replay(history, options=COMPILED))
    assert standing_of(replay(older, options=COMPILED)) == expected
    write_history(older, tmp_path / "history")
    assert pq.read_schema(tmp_path / "history" / "balances.parquet").names == SCHEMAS["balances"].names
    pq.write_table(
        older.balances.replace_schema_metadata({VERSION_KEY: VERSION}),
        tmp_path / "history" / "balances.parquet",
    )
    assert standing_of(replay(tmp_path / "history", options=COMPILED)) == expected


def test_games_of_an_earlier_version_have_no_rounds_and_colours(tmp_path: Path) -> None:
    """A file of version 1 is read, and is written with what is unknown; an empty value is unknown too."""
    history = career("DLL", peak=2300.0)
    older = history._replace(games=history.games.select(["opponent", "score"]))
    write_history(older, tmp_path / "history")
    games = tmp_path / "history" / "games.parquet"
    assert set(pq.read_table(games)["colour"].to_pylist()) == {0}
    expected = standing_of(replay(history, options=COMPILED))
    pq.write_table(older.games.replace_schema_metadata({VERSION_KEY: b"1"}), games)
    assert standing_of(replay(tmp_path / "history", options=COMPILED)) == expected
    empty = pa.nulls(older.games.num_rows, pa.int8())
    assert standing_of(replay(older._replace(games=older.games.append_column("colour", empty)))) == expected
    pq.write_table(older.games.replace_schema_metadata({VERSION_KEY: b"3"}), games)
    (found,) = check_history(tmp_path / "history")
    assert "must be 1 or 2, not 3" in found.message


@pytest.mark.parametrize("bits", [-1, 8])
def test_a_mark_that_is_no_set_of_bounds_gives_a_finding(bits: int) -> None:
    (found,) = check_history(career("D", at_least=bits))
    assert (found.code, found.where) == ("history-value", "balances, row 0, at_least")
