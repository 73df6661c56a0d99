"""Files of an import are read in a child first, within limits, by the readers of the import."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.web.imports.proof import prove
from ratebook.web.trial.child import MEGABYTE, PATIENT, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = Path(__file__).parents[3] / "examples" / "quad.json"
SMALL = Limits(memory=85 * MEGABYTE, cpu_seconds=240, deadline=600.0)
HURRIED = Limits(memory=PATIENT.memory, cpu_seconds=240, deadline=0.001)


def reports(place: Path) -> Path:
    with zipfile.ZipFile(place / "reports.zip", "w") as archive:
        archive.writestr("reports.csv", "file,received\none.json,2026-01-11\n")
        archive.writestr("reports/one.json", EXAMPLE.read_bytes())
    return place / "reports.zip"


def heavy_reports(place: Path) -> Path:
    """One report of 31 MB of blanks, in some kilobytes: within what a file may hold, but not in so little memory."""
    with zipfile.ZipFile(place / "heavy.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one.json", EXAMPLE.read_bytes() + b" " * (31 * MEGABYTE))
    return place / "heavy.zip"


def members(place: Path) -> Path:
    (place / "members.csv").write_text("id,name\n90000001,EXAMPLE\n", encoding="utf-8")
    return place / "members.csv"


def nothing_known(place: Path) -> Path:
    (place / "letter.txt").write_bytes(b"Dear office,\n\x00")
    return place / "letter.txt"


@pytest.mark.long
@pytest.mark.parametrize(
    ("made", "kind", "limits", "heavy"),
    [
        (reports, "reports", PATIENT, False),
        (members, "members", PATIENT, False),
        (nothing_known, "memberships", PATIENT, False),
        (nothing_known, "reports", PATIENT, False),
        (reports, "reports", SMALL, False),
        (heavy_reports, "reports", SMALL, True),
        (members, "members", HURRIED, True),
        (reports, "found", PATIENT, False),
        (nothing_known, "found", PATIENT, False),
        (heavy_reports, "found", SMALL, True),
    ],
)
def test_only_what_is_too_heavy_is_refused(
    made: Callable[[Path], Path], kind: str, limits: Limits, *, heavy: bool, tmp_path: Path
) -> None:
    found = prove(made(tmp_path), kind, limits)
    assert (None if found is None else found.code) == ("report-not-read" if heavy else None)
