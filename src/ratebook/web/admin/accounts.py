"""Accounts: who may sign in and as what; all that grants rights asks for the password again."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.connection import Connection
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.pages.columns import Column, Columns
from ratebook.web.admin.home import state_of
from ratebook.web.admin.links import ACCOUNT, ACCOUNTS
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.gate.keeping import LONGEST_NAME, Duty
from ratebook.web.rendering import html_table
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.accounts import HOLDS, Account, Role, account_numbered, all_accounts
from ratebook.web.store.log import last_sign_ins
from ratebook.web.store.tokens import tokens_that_hold

NAME = Input("name", "Name", hint="By which the person signs in.", most=LONGEST_NAME)
DUTY = (
    Input("role", "Role", InputKind.CHOICE, choices=[(one.value, one.value.capitalize()) for one in Role]),
    Input("member", "Member id", hint="Of a director, who is a member.", needed=False, most=40),
    Input(
        "affiliates",
        "Affiliates",
        hint="Ids of those for which a director sends reports, with blanks between them.",
        needed=False,
    ),
)
ONE = f"{ACCOUNTS}/{{number:int}}"


def _sure(words: str) -> tuple[Input, ...]:
    return (Input("sure", words, InputKind.CHECK),)


VOID_TOKENS = Input("void_tokens", "The tokens of its programs are void, too", InputKind.CHECK, needed=False)
RESET = (*_sure("The password and the second factor are void, and a new link is made"), VOID_TOKENS)
DISABLE = _sure("No one signs in with it any more; its sessions end, and its tokens are void for good")


@shown_to(Needs.ADMINISTRATOR, ACCOUNTS)
def accounts_page(context: TheContext) -> Response[bytes]:
    """Show who may sign in, and when each did so last."""
    with context.gate.store.reading() as connection:
        listed = all_accounts(connection)
        seen = last_sign_ins(connection)
    columns: Columns[Account] = (
        Column("Name", "name"),
        Column("Role", "role.value"),
        Column("Member", "member_id"),
        Column("Affiliates", "affiliates"),
        Column("State", state_of),
        Column("Second factor", lambda account: "yes" if account.secret else "no"),
        Column("Signed in last (UTC)", lambda account: seen.get(account.name, "never")),
    )
    table = html_table(
        "Accounts", columns, listed, {"Name": lambda account: ACCOUNT(account.id)}, heads="Name"
    )
    return context.page("admin/accounts.html", accounts=table)


@shown_to(Needs.ADMINISTRATOR, f"{ACCOUNTS}/new", again=True)
def new_account(context: TheContext) -> Response[bytes]:
    """Ask for a name and a role."""
    return _new_page(context)


@done_by(Needs.ADMINISTRATOR, f"{ACCOUNTS}/new", again=True)
def add_account(context: TheContext) -> Answer:
    """Add an account, and show its link once."""

    def work() -> Response[bytes]:
        with context.keeper() as keeper:
            account = keeper.add(context.sent.text("name"), _duty(context.sent))
            link = keeper.link(account)
        return _link_page(context, account, link)

    return context.show_once((NAME, *DUTY), work, ACCOUNTS, _new_page)


@shown_to(Needs.ADMINISTRATOR, ONE, again=True)
def account_page(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show an account, and what can be done with it."""
    return _account_page(context, number)


@done_by(Needs.ADMINISTRATOR, f"{ONE}/change", again=True)
def change_account(context: TheContext, number: FromPath[int]) -> Answer:
    """Change what an account is for; never the own one."""

    def work() -> str:
        with context.keeper() as keeper:
            keeper.change(_of_another(context, keeper.connection, number), _duty(context.sent))
        return ACCOUNT(number)

    return context.decide(DUTY, work, lambda refused: _account_page(refused, number))


@done_by(Needs.ADMINISTRATOR, f"{ONE}/reset", again=True)
def reset_account(context: TheContext, number: FromPath[int]) -> Answer:
    """Take password and second factor from an account, and show its new link once."""

    def work() -> Response[bytes]:
        with context.keeper() as keeper:
            account = _of_another(context, keeper.connection, number)
            holding = keeper.reset(account, void_tokens=context.sent.is_checked(VOID_TOKENS.name))
            link = keeper.link(account)
        return _link_page(context, account, link, holding)

    return context.show_once(RESET, work, ACCOUNT(number), lambda refused: _account_page(refused, number))


@done_by(Needs.ADMINISTRATOR, f"{ONE}/disable", again=True)
def disable_account(context: TheContext, number: FromPath[int]) -> Answer:
    """Let no one in with an account."""

    def work() -> str:
        with context.keeper() as keeper:
            keeper.disable(_of_another(context, keeper.connection, number))
        return ACCOUNT(number)

    return context.decide(DISABLE, work, lambda refused: _account_page(refused, number))


def _duty(form: Sent) -> Duty:
    return Duty(Role(form.text("role")), form.text("member"), tuple(form.text("affiliates").split()))


def _of_another(context: RequestContext, connection: Connection, number: int) -> Account:
    """Return an account that is not the visitor's own.

    Raises:
        BookError: it is the own account, whose rights someone else or the machine changes.
    """
    account = account_numbered(connection, number)
    if account is None:
        raise NotFoundException
    if account.id == context.visitor.account.id:
        raise refused("account-own", Place(account=account.name))
    return account


def _new_page(context: RequestContext) -> Response[bytes]:
    form = context.form(f"{ACCOUNTS}/new", "Add the account", (NAME, *DUTY))
    return context.page("admin/account_new.html", form=form)


def _link_page(context: RequestContext, account: Account, path: str, holding: int = 0) -> Response[bytes]:
    hours = int(HOLDS.total_seconds() // 3600)
    link = context.outside(path)
    return context.page("admin/link.html", account=account, link=link, hours=hours, holding=holding)


def _account_page(context: RequestContext, number: int) -> Response[bytes]:
    with context.gate.store.reading() as connection:
        account = account_numbered(connection, number)
        seen = last_sign_ins(connection)
        holding = tokens_that_hold(connection, number, context.gate.now())
    if account is None:
        raise NotFoundException
    here = ACCOUNT(number)
    now = {
        "role": account.role.value,
        "member": account.member_id,
        "affiliates": " ".join(account.affiliates),
    }
    return context.page(
        "admin/account.html",
        account=account,
        own=account.id == context.visitor.account.id,
        account_state=state_of(account),
        seen=seen.get(account.name, "never"),
        holding=holding,
        forms_of={
            "change": context.form(f"{here}/change", "Change the account", DUTY, now, number=1),
            "reset": context.form(f"{here}/reset", "Reset the account", RESET, number=2),
            "disable": context.form(f"{here}/disable", "Disable the account", DISABLE, number=3),
        },
    )
