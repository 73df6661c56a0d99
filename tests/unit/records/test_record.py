"""Every field of every record: all are there for the office, and the public gets none that is the office's."""

from __future__ import annotations

import pkgutil
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from importlib import import_module
from typing import Any

import msgspec
import pytest

from ratebook import records
from ratebook.model import Shown, System
from ratebook.records.players import CurrentRating
from ratebook.records.record import cells_of, columns_of, plain

KINDS = sorted(
    {
        kind
        for module in pkgutil.iter_modules(records.__path__)
        for kind in vars(import_module(f"ratebook.records.{module.name}")).values()
        if isinstance(kind, type) and is_dataclass(kind)
    },
    key=lambda kind: kind.__name__,
)
OF_THE_OFFICE = {
    "CrosstableLine": {"initial"},
    "CurrentRating": {"rating"},
    "FoundPlayer": {"fide_id"},
    "ListSummary": {"published_by"},
    "Player": {"fide_id"},
    "PlayerChange": {"reasons", "run", "run_at"},
    "RankingPlace": {"rating"},
    "QueuedSubmission": {"submitted_by"},
    "SectionResult": {"change", "rating", "rating_class"},
    "SubmissionStatus": {"submitted_by"},
}
"""Decimals of ratings, from which initial ratings and ages follow; who did what; ids that others gave."""
DAYS = {"as_of", "cut_off", "earned", "end", "first_rated", "newest_section", "received", "since", "start"}
"""Days that are public: none is a birth date."""


def sample(hint: Any) -> Any:  # noqa: ANN401 - a value of any type
    """Return a value of a type, with one of everything that may be there."""
    inner = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin in {types.UnionType, typing.Union}:
        return sample(next(part for part in inner if part is not type(None)))
    if origin is tuple or origin is Mapping:
        return (sample(inner[0]),) if origin is tuple else {"name": sample(inner[1])}
    if origin is typing.Literal or issubclass(hint, Enum):
        return next(iter(inner or hint))
    if hints := typing.get_type_hints(hint):
        return hint(**{name: sample(kind) for name, kind in hints.items()})
    return {str: "x", int: 1, float: 1.5, bool: True, date: date(2026, 11, 20)}[hint]


def keys_of(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the names in JSON, at every depth."""
    if isinstance(value, dict):
        return {name: keys_of(inner) for name, inner in value.items()}
    return [keys_of(inner) for inner in value] if isinstance(value, list) else None


def names(value: Any, *, office: bool) -> Any:  # noqa: ANN401 - any part of a record
    """Return the names that JSON must have, by the list of this test and not by the marks."""
    if is_dataclass(value) or hasattr(value, "_fields"):
        known = [field.name for field in fields(value)] if is_dataclass(value) else value._fields
        hidden = set() if office else OF_THE_OFFICE.get(type(value).__name__, set())
        return {name: names(getattr(value, name), office=office) for name in known if name not in hidden}
    if isinstance(value, Mapping):
        return {name: names(inner, office=office) for name, inner in value.items()}
    return [names(inner, office=office) for inner in value] if isinstance(value, tuple) else None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_is_there_for_the_office_and_those_of_the_office_for_it_alone(kind: type) -> None:
    value = sample(kind)
    assert keys_of(plain(value, office=True)) == names(value, office=True)
    assert keys_of(plain(value)) == names(value, office=False)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_the_public_reads_is_a_record_again(kind: type) -> None:
    """A client reads a public answer, to which fields of the office are what they are without them."""
    read: Any = msgspec.json.decode(msgspec.json.encode(plain(sample(kind))), type=kind)
    assert plain(read) == plain(sample(kind))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_public_table_has_a_cell_for_each_column_and_none_of_the_office(kind: type) -> None:
    columns = list(columns_of(kind))
    assert len(columns) == len(set(columns)) == len(list(cells_of(kind, sample(kind))))
    assert not OF_THE_OFFICE.get(kind.__name__, set()) & set(columns)


def test_a_record_in_a_record_has_its_columns() -> None:
    rated = CurrentRating(
        system=System.QUICK, current=Shown(1500, 4), official=None, rating_class="class C", as_of=None
    )
    assert dict(zip(columns_of(CurrentRating), cells_of(CurrentRating, rated), strict=True)) == {
        "system": System.QUICK,
        "current_rating": 1500,
        "current_provisional_games": 4,
        "official_rating": None,
        "official_provisional_games": None,
        "rating_class": "class C",
        "as_of": None,
        "games": 0,
        **dict.fromkeys(("peak_rating", "peak_as_of", "record_wins", "record_draws", "record_losses")),
        **dict.fromkeys(("rank_place", "rank_active", "rank_state_place", "rank_state_active")),
    }


def test_no_public_field_is_a_birth_date_or_an_initial_rating() -> None:
    for kind in KINDS:
        hidden = OF_THE_OFFICE.get(kind.__name__, set())
        for name, hint in typing.get_type_hints(kind).items():
            words = set(name.split("_"))
            assert name in hidden or not {"birth", "born", "age", "initial", "adult"} & words, (kind, name)
            # A rating before a section is one that was published; of a newcomer there is none.
            assert "before" not in words or hint in {Shown, Shown | None, int | None}, (kind, name)
            assert hint not in {date, date | None} or name in DAYS, (kind, name)
