"""The office on reports that wait: warnings are accepted, by place or as many as it counts, or a report is rejected."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ratebook.book.failures import refused
from ratebook.book.submissions import Status, holding_codes, open_warnings
from ratebook.cli.action import command_of
from ratebook.cli.book.session import confirm, open_session, reason_option, yes_option
from ratebook.cli.options import today
from ratebook.cli.show import json_option, show
from ratebook.findings import ALL, Finding, Place, texts
from ratebook.office.decisions.revision import Reason
from ratebook.office.queue.actions import ACCEPT, REJECT
from ratebook.office.queue.submit import Acceptance, waiting_submission
from ratebook.pages.columns import counted
from ratebook.pages.queue import codes_text

MOST_TAKEN_SHOWN, MOST_PLACES_SHOWN = 20, 12

MOST_DIGITS = 19
"""A number of a submission has fewer."""


@command_of(ACCEPT, reason_option, yes_option, json_option)
def accept_command(
    what: tuple[str, ...],
    codes: tuple[str, ...] | None,
    reason: str,
    *,
    yes: bool,
    **values: Any,  # noqa: ANN401 - what the options give
) -> None:
    """Accept warnings."""
    whole, everywhere = bool(values["whole"]), bool(values["everywhere"])
    numbers = tuple(dict.fromkeys(int(word) for word in what if _is_number(word)))
    chosen = tuple(dict.fromkeys((*(codes or ()), *(word for word in what if not _is_number(word)))))
    _check_accepting(numbers, chosen, everywhere=everywhere)
    seats = (values["seat"],) if values["seat"] else ()
    at = Place(section=values["section"], seats=seats, round=values["in_round"])
    with open_session() as session:
        with session.book.reading() as connection:
            for number in numbers:
                waiting_submission(connection, number)
            waits = open_warnings(connection)
        chosen_findings = (
            _held_by_codes(waits, chosen, at)
            if everywhere
            else {
                number: [
                    one
                    for code in chosen
                    for one in _of_code(number, waits.get(number, ()), code, at, whole=whole)
                ]
                for number in numbers
            }
        )
        if sum(map(len, chosen_findings.values())) > 1 and not yes:
            confirm(f"{_taken_text(chosen_findings)}\nAccept all of them?", "accept")
        keys = {number: [one.key for one in them] for number, them in chosen_findings.items()}
        because = Reason(session.actor, reason)
        accepted = ACCEPT.done(session.book, because, {"findings": keys}, today())
        with session.book.reading() as connection:
            held_by = holding_codes(connection)
    content = {
        "decision": accepted.decision,
        "submissions": [
            {
                "submission": number,
                "status": status,
                "accepted": [{"code": one.code, "where": one.where} for one in accepted.findings[number]],
                "held_by": held_by.get(number, ()),
            }
            for number, status in accepted.statuses.items()
        ],
    }
    shown = _accepted_lines(accepted, {number: codes_text(codes) for number, codes in held_by.items()})
    show("book-accept", content, *shown)


def _of_code(number: int, warnings: Sequence[Finding], code: str, at: Place, *, whole: bool) -> list[Finding]:
    """Return the warnings that a code means at a place of one report; several only where all were asked for."""
    findings = [one for one in warnings if code in {ALL, one.code} and _is_at(one, at)]
    if not findings:
        raise refused("accepted-in-vain.no-open-warning", Place(submission=number, code=code), number=number)
    if len(findings) > 1 and code != ALL and not whole:
        raise refused(
            "acceptance-unclear",
            Place(submission=number, code=code),
            number=number,
            count=len(findings),
            places=_places_text(findings),
        )
    return findings


def _is_at(found: Finding, at: Place) -> bool:
    """Return whether a finding is at a place, as far as this says one."""
    place = found.place
    is_there = at.section in {None, place.section} and at.round in {None, place.round}
    return is_there and set(at.seats) <= set(place.seats)


def _held_by_codes(
    waits: Mapping[int, Sequence[Finding]], codes: Sequence[str], at: Place
) -> dict[int, list[Finding]]:
    """Return the warnings of some codes by the reports that they hold back."""
    for code in codes:
        if not any(
            finding.code == code and _is_at(finding, at)
            for findings in waits.values()
            for finding in findings
        ):
            raise refused("accepted-in-vain.in-no-report", Place(code=code))
    chosen = {
        number: [finding for finding in findings if finding.code in codes and _is_at(finding, at)]
        for number, findings in waits.items()
    }
    return {number: findings for number, findings in chosen.items() if findings}


def _taken_text(warnings: Mapping[int, Sequence[Finding]]) -> str:
    """Return how many findings of which codes would be accepted in which reports."""
    lines = []
    for number, findings in list(warnings.items())[:MOST_TAKEN_SHOWN]:
        of_code: dict[str, list[Finding]] = {}
        for finding in findings:
            of_code.setdefault(finding.code, []).append(finding)
        words = (f"{code} ({_places_text(those)})" for code, those in of_code.items())
        lines.append(f"{counted(len(findings), 'finding')} in report {number}: {', '.join(words)}")
    if len(warnings) > MOST_TAKEN_SHOWN:
        lines.append(f"and {len(warnings) - MOST_TAKEN_SHOWN:,} more submissions")
    total = sum(map(len, warnings.values()))
    if len(warnings) > 1:
        lines.append(f"Together {counted(total, 'finding')} in {counted(len(warnings), 'submission')}.")
    return "\n".join(lines)


def _places_text(findings: Sequence[Finding]) -> str:
    places = [one.where for one in findings]
    more = f"; and {len(places) - MOST_PLACES_SHOWN:,} more" if len(places) > MOST_PLACES_SHOWN else ""
    return "; ".join(places[:MOST_PLACES_SHOWN]) + more


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < MOST_DIGITS


def _check_accepting(numbers: Sequence[int], codes: Sequence[str], *, everywhere: bool) -> None:
    """End with a usage error where it is not clear what is to be accepted."""
    known = {name.partition(".")[0] for name in texts()} | {ALL}
    for code in codes:
        if code not in known:
            raise click.UsageError(
                f"{code!r} is neither the number of a submission nor the code of a finding;"
                " ratebook book queue --summary lists the codes."
            )
    if not codes:
        raise click.UsageError("Name the codes to accept, such as report-late, or all.")
    if everywhere and (numbers or ALL in codes):
        raise click.UsageError(
            "--all takes codes alone: it accepts them in every report that they hold back."
        )
    if not everywhere and not numbers:
        raise click.UsageError("Name the submissions by their numbers, or give --all.")


def _accepted_lines(accepted: Acceptance, held_by: Mapping[int, str]) -> Iterator[str]:
    """Yield what became of the submissions: the one, or how many are ready and what holds the others back."""
    ready = [number for number, status in accepted.statuses.items() if status is Status.READY]
    if len(accepted.statuses) == 1 and ready:
        yield f"Report {ready[0]}: ready to be rated."
    elif ready:
        yield f"{counted(len(ready), 'report is', 'reports are')} ready to be rated."
    for number, status in accepted.statuses.items():
        if status is not Status.READY:
            yield f"Report {number}: still held back by {held_by[number]}."


@command_of(REJECT, reason_option, json_option)
def reject_command(number: int, reason: str) -> None:
    """Reject a submission."""
    with open_session() as session:
        REJECT.done(session.book, Reason(session.actor, reason), {"number": number}, today())
    content = {"submission": number, "status": Status.REJECTED}
    show("book-reject", content, f"Report {number} is rejected.")
