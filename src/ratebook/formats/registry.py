"""The report formats: their names, what reads and what writes each, and how one is told from another.

A format's modules are loaded only when it is asked for or may be the one; the content decides, not the file's name.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ratebook.findings import Finding, Findings, Place, finding, has_errors
from ratebook.formats.archive import SourceError, SourceFile
from ratebook.formats.built_in import BUILT_IN, GENERAL, PARTICULAR
from ratebook.formats.contract import (
    RESULT_OF_RATING,
    AfterRatings,
    Format,
    Hints,
    InputError,
    ParsedReport,
    Written,
)
from ratebook.formats.hints import files_called, first_names, note_other_files, section_name, sheet_names
from ratebook.formats.letter import text_of_mail, variants
from ratebook.formats.native.write import read_stored, stored_bytes
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.report_texts import printable
from ratebook.formats.reading.text import first_character
from ratebook.formats.source import Source, read_source, source_of_bytes
from ratebook.model import Report
from ratebook.plugins import ContractError, entry_points_of, package_of, reason_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

NO_HINTS = Hints()

_UPLOAD = "ratebook.formats.uschess.read"
"""What reads the upload of a pairing program, beside which the program's own files of the event lie."""

_TABLES = "ratebook.formats.csv_report.read"
"""What reads tables, and chooses among them itself."""

_ASKS_FOR_ONE = frozenset({"several-files", "different-events"})
"""Codes of findings that one of several reports answers."""

ENTRY_POINTS = "ratebook.formats"
_NAME = re.compile(r"[a-z][a-z0-9-]{1,30}")


def all_formats() -> Iterator[Format]:
    """Yield the formats of this program, then those of installed packages."""
    yield from BUILT_IN
    yield from installed_formats().formats


def built_in(name: str) -> Format:
    """Return the format of this program with this name."""
    return next(known for known in BUILT_IN if known.name == name)


def format_named(name: str) -> Format | None:
    """Return the format with this name."""
    return next((candidate for candidate in all_formats() if candidate.name == name), None)


def format_for_output(path: Path) -> Format | None:
    """Return the format that the ending of an output file means; a name without ending is a folder for 2C."""
    suffix = path.suffix.lower()
    return next((candidate for candidate in all_formats() if suffix in candidate.suffixes), None)


class InstalledFormats(NamedTuple):
    """The formats of installed packages, and a note for each that cannot be used."""

    formats: tuple[Format, ...]
    findings: tuple[Finding, ...]


@cache
def installed_formats() -> InstalledFormats:
    """Return the formats that installed packages declare as entry points."""
    formats: dict[str, Format] = {}
    findings: list[Finding] = []
    entries = entry_points_of(ENTRY_POINTS)
    for entry in entries:
        try:
            if entry.name in formats:
                raise ContractError("another format has this name")  # noqa: TRY301 - as all else that may be wrong
            formats[entry.name] = checked_format(entry)
        except (Exception, SystemExit) as failure:  # noqa: BLE001 - it is another's code
            findings.append(_unusable(entry.name, package_of(entry), failure))
    return InstalledFormats(tuple(formats.values()), tuple(findings))


def checked_format(entry: "EntryPoint") -> Format:
    """Return what an entry point gives.

    Raises:
        ContractError: it is no format that can be used.
    """
    name, declared = entry.name, entry.load()
    if any(name == known.name for known in BUILT_IN):
        raise ContractError("another format has this name")
    if not isinstance(declared, Format):
        raise ContractError("it is no ratebook.formats.contract.Format")
    if declared.name != name or not _NAME.fullmatch(name):
        raise ContractError(
            f"it is called {declared.name!r}; its entry point has the same name, of a-z, 0-9 and hyphens"
        )
    words = (declared.title, declared.page, declared.reader or declared.writer)
    if not all(isinstance(word, str) and word for word in words):
        raise ContractError("it needs a title, a page, and a reader or a writer")
    for module, functions in ((declared.reader, ("looks_like", "parse")), (declared.writer, ("write",))):
        for function in functions if module else ():
            if not callable(getattr(import_module(module), function)):
                raise ContractError(f"{module}.{function} is no function")
    return declared._replace(package=package_of(entry))


def _unusable(name: str, package: str, failure: BaseException) -> Finding:
    place = Place(subject=f"package {package}")
    return finding("plugin-failed.format", place, name=name, reason=reason_of(failure))


def detect_format(source: Source, findings: Findings) -> Format | None:
    """Return the format that the content of *source* is in; None where it is in none.

    A note names each format of an installed package that had to be asked and cannot be used.
    """
    if any(RESULT_OF_RATING.match(file.data) for file in source.files):
        return None
    for candidate in _by_particularity(findings):
        try:
            if candidate.reader and import_module(candidate.reader).looks_like(source, **candidate.options):
                return candidate
        except Exception as failure:
            if not candidate.package:
                raise
            findings.append(_unusable(candidate.name, candidate.package, failure))
    return None


def _by_particularity(findings: Findings) -> Iterator[Format]:
    yield from PARTICULAR
    for note in installed_formats().findings:
        findings.append(note)
    yield from installed_formats().formats
    yield from GENERAL


def parse_source(source: Source, hints: Hints = NO_HINTS) -> ParsedReport:
    """Return the report in *source*, whatever its format, with all findings."""
    findings = Findings()
    if not any(file.data.strip() for file in source.files):
        findings.add("file-empty.report", source.place)
        return ParsedReport(None, findings.of_file(source.name))
    for files in variants(source.files):
        meant = source._replace(files=files)
        pages = _pages_as_text(meant)
        plain = _letters_as_text(pages)
        target = detect_format(plain, findings) or _meant_as_table(plain, hints)
        if target is None:
            continue
        if hints.sheet and (reports := _reports_in(plain, target)):
            chosen = files_called([*reports], hints.sheet)
            if not chosen:
                names = first_names([section_name(file.name) for file in reports])
                findings.add("sheet-unknown", source.place, sheet=shown(hints.sheet), names=names)
                return ParsedReport(None, findings.of_file(source.name))
            plain, target = plain._replace(files=(chosen[0],)), reports[chosen[0]]
            hints = hints if target.reader == _TABLES else hints._replace(sheet=None)
        parsed = _with_controls(target, plain, hints)
        parsed = printable(_named(parsed, source, hints))
        parsed = _with_other_reports(findings, parsed, plain, target)
        if len(files) < len(source.files):
            note_other_files(findings, source, [*files])
        if pages is not meant:
            findings.add("page-as-text", source.place)
        notes = findings.of_file(source.name)
        sheets = parsed.sheets
        if not sheets and any(problem.code in _ASKS_FOR_ONE for problem in parsed.findings):
            sheets = sheet_names([*_reports_in(plain, target)])
        return parsed._replace(findings=(*parsed.findings, *notes), sheets=sheets)
    from ratebook.formats.unread import finding_of_unread  # noqa: PLC0415 - start-up: only what is unread needs it

    titles = "; ".join(known.title for known in all_formats() if known.reader)
    findings.append(finding_of_unread(source, _letters_as_text(_pages_as_text(source)), titles))
    return ParsedReport(None, findings.of_file(source.name))


def format_of(source: Source) -> Format | None:
    """Return the format in which `parse_source` reads *source*, None where it does not."""
    for files in variants(source.files):
        plain = _letters_as_text(_pages_as_text(source._replace(files=files)))
        if known := detect_format(plain, Findings()):
            return known
    return None


def _reports_in(source: Source, target: Format) -> dict[SourceFile, Format]:
    """Return the files of *source* that are reports by themselves, of which one can be chosen; tables choose theirs."""
    if len(source.files) == 1 or target.reader in {_UPLOAD, _TABLES}:
        return {}
    formats = {file: detect_format(source._replace(files=(file,)), Findings()) for file in source.files}
    return {file: known for file, known in formats.items() if known is not None}


def _with_other_reports(
    findings: Findings, parsed: ParsedReport, source: Source, target: Format
) -> ParsedReport:
    """Return *parsed*, whose errors name the file; warn of files of *source* that are reports and were not read."""
    is_partial = any(note.code == "file-not-read" for note in parsed.findings)
    if not is_partial or target.reader == _UPLOAD:
        return parsed
    formats = {file.name: detect_format(source._replace(files=(file,)), Findings()) for file in source.files}
    unread = [name for name, known in formats.items() if known and known.reader != target.reader]
    read = [name for name, known in formats.items() if known and known.reader == target.reader]
    if unread:
        findings.add("reports-not-read", source.place, names=first_names(unread), read=first_names(read))
    if not unread or len(read) != 1:
        return parsed
    return parsed._replace(findings=tuple(each.within(Place(file=read[0])) for each in parsed.findings))


def _meant_as_table(source: Source, hints: Hints) -> Format | None:
    """Return the format of tables if what the user says of columns makes *source* one."""
    if not hints.column:
        return None
    table = built_in("csv")
    return table if import_module(table.reader).is_meant(source, hints) else None


def _pages_as_text(source: Source) -> Source:
    """Return *source* with the text of web pages; *source* itself where it has none."""
    if not any(first_character(file.data) == b"<" for file in source.files):
        return source
    from ratebook.formats.web_page import is_page, text_of_page  # noqa: PLC0415 - start-up: only pages need it

    if not any(is_page(file.data) for file in source.files):
        return source
    return source._replace(
        files=tuple(
            file._replace(data=text_of_page(file.data)) if is_page(file.data) else file
            for file in source.files
        )
    )


def _letters_as_text(source: Source) -> Source:
    """Return *source* with what letters say; *source* itself where it has none."""
    letters = {file: text for file in source.files if (text := text_of_mail(file.data)) is not None}
    if not letters:
        return source
    return source._replace(
        files=tuple(file._replace(data=letters.get(file, file.data)) for file in source.files)
    )


def _parsed(target: Format, source: Source, hints: Hints) -> ParsedReport:
    parse: Callable[[Source, Hints], ParsedReport] = import_module(target.reader).parse
    if target.reader == _TABLES:
        return _with_rosters(source, hints, parse)
    if not target.package:
        return parse(source, hints)
    try:
        return _as_stored(parse(source, hints))
    except Exception as failure:  # noqa: BLE001 - it is another's code
        facts = {"name": target.name, "package": target.package, "reason": reason_of(failure)}
        return ParsedReport(None, (finding("plugin-failed.read", source.place, **facts),))


def _with_rosters(
    source: Source, hints: Hints, parse: Callable[[Source, Hints], ParsedReport]
) -> ParsedReport:
    """Return the report in the tables of *source*; lists of players beside these add ids and ratings."""
    rosters = [file for file in source.files if import_module(_TABLES).lists_players(file.data)]
    tables = tuple(file for file in source.files if file not in rosters)
    if not rosters or not tables or hints.sheet is not None:
        return parse(source, hints)
    from ratebook.formats.pairings.roster import roster_in  # noqa: PLC0415 - start-up: most reports have none

    parsed = parse(source._replace(files=tables), hints)
    findings = Findings(is_tentative=hints.is_tentative)
    for roster in filter(None, (roster_in([file]) for file in rosters)):
        report = parsed.report and roster.completed(findings, parsed.report)
        is_read = report is not None and report != parsed.report
        code = "players-from-file" if is_read else "players-not-read"
        findings.add(code, source.place, name=shown(roster.file.name))
        parsed = parsed._replace(report=report)
    return parsed._replace(findings=(*parsed.findings, *findings.of_file(source.name)))


def _as_stored(parsed: ParsedReport) -> ParsedReport:
    """Return what a format of an installed package has read, if it is sound: a native report says the same."""
    if not isinstance(parsed, ParsedReport) or (parsed.report is None) is not has_errors(parsed.findings):
        raise ContractError("parse() returns a ParsedReport, which has a report exactly if it has no error")
    if parsed.report is not None:
        native = read_stored(stored_bytes(parsed.report), "report.json")
        if native.report != parsed.report:
            reason = native.findings[0].message if native.findings else "it changes on its way"
            raise ContractError(f"a native report cannot hold what it read: {reason}")
    return parsed


def _with_controls(target: Format, source: Source, hints: Hints) -> ParsedReport:
    """Return what *source* says, with time controls in notation, not in words; the user's replaces unreadable ones."""
    from ratebook.rules.timecontrol import TimeControl, parse_time_control  # noqa: PLC0415 - start-up: reading needs it

    parsed = _parsed(target, source, hints)
    findings = Findings()
    controls = []
    for section in () if parsed.report is None else parsed.report.sections:
        text, place = section.time_control, Place(section=section.number)
        control = None if text is None else parse_time_control(text)
        if isinstance(control, TimeControl) and control.in_words:
            findings.add("time-control-assumed", place, value=shown(control.text), text=control.notation)
            text = control.notation
        elif isinstance(control, Finding) and hints.time_control not in {None, text}:
            findings.add("record-replaced", place, text=shown(text or ""), option="--time-control")
            text = hints.time_control
        controls.append(text)
    notes = findings.of_file(source.name)
    if any(note.code == "record-replaced" for note in notes):
        # Then no note says that the option was not used.
        without = _parsed(target, source, hints._replace(time_control=None))
        parsed = parsed if without.report is None else without
    if parsed.report is None or not notes:
        return parsed
    sections = tuple(
        section._replace(time_control=text)
        for section, text in zip(parsed.report.sections, controls, strict=True)
    )
    return parsed._replace(
        report=parsed.report._replace(sections=sections), findings=(*parsed.findings, *notes)
    )


def _named(parsed: ParsedReport, source: Source, hints: Hints) -> ParsedReport:
    """Return *parsed* with the sections' names that the user gave, and the event's where *source* says none.

    The subject of a message is the event's name where nobody says another.
    """
    if parsed.report is None:
        return parsed
    sections = list(parsed.report.sections)
    for at, name in enumerate(hints.section_names[: len(sections)]):
        if name:
            sections[at] = sections[at]._replace(name=" ".join(name.split()))
    report = parsed.report._replace(sections=tuple(sections))
    findings = parsed.findings
    event_name = " ".join((hints.name or "").split())
    if not event_name and source.subject and not report.event.name:
        event_name = source.subject
        findings = (*findings, finding("subject-as-name", source.place, name=shown(event_name)))
    if event_name and report.event.name:
        unused = finding("option-unused", source.place, what="The file", unused="--name")
        findings = (*findings, unused)
    elif event_name:
        report = report._replace(event=report.event._replace(name=event_name))
    return parsed._replace(report=report, findings=findings)


def read_report(  # noqa: PLR0913 - the file, and the facts that some formats do not hold
    data: bytes | str | PathLike[str],
    name: str = "",
    *,
    start: date | None = None,
    end: date | None = None,
    time_control: str | None = None,
    online: bool = False,
) -> ParsedReport:
    """Return the report in *data*, with all findings: a path, or the bytes of the file *name*.

    A path may lead to a file, to a folder, or to a zip archive of files; bytes may be an archive, too.
    *start*, *end*, *time_control* and *online* complete a format that does not say them.

    >>> read_report(b"1. e4 e5", "game.pgn").findings[0].code
    'format-unknown'
    """
    try:
        source = source_of_bytes(data, name) if isinstance(data, bytes) else read_source(data)
    except SourceError as refused:
        return ParsedReport(None, (refused.finding,))
    return parse_source(source, Hints(start, end, time_control, online))


def load_report(  # noqa: PLR0913 - as read_report
    data: bytes | str | PathLike[str],
    name: str = "",
    *,
    start: date | None = None,
    end: date | None = None,
    time_control: str | None = None,
    online: bool = False,
) -> Report:
    """Return the report that `read_report` reads.

    Raises:
        InputError: it cannot be read; the findings say why.
    """
    parsed = read_report(data, name, start=start, end=end, time_control=time_control, online=online)
    if parsed.report is None:
        raise InputError(parsed.findings)
    return parsed.report


def write_report(report: Report, target: Format, after: AfterRatings | None = None) -> Written:
    """Return *report* as files of the format *target*, with a note for everything that it cannot hold."""
    write: Callable[..., Written] = import_module(target.writer).write
    if not target.package:
        return write(report, after, **target.options)
    try:
        return _as_files(write(report, after, **target.options))
    except Exception as failure:  # noqa: BLE001 - it is another's code
        facts = {"name": target.name, "reason": reason_of(failure)}
        return Written(
            {}, (finding("plugin-failed.write", Place(subject=f"package {target.package}"), **facts),)
        )


def _as_files(written: Written) -> Written:
    """Return what a format of an installed package has written, if these are files."""
    files = written.files.items() if isinstance(written, Written) else ()
    if not files or not all(isinstance(data, bytes) and name == Path(name).name for name, data in files):
        raise ContractError("write() returns Written, the bytes of at least one file by plain names")
    has_errors(written.findings)
    return written
