"""The own account: where one is signed in, the password, the second factor."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.web.account.attempt import NEW_PASSWORD, PASSWORD, WHOSE, attempt
from ratebook.web.account.first_password import refusals_here
from ratebook.web.forms.context import TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.gate.passwords import SALT_BYTES, hashed
from ratebook.web.gate.visitors import address_of, renew, session_cookie
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.accounts import set_password
from ratebook.web.store.log import LogKind
from ratebook.web.store.sessions import end_session, end_sessions, sessions_of

CURRENT = PASSWORD._replace(name="current", label="Current password")
HINT = "At least 8 characters; 15 or more are better. Other browsers are signed out."
INPUTS = (WHOSE, CURRENT, NEW_PASSWORD._replace(label="New password", hint=HINT))


@shown_to(Needs.ACCOUNT, "/account", incomplete=True)
def account(context: TheContext, changed: FromQuery[str] = "") -> Response[bytes]:
    """Show the own account; *changed* says that its password was changed just now."""
    with context.gate.store.reading() as connection:
        sessions = sessions_of(connection, context.visitor.account.id, context.gate.now())
    values = {WHOSE.name: context.visitor.account.name}
    return context.page(
        "account/account.html",
        sessions=sessions,
        form=Form("/account/password", "Change the password", INPUTS, values, context.findings),
        complete=context.visitor.complete(context.gate),
        is_changed=bool(changed),
    )


@done_by(Needs.ACCOUNT, "/account/password", incomplete=True)
def change_password(context: TheContext) -> Answer:
    """Change the password: other sessions end, and this one has a new token."""
    own, gate, chosen = context.visitor.account, context.gate, context.sent.secret(NEW_PASSWORD.name)
    if wrong := refusals_here(context.site, own, chosen):
        return account(context.refused(wrong))
    current = context.sent.secret(CURRENT.name)
    done = attempt(gate, own.name, current, None, address_of(context.request), LogKind.CONFIRMED)
    if done.account is None:
        return account(context.refused([done.mistake("password-not-given.now", CURRENT.name)]))
    password = hashed(chosen, gate.random(SALT_BYTES))
    with gate.store.writing() as connection:
        set_password(connection, own.id, password)
        end_sessions(connection, own.id, besides=context.visitor.session.id)
        token = renew(connection, gate, context.visitor)
        context.note(connection, LogKind.PASSWORD_SET)
    answer = onward("/account?changed=yes")
    answer.set_cookie(session_cookie(token))
    return answer


@done_by(Needs.ACCOUNT, "/account/sessions/{number:int}/end", incomplete=True)
def end_own_session(context: TheContext, number: FromPath[int]) -> Redirect:
    """End a session of the own account; there are no others."""
    with context.gate.store.writing() as connection:
        if not end_session(connection, context.visitor.account.id, number):
            raise NotFoundException
        context.note(connection, LogKind.SESSION_ENDED)
    return onward("/account")
