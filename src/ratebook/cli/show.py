"""The answer of a command: JSON if ``--json`` asks for it, otherwise tables and sentences, then findings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import click

from ratebook.cli.command import NotedFlag
from ratebook.cli.finding_lines import printable
from ratebook.cli.output import TextTable, print_findings, print_json, print_table
from ratebook.findings import Finding, Place, finding, has_errors
from ratebook.model import Report
from ratebook.pages.columns import Column
from ratebook.records.record import plain

Line = TypeVar("Line")

_JSON = NotedFlag("--json", "Print JSON.")
json_option = _JSON.option


def json_asked() -> bool:
    """Return whether the running command was given ``--json``."""
    return bool(_JSON.is_given())


def show(
    name: str,
    content: Mapping[str, object],
    *shown: TextTable | str,
    findings: Iterable[Finding] | None = (),
    failing: bool = True,
    report: Report | None = None,
    answering: Collection[Finding] = (),
) -> None:
    """Print an answer; end with exit status 1 where a finding is an error.

    Args:
        name: the format of the JSON is ``ratebook-NAME/1``.
        content: what the JSON holds beside format and findings.
        shown: what people read instead.
        findings: findings about it; None for formats without any.
        report: the report that the findings are about, for the names of its people.
        answering: notes among the findings that are shown even without ``--notes``.
        failing: whether they are findings of this command; those of what it shows do not end it with 1.
    """
    problems = list(findings or ())
    if json_asked():
        with_problems = {} if findings is None else {"problems": _as_json(problems)}
        print_json({"format": f"ratebook-{name}/1", **with_problems, **plain(content, office=True)})
    else:
        for part in shown:
            if isinstance(part, TextTable):
                print_table(part)
            else:
                click.echo(printable(part, allowed="\n"))
        print_findings(problems, report, answering)
    if failing and has_errors(problems):
        raise SystemExit(1)


def table(
    title: str, columns: Sequence[Column[Line]], lines: Sequence[Line], none: str = ""
) -> TextTable | str:
    """Return *lines* as a table, or the words *none* where there are none and the words are given."""
    if none and not lines:
        return none
    return TextTable(
        title,
        [column.title for column in columns],
        [[column.text(line) for column in columns] for line in lines],
        frozenset(at for at, column in enumerate(columns) if column.align == "left"),
    )


def fail(findings: Iterable[Finding], report: Report | None = None) -> NoReturn:
    """Print findings, as JSON where the command was asked for JSON, and end with exit status 1."""
    if json_asked():
        context = click.get_current_context()
        rated = context.info_name == "rate" and not (context.parent and context.parent.info_name == "book")
        print_json(
            {
                "format": "ratebook-rated/1" if rated else "ratebook-problems/1",
                "problems": _as_json(findings),
                **({"sections": []} if rated else {}),
            }
        )
    else:
        print_findings(findings, report)
    raise SystemExit(1)


def fail_with(code: str, place: Place, **values: object) -> NoReturn:
    """Print one finding and end with exit status 1."""
    fail([finding(code, place, **values)])


def need(*extras: str) -> None:
    """End with a finding and exit status 1 where a library of one of the *extras* is missing."""
    from ratebook.extras import missing_library  # noqa: PLC0415 - few commands need one

    if (missing := missing_library(*extras)) is not None:
        fail([missing])


def fail_unreadable(path: object, failure: OSError | UnicodeDecodeError) -> NoReturn:
    """Print that a file cannot be read and end with exit status 1."""
    reason = getattr(failure, "strerror", None) or str(failure)
    fail_with("file-unreadable.report", Place(file=str(path)), reason=reason)


def _as_json(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    from ratebook.records.reports import said  # noqa: PLC0415 - start-up loads it only when needed

    problems: list[dict[str, Any]] = plain(said(findings))
    return problems


def without_findings(result: Any) -> dict[str, object]:  # noqa: ANN401 - any named tuple
    """Return the fields of *result* for an answer that shows its findings by themselves."""
    return {name: value for name, value in result._asdict().items() if name != "findings"}
