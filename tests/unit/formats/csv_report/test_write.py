"""Writing reports as CSV and reading them back; damaged files."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.formats.contract import Hints, is_unreadable
from ratebook.formats.csv_report.read import looks_like
from ratebook.formats.csv_report.write import write
from ratebook.model import (
    Cell,
    Entry,
    Event,
    FloorRequest,
    PlayerFacts,
    Rating,
    Report,
    SectionType,
    Sex,
    System,
)
from support.report_strategies import reports
from support.whole_run import examples
from unit.formats.csv_report.reports import DAY, FULL, MINIMAL, read, report_of, section, source_of


def test_a_report_is_written_with_its_facts_where_they_first_occur() -> None:
    players = {
        "90000001": PlayerFacts("90000001", "ADAMS EXAMPLE", ratings={System.REGULAR: Rating(1794.25)}),
        "90000002": PlayerFacts("90000002", "=BAKER", ratings={System.REGULAR: Rating(1500, 12)}),
    }
    quad = section(
        Entry(1, "90000001", (Cell("W", 2, "w"), Cell())), Entry(2, "90000002", (Cell("L", 1, "b"),))
    )
    other = quad._replace(
        number=2,
        name="",
        start=None,
        type=SectionType.MATCH,
        online=False,
        half_k=True,
        entries=(Entry(3, "90000001", (Cell("H"),), update=True, floor_request=FloorRequest.DENIED),),
    )
    written = write(Report(Event("1", "Quad", None, DAY, country="USA"), players, (quad, other)))
    assert written.files["report.csv"].decode() == (
        "event_id,event_name,start,end,section,section_name,section_start,section_end,time_control,type,online,"
        "half_k,youth,seat,player,name,round1,round2,update,floor_request,regular,regular_games\n"
        "1,Quad,,2026-11-14,1,Open,2026-11-14,2026-11-14,G/60;d5,swiss,yes,,,"
        "1,90000001,ADAMS EXAMPLE,W2w,,,,1794.25,\n"
        ",,,,1,,,,,,,,,2,90000002,'=BAKER,L1b,,,,1500,12\n"
        ",,,,2,,,2026-11-14,G/60;d5,match,,yes,,3,90000001,ADAMS EXAMPLE,H,,yes,denied,,\n"
    )
    assert [finding.message for finding in written.findings] == [
        "The format has no place for: country (1 time)."
    ]


def test_a_file_with_accents_begins_with_the_mark_that_spreadsheets_need() -> None:
    plain = Report(Event(), {"1": PlayerFacts("1", "ADAMS")}, (section(Entry(1, "1", (Cell("B"),))),))
    assert not write(plain).files["report.csv"].startswith(b"\xef\xbb\xbf")
    accents = plain._replace(players={"1": PlayerFacts("1", "ÉLOÏSE")})
    assert write(accents).files["report.csv"].startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    "name", ["=1+1", "+A", "-A", "@A", "'=A", "''-A", "'TIS", "O'HARA", "'", "A=B", '"Q", R']
)
def test_no_text_is_a_formula_in_a_spreadsheet_and_every_text_comes_back(name: str) -> None:
    report = Report(
        Event("", name),
        {name: PlayerFacts(name, name)},
        (section(Entry(1, name, (Cell("B"),)))._replace(name=name),),
    )
    data = write(report).files["report.csv"]
    for row in csv.reader(io.StringIO(data.decode())):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
    back = report_of(data, Hints())
    assert (back.event.name, back.sections[0].name, list(back.players)) == (name, name, [name])
    assert back.players[name].name == name


def test_blanks_around_texts_are_a_loss() -> None:
    report = Report(Event(), {"1": PlayerFacts("1", " ADAMS ")}, (section(Entry(1, "1", (Cell("B"),))),))
    assert [finding.message for finding in write(report).findings] == [
        "The format has no place for: blanks around a text (1 time)."
    ]


def reduced(report: Report) -> Report:
    """Return what the CSV holds of *report*."""
    sections = []
    for table in report.sections:
        rounds = max(
            (
                number
                for entry in table.entries
                for number, cell in enumerate(entry.rounds, start=1)
                if cell != Cell()
            ),
            default=0,
        )
        sections.append(
            table._replace(
                start=table.start or report.event.start,
                entries=tuple(entry._replace(rounds=entry.rounds[:rounds]) for entry in table.entries),
            )
        )
    seated = [entry.player for one in sections for entry in one.entries]
    return Report(
        Event(*report.event[:4]),
        {key: report.players[key]._replace(state="") for key in seated},
        tuple(sections),
    )


def test_the_facts_of_a_player_are_columns_of_the_first_row() -> None:
    players = {
        "90000001": PlayerFacts(
            "90000001",
            "ADAMS",
            birth_date=DAY.replace(year=2012),
            ratings={System.REGULAR: Rating(1500, 30, peak=1600.5)},
            fide_id="2000001",
            federation="NGR",
            sex=Sex.FEMALE,
            title="WFM",
            club="=School 5",
            state="NY",
        ),
        "2": PlayerFacts("2", "BAKER", adult=False),
    }
    one = section(Entry(1, "90000001", (Cell("W", 2),)), Entry(2, "2", (Cell("L", 1),)))
    report = Report(Event("1", "Quad", None, DAY), players, (one, one._replace(number=2)))
    written = write(report)
    first, *_ = csv.DictReader(io.StringIO(written.files["report.csv"].decode()))
    assert {column: first[column] for column in ("birth_date", "fide_id", "sex", "club", "regular_peak")} == {
        "birth_date": "2012-11-14",
        "fide_id": "2000001",
        "sex": "f",
        "club": "'=School 5",
        "regular_peak": "1600.5",
    }
    assert [one.message for one in written.findings] == [
        "The format has no place for: player's state (1 time)."
    ]
    back = report_of(written.files["report.csv"], Hints())
    assert back.players == {key: one._replace(state="") for key, one in players.items()}


@pytest.mark.long
@given(reports(unseated=True))
def test_a_file_reads_back_as_the_report_without_what_was_reported_as_lost(report: Report) -> None:
    written = write(report)
    result = read(written.files["report.csv"], Hints())
    assert result.report == reduced(report)
    assert {finding.code for finding in result.findings} <= {"start-missing"}
    again = write(result.report)
    assert again.files == written.files
    assert again.findings == ()


@pytest.mark.long
@examples(20)
@given(reports(unseated=True))
def test_every_fact_that_does_not_come_back_is_named(report: Report) -> None:
    kinds = {
        finding.message.removeprefix("The format has no place for: ").rpartition(" (")[0]
        for finding in write(report).findings
    }
    players = report.players.values()
    expected = {
        "city": bool(report.event.city),
        "state": bool(report.event.state),
        "country": bool(report.event.country),
        "affiliate": bool(report.event.affiliate),
        "chief tournament director": bool(report.event.chief_td),
        "player who sits in no section": len(players)
        > len({entry.player for one in report.sections for entry in one.entries}),
    }
    assert kinds == {kind for kind, is_lost in expected.items() if is_lost}


@pytest.mark.long
@examples(240)
@given(
    text=st.sampled_from([MINIMAL, FULL]),
    cuts=st.lists(st.tuples(st.integers(0, 800), st.integers(0, 40), st.binary(max_size=3)), max_size=4),
    end=st.integers(0, 1_000),
)
def test_damaged_files_yield_findings_and_never_an_exception(
    text: str, cuts: list[tuple[int, int, bytes]], end: int
) -> None:
    data = bytearray(text.encode())
    for position, length, replacement in cuts:
        data[position : position + length] = replacement
    looks_like(source_of(bytes(data[:end])))
    result = read(bytes(data[:end]))
    assert (result.report is None) == is_unreadable(result.findings)


@pytest.mark.long
@examples(200)
@given(
    columns=st.lists(
        st.sampled_from(
            [
                "section",
                "type",
                "online",
                "start",
                "regular",
                "regular_games",
                "rating",
                "name",
                "player",
                "event_id",
            ]
        ),
        unique=True,
        max_size=5,
    ),
    rows=st.lists(
        st.lists(
            st.sampled_from(["", "1", "2", "W2", "x", "1500", "2026-11-14", "'=", "\x07", "é"]), max_size=9
        ),
        max_size=5,
    ),
)
def test_any_cells_in_any_columns_yield_findings_and_never_an_exception(
    columns: list[str], rows: list[list[str]]
) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([["seat", *columns, "round1", "round2"], *rows])
    result = read(out.getvalue())
    assert (result.report is None) == is_unreadable(result.findings)
