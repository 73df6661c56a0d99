"""Tokens by which programs act for an account."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.web.admin.actions import GIVE_TOKEN, MAY
from ratebook.web.admin.links import TOKENS
from ratebook.web.forms.actions import does, fitting_values, inputs_of, shows, written
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.gate import programs
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.accounts import Role, all_accounts
from ratebook.web.store.schema import moment
from ratebook.web.store.tokens import all_tokens

ROLES = frozenset[Role]().union(*programs.MAY.values())
"""Those whose programs may do anything."""


@shown_to(Needs.ADMINISTRATOR, TOKENS)
def tokens_page(context: TheContext) -> Response[bytes]:
    """Show which programs have tokens."""
    with context.gate.store.reading() as connection:
        found = all_tokens(connection)
    return context.page("admin/tokens.html", tokens=found[::-1], scopes=MAY, now=moment(context.gate.now()))


@done_by(Needs.ADMINISTRATOR, f"{TOKENS}/{{number:int}}/revoke")
def revoke(context: TheContext, number: FromPath[int]) -> Redirect:
    """Make a token void."""
    try:
        with context.keeper() as keeper:
            keeper.revoke(number)
    except BookError as failure:
        raise NotFoundException from failure
    return onward(TOKENS)


@shows(GIVE_TOKEN, f"{TOKENS}/new")
def new_token_page(context: TheContext) -> Response[bytes]:
    """Ask whose program it is, and what it may do."""
    days = GIVE_TOKEN.parameter("days")
    values = written(days, days.default)
    form = context.form(f"{TOKENS}/new", GIVE_TOKEN.title, _inputs(context), values)
    return context.page("admin/token_new.html", form=form)


@does(GIVE_TOKEN, f"{TOKENS}/new")
def give_token(context: TheContext) -> Answer:
    """Give a program a token, and show it once."""

    def work() -> Response[bytes]:
        values = fitting_values(GIVE_TOKEN, context.sent) | {"account": context.sent.text("account")}
        with context.keeper() as keeper:
            number, token = GIVE_TOKEN.done(keeper, context.because, values, context.site.today())
        return context.page("admin/token.html", number=number, token=token, **values)

    return context.show_once(_inputs(context), work, TOKENS, new_token_page)


def _inputs(context: RequestContext) -> list[Input]:
    with context.gate.store.reading() as connection:
        accounts = [
            (account.name, f"{account.name} ({account.role.value})")
            for account in all_accounts(connection)
            if not account.disabled_at and account.role in ROLES
        ]
    account, *others = inputs_of(GIVE_TOKEN)
    return [account._replace(kind=InputKind.CHOICE, choices=accounts), *others]
