"""The page of the tables: every table and column is explained, and the page is what the schema gives."""

from __future__ import annotations

from datetime import date

from scripts.pages.book_schema import book_schema_page
from scripts.pages.places import DOCS

from ratebook.book import schema
from ratebook.book.columns import day_of_place, place_of

TABLES = schema.metadata.tables


def test_the_page_of_the_tables_is_current() -> None:
    assert (DOCS / "book" / "schema.md").read_text(encoding="utf-8") == book_schema_page()


def test_every_reference_is_drawn() -> None:
    page = book_schema_page()
    for table in TABLES.values():
        for column in table.columns:
            for key in column.foreign_keys:
                assert f"--o{{ {table.name} : {column.name}" in page, (table.name, key)


def test_places_sort_by_end_then_event_then_number() -> None:
    # By section end date, event id and section number: docs/rules/readings.md#a11.
    sections = [
        (date(2026, 11, 13), "202611139999", 12),
        (date(2026, 11, 14), "1", 9),
        (date(2026, 11, 14), "10", 1),
        (date(2026, 11, 14), "10", 2),
        (date(2026, 11, 14), "10", 10),
        (date(2026, 11, 14), "10-A", 1),
        (date(2026, 12, 1), "0", 1),
    ]
    places = [place_of(*one) for one in sections]
    assert places == sorted(places)
    assert [day_of_place(one) for one in places] == [end.isoformat() for end, _, _ in sections]
