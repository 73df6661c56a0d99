"""Serving a book: which pages, at which address, behind which proxy."""

import errno
import json
import os
import secrets
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from ratebook.book.connection import open_book
from ratebook.cli.book.session import collect_seldom, findings_shown
from ratebook.cli.options import today
from ratebook.cli.settings import BOOK_VARIABLE
from ratebook.cli.show import fail_with
from ratebook.cli.web.demo import data_beside, demonstration
from ratebook.cli.web.group import Places, Serving
from ratebook.cli.web.session import now, opened_store, random_bytes, vault_of
from ratebook.findings import Place
from ratebook.web.app import THIS_MACHINE, create_app
from ratebook.web.gate.connections import OVER_SOCKET, BoundedConnection
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.limits import limits_of
from ratebook.web.running.log import begin_log, log_request
from ratebook.web.running.requests import WatchedRequests, Watcher
from ratebook.web.site import Served, Site
from ratebook.web.store.accounts import all_accounts
from ratebook.web.store.throttle import OF_ADDRESS

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

BY_ONE_ADDRESS = (
    f"All requests seem to come from the proxy: after {OF_ADDRESS} failed sign-ins in an hour, no one can sign in."
    " Name the proxy with --behind-proxy ADDRESS."
)
"""Said where it will be so."""
OPEN_TO_ALL = 0o666
BACKLOG = 2048
"""Connections that wait at a socket in a file."""
COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""Where the library of the figures looks for the folder in which processes count together, when it is loaded."""
WORKER_SECONDS = 60
"""How long a new worker may take to start, and any to say that it lives, before its parent gives it up. On a busy
machine the five seconds of the library are not enough: a restart would keep the old workers."""
WORKER = "RATEBOOK_WEB_WORKER"
"""How one of several processes learns what to serve."""


def serve(places: Places, how: Serving) -> None:
    """Serve until Ctrl-C."""
    _require_safe(how)
    with ExitStack() as stack, findings_shown(), suppress(KeyboardInterrupt):
        if how.demo:
            places, words = stack.enter_context(demonstration())
            how = how._replace(data=str(data_beside(str(places.book))))
            click.echo(words)
        if not places.book:
            raise click.UsageError(
                f"No book is given. Name it as in --book PATH_OR_URL, or set {BOOK_VARIABLE}; --demo makes one."
            )
        several = how.workers > 1
        registry = stack.enter_context(_figures(together=several)) if how.metrics_port is not None else None
        app = opened(places, how, () if several else _watchers(how, registry))
        if registry is not None:
            click.echo(_serve_figures(app.state.site, how, registry))
        listening = stack.enter_context(_listening(how))
        place = how.uds or f"http://{_in_address(how.host)}:{listening.getsockname()[1]}{how.root_path}"
        click.echo(f"Serving at {place} until Ctrl-C.")
        _run(app, places, how, listening)


def opened(places: Places, how: Serving, watchers: Iterable[Watcher] = ()) -> Litestar:
    """Open book and web store and return the application, which closes them when it ends."""
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
        Site(
            book,
            served,
            today,
            gate,
            lists_requests=how.access_log,
            data=None if how.data is None else Path(how.data),
        ),
        over_tls=how.https_by_proxy,
        subdomains=how.hsts_subdomains,
        names=names,
        limits=limits,
        root=how.root_path,
    )
    app.asgi_handler = WatchedRequests(app.asgi_handler, _new_id, time.monotonic, watchers)
    app.on_shutdown.append(book.close)
    if gate is not None:
        app.on_shutdown.append(gate.store.close)
    collect_seldom()
    return app


def worker() -> Litestar:
    """Return the application of one of several processes."""
    places, given = json.loads(os.environ[WORKER])
    how = Serving(*given)
    begin_log(as_json=how.log_json)
    return opened(Places(*places), how, _watchers(how, None))


def _new_id() -> str:
    return secrets.token_hex(8)


def _watchers(how: Serving, registry: "CollectorRegistry | None") -> list[Watcher]:
    """Return who is told of the requests of this process."""
    watchers: list[Watcher] = [log_request] if how.access_log else []
    if how.metrics_port is not None:
        from ratebook.web.running.metrics import RequestFigures  # noqa: PLC0415 - not before the folder is known

        watchers.append(RequestFigures(registry))
    return watchers


@contextmanager
def _figures(*, together: bool) -> "Iterator[CollectorRegistry]":
    """Give what holds the figures of a server whose processes may count *together*."""
    with ExitStack() as stack:
        if together:
            os.environ[COUNTS] = stack.enter_context(TemporaryDirectory(prefix="ratebook-counts-"))
            stack.callback(os.environ.pop, COUNTS)
        from prometheus_client import CollectorRegistry  # noqa: PLC0415 - as above

        yield CollectorRegistry()


def _serve_figures(site: Site, how: Serving, registry: "CollectorRegistry") -> str:
    """Serve the figures, and return where; a finding where the address cannot be had."""
    from ratebook.web.running.metrics import serve_figures  # noqa: PLC0415 - as above

    host, port = how.metrics_host, how.metrics_port or 0
    try:
        bound_port = serve_figures(site, registry, host, port, several=how.workers > 1)
    except OSError as failure:
        place = Place(subject=f"{_in_address(host)}:{port}")
        fail_with("web-address-refused", place, reason=failure.strerror or str(failure))
    return f"Figures at http://{_in_address(host)}:{bound_port}/metrics."


def _run(app: Litestar, places: Places, how: Serving, listening: socket.socket) -> None:
    begin_log(as_json=how.log_json)
    several = how.workers > 1
    proxy = OVER_SOCKET if how.uds else how.behind_proxy
    config = uvicorn.Config(
        f"{__name__}:worker" if several else app,
        factory=several,
        workers=how.workers,
        log_config=None,
        log_level="warning",
        http=BoundedConnection,
        access_log=False,
        server_header=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
    )
    # Older versions of the library do not take it as an argument.
    config.timeout_worker_healthcheck = WORKER_SECONDS
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
    is_private = how.uds is not None or _is_this_machine(how.host)
    if how.demo and not is_private:
        raise click.UsageError("--demo is for this machine only: it asks for no second factor.")
    if not (public or is_private or how.https_by_proxy):
        fail_with("web-without-tls", Place(subject=how.host))
    if how.https_by_proxy and how.behind_proxy is None and not (public or how.uds):
        click.echo(BY_ONE_ADDRESS, err=True)


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def _listening(how: Serving) -> Iterator[socket.socket]:
    """Give the socket that is served; a finding where it cannot be had."""
    family = socket.AF_INET6 if ":" in how.host else socket.AF_INET
    try:
        if how.uds:
            listening = _listening_in_file(how.uds)
        else:
            listening = socket.create_server((how.host, how.port), family=family)
    except OSError as failure:
        place = how.uds or f"{_in_address(how.host)}:{how.port}"
        fail_with("web-address-refused", Place(subject=place), reason=failure.strerror or str(failure))
    with listening:
        yield listening
    if how.uds:
        Path(how.uds).unlink(missing_ok=True)


def _listening_in_file(path: str) -> socket.socket:
    """Return a socket in a file, which every user of the machine may connect to as to a port."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with ExitStack() as stack:
        stack.enter_context(listening)
        if Path(path).is_socket():
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
                if other.connect_ex(path) == 0:
                    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            # One that was killed has left it.
            Path(path).unlink()
        listening.bind(path)
        Path(path).chmod(OPEN_TO_ALL)
        listening.listen(BACKLOG)
        stack.pop_all()
    return listening


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
