"""ratebook template: an empty table of each kind that people fill in, with a comment on every column."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import click

from ratebook.cli.command import command
from ratebook.cli.options import PATH, flag_option
from ratebook.cli.output_files import write_files
from ratebook.cli.show import fail
from ratebook.formats.csv_report.columns import EVENT_COLUMNS, SECTION_COLUMNS
from ratebook.formats.reading.spreadsheet import csv_text
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
_SYSTEMS = "regular quick blitz online-regular online-quick or online-blitz"


@cache
def table_words() -> Mapping[str, Any]:
    """Return what ``columns.toml`` says of each table and of the columns that are no field of a report."""
    return tomllib.loads(files("ratebook.formats.reading.sheets").joinpath("columns.toml").read_text("utf-8"))


class Template(NamedTuple):
    """A kind of table, as ``columns.toml`` names it, and one or two rows of its columns."""

    table: str
    rows: tuple[Mapping[str, str], ...]


_ADAMS = {"name": "Adams, Example", "birth_date": "2012-05-13"}
_EVENT = {"event_name": "Spring Open", "start": "2026-03-07", "end": "2026-03-08"}
TEMPLATES: Mapping[str, Template] = {
    "report": Template(
        "report",
        (
            {
                **_EVENT,
                "section": "1",
                "section_name": "Open",
                "time_control": "G/60;d5",
                "seat": "1",
                "player": "90000001",
                **_ADAMS,
                "rating": "1500",
                "regular": "1500",
                "regular_games": "38",
                "round1": "W2w",
                "round2": "H",
                "total": "1.5",
            },
            {
                "seat": "2",
                "player": "90000002",
                "name": "Baker, Example",
                "round1": "L1b",
                "round2": "B",
                "total": "1",
            },
        ),
    ),
    "members": Template(
        "members list",
        ({"id": "90000001", **_ADAMS, "expires": "2027-11-30", "regular": "1500.4", "regular_games": "38"},),
    ),
    "balances": Template(
        "balances",
        (
            {
                "member_id": "90000001",
                "system": "regular",
                "as_of": "2026-01-01",
                "rating": "1500.4",
                "games": "38",
                "peak": "1525",
            },
        ),
    ),
    "corrections": Template(
        "corrections",
        (
            {
                "on": "2026-03-10",
                "by": "Office",
                "kind": "result",
                "reason": "the director wrote the wrong letter",
                "event_id": "202603080001",
                "section": "1",
                "seat": "1",
                "round": "1",
                "value": "D",
                "opponent_value": "D",
            },
        ),
    ),
}


def template_text(kind: str) -> str:
    """Return the table of a *kind*: comments, the header line, and rows to be replaced."""
    table, rows = TEMPLATES[kind]
    words = table_words()[table]
    said = table_words()["players"]["columns"] | words["columns"]
    columns = list(rows[0])
    lines = [
        f"# {words['template']}",
        "# Replace the rows below the header line; columns may be left out or stand in any order.",
    ]
    lines += [f"# {column}: {_about(column, said.get(column, {}))}" for column in columns]
    return "".join(f"{line}\n" for line in lines) + csv_text(_rows(columns, rows))


def _about(column: str, words: Mapping[str, str]) -> str:
    """Return what a column means, without commas: spreadsheets would divide the line there."""
    own = words.get("plain") or words.get("is")
    if column == "system":
        own = _SYSTEMS
    said = own or _FIELDS.get(column) or _RATED.get(column)
    if said is None:
        return f"as {column.rstrip('0123456789')}1" if column.startswith("round") else column
    return said.replace(",", "")


def _rows(columns: list[str], rows: tuple[Mapping[str, str], ...]) -> Iterator[list[str]]:
    yield columns
    for row in rows:
        yield [row.get(column, "") for column in columns]


@command("template")
@click.argument("kind", type=click.Choice(list(TEMPLATES)))
@click.argument("out", required=False, type=PATH, metavar="[FILE]")
@flag_option("--force", help="Replace the file if it exists.")
def template_command(kind: str, out: Path | None, *, force: bool) -> None:
    """Print a table to fill in, with a comment on each column, or write it to FILE.

    The other columns of a member are those of the members CSV, in reports as well. Spreadsheets open the table as it
    is, and the comments may stay.

    Examples:
      ratebook template report report.csv
      ratebook template members
    """
    text = template_text(kind)
    if out is None:
        click.echo(text, nl=False)
    elif (refused := write_files({out.name: text.encode()}, out, overwrite=force)) is not None:
        fail((refused,))
