"""The report that is typed: given to its owner, and made into a preview."""

from litestar.exceptions import NotFoundException

from ratebook.reports.draft import Draft, native_of
from ratebook.web.director.links import PREVIEW, TYPED_REPORT
from ratebook.web.director.typed.mistakes import TypedSection, event_mistakes, incomplete, mistakes_of
from ratebook.web.forms.context import RequestContext
from ratebook.web.forms.once import Answer
from ratebook.web.signed_in import onward
from ratebook.web.trial.kept import Trial, change, kept
from ratebook.web.trial.reading import read_in_child


def typed_report(context: RequestContext, name: str) -> tuple[Trial, Draft]:
    """Return a report that the visitor types.

    Raises:
        NotFoundException: there is none of this name.
    """
    trial = kept(context.gate, context.visitor.account, name)
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
