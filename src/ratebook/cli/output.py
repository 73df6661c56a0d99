"""What the commands share to print: tables, findings, JSON; colours only where a terminal is attached."""

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from ratebook.cli.command import NotedFlag
from ratebook.cli.finding_lines import finding_lines, printable
from ratebook.findings import Finding, Severity
from ratebook.model import Report

SEVERITY_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


class TextTable(NamedTuple):
    """A table to print: a title, headings and text cells; columns in *left* are aligned left, others right."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[int] = frozenset()


def on_terminal() -> bool:
    """Return whether standard output is a terminal that should see colours."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def print_table(table: TextTable) -> None:
    """Print *table*: plain text into files and pipes, a drawn one on a terminal."""
    table = TextTable(
        printable(table.title, allowed="\n"),
        table.headings,
        [[printable(cell) for cell in row] for row in table.rows],
        table.left,
    )
    widths = [
        max(shown_width(row[column]) for row in (table.headings, *table.rows))
        for column in range(len(table.headings))
    ]
    lines = [
        "  ".join(
            padded(cell, width, left=column in table.left)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (table.headings, *table.rows)
    ]
    if on_terminal():
        lines[0] = click.style(lines[0], bold=True, underline=True)
    for line in (table.title, *lines, ""):
        click.echo(line)


def print_figures(title: str, figures: Iterable[tuple[str, int]]) -> None:
    """Print how many there are of what."""
    rows = [(what, f"{number:,}") for what, number in figures]
    print_table(TextTable(title, ("what", "number"), rows, left=frozenset({0})))


@contextmanager
def progress_bar(label: str, *, noted: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Yield the function that long work calls with its progress: a bar with times on a terminal, nothing elsewhere.

    If it is to be *noted*, a file gets a line for each tenth of the work.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield _noting(label) if noted else lambda _done, _total: None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr, show_percent=True) as bar:

        def update(done: int, total: int) -> None:
            bar.length = max(1, total)
            bar.update(done - bar.pos)

        yield update


def _noting(label: str) -> Callable[[int, int], None]:
    last = 0

    def note(done: int, total: int) -> None:
        nonlocal last
        tenth = 10 * done // max(1, total)
        if tenth > last:
            last = tenth
            click.echo(f"{label}: {10 * tenth} percent", err=True)

    return note


def shown_width(text: str) -> int:
    """Return the columns that *text* takes on a terminal; wide characters take two.

    >>> shown_width("P1"), shown_width("\u674e")
    (2, 2)
    """
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - only for letters beyond ASCII

    return sum(
        2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
        if not unicodedata.combining(letter)
    )


def padded(text: str, width: int, *, left: bool) -> str:
    """Return *text* filled with blanks to *width* columns."""
    blanks = " " * (width - shown_width(text))
    return text + blanks if left else blanks + text


_ALL_FINDINGS = NotedFlag("--all", "Print every finding, even if there are many of one kind.")
all_findings_option = _ALL_FINDINGS.option
_NOTES = NotedFlag("--notes", "Print the notes, too: what was interpreted, assumed or not known.")
notes_option = _NOTES.option


def print_findings(
    findings: Iterable[Finding], report: Report | None = None, answering: Collection[Finding] = ()
) -> None:
    """Print findings on standard error, errors first, with the names that *report* has; the rest of many is counted.

    A command with ``--notes`` counts the notes without it, but for those that are *answering* what it was asked.
    """
    coloured = sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("NO_COLOR")

    def label(severity: Severity) -> str:
        return click.style(severity, fg=SEVERITY_COLOURS[severity], bold=True) if coloured else severity

    # Only a command that can show them all leaves some out.
    folded = _ALL_FINDINGS.is_given() is False
    all_notes = not folded or _NOTES.is_given() is not False
    for line in finding_lines(
        findings, label, report, folded=folded, is_note_shown=lambda note: all_notes or note in answering
    ):
        click.echo(line, err=True)


_PRINTED_AT_ONCE = 1 << 16


def print_json(value: Mapping[str, Any]) -> None:
    """Print a JSON object; NaN and infinities are refused, since JSON has none.

    A value that is an iterator is printed item by item, as a list whose items need not be in memory together.
    """
    before = "{"
    for key, content in value.items():
        click.echo(f"{before}\n  {_json_text(key, 0)}: ", nl=False)
        before = ","
        if isinstance(content, Iterator):
            text, more = "[", ""
            for item in content:
                text += f"{more}\n    {_json_text(item, 4)}"
                more = ","
                if len(text) > _PRINTED_AT_ONCE:
                    click.echo(text, nl=False)
                    text = ""
            click.echo(text + ("\n  ]" if more else "]"), nl=False)
        else:
            click.echo(_json_text(content, 2), nl=False)
    click.echo("\n}")


def _json_text(value: object, indented: int) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    return text.replace("\n", "\n" + indented * " ")


def title_of(*parts: str) -> str:
    """Return the *parts* that are not empty as a title.

    >>> title_of("EXAMPLE OPEN", "", "Section 1")
    'EXAMPLE OPEN - Section 1'
    """
    return " - ".join(part for part in parts if part)
