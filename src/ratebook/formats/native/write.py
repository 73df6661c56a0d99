"""The native report written, as a file and as a book keeps it: one player and one entry a line.

What has its default is left out, so that the file shows what is known. Reading the file gives the same report.
"""

import json
from collections.abc import Iterable

from ratebook.formats.contract import AfterRatings, ParsedReport, Written
from ratebook.formats.losses import Losses
from ratebook.formats.native.read import REPORT_FORMAT, parse_native_json
from ratebook.formats.reading.report_texts import printable
from ratebook.formats.reading.tables import ENTRY, EVENT, PLAYER, PRIZE, SECTION
from ratebook.model import Report, Section

FILE_NAME = "report.json"


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as a native report; ratings *after* the event are the rated report's business, not this one's.

    One thing only has no place: a section whose first day is unknown in an event whose first day is known.
    """
    del after
    losses = Losses()
    if report.event.start is not None:
        place = sum(section.start is None for section in report.sections)
        losses.add("unknown first day of a section, which reads as the event's", place)
    lines = ["{", f'  "format": {_json(REPORT_FORMAT)},', f'  "event": {_json(EVENT.plain(report.event))},']
    lines.append('  "players": [')
    lines += _separated(f"    {_json(PLAYER.plain(player))}" for player in report.players.values())
    lines += ["  ],", '  "sections": [']
    lines += _separated(_section_text(section) for section in report.sections)
    if report.prizes:
        lines += ["  ],", '  "prizes": [']
        lines += _separated(f"    {_json(PRIZE.plain(prize))}" for prize in report.prizes)
    lines += ["  ]", "}", ""]
    return Written({FILE_NAME: "\n".join(lines).encode()}, losses.findings(FILE_NAME))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _separated(items: Iterable[str]) -> list[str]:
    texts = list(items)
    return [*(f"{text}," for text in texts[:-1]), *texts[-1:]]


def _section_text(section: Section) -> str:
    facts = SECTION.plain(section._replace(entries=()))
    del facts["entries"]
    entries = _separated(f"       {_json(ENTRY.plain(entry))}" for entry in section.entries)
    return "\n".join([f"    {_json(facts)[:-1]},", '     "entries": [', *entries, "     ]}"])


def stored_bytes(report: Report) -> bytes:
    """Return a report as a book keeps it.

    Raises:
        UnicodeEncodeError: a text has half of a surrogate pair.
    """
    return write(report).files[FILE_NAME]


def read_stored(data: bytes, name: str) -> ParsedReport:
    """Return the report that a book keeps; what is wrong with it names the file *name*."""
    return printable(parse_native_json(data, name))
