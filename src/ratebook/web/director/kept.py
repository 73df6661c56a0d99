"""Forms that were sent after their session had ended, done when their account has signed in again."""

from litestar.exceptions import NotFoundException
from litestar.response import Redirect

from ratebook.web.director.links import HOME, TYPED
from ratebook.web.director.typed.event import make_typed, save_event
from ratebook.web.director.typed.rounds import save_round
from ratebook.web.director.typed.section import save_section
from ratebook.web.director.upload import make_preview
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.once import Answer
from ratebook.web.interrupted import sent_in
from ratebook.web.routing import Needs, shown_to
from ratebook.web.signed_in import INTERRUPTED, onward
from ratebook.web.store.interrupted import forget_interrupted, interrupted_forms


@shown_to(Needs.DIRECTOR, INTERRUPTED, costly=True)
def go_on(context: TheContext) -> Answer:
    """Do what the visitor sent after the session had ended, and lead to where the last of it leads.

    The forms are the visitor's own, who sent them from pages of this site; each is done once.
    """
    gate, account = context.gate, context.visitor.account
    with gate.store.writing() as connection:
        waiting = interrupted_forms(connection, account.id, gate.now())
        forget_interrupted(connection, account.id)
    answer: Answer = onward(HOME)
    for form in waiting:
        try:
            answer = _done(context._replace(sent=sent_in(form)), form.path)
        except NotFoundException:  # it was typed more than a day ago
            continue
    return answer


def _done(context: RequestContext, path: str) -> Answer:
    match path.split("/")[2:]:
        case ["previews"]:
            return make_preview(context)
        case ["type"]:
            return _back(make_typed(context))
        case ["type", name]:
            return _back(save_event(context, name))
        case ["type", name, number]:
            return _back(save_section(context, name, int(number)))
        case ["type", name, number, "round", played]:
            return _back(save_round(context, name, int(number), int(played)))
    raise NotFoundException


def _back(answer: Answer) -> Answer:
    """Return an answer whose page says that the session had ended, if it leads to what is typed."""
    if not isinstance(answer, Redirect) or not answer.url.startswith(TYPED):
        return answer
    address, hash_sign, place = answer.url.partition("#")
    return onward(f"{address}{'&' if '?' in address else '?'}back=yes{hash_sign}{place}")
