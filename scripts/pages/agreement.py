"""The figures of the page of agreement with published ratings, which `make published` prints too."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from scripts.pages import markdown
from scripts.pages.markdown import with_part
from scripts.pages.places import DOCS, ROOT
from scripts.published.summary import stored_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.published.summary import CauseLine, Line, Summary

COLUMNS = ("sections that start", "B", "system", "values", "as published", "explained", "unexplained")
OLD_COLUMNS = ("system", "rating before", "values", "within 1", "within 2", "explained", "unexplained")
UNEXPLAINED_COLUMNS = ("end", "event", "section", "system", "seat", "before", "published", "computed")


def count(number: int) -> str:
    """Return a number as pages show it: 15,651."""
    return f"{number:,}"


def period(first: str, following: str | None) -> str:
    """Return the days of an era, from its first to the day before the next."""
    if following is None:
        return f"{first} or later"
    return f"{first} to {date.fromisoformat(following) - timedelta(days=1)}"


def rows_of(lines: Sequence[Line]) -> list[list[str]]:
    """Return the rows of the table by era and system, and their sums."""
    firsts = sorted({line.first for line in lines})
    following = dict(zip(firsts, [*firsts[1:], None], strict=True))
    rows = [
        [
            period(line.first, following[line.first]),
            f"{line.bonus:g}",
            line.system,
            *map(count, (line.values, line.as_published, line.explained, line.unexplained)),
        ]
        for line in lines
    ]
    totals = zip(
        *((line.values, line.as_published, line.explained, line.unexplained) for line in lines), strict=True
    )
    return [*rows, ["all", "", "", *(count(sum(column)) for column in totals)]]


def table(summary: Summary) -> list[str]:
    """Return the table by era and system."""
    return markdown.table(COLUMNS, rows_of(summary.lines), 3)


def old_table(summary: Summary) -> list[str]:
    """Return the table of the years before 2001."""
    return markdown.table(OLD_COLUMNS, [[*line[:2], *map(count, line[2:])] for line in summary.old_lines], 2)


def causes(lines: Sequence[CauseLine]) -> list[str]:
    """Return the table of causes."""
    rows = [[line.cause, count(line.values), count(line.shown) if line.shown else ""] for line in lines]
    return markdown.table(("cause", "values", "shown"), rows, 1)


def unexplained(summary: Summary) -> list[str]:
    """Return the table of the values that nothing explains."""
    rows = [[str(value) for value in line] for line in summary.unexplained]
    return markdown.table(UNEXPLAINED_COLUMNS, rows, 4) if rows else ["None."]


def readme_sentence(summary: Summary) -> str:
    """Return what the README says of the agreement."""
    return (
        f"Of {count(summary.total('values'))} published ratings in {count(summary.sections)} real sections,"
        f" {count(summary.total('as_published'))} come out as published,"
        f" {count(summary.total('explained'))} are explained by something that was not published, such as a floor,"
        f" and {count(summary.total('unexplained'))} are unexplained."
    )


def further(summary: Summary) -> list[str]:
    """Return what else the comparison counted."""
    games = (
        f"* Games: the number of games after the section was published for {count(summary.games_after)} of these"
        f" ratings; the program gives it {count(summary.games_agree)} times."
    )
    time_controls = (
        f"* Time controls: of {count(summary.time_controls)}, {count(summary.time_controls_agree)} as they were"
        " written give the systems in which the section was rated; the other sections are rated in these too."
    )
    floors = (
        f"* Floors: for {count(summary.floors.values)} ratings an earlier one in the file shows a peak that makes a"
        f" floor; {count(summary.floors.held)} are not below it, and the others are of"
        f" {count(summary.floors.players_below)} players, whose floors the office may have lowered."
    )
    planted = (
        f"* Wrong ratings: {count(summary.planted.values)} ratings were made wrong on purpose, by 3 to 40 points;"
        f" {count(summary.planted.explained)} of them would have been explained."
    )
    return [games, time_controls, floors, planted]


def readme_page() -> str:
    """Return the README with its sentence of the agreement made anew."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return with_part(text, "totals", [readme_sentence(stored_summary())])


def agreement_page() -> str:
    """Return the page of agreement with its figures made anew."""
    summary = stored_summary()
    text = (DOCS / "agreement.md").read_text(encoding="utf-8")
    figures = {
        "totals": [readme_sentence(summary)],
        "by era and system": table(summary),
        "further figures": further(summary),
        "causes": causes(summary.causes),
        "unexplained": unexplained(summary),
        "before 2001": old_table(summary),
        "causes before 2001": causes(summary.old_causes),
    }
    for name, lines in figures.items():
        text = with_part(text, name, lines)
    return text
