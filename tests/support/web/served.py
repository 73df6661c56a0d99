"""A server of pages in a thread of the test's own process, and a client that asks without one."""

from __future__ import annotations

import socket
import ssl
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

import uvicorn
from litestar.testing import TestClient

from ratebook.web.app import THIS_MACHINE, create_app
from ratebook.web.gate.connections import BoundedConnection
from support.web.accounts import ADDRESS, HOST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients that would otherwise read the certificates of all authorities, which takes longer than an answer."""

_MADE: dict[tuple[bool, bool, tuple[str, ...], str], Litestar] = {}


def app_of(site: Site, *names: str, root: str = "") -> Litestar:
    """Return an application that serves *site* until the next call: making one takes half a second."""
    key = site.has_public, site.has_accounts, names, root
    if key not in _MADE:
        _MADE[key] = create_app(site, names=names or THIS_MACHINE, root=root)
    _MADE[key].state.site = site
    return _MADE[key]


@contextmanager
def asked(site: Site) -> Iterator[TestClient[Litestar]]:
    """Give a client of *site* that follows no redirects."""
    with TestClient(app_of(site, HOST), base_url=ADDRESS) as client:
        client.follow_redirects = False
        yield client


@contextmanager
def served(app: Callable[..., Any], *, lifespan: Literal["on", "off"] = "on") -> Iterator[str]:
    """Serve an application on a free port and give its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan=lifespan, http=BoundedConnection))
    thread = Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        # The socket listens already: whoever connects before the server is up waits in its queue.
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
