"""Reading a report of any known format; the content decides, not the file's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.problems import note
from ratebook.reports.native_json import parse_native_json
from ratebook.reports.parsed import Findings, ParsedReport

if TYPE_CHECKING:
    from datetime import date

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_report(  # noqa: PLR0913 - each argument is a separate fact
    data: bytes,
    name: str,
    *,
    start: date | None = None,
    end: date | None = None,
    time_control: str | None = None,
    online: bool = False,
) -> ParsedReport:
    """Return the report in *data*, the contents of the file *name*, with all problems found.

    *start*, *end*, *time_control* and *online* complete a text crosstable; a native report says them itself.

    >>> read_report(b"1. e4 e5", "game.pgn").problems[0].code
    'format-unknown'
    """
    if data.removeprefix(_BYTE_ORDER_MARK).lstrip()[:1] == b"{":
        return _with_unused_options(
            parse_native_json(data, name),
            name,
            start=start,
            end=end,
            time_control=time_control,
            online=online,
        )
    from ratebook.reports.crosstable_rows import looks_like_crosstable  # noqa: PLC0415 - native reports start without

    if looks_like_crosstable(data):
        from ratebook.reports.crosstable_text import parse_crosstable_text  # noqa: PLC0415 - as above

        return parse_crosstable_text(data, name, start, end, time_control, online=online)
    findings = Findings()
    if not data.strip():
        findings.error("file-empty", name, "The file is empty.", "Give a report.")
    else:
        findings.error(
            "format-unknown",
            name,
            "The file is in no known format.",
            "Give a native report (JSON, format ratebook-report/1) or a text crosstable "
            "(lines of dashes, columns between bars).",
        )
    return findings.without_report(name)


def _with_unused_options(parsed: ParsedReport, name: str, **given: object) -> ParsedReport:
    """Return *parsed* with a note for each option that a native report does not need."""
    unused = [f"--{option.replace('_', '-')}" for option, value in given.items() if value]
    if not unused:
        return parsed
    finding = note(
        "option-unused",
        name,
        f"A native report says this itself; not used: {', '.join(unused)}.",
        "Leave the option out, or change the report.",
    )
    return parsed._replace(problems=(*parsed.problems, finding))
