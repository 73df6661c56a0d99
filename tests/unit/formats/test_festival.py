"""One event with everything in it rates identically from each format, once the members list is brought along."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from scripts.make_examples import festival, write_all

from ratebook.findings import Severity, has_errors
from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.contract import Hints
from ratebook.model import SectionType
from ratebook.reports.load import load_file
from ratebook.reports.rate import RatingOptions, after_ratings, rate_report
from ratebook.rules.rulebook import load_rulebook

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "examples" / "festival"
MEMBERS = FOLDER / "members.csv"
START, END = date(2026, 8, 28), date(2026, 8, 30)


class Way(NamedTuple):
    """A format of the festival: where it lies, what must be added by hand, and which sections it can tell of."""

    path: str
    hints: Hints = Hints()
    sections: tuple[int, ...] = (1, 2, 3, 4)


WAYS = {
    "native": Way("festival.json"),
    "csv": Way("festival.csv"),
    "uschess-2c, double games": Way("uschess-2c"),
    "crosstable, open": Way("crosstable/section-1.txt", Hints(START, END, "G/60;d5"), (1,)),
    "crosstable, extra games": Way("crosstable/section-2.txt", Hints(START, END, "G/60;d5"), (2,)),
    "crosstable, blitz": Way("crosstable/section-3.txt", Hints(START, END, "G/5;d2"), (3,)),
    "crosstable, match": Way(
        "crosstable/section-4.txt", Hints(START, END, "G/90;d5", type=SectionType.MATCH), (4,)
    ),
    "rating-report, open": Way("rating-report-1.txt", Hints(START, END, "G/60;d5"), (1,)),
    "rating-report, match": Way(
        "rating-report-4.txt", Hints(START, END, "G/90;d5", type=SectionType.MATCH), (4,)
    ),
    "uschess-1991, open": Way("uschess-1991/section-1", Hints(time_control="G/60;d5"), (1,)),
    "uschess-1991, extra games": Way("uschess-1991/section-2", Hints(time_control="G/60;d5"), (2,)),
    "uschess-1991, match": Way("uschess-1991/section-4", Hints(time_control="G/90;d5"), (4,)),
    "trf16, open": Way("trf16/section-1.trf", Hints(time_control="G/60;d5"), (1,)),
    "trf26, open": Way("trf26/section-1.trf", Hints(), (1,)),
    "trf26, match": Way("trf26/section-4.trf", Hints(type=SectionType.MATCH), (4,)),
    "swisssys, extra games": Way("festival.sjson", Hints(), (2,)),
    "pairings, blitz": Way("pairings-3.txt", Hints(), (3,)),
    "api-json, open": Way("standings-1.json", Hints(), (1,)),
    "api-json, blitz": Way("standings-3.json", Hints(), (3,)),
}
WAYS |= {
    known.name: Way(known.name)
    for known in BUILT_IN
    if known.reader and known.name not in {name.partition(",")[0] for name in WAYS}
}


def rated_from(way: Way) -> dict[tuple[int, int, str], tuple[float, float]]:
    loaded = load_file(FOLDER / way.path, way.hints, lists=[MEMBERS])
    assert loaded.report is not None, loaded.findings
    options = RatingOptions(reported=loaded.facts)
    result = rate_report(loaded.report, load_rulebook(), options)
    assert not has_errors(result.findings), result.findings
    return {
        (number, seat, system.value): (after.rating, after.games)
        for (number, seat, system), after in after_ratings(result.sections).items()
    }


def expected(sections: tuple[int, ...], *, alone: bool) -> dict[tuple[int, int, str], tuple[float, float]]:
    """Return the ratings from the report itself; *alone*: of one section that starts from the members list."""
    report = festival()
    if alone:
        report = report._replace(sections=tuple(one for one in report.sections if one.number in sections))
    rated = rate_report(report, load_rulebook())
    return {
        (number, seat, system.value): (after.rating, after.games)
        for (number, seat, system), after in after_ratings(rated.sections).items()
        if number in sections
    }


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_festival_rates_identically_from_every_format(way: Way) -> None:
    found = rated_from(way)
    alone = len(way.sections) == 1
    wanted = expected(way.sections, alone=alone)
    if alone and {key[0] for key in found} == {1}:
        found = {(way.sections[0], seat, system): value for (_, seat, system), value in found.items()}
    for key, (rating, games) in wanted.items():
        assert found[key][0] == pytest.approx(rating, abs=1e-9), key
        assert found[key][1] == games, key


def test_what_a_format_does_not_hold_is_said() -> None:
    """Without the list only pairing ratings are known, and the output says so."""
    loaded = load_file(FOLDER / "uschess-2c")
    assert loaded.report is not None
    result = rate_report(loaded.report, load_rulebook(), RatingOptions(reported=loaded.facts))
    found = {
        finding.code
        for finding in (*loaded.findings, *result.findings)
        if finding.severity is not Severity.ERROR
    }
    assert "pairing-rating-used" in found


def test_the_shipped_files_are_what_the_script_writes(tmp_path: Path) -> None:
    write_all(tmp_path)
    shipped = {path.relative_to(FOLDER): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()}
    written = {
        path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    }
    assert shipped == written
