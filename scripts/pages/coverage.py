"""The page of statements of the documents and the tests that assert them."""

from __future__ import annotations

import ast
import tomllib
from typing import TYPE_CHECKING, NamedTuple

from scripts.pages.places import MADE_BY, ROOT, TESTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


PARAGRAPHS = TESTS / "paragraphs.toml"
"""What each paragraph holds; naming a statement there asserts nothing."""


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


class Paragraph(NamedTuple):
    """A paragraph of a document by a short title, and its statements.

    *none* says why it has none, *waits* what of it waits for a part of the program.
    """

    about: str
    statements: tuple[str, ...]
    none: str
    waits: str


class DocumentSection(NamedTuple):
    """One section of a document with its paragraphs."""

    code: str
    title: str
    heading: str
    paragraphs: tuple[Paragraph, ...]


def read_paragraphs() -> tuple[DocumentSection, ...]:
    """Return all sections of all documents, in their order (``tests/paragraphs.toml``)."""
    content = tomllib.loads(PARAGRAPHS.read_text(encoding="utf-8"))
    return tuple(
        DocumentSection(
            document["code"],
            document["title"],
            section["heading"],
            tuple(
                Paragraph(
                    one["about"], tuple(one.get("statements", ())), one.get("none", ""), one.get("waits", "")
                )
                for one in section["paragraphs"]
            ),
        )
        for document in content["document"]
        for section in document["section"]
    )


def paragraph_lines() -> list[str]:
    """Return the part of the page that goes by the documents."""
    lines: list[str] = []
    known = ""
    for section in read_paragraphs():
        if section.code != known:
            known = section.code
            lines += ["", f"### {section.code}", "", f"{section.title}.", ""]
            lines += ["| section | paragraph | statements |", "| --- | --- | --- |"]
        for at, paragraph in enumerate(section.paragraphs):
            statements = ", ".join(f"[{name}](#{name.lower()})" for name in paragraph.statements)
            if paragraph.waits:
                statements += f"; not yet: {paragraph.waits}"
            heading = section.heading if at == 0 else ""
            lines.append(f"| {heading} | {paragraph.about} | {statements or f'no rule: {paragraph.none}'} |")
    return lines


def asserted_statements() -> dict[str, tuple[str, ...]]:
    """Return for each statement id that a test names the tests that name it, by file and name."""
    tests: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        for statement, test in statements_of_module(path, path.relative_to(ROOT).as_posix()):
            tests.setdefault(statement, set()).add(test)
    for path in sorted(set(TESTS.rglob("*.toml")) - {PARAGRAPHS}):
        for statement, case in statements_of_examples(path, path.relative_to(ROOT).as_posix()):
            tests.setdefault(statement, set()).add(case)
    return {statement: tuple(sorted(names)) for statement, names in tests.items()}


def statements_of_module(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield statement id and test for every ``pytest.mark.statement("…")`` with literal arguments.

    A mark outside every function and class stands for the whole file, which is called *name*.
    """

    def visit(node: ast.AST, owner: str) -> Iterator[tuple[str, str]]:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            owner = f"{owner}::{node.name}"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "statement"
        ):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, owner
        for child in ast.iter_child_nodes(node):
            yield from visit(child, owner)

    text = path.read_text(encoding="utf-8")
    if "mark.statement(" in text:
        yield from visit(ast.parse(text), name)


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
    open_ones = [entry.id for entry in statements if entry.id not in tests and not entry.later]
    later = [entry.id for entry in statements if entry.id not in tests and entry.later]
    lines = [
        "# Statements and their tests",
        "",
        f"{MADE_BY} from `tests/statements.toml` and the marks of the tests; change those, not this page.",
        "",
        "S P I E F G B L M are statements of the source documents. A is how this project reads them where they",
        "disagree, are silent or are wrong; Q answers the questions that they leave open.",
        "",
        f"{len(statements)} statements:",
        f"{len(statements) - len(open_ones) - len(later)} are asserted by tests,",
        f"{len(later)} wait for a later part of the program, {len(open_ones)} are open.",
    ]
    lines += ["", "## Paragraph by paragraph", "", "Which statements each paragraph of the documents holds."]
    lines += paragraph_lines()
    for statement in statements:
        lines += ["", f"## {statement.id}", "", statement.says, f"({statement.document})", ""]
        if statement.later:
            lines.append(f"* later: {statement.later}")
        lines += [f"* `{test}`" for test in tests.get(statement.id, ())]
        if not statement.later and statement.id not in tests:
            lines.append("* no test")
    return "\n".join(lines) + "\n"
