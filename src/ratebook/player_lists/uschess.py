"""US Chess lists in dBASE files: the Golden Database, the rating supplement, and the combined list.

Source: docs/formats/player-lists.md#us-chess.

Field names are those that public programs use; the lists themselves were not seen. Known of the values: seven
characters, in the supplement four digits and, where provisional, a slash and two digits of games; in the Golden
Database four digits, then P (provisional), E (established) or U (unrated) and two characters; asterisks and old norm
codes may follow.

Inferred, for want of a description:

* the two characters behind P are the number of games; a provisional rating without them is not taken
* a rating without any mark is established; 0 and blanks are unrated
* the second rating of a list with two is quick or blitz, which the list does not say: the caller does
* dates are YYYYMMDD, YYYY-MM-DD, MM/DD/YYYY or MM/DD/YY; a membership to the end of 1999 is a life membership
* a field whose name holds SUP and whose value is a year and a month names the supplement, and so the ratings' date
* a combined list gives year of birth and federation in BYEAR and FEDERATION
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import BinaryIO, NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.archive import refused
from ratebook.formats.reading.dates import LIFE
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, shown
from ratebook.formats.uschess.dbf import DbfError, iter_dbf
from ratebook.model import Rating, System
from ratebook.player_lists.row import ListedPlayer, ListKind, Match, Search, similar_player, year_of

_GOLDEN_ID = "MEM_ID"
_SUPPLEMENT_ID = "R_MEM_ID"
_NAMES = ("MEM_NAME", "R_MEM_NAME")
_ONLY_COMBINED = frozenset({"B_LPB_RAT", "ONL_R_RTG", "ONL_Q_RTG", "ONL_B_RTG", "BYEAR", "FEDERATION"})
_SECOND_OF_TWO = frozenset({"Q_LPB_RAT", "R_RATING2"})
_RATINGS = {
    "R_LPB_RAT": System.REGULAR,
    "R_RATING1": System.REGULAR,
    "Q_LPB_RAT": System.QUICK,
    "R_RATING2": System.QUICK,
    "B_LPB_RAT": System.BLITZ,
    "ONL_R_RTG": System.ONLINE_REGULAR,
    "ONL_Q_RTG": System.ONLINE_QUICK,
    "ONL_B_RTG": System.ONLINE_BLITZ,
}
_UNRATED = frozenset({"", "U", "UNR", "UNR.", "UNRATED", "NEW"})
_PRINTED = re.compile(
    r"""\*?\s*(?P<points>\d{1,4})(?:\.0+)?\s*
        (?:(?P<provisional>[/P])\s*(?P<games>\d{1,2})?|(?P<state>[EU])\s*\w{0,2})?
        \s*(?:\*\s*\w{0,2})?""",
    re.ASCII | re.VERBOSE,
)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})", re.ASCII)
_DASHED = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})", re.ASCII)
_MONTH = re.compile(r"((?:19|20)\d{2})[-/]?(\d{2})", re.ASCII)
_PIVOT_OF_YEARS = 70
_END_OF_1999 = date(1999, 12, 31)


class RatingInList(NamedTuple):
    """A rating as a list prints it: points, and games where it is provisional."""

    points: int
    games: int | None


class UnreadableRatingError(ValueError):
    """A rating that cannot be taken; the text says why, as the end of a sentence."""


def parse_printed(text: str) -> RatingInList | None:
    """Return the rating that a list prints as *text*, None for an unrated player.

    Raises:
        UnreadableRatingError: it is neither a rating nor a mark for the unrated.

    >>> parse_printed("1234/10"), parse_printed("1234P10"), parse_printed("0000U")
    (RatingInList(points=1234, games=10), RatingInList(points=1234, games=10), None)
    >>> parse_printed("1575E2*")
    RatingInList(points=1575, games=None)
    """
    text = text.strip().upper()
    if text.strip("*") in _UNRATED:
        return None
    match = _PRINTED.fullmatch(text)
    if match is None:
        raise UnreadableRatingError("cannot be read as a rating")
    points = int(match["points"])
    if match["state"] == "U" or points == 0:
        return None
    if not LOWEST_RATING <= points <= HIGHEST_RATING:
        raise UnreadableRatingError(f"is outside {LOWEST_RATING} to {HIGHEST_RATING}")
    if match["provisional"] and not match["games"]:
        raise UnreadableRatingError("is provisional, but the number of its games is missing")
    return RatingInList(points, int(match["games"]) if match["games"] else None)


def parse_expiry(text: str) -> date | None:
    """Return the day a membership ends, None where *text* is no date.

    >>> parse_expiry("20271130"), parse_expiry("11/30/27"), parse_expiry("12/31/99").year
    (datetime.date(2027, 11, 30), datetime.date(2027, 11, 30), 9999)
    """
    text = text.strip()
    if text.upper().startswith("LIFE"):
        return LIFE
    if match := _DASHED.fullmatch(text):
        year, month, day = (int(part) for part in match.groups())
    elif match := _SLASHED.fullmatch(text):
        month, day, year = (int(part) for part in match.groups())
        if len(match[3]) == 2:  # noqa: PLR2004 - two digits of a year
            year += 2000 if year < _PIVOT_OF_YEARS else 1900
    else:
        return None
    try:
        last = date(year, month, day)
    except ValueError:
        return None
    return LIFE if last == _END_OF_1999 else last


def parse_month(text: str) -> date | None:
    """Return the first day of the month that *text* names, None where it names none.

    >>> parse_month("202611"), parse_month("2026-11"), parse_month("ADAMS")
    (datetime.date(2026, 11, 1), datetime.date(2026, 11, 1), None)
    """
    match = _MONTH.fullmatch(text.strip())
    if match is None or not 1 <= int(match[2]) <= 12:  # noqa: PLR2004 - months of a year
        return None
    return date(int(match[1]), int(match[2]), 1)


def list_kind(names: tuple[str, ...]) -> ListKind | None:
    """Return the list whose table has fields of these *names*, None where it is no list.

    >>> list_kind(("R_MEM_ID", "R_MEM_NAME")), list_kind(("D_MEM_ID", "D_NAME"))
    (<ListKind.SUPPLEMENT: 'rating supplement'>, None)
    """
    if _GOLDEN_ID in names:
        return ListKind.GOLDEN if _ONLY_COMBINED.isdisjoint(names) else ListKind.COMBINED
    return ListKind.SUPPLEMENT if _SUPPLEMENT_ID in names else None


def iter_uschess_dbf(
    stream: BinaryIO, name: str, search: Search, findings: Findings, *, second: System = System.QUICK
) -> Iterator[ListedPlayer]:
    """Yield the records of the dBASE file in *stream* that *search* asks for.

    *second* is the system of the second rating of a list with two.

    Raises:
        SourceError: it is damaged, or no list.
    """
    try:
        table = iter_dbf(stream, name)
    except DbfError as failure:
        raise refused("list-unreadable.damaged", name, reason=str(failure)) from failure
    kind = list_kind(table.names)
    if kind is None:
        raise refused("list-columns-missing.uschess", name)
    titles = table.names
    second_assumed = "B_LPB_RAT" not in titles and not _SECOND_OF_TWO.isdisjoint(titles)
    systems = _RATINGS | dict.fromkeys(_SECOND_OF_TWO, second) if second_assumed else _RATINGS
    match = search.match
    # Of two fields with one name the first counts.
    places = {title: titles.index(title) for title in titles}
    at_number = places[_GOLDEN_ID if _GOLDEN_ID in places else _SUPPLEMENT_ID]
    at_name = next((places[title] for title in _NAMES if title in places), None)
    try:
        for place, record in enumerate(table.records, start=1):
            number, player_name = record[at_number], "" if at_name is None else record[at_name]
            row_match = match(number, player_name)
            if row_match is Match.NONE:
                continue
            where = Place(file=name, record=str(place + table.records.deleted))
            player = similar_player(kind, where, number, player_name)
            if row_match is Match.WANTED:
                texts = {title: record[at] for title, at in places.items()}
                player = _with_facts(findings, player, texts, systems)
            if second_assumed and second in player.facts.ratings:
                second_assumed = False
                findings.add("second-rating-assumed", Place(file=name), second=second)
            yield player
    except DbfError as failure:
        raise refused("list-unreadable.damaged", name, reason=str(failure)) from failure
    if table.records.missing or table.records.cut:
        reason = "It ends before the last record that its header promises."
        raise refused("list-unreadable.damaged", name, reason=reason)
    if table.records.surplus:
        reason = "It holds more records than its header says."
        raise refused("list-unreadable.damaged", name, reason=reason)


def _with_facts(
    findings: Findings, player: ListedPlayer, texts: Mapping[str, str], systems: Mapping[str, System]
) -> ListedPlayer:
    """Return *player* with what the fields of the record say; what cannot be read is a warning and left out."""
    as_of = parse_month(next((value for title, value in texts.items() if "SUP" in title), ""))
    ratings: dict[System, Rating] = {}
    for title, system in systems.items():
        try:
            printed = parse_printed(texts.get(title, ""))
        except UnreadableRatingError as failure:
            place = player.where.inner(title)
            findings.add(
                "listed-rating-unreadable.record", place, record=shown(texts[title]), failure=failure
            )
            continue
        if printed is not None:
            games = None if printed.games is None else float(printed.games)
            ratings[system] = Rating(
                float(printed.points), games, published=printed.points, published_games=games, as_of=as_of
            )
    last_day = texts.get("EXPIRED", texts.get("R_EXP_DATE", ""))
    expires = parse_expiry(last_day)
    if expires is None and last_day:
        findings.add("listed-date-unreadable", player.where.inner("expires"), expires=shown(last_day))
    facts = player.facts._replace(ratings=ratings, usa_flag=texts.get("FEDERATION", "").upper() == "USA")
    return player._replace(facts=facts, expires=expires, birth_year=year_of(texts.get("BYEAR", "")))
