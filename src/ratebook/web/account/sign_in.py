"""Signing in and signing out."""

from collections.abc import Sequence
from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import FromQuery, QueryParameter
from litestar.response import Redirect

from ratebook.findings import Finding
from ratebook.web.account.attempt import CODE, ONWARD_TO, PASSWORD, attempt
from ratebook.web.forms.context import TheContext
from ratebook.web.forms.inputs import Form, Input
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import TheForm
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import (
    HOME,
    address_of,
    digest_of,
    ended_cookie,
    session_cookie,
    session_token,
    sign_in_as,
)
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import INTERRUPTED, onward, own_address, signed_in_page
from ratebook.web.site import Site, TheSite
from ratebook.web.store.interrupted import interrupted_forms
from ratebook.web.store.log import LogKind
from ratebook.web.store.sessions import end_session, find_session

FORGET = {"clear-site-data": '"cache", "cookies", "storage"'}
NAME = Input("name", "Name", complete="username")
SECOND_FACTOR = "If your account has a second factor: six digits from your app, or a recovery code."
INPUTS = (NAME, PASSWORD, CODE._replace(hint=SECOND_FACTOR, needed=False), ONWARD_TO)


@shown_to(Needs.NOBODY, "/sign-in")
def sign_in_page(
    site: TheSite, onward_to: Annotated[str, QueryParameter(name="to")] = "", ended: FromQuery[str] = ""
) -> Response[bytes]:
    """Ask for name, password and code; *ended* says why there is no session, and what became of a form."""
    return _page(site, "", own_address(onward_to), ended=ended)


@done_by(Needs.NOBODY, "/sign-in")
def sign_in(request: Request[Any, Any, Any], site: TheSite, gate: TheGate, form: TheForm) -> Answer:
    """Sign in, with a new token; what exactly was wrong is not said."""
    name, to = form.text(NAME.name), own_address(form.text(ONWARD_TO.name))
    outcome = attempt(gate, name, form.secret(PASSWORD.name), form.text(CODE.name), address_of(request))
    if outcome.account is None:
        refused = _page(
            site, name, to, [outcome.mistake("password-not-given.sign-in", "sign-in")], outcome.status
        )
        if outcome.wait_seconds:
            refused.headers["retry-after"] = str(outcome.wait_seconds)
        return refused
    with gate.store.writing() as connection:
        before = find_session(connection, digest_of(session_token(request)), gate.now())
        if before is not None:
            end_session(connection, before[1].id, before[0].id)
        token = sign_in_as(connection, gate, outcome.account.id, request.headers.get("user-agent", ""))
        waiting = interrupted_forms(connection, outcome.account.id, gate.now())
    answer = onward(INTERRUPTED if waiting else to or HOME[outcome.account.role])
    answer.set_cookie(session_cookie(token))
    return answer


@done_by(Needs.ACCOUNT, "/sign-out", incomplete=True)
def sign_out(context: TheContext) -> Redirect:
    """End the session, and let the browser forget what it has of this site."""
    with context.gate.store.writing() as connection:
        end_session(connection, context.visitor.account.id, context.visitor.session.id)
        context.note(connection, LogKind.SIGNED_OUT)
    answer = onward("/sign-in?ended=out")
    answer.set_cookie(ended_cookie())
    answer.headers.update(FORGET)
    return answer


def _page(
    site: Site, name: str, to: str, findings: Sequence[Finding] = (), status: int = 200, *, ended: str = ""
) -> Response[bytes]:
    form = Form("/sign-in", "Sign in", INPUTS, {NAME.name: name, ONWARD_TO.name: to}, findings)
    return signed_in_page(site, None, "account/sign_in.html", status=status, form=form, ended=ended)
