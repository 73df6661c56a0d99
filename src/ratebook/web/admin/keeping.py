"""What the administrator's forms share: who keeps, and secrets that are shown once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from litestar import Request, Response

from ratebook.book.failures import BookError
from ratebook.findings import Finding
from ratebook.web.forms.once import Answer, once
from ratebook.web.forms.sent import Sent
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.keeping import Keeper
from ratebook.web.gate.visitors import Visitor, address_of
from ratebook.web.rooms import onward
from ratebook.web.site import Site

UNPROCESSABLE = 422

AnyRequest = Request[Any, Any, Any]


class Desk(NamedTuple):
    """Where, by whom and by which form something is kept."""

    request: AnyRequest
    site: Site
    gate: Gate
    visitor: Visitor
    sent: Sent = Sent({}, {})

    @contextmanager
    def keeper(self) -> Iterator[Keeper]:
        """Give what keeps accounts: all of its changes are kept, or none."""
        gate = self.gate
        with gate.store.writing() as connection:
            name, address = self.visitor.account.name, address_of(self.request)
            yield Keeper(connection, gate.random, name, gate.now(), address)

    def outside(self, path: str) -> str:
        """Return a path of this server with its address, for a person elsewhere."""
        return str(self.request.base_url).rstrip("/") + path

    def do_once(
        self, work: Callable[[], str], again: Callable[[Sequence[Finding]], Response[bytes]]
    ) -> Answer:
        """Do *work* and go where it leads, once for each form that was shown; or show the form *again*."""

        def tried() -> Answer:
            try:
                return onward(work())
            except BookError as failure:
                return again((failure.finding,))

        return once(self.gate, self.visitor, self.sent, tried)

    def show_once(
        self,
        work: Callable[[], Response[bytes]],
        afterwards: str,
        again: Callable[[Sequence[Finding]], Response[bytes]],
    ) -> Answer:
        """Do *work* and answer with its page, which has a secret; the same form sent again leads to *afterwards*."""
        made: list[Response[bytes]] = []

        def worked() -> str:
            made.append(work())
            return afterwards

        answer = self.do_once(worked, again)
        return made[0] if made else answer
