"""The own account: where one is signed in, the password, the second factor."""

from collections.abc import Sequence

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.findings import Finding
from ratebook.web.account.attempt import NEW_PASSWORD, PASSWORD, WHOSE, attempt
from ratebook.web.account.first_password import refusals_here
from ratebook.web.forms.desk import UNPROCESSABLE, Desk, TheDesk
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.gate.passwords import SALT_BYTES, hashed
from ratebook.web.gate.visitors import address_of, renew, session_cookie
from ratebook.web.rooms import onward
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.accounts import set_password
from ratebook.web.store.log import LogKind
from ratebook.web.store.sessions import end_session, end_sessions, sessions_of

CURRENT = PASSWORD._replace(name="current", label="Password now")
HINT = "At least 8 characters; 15 or more are better. Other browsers are signed out."
INPUTS = (WHOSE, CURRENT, NEW_PASSWORD._replace(label="New password", hint=HINT))


@shown_to(Needs.ACCOUNT, "/account", incomplete=True)
def account(desk: TheDesk) -> Response[bytes]:
    """Show the own account."""
    return _page(desk)


@done_by(Needs.ACCOUNT, "/account/password", incomplete=True)
def change_password(desk: TheDesk) -> Answer:
    """Change the password: other sessions end, and this one has a new token."""
    own, gate, chosen = desk.visitor.account, desk.gate, desk.sent.secret(NEW_PASSWORD.name)
    if wrong := refusals_here(desk.site, own, chosen):
        return _page(desk, wrong)
    current = desk.sent.secret(CURRENT.name)
    done = attempt(gate, own.name, current, None, address_of(desk.request), LogKind.CONFIRMED)
    if done.account is None:
        return _page(desk, [done.mistake("password-not-given.now", CURRENT.name)])
    password = hashed(chosen, gate.random(SALT_BYTES))
    with gate.store.writing() as connection:
        set_password(connection, own.id, password)
        end_sessions(connection, own.id, besides=desk.visitor.session.id)
        token = renew(connection, gate, desk.visitor)
        desk.note(connection, LogKind.PASSWORD_SET)
    answer = onward("/account")
    answer.set_cookie(session_cookie(token))
    return answer


@done_by(Needs.ACCOUNT, "/account/sessions/{number:int}/end", incomplete=True)
def end_own_session(desk: TheDesk, number: FromPath[int]) -> Redirect:
    """End a session of the own account; there are no others."""
    with desk.gate.store.writing() as connection:
        if not end_session(connection, desk.visitor.account.id, number):
            raise NotFoundException
        desk.note(connection, LogKind.SESSION_ENDED)
    return onward("/account")


def _page(desk: Desk, findings: Sequence[Finding] = ()) -> Response[bytes]:
    with desk.gate.store.reading() as connection:
        sessions = sessions_of(connection, desk.visitor.account.id, desk.gate.now())
    values = {WHOSE.name: desk.visitor.account.name}
    return desk.page(
        "account/account.html",
        status=UNPROCESSABLE if findings else 200,
        sessions=sessions,
        form=Form("/account/password", "Change the password", INPUTS, values, findings),
        complete=desk.visitor.complete(desk.gate),
    )
