"""The documentation is true: what it shows runs, what it names exists, what is generated is current."""

from __future__ import annotations

import ast
import doctest
import json
import re
import shlex
import tomllib
from string import Formatter
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

import click
import jsonschema
import pytest
from click.testing import CliRunner
from scripts import generate_docs
from scripts.generate_docs import PAGES
from scripts.pages.agreement import readme_sentence
from scripts.pages.checks import codes_by_rules, described
from scripts.pages.citations import headings, with_links
from scripts.pages.command_line import commands
from scripts.pages.places import DOCS, ROOT, SOURCE
from scripts.published.summary import stored_summary

import ratebook
from docs.test_pages_in_order import IN_ORDER, WITH_A_SERVER
from house.source import MODULES, nodes, place
from ratebook.checks import all_checks
from ratebook.cli.book.group import book_group
from ratebook.cli.main import run
from ratebook.cli.web.group import web_group
from ratebook.declared_findings import declared_findings, samples
from ratebook.findings import Severity, texts
from ratebook.formats.built_in import BUILT_IN
from ratebook.rules.rulebook import load_rulebook
from support.command_line import values_taken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.findings import FindingText

TOP = sorted(ROOT.glob("*.md"))
PAGES_OF_DOCS = [*TOP, *sorted(DOCS.rglob("*.md"))]
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
ELISION = "…"
TYPED_ALONG = {f"docs/{name}" for name in (*IN_ORDER, WITH_A_SERVER)}
"""Pages whose commands go on where those before them have stopped; each runs as a whole (test_pages_in_order.py)."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(path: Path, language: str) -> list[str]:
    """Return the contents of the fenced blocks of one language."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text_of(path), re.DOTALL | re.MULTILINE)
    return [dedent(block) for _, block in found]


def prose_of(path: Path) -> str:
    """Return a page without its fenced blocks."""
    return re.sub(r"^( *)```.*?^\1```$", "", text_of(path), flags=re.DOTALL | re.MULTILINE)


# Generated pages


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_pages_are_current_and_depend_on_no_machine(name: str) -> None:
    text = PAGES[name]()
    assert text_of(ROOT / name) == text, "run make docs"
    assert str(ROOT) not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.endswith("\n")


def test_the_check_of_the_generator_sees_what_is_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "docs/formats/README.md"
    pages = {name: PAGES[name], "README.md": lambda: "other", "docs/new": lambda: "new"}
    monkeypatch.setattr(generate_docs, "PAGES", pages)
    assert list(generate_docs.out_of_date()) == ["README.md", "docs/new"]


def test_every_command_and_option_is_on_the_page() -> None:
    page = text_of(DOCS / "cli.md")
    for name, command, _ in commands():
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert section, name
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert all(option in section for option in parameter.opts), f"{name} {parameter.opts}"
                assert parameter.help, f"{name} {parameter.opts} has no help"


def test_every_rule_is_on_the_page() -> None:
    on_page = headings(DOCS / "rules" / "timeline.md")
    assert set(load_rulebook().rules) <= on_page.keys()


# Findings


FINDINGS = declared_findings()


def test_findings_are_declared_whole() -> None:
    """Their codes are stable and short, their explanations one sentence, and every text can be filled in."""
    for code, declared in FINDINGS.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
        assert re.fullmatch(r"[A-Z][^\n]*\.", declared.explanation), code
        assert declared.cases, code
        for case in declared.cases.values():
            assert case.filled_in(case.text.message), code
            assert set(case.example) >= places_of(case.text) >= set(case.own), code


def places_of(text: FindingText) -> set[str]:
    """Return the names of the values that a text has places for; an empty remedy is filled in like any other.

    What it says in brief has only a number, which no call gives.
    """
    return {
        name for words in text._replace(brief="")[1:] for _, name, _, _ in Formatter().parse(words) if name
    }


def test_examples_say_something() -> None:
    """Each place has one sample, used as long as it says nothing wrong; none says the name of its place."""
    cases = [case for declared in FINDINGS.values() for case in declared.cases.values()]
    common = samples()
    assert set(common) <= {name for case in cases for name in places_of(case.text)}
    assert list(common) == sorted(common)
    for example in (common, *(case.own for case in cases)):
        assert [name for name, value in example.items() if str(value) == name.replace("_", " ")] == []
    assert [case.own for case in cases if case.own.items() & common.items()] == []


def test_findings_are_declared_in_order() -> None:
    assert list(FINDINGS) == sorted(FINDINGS)


def test_every_text_is_used() -> None:
    """A text is named where it is used: in a call, or in what a reader is told to say of a field."""
    source = "".join(text_of(path) for path in sorted(SOURCE.rglob("*.py")))
    assert [name for name in texts() if f'"{name}"' not in source] == []


# Losses are counted by words of their own.
MAKERS = re.compile(r"(finding|refused|(?!.*losses).*\._?add)")


def calls_with_texts() -> Iterator[tuple[str, str, set[str | None]]]:
    """Yield where the source makes findings, of which text, and the names of the values that it gives."""
    for path in MODULES:
        for node in nodes(path):
            if not isinstance(node, ast.Call) or not node.args or path.name == "losses.py":
                continue
            name = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            names = {keyword.arg for keyword in node.keywords}
            if isinstance(name, str) and None not in names and MAKERS.fullmatch(ast.unparse(node.func)):
                yield place(path, node), name, names


def test_a_call_gives_the_values_that_its_text_names() -> None:
    """What a call forgets would be a traceback in the place of a finding."""
    calls = list(calls_with_texts())
    assert calls
    assert [(where, name) for where, name, _ in calls if name not in texts()] == [], "not declared"
    assert [(where, name) for where, name, names in calls if names != places_of(texts()[name])] == []


# Checks


def test_every_check_is_documented() -> None:
    """Its code heads a part of the page that says what it reports, why, and what to do about it."""
    page = text_of(DOCS / "checks.md")
    for check in all_checks():
        description = described(check)
        part = page.partition(f"\n### `{description.code}`\n")[2].partition("\n## ")[0].partition("\n### ")[0]
        details = [with_links(paragraph, "docs/checks.md") for paragraph in description.details]
        assert with_links(f"{description.severity}: {description.reports}", "docs/checks.md") in part, (
            check.__name__
        )
        assert description.remedy, check.__name__
        assert description.remedy in part, check.__name__
        assert all(paragraph in part for paragraph in details), check.__name__


def test_a_check_has_a_code_and_a_severity_of_its_own() -> None:
    checks = [described(check) for check in all_checks()]
    assert len({check.code for check in checks}) == len(checks)
    assert [check.severity for check in checks] == sorted(
        (check.severity for check in checks), key=tuple(Severity).index
    )


def test_every_function_that_is_a_check_is_in_the_list() -> None:
    """A check that no one runs finds nothing; those that need the rules of the day are run by the plan of a report."""
    defined = {
        node.name
        for path in MODULES
        if path.is_relative_to(SOURCE / "checks") and path.name != "eligibility.py"
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
    }
    assert defined - {"check_report"} == {check.__name__ for check in all_checks()}


def test_findings_that_need_the_rules_are_on_the_page_of_checks() -> None:
    page = text_of(DOCS / "checks.md")
    codes = codes_by_rules()
    assert "what-if-unusable" not in codes
    assert {"match-not-established", "match-not-coded", "time-control-unreadable", "half-k-not-allowed"} <= {
        *codes
    }
    assert all(f"| [`{code}`](findings.md#{code}) |" in page for code in codes)


# Shown commands


class Shown(NamedTuple):
    """A command of a console block with the output and the exit status that the page shows."""

    page: str
    command: str
    output: tuple[str, ...]
    status: int


def shown_commands() -> Iterator[Shown]:
    for path in PAGES_OF_DOCS:
        for block in blocks(path, "console"):
            parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
            assert not parts[0], f"{name_of(path)}: a console block begins with a command"
            pairs = [(part.splitlines()[0], tuple(part.splitlines()[1:])) for part in parts[1:]]
            for (command, output), (following, status) in zip(pairs, [*pairs[1:], ("", ())], strict=True):
                if command != "echo $?":
                    expected = int(status[0]) if following == "echo $?" else 0
                    yield Shown(name_of(path), command, output, expected)


SHOWN = list(shown_commands())


@pytest.mark.parametrize(
    "shown",
    [shown for shown in SHOWN if shown.command.startswith("ratebook ") and shown.page not in TYPED_ALONG],
    ids=lambda shown: f"{shown.page}: {shown.command}",
)
def test_a_shown_command_gives_what_is_shown(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shown line is a line of the real output, in the same order; … stands for lines left out."""
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(run, shlex.split(shown.command)[1:], prog_name="ratebook")
    assert result.exit_code == shown.status, result.output
    real = iter(line.rstrip() for line in result.output.splitlines())
    for line in shown.output:
        assert line == ELISION or line in real, f"{line!r} is not there, or not in this place"


def test_every_other_shown_command_is_a_target_of_make() -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    for shown in SHOWN:
        words = shlex.split(shown.command)
        if words[0] == "make":
            assert set(words[1:]) <= targets, shown
        else:
            assert words[0] in {"ratebook", "git", ".venv/bin/pre-commit", ".venv/bin/python"}, shown


def test_the_readme_names_the_two_commands_that_set_up_everything() -> None:
    commands_of_readme = [shown.command for shown in SHOWN if shown.page == "README.md"]
    assert {"make demo", "make test"} <= set(commands_of_readme)
    for command in ("rate", "explain", "check"):
        assert any(shown.startswith(f"ratebook {command} ") for shown in commands_of_readme), command


def test_the_readme_says_in_its_first_lines_how_far_it_agrees() -> None:
    """The figures are those of the last `make published`, the number of unexplained ratings among them."""
    assert readme_sentence(stored_summary()) in text_of(ROOT / "README.md").splitlines()[:10]


@pytest.mark.parametrize(
    "path", [path for path in PAGES_OF_DOCS if name_of(path) not in TYPED_ALONG], ids=name_of
)
def test_shown_python_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    for block in blocks(path, "python"):
        example = doctest.DocTestParser().get_doctest(block, {}, name_of(path), str(path), 0)
        runner.run(example)
    assert runner.failures == 0


def test_the_library_has_an_example() -> None:
    assert any(">>> import ratebook" in block for block in blocks(DOCS / "library.md", "python"))


def test_the_page_of_installing_names_every_extra_for_users() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    named = re.findall(
        r"^\| .* \| `pip install \"\.\[(.+)\]\"` \|$", text_of(DOCS / "install.md"), re.MULTILINE
    )
    assert {*named} == {*project["optional-dependencies"]}


def test_what_the_page_of_packages_shows_is_in_the_example() -> None:
    page = DOCS / "formats" / "plugins.md"
    files = "\n".join(text_of(path) for path in (ROOT / "examples" / "plugin").rglob("*.[tp][oy]*"))
    for block in (*blocks(page, "toml"), *blocks(page, "python")):
        assert block.strip() in files


OTHER_TOML = ("laboratory-measures.md", "plugins.md", "settings.md")
"""Pages whose TOML is of a study, a package and a server."""


def test_shown_settings_are_taken(tmp_path: Path) -> None:
    (block,) = blocks(DOCS / "settings.md", "toml")
    file = tmp_path / "settings.toml"
    file.write_text(block, encoding="utf-8")
    assert values_taken(web_group, "--settings", str(file))["port"] == 8002
    assert values_taken(book_group, "--settings", str(file), "verify")["name"] == "office"


def test_the_competitors_that_are_shown_are_read(tmp_path: Path) -> None:
    from ratebook.lab.competitors.systems import OWN, competitors_of  # noqa: PLC0415 - it takes Polars

    (tmp_path / "whole-history.csv").touch()
    shown, _ = blocks(DOCS / "laboratory-measures.md", "toml")
    competitors = competitors_of(tomllib.loads(shown)["competitors"], tmp_path)
    assert {*OWN} < {competitor.method for competitor in competitors}


@pytest.mark.parametrize("path", [page for page in PAGES_OF_DOCS if page.name not in OTHER_TOML], ids=name_of)
def test_shown_timeline_files_can_be_read(path: Path) -> None:
    """A TOML block is a piece of the timeline, which must be accepted when it is laid over it, or a profile."""
    for block in blocks(path, "toml"):
        said = tomllib.loads(block)
        if "name" in said:
            jsonschema.validate(said, json.loads(text_of(DOCS / "formats" / "profile.schema.json")))
        else:
            assert load_rulebook().with_overlay_file(said).rules


# Links and forms


def links_of(path: Path) -> list[str]:
    text = re.sub(r"(?<!\[)`[^`\n]*`(?!\])", "", prose_of(path))
    return re.findall(r"\]\(([^)\s]+)\)", text)


@pytest.mark.parametrize("path", PAGES_OF_DOCS, ids=name_of)
def test_links_resolve(path: Path) -> None:
    for link in links_of(path):
        if ":" in link:
            continue
        target, _, anchor = link.partition("#")
        page = (path.parent / target).resolve() if target else path
        assert page.exists(), link
        assert page.is_relative_to(ROOT), link
        if anchor:
            assert anchor in headings(page), link


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        if path.is_dir():
            waiting += sorted(path.glob("*.md"))
        elif path.suffix == ".md":
            targets = [link.partition("#")[0] for link in links_of(path) if ":" not in link]
            waiting += [(path.parent / target).resolve() for target in targets if target]
    assert set(PAGES_OF_DOCS) <= reached


def test_the_glossary_is_in_order() -> None:
    terms = re.findall(r"^\*\*(.+?)\*\*", text_of(DOCS / "glossary.md"), re.MULTILINE)
    plain = [re.sub(r"\W", "", term.partition("(")[0].lower()) for term in terms]
    assert plain == sorted(plain)
    assert len(set(plain)) == len(plain)


def test_decision_records_are_numbered_and_whole() -> None:
    numbers = [path.name[:4] for path in DECISIONS]
    assert numbers == [f"{number:04}" for number in range(1, len(DECISIONS) + 1)]
    for path in DECISIONS:
        text = text_of(path)
        assert text.startswith(f"# {int(path.name[:4])}. "), path.name
        assert {"context", "decision", "consequences"} <= headings(path).keys(), path.name
    assert links_of(DOCS / "decisions" / "README.md") == [path.name for path in DECISIONS]


def test_the_changelog_has_a_part_for_each_version_the_newest_first() -> None:
    heads = re.findall(r"^## (.*)", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    versions = [
        re.fullmatch(r"(\d+)\.(\d+)\.(\d+), (?:\d{4}-\d\d-\d\d|not released yet)", head) for head in heads
    ]
    numbers = [tuple(map(int, version.groups())) for version in versions if version]
    assert len(numbers) == len(heads)
    assert numbers == sorted(numbers, reverse=True)
    assert heads[0].startswith(f"{ratebook.__version__}, ")
    parts = re.findall(r"^### (.*)", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert {*parts} <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Ratings"}


def test_the_rooms_on_the_map_are_those_of_the_source() -> None:
    """Every folder of the source has its line, at its depth, and every line its folder; templates lie as they do.

    A format has no line: docs/formats lists them.
    """
    drawn = text_of(ROOT / "ARCHITECTURE.md").partition("    src/ratebook/\n")[2].partition("    tests/\n")[0]
    rooms: list[str] = []
    path: list[str] = []
    for line in drawn.splitlines():
        indent, name = re.match(r"( +)(\S+)", line).groups()  # type: ignore[union-attr]
        if name.endswith("/"):
            path[(len(indent) - 6) // 2 :] = [name.rstrip("/")]
            rooms.append("/".join(path))
    folders = {
        folder.relative_to(SOURCE).as_posix() for folder in SOURCE.rglob("*/") if folder.name != "__pycache__"
    }
    modules = [(known.reader or known.writer).split(".") for known in BUILT_IN]
    formats = {"/".join(parts[1:-1]) for parts in modules}
    drawable = folders - {room for room in formats if room.startswith("formats/")}
    assert sorted(rooms) == sorted(room for room in drawable if "/templates/" not in room)
