"""The preview of a report: its problems, the ratings it would give, and sending it."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.findings import Place, has_errors
from ratebook.model import Report, System
from ratebook.office.queue.preview import Preview
from ratebook.pages.crosstable import SYSTEM_TITLES, crosstable_columns
from ratebook.pages.submission import FoldedFinding, folded_now
from ratebook.rating.explanation.public import explain_in_public
from ratebook.rating.results import RatedSection
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.reports.draft import can_be_typed
from ratebook.reports.load import LoadedReport
from ratebook.web.director.links import PREVIEW, PREVIEWS, SUBMISSION, TYPED_REPORT, TYPED_SECTION, WHY
from ratebook.web.findings import FindingPlace, ShownFinding, shown_findings
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.once import Answer
from ratebook.web.rendering import HtmlTable, html_table
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import ElsewhereError
from ratebook.web.site import Reader
from ratebook.web.trial.kept import Trial, forget, kept
from ratebook.web.trial.previews import Previews
from ratebook.web.trial.sending import send


class Due(NamedTuple):
    """Until when a report is taken without asking; *left* is negative where that is over."""

    day: date
    left: int


@shown_to(Needs.DIRECTOR, PREVIEW, costly=True)
def preview_page(context: TheContext, name: FromPath[str]) -> Response[bytes]:
    """Show a report that is tried."""
    return _page(context, name)


@shown_to(Needs.DIRECTOR, f"{PREVIEWS}/{{name:str}}/why/{{number:int}}/{{seat:int}}", costly=True)
def preview_why(
    context: TheContext,
    name: FromPath[str],
    number: FromPath[int],
    seat: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[bytes]:
    """Explain a rating of a preview, as anyone may read it."""
    trial = kept(context.gate, context.visitor.account, name)
    if trial.loaded is None:
        raise NotFoundException
    with context.site.reading() as reader:
        shown = _preview(context, reader, trial, trial.loaded)
        rulebook = reader.federation.rulebook
    explanations = [
        explanation
        for section in shown.sections
        if section.section.number == number and system in {None, section.system}
        if (number, section.system, seat) not in shown.withheld
        if (explanation := explain_in_public(section, seat, rulebook)) is not None
    ]
    if not explanations:
        raise NotFoundException
    return context.page(
        "director/why.html",
        name=name,
        title=trial.title,
        number=number,
        player=explanations[0].name or explanations[0].player,
        explanations=explanations,
        documents=rulebook.documents,
    )


@done_by(Needs.DIRECTOR, f"{PREVIEWS}/{{name:str}}/send", costly=True)
def send_preview(context: TheContext, name: FromPath[str]) -> Answer:
    """Send a report into the queue of the office, once."""

    def work() -> str:
        account = context.visitor.account
        trial = kept(context.gate, account, name)
        if trial.loaded is None:
            return TYPED_REPORT(name)
        sent = send(context.site, context.gate, account, context.because.actor, trial, trial.loaded)
        if sent.number is None:
            raise RefusedError(sent.findings)
        forget(context.gate, account, name)
        return SUBMISSION(sent.number)

    return context.decide((), work, lambda refused: _page(refused, name))


def _preview(context: RequestContext, reader: Reader, trial: Trial, loaded: LoadedReport) -> Preview:
    previews: Previews = context.request.app.state.previews
    return previews.of(context.site, reader, context.visitor.account, trial, loaded)


def _page(context: RequestContext, name: str) -> Response[bytes]:
    trial = kept(context.gate, context.visitor.account, name)
    if trial.loaded is None:
        raise ElsewhereError(TYPED_REPORT(name))
    with context.site.reading() as reader:
        shown = _preview(context, reader, trial, trial.loaded)
        days = reader.federation.profile.checks.days_to_report
    report = shown.examined.report or trial.loaded.report
    findings = folded_now(shown.findings)
    typed = trial.draft is not None
    return context.page(
        "director/preview.html",
        name=name,
        title=trial.title,
        trial=trial,
        report=report,
        revision=shown.revision,
        known=shown.examined.known,
        findings=shown_to_sender(report, [each for each in findings if each.holds], name if typed else ""),
        notes=shown_to_sender(report, [each for each in findings if not each.holds], name if typed else ""),
        held=has_errors(shown.findings),
        tables=[_table(name, *pair) for pair in zip(shown.sections, shown.tables(), strict=True)],
        withheld=bool(shown.withheld),
        due=due_of(report, days, context.site.today()),
        can_be_typed=typed or (trial.loaded.report is not None and can_be_typed(trial.loaded.report)),
        refused=context.findings,
        one=context.form(f"{PREVIEW(name)}/send", "Send to the office")._replace(findings=()),
    )


def due_of(report: Report | None, days: int, today: date) -> Due | None:
    """Return until when a report is taken without asking; None where it does not say when it ended."""
    sections = () if report is None else report.sections
    last = max((one.end for one in sections), default=None)
    return None if last is None else due(last, days, today)


def due(last: date, days: int, today: date) -> Due:
    """Return until when a report of what ended on a day is taken without asking."""
    day = last + timedelta(days=days)
    return Due(day, (day - today).days)


def shown_to_sender(
    report: Report | None, findings: Sequence[FoldedFinding], typed: str = ""
) -> list[ShownFinding]:
    """Return findings with the players of a *report* named, and led to their fields where it is *typed*."""
    sections = () if report is None else report.sections
    of_seat = {(one.number, entry.seat): entry.player for one in sections for entry in one.entries}
    seats = {at: report.players[player].name for at, player in of_seat.items()} if report is not None else {}
    ids = {player: at for at, player in of_seat.items()}
    numbers = {number for number, _ in seats}

    def place(found_at: Place) -> FindingPlace:
        text, section, in_round = str(found_at), found_at.section or 0, found_at.round
        at = ids.get(found_at.players[0]) if found_at.players else None
        at = (section, found_at.seats[0]) if found_at.seats else at
        name = seats.get(at, "") if at else ""
        named = text if not name or name in text else f"{text} ({name})"
        if not typed:
            return FindingPlace(named, "")
        if at is None:
            return FindingPlace(
                named, TYPED_SECTION(typed, section) if section in numbers else TYPED_REPORT(typed)
            )
        field = f"r{in_round}" if in_round else "id"
        return FindingPlace(named, f"{TYPED_SECTION(typed, at[0])}#p{at[1]}-{field}" if at in seats else "")

    return shown_findings(findings, place, lambda finding: finding.for_sender)


def _table(name: str, rated: RatedSection, shown: Crosstable) -> HtmlTable:
    number = rated.section.number

    def why(row: CrosstableLine) -> str:
        return "" if row.withheld else WHY(name, number, row.seat, system=rated.system)

    caption = ", ".join(filter(None, (f"Section {number}", shown.section_name, SYSTEM_TITLES[shown.system])))
    return html_table(
        f"{caption}: not official", crosstable_columns(shown.lines), shown.lines, {"After": why}, heads="Name"
    )
