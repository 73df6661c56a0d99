"""The first page of the administrator: the health of the book, accounts, tokens, what must wait, and the log."""

from collections.abc import Sequence

from litestar import Response

from ratebook.pages.columns import Column, Columns
from ratebook.web.admin.health import health_of
from ratebook.web.forms.context import TheContext
from ratebook.web.gate.visitors import complete
from ratebook.web.layout.tables import HtmlTable, html_table
from ratebook.web.layout.words import moment_words
from ratebook.web.routing import Needs, shown_to
from ratebook.web.store.accounts import Account, all_accounts
from ratebook.web.store.log import LogEntry, newest_entries
from ratebook.web.store.schema import moment
from ratebook.web.store.sessions import all_sessions
from ratebook.web.store.throttle import Count, throttled
from ratebook.web.store.tokens import Token, all_tokens

ENTRIES_SHOWN = 10
IN_USE = "in use"


def state_of(account: Account) -> str:
    """Return whether an account can be used."""
    if account.disabled_at:
        return f"disabled {account.disabled_at}"
    return IN_USE if account.password else "has no password yet"


ACCOUNTS: Columns[Account] = (
    Column("Name", "name"),
    Column("Role", "role.value"),
    Column("State", state_of),
    Column("Second factor", lambda one: "yes" if one.secret else "no"),
    Column("Made", "made_at"),
)
TOKENS: Columns[Token] = (
    Column("Number", "id", "right"),
    Column("Account", "account"),
    Column("Purpose", "purpose"),
    Column("Scopes", "scopes"),
    Column("Until", lambda one: "revoked" if one.revoked_at else one.expires_at),
)
WAITS: Columns[tuple[str, Count]] = (
    Column("What", lambda one: one[0]),
    Column("Failures", lambda one: str(one[1].failures), "right"),
    Column("Waits until", lambda one: one[1].wait_until),
)
LOG: Columns[LogEntry] = (
    Column("Time (UTC)", "at"),
    Column("Account", "account"),
    Column("What", "kind"),
    Column("From", "address"),
    Column("Details", "details"),
)


def log_table(caption: str, entries: Sequence[LogEntry]) -> HtmlTable:
    """Return entries of the log; on narrow screens a line says by whom, when and about what."""

    def line(entry: LogEntry) -> str:
        return ", ".join(filter(None, (entry.account, moment_words(entry.at, short=True), entry.details)))

    others = [column.title for column in LOG if column.title != "What"]
    return html_table(caption, LOG, entries, heads="What", narrow={"What": line}, wide=others)


@shown_to(Needs.ADMINISTRATOR, "/admin")
def admin_home(context: TheContext) -> Response[bytes]:
    """Show who may come in, who must wait, and what happened."""
    with context.gate.store.reading() as connection:
        accounts = all_accounts(connection)
        tokens = all_tokens(connection)
        waits = throttled(connection, context.gate.now())
        log = newest_entries(connection, ENTRIES_SHOWN)
        signed_in = len(all_sessions(connection, context.gate.now()))
    waiting = [account for account in accounts if not account.password and not account.disabled_at]
    without = [
        account
        for account in accounts
        if account.password and not account.disabled_at and not complete(context.gate, account)
    ]
    return context.page(
        "admin/home.html",
        health=health_of(context),
        usable=sum(1 for account in accounts if not account.disabled_at),
        waiting=waiting,
        without=without,
        holding=sum(
            1 for token in tokens if not token.revoked_at and token.expires_at > moment(context.gate.now())
        ),
        signed_in=signed_in,
        waits=html_table("Accounts and addresses that must wait", WAITS, waits, heads="What"),
        log=log_table("Newest in the log", log),
    )
