"""The pages of corrections: the kinds, a form that is tried first, and the decision on the book that was seen."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from litestar import Request, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.connection import Book
from ratebook.book.failures import BookError
from ratebook.findings import ALL, Finding
from ratebook.office.action import Action
from ratebook.office.decisions.actions import DECISIONS
from ratebook.office.decisions.revision import NOT_ACCEPTED, DecisionResult
from ratebook.office.trials import SECTIONS_TRIED, DecisionTrial, try_decision
from ratebook.web.failures import MOVED
from ratebook.web.forms.acceptance import accepted_keys, boxes_of, checked_boxes
from ratebook.web.forms.actions import fitting_values, inputs_of
from ratebook.web.forms.context import REASON, UNPROCESSABLE, RefusedError, RequestContext, TheContext, made
from ratebook.web.forms.inputs import Button, Form, Input, hidden
from ratebook.web.forms.once import Answer
from ratebook.web.jobs.registry import RERATE
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.office.corrections.subjects import member_in, subject_in
from ratebook.web.office.links import CORRECTION, CORRECTIONS, DECISION, JOB
from ratebook.web.office.rerate import changes_table, pending_table
from ratebook.web.routing import Needs, done_by, shown_to

MARKED_SHOWN = 50
AND_RERATE = Button("rerate", "Record and re-rate")
"""Sends the revision of the book after the decision, on which alone the re-rating that was shown is done."""
AnyRequest = Request[Any, Any, Any]
BY_WORD = {action.word: action for actions in DECISIONS.values() for action in actions}


class TriedDecision(NamedTuple):
    """What came of trying a decision: *trial* is None where it cannot be made."""

    findings: tuple[Finding, ...] = ()
    trial: DecisionTrial | None = None


@shown_to(Needs.OFFICE, CORRECTIONS)
def corrections(context: TheContext) -> Response[bytes]:
    """Show the kinds, of a member those about members; what the address says is handed on to their forms."""
    known = _said(context.request)
    query = urlencode(known)
    with context.site.reading() as reader:
        subject = member_in(reader.connection, known)
    groups = {
        group: [
            (CORRECTION(each.word) + (f"?{query}" if query else ""), each.title, each.plain)
            for each in actions
            if subject is None or _is_about_a_member(each)
        ]
        for group, actions in DECISIONS.items()
    }
    return context.page("office/corrections/kinds.html", subject=subject, groups=groups)


@shown_to(Needs.OFFICE, CORRECTION)
def correction_form(context: TheContext, word: FromPath[str]) -> Response[bytes]:
    """Show the form of a kind, with what the address says filled in."""
    return _page(context.saying(_said(context.request)), word, TriedDecision())


@done_by(Needs.OFFICE, CORRECTION, costly=True)
def try_correction(context: TheContext, word: FromPath[str]) -> Response[bytes]:
    """Show what a decision would change."""
    tried = _tried(context, _action(word))
    return _page(context if tried.trial else context._replace(status=UNPROCESSABLE), word, tried)


@done_by(Needs.OFFICE, f"{CORRECTIONS}/{{word:str}}/decide")
def decide_correction(context: TheContext, jobs: TheJobs, word: FromPath[str]) -> Answer:
    """Decide what was tried, on the book that was seen; where its re-rating was shown, perhaps begin that too."""
    action = _action(word)

    def work() -> str:
        values = fitting_values(action, context.sent)
        tried = _tried(context, action, most=0).trial if checked_boxes(context.sent) else None
        boxes = () if tried is None else boxes_of(tried.result.accepted)
        because = context.because._replace(accepted=accepted_keys(context.sent, boxes))
        result = made(action.done(context.book, because, values, context.site.today()))
        decided = context.sent.whole(AND_RERATE.name)
        if decided is not None:
            return JOB(jobs.ask(RERATE, {}, context.visitor, decided))
        return DECISION(result.decision or 0)

    def again(refused: RequestContext) -> Response[bytes]:
        tried = TriedDecision(tuple(refused.findings))
        if any(finding.code in {*MOVED, NOT_ACCEPTED} for finding in refused.findings):
            # What it would do now is what must be decided about.
            tried = tried._replace(trial=_tried(context, action).trial)
        return _page(refused, word, tried)

    return context.decide(_inputs(action), work, again)


def _action(word: str) -> Action[Book, DecisionResult]:
    """Return an action."""
    if word not in BY_WORD:
        raise NotFoundException
    return BY_WORD[word]


def _is_about_a_member(action: Action[Book, DecisionResult]) -> bool:
    names = {parameter.name for parameter in action.parameters}
    return "member" in names and "event" not in names


def _inputs(action: Action[Book, DecisionResult]) -> tuple[Input, ...]:
    return (*inputs_of(action), REASON)


def _said(request: AnyRequest) -> dict[str, str]:
    """Return what the address says of the inputs of any form."""
    names = {each.name for action in BY_WORD.values() for each in _inputs(action)}
    said = request.query_params
    return {name: said[name] for name in sorted(names) if said.get(name)}


def _tried(
    context: RequestContext, action: Action[Book, DecisionResult], most: int = SECTIONS_TRIED
) -> TriedDecision:
    wrong = context.sent.wrong(_inputs(action))
    if wrong:
        return TriedDecision(wrong)
    try:
        values = fitting_values(action, context.sent)
        # What would have to be accepted is shown with it.
        because, today = context.because._replace(accepted=[ALL]), context.site.today()
        trial = try_decision(
            context.site.book, because.actor, lambda book: action.done(book, because, values, today), most
        )
    except RefusedError as failure:
        return TriedDecision(failure.findings)
    except BookError as failure:
        return TriedDecision((failure.finding,))
    return TriedDecision(trial.result.findings, trial if trial.result.decision is not None else None)


def _page(context: RequestContext, word: str, tried: TriedDecision) -> Response[bytes]:
    action, trial = _action(word), tried.trial
    inputs = _inputs(action)
    address = CORRECTION(word)
    values = context.sent.values(inputs)
    confirm = None
    if trial is not None:
        decided = (*hidden(inputs), *(box.asked for box in boxes_of(trial.result.accepted)))
        confirm = context.form(f"{address}/decide", "Record the decision", decided, revision=trial.revision)
        confirm = confirm._replace(number=1)
        if trial.rerated is not None:
            confirm = confirm._replace(
                button="Record, and re-rate later", more=AND_RERATE._replace(value=str(trial.decided))
            )
    wrong = () if trial is not None else tried.findings
    with context.site.reading() as reader:
        subject = subject_in(reader.connection, values)
        marked = pending_table(
            reader.connection,
            "What would have to be rated again",
            trial.marked[:MARKED_SHOWN] if trial else (),
            has_reasons=False,
        )
    shown = inputs if subject is None else subject.inputs(inputs)
    return context.page(
        "office/corrections/form.html",
        action=action,
        subject=subject,
        form=Form(address, "Preview", shown, values, wrong),
        confirm=confirm,
        trial=trial,
        notes=() if context.findings else tried.findings,
        changes=changes_table("Ratings that would change", trial.rerated)
        if trial is not None and trial.rerated is not None
        else None,
        marked=marked,
        more=len(trial.marked) - MARKED_SHOWN if trial else 0,
    )
