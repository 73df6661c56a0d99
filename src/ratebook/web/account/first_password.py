"""The one-time link by which a person chooses the first password, or a new one after a reset."""

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response
from litestar.params import FromPath

from ratebook.findings import Finding
from ratebook.web.account.attempt import NEW_PASSWORD, WHOSE
from ratebook.web.forms.context import UNPROCESSABLE
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import TheForm
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.passwords import SALT_BYTES, hashed, refusal
from ratebook.web.gate.visitors import address_of, digest_of
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward, signed_in_page
from ratebook.web.site import Site, TheSite
from ratebook.web.store.accounts import Account, account_of_link, set_password
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.sessions import end_sessions

ADDRESS = "/first-password"


@shown_to(Needs.NOBODY, f"{ADDRESS}/{{link:str}}")
def first_password(site: TheSite, gate: TheGate, link: FromPath[str]) -> Response[bytes]:
    """Ask for a password."""
    account = _account(gate, link)
    return _over(site) if account is None else _page(site, account, link)


@done_by(Needs.NOBODY, f"{ADDRESS}/{{link:str}}")
def choose_first_password(
    request: Request[Any, Any, Any], site: TheSite, gate: TheGate, form: TheForm, link: FromPath[str]
) -> Answer:
    """Take the password, and the link away."""
    account, chosen = _account(gate, link), form.secret(NEW_PASSWORD.name)
    if account is None:
        return _over(site)
    if wrong := refusals_here(site, account, chosen):
        return _page(site, account, link, wrong, UNPROCESSABLE)
    password = hashed(chosen, gate.random(SALT_BYTES))
    with gate.store.writing() as connection:
        if account_of_link(connection, digest_of(link), gate.now()) is None:
            return _over(site)
        set_password(connection, account.id, password)
        end_sessions(connection, account.id)
        note(connection, LogKind.PASSWORD_SET, account.name, gate.now(), address_of(request), "by a link")
    return onward("/sign-in?ended=set")


def refusals_here(site: Site, account: Account, password: str) -> list[Finding]:
    """Return why an account of this federation may not have a password."""
    with site.reading() as reader:
        found = refusal(password, (reader.federation.profile.name, account.name))
    return [] if found is None else [found]


def _account(gate: Gate, link: str) -> Account | None:
    with gate.store.reading() as connection:
        return account_of_link(connection, digest_of(link), gate.now())


def _over(site: Site) -> Response[bytes]:
    """Say of a link that was used, is too old or never was, how one comes in without it."""
    return signed_in_page(site, None, "account/link_over.html", status=404)


def _page(
    site: Site, account: Account, link: str, findings: Sequence[Finding] = (), status: int = 200
) -> Response[bytes]:
    values = {WHOSE.name: account.name}
    form = Form(f"{ADDRESS}/{link}", "Set this password", (WHOSE, NEW_PASSWORD), values, findings)
    return signed_in_page(
        site, None, "account/first_password.html", status=status, account=account, form=form
    )
