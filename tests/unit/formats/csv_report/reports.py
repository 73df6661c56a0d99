"""Reports in CSV, and how the tests read them."""

from __future__ import annotations

from datetime import date

from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.csv_report.read import parse
from ratebook.formats.source import Source
from ratebook.model import Entry, Report, Section, SectionType

DAY = date(2026, 11, 14)
HINTS = Hints(DAY, DAY, "G/90;d5")

MINIMAL = """\
seat,name,rating,round1,round2
1,ADAMS EXAMPLE,1794,W2w,B
2,BAKER EXAMPLE,0,L1b,H
"""

FULL = """\
event_id,event_name,start,end,section,section_name,section_start,section_end,time_control,type,online,half_k,youth,\
seat,player,name,round1,round2,update,floor_request,regular,regular_games,online_blitz,online_blitz_games
202611140001,Autumn Open,2026-11-13,2026-11-15,1,Open,2026-11-13,2026-11-14,G/60;d5,swiss,,,,\
1,90000001,ADAMS EXAMPLE,W2w,D2b,,,1794.25,,,
,,,,1,,,,,,,,,2,90000002,BAKER EXAMPLE,L1b,D1w,,,,,900,12.5
,,,,2,Match,,2026-11-15,G/90,match,yes,x,TRUE,7,90000002,,W8,,no,pending,,,,
,,,,,,,,,,,,,8,90000001,ADAMS EXAMPLE,L7,,yes,,1794.25,,,
"""


def source_of(*files: str | bytes) -> Source:
    named = tuple(
        SourceFile(f"{number}.csv", file if isinstance(file, bytes) else file.encode())
        for number, file in enumerate(files, start=1)
    )
    return Source(named[0].name if len(named) == 1 else "folder", named)


def read(text: str | bytes, hints: Hints = HINTS) -> ParsedReport:
    return parse(source_of(text), hints)


def report_of(text: str | bytes, hints: Hints = HINTS) -> Report:
    result = read(text, hints)
    assert result.report is not None, result.findings
    return result.report


# Writing


def section(*entries: Entry) -> Section:
    return Section(1, "Open", DAY, DAY, "G/60;d5", SectionType.SWISS, True, False, False, entries)
