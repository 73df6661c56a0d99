"""Reading FIDE tournament report files, TRF16 and TRF26.

One file is one tournament, and one tournament is one section; a folder or an archive of such files is a report of
several sections. One reader takes both editions and the records that pairing programs add.
Source: docs/formats/trf.md.
"""

import re
from collections.abc import Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ratebook.findings import Findings, list_text
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.hints import note_other_files, note_unused_hints
from ratebook.formats.one_event import FileTitle, check_one_event
from ratebook.formats.reading.dates import parse_date, parse_days
from ratebook.formats.reading.fields import EARLIEST_YEAR, LATEST_YEAR, YEARS, readable, shown
from ratebook.formats.reading.text import BYTE_ORDER_MARK, decoded_text, is_binary
from ratebook.formats.source import Source
from ratebook.formats.trf.figures import check_points, with_ratings_told_apart
from ratebook.formats.trf.lines import CANADA, DEPUTIES, HOME_FEDERATION, NEW_EDITION, TypeRecords, names_of
from ratebook.formats.trf.players import declared_rounds, joined, player_ids, read_entries, read_players
from ratebook.formats.trf.records import TEAM_RECORDS, TournamentRecords, read_records
from ratebook.formats.trf.times import decode_time_control, read_words
from ratebook.model import Event, PlayerFacts, Report, Section, SectionType
from ratebook.rules.timecontrol import same_control

MOST_LINES = 100_000
"""Far more lines than 9,999 players have with their national ratings; more are not a tournament."""

_LOOKED_AT = 1 << 20
_BEGINNING = 1 << 15
# Looked for in text that begins with a line end: an alternative for its first line would be searched much slower.
_LINE = rb"[\r\n]"
_PLAYER = re.compile(_LINE + rb"001 [ 0-9]{3}[0-9](?=[ \r\n])")
_TOURNAMENT = re.compile(_LINE + rb"0[12345]2 ")
_EDITION_2026 = re.compile(
    _LINE
    + rb"(?:(?:1[4-9]2|2[0-2]2|3[56]2|240|250|260|299|300|310|320|330|80[12])(?=[ \r\n])"
    + rb"|(?!XX|DAT)[A-Z]{3} [ 0-9]{3}[0-9] )"
)
_NUMBERED = re.compile(r"section-([0-9]{1,4})\.[a-z0-9]+", re.ASCII | re.IGNORECASE)
_FIRST_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in *source*, each of its files a section, with all findings.

    *hints* complete what the files do not say, and choose the type of the section: no record names a foreign event.
    """
    findings = Findings(is_tentative=hints.is_tentative)
    files = _tournament_files(findings, source)
    tournaments: list[Tournament] = []
    for number, file in zip(_section_numbers([file.name for file in files]), files, strict=True):
        text = _text_of(findings, file)
        if text is None:
            continue
        tournament = read_tournament(read_records(findings, text, file.place), number, hints)
        if tournament is not None:
            tournaments.append(tournament)
    if findings.has_errors or not tournaments:
        return ParsedReport(None, findings.of_file(source.name))
    if any(parsed.places != tournaments[0].places for parsed in tournaments):
        findings.add("tournaments-differ", source.place)
    titles = [
        FileTitle(file.name, parsed.name, parsed.section.start, parsed.section.end)
        for file, parsed in zip(files, tournaments, strict=True)
    ]
    if not check_one_event(findings, source.place, titles, hints):
        return ParsedReport(None, findings.of_file(source.name))
    # The names of the files decide, not their order: section-10 sorts before section-2.
    tournaments.sort(key=lambda tournament: tournament.section.number)
    title, names = names_of([parsed.name for parsed in tournaments])
    players, renamed = joined(findings, [(parsed.section.entries, parsed.players) for parsed in tournaments])
    sections = tuple(
        parsed.section._replace(name=name).with_ids(renamed)
        for parsed, name in zip(tournaments, names, strict=True)
    )
    starts = [section.start for section in sections if section.start is not None]
    city, country, chief_td, deputies = tournaments[0].places
    event = Event(
        name=title,
        start=min(starts) if len(starts) == len(sections) else None,
        end=max(section.end for section in sections),
        city=city,
        country=country,
        chief_td=chief_td,
        assistant_td=deputies,
    )
    stated = {parsed.section.number: parsed.rounds for parsed in tournaments if parsed.rounds is not None}
    return ParsedReport(
        Report(event, MappingProxyType(players), sections),
        findings.of_file(source.name),
        stated_rounds=MappingProxyType(stated),
    )


def looks_like(source: Source, edition: int) -> bool:
    r"""Return whether *source* holds tournament reports of the *edition*, 16 or 26.

    The records that only TRF26 has, or national ratings, make a file TRF26.

    >>> from ratebook.formats.source import source_of_bytes
    >>> plain = b"012 Autumn Quad\r\n001    1      ADAMS EXAMPLE\r\n"
    >>> looks_like(source_of_bytes(plain, "quad.trf"), 16)
    True
    >>> looks_like(source_of_bytes(plain + b"142 3\r\n", "quad.trf"), 26)
    True
    """
    starts = [_beginning(file.data, _LOOKED_AT) for file in source.files if _is_tournament(file)]
    newer = any(_EDITION_2026.search(start) for start in starts)
    return bool(starts) and newer is (edition == NEW_EDITION)


def _is_tournament(file: SourceFile) -> bool:
    """Return whether *file* has a player, or two of the records that name a tournament."""
    start = _beginning(file.data, _BEGINNING)
    if b"\0" in start:
        return False
    # Most files of other formats have no line that begins so; this test is much faster than the pattern.
    if (b"\n001 " in start or b"\r001 " in start) and _PLAYER.search(start):
        return True
    named = _TOURNAMENT.search(start)
    return named is not None and _TOURNAMENT.search(start, named.end()) is not None


def _beginning(data: bytes, length: int) -> bytes:
    """Return the beginning of *data*, with a line end before the first line as before all others."""
    return b"\n" + data[:length].removeprefix(BYTE_ORDER_MARK)


def _tournament_files(findings: Findings, source: Source) -> Sequence[SourceFile]:
    """Return the files to read: the only one, or of several those that are tournament reports."""
    if len(source.files) == 1:
        return source.files
    files = [file for file in source.files if _is_tournament(file)]
    if not files:
        findings.add("file-missing.no-tournament", source.place)
        return []
    note_other_files(findings, source, files)
    return files


def _section_numbers(names: Sequence[str]) -> Sequence[int]:
    """Return the section number of each file: that of its name where all names have one, else 1, 2, 3.

    >>> _section_numbers(["section-2.trf", "section-4.trf"]), _section_numbers(["a.trf", "section-4.trf"])
    ([2, 4], [1, 2])
    """
    found = [_NUMBERED.fullmatch(name) for name in names]
    numbers = [int(match[1]) for match in found if match is not None]
    # A single file is section 1 whatever its name: it may have been taken out of its folder.
    if len(names) > 1 and len(set(numbers)) == len(names) and 0 not in numbers:
        return numbers
    return list(range(1, len(names) + 1))


def _text_of(findings: Findings, file: SourceFile) -> str | None:
    if is_binary(findings, file.name, zeros=b"\0" in file.data):
        return None
    text, utf8 = decoded_text(file.data)
    if not text.strip():
        findings.add("file-empty.tournament-report", file.place)
        return None
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        findings.add("too-many-lines", file.place, lines=lines, most_lines=MOST_LINES)
        return None
    if not utf8:
        findings.add("encoding-assumed", file.place)
    return text


class Tournament(NamedTuple):
    """One tournament as read.

    Attributes:
        places: city, federation, chief arbiter, deputies.
        section: the section, still without a name.
        rounds: how many rounds the file says there are, None where it does not say.
    """

    name: str
    places: tuple[str, str, str, str]
    section: Section
    players: dict[str, PlayerFacts]
    rounds: int | None


def read_tournament(records: TournamentRecords, number: int, hints: Hints) -> Tournament | None:
    """Return the tournament in *records* as the section *number*, or None with a finding."""
    start, end, of_dates = _dates(records, hints)
    time_control, of_control = _time_control(records, hints)
    used = ("online", "type", "event", "ratings", *of_dates, *of_control)
    note_unused_hints(records.findings, records.where, hints, "The file", used)
    told = TypeRecords(*(_readable_text(records, tag) for tag in ("092", "192")))
    kind = hints.type or told.type
    unusual = told.unusual()
    name, city, country, chief_td = (_readable_text(records, tag) for tag in ("012", "022", "032", "102"))
    if not records.players:
        records.add("players-missing")
    _note_ignored(records)
    _check_counts(records)
    ids = player_ids(records, number)
    players = with_ratings_told_apart(records, ids, read_players(records, ids, end), hints)
    rounds = declared_rounds(records)
    entries = read_entries(records, ids, rounds or 0, foreign=kind is SectionType.FIDE)
    if records.findings.has_errors or end is None:
        return None
    check_points(records)
    section = Section(
        number=number,
        name="",
        start=start,
        end=end,
        time_control=time_control,
        type=kind,
        online=hints.online,
        entries=entries,
        described=unusual.words,
        pairing_system=unusual.coded,
        trf_records=tuple(line for line in records.kept if start != end or not _rounds_on(line, end)),
    )
    return Tournament(
        name, (city, country, chief_td, DEPUTIES.join(records.deputies)), section, players, rounds
    )


def _rounds_on(line: str, day: date) -> bool:
    """Return whether *line* has the days of the rounds, all on *day*, as the writer adds them itself."""
    tag, *days = line.split()
    return tag == "132" and all(parse_date(text) == day for text in days)


def _readable_text(records: TournamentRecords, tag: str) -> str:
    text = records.text(tag)
    if readable(text):
        return text
    records.add_about(tag, "text-unreadable.line", text=shown(text))
    return ""


def _dates(records: TournamentRecords, hints: Hints) -> tuple[date | None, date | None, tuple[str, ...]]:
    """Return the first and the last day, and which hints said them: of the records, the hints, else of the rounds."""
    rounds = sorted(day for text in records.round_dates if (day := parse_date(text)) is not None)
    said_start = _date(records, "042", hints.start, "--start")
    said_end = _date(records, "052", hints.end, "--end")
    used = tuple(name for name, said in (("start", said_start), ("end", said_end)) if said is None)
    start, end = said_start or hints.start, said_end or hints.end
    if end is None and rounds and not records.text("052"):
        end = rounds[-1]
        records.add("dates-from-rounds.last", day=end)
    if end is None:
        if not records.text("052"):
            records.add("end-missing.tournament-report")
        return start, None, used
    if start is None and rounds and not records.text("042") and rounds[0] <= end:
        start = rounds[0]
        records.add("dates-from-rounds.first", day=start)
    if start is None:
        records.add("start-missing.tournament-report", end=end)
    elif end < start:
        records.add("dates-reversed.with-options", end=end, start=start)
    if rounds and (rounds[-1] > end or (start is not None and rounds[0] < start)):
        name = "round-date-outside.after-end" if start is None else "round-date-outside.outside-both"
        records.add(name, rounds=rounds[0], rounds_2=rounds[-1], start=start, end=end)
    return start, end, used


def _date(records: TournamentRecords, tag: str, hint: date | None, option: str) -> date | None:
    """Return the date of the record *tag*, or None with a finding; a *hint* makes up for one that is unreadable."""
    text = records.text(tag)
    # Some programs write both days into each record.
    days = parse_days(text, records.text("052" if tag == "042" else "042"))
    day = None if days is None else days[0 if tag == "042" else 1]
    if not text or (day is not None and EARLIEST_YEAR <= day.year <= LATEST_YEAR):
        return day
    if hint is not None:
        records.add_about(tag, "record-replaced", text=shown(text), option=option)
    elif day is None:
        records.add_about(tag, "date-unreadable.with-option", text=shown(text), option=option)
    else:
        records.add_about(tag, "date-out-of-range.with-option", day=day, **YEARS, option=option)
    return None


def _time_control(records: TournamentRecords, hints: Hints) -> tuple[str | None, tuple[str, ...]]:
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
            records.add_about("122", "time-control-differs", words=shown(words), coded=coded)
        return decoded.text, ()
    if spoken.text and spoken.text == words and not coded:
        return words, ()
    tag, text, reason = ("222", coded, decoded.reason) if coded else ("122", words, spoken.reason)
    hint = (hints.time_control or "").strip()
    if hint:
        if text and not (spoken.text and same_control(spoken.text, hint)):
            records.add_about(tag, "record-replaced", text=shown(text), option="--time-control")
        return hint, ("time_control",)
    # A foreign event needs none.
    if spoken.text or hints.type is not SectionType.FIDE:
        _report_unclear(records, tag, reason, spoken.text)
    return spoken.text or None, ()


def _report_unclear(records: TournamentRecords, tag: str, reason: str, guess: str) -> None:
    """Report that the time control in the record *tag* is a *guess*, cannot be read for a *reason*, or is missing."""
    text = shown(records.text(tag))
    if guess and tag == "222":
        records.add_about(tag, "time-control-not-decoded", coded=text, reason=reason, text=guess)
    elif guess:
        records.add_about(tag, "time-control-assumed", value=text, text=guess)
    elif records.text(tag):
        name = "time-control-unreadable.tournament-report"
        records.add_about(tag, name, text=text, reason=reason)
    else:
        records.add("time-control-missing.tournament-report")


def _note_ignored(records: TournamentRecords) -> None:
    """Name what the file says beyond what a rating needs."""
    if teams := sorted(records.seen & TEAM_RECORDS):
        records.add("team-records-ignored", teams=", ".join(teams))
    if "299" in records.seen:
        records.add("abnormal-points")
    if "330" in records.seen:
        records.add("forfeited-match")
    others = sorted(records.national.keys() - {HOME_FEDERATION, CANADA})
    if others:
        records.add("national-ratings-ignored", others=list_text(others))


def _check_counts(records: TournamentRecords) -> None:
    rated = sum(row.rating.strip("0") != "" for row in records.players)
    for tag, count, counted in (
        ("062", len(records.players), "players"),
        ("072", rated, "players with a FIDE rating"),
        ("082", records.teams, "teams"),
    ):
        text = records.text(tag)
        stated = _FIRST_NUMBER.match(text)
        if text and (stated is None or int(stated[0]) != count):
            records.add_about(tag, "count-differs.lines-missing", text=shown(text), what=counted, there=count)
