"""Serving a book: which pages, at which address, behind which proxy."""

import json
import os
import socket
import time
from contextlib import ExitStack, suppress
from ipaddress import ip_address

import click
import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from ratebook.book.connection import open_book
from ratebook.cli.book.session import collect_seldom, findings_shown
from ratebook.cli.options import today
from ratebook.cli.settings import BOOK_VARIABLE
from ratebook.cli.show import fail_with
from ratebook.cli.web.demo import demonstration
from ratebook.cli.web.places import Places, Serving
from ratebook.cli.web.session import now, opened_store, random_bytes, vault_of
from ratebook.findings import Place
from ratebook.web.app import THIS_MACHINE, create_app
from ratebook.web.gate.connections import BoundedConnection
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.limits import limits_of
from ratebook.web.site import Served, Site
from ratebook.web.store.accounts import all_accounts
from ratebook.web.store.throttle import OF_ADDRESS

BY_ONE_ADDRESS = (
    f"All requests seem to come from the proxy: after {OF_ADDRESS} failed sign-ins in an hour, no one can sign in."
    " Name the proxy with --behind-proxy ADDRESS."
)
"""Said where it will be so."""
WORKER = "RATEBOOK_WEB_WORKER"
"""How one of several processes learns what to serve."""


def serve(places: Places, how: Serving) -> None:
    """Serve until Ctrl-C."""
    _require_safe(how)
    with ExitStack() as stack, findings_shown(), suppress(KeyboardInterrupt):
        if how.demo:
            places, words = stack.enter_context(demonstration())
            click.echo(words)
        if not places.book:
            raise click.UsageError(
                f"No book is given. Name it as in --book PATH_OR_URL, or set {BOOK_VARIABLE}; --demo makes one."
            )
        app = opened(places, how)
        listening = stack.enter_context(_listening(how))
        port = listening.getsockname()[1]
        click.echo(f"Serving at http://{_in_address(how.host)}:{port} until Ctrl-C.")
        _run(app, places, how, listening)


def opened(places: Places, how: Serving) -> Litestar:
    """Open book and web store and return the application, which closes them when it ends.

    Raises:
        BookError: one of them is not there, or fails.
    """
    served = Served(how.served)
    book = open_book(str(places.book), read_only=served is Served.PUBLIC)
    gate = None
    if served is not Served.PUBLIC:
        vault = vault_of(places)
        gate = Gate(opened_store(places), now, random_bytes, vault, second_factor=not how.demo)
        with gate.store.reading() as connection:
            vault.require(all_accounts(connection))
    names = {*THIS_MACHINE, *how.names, _in_address(how.host)}
    limits = limits_of(time.monotonic, how.limit) if how.limit else None
    app = create_app(
        Site(book, served, today, gate),
        over_tls=how.https_by_proxy,
        subdomains=how.hsts_subdomains,
        names=names,
        limits=limits,
    )
    app.on_shutdown.append(book.close)
    if gate is not None:
        app.on_shutdown.append(gate.store.close)
    collect_seldom()
    return app


def worker() -> Litestar:
    """Return the application of one of several processes."""
    places, how = json.loads(os.environ[WORKER])
    return opened(Places(*places), Serving(*how))


def _run(app: Litestar, places: Places, how: Serving, listening: socket.socket) -> None:
    several = how.workers > 1
    config = uvicorn.Config(
        f"{__name__}:worker" if several else app,
        factory=several,
        workers=how.workers,
        log_level="warning",
        http=BoundedConnection,
        access_log=False,
        server_header=False,
        proxy_headers=how.behind_proxy is not None,
        forwarded_allow_ips=how.behind_proxy,
    )
    if several:
        os.environ[WORKER] = json.dumps((places, how))
        Multiprocess(config, [listening]).run()
    else:
        uvicorn.Server(config).run(sockets=[listening])


def _require_safe(how: Serving) -> None:
    """End with a usage error or a finding where passwords would travel in the clear, or options contradict."""
    public = Served(how.served) is Served.PUBLIC
    if how.workers > 1 and not public:
        raise click.UsageError("--workers is for --serve public; signed-in pages are served by one process.")
    if how.hsts_subdomains and not how.https_by_proxy:
        raise click.UsageError("--hsts-subdomains is for servers with --https-by-proxy.")
    here = _is_this_machine(how.host)
    if how.demo and not here:
        raise click.UsageError("--demo is for this machine only: it asks for no second factor.")
    if not (public or here or how.https_by_proxy):
        fail_with("web-without-tls", Place(subject=how.host))
    if how.https_by_proxy and how.behind_proxy is None and not public:
        click.echo(BY_ONE_ADDRESS, err=True)


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(how: Serving) -> socket.socket:
    """Return the socket that is served; a finding where it cannot be had."""
    family = socket.AF_INET6 if ":" in how.host else socket.AF_INET
    try:
        return socket.create_server((how.host, how.port), family=family)
    except OSError as failure:
        reason = failure.strerror or str(failure)
        fail_with("web-address-refused", Place(subject=f"{_in_address(how.host)}:{how.port}"), reason=reason)


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
