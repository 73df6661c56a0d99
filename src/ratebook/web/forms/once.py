"""Doing what a form asks for once, however often it is sent, and only on the state of the book that its page showed."""

from collections.abc import Callable
from typing import Any, TypeAlias

from litestar import Response
from litestar.exceptions import ClientException
from litestar.response import Redirect

from ratebook.book.connection import Book
from ratebook.book.failures import refused
from ratebook.findings import Place
from ratebook.web.forms.sent import Sent
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import Visitor, new_token
from ratebook.web.signed_in import onward
from ratebook.web.store.sendings import begin_sending, end_sending, forget_sending

KEY, REVISION = "key", "revision"
KEY_BYTES = 16
LONGEST_KEY = 100

Answer: TypeAlias = Response[Any] | Redirect


def form_key(gate: Gate) -> str:
    """Return the key of a form that is about to be shown."""
    return new_token(gate.random, KEY_BYTES)


def once(gate: Gate, visitor: Visitor, sent: Sent, work: Callable[[], Answer]) -> Answer:
    """Do what a form asks for, or lead to where its first sending led.

    *work* leads on (303) when it is done; any other answer means that nothing was done, and the form may be sent again.

    Raises:
        BookError: the same form is being worked on.
        ClientException: it has no key.
    """
    key = sent.text(KEY)
    if not key or len(key) > LONGEST_KEY:
        raise ClientException("The form is incomplete. Open its page again.")
    with gate.store.writing() as connection:
        earlier = begin_sending(connection, visitor.account.id, key, gate.now())
    if earlier is not None:
        if not earlier:
            raise refused("form-being-sent", Place(subject="this form"))
        return onward(earlier)
    led = ""
    try:
        answer = work()
        if isinstance(answer, Redirect):
            led = answer.url
        return answer
    finally:
        with gate.store.writing() as connection:
            if led:
                end_sending(connection, visitor.account.id, key, led)
            else:
                forget_sending(connection, visitor.account.id, key)


def book_as_seen(book: Book, sent: Sent) -> Book:
    """Return the book, whose first writer is refused if it moved on since the page of a form was made.

    Raises:
        ClientException: the form does not say what it saw.
    """
    seen = sent.whole(REVISION)
    if seen is None:
        raise ClientException("The form is incomplete. Open its page again.")
    return book.sibling(expecting=seen)
