"""From the records of a FIDE tournament report to its players and entries."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.contract import ROUNDS_AT_MOST
from ratebook.formats.hints import check_same_name, is_placeholder, is_seat_id, seat_id
from ratebook.formats.reading import fields
from ratebook.formats.reading.cells import EMPTY_CELL, small_number
from ratebook.formats.reading.dates import parse_date
from ratebook.formats.trf import lines
from ratebook.formats.trf.records import FIRST_NAMED, TEAM_LIST_RECORDS, Bye, PlayerRow, TournamentRecords
from ratebook.model import Cell, Entry, ForeignRating, PlayerFacts

_NO_DATE = " 0/.-"
_YEAR_ONLY = re.compile(r"[0-9]{4}[ 0/.\-]*", re.ASCII)
_TWO_DIGIT_YEAR = re.compile(r"[0-9]{1,2}[^0-9].*[^0-9][0-9]{1,2}", re.ASCII)


def player_ids(records: TournamentRecords, section: int) -> list[str]:
    """Return the id of each player: the US Chess id, else one made of the seat; the FIDE number is none."""
    home = records.national.get(lines.HOME_FEDERATION, {})
    member_ids: list[str] = []
    for row in records.players:
        member = home[row.seat].number if row.seat in home else ""
        member = member or records.member_ids.get(row.seat, "")
        if not fields.readable(member):
            records.add("text-unreadable.id", 0, row.seat, member=fields.shown(member))
        # Zeros mean an id that is not known.
        if member.strip("0") and is_placeholder(member):
            records.add("id-placeholder.file", 0, row.seat, words=fields.shown(member))
        member_ids.append("" if is_placeholder(member) else member)
    used_ids = set(member_ids)
    ids = []
    for row, member in zip(records.players, member_ids, strict=True):
        key = member or seat_id(section, row.seat)
        while not member and key in used_ids:
            key += "-"
        ids.append(key)
    return ids


def _fide_number(records: TournamentRecords, row: PlayerRow) -> str:
    number = row.number if row.number.strip("0") else ""
    if not number or (number.isascii() and number.isdecimal()):
        return number
    records.add("fide-number-unreadable", row.line, row.seat, number=fields.shown(number))
    return ""


def read_players(records: TournamentRecords, ids: Sequence[str], end: date | None) -> dict[str, PlayerFacts]:
    """Return the players by id; their ratings at home are those by which they were paired."""
    home = records.national.get(lines.HOME_FEDERATION, {})
    canada = records.national.get(lines.CANADA, {})
    players: dict[str, PlayerFacts] = {}
    years: list[int] = []
    for row, key in zip(records.players, ids, strict=True):
        national = home.get(row.seat)
        rating = _rating(records, national)
        if key in players:
            player = players[key]
            place = records.where.but(line=row.line, seats=(row.seat,))
            check_same_name(records.findings, place, player.name, row.name, key, in_section=True)
            if rating is not None and player.pairing_rating is None:
                players[key] = player._replace(pairing_rating=rating.rating)
            continue
        if row.sex and row.sex.lower() not in lines.SEX_LETTERS:
            records.add("sex-not-taken", row.line, row.seat, text=fields.shown(row.sex))
        players[key] = PlayerFacts(
            id=key,
            name=row.name or ("" if national is None else _readable(records, national, national.name)),
            birth_date=_birth_date(records, row, national, end, years),
            fide=_rating(records, row),
            cfc=_rating(records, canada.get(row.seat)),
            usa_flag=row.federation == lines.HOME_FEDERATION,
            pairing_rating=None if rating is None else rating.rating,
            fide_id=_fide_number(records, row),
            federation=_readable(records, row, row.federation),
            sex=lines.SEX_LETTERS.get(row.sex.lower()),
            title=_readable(records, row, row.title),
        )
    if years:
        named = list_text(years, FIRST_NAMED)
        records.add("birth-year-only.in-report", year_count=len(years), seats=named)
    seats = {row.seat for row in records.players}
    for federation, rows in records.national.items():
        for seat, row in rows.items():
            if seat not in seats:
                records.add("national-record-alone", row.line, federation=federation, seat=seat)
    return players


@lru_cache(maxsize=fields.HIGHEST_RATING)
def _parse_rating(text: str) -> ForeignRating | None:
    points = small_number(text)
    return (
        ForeignRating(float(points))
        if points and fields.LOWEST_RATING <= points <= fields.HIGHEST_RATING
        else None
    )


def _rating(records: TournamentRecords, row: PlayerRow | None) -> ForeignRating | None:
    if row is None:
        return None
    rating = _parse_rating(row.rating)
    if rating is None and row.rating.strip("0"):
        records.add("rating-not-used", row.line, row.seat, text=fields.shown(row.rating), **fields.RATINGS)
    return rating


def _readable(records: TournamentRecords, row: PlayerRow, text: str) -> str:
    if fields.readable(text):
        return text
    records.add("text-unreadable.name", row.line, text=fields.shown(text))
    return ""


def _birth_date(
    records: TournamentRecords, row: PlayerRow, national: PlayerRow | None, end: date | None, years: list[int]
) -> date | None:
    """Return the birth date of *row*, else the *national* one; add the seat to *years* where only a year is known."""
    text = row.birth_date or ("" if national is None else national.birth_date)
    if not text:
        return None
    day = fields.parse_day(text.replace("/", "-"))
    # Two digits do not say the century of a birth.
    if day is None and not _TWO_DIGIT_YEAR.fullmatch(text):
        day = parse_date(text)
    if day is None or day.year < fields.EARLIEST_YEAR:
        if text.strip(_NO_DATE):
            if _YEAR_ONLY.fullmatch(text):
                years.append(row.seat)
            else:
                # The date itself is private and stays out of the message.
                records.add("birth-date-unreadable", row.line, row.seat)
        return None
    if end is not None and day > end:
        records.add("birth-date-after-event.after-event", row.line, row.seat, end=end)
    return day


def read_entries(
    records: TournamentRecords, ids: Sequence[str], declared: int, *, foreign: bool
) -> tuple[Entry, ...]:
    """Return the entries of the tournament, all with the same number of rounds, at least those *declared*.

    In a *foreign* event the entries of US players are the ones to update.
    """
    rounds = max((len(row.cells) for row in records.players), default=0)
    padding = [EMPTY_CELL] * max(rounds, declared)
    for row in records.players:
        row.cells.extend(padding[len(row.cells) :])
    # The numbers of a team tournament are those of teams.
    if records.byes and not records.seen & TEAM_LIST_RECORDS:
        _enter_byes(records)
    own = [small_number(row.rank) or None for row in records.players]
    by_points = lines.ranks_by_points([lines.points_of(row.cells) for row in records.players])
    differing = any(rank is not None and rank != other for rank, other in zip(own, by_points, strict=True))
    return tuple(
        Entry(
            row.seat,
            key,
            tuple(row.cells),
            foreign and row.federation == lines.HOME_FEDERATION,
            rank=rank if differing else None,
        )
        for row, key, rank in zip(records.players, ids, own, strict=True)
    )


def declared_rounds(records: TournamentRecords) -> int | None:
    """Return how many rounds the file says the tournament has (142, XXR), None where it does not say."""
    tag = "142" if records.text("142") else "XXR"
    text = records.text(tag)
    rounds = small_number(text)
    if rounds is not None and rounds <= ROUNDS_AT_MOST:
        return rounds
    if text:
        records.add_about(
            tag, "count-differs.rounds-impossible", text=fields.shown(text), rounds_at_most=ROUNDS_AT_MOST
        )
    return None


def _enter_byes(records: TournamentRecords) -> None:
    """Enter the byes of the records 240 where the players' own lines leave the round open."""
    rows = {row.seat: row for row in records.players}
    for bye in records.byes:
        row = rows.get(bye.seat)
        if row is None or not 1 <= bye.round <= len(row.cells):
            _report_bye(records, bye, "bye-differs.nowhere")
            continue
        letter = lines.RESULT_LETTERS[bye.kind]
        own = row.cells[bye.round - 1]
        if own == EMPTY_CELL:
            row.cells[bye.round - 1] = Cell(letter)
        elif own.letter != letter:
            _report_bye(records, bye, "bye-differs.other-result")


def _report_bye(records: TournamentRecords, bye: Bye, name: str) -> None:
    records.add(name, bye.line, kind=bye.kind, seat=bye.seat, round=bye.round)


def joined(
    findings: Findings, tournaments: Sequence[tuple[Sequence[Entry], Mapping[str, PlayerFacts]]]
) -> tuple[dict[str, PlayerFacts], dict[str, str]]:
    """Return the players of all *tournaments*, and the id of each one who has another id there.

    One FIDE number is one person: whoever has no other id takes that of the first seat with this number.
    """
    keys: dict[str, str] = {}
    for _, players in tournaments:
        for key, player in players.items():
            first = keys.setdefault(player.fide_id, key)
            if is_seat_id(first) and not is_seat_id(key):
                keys[player.fide_id] = key
    joined_players: dict[str, PlayerFacts] = {}
    renamed: dict[str, str] = {}
    for entries, players in tournaments:
        in_section: set[str] = set()
        for entry in entries:
            player = players[entry.player]
            key = keys[player.fide_id] if player.fide_id and is_seat_id(player.id) else player.id
            if key != player.id:
                renamed[player.id] = key
            first_player = joined_players.setdefault(key, player._replace(id=key))
            again = key in in_section
            in_section.add(key)
            known, place = first_player.name, Place(seats=(entry.seat,))
            check_same_name(findings, place, known, player.name, player.fide_id or key, in_section=again)
            if first_player.pairing_rating is None and player.pairing_rating is not None:
                joined_players[key] = first_player._replace(pairing_rating=player.pairing_rating)
    return joined_players, renamed
