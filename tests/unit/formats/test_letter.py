"""Saved messages: made by the email package of Python, with invented senders; what they hold is written by hand."""

from __future__ import annotations

import base64
import io
import zipfile
from email.message import EmailMessage

import pytest

from ratebook.formats import letter as letters
from ratebook.formats.archive import SourceError
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.registry import parse_source
from ratebook.formats.source import source_of_bytes

CHART = "#,Name,ID,Rating,Rd 1\n1,Ödön Heron,90000011,1500,W2w\n2,Alder Reed,90000012,1600,L1b\n"
HINTS = Hints(time_control="G/60;d5")
DAYS = "October 3, 2026\n"


def message(body: str = "Hello, the results are attached.\n") -> EmailMessage:
    letter = EmailMessage()
    letter["From"] = "Ann Heron <ann@club.example>"
    letter["To"] = "office@federation.example"
    letter["Date"] = "Sun, 11 Oct 2026 10:00:00 -0500"
    letter["Subject"] = "Fwd: Élan Quad"
    letter.set_content(body, cte="quoted-printable")
    return letter


def attach(letter: EmailMessage, name: str, data: bytes) -> None:
    letter.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)


def read(data: bytes, hints: Hints = HINTS) -> ParsedReport:
    return parse_source(source_of_bytes(data, "results.eml"), hints)


def names_of(parsed: ParsedReport) -> list[str]:
    assert parsed.report is not None, parsed.findings
    return [
        parsed.report.players[entry.player].name
        for section in parsed.report.sections
        for entry in section.entries
    ]


def test_what_is_attached_is_read_and_the_subject_names_an_event_without_a_name() -> None:
    letter = message()
    attach(letter, "quad.csv", (DAYS + CHART).encode())
    attach(letter, "logo.png", b"\x89PNG\r\n\x1a\n\0")
    parsed = read(letter.as_bytes())
    assert names_of(parsed) == ["Ödön Heron", "Alder Reed"]
    assert parsed.report is not None
    assert parsed.report.event.name == "Élan Quad"
    assert str(parsed.report.event.end) == "2026-10-03"
    assert {"subject-as-name", "file-not-read"} <= {finding.code for finding in parsed.findings}
    assert "club.example" not in repr(parsed)


def test_the_name_that_a_file_or_the_user_gives_comes_before_the_subject() -> None:
    letter = message()
    attach(letter, "quad.csv", f"Event: Lake Quad\n{DAYS}{CHART}".encode())
    report = read(letter.as_bytes()).report
    assert report is not None
    assert report.event.name == "Lake Quad"
    letter = message()
    attach(letter, "quad.csv", (DAYS + CHART).encode())
    report = read(letter.as_bytes(), HINTS._replace(name="Hill Quad")).report
    assert report is not None
    assert report.event.name == "Hill Quad"


def test_several_attachments_are_sections_also_in_an_archive_that_is_attached() -> None:
    letter = message()
    attach(letter, "Open.csv", (DAYS + CHART).encode())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Reserve.csv", DAYS + CHART.replace("900000", "900001"))
    attach(letter, "more.zip", packed.getvalue())
    parsed = read(letter.as_bytes())
    assert parsed.report is not None, parsed.findings
    assert [section.name for section in parsed.report.sections] == ["Open", "Reserve"]
    assert parsed.sheets == ("Open", "Reserve")


def test_a_chart_in_the_letter_is_read_where_nothing_readable_is_attached() -> None:
    letter = message(
        f"Hello,\n\n{DAYS}# Name ID Rating Rd 1\n1 Heron 90000011 1500 W2\n2 Reed 90000012 1600 L1\n"
    )
    attach(letter, "logo.png", b"\x89PNG\r\n\x1a\n\0")
    parsed = read(letter.as_bytes())
    assert parsed.report is not None, parsed.findings
    assert [len(section.entries) for section in parsed.report.sections] == [2]


def test_the_table_of_a_letter_that_is_a_page_is_read_rather_than_its_flattened_text() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in line.split(",")) + "</tr>"
        for line in CHART.splitlines()
    )
    letter = message("\n".join(CHART.replace(",", "\n").splitlines()))
    letter.add_alternative(f"<div>{DAYS}</div><table>{rows}</table>", subtype="html")
    assert names_of(read(letter.as_bytes())) == ["Ödön Heron", "Alder Reed"]


def test_a_letter_in_an_archive_is_read_as_what_is_attached() -> None:
    letter = message()
    attach(letter, "quad.csv", (DAYS + CHART).encode())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mail.eml", letter.as_bytes())
    assert names_of(parse_source(source_of_bytes(packed.getvalue(), "mail.zip"), HINTS)) == [
        "Ödön Heron",
        "Alder Reed",
    ]


def test_a_letter_without_a_report_says_that_there_is_none() -> None:
    parsed = read(message("See you on Sunday.\n").as_bytes())
    assert [finding.code for finding in parsed.findings] == ["format-unknown"]


def test_a_letter_that_unpacks_to_more_than_there_is_room_for_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    letter = message()
    attach(letter, "a.bin", b"a" * 3_000)
    attach(letter, "b.bin", b"b" * 3_000)
    monkeypatch.setattr("ratebook.formats.source.MOST_BYTES", 5_000)
    with pytest.raises(SourceError) as caught:
        source_of_bytes(letter.as_bytes(), "large.eml")
    assert caught.value.finding.code == "source-too-large"


def test_a_letter_of_too_many_parts_lines_or_levels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    monkeypatch.setattr(letters, "_MOST_LINES", 4_000)
    many = head + "--b\n\nx\n" * 1_001 + "--b--\n"
    long = "MIME-Version: 1.0\n\n" + "\n" * 8_001
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n" for at in range(61))
    for text in (many, long, f"MIME-Version: 1.0\n{deep}"):
        with pytest.raises(SourceError) as caught:
            source_of_bytes(text.encode(), "many.eml")
        assert caught.value.finding.code == "source-too-large"


@pytest.mark.parametrize("charset", ["punycode", "no-such-letters", "utf-7", '"'])
def test_broken_headers_and_unknown_letters_are_read_as_far_as_they_can_be(charset: str) -> None:
    chart = base64.encodebytes((DAYS + CHART).encode()).decode()
    text = (
        f"Subject: =?{charset}?b?!!!?= \x01\nMIME-Version: 1.0\nContent-Type: text/plain; charset={charset}\n"
        f"Content-Transfer-Encoding: base64\n\n{chart}"
    )
    assert names_of(read(text.encode()))[1] == "Alder Reed"


def test_an_attachment_with_unclear_days_of_its_own_does_not_take_those_of_the_first() -> None:
    letter = message()
    attach(letter, "Open.csv", (DAYS + CHART).encode())
    attach(letter, "Reserve.csv", f"5/6/2026\n{CHART.replace('900000', '900001')}".encode())
    assert "date-order-unclear" in {finding.code for finding in read(letter.as_bytes()).findings}
