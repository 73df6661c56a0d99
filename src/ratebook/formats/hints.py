"""What text formats leave unsaid: which file is meant, when and how fast was played, who sits at a seat.

The user's hints complete what a file does not say; what a file says itself holds.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.archive import SourceFile
from ratebook.formats.contract import Hints
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.text import same_letters
from ratebook.formats.source import Source
from ratebook.model import Entry, Section, SectionType

_NAMED = 3
_SEAT_ID = re.compile(r"(section-[0-9]+-)?seat-[0-9]+", re.ASCII)
_AROUND = " ?*.()-_"
_PLACEHOLDER = re.compile(
    "(new(comer| ?member| ?player)?|unk(nown)?|none( yet)?|tb[acd]|to follow|later|n/?a|nil|null|pending"
    "|appl(ied( for)?|ying|ication( pending)?)|(will )?join(s|ing)?|no( ?(id|number|member))?( yet)?|non[- ]?member"
    "|not (yet|known|a member)|missing|guest|house( player)?|unr(ated)?"
    "|nouveau|nuevo|nuovo|beantragt|unbekannt|okänd|saknas|keine?|aucun|ninguno|nessuno)?"
)

_WRITTEN_ID = re.compile(
    r"(?:(?:us ?chess|uscf|us|member|id|no|nr)\b[\s.:#-]*)*#?\s*([0-9]{8})"
    r"(?:\.0+|\s*\(.*\)|[\s,;]+exp\S*\s.*)?",
    re.ASCII | re.IGNORECASE,
)


class Schedule(NamedTuple):
    """When and how a section was played, as far as it is known."""

    start: date | None = None
    end: date | None = None
    time_control: str | None = None
    type: SectionType | None = None

    def section(
        self,
        number: int,
        name: str,
        entries: Sequence[Entry],
        *,
        online: bool,
        usual: SectionType = SectionType.OTHER,
    ) -> Section | None:
        """Return the section that was played so, of the *usual* type if none is known; None without its last day."""
        if self.end is None:
            return None
        return Section(
            number=number,
            name=name,
            start=self.start,
            end=self.end,
            time_control=self.time_control,
            type=self.type or usual,
            online=online,
            entries=tuple(entries),
        )


def seat_id(section: int, seat: int) -> str:
    """Return the id of a player whom the file does not identify.

    >>> seat_id(1, 12), seat_id(2, 12)
    ('seat-12', 'section-2-seat-12')
    """
    return f"seat-{seat}" if section == 1 else f"section-{section}-seat-{seat}"


def is_seat_id(text: str) -> bool:
    """Return whether *text* is an id that was made of a seat: the player has none.

    >>> is_seat_id("seat-12"), is_seat_id("section-2-seat-12"), is_seat_id("90000012")
    (True, True, False)
    """
    return _SEAT_ID.fullmatch(text) is not None


def is_placeholder(text: str) -> bool:
    """Return whether *text* is what people write who have no id.

    >>> [is_placeholder(text) for text in ("NEW", "applied for", "0000", "12345671")]
    [True, True, True, False]
    """
    plain = " ".join(text.casefold().strip(_AROUND).split())
    return _PLACEHOLDER.fullmatch(plain) is not None or not plain.strip(f"0{_AROUND}")


def plain_id(text: str) -> str:
    """Return the member id in *text*, without what people and spreadsheets write around it; else *text* as it is.

    >>> [plain_id(text) for text in ("US 16000001", "16000001.0", "16000001 (exp 12/26)", "16000001x")]
    ['16000001', '16000001', '16000001', '16000001x']
    """
    written = None if text.isdecimal() else _WRITTEN_ID.fullmatch(text)
    return written[1] if written else text


def own_id(findings: Findings, where: Place, text: str) -> str:
    """Return the id in *text*, empty where it names no one, with a warning where it is a word or a sign."""
    if not is_placeholder(text):
        return text
    if text.strip("0"):
        findings.add("id-placeholder.file", where, words=shown(text))
    return ""


def chosen_file(findings: Findings, source: Source, fits: Callable[[bytes], bool]) -> SourceFile | None:
    """Return the one file of *source* that *fits* a format, or None with a finding; name those that are not read."""
    if len(source.files) == 1:
        return source.files[0]
    fitting = [file for file in source.files if fits(file.data)]
    if len(fitting) == 1:
        note_other_files(findings, source, fitting)
        return fitting[0]
    names = [file.name for file in fitting]
    if names:
        findings.add("several-files", source.place, fitting_count=len(names), names=first_names(names))
    else:
        findings.add("file-missing.no-report", source.place)
    return None


def chosen_tables(
    findings: Findings, source: Source, hints: Hints, fits: Callable[[bytes], bool]
) -> list[SourceFile]:
    """Return the files of *source* that are sections of one event: those that *fit*, or the one that the user names.

    None are returned with a finding; what is not read is named.
    """
    fitting = [file for file in source.files if fits(file.data)]
    if hints.sheet is not None:
        fitting = files_called(source.files, hints.sheet)
        if not fitting:
            names = first_names([section_name(file.name) for file in source.files])
            findings.add("sheet-unknown", source.place, sheet=shown(hints.sheet), names=names)
    elif len(source.files) == 1:
        return [*source.files]
    elif not fitting:
        findings.add("file-missing.no-report", source.place)
    if fitting:
        note_other_files(findings, source, fitting)
    if len(fitting) > 1:
        names = first_names([section_name(file.name) for file in fitting])
        findings.add("files-as-sections", source.place, count=len(fitting), names=names)
    return fitting


def section_name(file: str) -> str:
    """Return what a sheet of a workbook or a file of a folder is called.

    >>> section_name("Fall Swiss.xlsx/Open"), section_name("reserve.csv"), section_name("U1400")
    ('Open', 'reserve', 'U1400')
    """
    name = file.rpartition("/")[2]
    return name if "/" in file else name.rpartition(".")[0] or name


def files_called(files: Sequence[SourceFile], sheet: str) -> list[SourceFile]:
    """Return those of *files* that the user means by *sheet*."""
    wanted = sheet.strip().casefold()
    return [
        file
        for file in files
        if wanted in (file.name.strip().casefold(), section_name(file.name).strip().casefold())
    ]


def sheet_names(files: Sequence[SourceFile]) -> tuple[str, ...]:
    """Return what *files* are called when one of them is chosen; nothing where there are not several."""
    names = [section_name(file.name) for file in files]
    if len({*map(str.casefold, names)}) < len(names):
        # Workbooks of an archive have sheets of the same name.
        names = [file.name for file in files]
    return tuple(names) if len(names) > 1 else ()


def note_other_files(findings: Findings, source: Source, read: list[SourceFile]) -> None:
    """Name the files of *source* that are not among those *read*."""
    names = [file.name for file in source.files if file not in read]
    if names:
        findings.add("file-not-read", source.place, other_count=len(names), names=first_names(names))


def first_names(names: Sequence[str]) -> str:
    """Return the first of *names*, for a message."""
    return list_text(map(shown, names), _NAMED)


def note_unused_hints(
    findings: Findings, where: Place, hints: Hints, origin: str, used: tuple[str, ...] = ()
) -> None:
    """Name the options that do not apply, since *origin* says this itself; those *used* do apply."""
    # Names of events and sections are looked at where all formats are (registry.py).
    fields = (
        field
        for field, value in hints._asdict().items()
        if value and field not in {"name", "section_names", "day_order", "is_tentative", *used}
    )
    unused = [f"--{field.replace('_', '-')}" for field in fields]
    if unused:
        findings.add("option-unused", where, what=origin, unused=", ".join(unused))


def note_hints_beside(  # noqa: PLR0913 - as above
    findings: Findings,
    where: Place,
    hints: Hints,
    origin: str,
    stated: Sequence[Schedule],
    *,
    used: tuple[str, ...] = ("online", "event"),
) -> None:
    """Name the options that do not apply beside *used*, since each section has *stated* these facts itself."""
    lacking = (field for at, field in enumerate(Schedule._fields) if any(each[at] is None for each in stated))
    note_unused_hints(findings, where, hints, origin, (*used, *lacking))


def joined(first: Schedule, then: Schedule) -> Schedule:
    """Return what *first* says, and what only *then* says; the two days go together."""
    days = first if first.end is not None else then
    return Schedule(days.start, days.end, first.time_control or then.time_control, first.type or then.type)


def check_same_name(  # noqa: PLR0913 - two names, and where
    findings: Findings, where: Place, known: str, name: str, player: str, *, in_section: bool
) -> None:
    """Report that *player* has another *name* than the one *known*, in the same section or in another one."""
    if known and name and not same_letters(name, known):
        differs = "member-names-differ.in-section" if in_section else "member-names-differ.elsewhere"
        findings.add(differs, where, player=shown(player))


def check_event(findings: Findings, where: Place, event: str, hints: Hints) -> None:
    """Report that the user asked for another event than the file's; a file without an id is taken as that event."""
    if hints.event and event and event != hints.event:
        findings.add("event-unknown.one-in-file", where, event=shown(hints.event), event_2=shown(event))


def completed(  # noqa: PLR0913 - what the file says, what the user says, and how to report the rest
    findings: Findings,
    where: Place,
    stated: Schedule,
    hints: Hints,
    origin: str,
    *,
    end_is_unread: bool = False,
) -> Schedule:
    """Return what the file *stated*, completed by the user's hints; report what is still missing.

    *origin* names the format, as in "A crosstable". A last day that could not be read has a finding of its own.
    """
    end = stated.end or hints.end
    start = stated.start or hints.start
    kind = stated.type or hints.type
    time_control = (stated.time_control or hints.time_control or "").strip() or None
    if end is None:
        if not end_is_unread:
            findings.add("end-missing.with-option", where, what=origin)
    elif start is None:
        findings.add("start-missing.with-option", where, what=origin, end=end)
    elif end < start:
        findings.add("dates-reversed.with-options", where, end=end, start=start)
    # A foreign FIDE event updates OTB Regular ratings, whatever its time control.
    if time_control is None and kind is not SectionType.FIDE:
        findings.add("time-control-missing.with-option", where, what=origin)
    return Schedule(start, end, time_control, kind)
