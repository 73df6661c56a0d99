"""Accounts: who may sign in and as what; all that grants rights asks for the password again."""

from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.connection import Connection
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.office.action import Action
from ratebook.pages.columns import Column, Columns
from ratebook.web.admin.actions import ADD, CHANGE, DISABLE, RESET
from ratebook.web.admin.home import IN_USE, state_of
from ratebook.web.admin.links import ACCOUNT, ACCOUNTS
from ratebook.web.forms.actions import does, fitting_values, inputs_of, shows, values_of
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.gate.keeping import Keeper
from ratebook.web.gate.visitors import complete
from ratebook.web.layout.tables import Look, html_table
from ratebook.web.routing import Needs, shown_to
from ratebook.web.store.accounts import Account, account_numbered, all_accounts
from ratebook.web.store.log import last_sign_ins
from ratebook.web.store.tokens import tokens_that_hold

ONE = f"{ACCOUNTS}/{{number:int}}"
OF_ACCOUNT: tuple[Action[Any, Any], ...] = (CHANGE, RESET, DISABLE)


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
        Column("State", lambda account: "disabled" if account.disabled_at else state_of(account)),
        Column("Second factor", lambda account: "yes" if account.secret else "no"),
        Column("Signed in last (UTC)", lambda account: seen.get(account.name, "never")),
    )
    table = html_table(
        "Accounts",
        columns,
        listed,
        {"Name": lambda account: ACCOUNT(account.id)},
        heads="Name",
        narrow={"Name": lambda account: " ".join(filter(None, (account.member_id, *account.affiliates)))},
        wide=("Member", "Affiliates", "Second factor", "Signed in last (UTC)"),
        looks={"State": lambda text: Look.GOOD if text == IN_USE else Look.CAUTION},
    )
    return context.page("admin/accounts.html", accounts=table)


@shows(ADD, f"{ACCOUNTS}/new")
def new_account(context: TheContext) -> Response[bytes]:
    """Ask for a name and a role."""
    form = context.form(f"{ACCOUNTS}/new", ADD.title, inputs_of(ADD))
    return context.page("admin/account_new.html", form=form)


@does(ADD, f"{ACCOUNTS}/new")
def add_account(context: TheContext) -> Answer:
    """Add an account, and show its link once."""

    def work() -> Response[bytes]:
        values = fitting_values(ADD, context.sent)
        with context.keeper() as keeper:
            account = ADD.done(keeper, context.because, values, context.site.today())
            link = keeper.link(account)
        return _link_page(context, account, link)

    return context.show_once(inputs_of(ADD), work, ACCOUNTS, new_account)


@shows(CHANGE, ONE)
def account_page(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show an account, and what can be done with it."""
    with context.gate.store.reading() as connection:
        account = account_numbered(connection, number)
        seen = last_sign_ins(connection)
        holding = tokens_that_hold(connection, number, context.gate.now())
    if account is None:
        raise NotFoundException
    address = ACCOUNT(number)
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
            action.word: context.form(
                f"{address}/{action.word}",
                action.title,
                _shown(action, account.name, holding),
                now,
                number=number,
            )._replace(is_grave=action is DISABLE)
            for number, action in enumerate(OF_ACCOUNT, start=1)
        },
    )


@does(CHANGE, f"{ONE}/change")
def change_account(context: TheContext, number: FromPath[int]) -> Answer:
    """Change what an account is for; never the own one."""
    return _changed(context, CHANGE, number)


@does(RESET, f"{ONE}/reset")
def reset_account(context: TheContext, number: FromPath[int]) -> Answer:
    """Take password and second factor from an account, and show its new link once."""

    def work() -> Response[bytes]:
        with context.keeper() as keeper:
            account = _of_another(context, keeper.connection, number)
            values = values_of(RESET, context.sent, "name") | {"name": account.name}
            holding = RESET.done(keeper, context.because, values, context.site.today())
            link = keeper.link(account)
        return _link_page(context, account, link, holding)

    return context.show_once(
        _inputs(RESET), work, ACCOUNT(number), lambda refused: account_page(refused, number)
    )


@does(DISABLE, f"{ONE}/disable")
def disable_account(context: TheContext, number: FromPath[int]) -> Answer:
    """Let no one in with an account."""
    return _changed(context, DISABLE, number)


def _changed(context: RequestContext, action: Action[Keeper, None], number: int) -> Answer:
    def work() -> str:
        with context.keeper() as keeper:
            account = _of_another(context, keeper.connection, number)
            values = values_of(action, context.sent, "name") | {"name": account.name}
            action.done(keeper, context.because, values, context.site.today())
        return ACCOUNT(number)

    return context.decide(_inputs(action), work, lambda refused: account_page(refused, number))


def _inputs(action: Action[Any, Any], name: str = "") -> tuple[Input, ...]:
    """Return the inputs of what is done to the account of a *name*."""
    sure = Input("sure", action.sure.format(name=name), InputKind.CHECK)
    return (*([sure] if action.sure else []), *inputs_of(action, "name"))


def _shown(action: Action[Any, Any], name: str, holding: int) -> list[Input]:
    """Return the inputs that can do something: tokens are made void where some are valid."""
    return [each for each in _inputs(action, name) if holding or each.name != "void_tokens"]


def _of_another(context: RequestContext, connection: Connection, number: int) -> Account:
    """Return an account that is not the visitor's own."""
    account = account_numbered(connection, number)
    if account is None:
        raise NotFoundException
    if account.id == context.visitor.account.id:
        raise refused("account-own", Place(account=account.name))
    return account


def _link_page(context: RequestContext, account: Account, path: str, holding: int = 0) -> Response[bytes]:
    return context.page(
        "admin/link.html",
        account=account,
        link=context.outside(path),
        holding=holding,
        needs_factor=not complete(context.gate, account),
    )
