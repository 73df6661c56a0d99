"""Columns by whatever titles, what is asked about those that no one knows, and ids as people write them."""

from __future__ import annotations

from datetime import date

import pytest

from ratebook.checks import check_report
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes
from unit.formats.csv_report.test_brought import SAID, codes, errors, report_of, rows_of


def test_a_column_that_no_one_knows_and_that_holds_ratings_or_names_is_asked_for() -> None:
    text = "#,Ime,Wertung,R1\n1,Heron Alice,1500,W2\n2,Alder Bruno,1600,L1\n"
    source = source_of_bytes(text.encode(), "list.csv")
    parsed = parse_source(source, SAID)
    assert errors(parsed) == ["column-unclear", "column-unclear"]
    assert any("--column 'Wertung=rating'" in found.remedy for found in parsed.findings)
    report = report_of(parse_source(source, SAID._replace(column=("Ime=name", "Wertung=rating"))))
    assert report.players["seat-2"].name == "Alder Bruno"
    assert rows_of(report, report.sections[0]) == "seat-1 1500 W2\nseat-2 1600 L1\n"
    left = report_of(parse_source(source, SAID._replace(column=("Ime=name", "Wertung=none"))))
    assert left.players["seat-2"].pairing_rating is None
    assert (
        errors(parse_source(source, SAID._replace(column=("Ime", "Wertung=strength")))).count(
            "column-hint-unreadable"
        )
        == 2
    )


@pytest.mark.parametrize(
    ("title", "holds", "cells"),
    [
        ("Karta", "id", ("90000001", "90000002", "US 90000003", "")),
        ("Karta", "birth_date", ("2001-05-13", "13/5/1990", "1972-01-31", "")),
    ],
)
def test_a_column_that_no_one_knows_and_that_holds_ids_or_births_is_asked_for(
    title: str, holds: str, cells: tuple[str, ...]
) -> None:
    names = ("Heron Alice", "Alder Bruno", "Loon Cecilia", "Ash Dora")
    results = ("W2", "L1", "W4", "L3")
    rows = [
        f"{seat},{name},{cell},{result}"
        for seat, (name, cell, result) in enumerate(zip(names, cells, results, strict=True), start=1)
    ]
    source = source_of_bytes("\n".join((f"#,Name,{title},R1", *rows)).encode(), "list.csv")
    parsed = parse_source(source, SAID)
    assert errors(parsed) == ["column-unclear"]
    assert any(f"--column '{title}={holds}'" in found.remedy for found in parsed.findings)
    players = [*report_of(parse_source(source, SAID._replace(column=(f"{title}={holds}",)))).players.values()]
    if holds == "id":
        assert [player.id for player in players] == ["90000001", "90000002", "90000003", "seat-4"]
    else:
        days = [player.birth_date for player in players]
        assert days == [date(2001, 5, 13), date(1990, 5, 13), date(1972, 1, 31), None]
    left = parse_source(source, SAID._replace(column=(f"{title}=none",)))
    assert errors(left) == []


def test_days_of_a_year_or_two_are_no_birth_dates_and_the_note_says_what_is_read() -> None:
    text = "#,Name,Joined us,R1\n1,Heron Alice,2025-05-13,W2\n2,Alder Bruno,2026-01-02,L1\n"
    parsed = parse_source(source_of_bytes(text.encode(), "list.csv"), SAID)
    (warning,) = [found for found in parsed.findings if found.code == "column-unknown"]
    assert "'id'" in warning.remedy
    assert "'birth date'" in warning.remedy


@pytest.mark.parametrize("ids", ["Licence", "Carné", "MEMBERID", "Lizenz-Nr."])
@pytest.mark.parametrize("births", ["Geburtsdatum", "geboren", "Fecha de nacimiento", "Né(e) le", "Født"])
def test_ids_and_births_have_titles_in_several_languages(ids: str, births: str) -> None:
    text = f"N°;Teilnehmer;{ids};{births};R1\n1;Heron, Alice;90000001;2001-05-13;W2\n2;Alder, Bruno;;1990-05-13;L1\n"
    parsed = parse_source(source_of_bytes(text.encode(), "list.csv"), SAID)
    first, second = report_of(parsed).players.values()
    assert (first.id, first.name, first.birth_date) == ("90000001", "Heron, Alice", date(2001, 5, 13))
    assert (second.id, second.birth_date) == ("seat-2", date(1990, 5, 13))
    assert "column-unknown" not in codes(parsed)


@pytest.mark.parametrize(
    ("titles", "cells"),
    [
        ("Name;Vorname", "Heron;Alice"),
        ("Apellidos;Nombre", "Heron;Alice"),
        ("Name;First name", "Heron, Alice;Alice"),
    ],
)
def test_a_name_may_have_its_other_part_beside_it(titles: str, cells: str) -> None:
    text = f"#;{titles};R1\n1;{cells};W2\n2;Alder;Bruno;L1\n"
    report = report_of(parse_source(source_of_bytes(text.encode(), "list.csv"), SAID))
    assert [player.name for player in report.players.values()] == ["Heron, Alice", "Alder, Bruno"]


@pytest.mark.parametrize(
    "typed", ["90000001.0", "US 90000001", "USCF# 90000001", "90000001 (exp 12/26)", "90000001 exp. 12/26"]
)
def test_what_is_written_around_an_id_is_no_part_of_it(typed: str) -> None:
    table = f"#,Name,ID,Rating,Rd 1\n1,Alder Ann,{typed},1700,W2\n2,Birch Bob,90000002,1650,L1\n"
    parsed = parse_source(source_of_bytes(table.encode(), "ids.csv"), SAID)
    assert [*report_of(parsed).players] == ["90000001", "90000002"]
    (note,) = [found for found in parsed.findings if found.code == "ids-plain"]
    assert repr(typed) in note.message


@pytest.mark.parametrize("typed", ["90000001x", "9000-0001", "O0000001", "9000001"])
def test_an_id_that_is_none_is_an_error(typed: str) -> None:
    table = f"#,Name,ID,Rating,Rd 1\n1,Alder Ann,{typed},1700,W2\n2,Birch Bob,90000002,1650,L1\n"
    report = report_of(parse_source(source_of_bytes(table.encode(), "ids.csv"), SAID))
    assert "member-id-wrong" in [found.code for found in check_report(report)]
