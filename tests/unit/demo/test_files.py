"""The federation's files: every report reads back in its format, and the bytes depend on nothing but the arguments."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.demo.build import build_federation
from ratebook.demo.files import federation_files, file_name, report_bytes, zipped
from ratebook.findings import Findings, Severity
from ratebook.formats.contract import Hints
from ratebook.formats.reading.sheets.player_columns import COLUMNS
from ratebook.formats.registry import detect_format
from ratebook.formats.source import source_of_bytes
from ratebook.model import SectionType
from ratebook.player_lists.read import read_players
from ratebook.reports.load import load_bytes

if TYPE_CHECKING:
    from ratebook.demo.values import Arrival, InventedFederation
    from ratebook.model import Report

FINGERPRINT = """
import hashlib
from ratebook.demo.build import build_federation
from ratebook.demo.files import federation_files
found = hashlib.sha256()
for name, data in federation_files(build_federation(120, 2, seed=9)):
    found.update(name.encode() + b"\\0" + data)
print(found.hexdigest())
"""


@pytest.fixture(scope="module", name="federation")
def small_federation() -> InventedFederation:
    return build_federation(300, 2, seed=2)


@pytest.fixture(scope="module", name="files")
def written(federation: InventedFederation) -> dict[str, bytes]:
    return dict(federation_files(federation))


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


def games_of(report: Report) -> list[object]:
    """Return everything that rating rests on: who sits where, what was played, when and how fast."""
    return [
        (
            section.number,
            section.start,
            section.end,
            section.time_control,
            section.type,
            section.online,
            section.youth,
            [(entry.seat, entry.player, entry.update, letters_of(entry.rounds)) for entry in section.entries],
        )
        for section in report.sections
    ]


def letters_of(rounds: tuple[object, ...]) -> list[object]:
    # An empty round is an unpaired one in formats that have no empty cell.
    return [cell if getattr(cell, "letter", "") not in {"", "U"} else None for cell in rounds]


def test_the_bytes_do_not_depend_on_the_order_of_sets() -> None:
    shown = [
        subprocess.run(
            [sys.executable, "-c", FINGERPRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4711")
    ]
    assert len(shown[0].strip()) == 64
    assert shown[0] == shown[1]


def test_every_report_reads_back_with_the_hints_of_the_manifest(
    federation: InventedFederation, files: dict[str, bytes]
) -> None:
    rows = rows_of(files["reports.csv"])
    assert [row["file"] for row in rows] == [file_name(arrival) for arrival in federation.arrivals]
    for row, arrival in zip(rows, federation.arrivals, strict=True):
        assert row["received"] == arrival.received.isoformat()
        data = files[f"reports/{row['file']}"]
        source = source_of_bytes(data, row["file"])
        found = detect_format(source, Findings())
        assert found is not None
        assert found.name == arrival.format
        loaded = load_bytes(data, row["file"], arrival.hints, received=arrival.received)
        assert loaded.findings == ()
        assert loaded.report is not None
        assert games_of(loaded.report) == games_of(arrival.report)
        assert hints_in(row) == arrival.hints


def hints_in(row: dict[str, str]) -> Hints:
    """Return the hints of a row of the manifest, read as any importer would."""
    return Hints(
        start=date.fromisoformat(row["start"]) if row["start"] else None,
        end=date.fromisoformat(row["end"]) if row["end"] else None,
        time_control=row["time_control"] or None,
        online=row["online"] == "true",
        type=SectionType(row["type"]) if row["type"] else None,
        event=row["event_id"],
        name=row["event_name"] or None,
    )


def test_names_of_files_sort_in_the_order_of_arrival(federation: InventedFederation) -> None:
    names = [file_name(arrival) for arrival in federation.arrivals]
    assert sorted(names) == names
    assert len(set(names)) == len(names)


def test_a_report_that_comes_twice_has_the_same_bytes(federation: InventedFederation) -> None:
    by_event: dict[str, list[Arrival]] = {}
    for arrival in federation.arrivals:
        by_event.setdefault(arrival.report.event.id, []).append(arrival)
    twice = [both for both in by_event.values() if len(both) > 1]
    assert twice
    for first, second in twice:
        assert report_bytes(first) == report_bytes(second)


def test_the_members_csv_reads_without_a_finding(
    federation: InventedFederation, files: dict[str, bytes], tmp_path: Path
) -> None:
    path = tmp_path / "members.csv"
    path.write_bytes(files["members.csv"])
    players = {member.facts.id: member.facts._replace(name="") for member in federation.members}
    listed = read_players(path, federation.arrivals[0].report._replace(players=players))
    assert [one for one in listed.findings if one.severity is not Severity.NOTE] == []
    for member in federation.members:
        row = listed.players[member.facts.id]
        assert row.facts._replace(id=member.facts.id) == member.facts._replace(state=member.state)
        assert row.expires == member.expires
    assert set(rows_of(files["members.csv"])[0]) <= set(COLUMNS)


def test_every_list_has_its_documented_columns(files: dict[str, bytes]) -> None:
    """Each line of the page leads to the page of a table, which has the columns of the file."""
    docs = Path(__file__).resolve().parents[3] / "docs"
    lines = (docs / "demo-federation.md").read_text("utf-8").splitlines()
    page_of = {
        line.split("`")[1]: line.rpartition("](")[2].partition(")")[0]
        for line in lines
        if "](formats/" in line
    }
    lists = [name for name in files if "/" not in name]
    assert len(lists) == 6
    for name in lists:
        page = (docs / page_of[name]).read_text("utf-8")
        for column in files[name].decode().splitlines()[0].split(","):
            assert f"\n| `{column}` |" in page, f"{name}: {column}"


def test_lists_have_a_row_for_each_value(federation: InventedFederation, files: dict[str, bytes]) -> None:
    assert len(rows_of(files["members.csv"])) == len(federation.members)
    assert len(rows_of(files["memberships.csv"])) == len(federation.memberships)
    assert len(rows_of(files["external-ratings.csv"])) == len(federation.external_ratings)
    assert len(rows_of(files["opening-balances.csv"])) == len(federation.opening_balances)
    assert len(rows_of(files["corrections.csv"])) == len(federation.corrections)


def test_archives_depend_on_no_library_and_no_system() -> None:
    with zipfile.ZipFile(io.BytesIO(zipped({"A.DBF": b"a" * 100}))) as archive:
        (member,) = archive.infolist()
    assert (member.compress_type, member.create_system, member.date_time) == (
        zipfile.ZIP_STORED,
        3,
        (1980, 1, 1, 0, 0, 0),
    )
