"""The list of the Chess Federation of Canada, tdlist.txt (docs/formats/player-lists.md#canada).

Its quoting is broken (single quotation marks in names of cities), so lines are split at commas and quotation marks
dropped. Where a city has commas of its own, the columns behind it are counted from the line's end.

Inferred: a player listed with a Canadian province is a resident of Canada. ``Expiry`` is the membership of the CFC,
which says nothing of a US Chess membership, and is not read.
"""

from collections.abc import Iterator
from typing import BinaryIO

from ratebook.findings import Findings, Place
from ratebook.formats.archive import refused
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, shown
from ratebook.formats.reading.sheets.lines import lines_of
from ratebook.model import ForeignRating, PlayerFacts
from ratebook.player_lists.row import ListedPlayer, ListKind, Match, Search, clean_name

_PROVINCES = frozenset({"AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"})
_NEEDED = frozenset({"cfc#", "last", "first", "rating"})
_NO_RATING = frozenset({"", "0", "-", "---", "NULL"})
_NOBODY = "---"


def titles_of(line: str) -> tuple[list[str], str]:
    """Return the titles of the columns in the first line, and what separates them."""
    line = line.removeprefix("\ufeff").replace('"', "")
    separator = "\t" if "\t" in line else ","
    return [title.strip().casefold() for title in line.split(separator)], separator


def looks_like_cfc_tdlist(line: str) -> bool:
    """Return whether *line* is the header of a CFC list.

    >>> looks_like_cfc_tdlist("CFC#,Expiry,Last,First,Prov,City,Rating,High")
    True
    """
    return _NEEDED.issubset(titles_of(line)[0])


def iter_cfc_tdlist(
    stream: BinaryIO, name: str, search: Search, findings: Findings
) -> Iterator[ListedPlayer]:
    """Yield the rows of the CFC list in *stream* that *search* asks for.

    Raises:
        SourceError: it is no CFC list.
    """
    lines = lines_of(stream, name)
    titles, separator = titles_of(next(lines, ""))
    if not _NEEDED.issubset(titles):
        raise refused("list-columns-missing.cfc", name)
    width = len(titles)
    at_number, at_last, at_first = titles.index("cfc#"), titles.index("last"), titles.index("first")
    city = titles.index("city") if "city" in titles else width
    match = search.match
    for number, line in enumerate(lines, start=2):
        cells = line.replace('"', "").split(separator)
        if len(cells) < width or cells[at_last].strip() == _NOBODY:
            continue
        player = f"{cells[at_last]}, {cells[at_first]}"
        if match(cells[at_number], player) is not Match.WANTED:
            continue
        surplus = len(cells) - width
        where = Place(file=name, line=number)
        values = {
            title: cells[position + (surplus if position > city else 0)].strip()
            for position, title in enumerate(titles)
        }
        yield _read_row(findings, values, player, where)


def _read_row(findings: Findings, values: dict[str, str], name: str, where: Place) -> ListedPlayer:
    facts = PlayerFacts(
        clean_name(values["cfc#"]),
        clean_name(name),
        canadian_resident=values.get("prov", "").upper() in _PROVINCES,
        cfc=_rating(findings, values["rating"], where.inner("Rating")),
        fide=_rating(findings, values.get("fide rating", ""), where.inner("FIDE Rating")),
    )
    return ListedPlayer(ListKind.CFC, where, facts)


def _rating(findings: Findings, text: str, where: Place) -> ForeignRating | None:
    if text.upper() in _NO_RATING:
        return None
    if text.isascii() and text.isdecimal() and LOWEST_RATING <= int(text[:9]) <= HIGHEST_RATING:
        return ForeignRating(float(text))
    findings.add("listed-rating-unreadable.rating", where, text=shown(text))
    return None
