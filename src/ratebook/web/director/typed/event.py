"""The event of a report that is typed, and the list of its sections."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.reports.draft import MOST_SECTIONS, Draft, DraftSection, can_be_typed, draft_of, native_of
from ratebook.reports.merging import merged
from ratebook.web.director.links import PREVIEW, PREVIEWS, SUBMISSION, TYPED, TYPED_REPORT, TYPED_SECTION
from ratebook.web.director.typed.fields import KEEP, kept_answer, seen_in, seen_text, texts_in
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
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import ElsewhereError, onward
from ratebook.web.trial.kept import Trial, change, keep, kept, with_brought
from ratebook.web.trial.reading import read_in_child

TYPED_FILE = "typed.json"
LABELS = {asked.name: asked.label for asked in EVENT}


@shown_to(Needs.DIRECTOR, TYPED)
def new_typed(context: TheContext) -> Response[bytes]:
    """Ask for an event."""
    return _begun(context, _texts_at_first(context))


def _texts_at_first(context: RequestContext) -> dict[str, str]:
    account = context.visitor.account
    return {"affiliate": account.affiliates[0] if account.affiliates else "", "chief_td": account.member_id}


@done_by(Needs.DIRECTOR, TYPED, costly=True, lasting=True)
def make_typed(context: TheContext) -> Answer:
    """Keep an event that is begun, with its first section; a script begins one as soon as a field was left."""
    wrong = context.sent.wrong(EVENT[:1])
    by_script = context.sent.text("do") == KEEP
    # A script sends what was typed, not what the form said at first.
    at_first = _texts_at_first(context) if by_script else {}
    texts = at_first | texts_in(context.sent, tuple(LABELS))
    if wrong and not by_script:
        return _begun(context.refused(wrong), texts)
    draft = Draft(texts) if by_script else _with_section(Draft(texts))
    name = keep(context.gate, context.visitor.account, Trial(TYPED_FILE, draft=draft))
    if by_script:
        return kept_answer({}, address=TYPED_REPORT(name))
    goes_on = context.sent.text("do") == "section" and not any(event_mistakes(draft, missing=False))
    return onward(TYPED_SECTION(name, 1) if goes_on else TYPED_REPORT(name))


@shown_to(Needs.DIRECTOR, TYPED_REPORT, costly=True)
def typed_event(
    context: TheContext,
    name: FromPath[str],
    check: FromQuery[str] = "",
    news: FromQuery[str] = "",
    back: FromQuery[str] = "",
) -> Response[bytes]:
    """Show an event that is typed; *check* also says what is missing.

    *news* are fields that another window changed since the form was shown; *back* says that the session had ended and
    what was sent then is kept.
    """
    trial, draft = typed_report(context, name)
    listed = _listed(context, draft)
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
        seen=seen_text(draft.event),
        conflicts=[
            (LABELS.get(one.field, one.field), one, draft.event.get(one.field, "")) for one in draft.conflicts
        ],
        news=[(LABELS[field], draft.event.get(field, "")) for field in news.split(" ") if field in LABELS],
        back=bool(back),
        text=trial.text,
    )


@done_by(Needs.DIRECTOR, TYPED_REPORT, costly=True, lasting=True)
def save_event(context: TheContext, name: FromPath[str]) -> Answer:
    """Keep what was typed of an event, do what its button says, and lead to what it looks like then."""
    trial, draft = typed_report(context, name)
    merge = merged(draft.event, texts_in(context.sent, tuple(LABELS)), seen_in(context.sent))
    fresh = {each.field for each in merge.conflicts}
    older = (each for each in draft.conflicts if each.field not in fresh)
    draft = draft._replace(event=merge.texts, conflicts=(*older, *merge.conflicts))
    action, _, argument = context.sent.text("do").partition(" ")
    if action == "section" and any(event_mistakes(draft, missing=False)):
        action = ""
    if action == "section":
        draft = _with_section(draft)
    elif action == "remove":
        draft = draft._replace(sections=tuple(one for one in draft.sections if str(one.number) != argument))
    elif action in {"use", "leave"}:
        draft = _decided(draft, argument, take=action == "use")
    if action == "preview" and not draft.conflicts:
        return previewed(context, name, trial._replace(draft=draft))
    change(context.gate, context.visitor.account, name, trial.typed(draft))
    if action == KEEP:
        return kept_answer({})
    if action == "section":
        return onward(TYPED_SECTION(name, draft.sections[-1].number))
    return onward(TYPED_REPORT(name, news=" ".join(merge.news)) if merge.news else TYPED_REPORT(name))


def _decided(draft: Draft, field: str, *, take: bool) -> Draft:
    conflict = next((each for each in draft.conflicts if each.field == field), None)
    if conflict is None:
        return draft
    event = {**draft.event, field: conflict.typed} if take else draft.event
    return draft._replace(
        event=event, conflicts=tuple(each for each in draft.conflicts if each is not conflict)
    )


@done_by(Needs.DIRECTOR, f"{PREVIEWS}/{{name:str}}/type", costly=True)
def open_typed(context: TheContext, name: FromPath[str]) -> Answer:
    """Open a report that was uploaded in the form; of one that cannot be read, the text appears beside the form."""
    trial = unsent(context, name)
    if trial.draft is None:
        report = None if trial.loaded is None else trial.loaded.report
        if report is None:
            opened = trial._replace(draft=_with_section(Draft(_texts_at_first(context))), loaded=None)
        elif can_be_typed(report):
            draft = draft_of(report)
            own = {
                field: text for field, text in _texts_at_first(context).items() if not draft.event.get(field)
            }
            opened = trial.in_form(draft._replace(event=draft.event | own))
        else:
            raise NotFoundException
        change(context.gate, context.visitor.account, name, opened)
    return onward(TYPED_REPORT(name))


def _listed(context: RequestContext, draft: Draft) -> list[TypedSection]:
    """Return the sections of a draft, each with the number of its mistakes."""
    with context.site.reading() as reader:
        return [TypedSection(one, len(mistakes_of(reader, one))) for one in draft.sections]


def typed_report(context: RequestContext, name: str) -> tuple[Trial, Draft]:
    """Return a report that the visitor types.

    Raises:
        ElsewhereError: it was sent.
        NotFoundException: there is none of this name.
    """
    trial = unsent(context, name)
    if trial.draft is None:
        raise NotFoundException
    return trial, trial.draft


def unsent(context: RequestContext, name: str) -> Trial:
    """Return what the visitor tries.

    Raises:
        ElsewhereError: it was sent.
        TrialGone: there is none of this name.
    """
    trial = kept(context.gate, context.visitor.account, name)
    if trial.submission is not None:
        raise ElsewhereError(SUBMISSION(trial.submission))
    return trial


def previewed(context: RequestContext, name: str, trial: Trial) -> Answer:
    """Keep a report as it was typed, and lead to its preview, or to what is missing."""
    draft = trial.draft
    assert draft is not None, "it is typed"  # noqa: S101 - tells the type checker
    listed = _listed(context, draft)
    if any(event_mistakes(draft, missing=True)) or any(incomplete(listed)):
        change(context.gate, context.visitor.account, name, trial._replace(loaded=None))
        return onward(f"{TYPED_REPORT(name)}?check=yes")
    return read_again(context, name, trial, draft)


def read_again(context: RequestContext, name: str, trial: Trial, draft: Draft) -> Answer:
    """Keep a report as it was changed in the form, and lead to its preview."""
    loaded = with_brought(read_in_child(native_of(draft), trial.source), trial.brought)
    change(context.gate, context.visitor.account, name, trial._replace(draft=draft, loaded=loaded))
    return onward(PREVIEW(name))


def _begun(context: RequestContext, values: dict[str, str]) -> Response[bytes]:
    form = Form(TYPED, "Save", event_inputs(context.visitor.account), values, context.findings)
    return context.page(
        "director/typed_event.html",
        name="",
        one=form,
        sections=[],
        seen=seen_text(values),
        conflicts=(),
        news=(),
        back=False,
        text="",
    )


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
