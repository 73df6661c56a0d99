"""Setting up the second factor: a secret for an app, proved by the first code."""

import re
from collections.abc import Sequence

from litestar import Response

from ratebook.findings import Finding, finding
from ratebook.web.account.attempt import CODE
from ratebook.web.forms.desk import UNPROCESSABLE, Desk, TheDesk
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.gate.second_factor import SECRET_BYTES, address_for_app, new_secret, step_of
from ratebook.web.gate.visitors import renew, session_cookie
from ratebook.web.rooms import HOME, onward
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.accounts import set_second_factor
from ratebook.web.store.log import LogKind
from ratebook.web.store.sessions import end_sessions

IN_BASE_32 = re.compile("[A-Z2-7]{32}")
ADDRESS = "/account/second-factor"
SECRET = Input("secret", "Secret", InputKind.HIDDEN)


@shown_to(Needs.ACCOUNT, ADDRESS, again=True, incomplete=True)
def second_factor(desk: TheDesk) -> Response[bytes]:
    """Show a new secret; nothing is kept until a code proves that an app has it."""
    return _page(desk, new_secret(desk.gate.random(SECRET_BYTES)))


@done_by(Needs.ACCOUNT, ADDRESS, again=True, incomplete=True)
def set_up_second_factor(desk: TheDesk) -> Answer:
    """Take the secret, end other sessions, and give this one a new token."""
    own, gate, secret = desk.visitor.account, desk.gate, desk.sent.text(SECRET.name)
    known = IN_BASE_32.fullmatch(secret) is not None
    step = step_of(desk.sent.text(CODE.name), secret, gate.now()) if known else None
    if step is None:
        shown = secret if known else new_secret(gate.random(SECRET_BYTES))
        return _page(desk, shown, [finding("password-not-given.code", CODE.name)], UNPROCESSABLE)
    with gate.store.writing() as connection:
        set_second_factor(connection, own.id, secret, step)
        end_sessions(connection, own.id, besides=desk.visitor.session.id)
        token = renew(connection, gate, desk.visitor)
        desk.note(connection, LogKind.SECOND_FACTOR_SET)
    answer = onward(HOME[own.role])
    answer.set_cookie(session_cookie(token))
    return answer


def _page(desk: Desk, secret: str, findings: Sequence[Finding] = (), status: int = 200) -> Response[bytes]:
    with desk.site.reading() as reader:
        federation = reader.federation.profile.name
    return desk.page(
        "account/second_factor.html",
        status=status,
        groups=" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        app=address_for_app(secret, desk.visitor.account.name, federation),
        form=Form(ADDRESS, "Use this app", (SECRET, CODE), {SECRET.name: secret}, findings),
    )
