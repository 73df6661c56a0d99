"""Templates are read back by the readers of their tables."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ratebook.cli.report.template import PAIRINGS, TEMPLATES, table_words, template_text
from ratebook.findings import Findings, Place, Severity
from ratebook.formats.csv_report import columns
from ratebook.formats.reading.sheets.header import TableKind, find_header
from ratebook.office.imports import corrections, opening_balances
from ratebook.player_lists import members_csv
from ratebook.reports.load import load_file

KINDS: dict[str, TableKind] = {
    "report": columns.KIND,
    "members": members_csv.KIND,
    "balances": opening_balances.KIND,
    "corrections": corrections.KIND,
}


@pytest.mark.parametrize("kind", TEMPLATES)
def test_every_column_of_a_template_is_known_by_its_own_name(kind: str) -> None:
    findings = Findings()
    header, rows = find_header(
        findings, Place(file="t.csv"), csv.reader(template_text(kind).splitlines()), KINDS[kind]
    )
    assert header is not None
    assert len(header.places) + len(header.rounds) == header.width
    assert findings.of_file("t.csv") == ()
    assert len(list(rows)) == len(table_words()[TEMPLATES[kind]]["rows"].splitlines()) - 1


def test_the_template_of_a_report_is_a_report(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text(template_text("report"), encoding="utf-8")
    loaded = load_file(path)
    assert loaded.report is not None
    assert [len(section.entries) for section in loaded.report.sections] == [2]
    assert {one.severity for one in loaded.findings} <= {Severity.NOTE}


def test_the_template_of_pairings_is_a_report(tmp_path: Path) -> None:
    path = tmp_path / "pairings.txt"
    path.write_text(PAIRINGS, encoding="utf-8")
    loaded = load_file(path)
    assert loaded.report is not None
    (section,) = loaded.report.sections
    letters = {
        loaded.report.players[entry.player].name.split(",")[0]: "".join(cell.letter for cell in entry.rounds)
        for entry in section.entries
    }
    assert letters == {"Adams": "WX", "Baker": "LL", "Clark": "DH", "Davis": "DF", "Evans": "BW"}
