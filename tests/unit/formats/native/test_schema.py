"""The JSON Schema of the native report: it accepts every report that can be read, and sees what shape can say."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from hypothesis import given

from ratebook.formats.native.write import FILE_NAME, write
from support.report_strategies import reports
from unit.formats.native.reports import CONTRACT_EXAMPLE
from unit.formats.native.test_read_findings import BAD_REPORTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.model import Report
    from unit.formats.native.reports import Values

ROOT = Path(__file__).resolve().parents[4]
SCHEMA = ROOT / "docs" / "formats" / "report.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(
    json.loads(SCHEMA.read_text(encoding="utf-8")), format_checker=jsonschema.FormatChecker()
)

BEYOND_A_SCHEMA = frozenset(
    {
        *("birth-date-after-event", "dates-reversed", "end-missing", "record-contradicts-counts"),
        *("player-twice", "player-unknown", "seat-twice", "section-number-twice"),
        *("date-out-of-range", "number-not-finite", "text-unreadable"),
    }
)
"""What one value does not show."""
OF_THE_KIND = "money floor too high"
"""The highest level of a floor depends on its kind."""


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted((ROOT / "examples").rglob("*.json"))
        if b"ratebook-report/" in path.read_bytes()
    ],
    ids=lambda path: path.name,
)
def test_the_examples_are_reports(path: Path) -> None:
    VALIDATOR.validate(json.loads(path.read_bytes()))


def test_the_contracts_example_is_a_report() -> None:
    VALIDATOR.validate(json.loads(CONTRACT_EXAMPLE))


@pytest.mark.long
@given(reports())
def test_whatever_is_written_is_a_report(report: Report) -> None:
    VALIDATOR.validate(json.loads(write(report).files[FILE_NAME]))


@pytest.mark.parametrize(
    "change",
    [
        change
        for name, (change, code, _) in BAD_REPORTS.items()
        if code not in BEYOND_A_SCHEMA and name != OF_THE_KIND
    ],
    ids=[
        name
        for name, (_, code, _) in BAD_REPORTS.items()
        if code not in BEYOND_A_SCHEMA and name != OF_THE_KIND
    ],
)
def test_a_report_of_a_wrong_shape_is_none(change: Callable[[Values], object]) -> None:
    values = json.loads(CONTRACT_EXAMPLE)
    change(values)
    assert not VALIDATOR.is_valid(values)


def test_the_schema_lies_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert shipped[SCHEMA.relative_to(ROOT).as_posix()] == "ratebook/formats/native/report.schema.json"
