"""Tokens by which programs act for an account."""

from collections.abc import Sequence

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.findings import Finding, finding
from ratebook.web.admin.keeping import UNPROCESSABLE, AnyRequest, Desk
from ratebook.web.admin.links import TOKENS
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer, form_key
from ratebook.web.forms.sent import TheForm
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.visitors import TheVisitor
from ratebook.web.rooms import onward, room_page
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import TheSite
from ratebook.web.store.accounts import all_accounts
from ratebook.web.store.schema import moment
from ratebook.web.store.tokens import LONGEST_DAYS, Scope, all_tokens

USUAL_DAYS = "90"
SCOPES = {
    Scope.PREVIEW: "It may try reports",
    Scope.SUBMIT: "It may send reports and follow them",
    Scope.READ_PRIVATE: "It may read private facts",
}
REST = (
    Input("purpose", "Purpose", hint="So that one knows it again, such as: the club's program.", most=80),
    *(Input(scope.value, words, InputKind.CHECK, needed=False) for scope, words in SCOPES.items()),
    Input("days", "Days", InputKind.COUNT, hint=f"For how long it holds; at most {LONGEST_DAYS}.", most=4),
)


@shown_to(Needs.ADMINISTRATOR, TOKENS)
def tokens_page(site: TheSite, gate: TheGate, visitor: TheVisitor) -> Response[bytes]:
    """Show which programs have tokens."""
    with gate.store.reading() as connection:
        found = all_tokens(connection)
    return room_page(site, visitor, "admin/tokens.html", tokens=found[::-1], now=moment(gate.now()))


@done_by(Needs.ADMINISTRATOR, f"{TOKENS}/{{number:int}}/revoke")
def revoke(
    request: AnyRequest,
    site: TheSite,
    gate: TheGate,
    visitor: TheVisitor,
    number: FromPath[int],
) -> Redirect:
    """Make a token void."""
    try:
        with Desk(request, site, gate, visitor).keeper() as keeper:
            keeper.revoke(number)
    except BookError as failure:
        raise NotFoundException from failure
    return onward(TOKENS)


@shown_to(Needs.ADMINISTRATOR, f"{TOKENS}/new", again=True)
def new_token_page(request: AnyRequest, site: TheSite, gate: TheGate, visitor: TheVisitor) -> Response[bytes]:
    """Ask whose program it is, and what it may do."""
    return _page(Desk(request, site, gate, visitor))


@done_by(Needs.ADMINISTRATOR, f"{TOKENS}/new", again=True)
def give_token(
    request: AnyRequest, site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm
) -> Answer:
    """Give a program a token, and show it once."""
    desk = Desk(request, site, gate, visitor, form)
    wrong = list(form.wrong(_inputs(desk)))
    scopes = tuple(one for one in Scope if form.is_checked(one.value))
    days = form.whole("days") or 0
    if not wrong and not 1 <= days <= LONGEST_DAYS:
        wanted = f"a whole number from 1 to {LONGEST_DAYS}"
        wrong.append(
            finding("form-not-read", "days", label="Days", text=form.text("days")[:40], wanted=wanted)
        )
    if not wrong and not scopes:
        wrong.append(finding("form-missing", Scope.PREVIEW.value, label="What it may do"))
    if wrong:
        return _page(desk, wrong)

    def work() -> Response[bytes]:
        with desk.keeper() as keeper:
            account = keeper.account(form.text("account"))
            number, token = keeper.give_token(account, form.text("purpose"), scopes, days)
        return room_page(
            site, visitor, "admin/token.html", number=number, token=token, account=account, days=days
        )

    return desk.show_once(work, TOKENS, lambda findings: _page(desk, findings))


def _inputs(desk: Desk) -> tuple[Input, ...]:
    with desk.gate.store.reading() as connection:
        names = [one.name for one in all_accounts(connection) if not one.disabled_at]
    hint = "The program never may more than this account."
    choices = [(name, name) for name in names]
    return Input("account", "Account", InputKind.CHOICE, hint=hint, choices=choices), *REST


def _page(desk: Desk, findings: Sequence[Finding] = ()) -> Response[bytes]:
    inputs = _inputs(desk)
    values = desk.sent.values(inputs) if desk.sent.texts else {"days": USUAL_DAYS}
    form = Form(f"{TOKENS}/new", "Make the token", inputs, values, findings, form_key(desk.gate))
    status = UNPROCESSABLE if findings else 200
    return room_page(desk.site, desk.visitor, "admin/token_new.html", status=status, form=form)
