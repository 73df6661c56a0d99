"""Setting up the second factor: a secret for an app, proved by the first code, and codes of recovery."""

from collections.abc import Callable

from litestar import Response
from markupsafe import Markup

from ratebook.book.connection import Connection
from ratebook.findings import Place, finding
from ratebook.web.account.attempt import CODE, attempt_code
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Input
from ratebook.web.forms.once import Answer
from ratebook.web.gate.second_factor import (
    SECRET_BYTES,
    address_for_app,
    in_groups,
    new_recovery_codes,
    new_secret,
    step_of,
)
from ratebook.web.gate.visitors import address_of, digest_of, renew, session_cookie
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.accounts import recovery_codes_left, set_recovery_codes, set_second_factor
from ratebook.web.store.log import LogKind
from ratebook.web.store.sessions import end_sessions, offer_secret

ADDRESS, CODES_ADDRESS = "/account/second-factor", "/account/recovery-codes"
PRESENT = CODE._replace(
    name="present",
    label="Code from your current app",
    hint="Or a recovery code. Each code works only once: after signing in, wait for the next one.",
)
FIRST = (CODE._replace(label="Code from the app"),)
ANOTHER = (CODE._replace(label="Code from the new app", complete="off"), PRESENT)
NEW_CODES = (PRESENT,)


@shown_to(Needs.ACCOUNT, ADDRESS, again=True, incomplete=True)
def second_factor(context: TheContext) -> Response[bytes]:
    """Show a new secret; it becomes the second factor when a code proves that an app has it."""
    own, secret = context.visitor.account, _offered(context)
    with context.site.reading() as reader:
        federation = reader.federation.profile.name
    with context.gate.store.reading() as connection:
        codes_left = recovery_codes_left(connection, own.id)
    app = address_for_app(secret, own.name, federation)
    use = context.form(ADDRESS, "Use this app", _inputs(context), number=1)
    make = context.form(CODES_ADDRESS, "Make new recovery codes", NEW_CODES, number=2)
    return context.page(
        "account/second_factor.html",
        groups=in_groups(secret),
        app=app,
        picture=_picture(app),
        left=codes_left,
        form=use._replace(values={}),
        codes=make._replace(values={}),
    )


@done_by(Needs.ACCOUNT, ADDRESS, again=True, incomplete=True)
def set_up_second_factor(context: TheContext) -> Answer:
    """Take the secret that was shown, end other sessions, and show new codes of recovery once."""

    def work() -> Response[bytes]:
        own, session, gate = context.visitor.account, context.visitor.session, context.gate
        secret = None if session.offered is None else gate.vault.open(session.offered, own.id)
        step = None if secret is None else step_of(context.sent.text(CODE.name), secret, gate.now())
        if secret is None or step is None:
            raise RefusedError([finding("password-not-given.code", Place(input=CODE.name))])
        if own.secret is not None:
            _prove(context)
        sealed = gate.vault.seal(secret, own.id)

        def keep(connection: Connection) -> None:
            set_second_factor(connection, own.id, sealed, step)
            end_sessions(connection, own.id, besides=session.id)
            context.note(connection, LogKind.SECOND_FACTOR_SET)

        return _codes_page(context, keep)

    return context.show_once(_inputs(context), work, context.visitor.home, second_factor)


@done_by(Needs.ACCOUNT, CODES_ADDRESS, again=True, incomplete=True)
def make_recovery_codes(context: TheContext) -> Answer:
    """Make earlier codes of recovery void, and show new ones once."""

    def work() -> Response[bytes]:
        _prove(context)
        return _codes_page(context, lambda connection: context.note(connection, LogKind.RECOVERY_CODES_MADE))

    return context.show_once(NEW_CODES, work, "/account", second_factor)


def _prove(context: RequestContext) -> None:
    """Use up a code of the second factor that the account has now."""
    code = context.sent.text(PRESENT.name)
    done = attempt_code(context.gate, context.visitor.account, code, address_of(context.request))
    if done.account is None:
        raise RefusedError([done.mistake("password-not-given.present", PRESENT.name)], done.status)


def _inputs(context: RequestContext) -> tuple[Input, ...]:
    return FIRST if context.visitor.account.secret is None else ANOTHER


def _codes_page(context: RequestContext, keep: Callable[[Connection], None]) -> Response[bytes]:
    """Keep what was decided together with new codes of recovery, and show these; the session has a new token."""
    own, codes = context.visitor.account, new_recovery_codes(context.gate.random)
    with context.gate.store.writing() as connection:
        keep(connection)
        set_recovery_codes(connection, own.id, map(digest_of, codes))
        token = renew(connection, context.gate, context.visitor)
    context = context._replace(visitor=context.visitor._replace(token=token))
    shown = [in_groups(code, "-") for code in codes]
    answer = context.page("account/recovery_codes.html", codes=shown, onward_to=context.visitor.home)
    answer.set_cookie(session_cookie(token))
    return answer


def _offered(context: RequestContext) -> str:
    """Return the secret that the session is shown, which is made when it is shown first."""
    own, session, gate = context.visitor.account, context.visitor.session, context.gate
    if session.offered is not None:
        return gate.vault.open(session.offered, own.id)
    secret = new_secret(gate.random(SECRET_BYTES))
    sealed = gate.vault.seal(secret, own.id)
    with gate.store.writing() as connection:
        offer_secret(connection, session.id, sealed)
    return secret


def _picture(address: str) -> Markup:
    """Return the QR code of an address as SVG that needs no style."""
    from segno import make_qr  # noqa: PLC0415 - for this page alone

    picture = make_qr(address).svg_inline(scale=4, dark="#000", light="#fff")
    return Markup(picture)  # noqa: S704 - figures and colours; the address is drawn, not written
