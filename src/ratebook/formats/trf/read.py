"""The FIDE tournament report file, TRF16 and TRF26: what both editions share.

One file is one tournament, and one tournament is one section; a folder or an archive of such files is a report of
several sections. One reader takes both editions and the records that pairing programs add.
Source: docs/formats/trf.md.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from ratebook.formats.contract import Findings, ParsedReport
from ratebook.formats.hints import note_other_files
from ratebook.formats.reading.text import BYTE_ORDER_MARK, decoded_text, is_binary
from ratebook.formats.trf.lines import NEW_EDITION, OLD_EDITION, names_of
from ratebook.formats.trf.records import read_records
from ratebook.formats.trf.section import Tournament, read_tournament
from ratebook.model import Event, Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.formats.contract import Hints
    from ratebook.formats.source import Source, SourceFile
    from ratebook.model import PlayerFacts

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


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in *source*, each of its files a section, with all findings.

    *hints* complete what the files do not say, and choose the type of the section: no record names a foreign event.
    """
    findings = Findings()
    files = _tournament_files(findings, source)
    names = [file.name for file in files]
    tournaments: list[Tournament] = []
    pairing: dict[str, float] = {}
    players: dict[str, PlayerFacts] = {}
    for number, file in zip(_section_numbers(names), files, strict=True):
        text = _text_of(findings, file)
        if text is None:
            continue
        records = read_records(findings, text, file.name)
        tournament = read_tournament(findings, records, number, hints)
        if tournament is None:
            continue
        tournaments.append(tournament)
        for key, player in tournament.players.items():
            players.setdefault(key, player)
        for key, rating in tournament.pairing.items():
            pairing.setdefault(key, rating)
    if findings.has_errors or not tournaments:
        return findings.without_report(source.name)
    # The names of the files decide, not their order: section-10 sorts before section-2.
    tournaments.sort(key=lambda tournament: tournament.section.number)
    event, section_names = _event(findings, source.name, tournaments)
    sections = tuple(
        tournament.section._replace(name=name)
        for tournament, name in zip(tournaments, section_names, strict=True)
    )
    report = Report(event, MappingProxyType(players), sections)
    stated = {one.section.number: one.rounds for one in tournaments if one.rounds is not None}
    return ParsedReport(
        report,
        findings.of_file(source.name),
        pairing=MappingProxyType(pairing),
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
    return bool(starts) and edition == (NEW_EDITION if newer else OLD_EDITION)


def _is_tournament(file: SourceFile) -> bool:
    """Return whether *file* has a player, or two of the records that name a tournament."""
    start = _beginning(file.data, _BEGINNING)
    if b"\0" in start:
        return False
    # Most files of other formats have no line that begins so, which is told much faster than by a pattern.
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
        findings.add("file-missing.tournament-files", source.name)
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
    """Return the text of *file*, or None with a finding."""
    if is_binary(findings, file.name, zeros=b"\0" in file.data):
        return None
    text, utf8 = decoded_text(file.data)
    if not text.strip():
        findings.add("file-empty.text-of", file.name)
        return None
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        findings.add("too-many-lines", file.name, lines=lines, most_lines=MOST_LINES)
        return None
    if not utf8:
        findings.add("encoding-assumed", file.name)
    return text


def _event(findings: Findings, name: str, tournaments: Sequence[Tournament]) -> tuple[Event, list[str]]:
    """Return the event that *tournaments* make up, and the names of its sections."""
    first = tournaments[0]
    if any(one.places != first.places for one in tournaments):
        findings.add("tournaments-differ", name)
    starts = [one.section.start for one in tournaments]
    known = [start for start in starts if start is not None]
    title, sections = names_of([one.name for one in tournaments])
    city, country, chief_td = first.places
    event = Event(
        name=title,
        start=min(known) if len(known) == len(starts) else None,
        end=max(one.section.end for one in tournaments),
        city=city,
        country=country,
        chief_td=chief_td,
    )
    return event, sections
