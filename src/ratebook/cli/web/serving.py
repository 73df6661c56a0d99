"""Serving a book: which rooms, at which address, behind which proxy."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import click
from litestar import Litestar

from ratebook.book.connection import open_book
from ratebook.cli.book.session import findings_shown
from ratebook.cli.options import today
from ratebook.cli.web.demo import demonstration
from ratebook.cli.web.group import VARIABLE, Places, Serving
from ratebook.cli.web.session import now, opened_store, random_bytes
from ratebook.web.app import THIS_MACHINE, create_app
from ratebook.web.gate.gate import Gate
from ratebook.web.site import Face, Site

WORKER = "RATEBOOK_WEB_WORKER"
"""How a process of several learns what to serve."""


def serve(places: Places, how: Serving) -> None:
    """Serve until Ctrl-C."""
    face = Face(how.face)
    _require_safe(face, how)
    with ExitStack() as stack:
        if how.demo:
            places, words = stack.enter_context(demonstration())
            click.echo(words)
        if not places.book:
            raise click.UsageError(f"No book is given. Name it as in --book PATH_OR_URL, or set {VARIABLE}; --demo makes one.")
        listening = stack.enter_context(_listening(how))
        app = stack.enter_context(application(places, how))
        address = f"http://{_for_browsers(how.host)}:{listening.getsockname()[1]}"
        click.echo(f"{places.book} is served at {address} until Ctrl-C.")
        _run(app, places, how, listening)


@contextmanager
def application(places: Places, how: Serving) -> Iterator[Litestar]:
    """Open book and web store for as long as the application is in use; a refusal is printed."""
    face = Face(how.face)
    with ExitStack() as stack, findings_shown():
        assert places.book is not None
        book = open_book(places.book, read_only=face is Face.PUBLIC)
        stack.callback(book.close)
        gate = None
        if face is not Face.PUBLIC:
            store = opened_store(places)
            stack.callback(store.close)
            gate = Gate(store, now, random_bytes, second_factor=not how.demo)
        names = {*THIS_MACHINE, *how.names, _for_browsers(how.host)}
        yield create_app(Site(book, face, today, gate), over_tls=how.https_by_proxy, names=names)
