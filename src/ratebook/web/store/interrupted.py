"""Forms that were sent after their session had ended: kept for their account until it signs in again."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import unquote_plus

from sqlalchemy import ColumnElement, delete, insert, select

from ratebook.book.connection import Connection
from ratebook.web.store.schema import interrupted, moment

HOLDS = timedelta(hours=12)
MOST_OF_ACCOUNT = 5
"""Of an account; the oldest goes for one more."""


class InterruptedForm(NamedTuple):
    """A form that waits: where it was sent to, and its fields as JSON."""

    id: int
    path: str
    content: str


def keep_interrupted(
    connection: Connection, account: int, path: str, page: str, content: str, at: datetime
) -> int:
    """Keep a form of an account, and forget what is too old or too much; return its number.

    Unless it is shown again on a *page*, it is done when the account is back.
    """
    connection.execute(delete(interrupted).where(interrupted.c.made_at <= moment(at - HOLDS)))
    older = [form.id for form in _held(connection, account, at)]
    surplus = older[: max(0, len(older) + 1 - MOST_OF_ACCOUNT)]
    connection.execute(delete(interrupted).where(interrupted.c.id.in_(surplus)))
    row = {"account_id": account, "made_at": moment(at), "path": path, "page": page, "content": content}
    number: int = connection.execute(insert(interrupted).values(row).returning(interrupted.c.id)).scalar_one()
    return number


def interrupted_forms(connection: Connection, account: int, at: datetime) -> list[InterruptedForm]:
    """Return the forms of an account that are to be done, the oldest first."""
    return _held(connection, account, at, interrupted.c.page == "")


def interrupted_form(
    connection: Connection, account: int, number: int, at: datetime
) -> InterruptedForm | None:
    """Return a form of an account that is to be shown again."""
    is_it = (interrupted.c.id == number, interrupted.c.page != "")
    return next(iter(_held(connection, account, at, *is_it)), None)


def _held(
    connection: Connection, account: int, at: datetime, *which: ColumnElement[bool]
) -> list[InterruptedForm]:
    rows = connection.execute(
        select(*(interrupted.c[name] for name in InterruptedForm._fields))
        .where(interrupted.c.account_id == account, interrupted.c.made_at > moment(at - HOLDS), *which)
        .order_by(interrupted.c.id)
    )
    return [InterruptedForm(*row) for row in rows]


def forget_interrupted(connection: Connection, account: int) -> None:
    """Forget the forms of an account that are to be done."""
    connection.execute(
        delete(interrupted).where(interrupted.c.account_id == account, interrupted.c.page == "")
    )


def forget_interrupted_about(connection: Connection, is_about: Callable[[str], bool]) -> int:
    """Forget the forms of all accounts that are about a person; return how many.

    What a form showed before is in it as in an address (`ratebook.web.director.typed.fields.seen_text`).
    """
    rows = connection.execute(select(interrupted.c.id, interrupted.c.content)).all()
    numbers = [row.id for row in rows if is_about(row.content) or is_about(unquote_plus(row.content))]
    connection.execute(delete(interrupted).where(interrupted.c.id.in_(numbers)))
    return len(numbers)
