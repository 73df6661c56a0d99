"""The tables of the fields hold the records of the model, all of them, as the model has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ratebook.findings import Findings, Place
from ratebook.formats.losses import Losses
from ratebook.formats.reading.fields import open_object
from ratebook.formats.reading.tables import (
    CEILING,
    ENTRY,
    EVENT,
    FLOOR,
    FOREIGN,
    INITIAL,
    MATCH,
    PLAYER,
    RATING,
    SECTION,
)
from ratebook.model import PlayerFacts, Rating, Report, System

if TYPE_CHECKING:
    from ratebook.formats.reading.record import RecordTable

TABLES: tuple[RecordTable[Any], ...] = (
    *(RATING, FOREIGN, INITIAL, FLOOR, CEILING, MATCH),
    *(PLAYER, EVENT, ENTRY, SECTION),
)
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.record.__name__)


@every_table
def test_a_table_has_the_fields_of_its_record_in_their_order(table: RecordTable[Any]) -> None:
    assert tuple(field.name for field in table.fields) == table.record._fields


@every_table
def test_what_is_unknown_is_what_the_record_has_where_nothing_is_said(table: RecordTable[Any]) -> None:
    defaults = table.record._field_defaults
    assert {field.name: field.unknown for field in table.fields if field.name in defaults} == defaults


@every_table
def test_a_field_without_which_there_is_no_record_has_no_default(table: RecordTable[Any]) -> None:
    # A section may be built before its entries.
    assert table.record._field_defaults.keys() - {"entries"} <= {field.name for field in table.fields} - {
        *table.required
    }


def test_a_record_is_written_without_what_is_unknown_and_read_back() -> None:
    rating = Rating(612.5, wins=3)
    plain = RATING.plain(rating)
    # Games of null mean an established rating; their absence would be an assumption.
    assert plain == {"rating": 612.5, "games": None, "wins": 3}
    fields = open_object(Findings(), plain, Place(field="rating"), RATING.keys)
    assert fields is not None
    assert RATING.read(fields) == rating


def test_a_format_that_holds_nothing_loses_every_fact_but_ids_and_results() -> None:
    player = PlayerFacts(
        "P1", "ADAMS EXAMPLE", adult=False, ratings={System.REGULAR: Rating(1500.0, peak=1600.0)}
    )
    losses = Losses()
    losses.add_facts(Report(EVENT.record(), {"P1": player}, ()), frozenset({"player.ratings"}))
    assert [one.message for one in losses.findings("file")] == [
        "The format has no place for: name (1 time).",
        "The format has no place for: adult mark (1 time).",
        "The format has no place for: peak rating (1 time).",
        "The format has no place for: player who sits in no section (1 time).",
    ]
