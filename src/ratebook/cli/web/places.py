"""Where a served book and its accounts are, and how the book is served: what the options of ``ratebook web`` give."""

from typing import NamedTuple

SERVED = ("public", "office", "all")
KEY_VARIABLE = "RATEBOOK_WEB_KEY"
"""What holds the key of second factors where it is in no file."""


class Places(NamedTuple):
    """Where the book, the web store and its key are; None if not given."""

    book: str | None
    store: str | None
    key: str | None = None


class Serving(NamedTuple):
    """How a book is served."""

    served: str
    host: str
    port: int
    uds: str | None
    root_path: str
    names: tuple[str, ...]
    workers: int
    behind_proxy: str | None
    https_by_proxy: bool
    hsts_subdomains: bool
    limit: int
    data: str | None
    access_log: bool
    log_json: bool
    metrics_port: int | None
    metrics_host: str
    demo: bool
