"""A server of pages in a thread of the test's own process."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar


@contextmanager
def served(app: Litestar) -> Iterator[str]:
    """Serve an application on a free port and give its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
    thread = Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        # The socket listens already: whoever connects before the server is up waits in its queue.
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
