"""Text copied out of e-mails: invented senders; what stays of each is written by hand."""

from __future__ import annotations

import pytest

from ratebook.formats.letter import text_of_mail

CHART = ["#  Name   Rd 1", "1  Heron  W2", "2  Alder  L1"]


def lines_of(text: str) -> list[str]:
    plain = text_of_mail(text.encode())
    assert plain is not None
    return plain.decode().split("\n")


@pytest.mark.parametrize("mark", ["> ", ">", "> > ", ">> "])
def test_marks_of_quotation_go_and_lines_keep_their_numbers(mark: str) -> None:
    assert lines_of("\n".join(f"{mark}{line}" for line in CHART)) == CHART


def test_who_wrote_and_when_is_left_out() -> None:
    text = "On Sun, Oct 4, 2026 Ann Heron <ann@club.example> wrote:\n" + "\n".join(
        f"> {line}" for line in CHART
    )
    assert lines_of(text) == ["", *CHART]


def test_headers_within_a_quotation_are_left_out_and_a_long_one_goes_on_in_the_next_line() -> None:
    text = (
        "Please rate this.\n\n---------- Forwarded message ---------\n> From: Ann Heron <ann@club.example>\n"
        "> To: Bruno Alder <bruno@club.example>,\n>   office@club.example\n> Subject: Re: Fwd: Quad of May\n"
        "> Date: Sun, 4 Oct 2026\n>\n" + "\n".join(f"> {line}" for line in CHART)
    )
    lines = lines_of(text)
    assert len(lines) == text.count("\n") + 1
    assert [line for line in lines if line] == ["Please rate this.", "Event: Quad of May", *CHART]


@pytest.mark.parametrize(
    "text",
    [
        "Event: Quad\nDate: 2026-05-01\nTime Control: G/60;d5\n",
        "From: here\n\nDate: 2026-05-01\n",
        "012 Autumn Quad\n001    1\n",
        "a > b\nb > c\nc > d\n",
        "",
    ],
)
def test_other_text_is_no_letter(text: str) -> None:
    assert text_of_mail(text.encode()) is None
