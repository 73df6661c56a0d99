"""The password once more, before what should not be done by whoever finds an open browser."""

from typing import Annotated

from litestar import Response
from litestar.params import QueryParameter

from ratebook.web.account.attempt import ONWARD_TO, PASSWORD, WHOSE, attempt
from ratebook.web.forms.context import TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.gate.visitors import address_of, renew, session_cookie
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward, own_address
from ratebook.web.store.log import LogKind


@shown_to(Needs.ACCOUNT, "/account/again", incomplete=True)
def again(context: TheContext, onward_to: Annotated[str, QueryParameter(name="to")] = "") -> Response[bytes]:
    """Ask for the password."""
    values = {WHOSE.name: context.visitor.account.name, ONWARD_TO.name: own_address(onward_to)}
    form = Form("/account/again", "Continue", (WHOSE, PASSWORD, ONWARD_TO), values, context.findings)
    return context.page("account/again.html", form=form)


@done_by(Needs.ACCOUNT, "/account/again", incomplete=True)
def give_again(context: TheContext) -> Answer:
    """Take the password, and go on; the session has a new token."""
    own, to = context.visitor.account, own_address(context.sent.text(ONWARD_TO.name))
    password = context.sent.secret(PASSWORD.name)
    outcome = attempt(context.gate, own.name, password, None, address_of(context.request), LogKind.CONFIRMED)
    if outcome.account is None:
        mistake = outcome.mistake("password-not-given.now", PASSWORD.name)
        return again(context.refused([mistake], outcome.status), to)
    with context.gate.store.writing() as connection:
        token = renew(connection, context.gate, context.visitor)
    answer = onward(to or context.visitor.home)
    answer.set_cookie(session_cookie(token))
    return answer
