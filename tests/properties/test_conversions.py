"""A conversion loses nothing without a note: ratings come out alike, what a report says is there or named."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import has_errors
from ratebook.formats.archive import SourceFile
from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.contract import Format, Hints
from ratebook.formats.reading.tables import ENTRY, EVENT, PLAYER, SECTION
from ratebook.formats.registry import NO_HINTS, parse_source, read_report, write_report
from ratebook.formats.source import Source
from ratebook.model import MIRROR, Cell, Entry, Event, PlayerFacts, Report, Section, SectionType, Sex
from ratebook.reports.rate import after_ratings, rate_report
from ratebook.rules.rulebook import load_rulebook
from support.report_strategies import reports
from support.whole_run import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.formats.reading.record import Field, RecordTable

WRITTEN = {one.name: one for one in BUILT_IN if one.reader and one.writer}
DAY = date(2026, 1, 5)
HINTS = Hints(DAY, DAY, "G/60;d5")
SPREADSHEET = b"""seat,name,player,rating,round1,round2
1,"Adams, Example",90000001,1500,W2w,W3b
2,"Baker, Example",90000002,1400,L1b,D4w
3,"Clark, Example",90000003,1620,D4w,L1w
4,"Davis, Example",90000004,UNR,D3b,D2b
"""


def converted(report: Report, target: Format, hints: Hints = NO_HINTS) -> tuple[Report, str]:
    """Return what is read of *report* written as *target*, and the text of all notes on what was lost."""
    written = write_report(report, target)
    source = Source("converted", tuple(SourceFile(name, data) for name, data in written.files.items()))
    read = parse_source(source, hints)
    assert read.report is not None, read.findings
    return read.report, "\n".join(one.message for one in written.findings)


def rated(report: Report) -> dict[tuple[int, int, str], float]:
    result = rate_report(report, load_rulebook())
    assert not has_errors(result.findings), result.findings
    return {
        (section, seat, system.value): after.rating
        for (section, seat, system), after in after_ratings(result.sections).items()
    }


@pytest.mark.parametrize("through", sorted(WRITTEN.keys() - {"trf16"}))
def test_pairing_ratings_rate_alike_in_every_format_that_holds_them(through: str) -> None:
    report = read_report(SPREADSHEET, "wallchart.csv", start=DAY, end=DAY, time_control="G/60;d5").report
    assert report is not None
    hints = HINTS if through == "crosstable" else NO_HINTS
    assert rated(converted(report, WRITTEN[through], hints)[0]) == rated(report)


def test_a_format_without_a_place_for_pairing_ratings_says_so() -> None:
    report = read_report(SPREADSHEET, "wallchart.csv", start=DAY, end=DAY, time_control="G/60;d5").report
    assert report is not None
    assert "pairing rating (3 times)" in converted(report, WRITTEN["trf16"], Hints(time_control="G/60"))[1]


@st.composite
def club_reports(draw: st.DrawFn, *, most: int = 6) -> Report:
    """Return a report of an evening at a club: pairing ratings, no other facts of players but birth dates."""
    number = draw(st.integers(2, most))
    rounds: list[list[Cell]] = [[] for _ in range(number)]
    for _ in range(draw(st.integers(1, 3))):
        order = draw(st.permutations(range(number)))
        for white, black in zip(order[::2], order[1::2], strict=False):
            letter = draw(st.sampled_from("WLD"))
            rounds[white].append(Cell(letter, black + 1, "w"))
            rounds[black].append(Cell(MIRROR[letter], white + 1, "b"))
        if number % 2:
            rounds[order[-1]].append(Cell("B"))
    players = {
        f"9000000{seat}": PlayerFacts(
            f"9000000{seat}",
            f"EXAMPLE, PLAYER {chr(64 + seat)}",
            birth_date=draw(st.none() | st.dates(date(1940, 1, 1), date(2018, 1, 1))),
            pairing_rating=draw(st.none() | st.integers(100, 2_800).map(float)),
        )
        for seat in range(1, number + 1)
    }
    control = draw(st.sampled_from(("G/60;d5", "G/90;d30", "G/25;d5", "G/5;d0")))
    entries = tuple(Entry(seat, f"9000000{seat}", tuple(cells)) for seat, cells in enumerate(rounds, start=1))
    section = Section(
        1, "", DAY, DAY, control, SectionType.SWISS, online=False, half_k=False, youth=False, entries=entries
    )
    return Report(Event(name="Club Evening", start=DAY, end=DAY), players, (section,))


def check_rates_alike_or_says_why(report: Report, through: str) -> None:
    control = report.sections[0].time_control
    hints = Hints(DAY, DAY, control) if through == "crosstable" else Hints(time_control=control)
    again, lost = converted(report, WRITTEN[through], hints)
    before = {place: round(rating, 6) for place, rating in rated(report).items()}
    after = {place: round(rating, 6) for place, rating in rated(again).items()}
    assert before == after or "pairing rating" in lost or "birth date" in lost, (through, lost)


@examples(12)
@given(report=club_reports(), through=st.sampled_from(sorted(WRITTEN)))
def test_any_evening_of_a_club_rates_alike_in_every_format_or_a_note_says_what_is_lost(
    report: Report, through: str
) -> None:
    check_rates_alike_or_says_why(report, through)


@pytest.mark.long
@examples(20)
@given(report=club_reports(most=9), through=st.sampled_from(sorted(WRITTEN)))
def test_larger_evenings_rate_alike_too(report: Report, through: str) -> None:
    check_rates_alike_or_says_why(report, through)


_texts = st.sampled_from(("", "", "90000777", "EXAMPLE SCHOOL", "long enough for no column of any kind"))
_codes = st.sampled_from(("", "", "USA", "GER", "m", "IM", "Grandmaster"))


@st.composite
def full_reports(draw: st.DrawFn) -> Report:
    """Return a report with what formats besides the native one rarely hold."""
    report = draw(reports())
    players = {
        key: player._replace(
            pairing_rating=draw(st.none() | st.integers(100, 2_800).map(float)),
            fide_id=draw(st.sampled_from(("", "", str(2_000_000 + number), "no number"))),
            federation=draw(_codes),
            sex=draw(st.none() | st.sampled_from(Sex)),
            title=draw(_codes),
            club=draw(_texts),
            state=draw(st.sampled_from(("", "NY", "Ontario"))),
        )
        for number, (key, player) in enumerate(report.players.items())
    }
    event = report.event._replace(
        assistant_td=draw(_texts), other_tds=draw(_texts), postal_code=draw(st.sampled_from(("", "10001")))
    )
    sections = tuple(
        section._replace(
            chief_td=draw(_texts),
            assistant_td=draw(_texts),
            scholastic=draw(st.sampled_from(("", "J"))),
            grand_prix=draw(st.booleans()),
            grand_prix_points=draw(st.sampled_from((None, 30, 2_000))),
            fide_rated=draw(st.booleans()),
            described=draw(st.sampled_from(("", "Rapid - Swiss - Individual", "Individual match"))),
            pairing_system=draw(st.sampled_from(("", "FIDE_DUTCH_2026"))),
            trf_records=draw(
                st.sampled_from(((), ("132" + " " * 88 + "26/11/13  26/11/14",), ("162  W 1.0",)))
            ),
            # A rank that follows from the points says nothing, and is not read.
            entries=tuple(
                entry._replace(rank=draw(st.sampled_from((None, 99)))) for entry in section.entries
            ),
        )
        for section in report.sections
    )
    return Report(event, players, sections)


ADDED = frozenset(
    {
        *("assistant_td", "other_tds", "postal_code", "chief_td", "scholastic", "grand_prix", "fide_rated"),
        *("grand_prix_points", "described", "pairing_system", "trf_records", "rank"),
        *PlayerFacts._fields[PlayerFacts._fields.index("pairing_rating") :],
    }
)


def differing(report: Report, again: Report) -> Iterator[Field]:
    """Yield each added field of which *again* does not say what *report* says; seats tell who is who."""
    pairs: list[tuple[RecordTable[Any], object, object]] = [(EVENT, report.event, again.event)]
    for one, other in zip(report.sections, again.sections, strict=True):
        pairs.append((SECTION, one, other))
        for entry, same in zip(one.entries, other.entries, strict=True):
            pairs += [
                (ENTRY, entry, same),
                (PLAYER, report.players[entry.player], again.players[same.player]),
            ]
    for table, said, found in pairs:
        for field in table.fields:
            value = getattr(said, field.name)
            if field.name in ADDED and value not in {field.unknown, getattr(found, field.name)}:
                yield field


@pytest.mark.long
@examples(15)
@given(report=full_reports(), through=st.sampled_from(sorted(WRITTEN)))
def test_what_was_added_is_there_again_or_named_as_lost(report: Report, through: str) -> None:
    hints = HINTS if through == "crosstable" else Hints(time_control="G/60;d5")
    again, lost = converted(report, WRITTEN[through], hints)
    for field in differing(report, again):
        word = field.title.rsplit(" ", maxsplit=1)[-1]
        assert field.title in lost or word in lost, (through, field.name, lost)
