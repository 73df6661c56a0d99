"""Installed packages bring formats and checks; what is wrong with one is said, and harms no other."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook import plugins
from ratebook.checks import check_report, installed_checks
from ratebook.findings import Place, finding
from ratebook.formats import registry
from ratebook.formats.registry import format_for_output, format_named, read_report, write_report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ratebook.findings import Finding
    from ratebook.model import Report

DAY = date(2026, 1, 5)
MARK = b"#marked\n"
CSV = b"seat,player,name,round1\n1,90000001,ADAMS EXAMPLE,W2w\n2,90000002,BAKER EXAMPLE,L1b\n"
SOUND = """
from datetime import date
from ratebook.formats.contract import Format, ParsedReport, Written
from ratebook.model import Cell, Entry, Event, PlayerFacts, Report, Section, SectionType

FORMAT = Format(name="marked", title="a marked table", page="https://example.org", reader=__name__, writer=__name__,
                suffixes=(".mkd", ".csv"))

def looks_like(source):
    return source.files[0].data.startswith(b"#marked")

def parse(source, hints):
    cells = (Cell("W", 2, "w"), Cell("L", 1, "b"))
    entries = tuple(Entry(seat, f"P{seat}", (cell,)) for seat, cell in enumerate(cells, start=1))
    day = date(2026, 1, 5)
    section = Section(1, "", day, day, "G/60", SectionType.SWISS, False, False, False, entries)
    return ParsedReport(Report(Event(), {key: PlayerFacts(key) for key in ("P1", "P2")}, (section,)), ())

def write(report, after=None):
    return Written({"report.mkd": b"#marked"}, ())
"""


def install(folder: Path, module: str, source: str, entry_points: Mapping[str, Mapping[str, str]]) -> None:
    """Put a package of one *module* into a folder, with its *entry_points* by group and name."""
    name = module.replace("_", "-")
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (folder / f"{module}.py").write_text(source, "utf-8")
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = [
        line
        for group, declared in entry_points.items()
        for line in (f"[{group}]", *(f"{entry} = {value}" for entry, value in declared.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join([*lines, ""]), "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    caches = (plugins.entry_points_of, plugins.declared_text, registry.installed_formats, installed_checks)
    for cache in caches:
        cache.cache_clear()
    yield tmp_path
    for cache in caches:
        cache.cache_clear()
    for module in tmp_path.glob("*.py"):
        sys.modules.pop(module.stem, None)


def installed(folder: Path, package: str, source: str, name: str = "marked") -> None:
    install(folder, package, source, {"ratebook.formats": {name: f"{package}:FORMAT"}})


def reason_in(finding: Finding) -> str:
    assert finding.code == "plugin-failed"
    return finding.message


def the_report(data: bytes) -> Report:
    report = read_report(data, "a.txt").report
    assert report is not None
    return report


def test_a_format_of_an_installed_package_is_read_and_written(folder: Path) -> None:
    installed(folder, "sound_one", SOUND)
    report = the_report(MARK)
    assert [entry.player for entry in report.sections[0].entries] == ["P1", "P2"]
    target = format_named("marked")
    assert target is not None
    assert (target.package, format_for_output(folder / "x.mkd")) == ("sound-one", target)
    assert write_report(report, target).files == {"report.mkd": b"#marked"}


def test_it_takes_no_ending_and_no_report_from_a_built_in_format(folder: Path) -> None:
    installed(folder, "greedy", SOUND.replace('startswith(b"#marked")', 'startswith(b"")'))
    assert (target := format_for_output(folder / "x.csv")) is not None
    assert target.name == "csv"
    native = b'{"format": "ratebook-report/1", "players": [], "sections": []}'
    assert [finding.code for finding in read_report(native, "a.json").findings] != ["plugin-failed"]


@pytest.mark.parametrize(
    ("name", "source", "reason"),
    [
        (
            "marked",
            "import nothing_of_the_kind",
            "ModuleNotFoundError: No module named 'nothing_of_the_kind'",
        ),
        ("marked", "raise SystemExit(3)", "SystemExit: 3"),
        ("marked", "", "has no attribute 'FORMAT'"),
        ("marked", "FORMAT = 'marked'", "it is no ratebook.formats.contract.Format"),
        ("csv", SOUND.replace('"marked"', '"csv"'), "another format has this name"),
        ("other", SOUND, "it is called 'marked'"),
        ("marked", SOUND.replace("a marked table", ""), "it needs a title"),
        ("marked", SOUND.replace("def parse(", "def parsed("), "has no attribute 'parse'"),
        ("marked", SOUND.replace("def looks_like(source):", "def looks_like():"), "TypeError"),
    ],
)
def test_a_format_that_cannot_be_used_is_named_and_left_out(
    name: str, source: str, reason: str, folder: Path
) -> None:
    installed(folder, "broken_one", source, name)
    read = read_report(
        CSV.replace(b"seat,player", b"section,seat,player").replace(b"\n", b"\n1,")[:-2], "a.csv"
    )
    (note,) = (finding for finding in read.findings if finding.code == "plugin-failed")
    assert reason in reason_in(note)
    assert (note.where, note.severity) == ("package broken-one", "note")
    assert format_named("csv") == registry.built_in("csv")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("    raise KeyError('Rtg')", "KeyError: 'Rtg'"),
        ("    return None", "parse() returns a ParsedReport"),
        ("    return ParsedReport(None, ())", "parse() returns a ParsedReport"),
        (
            "    return ParsedReport(Report(Event(name=5), {}, ()), ())",
            "a native report cannot hold what it read",
        ),
    ],
)
def test_a_format_that_fails_to_read_refuses_the_report(line: str, reason: str, folder: Path) -> None:
    failing = SOUND.replace("def parse(source, hints):", f"def parse(source, hints):\n{line}")
    installed(folder, "failing_one", failing)
    read = read_report(MARK, "a.txt")
    (error,) = read.findings
    assert read.report is None
    assert reason in reason_in(error)
    assert (error.where, error.severity) == ("a.txt", "error")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("    raise KeyError('Rtg')", "KeyError: 'Rtg'"),
        ("    return {}", "write() returns Written"),
        ("    return Written({'../a': b''}, ())", "write() returns Written"),
    ],
)
def test_a_format_that_fails_to_write_writes_nothing(line: str, reason: str, folder: Path) -> None:
    failing = SOUND.replace("def write(report, after=None):", f"def write(report, after=None):\n{line}")
    installed(folder, "failing_two", failing)
    report = the_report(MARK)
    target = format_named("marked")
    assert target is not None
    written = write_report(report, target)
    assert written.files == {}
    (error,) = written.findings
    assert reason in reason_in(error)


CHECK = """
from ratebook.findings import Place, finding

def check(submission):
    yield finding("league-size", Place(section=1), count=len(submission.report.players))
"""
TEXT = """
[league-size]
severity = "warning"
message = "{count:player|players} took part."
remedy = "Find more."
"""


def findings_of_check(folder: Path, source: str, text: str = TEXT) -> list[Finding]:
    """Return what a check of a package with this *source* and these texts finds in a report of two players."""
    groups = {"ratebook.checks": {"size": "a_league:check"}, "ratebook.findings": {"league": "a_league"}}
    (folder / "findings.toml").write_text(text, "utf-8")
    install(folder, "a_league", source, groups)
    report = read_report(CSV, "a.csv", start=DAY, end=DAY, time_control="G/60").report
    assert report is not None
    return [found for found in check_report(report) if found.code in {"league-size", "plugin-failed"}]


def test_a_check_of_an_installed_package_has_texts_of_its_own(folder: Path) -> None:
    (found,) = findings_of_check(folder, CHECK)
    assert (found.severity, found.message, found.remedy) == ("warning", "2 players took part.", "Find more.")


@pytest.mark.parametrize(
    ("source", "text", "reason"),
    [
        (CHECK, "[league-size", "its findings.toml cannot be read: TOMLDecodeError"),
        (
            CHECK,
            TEXT.replace("warning", "alarm"),
            "its findings.toml has no severity and message of league-size",
        ),
        (CHECK, TEXT.replace("league-size", "league-length"), "has no severity and message of league-size"),
        (CHECK.replace("league-size", "other-size"), TEXT, "KeyError: 'other-size'"),
        (CHECK.replace("yield finding(", "yield str("), TEXT, "TypeError"),
        ("def check(submission):\n    return ['a']", TEXT, "it yields something else than findings"),
        ("def check(submission):\n    raise ValueError('\x1b[2J')", TEXT, "ValueError:  [2J"),
        ("raise SystemExit(1)", TEXT, "SystemExit: 1"),
    ],
)
def test_a_check_that_fails_is_a_warning(folder: Path, source: str, text: str, reason: str) -> None:
    (found,) = findings_of_check(folder, source, text)
    assert reason in reason_in(found)
    assert (found.where, found.severity) == ("package a-league", "warning")


def test_a_package_changes_no_text_of_the_program(folder: Path) -> None:
    text = TEXT.replace("league-size", "date-unreadable")
    install(folder, "a_seat", "", {"ratebook.findings": {"date": "a_seat"}})
    (folder / "findings.toml").write_text(text, "utf-8")
    assert finding("date-unreadable.iso", Place(section=1), value="x").severity == "error"


def test_of_two_packages_with_one_name_the_first_has_it(folder: Path) -> None:
    installed(folder, "b_package", SOUND)
    installed(folder, "a_package", SOUND)
    assert (target := format_named("marked")) is not None
    assert target.package == "a-package"
    (note,) = registry.installed_formats().findings
    assert note.where == "package b-package"
