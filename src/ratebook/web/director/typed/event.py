"""The event of a report that is typed, and the list of its sections."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.reports.draft import MOST_SECTIONS, Draft, DraftSection, can_be_typed, draft_of, native_of
from ratebook.web.director.links import PREVIEW, PREVIEWS, SUBMISSION, TYPED, TYPED_REPORT, TYPED_SECTION
from ratebook.web.director.typed.mistakes import (
    EVENT,
    SECTION,
    TypedSection,
    event_inputs,
    event_mistakes,
    incomplete,
    mistakes_of,
)
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import ElsewhereError, onward
from ratebook.web.trial.kept import Trial, change, keep, kept
from ratebook.web.trial.reading import read_in_child

TYPED_FILE = "typed.json"


@shown_to(Needs.DIRECTOR, TYPED)
def new_typed(context: TheContext) -> Response[bytes]:
    """Ask for an event."""
    account = context.visitor.account
    affiliate = account.affiliates[0] if account.affiliates else ""
    return _begun(context, {"affiliate": affiliate, "chief_td": account.member_id})


@done_by(Needs.DIRECTOR, TYPED, costly=True)
def make_typed(context: TheContext) -> Answer:
    """Keep an event that is begun, with its first section."""
    wrong = context.sent.wrong(EVENT[:1])
    if wrong:
        return _begun(context.refused(wrong), _texts(context.sent))
    draft = _with_section(Draft(_texts(context.sent)))
    name = keep(context.gate, context.visitor.account, Trial(TYPED_FILE, draft=draft))
    return onward(TYPED_SECTION(name, 1) if context.sent.text("do") == "section" else TYPED_REPORT(name))


@shown_to(Needs.DIRECTOR, TYPED_REPORT, costly=True)
def typed_event(context: TheContext, name: FromPath[str], check: FromQuery[str] = "") -> Response[bytes]:
    """Show an event that is typed; *check* also says what is missing."""
    trial, draft = typed_report(context, name)
    with context.site.reading() as reader:
        listed = [TypedSection(one, len(mistakes_of(reader, one))) for one in draft.sections]
    missing = bool(check)
    mistakes = [*event_mistakes(draft, missing=missing)]
    if missing:
        mistakes += list(incomplete(listed))
    return context.page(
        "director/typed_event.html",
        name=name,
        trial=trial,
        one=Form(TYPED_REPORT(name), "Save", event_inputs(context.visitor.account), draft.event, mistakes),
        sections=listed,
    )


@done_by(Needs.DIRECTOR, TYPED_REPORT, costly=True)
def save_event(context: TheContext, name: FromPath[str]) -> Answer:
    """Keep what was typed of an event, and do what its button says."""
    trial, draft = typed_report(context, name)
    draft = draft._replace(event=_texts(context.sent))
    action, _, number = context.sent.text("do").partition(" ")
    if action == "section":
        draft = _with_section(draft)
    elif action == "remove":
        draft = draft._replace(sections=tuple(one for one in draft.sections if str(one.number) != number))
    if action != "preview":
        change(context.gate, context.visitor.account, name, trial._replace(draft=draft, loaded=None))
        added = action == "section"
        return onward(TYPED_SECTION(name, draft.sections[-1].number) if added else TYPED_REPORT(name))
    return previewed(context, name, trial._replace(draft=draft))


@done_by(Needs.DIRECTOR, f"{PREVIEWS}/{{name:str}}/type", costly=True)
def open_typed(context: TheContext, name: FromPath[str]) -> Answer:
    """Open a report that was uploaded in the form."""
    trial = kept(context.gate, context.visitor.account, name)
    if trial.draft is None:
        if trial.loaded is None or trial.loaded.report is None or not can_be_typed(trial.loaded.report):
            raise NotFoundException
        change(
            context.gate, context.visitor.account, name, trial._replace(draft=draft_of(trial.loaded.report))
        )
    return onward(TYPED_REPORT(name))


def typed_report(context: RequestContext, name: str) -> tuple[Trial, Draft]:
    """Return a report that the visitor types.

    Raises:
        ElsewhereError: it was sent.
        NotFoundException: there is none of this name.
    """
    trial = kept(context.gate, context.visitor.account, name)
    if trial.submission is not None:
        raise ElsewhereError(SUBMISSION(trial.submission))
    if trial.draft is None:
        raise NotFoundException
    return trial, trial.draft


def previewed(context: RequestContext, name: str, trial: Trial) -> Answer:
    """Keep a report as it was typed, and lead to its preview, or to what is missing."""
    draft = trial.draft
    assert draft is not None, "it is typed"  # noqa: S101 - tells the type checker
    with context.site.reading() as reader:
        listed = [TypedSection(one, len(mistakes_of(reader, one))) for one in draft.sections]
    if any(event_mistakes(draft, missing=True)) or any(incomplete(listed)):
        change(context.gate, context.visitor.account, name, trial._replace(loaded=None))
        return onward(f"{TYPED_REPORT(name)}?check=yes")
    loaded = read_in_child(native_of(draft), trial.source)
    change(context.gate, context.visitor.account, name, trial._replace(loaded=loaded))
    return onward(PREVIEW(name))


def _begun(context: RequestContext, values: dict[str, str]) -> Response[bytes]:
    form = Form(TYPED, "Save", event_inputs(context.visitor.account), values, context.findings)
    return context.page("director/typed_event.html", name="", one=form, sections=[])


def _texts(form: Sent) -> dict[str, str]:
    return {one.name: form.text(one.name) for one in EVENT}


def _with_section(draft: Draft) -> Draft:
    if len(draft.sections) >= MOST_SECTIONS:
        return draft
    number = max((one.number for one in draft.sections), default=0) + 1
    last = draft.sections[-1] if draft.sections else None
    texts = {one.name: "" for one in SECTION}
    if last is None:
        section = DraftSection(number, texts | {"type": "swiss"})
    else:
        alike = {
            name: last.texts.get(name, "") for name in ("time_control", "type", "online", "start", "end")
        }
        section = DraftSection(number, texts | alike, last.rounds)
    return draft._replace(sections=(*draft.sections, section))
