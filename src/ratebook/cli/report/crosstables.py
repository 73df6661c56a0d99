"""Crosstables to print: a dual-rated section is one table with the ratings of both systems; below, what signs mean."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby

import click

from ratebook.cli.output import TextTable, title_of
from ratebook.cli.show import show, table
from ratebook.model import Event, InitialRating, Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns
from ratebook.pages.crosstable import (
    after_text,
    before_text,
    change_text,
    crosstable,
    crosstable_columns,
    initial_text,
)
from ratebook.rating.formulas import rounded
from ratebook.rating.results import RatedSection
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.records.system_titles import SYSTEM_TITLES


def with_quick(columns: Columns[CrosstableLine], quick: Iterable[CrosstableLine]) -> Columns[CrosstableLine]:
    """Return *columns* of a crosstable with the ratings of the *quick* one behind its own, by seats."""
    seats = {row.seat: row for row in quick}

    def column(title: str, text: Callable[[CrosstableLine], str]) -> Column[CrosstableLine]:
        return Column(title, lambda row: text(seats[row.seat]) if row.seat in seats else "", "right")

    texts = {"Quick before": before_text, "Quick after": after_text, "Quick change": change_text}
    end = next(at for at, column in enumerate(columns, start=1) if column.title == "Change")
    return (*columns[:end], *(column(title, text) for title, text in texts.items()), *columns[end:])


def section_title(shown: Crosstable) -> str:
    """Return number and name of the section, the number once."""
    number = f"Section {shown.section}"
    if shown.section_name.startswith(number):
        return shown.section_name
    return f"{number} - {shown.section_name}" if shown.section_name else number


def with_quick_beside(tables: Iterable[Crosstable]) -> Iterator[tuple[Crosstable, Crosstable | None]]:
    """Yield crosstables, which come section by section: that of a dual-rated section together with its Quick one.

    One is asked for after the other: a large report takes little memory.
    """
    for _, of_section in groupby(tables, key=lambda shown: shown.section):
        by_system = {shown.system: shown for shown in of_section}
        quick = by_system.pop(System.QUICK) if by_system.keys() >= {System.REGULAR, System.QUICK} else None
        for system, shown in by_system.items():
            yield shown, quick if system is System.REGULAR else None


def print_crosstables(
    event: Event, sections: Iterable[RatedSection], *, step1_shown: bool
) -> Iterator[CrosstableLine]:
    """Print the crosstable of each section, that of a dual-rated one with both ratings, and yield their rows."""
    tables = (crosstable(event, section, step1_shown=step1_shown) for section in sections)
    for shown, quick in with_quick_beside(tables):
        columns = crosstable_columns(shown.lines)
        show("rated", {}, crosstable_as_table(shown, quick, columns, section_title(shown)))
        yield from shown.lines
        yield from () if quick is None else quick.lines


def print_players(event: Event, sections: Iterable[RatedSection]) -> None:
    """Print the players of each section by their seats, with their ratings, and how one of them is asked for."""
    tables = (crosstable(event, section, step1_shown=False) for section in sections)
    numbers: list[int] = []
    for shown, quick in with_quick_beside(tables):
        by_seat = replace(shown, lines=tuple(sorted(shown.lines, key=lambda line: line.seat)))
        show("players", {}, crosstable_as_table(by_seat, quick, crosstable_columns(()), section_title(shown)))
        numbers.append(shown.section)
    section = " and --section" if len(set(numbers)) > 1 else ""
    click.echo(f"Whose rating is to be explained? Give --seat{section}, or --who with a name or an id.")


def crosstable_as_table(
    shown: Crosstable, quick: Crosstable | None, columns: Columns[CrosstableLine], *section: str
) -> TextTable | str:
    """Return a crosstable as a table to print, beside the *quick* one of the *section* that its title names."""
    system = SYSTEM_TITLES[shown.system]
    if quick is not None:
        system = f"{system} and Quick"
        columns = with_quick(columns, quick.lines)
    return table(title_of(shown.event_name, *section, system), columns, shown.lines)


_LETTERS = {
    "B": "full-point bye",
    "H": "half-point bye",
    "U": "not paired",
    "X": "won by forfeit",
    "F": "lost by forfeit",
    "Z": "drawn, not rated",
    "N": "won, the opponent did not lose",
    "R": "drawn for this player alone",
    "S": "lost, the opponent did not win",
}


def legend_of(rows: Iterable[CrosstableLine]) -> str:
    """Return the legend of crosstables with these *rows*, empty where no sign needs one."""
    provisional, initial = "", ""
    used: set[str] = set()
    for row in rows:
        for rating in (row.before, row.after):
            provisional = provisional or _provisional_words(rating)
        initial = initial or _initial_words(row.initial)
        used.update(cell[:1] for cell in row.rounds)
    parts = [*filter(None, (provisional, initial))]
    parts += [f"{letter}: {meaning}" for letter, meaning in _LETTERS.items() if letter in used]
    return f"Legend: {'; '.join(parts)}." if parts else ""


def _provisional_words(rating: Shown | None) -> str:
    if rating is None or rating.provisional_games is None:
        return ""
    return f"{shown_rating(rating)}: provisional, based on {counted_games(rating.provisional_games)}"


def _initial_words(rating: InitialRating | None) -> str:
    if rating is None:
        return ""
    starts = f"starts at {rounded(rating.rating):.0f} as if after {counted_games(rating.games)}"
    return f"{initial_text(rating)}: new in this system, {starts}"


def counted_games(games: float) -> str:
    """Return a number of games in words.

    >>> counted_games(1), counted_games(4.5)
    ('1 game', '4.5 games')
    """
    return f"{games:g} game{'' if games == 1 else 's'}"
