"""Tokens by which programs act for an account."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.findings import Place, finding
from ratebook.web.admin.links import TOKENS
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
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
def tokens_page(context: TheContext) -> Response[bytes]:
    """Show which programs have tokens."""
    with context.gate.store.reading() as connection:
        found = all_tokens(connection)
    return context.page("admin/tokens.html", tokens=found[::-1], now=moment(context.gate.now()))


@done_by(Needs.ADMINISTRATOR, f"{TOKENS}/{{number:int}}/revoke")
def revoke(context: TheContext, number: FromPath[int]) -> Redirect:
    """Make a token void."""
    try:
        with context.keeper() as keeper:
            keeper.revoke(number)
    except BookError as failure:
        raise NotFoundException from failure
    return onward(TOKENS)


@shown_to(Needs.ADMINISTRATOR, f"{TOKENS}/new", again=True)
def new_token_page(context: TheContext) -> Response[bytes]:
    """Ask whose program it is, and what it may do."""
    return _page(context)


@done_by(Needs.ADMINISTRATOR, f"{TOKENS}/new", again=True)
def give_token(context: TheContext) -> Answer:
    """Give a program a token, and show it once."""

    def work() -> Response[bytes]:
        days, text = context.sent.whole("days") or 0, context.sent.text("days")[:40]
        if not 1 <= days <= LONGEST_DAYS:
            wanted = f"a whole number from 1 to {LONGEST_DAYS}"
            raise RefusedError(
                [finding("form-not-read", Place(input="days"), label="Days", text=text, wanted=wanted)]
            )
        scopes = tuple(one for one in Scope if context.sent.is_checked(one.value))
        if not scopes:
            raise RefusedError(
                [finding("form-missing", Place(input=Scope.PREVIEW.value), label="What it may do")]
            )
        with context.keeper() as keeper:
            account = keeper.account(context.sent.text("account"))
            number, token = keeper.give_token(account, context.sent.text("purpose"), scopes, days)
        return context.page("admin/token.html", number=number, token=token, account=account, days=days)

    return context.show_once(_inputs(context), work, TOKENS, _page)


def _inputs(context: RequestContext) -> tuple[Input, ...]:
    with context.gate.store.reading() as connection:
        names = [one.name for one in all_accounts(connection) if not one.disabled_at]
    hint = "The program never may more than this account."
    choices = [(name, name) for name in names]
    return Input("account", "Account", InputKind.CHOICE, hint=hint, choices=choices), *REST


def _page(context: RequestContext) -> Response[bytes]:
    form = context.form(f"{TOKENS}/new", "Make the token", _inputs(context), {"days": USUAL_DAYS})
    return context.page("admin/token_new.html", form=form)
