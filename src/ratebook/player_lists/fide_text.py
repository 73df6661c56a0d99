"""FIDE's rating lists as text: fixed widths, the first line names the columns (docs/formats/player-lists.md#fide).

The combined list (with or without the column FOA) has the standard rating under SRtng; a list of one rating has it
under a month such as OCT26. A long list of titles under OTit shifts the rest of a row to the right; what follows is
then found from the row's end.

Inferred: a list of one rating does not say which; where the file's name says rapid or blitz it is refused, since only
standard ratings are converted, and where it says nothing the rating is taken as standard.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import BinaryIO, NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.archive import refused
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, shown
from ratebook.formats.reading.sheets.lines import lines_of
from ratebook.model import ForeignRating, PlayerFacts
from ratebook.player_lists.row import ListedPlayer, ListKind, Match, Search, clean_name, year_of

_TITLES = re.compile(r"ID[ _]number|\S+", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"({'|'.join(_MONTHS)})(\d\d)", re.ASCII | re.IGNORECASE)
_MONTH_OF_NAME = re.compile(rf"_({'|'.join(_MONTHS)})(\d\d)frl", re.ASCII | re.IGNORECASE)
_SHIFTING = "otit"
_SINGLE_GAMES = "gms"
"""How a list of one rating calls the games of its period."""


_TITLES_OF_FIELDS = {
    "fideid": "id number",
    "name": "name",
    "country": "fed",
    "rating": "srtng",
    "birthday": "b-day",
    "games": "sgm",
}
"""The columns of a text list by the names that the fields have in XML."""


class FideLayout(NamedTuple):
    """Where a list has its columns.

    Attributes:
        columns: first and last character (exclusive) of each field.
        width: of a regular row.
        shifted: first character that a long OTit moves.
        single: whether the list has one rating only, of whatever kind.
        as_of: the month of the list where the header names it.
    """

    columns: Mapping[str, slice]
    width: int
    shifted: int
    single: bool
    as_of: date | None


def looks_like_fide_text(line: str) -> bool:
    """Return whether *line* is the header of a FIDE list.

    >>> looks_like_fide_text(
    ...     "ID Number      Name            Fed Sex Tit  WTit OTit           FOA SRtng SGm SK"
    ... )
    True
    """
    return layout_of(line) is not None


def layout_of(line: str) -> FideLayout | None:
    """Return the layout that the header *line* describes, None where it is no header of a list."""
    line = line.removeprefix("\ufeff").rstrip()
    titles = [(match[0].casefold().replace("_", " "), match.start()) for match in _TITLES.finditer(line)]
    if not titles or titles[0][0] != "id number":
        return None
    ends = [start for _, start in titles[1:]] + [len(line)]
    columns = {title: slice(start, end) for (title, start), end in zip(titles, ends, strict=True)}
    month = next((match for title in columns if (match := _MONTH.fullmatch(title))), None)
    single = "srtng" not in columns
    if single and month:
        columns["srtng"] = columns[month[0]]
        if _SINGLE_GAMES in columns:
            columns["sgm"] = columns[_SINGLE_GAMES]
    if "srtng" not in columns or "name" not in columns:
        return None
    return FideLayout(
        {field: columns[title] for field, title in _TITLES_OF_FIELDS.items() if title in columns},
        width=len(line),
        shifted=columns[_SHIFTING].stop if _SHIFTING in columns else len(line),
        single=single,
        as_of=month_day(month[1], month[2]) if month else None,
    )


def month_day(month: str, year: str) -> date:
    """Return the first day of a month as FIDE writes it.

    >>> month_day("OCT", "26")
    datetime.date(2026, 10, 1)
    """
    return date(2000 + int(year), _MONTHS.index(month.casefold()) + 1, 1)


def month_of_name(name: str) -> date | None:
    """Return the month that FIDE puts into the names of its files, None where there is none.

    >>> month_of_name("standard_oct26frl_xml.xml")
    datetime.date(2026, 10, 1)
    """
    match = _MONTH_OF_NAME.search(name)
    return month_day(match[1], match[2]) if match else None


def check_standard(findings: Findings, name: str) -> None:
    """Refuse a list of one rating whose name says that it is not the standard rating.

    Raises:
        SourceError: it is a rapid or blitz list.
    """
    words = name.casefold()
    if "rapid" in words or "blitz" in words:
        raise refused("fide-list-not-standard", name)
    if "standard" not in words:
        findings.add("fide-list-assumed-standard", Place(file=name))


def iter_fide_text(stream: BinaryIO, name: str, search: Search, findings: Findings) -> Iterator[ListedPlayer]:
    """Yield the rows of the FIDE list in *stream* that *search* asks for.

    Raises:
        SourceError: it is no FIDE list, or not one of standard ratings.
    """
    lines = lines_of(stream, name)
    layout = layout_of(next(lines, ""))
    if layout is None:
        raise refused("list-columns-missing.fide-text", name)
    if layout.single:
        check_standard(findings, name)
    as_of = layout.as_of or month_of_name(name)
    match, at_number, at_name = search.match, layout.columns["fideid"], layout.columns["name"]
    for number, line in enumerate(lines, start=2):
        if match(line[at_number], line[at_name]) is Match.WANTED:
            fields = fields_of(layout, line.rstrip("\r"))
            yield fide_player(findings, Place(file=name, line=number), fields, as_of)


def fields_of(layout: FideLayout, line: str) -> dict[str, str]:
    """Return the fields of a row; a row that is too long was shifted by its titles."""
    shift = max(0, len(line) - layout.width)
    fields = {}
    for field, column in layout.columns.items():
        moved = shift if column.start >= layout.shifted else 0
        fields[field] = line[column.start + moved : column.stop + moved].strip()
    return fields


def fide_player(
    findings: Findings, where: Place, fields: Mapping[str, str], as_of: date | None
) -> ListedPlayer:
    """Return the player with these *fields*, named as in XML; a rating or a year of birth of 0 is not known."""
    standard: ForeignRating | None = None
    rating = fields.get("rating", "")
    if rating.strip("0"):
        points = int(rating) if rating.isascii() and rating.isdecimal() and len(rating) < 5 else 0  # noqa: PLR2004 - ratings have four digits
        if LOWEST_RATING <= points <= HIGHEST_RATING:
            standard = ForeignRating(float(points), as_of)
        else:
            place = where.inner("standard rating")
            findings.add("listed-rating-unreadable.rating", place, text=shown(rating))
    facts = PlayerFacts(
        clean_name(fields.get("fideid", "")),
        clean_name(fields.get("name", "")),
        fide=standard,
        usa_flag=fields.get("country", "").upper() == "USA",
    )
    games = fields.get("games", "")
    return ListedPlayer(
        ListKind.FIDE,
        where,
        facts,
        birth_year=year_of(fields.get("birthday", "")),
        as_of=as_of,
        games=int(games) if games.isascii() and games.isdecimal() else None,
    )
