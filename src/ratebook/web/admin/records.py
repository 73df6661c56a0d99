"""Who is signed in now, and the log of what happened."""

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.web.admin.home import log_table
from ratebook.web.admin.links import LOG, SESSIONS
from ratebook.web.forms.context import TheContext
from ratebook.web.layout.paging import ASKED, paged
from ratebook.web.routing import Needs, Number, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.accounts import all_accounts
from ratebook.web.store.log import LogKind, newest_entries
from ratebook.web.store.sessions import all_sessions, end_session


@shown_to(Needs.ADMINISTRATOR, SESSIONS)
def sessions_page(context: TheContext) -> Response[bytes]:
    """Show who is signed in."""
    with context.gate.store.reading() as connection:
        found = all_sessions(connection, context.gate.now())
    return context.page("admin/sessions.html", sessions=found)


@done_by(Needs.ADMINISTRATOR, f"{SESSIONS}/{{number:int}}/end")
def end_any_session(context: TheContext, number: FromPath[int]) -> Redirect:
    """Sign someone out."""
    with context.keeper() as keeper:
        found = {session.id: account for session, account in all_sessions(keeper.connection, keeper.at)}
        whose = found.get(number)
        if whose is None or not end_session(keeper.connection, whose.id, number):
            raise NotFoundException
        keeper.note(LogKind.SESSION_ENDED, whose.name)
    return onward(SESSIONS)


@shown_to(Needs.ADMINISTRATOR, LOG)
def log_page(
    context: TheContext,
    account: FromQuery[str] = "",
    kind: FromQuery[str] = "",
    before: Number = 0,
    after: Number = 0,
) -> Response[bytes]:
    """Show what happened, the newest first: of one account, of one kind, or all."""
    with context.gate.store.reading() as connection:
        page = paged(newest_entries(connection, ASKED, before, account, kind, after), before, after)
        names = [each.name for each in all_accounts(connection)]
    return context.page(
        "admin/log.html",
        log=log_table("Log, newest entries first", page.rows),
        page=page,
        account=account,
        kind=kind,
        names=names,
        kinds=[each.value for each in LogKind],
    )
