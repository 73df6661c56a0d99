"""One submission: the report beside the book, what holds it back, what became of it, and what can be decided."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.findings import Finding, Place
from ratebook.pages.submission import (
    HISTORY,
    REVISIONS,
    ReportedSection,
    SeatLine,
    SubmissionPage,
    seat_columns,
    submission_page,
)
from ratebook.web.findings import FindingPlace, shown_findings
from ratebook.web.forms.acceptance import boxes_of
from ratebook.web.forms.context import REASON, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import form_key
from ratebook.web.office import links
from ratebook.web.rendering import HtmlTable, html_table
from ratebook.web.routing import Needs, shown_to
from ratebook.web.site import TheSite
from ratebook.web.trial.hints import UNSAID

ACCEPT, REJECT, RECHECK, UPLOAD = "accept", "reject", "recheck", "upload"
FILE = Input("report", "Report", InputKind.FILE, hint="In any format that ratebook reads, at most 8 MB.")
UPLOADED = (FILE, *UNSAID)

Seat: TypeAlias = tuple[int, int]
"""A section and a seat, by their numbers."""


class SentBack(NamedTuple):
    """A form of the page that was refused: which, with what findings and values."""

    which: str
    findings: Sequence[Finding]
    values: Mapping[str, str]
    status: int


@shown_to(Needs.OFFICE, links.SUBMISSION, costly=True)
def submission(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show a submission."""
    return submission_response(context, number)


@shown_to(Needs.OFFICE, f"{links.QUEUE}/{{number:int}}/report.json", costly=True)
def native_report(site: TheSite, number: FromPath[int]) -> Response[bytes]:
    """Give the report of a submission as a file, to be edited and uploaded."""
    with site.reading() as reader:
        submission = submission_page(reader.connection, number)
    if not submission.text:
        raise NotFoundException
    name = f'attachment; filename="report-{number}.json"'
    return Response(
        submission.text.encode(), media_type="application/json", headers={"content-disposition": name}
    )


def submission_response(
    context: RequestContext, number: int, back: SentBack | None = None
) -> Response[bytes]:
    """Return the page of a submission; one of its forms may have been sent *back*."""
    with context.site.reading() as reader:
        submission = submission_page(reader.connection, number)

    seats = {
        (section.section.number, line.seat): line for section in submission.sections for line in section.lines
    }
    players = {line.player: at for at, line in reversed(seats.items())}

    def place(at: Place) -> FindingPlace:
        address = _mended_at(submission, at, seats, players) if submission.waits else ""
        return FindingPlace(_named(at, seats), address)

    return context.page(
        "office/queue/submission.html",
        status=200 if back is None else back.status,
        one=submission,
        number=number,
        findings=shown_findings([finding for finding in submission.findings if finding.holds], place),
        others=shown_findings([finding for finding in submission.findings if not finding.holds], place),
        sections=[(section.section, _table(submission, section)) for section in submission.sections],
        history=html_table("What was done", HISTORY, submission.entries),
        revisions=html_table(
            "Versions of the report",
            REVISIONS,
            submission.revisions,
            {"No.": lambda revision: links.SUBMISSION(revision.id)},
        )
        if len(submission.revisions) > 1
        else None,
        offered=_forms(context, submission, back) if submission.waits else {},
        back=back,
    )


def _forms(context: RequestContext, submission: SubmissionPage, back: SentBack | None) -> dict[str, Form]:
    address = links.SUBMISSION(submission.line.number)
    offered: dict[str, tuple[str, tuple[Input, ...]]] = {
        RECHECK: ("Check again", ()),
        REJECT: ("Reject the report", (REASON,)),
        UPLOAD: ("Upload", UPLOADED),
    }
    if submission.open_warnings:
        boxes = (one.asked for one in boxes_of(submission.open_warnings))
        offered[ACCEPT] = ("Accept", (*boxes, REASON))
    sent = back if back is not None else SentBack("", (), {}, 200)
    return {
        which: Form(
            f"{address}/{which}",
            button,
            inputs,
            sent.values if sent.which == which else {},
            sent.findings if sent.which == which else (),
            form_key(context.gate),
            number=at,
        )
        for at, (which, (button, inputs)) in enumerate(offered.items(), start=1)
    }


def _table(submission: SubmissionPage, reported: ReportedSection) -> HtmlTable:
    """Return a section, from which its players and results lead to where they can be mended."""
    number, section = submission.line.number, reported.section.number
    rounds = max((len(line.rounds) for line in reported.lines), default=0)
    mended = {
        "ID": lambda line: links.FIX_SEAT(number, section, line.seat),
        **{f"R{at}": _led_to_game(number, section, at) for at in range(1, rounds + 1)},
    }
    caption = ", ".join(filter(None, (f"Section {section}", reported.section.name)))
    return html_table(
        caption,
        seat_columns(reported.lines),
        reported.lines,
        mended if submission.waits else {},
        heads="Name",
    )


def _led_to_game(number: int, section: int, in_round: int) -> Callable[[SeatLine], str]:
    return lambda line: links.FIX_GAME(number, section, line.seat, in_round)


def _named(place: Place, seats: Mapping[Seat, SeatLine]) -> str:
    """Return a place with the name of the player whose seat it is."""
    line = seats.get((place.section or 0, place.seats[0])) if place.seats else None
    return str(place) if line is None else f"{place} ({line.name or line.player})"


def _mended_at(
    submission: SubmissionPage, place: Place, seats: Mapping[Seat, SeatLine], players: Mapping[str, Seat]
) -> str:
    """Return where what a finding says of a place can be mended, if it is one of the report."""
    number = submission.line.number
    if place.section is None:
        at = players.get(place.players[0]) if place.players else None
        return "" if at is None else links.FIX_SEAT(number, *at)
    if not place.seats:
        here = any(place.section == one.section.number for one in submission.sections if one.lines)
        return links.FIX_SECTION(number, place.section) if here else ""
    line = seats.get((place.section, place.seats[0]))
    if line is None:
        return ""
    if place.round is not None and 0 < place.round <= len(line.rounds):
        return links.FIX_GAME(number, place.section, line.seat, place.round)
    return links.FIX_SEAT(number, place.section, line.seat)
