"""Make the pages of ``docs`` that follow from the code, the rules and the tests.

    python scripts/generate_docs.py            write them
    python scripts/generate_docs.py --check    say which are out of date, and exit with status 1

The same code, rules and tests always give the same pages: no date, no path of the machine, fixed width.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import tomllib
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ratebook.checks import CHECKS
from ratebook.cli.main import run
from ratebook.model import System
from ratebook.rules.pages import render_timeline_page
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timeline import INFERRED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ratebook.checks import Check

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "ratebook"
TESTS = ROOT / "tests"
WIDTH = 80
MADE_BY = "Made by `scripts/generate_docs.py`"
SEVERITIES = ("error", "warning", "note")
MESSAGE_PLACE = 2
"""Constructors of findings take code, where, message, remedy (`ratebook.problems`)."""


# Statements and the tests that assert them


class Statement(NamedTuple):
    """One line of ``tests/statements.toml``."""

    id: str
    says: str
    document: str
    later: str


def read_statements() -> tuple[Statement, ...]:
    """Return all statements in the order of the file."""
    entries = tomllib.loads((TESTS / "statements.toml").read_text(encoding="utf-8"))
    return tuple(
        Statement(name, entry["says"], entry["document"], entry.get("later", ""))
        for name, entry in entries.items()
    )


def asserted_statements() -> dict[str, tuple[str, ...]]:
    """Return for each statement id that a test names the tests that name it, by file and name."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        for statement, test in statements_of_module(path, path.relative_to(ROOT).as_posix()):
            found.setdefault(statement, set()).add(test)
    for path in sorted(TESTS.rglob("*.toml")):
        for statement, case in statements_of_examples(path, path.relative_to(ROOT).as_posix()):
            found.setdefault(statement, set()).add(case)
    return {statement: tuple(sorted(tests)) for statement, tests in found.items()}


def statements_of_module(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield statement id and test for every ``pytest.mark.statement("…")`` with literal arguments.

    A mark outside every function and class stands for the whole file, which is called *name*.
    """

    def visit(node: ast.AST, owner: str) -> Iterator[tuple[str, str]]:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            owner = f"{owner}::{node.name}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.statement"):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, owner
        for child in ast.iter_child_nodes(node):
            yield from visit(child, owner)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), name)


def statements_of_examples(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield statement id and case for every ``statements = ["…"]`` of a file of examples, which is called *name*."""

    def visit(value: object) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            named = f"{name}: {value['name']}" if isinstance(value.get("name"), str) else name
            yield from ((statement, named) for statement in value.get("statements", ()))
            for inner in value.values():
                yield from visit(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from visit(inner)

    yield from visit(tomllib.loads(path.read_text(encoding="utf-8")))


def coverage_page() -> str:
    """Return the page of statements and tests."""
    statements = read_statements()
    tests = asserted_statements()
    open_ones = [one.id for one in statements if one.id not in tests and not one.later]
    later = [one.id for one in statements if one.id not in tests and one.later]
    lines = [
        "# Statements and their tests",
        "",
        f"{MADE_BY} from `tests/statements.toml` and the marks of the tests; change those, not this page.",
        "",
        "S P I E F G B L M are statements of the source documents, A is how this project reads them where they",
        "disagree, are silent or are wrong, and Q answers what they leave open.",
        "",
        f"{len(statements)} statements:",
        f"{len(statements) - len(open_ones) - len(later)} are asserted by tests,",
        f"{len(later)} wait for a later part of the program, {len(open_ones)} are open.",
    ]
    for one in statements:
        lines += ["", f"## {one.id}", "", one.says, f"({one.document})", ""]
        if one.later:
            lines.append(f"* later: {one.later}")
        lines += [f"* `{test}`" for test in tests.get(one.id, ())]
        if not one.later and one.id not in tests:
            lines.append("* no test")
    return "\n".join(lines) + "\n"


# Findings


class Finding(NamedTuple):
    """What the source says of one code: its severities and the forms of its messages."""

    severities: frozenset[str]
    messages: frozenset[str]


class Carrier(NamedTuple):
    """A function that makes a finding from a code that it is given.

    Attributes:
        parameter, place: name and position of the code's parameter (without self).
        severities: of the findings made.
        messages: forms of their messages.
        message_place: position of the parameter that holds the message, where the caller gives it.
    """

    parameter: str
    place: int
    severities: frozenset[str]
    messages: frozenset[str]
    message_place: int | None


Function = ast.FunctionDef | ast.AsyncFunctionDef


def message_form(node: ast.expr, function: Function | None) -> str:
    """Return a message as it is written, with … for what the case fills in; empty where it is another's text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.Name) and function is not None:
        given = [
            statement.value
            for statement in ast.walk(function)
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == node.id for target in statement.targets)
        ]
        return message_form(given[0], None) if len(given) == 1 else ""
    return ""


def parameters_of(function: Function) -> list[str]:
    """Return the names of positional parameters without self."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] == ["self"] else names


def argument_at(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """Return the argument of *call* for the parameter *name* at *place*."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if place < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: place + 1]):
        return call.args[place]
    return None


def calls_of(tree: ast.AST) -> Iterator[tuple[ast.Call, str, Function | None]]:
    """Yield every call with the name of what is called and the innermost function around it."""

    def visit(node: ast.AST, function: Function | None) -> Iterator[tuple[ast.Call, str, Function | None]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                yield node, called.id, function
            elif isinstance(called, ast.Attribute):
                yield node, called.attr, function
        for child in ast.iter_child_nodes(node):
            yield from visit(child, function)

    yield from visit(tree, None)


def messages_of(call: ast.Call, carrier: Carrier, function: Function | None) -> frozenset[str]:
    """Return the forms of the messages of the finding that *call* makes."""
    if carrier.message_place is None:
        return carrier.messages
    message = argument_at(call, carrier.message_place, "message")
    form = "" if message is None else message_form(message, function)
    return frozenset({form}) if form else frozenset()


def carriers_in(trees: list[ast.Module]) -> dict[str, Carrier]:
    """Return all functions that make a finding from a code that they are given, by name."""
    carriers = {
        severity: Carrier("code", 0, frozenset({severity}), frozenset(), MESSAGE_PLACE)
        for severity in SEVERITIES
    }
    growing = True
    while growing:
        growing = False
        for tree in trees:
            for call, name, function in calls_of(tree):
                carrier = carriers.get(name)
                if carrier is None or function is None or function.name in carriers:
                    continue
                code = argument_at(call, carrier.place, carrier.parameter)
                names = parameters_of(function)
                if isinstance(code, ast.Name) and code.id in names:
                    carriers[function.name] = carrier_through(function, call, carrier, code.id)
                    growing = True
    return carriers


def carrier_through(function: Function, call: ast.Call, carrier: Carrier, parameter: str) -> Carrier:
    """Return what *function* is when it hands its *parameter* as the code to *call*."""
    names = parameters_of(function)
    message_place = None
    if carrier.message_place is not None:
        message = argument_at(call, carrier.message_place, "message")
        if isinstance(message, ast.Name) and message.id in names:
            message_place = names.index(message.id)
    messages = messages_of(call, carrier, function) if message_place is None else frozenset[str]()
    return Carrier(parameter, names.index(parameter), carrier.severities, messages, message_place)


def literal_codes(node: ast.expr | None) -> list[str]:
    """Return the codes that an argument can be, where they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*literal_codes(node.body), *literal_codes(node.orelse)]
    return []


def default_of(function: Function, parameter: str) -> ast.expr | None:
    """Return the default of a positional parameter."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    defaults = [None] * (len(arguments) - len(function.args.defaults)) + [*function.args.defaults]
    for argument, default in zip(arguments, defaults, strict=True):
        if argument.arg == parameter:
            return default
    return None


def findings_in_source(folder: Path = SOURCE) -> dict[str, Finding]:
    """Return every code that the source can give, with severities and messages, by code."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    carriers = carriers_in(trees)
    found: dict[str, Finding] = {}

    def add(code: str, carrier: Carrier, messages: frozenset[str]) -> None:
        known = found.get(code, Finding(frozenset(), frozenset()))
        found[code] = Finding(known.severities | carrier.severities, known.messages | messages)

    for tree in trees:
        for call, name, function in calls_of(tree):
            carrier = carriers.get(name)
            if carrier is not None:
                for code in literal_codes(argument_at(call, carrier.place, carrier.parameter)):
                    add(code, carrier, messages_of(call, carrier, function))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in carriers:
                carrier = carriers[node.name]
                for code in literal_codes(default_of(node, carrier.parameter)):
                    add(code, carrier, carrier.messages)
    return dict(sorted(found.items()))


def read_findings() -> dict[str, str]:
    """Return the explanation of each code from ``docs/findings.toml``."""
    entries: dict[str, str] = tomllib.loads((DOCS / "findings.toml").read_text(encoding="utf-8"))
    return entries


def findings_page() -> str:
    """Return the page of all findings."""
    explained = read_findings()
    lines = [
        "# Findings",
        "",
        f"{MADE_BY} from the source and `docs/findings.toml`; change those, not this page.",
        "",
        "A finding has a code, a severity, a place (file, section, seat, round or field), a message and a remedy.",
        "While an **error** stands nothing is rated and the exit status is 1.",
        "A **warning** is probably a mistake, a **note** names an assumption; neither stops the rating.",
        "… stands for what the case fills in.",
        "What a whole report is checked for, and why, is on the page of [checks](checks.md).",
    ]
    for code, finding in findings_in_source().items():
        severity = " or ".join(one for one in SEVERITIES if one in finding.severities)
        lines += ["", f"## `{code}`", "", f"{severity}: {explained.get(code, '(not explained)')}"]
        if finding.messages:
            lines += ["", *(f"* {message}" for message in sorted(finding.messages))]
    return "\n".join(lines) + "\n"


# Checks


CHECKED_BY_RULES: Mapping[str, tuple[str, ...]] = {
    "office.py": ("plan_section", "classify", "plan_report"),
    "rating/eligibility.py": (),
    "rules/timecontrol.py": (),
}
"""Where findings about a report are made that need the rules of its day: functions by file, none for all."""

REMEDY_PLACE = 3


class DescribedCheck(NamedTuple):
    """What the source says of one check of a whole report.

    Attributes:
        severity: error, warning or note.
        reports: what it finds, from the first sentence of the docstring.
        details: why and when, from the rest of the docstring; paragraphs.
        remedy: what to do, with … for what the case fills in.
    """

    code: str
    severity: str
    reports: str
    details: tuple[str, ...]
    remedy: str


def described(check: Check) -> DescribedCheck:
    """Return what the page says of *check*.

    Raises:
        ValueError: the check does not make exactly one kind of finding, or does not say what it reports.
    """
    summary, _, rest = (inspect.getdoc(check) or "").partition("\n")
    node = ast.parse(dedent(inspect.getsource(check))).body[0]
    findings = [(call, name) for call, name, _ in calls_of(node) if name in SEVERITIES]
    if len(findings) != 1 or not summary.startswith("Report "):
        raise ValueError(f"{check.__name__}: one finding, and a docstring that begins with Report")
    made, severity = findings[0]
    codes = literal_codes(argument_at(made, 0, "code"))
    remedy = argument_at(made, REMEDY_PLACE, "remedy")
    if len(codes) != 1 or remedy is None:
        raise ValueError(f"{check.__name__}: one code and one remedy, written out")
    what = summary.removeprefix("Report ")
    return DescribedCheck(
        codes[0],
        severity,
        what[0].upper() + what[1:],
        tuple(" ".join(paragraph.split()) for paragraph in rest.split("\n\n") if paragraph.strip()),
        message_form(remedy, None),
    )


def codes_made_in(places: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the codes that are written out in these functions of the source (none: in all), by name of the file."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    carriers = carriers_in(list(trees.values()))
    codes: set[str] = set()
    for file, functions in places.items():
        for call, name, function in calls_of(trees[SOURCE / file]):
            inside = not functions or (function is not None and function.name in functions)
            if inside and name in carriers:
                carrier = carriers[name]
                codes.update(literal_codes(argument_at(call, carrier.place, carrier.parameter)))
    return sorted(codes)


def table_cell(text: str) -> str:
    """Return *text* as it can stand in a cell of a table."""
    return text.replace("|", r"\|")


def checks_page() -> str:
    """Return the page of all checks of a whole report."""
    checks = [described(check) for check in CHECKS]
    lines = [
        "# Checks",
        "",
        f"{MADE_BY} from `src/ratebook/checks`; change the docstrings there, not this page.",
        "",
        "`ratebook check` and `ratebook rate` look at the whole report once it could be read.",
        "While an **error** stands nothing is rated.",
        "A **warning** is probably a mistake; whoever has looked at it and knows better accepts its code, and it",
        "becomes a note. An error cannot be accepted (`not-acceptable`), and a code that nothing has is noted",
        "(`accepted-in-vain`).",
        "A **note** names an assumption.",
        "",
        "… stands for what the case fills in.",
        "FORMATS is the project's collection of file layouts, of traps in them, and of checks that offices and other",
        "programs make; RULINGS are [its readings of the rules](inferred.md).",
    ]
    for severity, title in zip(SEVERITIES, ("Errors", "Warnings", "Notes"), strict=True):
        group = [check for check in checks if check.severity == severity]
        lines += ["", f"## {title}", "", "| code | what it reports | remedy |", "| --- | --- | --- |"]
        lines += [
            f"| [`{check.code}`](#{check.code}) | {table_cell(check.reports)} | {table_cell(check.remedy)} |"
            for check in group
        ]
        for check in group:
            lines += ["", f"### `{check.code}`", "", f"{severity}: {check.reports}"]
            for paragraph in check.details:
                lines += ["", paragraph]
            lines += ["", f"Remedy: {check.remedy}"]
    lines += [
        "",
        "## Checked by the rules of the day",
        "",
        "These findings need the rules that were in force: which systems rate a time control, who may play a match,",
        "whether half K existed.",
        "",
        "| code | severity | what it means |",
        "| --- | --- | --- |",
    ]
    explained = read_findings()
    source = findings_in_source()
    for code in codes_made_in(CHECKED_BY_RULES):
        severity = " or ".join(one for one in SEVERITIES if one in source[code].severities)
        explanation = table_cell(explained.get(code, "(not explained)"))
        lines.append(f"| [`{code}`](findings.md#{code}) | {severity} | {explanation} |")
    lines += [
        "",
        "## Checked while reading",
        "",
        "A cell that cannot be read, a date that is not in the calendar, an unknown key: what a single field shows is",
        "found while the file is read, in every format in its own way. The page of [findings](findings.md) lists all.",
    ]
    return "\n".join(lines) + "\n"


# Command line


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield every command with its full name and its context, parents before children."""

    def visit(
        command: click.Command, name: str, parent: click.Context | None
    ) -> Iterator[tuple[str, click.Command, click.Context]]:
        settings: dict[str, Any] = {**command.context_settings, "max_content_width": WIDTH}
        context = click.Context(command, parent, name, terminal_width=WIDTH, **settings)
        yield context.command_path, command, context
        if isinstance(command, click.Group):
            for inner_name in command.list_commands(context):
                inner = command.get_command(context, inner_name)
                if inner is not None:
                    yield from visit(inner, inner_name, context)

    yield from visit(run, "ratebook", None)


def cli_page() -> str:
    """Return the page with the help text of every command."""
    lines = [
        "# The command line",
        "",
        f"{MADE_BY} from the commands' own help; change `src/ratebook/cli`, not this page.",
        "",
        "Exit status: 0 done, 1 the input has errors and nothing was rated, 2 wrong usage.",
        "Results go to standard output, findings to standard error.",
    ]
    for name, command, context in commands():
        text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        lines += ["", f"## {name}", "", "```text", text, "```"]
    return "\n".join(lines) + "\n"


# Rules


def timeline_page() -> str:
    """Return the page of all rules with all their dated values."""
    return render_timeline_page(load_rulebook())


def inferred_page() -> str:
    """Return the page of inferred readings with its table of inferred values made anew."""
    text = (DOCS / "inferred.md").read_text(encoding="utf-8")
    begin, end = "<!-- inferred values: begin -->\n", "<!-- inferred values: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    rows = ["| rule | from | systems | source | what is inferred |", "| --- | --- | --- | --- | --- |"]
    for rule in load_rulebook().rules.values():
        for value in rule.values:
            if value.status == INFERRED:
                note = value.note.replace("|", r"\|")
                systems = "all" if len(value.systems) == len(System) else ", ".join(value.systems)
                rows.append(
                    f"| [`{rule.name}`](rules/timeline.md#{rule.name}) | {value.since} | {systems} "
                    f"| {value.document}, {value.where} | {note} |"
                )
    return pattern.sub(lambda _: begin + "\n".join(rows) + "\n" + end, text)


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/rules/timeline.md": timeline_page,
    "docs/rules/coverage.md": coverage_page,
    "docs/cli.md": cli_page,
    "docs/findings.md": findings_page,
    "docs/checks.md": checks_page,
    "docs/inferred.md": inferred_page,
}
"""Every generated page and what makes it."""


def out_of_date() -> list[str]:
    """Return the pages that are not what the code, the rules and the tests give."""
    return [
        name
        for name, make in PAGES.items()
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != make()
    ]


def main() -> int:
    """Write the pages, or check them; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the generated pages of docs.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; status 1 where a page is out of date"
    )
    stale = out_of_date()
    if parser.parse_args().check:
        for name in stale:
            print(f"{name} is out of date: run make docs.", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
