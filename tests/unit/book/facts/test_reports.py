"""By which hashes the book knows a report again: who played whom, in whatever format it comes."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.book.connection import Actor
from ratebook.book.reports import ReportHashes, report_hashes
from ratebook.book.submissions import Status, set_status
from ratebook.checks import ReportedFacts
from ratebook.checks.submission import MEMBER_ID
from ratebook.formats.contract import Hints
from ratebook.formats.registry import built_in, write_report
from ratebook.model import Event, PlayerFacts, Report, Section, SectionType
from ratebook.office.imports.reports import import_reports
from ratebook.office.queue.submit import Incoming, Submitted, recheck, submit
from ratebook.player_lists.names import name_key
from ratebook.reports.load import LoadedReport, load_bytes, load_file
from support.book_reports import member_id
from support.builders import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
DAY = date(2024, 3, 10)
HINTS = Hints(end=DAY, time_control="G/60;d5", type=SectionType.SWISS)
QUAD = ["W4w W3b W2w", "W3w W4b L1b", "L2b L1w W4w", "L1b L2w L3b"]
ONE = ["Ash, Amy", "Bow, Ben", "Cat, Cal", "Dot, Dan"]
OTHER = ["Elm, Eve", "Fox, Fay", "Gum, Gil", "Hop, Hal"]
MEMBERS = [member_id(number) for number in (1, 2, 3, 4)]
SEATS = [f"seat-{seat}" for seat in (1, 2, 3, 4)]
OWN_KEYS = ["P1", "P2", "P3", "P4"]
FIDE_IDS = ["2000001", "2000002", "2000003", "2000004"]
ROOT = Path(__file__).resolve().parents[4]
HOLDING_FORMATS = ("native", "csv", "uschess-2c", "crosstable", "trf16", "trf26")
"""The formats that hold ids and names, in and out."""


def quad(names: Sequence[str], *, fide_ids: Sequence[str] = ("",) * 4, keys: Sequence[str] = SEATS) -> Report:
    """Return a quad in which the player of the higher seat always won."""
    players = {
        key: PlayerFacts(key, name, fide_id=number)
        for key, name, number in zip(keys, names, fide_ids, strict=True)
    }
    entries = tuple(
        entry(seat, rounds, key) for seat, (rounds, key) in enumerate(zip(QUAD, keys, strict=True), start=1)
    )
    section = Section(1, "", DAY, DAY, "G/60;d5", SectionType.SWISS, entries=entries)
    return Report(Event("", "QUADS", DAY, DAY), players, (section,))


def csv_of(names: Sequence[str], ratings: Sequence[int]) -> bytes:
    rows = zip(range(1, 5), names, ratings, (one.replace(" ", ",") for one in QUAD), strict=True)
    lines = [f'{seat},"{name}",{rating},{cells}' for seat, name, rating, cells in rows]
    return "\n".join(["No,Name,Rating,Rd 1,Rd 2,Rd 3", *lines]).encode()


def sent(book: Book, data: bytes, name: str = "quad.csv") -> Submitted:
    loaded = load_bytes(data, name, HINTS)
    return submit(book, Incoming(loaded, name, DAY, accepted=["all"]), ACTOR)


def hashes(one: Report) -> ReportHashes:
    return report_hashes(one, MEMBER_ID)


def in_format(one: Report, name: str) -> Report:
    """Return a report as it is read from what a format makes of it, with what that cannot say."""
    target = built_in(name)
    files = write_report(one, target).files
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file, data in files.items():
            archive.writestr(file, data)
    loaded = load_bytes(packed.getvalue(), "report.zip", HINTS)
    assert loaded.report is not None, loaded.findings
    return loaded.report


def test_two_quads_of_an_evening_are_two_reports(book: Book) -> None:
    first = sent(book, csv_of(ONE, [1800, 1700, 1600, 1500]))
    second = sent(book, csv_of(OTHER, [1400, 1300, 1200, 1100]))
    assert (first.number, second.number) == (1, 2)
    assert "roster-submitted-already" not in {one.code for one in second.findings}
    again = sent(book, csv_of(["ASH, AMY", "Ben Bow", "Cál Cat", "Dot, Dan"], [0, 0, 0, 0]))
    assert again.number is None
    assert again.known is not None
    assert (again.known.id, [one.code for one in again.findings]) == (1, ["report-submitted-already"])


def test_a_section_that_came_in_another_report_is_a_warning(book: Book) -> None:
    """Two events hold one section: who sent both, under other names and with other sections beside it, is asked."""
    alone = quad(ONE, keys=MEMBERS)
    (section,) = alone.sections
    beside = quad(OTHER)
    second = beside.sections[0]._replace(number=2)
    both = alone._replace(
        event=Event("", "FESTIVAL", DAY, DAY),
        players={**beside.players, **alone.players},
        sections=(second, section._replace(name="Afternoon")),
    )
    first = _sent_report(book, alone)
    assert _of_sections(first) == []
    again = _sent_report(book, both)
    assert _of_sections(again) == [("section 1", first.number, 1)]
    with book.writing() as connection:
        set_status(connection, [first.number or 0], Status.REJECTED)
    assert again.number is not None
    assert _of_sections(recheck(book, again.number, ACTOR)) == []
    later = section._replace(end=date(2024, 3, 17))
    assert _of_sections(_sent_report(book, alone._replace(sections=(later,)))) == []


def _sent_report(book: Book, report: Report) -> Submitted:
    loaded = LoadedReport(report, (), {}, ReportedFacts())
    return submit(book, Incoming(loaded, "report.json", DAY), ACTOR)


def _of_sections(submitted: Submitted) -> list[tuple[str, object, object]]:
    return [
        (one.where, dict(one.values)["similar_id"], dict(one.values)["other_section"])
        for one in submitted.findings
        if one.code == "section-submitted-already"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (quad(ONE), quad(OTHER)),
        (quad(ONE), quad([*ONE[:3], "Dot, Dora"])),
        (quad(ONE), quad(ONE, keys=MEMBERS)),
        (quad(ONE, keys=OWN_KEYS), quad(OTHER, keys=OWN_KEYS)),
        (quad(ONE, fide_ids=FIDE_IDS), quad(ONE, fide_ids=[*FIDE_IDS[:3], "2000005"])),
    ],
    ids=["names", "one name", "member ids", "keys of their own", "FIDE numbers"],
)
def test_other_people_are_another_report(one: Report, other: Report) -> None:
    for mine, theirs in zip(hashes(one), hashes(other), strict=True):
        assert mine != theirs


def test_a_spelling_is_no_other_person() -> None:
    assert hashes(quad(ONE)) == hashes(quad(["ASH, AMY", "Ben Bow", "Cát, Cal", "Dan DOT"]))
    assert hashes(quad(ONE, keys=MEMBERS)) == hashes(quad(OTHER, keys=MEMBERS))
    assert hashes(quad(ONE, fide_ids=FIDE_IDS)) == hashes(quad(OTHER, fide_ids=FIDE_IDS))


PARTS = st.sampled_from(
    ["Ann", "José", "Łukasz", "O'Davis", "Müller", "Van Example", "Li", "Ng-Example", "Jr."]
)
NAMES = st.lists(
    st.builds("{}, {}".format, PARTS, PARTS)
    | st.builds("{} {}".format, PARTS, PARTS)
    | st.text("abcdefghij", min_size=29, max_size=45),
    min_size=4,
    max_size=4,
    unique_by=name_key,
)


@given(NAMES, st.sampled_from([OWN_KEYS, SEATS, MEMBERS]))
def test_a_report_is_the_same_in_every_format_that_holds_names(names: list[str], keys: list[str]) -> None:
    one = quad(names, keys=keys)
    assert {name: hashes(in_format(one, name)) for name in HOLDING_FORMATS} == dict.fromkeys(
        HOLDING_FORMATS, hashes(one)
    )


def test_a_report_is_the_same_with_colours_and_without() -> None:
    """Why colours do not count: the layout of 1991 has none."""
    folder = ROOT / "examples" / "festival"
    with_colours, without = (
        load_file(folder / path, HINTS._replace(end=None)).report
        for path in ("uschess-2c", "uschess-1991/section-1")
    )
    assert with_colours is not None
    assert without is not None
    first = with_colours._replace(sections=with_colours.sections[:1])
    colours = [
        {cell.colour for one in of_format.sections[0].entries for cell in one.rounds}
        for of_format in (first, without)
    ]
    assert colours == [{"w", "b", ""}, {""}]
    assert hashes(first).content_hash == hashes(without).content_hash


def test_an_import_names_each_report_that_the_book_had(book: Book, tmp_path: Path) -> None:
    for name, players in {"a.csv": ONE, "b.csv": OTHER, "c.csv": [one.upper() for one in ONE]}.items():
        (tmp_path / name).write_bytes(csv_of(players, [0] * 4))
    (tmp_path / "reports.csv").write_text(
        "file,end,time_control\n" + "".join(f"{name}.csv,2024-03-10,G/60;d5\n" for name in "abc")
    )
    done = import_reports(book, tmp_path, DAY, ACTOR)
    assert [(one.file, one.number, one.known) for one in done.reports] == [
        ("a.csv", 1, None),
        ("b.csv", 2, None),
        ("c.csv", None, 1),
    ]
    assert done.already == 1
    (known,) = [one for one in done.findings if one.code == "report-submitted-already"]
    assert (known.severity, "c.csv" in known.where, "report 1," in known.message) == ("note", True, True)
