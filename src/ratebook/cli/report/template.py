"""ratebook template: an empty table of each kind that people fill in, with a comment on every column."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from ratebook.cli.command import command
from ratebook.cli.options import PATH, flag_option
from ratebook.cli.output_files import write_or_fail
from ratebook.formats.csv_report.columns import EVENT_COLUMNS, SECTION_COLUMNS
from ratebook.formats.reading.tables import PLAYER, RATING

_FIELDS = {
    **{field.name: field.title for field in PLAYER.fields},
    **{
        column: field.title
        for columns in (EVENT_COLUMNS, SECTION_COLUMNS)
        for column, field in columns.items()
    },
}
_RATED = {
    **{field.name: field.title for field in RATING.fields},
    **{f"regular_{field.name}": f"{field.title} in the regular system" for field in RATING.fields},
}
PAIRINGS = """\
Spring Open, 2026-03-07, G/60;d5

Round 1
1. Adams, Example (1500) 1-0 Baker, Example (1420)
2. Clark, Example (1300) 1/2-1/2 Davis, Example
Evans, Example (1250) full point bye

Round 2
1. Davis, Example 0-1F Adams, Example
2. Baker, Example 0-1 Evans, Example
Clark, Example half point bye
"""
"""A list of pairings: White first; F for a forfeit; a rating in brackets where it is known."""
_SYSTEMS = "regular quick blitz online-regular online-quick or online-blitz"


@cache
def table_words() -> Mapping[str, Any]:
    """Return what ``columns.toml`` says of each table and of the columns that are no field of a report."""
    return tomllib.loads(files("ratebook.formats.reading.sheets").joinpath("columns.toml").read_text("utf-8"))


TEMPLATES: Mapping[str, str] = {
    "report": "report",
    "members": "members list",
    "balances": "balances",
    "corrections": "corrections",
}
"""The tables of ``columns.toml`` that there are templates of, by the word that asks for one."""


def template_text(kind: str) -> str:
    """Return the table of a *kind*: comments, the header line, and rows to be replaced."""
    table = table_words()[TEMPLATES[kind]]
    columns = table_words()["players"]["columns"] | table["columns"]
    header, _, _ = table["rows"].partition("\n")
    comments = [
        table["template"],
        "Replace the rows below the header line; columns may be left out or stand in any order.",
        *(f"{column}: {_about(column, columns.get(column, {}))}" for column in header.split(",")),
    ]
    return "".join(f"# {comment}\n" for comment in comments) + str(table["rows"])


def _about(column: str, words: Mapping[str, str]) -> str:
    """Return what a column means, without commas: spreadsheets would divide the line there."""
    if column == "system":
        return _SYSTEMS
    about = words.get("plain") or words.get("is") or _FIELDS.get(column) or _RATED.get(column)
    if about is None:
        return f"as {column.rstrip('0123456789')}1" if column.startswith("round") else column
    return about.replace(",", "")


@command("template")
@click.argument("kind", type=click.Choice([*TEMPLATES, "pairings"]))
@click.argument("out", required=False, type=PATH, metavar="[FILE]")
@flag_option("--force", "Replace the file if it exists.")
def template_command(kind: str, out: Path | None, *, force: bool) -> None:
    """Print a table to fill in, with a comment on each column, or write it to FILE; pairings are text to be replaced.

    You can add any other column of the members CSV, in reports as well. Spreadsheet programs can open the
    table, and you can leave the comments in.

    Examples:
      ratebook template report report.csv
      ratebook template members
    """
    text = PAIRINGS if kind == "pairings" else template_text(kind)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_or_fail({out.name: text.encode()}, out, overwrite=force)
