"""All stored sections, newcomers and all, come out of the compiled replay as out of a report, to the last bit."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from scripts.published.reports import rate
from scripts.published.stored import stored_sections
from scripts.published.summary import before_the_timeline

from ratebook.model import SectionType, System
from ratebook.replay.run import Options, replay
from ratebook.replay.tables import SCHEMAS, History

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection

SYSTEMS = tuple(System)
SEVERAL_SEATS = 1
MATCH = 1

Key = tuple[int, int, int]
"""Section, place of the player in it, system."""


def bits(value: float) -> bytes:
    return struct.pack("d", value)


def frame(name: str, rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    """Return a table of a history from its rows; columns that the rows do not have are empty."""
    schema = SCHEMAS[name]
    table = pl.from_arrow(schema.empty_table())
    assert isinstance(table, pl.DataFrame)
    given = {column: [row[at] for row in rows] for at, column in enumerate(schema.names[: len(rows[0])])}
    return pl.DataFrame(given, schema_overrides={name: table.schema[name] for name in given}).with_columns(
        *(pl.lit(None, dtype=table.schema[name]).alias(name) for name in schema.names if name not in given)
    )


def empty(name: str) -> Any:  # noqa: ANN401 - anything with the PyCapsule interface
    return SCHEMAS[name].empty_table()


def history_of(reports: list[tuple[RatedSection, ...]]) -> History:
    """Return a history in which every player of every section is a member of its own.

    The sections of real players do not follow one another without gaps, so that each begins with the published ratings.
    """
    members: list[tuple[Any, ...]] = []
    balances: list[tuple[Any, ...]] = []
    sections: list[tuple[Any, ...]] = []
    entries: list[tuple[Any, ...]] = []
    games: list[tuple[int, int]] = []
    for number, rated in enumerate(reports):
        first = rated[0]
        section, columns = first.section, first.columns
        systems = sum(1 << SYSTEMS.index(one.system) for one in rated)
        kind = MATCH if section.type is SectionType.MATCH else 0
        sections.append(
            (f"{number:06}", 1, section.start, section.end, kind, False, False, systems, len(first.players))
        )
        for at, player in enumerate(first.players):
            for system, rating in sorted(
                first.facts[player].ratings.items(), key=lambda item: SYSTEMS.index(item[0])
            ):
                balances.append((len(members), SYSTEMS.index(system), None, rating.rating, rating.games))
            played = range(columns.first_game[at], columns.first_game[at + 1])
            marks = SEVERAL_SEATS if columns.several_seats[at] else 0
            entries.append((len(members), len(played), marks, 0.0))
            games += [(columns.opponent[game], int(2 * columns.score[game])) for game in played]
            members.append((f"{len(members):08}", None, False, False, False, False))
    return History(
        members=frame("members", members),
        balances=frame("balances", balances).with_columns(pl.lit(0, pl.Int8).alias("at_least")),
        foreign_ratings=empty("foreign_ratings"),
        decisions=empty("decisions"),
        published_ratings=empty("published_ratings"),
        sections=frame("sections", sections),
        entries=frame("entries", entries),
        games=frame("games", games),
    )


def reported(reports: list[tuple[RatedSection, ...]]) -> dict[Key, tuple[bytes, float]]:
    """Return rating and N of each player with a rated game, as the reports have them."""
    found = {}
    for number, rated in enumerate(reports):
        for section in rated:
            for entry in section.entries:
                if entry.workings is not None and entry.after is not None:
                    key = (number, section.places[entry.player], SYSTEMS.index(section.system))
                    found[key] = (bits(entry.after.rating), entry.after.games)
    return found


@pytest.mark.usefixtures("compiled_engine")
def test_a_replay_of_all_stored_sections_agrees_with_their_reports_to_the_last_bit() -> None:
    stored = [section for section in stored_sections() if not before_the_timeline(section)]
    reports = [rate(section).sections for section in stored]
    replayed = replay(history_of(reports), options=Options(short=0))
    assert replayed.ledger is not None, replayed.findings
    first_members = [0]
    for rated in reports:
        first_members.append(first_members[-1] + len(rated[0].players))
    columns = ("member", "section", "system", "rating", "games")
    ledger = {
        (section, member - first_members[section], system): (bits(rating), games)
        for member, section, system, rating, games in replayed.ledger.select(columns).iter_rows()
    }
    assert all(later >= earlier for earlier, later in pairwise(section.end for section in stored))
    expected = reported(reports)
    assert len(expected) > 30_000
    assert ledger.keys() == expected.keys()
    assert {key for key in expected if ledger[key] != expected[key]} == set()
