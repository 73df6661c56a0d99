"""Figures of a server for Prometheus, on a port of their own: no page has them, and no reader is in them.

Requests are counted where they are answered. All else is read from the book and the web store when it is asked for.
Several processes write what they count into files of a folder, which the first of them adds up.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from ratebook import __version__
from ratebook.book.chain.verifications import EVERYTHING, last_verification
from ratebook.book.failures import BookError
from ratebook.book.profile import revision
from ratebook.book.submissions import Status, count_statuses
from ratebook.web.running.copies import LAST_BACKUP, LAST_DRILL, LAST_FAILED, LAST_VERIFIED, kept_moments
from ratebook.web.running.probes import unreadable_part
from ratebook.web.running.requests import AnsweredRequest
from ratebook.web.site import Site
from ratebook.web.store.jobs import JobState, count_jobs

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST"})
OTHER = "other"
"""Of methods that no page has: anyone can invent them."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
MEANINGS = {
    LAST_BACKUP: "When the last backup was made.",
    LAST_VERIFIED: "When the chain and the whole ledger were last verified without differences.",
    LAST_DRILL: "When a drill last restored a backup.",
    LAST_FAILED: "When a drill last failed.",
}
QUEUE = (Status.HELD, Status.READY)
AREAS = frozenset({"account", "admin", "api", "director", "office", "static"})
PUBLIC, NO_PAGE = "public", "none"
"""Kinds of pages: what their addresses begin with, or what anyone may read, or addresses of no page."""


def kind_of(route: str) -> str:
    """Return the kind of a page.

    >>> kind_of("/players/{member:str}"), kind_of("/office/queue"), kind_of("/"), kind_of("")
    ('public', 'office', 'public', 'none')
    """
    if not route:
        return NO_PAGE
    first = route.split("/")[1]
    return first if first in AREAS else PUBLIC


class RequestFigures:
    """Counts requests, and how long they take.

    Args:
        registry: which gives the figures to who asks; None where several processes count.
    """

    def __init__(self, registry: CollectorRegistry | None) -> None:
        self._requests = Counter(
            "ratebook_requests",
            "Requests by page and status.",
            ("page", "method", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "ratebook_request_seconds",
            "Seconds until an answer was sent, by kind of page.",
            ("kind",),
            registry=registry,
            buckets=SECONDS,
        )

    def __call__(self, request: AnsweredRequest) -> None:
        """Count a request."""
        method = request.method if request.method in METHODS else OTHER
        self._requests.labels(request.route or NO_PAGE, method, str(request.status)).inc()
        self._seconds.labels(kind_of(request.route)).observe(request.seconds)


class BookFigures(Collector):
    """Reads figures of the book and the web store when they are asked for."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; those of a store that does not answer are left out."""
        yield InfoMetricFamily("ratebook", "The program.", {"version": __version__})
        ready = not unreadable_part(self._site)
        yield _gauge("ratebook_ready", "Whether book and accounts can be read (/ready).", float(ready))
        moments: dict[str, str | None] = {}
        with suppress(BookError):
            yield from self._of_store(moments)
        with suppress(BookError):
            yield from self._of_book(moments)
        for name, at in moments.items():
            if at:
                seconds = datetime.fromisoformat(at).timestamp()
                yield _gauge(f"ratebook_last_{name}_timestamp_seconds", MEANINGS[name], seconds)

    def _of_book(self, moments: dict[str, str | None]) -> Iterator[Metric]:
        with self._site.reading() as reader:
            number = revision(reader.connection)
            counts = count_statuses(reader.connection)
            whole = last_verification(reader.connection, EVERYTHING)
        if whole is not None:
            moments[LAST_VERIFIED] = max(whole.at, moments.get(LAST_VERIFIED) or "")
        yield _gauge("ratebook_book_revision", "How often the book was changed.", number)
        queue = GaugeMetricFamily("ratebook_queue_reports", "Reports in the queue.", labels=("status",))
        for status in QUEUE:
            queue.add_metric((status.value,), counts.get(status, 0))
        yield queue

    def _of_store(self, moments: dict[str, str | None]) -> Iterator[Metric]:
        if self._site.gate is None:
            return
        with self._site.gate.store.reading() as connection:
            counts = count_jobs(connection)
            moments |= kept_moments(connection)
        jobs = GaugeMetricFamily("ratebook_jobs", "Jobs of the office, by state.", labels=("state",))
        for state in JobState:
            jobs.add_metric((state.value,), counts.get(state, 0))
        yield jobs


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value)


def serve_figures(site: Site, registry: CollectorRegistry, address: str, port: int, *, several: bool) -> int:
    """Serve the figures in a thread, and return the port.

    Raises:
        OSError: it cannot be had.
    """
    registry.register(BookFigures(site))
    if several:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    server, _ = start_http_server(port, address, registry)
    return int(server.server_port)
