"""The header line of a table: which row it is, which columns it names in whatever words, and what it lacks."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.contract import ROUNDS_AT_MOST
from ratebook.formats.hints import plain_id
from ratebook.formats.reading.cells import cell_in
from ratebook.formats.reading.dates import days_in_order, plain_day
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, shown
from ratebook.formats.reading.sheets.figures import parse_rating
from ratebook.formats.reading.sheets.synonyms import RANKS, SYNONYMS, UNUSED
from ratebook.model import System

MOST_ROWS_ABOVE = 20
"""A title, and what else people write above a table."""
FIRST, LAST = PARTS_OF_NAMES = ("first_name", "last_name")
COMMENT = "#"

NAMES = frozenset(("name", *PARTS_OF_NAMES))
IDS = frozenset(("player", "id", "fide_id"))
RATINGS = frozenset(
    ("rating", "pairing_rating", "fide", "cfc", *(system.value.replace("-", "_") for system in System))
)
_NAMED = re.compile(r"[^\W\d_]{2,}.*[ ,].*[^\W\d_]")
_MEMBER_ID = re.compile("[0-9]{8}", re.ASCII)
_LEAST_YEARS_OF_BIRTHS = 5
_WORDS = re.compile(r"[^\W_]+|#")
_ROUND_WORD = "(?:round|rnd|rd|r|game|gm|g|runde|rde|rond|ronde|runda|ronda|rodada|tour|turno|kierros)"
_ROUND = re.compile(
    rf"{_ROUND_WORD}_?(?:#_?)?0?([1-9][0-9]{{0,2}})|([1-9][0-9]{{0,2}})_?{_ROUND_WORD}", re.ASCII
)
_CONTROL = re.compile(r"\s*g(?:ame)?\s*/", re.IGNORECASE)
_CHANGE = re.compile(r"\s*\+\s*/\s*-")
_CLOSE = 0.75
_HEADER_COLUMNS = 2
_TITLES_OF_A_TABLE = 3


@functools.lru_cache(maxsize=1_024)
def plain_title(text: str) -> str:
    """Return the title of a column as titles are compared.

    >>> [plain_title(title) for title in (" Section Name ", "online-regular", "Rd. 3", "3.Rd")]
    ['section_name', 'online_regular', 'round3', 'round3']
    >>> plain_title("Member#"), plain_title("rtg+/-")
    ('member_#', 'rtg_change')
    """
    name = "_".join(_WORDS.findall(_CHANGE.sub(" change", text.casefold())))
    # G/60 is a time control, G60 may be a round.
    found = None if _CONTROL.match(text) else _ROUND.fullmatch(name)
    return f"round{int(found[1] or found[2])}" if found else name


def round_of(title: str) -> int:
    """Return the round of a column's title, 0 where it is none."""
    return int(title[5:]) if title.startswith("round") and title[5:].isdecimal() else 0


NOTHING_MEANT: Mapping[str, str] = MappingProxyType({})


def titles_of(row: Sequence[str], meant: Mapping[str, str] = NOTHING_MEANT) -> list[str]:
    """Return the titles in *row* as titles are compared; *meant* says what some of them mean."""
    return [meant.get(title, title) for title in map(plain_title, row)]


class TableKind:
    """A kind of table: its columns, those that it needs, and what people call them.

    Attributes:
        name: in messages, and in `SYNONYMS`.
        needed: columns without which it cannot be read.
        key: columns of which a header line has one at least.
        rounds: whether there is a column for each round.
        by_order: a column that the order of the rows replaces where they have names.
    """

    def __init__(  # noqa: PLR0913 - each argument is a separate fact
        self,
        name: str,
        columns: Iterable[str],
        needed: Sequence[str],
        *,
        key: Iterable[str] = (),
        rounds: bool = False,
        by_order: str = "",
        synonyms: str = "",
    ) -> None:
        self.name = name
        self.columns = frozenset(columns)
        self.needed = tuple(needed)
        self.key = frozenset(key or needed)
        self.rounds = rounds
        self.by_order = by_order
        self.others: Mapping[str, tuple[str, ...]] = {
            column: titles
            for column, titles in SYNONYMS[synonyms or name].items()
            if column in self.columns or (column in PARTS_OF_NAMES and "name" in self.columns)
        }
        self._called: dict[str, list[str]] = {}
        for column, titles in self.others.items():
            for title in dict.fromkeys(titles):
                self._called.setdefault(title, []).append(column)

    def columns_of(self, row: Sequence[str], meant: Mapping[str, str] = NOTHING_MEANT) -> list[str]:
        """Return the column that each cell of *row* names, empty where it names none; *meant* as in `titles_of`."""
        titles = titles_of(row, meant)
        if self.rounds:
            titles = self._with_numbered_rounds(titles)
        titles = self._with_named_players(titles)
        own = self.columns.intersection(titles)
        columns: list[str] = []
        for title in titles:
            is_plain = title in own or (self.rounds and round_of(title) > 0)
            columns.append(title if is_plain else self._other(title, own, columns))
        if self.rounds and "seat" not in columns and any(map(round_of, columns)):
            # A crosstable by rank: the results name the opponents' ranks. A column of numbers may have no title.
            columns[:1] = ["seat"] if titles[0] in {*RANKS, ""} else columns[:1]
        return columns

    def _with_named_players(self, titles: list[str]) -> list[str]:
        """Return *titles* with those that may be ids or names, such as "player", as names beside a column of ids."""
        names = {*self.others.get("name", ())}
        ids = {*self.others.get("player", ())}
        if not self.rounds or "name" in titles or (ids - names).isdisjoint(titles):
            return titles
        return ["name" if title in names & ids else title for title in titles]

    def _with_numbered_rounds(self, titles: list[str]) -> list[str]:
        """Return *titles* with those that are 1, 2, 3 ... as rounds, if there are names."""
        numbers = [title for title in titles if title.isascii() and title.isdecimal()]
        words = {title for title in titles if title not in numbers}
        named = not words.isdisjoint({"name", *self.others["name"], *PARTS_OF_NAMES})
        if not (numbers and named) or numbers != [str(at + 1) for at in range(len(numbers))]:
            return titles
        return [f"round{title}" if title in numbers else title for title in titles]

    def _other(self, title: str, own: frozenset[str], columns_before: Sequence[str]) -> str:
        """Return the column that people call *title*, one that is not taken if there is such a one."""
        columns = [column for column in self._called.get(title, ()) if column not in own]
        return next(
            (column for column in columns if column not in columns_before), columns[0] if columns else ""
        )

    def is_header(self, row: Sequence[str], meant: Mapping[str, str] = NOTHING_MEANT) -> bool:
        """Return whether *row* can be the header line: it has a column of the key, and another one."""
        if any(cell.strip().isdecimal() and len(cell.strip()) > len("99") for cell in row):
            # A row with a rating or an id: G4 may be a game that was won, not a title.
            return False
        found = {column for column in self.columns_of(row, meant) if column}
        keyed = any(column in self.key or round_of(column) for column in found)
        return keyed and (len(found) >= _HEADER_COLUMNS or found == {"id"})


class Header(NamedTuple):
    """Where the columns and the rounds are; the cells of the header line, and the number of its row (from 1).

    Attributes:
        above: the rows above it.
        ranks: where the places of the players at the end are, None where no column has them.
        unknown: where the columns are that no one knows, by their titles.
    """

    places: Mapping[str, int]
    rounds: Mapping[int, int]
    titles: Sequence[str]
    row: int
    above: Sequence[Sequence[str]] = ()
    ranks: int | None = None
    unknown: Mapping[str, int] = MappingProxyType({})

    @property
    def width(self) -> int:
        """How many cells the header line has."""
        return len(self.titles)

    def title_of(self, column: str) -> str:
        """Return what the file calls a column.

        >>> Header({"seat": 0}, {1: 1}, ["Pair#", " Rd 1 "], 1).title_of("round1")
        'Rd 1'
        """
        place = self.places.get(column, self.rounds.get(round_of(column)))
        return column if place is None else self.titles[place].strip()

    def name_of(self, row: Sequence[str]) -> str:
        """Return the name in a row, made of last and first name where these have columns of their own."""
        at = self.places
        if "name" in at:
            name = cell_in(row, at["name"])
            other = next((cell_in(row, at[part]) for part in PARTS_OF_NAMES if part in at), "")
            if not other or other.casefold() in name.casefold():
                return name
            # The column of names has the other part alone: Name and Vorname, Nombre and Apellidos.
            return f"{other}, {name}" if LAST in at else f"{name}, {other}"
        last, first = (cell_in(row, at.get(column)) for column in (LAST, FIRST))
        return f"{last}, {first}" if last and first else last or first


_RULER = frozenset("-=:+_ ")


def is_comment(row: Sequence[str]) -> bool:
    """Return whether *row* is a comment, as templates have them, a ruler, or tells a spreadsheet the separator."""
    if not row:
        return False
    is_ruler = any("--" in cell for cell in row) and all(map(_RULER.issuperset, row))
    return is_ruler or row[0].startswith(f"{COMMENT} ") or row[0].lower() == "sep="


def find_header(
    findings: Findings,
    place: Place,
    rows: Iterator[list[str]],
    kind: TableKind,
    meant: Mapping[str, str] = NOTHING_MEANT,
) -> tuple[Header | None, Iterator[list[str]]]:
    """Return the header of a table, None with findings, and the rows below it; *meant* says what some titles mean.

    The line of *place* is the last one before *rows*, if there is one.
    What is above the header of a report, and columns that no one knows there, are reported by its reader.
    """
    above: list[list[str]] = []
    for number, row in enumerate(rows, start=1):
        above.append(row)
        if kind.is_header(row, meant) and not is_comment(row):
            return _read_header(findings, place, above, kind, meant), rows
        if number >= MOST_ROWS_ABOVE:
            break
    first = next((at for at, row in enumerate(above, start=1) if any(row) and not is_comment(row)), 1)
    header = _read_header(findings, place, above[:first], kind, meant)
    return header, chain(above[first:], rows)


def _read_header(
    findings: Findings, place: Place, above: Sequence[list[str]], kind: TableKind, meant: Mapping[str, str]
) -> Header | None:
    row = above[-1] if above else []
    place = place.but(line=(place.line or 0) + (len(above) or 1))
    header = _with_columns(findings, place, row, kind, meant)._replace(above=above[:-1])
    if not kind.rounds:
        skipped = sum(any(cell.strip() for cell in title) and not is_comment(title) for title in above[:-1])
        if skipped:
            findings.add("rows-above-header", place, skipped=skipped)
        if header.unknown:
            report_unknown(findings, place, kind, header.places, [*header.unknown])
    return None if _missing(findings, place, kind, header) else header


def _with_columns(
    findings: Findings, place: Place, row: Sequence[str], kind: TableKind, meant: Mapping[str, str]
) -> Header:
    """Return the header of which *row* names the columns; report which were taken for what."""
    titles = titles_of(row, meant)
    places: dict[str, int] = {}
    rounds: dict[int, int] = {}
    unknown: dict[str, int] = {}
    renamed: list[str] = []
    unused: list[str] = []
    twice: list[tuple[str, str]] = []
    for at, (cell, title, column) in enumerate(zip(row, titles, kind.columns_of(row, meant), strict=True)):
        if title in UNUSED and not column:
            unused.append(cell.strip())
        elif not column and title:
            unknown.setdefault(cell.strip(), at)
        elif column in places or round_of(column) in rounds:
            twice.append((shown(cell.strip()), shown(column)))
        elif round_of(column):
            rounds[round_of(column)] = at
        elif column:
            places[column] = at
            if title not in {column, ""}:
                renamed.append(f"{shown(cell.strip())} as {column}")
    _report_twice(findings, place, twice)
    if renamed:
        findings.add("columns-renamed", place, renamed=list_text(renamed))
    if unused:
        findings.add("columns-unused", place, unused=list_text(map(shown, unused)))
    taken = {*places.values()}
    ranks = next((at for at, title in enumerate(titles) if title in RANKS and at not in taken), None)
    return Header(places, rounds, tuple(row), place.line or 1, ranks=ranks, unknown=unknown)


def _report_twice(findings: Findings, place: Place, twice: Sequence[tuple[str, str]]) -> None:
    """Report columns of the same meaning, by their titles and what they mean."""
    if len(twice) >= _TITLES_OF_A_TABLE:
        findings.add("column-twice.beside", place, columns=list_text([title for title, _ in twice]))
        return
    for title, column in twice:
        findings.add("column-twice.same", place, column=title, other=column)


def _missing(findings: Findings, place: Place, kind: TableKind, header: Header) -> bool:
    places, rounds, unknown = header.places, header.rounds, [*header.unknown]
    missing = [column for column in kind.needed if column not in places]
    named = not {"name", "player", *PARTS_OF_NAMES}.isdisjoint(places)
    if kind.by_order in missing and named and not _closest(kind.by_order, unknown):
        missing.remove(kind.by_order)
    if kind.rounds:
        last = max(rounds, default=1)
        if last > ROUNDS_AT_MOST:
            findings.add("too-many-rounds.columns", place, last=last, rounds_at_most=ROUNDS_AT_MOST)
            return True
        missing += [f"round{number}" for number in range(1, last + 1) if number not in rounds]
    for column in missing:
        others = [title.replace("_", " ").replace(" #", "#") for title in kind.others.get(column, ())[:3]]
        findings.add(
            "column-missing.with-other-names" if others else "column-missing.in-table",
            place,
            table=kind.name,
            column=column,
            others=list_text(map(shown, others)),
            remedy=_remedy(column, unknown),
        )
    return bool(missing)


def _closest(column: str, unknown: Sequence[str]) -> list[str]:
    import difflib  # noqa: PLC0415 - start-up loads it only when needed

    return difflib.get_close_matches(column, map(plain_title, unknown), 1, _CLOSE)


def _remedy(column: str, unknown: Sequence[str]) -> str:
    close = _closest(column, unknown)
    if close:
        return f"Rename {shown(close[0])} to {column!r}."
    if round_of(column) and unknown:
        titles = list_text(map(shown, unknown))
        return f"Call the columns of the rounds R1, R2, …, if they are among {titles}."
    return f"Add the column {column!r}; ratebook template shows a table of each kind."


def report_unknown(
    findings: Findings, place: Place, kind: TableKind, places: Mapping[str, int], unknown: Sequence[str]
) -> None:
    """Report unknown titles, with the columns that they nearly are: a guess from afar would mislead."""
    import difflib  # noqa: PLC0415 - start-up loads it only when needed

    titles = list_text(map(shown, unknown))
    free = sorted(kind.columns - places.keys())
    renamings = [
        f"{shown(title)} to {shown(close[0])}"
        for title in unknown
        if (close := difflib.get_close_matches(plain_title(title)[:40], free, 1, _CLOSE))
    ]
    if renamings:
        findings.add("column-unknown.similar", place, unknown=titles, renamings=list_text(renamings))
    else:
        # A report calls the id of a player "player".
        free_names = (
            "id" if column == "player" else column for column in kind.others if column not in places
        )
        columns = ", ".join(shown(column.replace("_", " ")) for column in free_names)
        findings.add("column-unknown.like-none", place, unknown=titles, columns=columns)


def _are_ids(cells: Sequence[str]) -> bool:
    """Return whether most of *cells* are member ids, and no two are the same."""
    ids = [cell for cell in cells if _MEMBER_ID.fullmatch(plain_id(cell))]
    return len({*ids}) == len(ids) and 2 * len(ids) > len(cells)


def _are_births(cells: Sequence[str]) -> bool:
    """Return whether most of *cells* are days of many years, as those of births are."""
    years = [day.year for cell in cells if (day := plain_day(cell) or next(iter(days_in_order(cell)), None))]
    return 2 * len(years) > len(cells) and max(years) - min(years) >= _LEAST_YEARS_OF_BIRTHS


def are_ratings(cells: Sequence[str]) -> bool:
    """Return whether most of *cells* are numbers such as ratings are."""
    written = [parse_rating(cell) for cell in cells]
    points = [rating.points for rating in written if rating is not None and rating.points is not None]
    return 2 * len([value for value in points if LOWEST_RATING <= value <= HIGHEST_RATING]) > len(cells)


def are_names(cells: Sequence[str]) -> bool:
    """Return whether most of *cells* have two words, and hardly any two are the same."""
    return 2 * len({cell for cell in cells if _NAMED.search(cell)}) > len(cells)


def _are_words(cells: Sequence[str]) -> bool:
    """Return whether most of *cells* are words alone, no two the same: last names, where a table has no others."""
    return 2 * len({cell for cell in cells if len(cell) > len("Li") and cell.isalpha()}) > len(cells)


_LOOKS: tuple[tuple[str, frozenset[str], Callable[[Sequence[str]], bool]], ...] = (
    ("column-unclear.births", frozenset(("birth_date",)), _are_births),
    ("column-unclear.ids", IDS, _are_ids),
    ("column-unclear.ratings", RATINGS, are_ratings),
    ("column-unclear.names", NAMES, lambda cells: are_names(cells) or _are_words(cells)),
)
"""What the cells of a column may be, and the columns that have it otherwise."""


def look_of(header: Header, cells: Sequence[str]) -> str:
    """Return the code of the finding that a column no one knows seems to hold what the table lacks, or nothing."""
    return next(
        (code for code, columns, are_such in _LOOKS if columns.isdisjoint(header.places) and are_such(cells)),
        "",
    )
