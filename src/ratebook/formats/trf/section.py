"""From the records of a FIDE tournament report to a section: dates, time control, players, entries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ratebook.formats.hints import note_unused_hints
from ratebook.formats.reading.fields import EARLIEST_YEAR, LATEST_YEAR, readable, shown
from ratebook.formats.trf.lines import CANADA, HOME_FEDERATION, TEAM_RECORDS, parse_date
from ratebook.formats.trf.players import declared_rounds, player_ids, read_entries, read_players
from ratebook.formats.trf.times import decode_time_control, read_words, same_control
from ratebook.model import Section, SectionType

if TYPE_CHECKING:
    from datetime import date

    from ratebook.formats.contract import Findings, Hints
    from ratebook.formats.trf.records import Records
    from ratebook.formats.trf.times import Spoken
    from ratebook.model import PlayerFacts

_FIRST_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
_FEDERATIONS_NAMED = 10

_TIME_CONTROL_REMEDY = "Give it with --time-control, for example --time-control 'G/90;d5'."


class Tournament(NamedTuple):
    """One tournament as read.

    Attributes:
        name: of the tournament.
        places: city, federation, chief arbiter.
        section: the section, still without a name.
        players: by id.
        pairing: national ratings by player.
        rounds: how many rounds the file says there are, None where it does not say.
    """

    name: str
    places: tuple[str, str, str]
    section: Section
    players: dict[str, PlayerFacts]
    pairing: dict[str, float]
    rounds: int | None


def read_tournament(findings: Findings, records: Records, number: int, hints: Hints) -> Tournament | None:
    """Return the tournament in *records* as the section *number*, or None with a finding."""
    start, end, of_dates = _dates(findings, records, hints)
    time_control, of_control = _time_control(findings, records, hints)
    used = ("online", "type", "event", *of_dates, *of_control)
    note_unused_hints(findings, records.where, hints, "The file", used)
    kind = _section_type(records, hints)
    name, *places = (_readable_text(findings, records, tag) for tag in ("012", "022", "032", "102"))
    if not records.players:
        findings.error(
            "players-missing",
            records.where,
            "The file holds no player record (001).",
            "Give the whole report of the tournament.",
        )
    _note_ignored(findings, records)
    _check_counts(findings, records)
    ids = player_ids(findings, records, number)
    players, pairing = read_players(findings, records, ids, end)
    rounds = declared_rounds(findings, records)
    entries = read_entries(findings, records, ids, rounds or 0, foreign=kind is SectionType.FIDE)
    if findings.has_errors or end is None:
        return None
    section = Section(
        number=number,
        name="",
        start=start,
        end=end,
        time_control=time_control,
        type=kind,
        online=hints.online,
        half_k=False,
        youth=False,
        entries=entries,
    )
    city, country, chief_td = places
    return Tournament(name, (city, country, chief_td), section, players, pairing, rounds)


def _readable_text(findings: Findings, records: Records, tag: str) -> str:
    text = records.text(tag)
    if readable(text):
        return text
    findings.error(
        "text-unreadable",
        records.place_of(tag),
        f"The text holds characters that cannot be printed: {shown(text)}.",
        "Remove the control characters.",
    )
    return ""


# Dates and time control


def _dates(
    findings: Findings, records: Records, hints: Hints
) -> tuple[date | None, date | None, tuple[str, ...]]:
    """Return the first and the last day, and which hints said them: of the records, the hints, else of the rounds."""
    rounds = sorted(day for text in records.round_dates if (day := parse_date(text)) is not None)
    said_start = _date(findings, records, "042", hints.start, "--start")
    said_end = _date(findings, records, "052", hints.end, "--end")
    used = [name for name, said in (("start", said_start), ("end", said_end)) if said is None]
    start, end = said_start or hints.start, said_end or hints.end
    if end is None and rounds and not records.text("052"):
        end = rounds[-1]
        _note_dates_of_rounds(findings, records, f"The last day is that of the last round, {end}.")
    if end is None:
        if not records.text("052"):
            findings.error(
                "end-missing",
                records.where,
                "The file does not say when the event ended (record 052); the date selects the rules.",
                "Give the last day with --end YYYY-MM-DD.",
            )
        return start, None, tuple(used)
    if start is None and rounds and not records.text("042") and rounds[0] <= end:
        start = rounds[0]
        _note_dates_of_rounds(findings, records, f"The first day is that of the first round, {start}.")
    if start is None:
        findings.note(
            "start-missing",
            records.where,
            f"The file does not say when the event started (record 042): the rules of its last day, {end}, are taken.",
            "Give the first day with --start YYYY-MM-DD.",
        )
    elif end < start:
        findings.error(
            "dates-reversed",
            records.where,
            f"The event ends on {end}, before it starts on {start}.",
            "Correct the dates of the file, or --start and --end.",
        )
    if rounds and (rounds[-1] > end or (start is not None and rounds[0] < start)):
        findings.warning(
            "round-date-outside",
            records.where,
            f"The rounds are dated {rounds[0]} to {rounds[-1]} (record 132), the event ends on {end}"
            + ("." if start is None else f" and starts on {start}."),
            "Correct the dates that are wrong; the first day selects the rules.",
        )
    return start, end, tuple(used)


def _note_dates_of_rounds(findings: Findings, records: Records, message: str) -> None:
    findings.note(
        "dates-from-rounds", records.where, message, "Give --start and --end, if these are not the days."
    )


def _date(findings: Findings, records: Records, tag: str, hint: date | None, option: str) -> date | None:
    """Return the date of the record *tag*, or None with a finding; a *hint* makes up for one that is unreadable."""
    text = records.text(tag)
    if not text:
        return None
    day = parse_date(text)
    if day is not None and EARLIEST_YEAR <= day.year <= LATEST_YEAR:
        return day
    if hint is not None:
        _note_replaced(findings, records, tag, text, option)
    elif day is None:
        findings.error(
            "date-unreadable",
            records.place_of(tag),
            f"{shown(text)} is not a date of the calendar.",
            f"Write the date as YYYY/MM/DD, for example 2026/11/14, or give {option}.",
        )
    else:
        findings.error(
            "date-out-of-range",
            records.place_of(tag),
            f"The date {day} is outside the years {EARLIEST_YEAR} to {LATEST_YEAR}.",
            f"Correct the year, or give {option}.",
        )
    return None


def _note_replaced(findings: Findings, records: Records, tag: str, text: str, option: str) -> None:
    findings.note(
        "record-replaced",
        records.place_of(tag),
        f"{shown(text)} is not clear enough; {option} is taken instead.",
        "Nothing, if the option is right.",
    )


def _time_control(findings: Findings, records: Records, hints: Hints) -> tuple[str | None, tuple[str, ...]]:
    """Return the time control, and which hint said it.

    The coded one (222) holds, then clear words (122), then the hint, and last what the words probably mean.
    """
    coded, words = records.text("222"), records.text("122")
    decoded, spoken = decode_time_control(coded), read_words(words)
    if decoded.text:
        # The same control is kept in the words of the tournament director.
        if spoken.text and same_control(decoded.text, spoken.text):
            return spoken.text, ()
        if words:
            findings.warning(
                "time-control-differs",
                records.place_of("122"),
                f"The words {shown(words)} (122) do not say the coded time control {coded!r} (222), which is taken.",
                "Correct the record that is wrong.",
            )
        return decoded.text, ()
    if spoken.text and spoken.text == words and not coded:
        return words, ()
    hint = (hints.time_control or "").strip()
    if hint:
        if (coded or words) and not (spoken.text and same_control(spoken.text, hint)):
            tag = "222" if coded else "122"
            _note_replaced(findings, records, tag, records.text(tag), "--time-control")
        return hint, ("time_control",)
    if spoken.text:
        _report_guess(findings, records, decoded, spoken)
    # A foreign event needs none.
    elif hints.type is not SectionType.FIDE:
        _report_no_time_control(findings, records, decoded.reason if coded else spoken.reason)
    return spoken.text or None, ()


def _report_guess(findings: Findings, records: Records, decoded: Spoken, spoken: Spoken) -> None:
    """Report that the words (122) are taken, since the code (222) cannot be used or is not there."""
    if coded := records.text("222"):
        findings.warning(
            "time-control-not-decoded",
            records.place_of("222"),
            f"The coded time control {shown(coded)} cannot be used: {decoded.reason}; {spoken.text} (122) is taken.",
            _TIME_CONTROL_REMEDY,
        )
    else:
        findings.note(
            "time-control-assumed",
            records.place_of("122"),
            f"The time control {shown(records.text('122'))} is read as {spoken.text}.",
            "Give --time-control, if it is another.",
        )


def _report_no_time_control(findings: Findings, records: Records, reason: str) -> None:
    tag = "222" if records.text("222") else "122"
    text = records.text(tag)
    if text:
        findings.error(
            "time-control-unreadable",
            records.place_of(tag),
            f"The time control {shown(text)} cannot be used: {reason}.",
            _TIME_CONTROL_REMEDY,
        )
    else:
        findings.error(
            "time-control-missing",
            records.where,
            "The file does not say the time control (222 or 122), which decides the rating systems.",
            _TIME_CONTROL_REMEDY,
        )


def _section_type(records: Records, hints: Hints) -> SectionType:
    """Return how the tournament was played: of the hints, else coded (192), else in words (092)."""
    if hints.type is not None:
        return hints.type
    for text in (records.text("192").lower(), records.text("092").lower()):
        plain = text.replace("-", "").replace("_", "").replace(" ", "")
        if plain in {"match", "individualmatch"}:
            return SectionType.MATCH
        if "roundrobin" in plain or "berger" in plain or "allplayall" in plain:
            return SectionType.ROUND_ROBIN
        if any(word in plain for word in ("swiss", "dutch", "dubov", "burstein")):
            return SectionType.SWISS
    return SectionType.OTHER


# What is compared and what is left out


def _note_ignored(findings: Findings, records: Records) -> None:
    """Name what the file says beyond what a rating needs."""
    if teams := sorted(records.seen & TEAM_RECORDS):
        findings.note(
            "team-records-ignored",
            records.where,
            f"The records of teams are not read: {', '.join(teams)}. Every game counts for its players.",
            "Nothing; teams are not rated.",
        )
    if "299" in records.seen:
        findings.note(
            "abnormal-points",
            records.where,
            "Points were assigned that the results do not give (299); the results are what is rated.",
            "Nothing, if the results of the players are those played.",
        )
    if "330" in records.seen:
        findings.note(
            "forfeited-match",
            records.where,
            "Matches of teams were forfeited (330); a game counts as forfeited where its players' rounds say so.",
            "Look whether these rounds are coded + and -.",
        )
    others = sorted(records.national.keys() - {HOME_FEDERATION, CANADA})
    if others:
        findings.note(
            "national-ratings-ignored",
            records.where,
            f"National ratings of these federations are not used: {', '.join(others[:_FEDERATIONS_NAMED])}"
            + (" …" if len(others) > _FEDERATIONS_NAMED else "")
            + ".",
            "Nothing; ratings of US Chess, FIDE and the CFC are known to the rules.",
        )


def _check_counts(findings: Findings, records: Records) -> None:
    """Compare the counts of the file with what is there."""
    rated = sum(row.rating.strip("0") != "" for row in records.players)
    for tag, there, what in (
        ("062", len(records.players), "players"),
        ("072", rated, "players with a FIDE rating"),
        ("082", records.teams, "teams"),
    ):
        text = records.text(tag)
        said = _FIRST_NUMBER.match(text)
        if text and (said is None or int(said[0]) != there):
            findings.warning(
                "count-differs",
                records.place_of(tag),
                f"The file says {shown(text)} {what}; it holds {there}.",
                "Look whether lines are missing.",
            )
