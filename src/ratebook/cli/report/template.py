"""ratebook template: an empty table of each kind that people fill in, with a comment on every column."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from ratebook.cli.command import command
from ratebook.cli.options import flag_option
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
_RATED = {f"regular_{field.name}": f"{field.title} in the regular system" for field in RATING.fields}
_OWN = {
    "section": "number of the section; empty: as in the row above",
    "seat": "pairing number",
    "player": "member id; empty: the player has none",
    "id": "member id",
    "member_id": "member id",
    "name": "last name and first name with a comma between them or in columns last_name and first_name",
    "birth_date": "birth date as YYYY-MM-DD",
    "rating": "rating before such as 1500 or 1500P12 or UNR",
    "regular": "regular rating before such as 1500 or 1500P12 or UNR",
    "round1": "result and opponent such as W2 or D2 or L2 with the colour w or b behind it; B H U for byes",
    "total": "points; compared with the results",
    "expires": "last day of the membership as YYYY-MM-DD or life",
    "system": "regular quick blitz online-regular online-quick or online-blitz",
    "as_of": "day of the rating as YYYY-MM-DD",
    "games": "games that the rating is based on; empty: established",
    "peak": "highest established rating so far",
    "on": "day of the correction",
    "by": "who corrects",
    "kind": "result member date time-control withdraw or birth-date",
    "reason": "why",
    "event_id": "id of the event",
    "round": "number of the round",
    "value": "what is right: the result letter or the id or the date or the time control",
    "opponent_value": "the other letter of a result or the other day",
}


class Template(NamedTuple):
    """A kind of table: what it is for, the command that reads it, and one or two rows of its columns."""

    about: str
    rows: tuple[Mapping[str, str], ...]


_ADAMS = {"name": "Adams, Example", "birth_date": "2012-05-13"}
_EVENT = {"event_name": "Spring Open", "start": "2026-03-07", "end": "2026-03-08"}
TEMPLATES: Mapping[str, Template] = {
    "report": Template(
        "One row for each player: ratebook check FILE",
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
        "One row for each member: ratebook book import members FILE or --players FILE",
        ({"id": "90000001", **_ADAMS, "expires": "2027-11-30", "regular": "1500.4", "regular_games": "38"},),
    ),
    "balances": Template(
        "One row for each rating: ratebook book import opening-balances FILE",
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
        "One row for each correction: ratebook book import corrections FILE",
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
    about, rows = TEMPLATES[kind]
    columns = list(rows[0])
    lines = [
        f"# {about}",
        "# Replace the rows below the header line; columns may be left out or stand in any order.",
    ]
    lines += [f"# {column}: {_about(column)}" for column in columns]
    return "".join(f"{line}\n" for line in lines) + csv_text(_rows(columns, rows))


def _about(column: str) -> str:
    said = _OWN.get(column) or _RATED.get(column) or _FIELDS.get(column)
    return said or (f"as {column.rstrip('0123456789')}1" if column.startswith("round") else column)


def _rows(columns: list[str], rows: tuple[Mapping[str, str], ...]) -> Iterator[list[str]]:
    yield columns
    for row in rows:
        yield [row.get(column, "") for column in columns]


@command("template")
@click.argument("kind", type=click.Choice(list(TEMPLATES)))
@click.argument("out", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
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
