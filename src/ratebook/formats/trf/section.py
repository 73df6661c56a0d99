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
        findings.add("players-missing", records.where)
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
    findings.add("text-unreadable.readable-text", records.place_of(tag), text=shown(text))
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
            findings.add("end-missing.dates", records.where)
        return start, None, tuple(used)
    if start is None and rounds and not records.text("042") and rounds[0] <= end:
        start = rounds[0]
        _note_dates_of_rounds(findings, records, f"The first day is that of the first round, {start}.")
    if start is None:
        findings.add("start-missing.dates", records.where, end=end)
    elif end < start:
        findings.add("dates-reversed.completed", records.where, end=end, start=start)
    if rounds and (rounds[-1] > end or (start is not None and rounds[0] < start)):
        findings.add(
            "round-date-outside",
            records.where,
            rounds=rounds[0],
            rounds_2=rounds[-1],
            end=end,
            word="." if start is None else f" and starts on {start}.",
        )
    return start, end, tuple(used)


def _note_dates_of_rounds(findings: Findings, records: Records, message: str) -> None:
    findings.add("dates-from-rounds", records.where, message=message)


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
        findings.add("date-unreadable.date", records.place_of(tag), text=shown(text), option=option)
    else:
        findings.add(
            "date-out-of-range.date",
            records.place_of(tag),
            day=day,
            earliest_year=EARLIEST_YEAR,
            latest_year=LATEST_YEAR,
            option=option,
        )
    return None


def _note_replaced(findings: Findings, records: Records, tag: str, text: str, option: str) -> None:
    findings.add("record-replaced", records.place_of(tag), text=shown(text), option=option)


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
            findings.add("time-control-differs", records.place_of("122"), words=shown(words), coded=coded)
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
        findings.add(
            "time-control-not-decoded",
            records.place_of("222"),
            coded=shown(coded),
            reason=decoded.reason,
            text=spoken.text,
        )
    else:
        findings.add(
            "time-control-assumed",
            records.place_of("122"),
            value=shown(records.text("122")),
            text=spoken.text,
        )


def _report_no_time_control(findings: Findings, records: Records, reason: str) -> None:
    tag = "222" if records.text("222") else "122"
    text = records.text(tag)
    if text:
        findings.add(
            "time-control-unreadable.report-no-time-control",
            records.place_of(tag),
            text=shown(text),
            reason=reason,
        )
    else:
        findings.add("time-control-missing.report-no-time-control", records.where)


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
        findings.add("team-records-ignored", records.where, teams=", ".join(teams))
    if "299" in records.seen:
        findings.add("abnormal-points", records.where)
    if "330" in records.seen:
        findings.add("forfeited-match", records.where)
    others = sorted(records.national.keys() - {HOME_FEDERATION, CANADA})
    if others:
        findings.add(
            "national-ratings-ignored",
            records.where,
            others=", ".join(others[:_FEDERATIONS_NAMED]),
            word=" …" if len(others) > _FEDERATIONS_NAMED else "",
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
            findings.add(
                "count-differs.counts", records.place_of(tag), text=shown(text), what=what, there=there
            )
