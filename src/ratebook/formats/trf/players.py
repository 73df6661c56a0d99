"""From the records of a FIDE tournament report to its players and entries."""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from ratebook.formats.contract import ROUNDS_AT_MOST
from ratebook.formats.hints import seat_id
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import (
    EARLIEST_YEAR,
    HIGHEST_RATING,
    LOWEST_RATING,
    parse_day,
    readable,
    shown,
)
from ratebook.formats.trf.lines import (
    CANADA,
    HOME_FEDERATION,
    RESULT_LETTERS,
    TEAM_LIST_RECORDS,
    parse_date,
)
from ratebook.formats.trf.records import Bye, PlayerRow, TournamentRecords
from ratebook.model import Cell, Entry, ForeignRating, PlayerFacts

_RATING_DIGITS = 4
_NO_DATE = " 0/.-"
_YEAR_ONLY = re.compile(r"[0-9]{4}[ 0/.\-]*", re.ASCII)
_TWO_DIGIT_YEAR = re.compile(r"[0-9]{1,2}[^0-9].*[^0-9][0-9]{1,2}", re.ASCII)
_SEATS_NAMED = 5


def player_ids(records: TournamentRecords, section: int) -> list[str]:
    """Return the id of each player: the US Chess id, else the FIDE number, else one made of the seat."""
    home = records.national.get(HOME_FEDERATION, {})
    member_ids: list[str] = []
    for row in records.players:
        national = home.get(row.seat)
        member = national.number if national is not None else ""
        member = member or records.member_ids.get(row.seat, "")
        if not readable(member):
            records.add("text-unreadable.player-ids", 0, row.seat, member=shown(member))
        # Zeros stand for an id that is not known.
        member_ids.append(member if member.strip("0") else "")
    taken = set(member_ids)
    ids = []
    for row, member in zip(records.players, member_ids, strict=True):
        key = member or _fide_number(records, row)
        if key and not member and key in taken:
            records.add("id-taken", 0, row.seat, key=key)
            key = ""
        if not key:
            key = seat_id(section, row.seat)
            while key in taken:
                key += "-"
        ids.append(key)
    return ids


def _fide_number(records: TournamentRecords, row: PlayerRow) -> str:
    """Return the FIDE number of *row*, empty where there is none."""
    number = row.number
    if not number.strip("0"):
        return ""
    if number.isascii() and number.isdecimal():
        return number
    records.add("fide-number-unreadable", row.line, row.seat, number=shown(number))
    return ""


def read_players(
    records: TournamentRecords, ids: Sequence[str], end: date | None
) -> tuple[dict[str, PlayerFacts], dict[str, float]]:
    """Return the players by id, and the national rating of those who have one."""
    home = records.national.get(HOME_FEDERATION, {})
    canada = records.national.get(CANADA, {})
    players: dict[str, PlayerFacts] = {}
    pairing: dict[str, float] = {}
    years: list[int] = []
    for row, key in zip(records.players, ids, strict=True):
        national = home.get(row.seat)
        if national is not None:
            rating = _rating(records, national)
            if rating is not None:
                pairing.setdefault(key, rating.rating)
        if key in players:
            continue
        cfc = canada.get(row.seat)
        players[key] = PlayerFacts(
            id=key,
            name=row.name or ("" if national is None else _national_name(records, national)),
            birth_date=_birth_date(records, row, "" if national is None else national.birth_date, end, years),
            fide=_rating(records, row),
            cfc=None if cfc is None else _rating(records, cfc),
            usa_flag=row.federation == HOME_FEDERATION,
        )
    if years:
        seats = ", ".join(str(seat) for seat in years[:_SEATS_NAMED])
        records.add(
            "birth-year-only.players",
            year_count=len(years),
            seats=seats,
            word=", …)." if len(years) > _SEATS_NAMED else ").",
        )
    _check_national(records)
    return players, pairing


@lru_cache(maxsize=HIGHEST_RATING)
def _parse_rating(text: str) -> ForeignRating | None:
    """Return the rating in *text*, None where there is none or it cannot be one."""
    if text.isascii() and text.isdecimal() and LOWEST_RATING <= int(text) <= HIGHEST_RATING:
        return ForeignRating(float(text))
    return None


def _rating(records: TournamentRecords, row: PlayerRow) -> ForeignRating | None:
    """Return the rating in *row*, None where there is none."""
    text = row.rating
    rating = _parse_rating(text)
    if rating is not None or not text.strip("0"):
        return rating
    records.add(
        "rating-not-used",
        row.line,
        row.seat,
        text=shown(text),
        lowest_rating=LOWEST_RATING,
        highest_rating=HIGHEST_RATING,
    )
    return None


def _national_name(records: TournamentRecords, national: PlayerRow) -> str:
    if readable(national.name):
        return national.name
    records.add("text-unreadable.readable", national.line, text=shown(national.name))
    return ""


def _birth_date(
    records: TournamentRecords, row: PlayerRow, national: str, end: date | None, years: list[int]
) -> date | None:
    """Return the birth date of *row*, else the *national* one; add the seat to *years* where only a year is known."""
    text = row.birth_date or national
    if not text:
        return None
    day = parse_day(text.replace("/", "-")) or _tolerated_birth_date(text)
    if day is None or day.year < EARLIEST_YEAR:
        if _YEAR_ONLY.fullmatch(text) and text.strip(_NO_DATE):
            years.append(row.seat)
        elif text.strip(_NO_DATE):
            # The date itself is private and stays out of the message.
            records.add("birth-date-unreadable", row.line, row.seat)
        return None
    if end is not None and day > end:
        records.add("birth-date-after-event.birth-dates", row.line, row.seat, end=end)
    return day


def _tolerated_birth_date(text: str) -> date | None:
    """Return the day in *text*, written otherwise; two digits do not say the century of a birth."""
    return None if _TWO_DIGIT_YEAR.fullmatch(text) else parse_date(text)


def _check_national(records: TournamentRecords) -> None:
    """Report national records of players who are not there."""
    seats = {row.seat for row in records.players}
    for federation, rows in records.national.items():
        for seat, row in rows.items():
            if seat not in seats:
                records.add("national-record-alone", row.line, federation=federation, seat=seat)


def read_entries(
    records: TournamentRecords, ids: Sequence[str], declared: int, *, foreign: bool
) -> tuple[Entry, ...]:
    """Return the entries of the tournament, all with the same number of rounds, at least those *declared*.

    In a *foreign* event the entries of US players are the ones to update.
    """
    rounds = max((len(row.cells) for row in records.players), default=0)
    rounds = max(rounds, declared)
    padding = [EMPTY_CELL] * rounds
    for row in records.players:
        row.cells.extend(padding[len(row.cells) :])
    if records.byes:
        _enter_byes(records)
    return tuple(
        Entry(row.seat, key, tuple(row.cells), foreign and row.federation == HOME_FEDERATION)
        for row, key in zip(records.players, ids, strict=True)
    )


def declared_rounds(records: TournamentRecords) -> int | None:
    """Return how many rounds the file says the tournament has (142, XXR), None where it does not say."""
    tag = "142" if records.text("142") else "XXR"
    text = records.text(tag)
    if not text:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= _RATING_DIGITS and int(text) <= ROUNDS_AT_MOST:
        return int(text)
    records.add_about(
        tag,
        "count-differs.declared-rounds",
        text=shown(text),
        rounds_at_most=ROUNDS_AT_MOST,
    )
    return None


def _enter_byes(records: TournamentRecords) -> None:
    """Enter the byes of the records 240 where the players' own lines leave the round open."""
    if records.seen & TEAM_LIST_RECORDS:
        # There the numbers are those of teams.
        return
    rows = {row.seat: row for row in records.players}
    for bye in records.byes:
        row = rows.get(bye.seat)
        if row is None or not 1 <= bye.round <= len(row.cells):
            _report_bye(records, bye, "names a starting rank or a round that is not there")
            continue
        letter = RESULT_LETTERS[bye.kind]
        own = row.cells[bye.round - 1]
        if own == EMPTY_CELL:
            row.cells[bye.round - 1] = Cell(letter)
        elif own.letter != letter:
            _report_bye(records, bye, "says another thing than the player's own line, which holds")


def _report_bye(records: TournamentRecords, bye: Bye, what: str) -> None:
    records.add("bye-differs", bye.line, kind=bye.kind, seat=bye.seat, round=bye.round, what=what)
