"""The rows below a header: which of them are players', by which number results name them, how cells are written."""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.csv_report.columns import KIND
from ratebook.formats.reading.cells import cell_in, parse_cell, small_number
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.page import played_lines
from ratebook.formats.reading.sheets.figures import PlayerText, player_in
from ratebook.formats.reading.sheets.header import (
    NAMES,
    RATINGS,
    Header,
    are_names,
    are_ratings,
    look_of,
    plain_title,
    report_unknown,
)
from ratebook.formats.reading.sheets.outcomes import (
    Manner,
    letters_in,
    manner_of,
    name_each_other,
    opponent_in,
    parse_double,
    parse_outcome,
)

_TOTALS = frozenset(("total", "totals", "sum", "average", "avg", "summe"))
_SHARED = re.compile(r"([0-9]{1,3})\s?[-\u2013]\s?([0-9]{1,3})\.?", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_MOST_LEFT_SHOWN = 3
_OF_FIVE = 5
_YEARS_OF_BIRTH = range(1920, 2030)
_SHORT_TITLES = frozenset(("uscf", "us chess"))
_DIVIDING = frozenset(
    (
        *("division", "category", "cat", "group", "grp", "class", "level", "bracket", "tournament"),
        *("gruppe", "groupe", "grupo", "gruppo", "klasse"),
    )
)
"""Titles of columns that may name sections; if no number is there twice in one of them, they do."""
_LONGEST_RESULT = 60
_MOST_NAMED = 1_000
"""Players: looking all names up in all cells would take long where a file has thousands."""


class NumberedRow(NamedTuple):
    """A row of a player: its number in the file, its cells, and the number by which results name the player."""

    number: int
    cells: list[str]
    seat: str


class Body(NamedTuple):
    """The players of a table, where their columns are, and how their results are written."""

    header: Header
    rows: list[NumberedRow]
    manner: Manner
    below: list[str]
    """Lines with the days or the time control, which are not above the header."""

    @property
    def has_named_sections(self) -> bool:
        """Whether its column of sections has names instead of numbers."""
        at = self.header.places.get("section")
        texts = (cell_in(row.cells, at).removeprefix("'") for row in self.rows)
        return any(text and not text.isdecimal() for text in texts)


def body_of(findings: Findings, place: Place, header: Header, lines: Sequence[tuple[int, list[str]]]) -> Body:
    """Return the players in *lines*, the rows below *header* with their numbers; report what is no player."""
    rows: list[tuple[int, list[str]]] = []
    other_rows: dict[int, str] = {}
    facts_below: list[str] = []
    last = max((number for number, cells in lines if _has_number(header, cells)), default=None)
    for number, cells in lines:
        below = last is not None and number > last
        # Below all numbered rows, one without results and an id says something of the table.
        is_summary = below and not (
            _has_results(header, cells) or cell_in(cells, header.places.get("player"))
        )
        if _is_player(header, cells) and not is_summary:
            rows.append((number, cells))
        elif played := played_lines("\t".join(filter(str.strip, cells))):
            facts_below += played
        else:
            other_rows[number] = next(cell.strip() for cell in cells if cell.strip())
    if other_rows:
        texts = list_text([shown(text) for text in other_rows.values()], _MOST_LEFT_SHOWN)
        findings.add("rows-left", place.but(rows=tuple(other_rows)), count=len(other_rows), texts=texts)
    header = _with_names(header, [cells for _, cells in rows])
    header = _with_sections(findings, place, header, [cells for _, cells in rows])
    header, rows = _with_facts_beside_names(findings, place, header, rows)
    _ask_for_columns(findings, place, header, [cells for _, cells in rows])
    rows = _in_english(findings, place, header, rows)
    seats = _seats_of(findings, place, header, rows, _manner_of(header, rows))
    rows = _with_numbers(header, rows, seats)
    players = [NumberedRow(number, cells, seat) for (number, cells), seat in zip(rows, seats, strict=True)]
    return Body(header, players, _manner_of(header, rows), facts_below)


def _manner_of(header: Header, rows: Sequence[tuple[int, list[str]]]) -> Manner:
    return manner_of({cell_in(cells, at) for _, cells in rows for at in header.rounds.values()})


def _with_numbers(
    header: Header, rows: list[tuple[int, list[str]]], seats: Sequence[str]
) -> list[tuple[int, list[str]]]:
    """Return *rows* with numbers for the names of opponents in results, such as "beat Cole", that mean one player."""
    columns = [*header.rounds.values()]
    if len(rows) > _MOST_NAMED or not any(
        len(word) > 1 for _, cells in rows for at in columns for word in _names_in(cell_in(cells, at))
    ):
        return rows
    sections = _sections_of(header, rows)
    wholes = [frozenset(map(str.casefold, _WORD.findall(header.name_of(cells)))) for _, cells in rows]
    by_word: dict[tuple[str, str], set[int]] = {}
    for at, (section, whole) in enumerate(zip(sections, wholes, strict=True)):
        for word in whole:
            by_word.setdefault((section, word), set()).add(at)

    @functools.cache
    def numbered(text: str, section: str) -> str:
        words = _names_in(text)
        runs = [(first, last) for first in range(len(words)) for last in range(len(words), first, -1)]
        texts = []
        for first, last in sorted(runs, key=lambda run: run[0] - run[1]):
            name = [word.casefold() for word in words[first:last]]
            having = [by_word.get((section, word), set()) for word in name if len(word) > 1]
            meant = [at for at in set.intersection(*having) if _is_named(name, wholes[at])] if having else []
            if len(meant) == 1:
                end = text.rindex(words[last - 1]) + len(words[last - 1])
                start = text[:end].rindex(words[first])
                texts.append(f"{text[:start]}{seats[meant[0]]}{text[end:]}")
        # A name may be a word of a result, too.
        return next(filter(parse_outcome, texts), texts[0] if texts else text)

    return [
        (number, [numbered(cell, section) if at in columns else cell for at, cell in enumerate(cells)])
        for section, (number, cells) in zip(sections, rows, strict=True)
    ]


def _is_named(name: Sequence[str], whole: frozenset[str]) -> bool:
    """Return whether *name* has words of the *whole* name, or first letters of them."""
    return all(
        word in whole or (len(word) == 1 and any(other.startswith(word) for other in whole)) for word in name
    )


def _names_in(text: str) -> list[str]:
    """Return the words of a cell that is no result."""
    if len(text) > _LONGEST_RESULT or parse_cell(text) or parse_outcome(text) or parse_double(text):
        return []
    return _WORD.findall(text)


def _in_english(
    findings: Findings, place: Place, header: Header, rows: list[tuple[int, list[str]]]
) -> list[tuple[int, list[str]]]:
    """Return *rows* with the letters of win, draw and loss in English; note which letters they have instead."""
    columns = {*header.rounds.values()}
    letters = letters_in({cell_in(cells, at) for _, cells in rows for at in columns})
    if not letters:
        return rows
    findings.add("letters-in-language", place, letters=list_text(letters))
    english = dict(zip(letters, "WDL", strict=True))

    def translated(cell: str) -> str:
        text = cell.strip()
        return english.get(text[:1], text[:1]) + text[1:]

    return [
        (number, [translated(cell) if at in columns else cell for at, cell in enumerate(cells)])
        for number, cells in rows
    ]


def _with_names(header: Header, rows: Sequence[list[str]]) -> Header:
    """Return *header* with its only column of players as that of names, or of ratings, where these are no ids."""
    places = {**header.places}
    at = places.pop("player", None)
    cells = [cell_in(row, at) for row in rows]
    if at is not None and header.titles[at].strip().casefold() in _SHORT_TITLES and are_ratings(cells):
        # A federation's name alone may be above ratings.
        return header if "rating" in places else header._replace(places=places | {"rating": at})
    if at is None or not NAMES.isdisjoint(places) or not are_names(cells):
        return header
    return header._replace(places=places | {"name": at})


def _with_sections(findings: Findings, place: Place, header: Header, rows: Sequence[list[str]]) -> Header:
    """Return *header* with the column that divides the rows into sections, if it has none of sections."""
    at = header.places.get("section_name")
    if "section" in header.places:
        return header
    if at is None or len({cell_in(cells, at) for cells in rows} - {""}) < len(("one", "another")):
        places = (other for other, title in enumerate(header.titles) if plain_title(title) in _DIVIDING)
        at = next((other for other in places if _divides(header, rows, other)), None)
        if at is None:
            return header
        renamed = f"{shown(header.titles[at].strip())} as section"
        findings.add("columns-renamed", place.but(line=header.row), renamed=renamed)
    columns = {column: other for column, other in header.places.items() if other != at}
    unknown = {title: other for title, other in header.unknown.items() if other != at}
    return header._replace(places=columns | {"section": at}, unknown=unknown)


def _divides(header: Header, rows: Sequence[list[str]], at: int) -> bool:
    """Return whether numbers of players begin anew with each text of the column *at*, so that none is there twice."""
    numbers = header.places.get("seat", header.ranks)
    texts = [cell_in(cells, numbers) for cells in rows]
    named = {(cell_in(cells, at), text) for cells, text in zip(rows, texts, strict=True)}
    return len({*texts}) < len(texts) == len(named)


def _with_facts_beside_names(
    findings: Findings, place: Place, header: Header, rows: list[tuple[int, list[str]]]
) -> tuple[Header, list[tuple[int, list[str]]]]:
    """Return ids and ratings beside names as columns of their own, where the table has none of these."""
    at = header.places.get("name")
    lacks = {"rating": RATINGS.isdisjoint(header.places), "player": "player" not in header.places}
    texts = {number: text for number, cells in rows if (text := cell_in(cells, at))}
    players = {
        number: player
        for number, text in texts.items()
        if (player := player_in(text)).name and (player.player or "0").isdecimal()
    }
    bare = [number for number, player in players.items() if player.is_bare and not player.player]
    if bare and lacks["rating"] and not _are_rated([*players.values()]):
        names = list_text([shown(texts[number]) for number in bare], _MOST_LEFT_SHOWN)
        findings.add("name-with-number", place.but(rows=tuple(bare)), count=len(bare), names=names)
        players = {number: player for number, player in players.items() if number not in bare}
    said = {column for player in players.values() for column in lacks if getattr(player, column)}
    columns = [column for column in lacks if lacks[column] and column in said]
    if not columns:
        return header, rows
    width = max(header.width, *(len(cells) for _, cells in rows))
    split = []
    for number, cells in rows:
        player = players.get(number, PlayerText(cell_in(cells, at)))
        wide = [*cells, *[""] * (width - len(cells)), *(getattr(player, column) for column in columns)]
        wide[at or 0] = player.name
        split.append((number, wide))
    places = {column: width + place for place, column in enumerate(columns)}
    titles = [*header.titles, *[""] * (width - header.width), *columns]
    return header._replace(places={**header.places, **places}, titles=titles), split


def _are_rated(players: Sequence[PlayerText]) -> bool:
    """Return whether numbers behind names are ratings: nearly all have one, and they are neither years nor in order."""
    numbers = [
        int(player.rating[:4]) for player in players if player.is_bare and player.rating[:1].isdecimal()
    ]
    rated = [player for player in players if player.rating]
    are_years = all(number in _YEARS_OF_BIRTH for number in numbers)
    are_in_order = len(numbers) > 1 and numbers == [*range(numbers[0], numbers[-1] + 1)]
    return len(rated) * _OF_FIVE >= len(players) * (_OF_FIVE - 1) and not are_years and not are_in_order


def _has_results(header: Header, cells: Sequence[str]) -> bool:
    return any(cell_in(cells, at) for at in header.rounds.values())


def _has_number(header: Header, cells: Sequence[str]) -> bool:
    return small_number(cell_in(cells, header.places.get("seat")).removesuffix(".")) is not None


def _is_player(header: Header, cells: Sequence[str]) -> bool:
    """Return whether a row is a player's, and no footer, line of thanks or sum."""
    if _has_number(header, cells):
        # Sheets are numbered further than they are filled.
        return len([cell for cell in cells if cell.strip()]) > 1
    number = cell_in(cells, header.places.get("seat")).removesuffix(".")
    name = header.name_of(cells)
    if not {number.casefold(), name.casefold()}.isdisjoint(_TOTALS):
        return False
    if len([cell for cell in cells if cell.strip()]) == 1:
        return _has_results(header, cells)
    return _has_results(header, cells) or (bool(name) and not number)


def _seats_of(
    findings: Findings, place: Place, header: Header, rows: Sequence[tuple[int, list[str]]], manner: Manner
) -> list[str]:
    """Return the numbers by which results name the players: their own, their ranks, or their order in the table."""
    sections = _sections_of(header, rows)
    at, ranks = header.places.get("seat"), header.ranks
    own = _Numbers(sections, [cell_in(cells, at) for _, cells in rows], in_order=at is None)
    columns = [header.rounds[number] for number in sorted(header.rounds)]
    if ranks is not None:
        by_rank = _Numbers(sections, [cell_in(cells, ranks) for _, cells in rows])
        results = [[opponent_in(cell_in(cells, column), manner) for column in columns] for _, cells in rows]
        if by_rank.agree(results) and not own.agree(results):
            findings.add("seats-by-rank", place)
            own = by_rank
    if own.in_order:
        findings.add("seats-by-order", place)
    if own.filled:
        filled = tuple(rows[position][0] for position in own.filled)
        findings.add("ranks-filled", place.but(rows=filled), count=len(filled))
    return own.texts


class _Numbers:
    """One column of numbers by which results may name the players.

    A blank one below the number of the row's own position before it is the next one, as servers write tied ranks; so
    is a shared place, such as 2-3.

    Attributes:
        texts: the numbers.
        in_order: whether they are the positions of the rows, since there is no column of numbers.
        filled: which of them were blank.
    """

    def __init__(self, sections: Sequence[str], texts: Iterable[str], *, in_order: bool = False) -> None:
        self._sections = sections
        self.in_order = in_order
        self.filled: list[int] = []
        self.texts: list[str] = []
        counts: Counter[str] = Counter()
        for at, (section, text) in enumerate(zip(sections, texts, strict=True)):
            counts[section] += 1
            position = counts[section]
            above = self.texts[-1] if at and sections[at - 1] == section else ""
            shared = _SHARED.fullmatch(text)
            is_shared = shared is not None and int(shared[1]) <= position <= int(shared[2])
            if is_shared or (not text and not in_order and above == str(position - 1)):
                self.filled.append(at)
            filled = in_order or self.filled[-1:] == [at]
            self.texts.append(str(position) if filled else text.removesuffix("."))

    def agree(self, results: Sequence[Sequence[int | None]]) -> bool:
        """Return whether both sides of all games name each other, if these are the players' numbers."""
        numbers = [small_number(text) or 0 for text in self.texts]
        keys = [*zip(self._sections, numbers, strict=True)]
        if len({*keys}) < len(keys) or 0 in numbers:
            return False
        return name_each_other(dict(zip(keys, results, strict=True)))


def _sections_of(header: Header, rows: Sequence[tuple[int, list[str]]]) -> list[str]:
    """Return the section that each row names, or the one above."""
    sections: list[str] = []
    for _, cells in rows:
        sections.append(cell_in(cells, header.places.get("section")) or (sections[-1] if sections else ""))
    return sections


def _ask_for_columns(findings: Findings, place: Place, header: Header, rows: Sequence[list[str]]) -> None:
    """Report columns that no one knows; one that seems to hold what the table lacks is an error."""
    others = []
    # A grade is a year of a school, or a rating in Britain.
    grades = {title: at for at, title in enumerate(header.titles) if plain_title(title) == "grade"}
    for title, at in {**header.unknown, **grades}.items():
        cells = [cell for row in rows if (cell := cell_in(row, at))]
        code = look_of(header, cells)
        if not code and title not in grades:
            others.append(title)
        elif code:
            where = place.but(line=header.row)
            findings.add(code, where, title=shown(title), column=title)
    if others:
        report_unknown(findings, place.but(line=header.row), KIND, header.places, others)
