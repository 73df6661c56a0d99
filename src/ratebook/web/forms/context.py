"""The context of those who decide: who does what by which form, done once, and shown again where it is refused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from litestar import Request, Response
from litestar.di import NamedDependency

from ratebook.book.connection import Book, Connection
from ratebook.book.facts.members import erased_since
from ratebook.book.failures import BookError, refused
from ratebook.findings import Finding, Place
from ratebook.office import action
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.web.failures import MOVED
from ratebook.web.forms.inputs import Form, Input, input_of
from ratebook.web.forms.once import Answer, book_as_seen, form_key, once
from ratebook.web.forms.sent import Sent, TheForm
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.keeping import Keeper
from ratebook.web.gate.visitors import TheVisitor, Visitor, address_of
from ratebook.web.interrupted import returned_form, sent_in
from ratebook.web.signed_in import onward, signed_in_page
from ratebook.web.site import Site, TheSite
from ratebook.web.store.jobs import Job, forget_results, read_job
from ratebook.web.store.log import LogKind, note

UNPROCESSABLE, CONFLICT = 422, 409
REASON = input_of(action.REASON)

Again: TypeAlias = "Callable[[RequestContext], Response[bytes]]"
"""Shows a form again, from the context with what was refused."""


class RefusedError(Exception):
    """Findings keep a decision from being made; nothing was changed. *status* is that of the answer."""

    def __init__(self, findings: Sequence[Finding], status: int = UNPROCESSABLE) -> None:
        super().__init__(findings)
        self.findings, self.status = tuple(findings), status


class RequestContext(NamedTuple):
    """Where and by whom something is decided or kept, what was sent with the form, and why it was refused.

    Attributes:
        findings: why what was sent was refused.
        status: of the page that is shown.
        returned: where what is in *sent* was sent after the session's end, to be shown again.
    """

    request: Request[Any, Any, Any]
    site: Site
    gate: Gate
    visitor: Visitor
    sent: Sent
    findings: Sequence[Finding] = ()
    status: int = 200
    returned: str = ""

    @property
    def sent_to(self) -> str:
        """Return the address that the form was sent to."""
        return self.returned or self.request.url.path

    @property
    def because(self) -> Reason:
        """Return who decides now, and the reason that was typed."""
        return Reason(self.gate.acting(self.visitor.account), " ".join(self.sent.text(REASON.name).split()))

    @property
    def book(self) -> Book:
        """Return the book as the page of the form showed it (`book_as_seen`)."""
        return book_as_seen(self.site.book, self.sent)

    def saying(self, texts: Mapping[str, str]) -> "RequestContext":
        """Return the context as if a form had held *texts*, unless one was sent."""
        return self._replace(
            sent=Sent({name: (text,) for name, text in texts.items()} | {**self.sent.texts}, {})
        )

    def refused(self, findings: Sequence[Finding], status: int = UNPROCESSABLE) -> "RequestContext":
        """Return the context in which what was sent is shown again, with *findings*."""
        return self._replace(findings=tuple(findings), status=status)

    def form(
        self,
        address: str,
        button: str,
        inputs: Sequence[Input] = (),
        values: Mapping[str, str] | None = None,
        *,
        revision: int | None = None,
        number: int = 0,
    ) -> Form:
        """Return a form that is done once, with what was typed and what was wrong with it.

        The *values* are those before anything was sent. One of several forms of a page has a *number*, and takes only
        what was sent to its own address.
        """
        is_own = not number or self.sent_to == address
        was_sent = is_own and bool(self.sent.texts)
        return Form(
            action=address,
            button=button,
            inputs=inputs,
            values=self.sent.values(inputs) if was_sent else values or {},
            findings=self.findings if is_own else (),
            key=form_key(self.gate),
            revision=revision,
            number=number,
            was_sent=was_sent,
        )

    def page(self, template: str, **contents: Any) -> Response[bytes]:  # noqa: ANN401 - what the template shows
        """Return a page for the visitor (`signed_in_page`)."""
        path = self.request.url.path
        return signed_in_page(
            self.site,
            self.visitor,
            template,
            path=path,
            status=self.status,
            is_returned=bool(self.returned),
            **contents,
        )

    @contextmanager
    def keeper(self) -> Iterator[Keeper]:
        """Give what keeps accounts: all of its changes are kept, or none."""
        gate = self.gate
        with gate.store.writing() as connection:
            name, address = self.visitor.account.name, address_of(self.request)
            yield Keeper(connection, gate.random, name, gate.now(), address)

    def job(self, number: int) -> Job | None:
        """Return a job; its result is forgotten if it names somebody whose data were erased since."""
        with self.gate.store.reading() as connection:
            job = read_job(connection, number)
        if job is None or job.result is None or job.ended_at is None:
            return job
        with self.site.reading() as reader:
            erased = erased_since(reader.connection, job.ended_at)
        if not any(member in job.result for member in erased):
            return job
        with self.gate.store.writing() as connection:
            forget_results(connection, lambda result: any(member in result for member in erased))
        return job._replace(result=None)

    def note(self, connection: Connection, kind: LogKind, details: str = "") -> None:
        """Add to the log what the visitor did."""
        name, address = self.visitor.account.name, address_of(self.request)
        note(connection, kind, name, self.gate.now(), address, details)

    def outside(self, path: str) -> str:
        """Return a path of this server with its address, for a person elsewhere."""
        return str(self.request.base_url).rstrip("/") + path

    def check_seen(self, seen: int | None, now: int) -> None:
        """Refuse with `BookError` what was decided by a page of another revision of the book than the one of *now*."""
        if seen != now:
            raise refused("book-moved", Place(file=self.site.book.url), seen=seen or 0, now=now)

    def decide(self, inputs: Sequence[Input], work: Callable[[], str], again: Again) -> Answer:
        """Do *work* once and go where it leads; or show the form *again*."""
        if wrong := self.sent.wrong(inputs):
            return again(self.refused(wrong))
        return once(
            self.gate, self.visitor, self.sent, lambda: self.attempt((), lambda: onward(work()), again)
        )

    def attempt(self, inputs: Sequence[Input], work: Callable[[], Answer], again: Again) -> Answer:
        """Do *work*, which may be done often; or show the form *again*."""
        if wrong := self.sent.wrong(inputs):
            return again(self.refused(wrong))
        try:
            return work()
        except RefusedError as failure:
            return again(self.refused(failure.findings, failure.status))
        except BookError as failure:
            moved = failure.finding.code in MOVED
            return again(self.refused((failure.finding,), CONFLICT if moved else UNPROCESSABLE))

    def show_once(
        self, inputs: Sequence[Input], work: Callable[[], Response[bytes]], afterwards: str, again: Again
    ) -> Answer:
        """Do *work* and answer with its page, which has a secret; the same form sent again leads to *afterwards*."""
        responses: list[Response[bytes]] = []

        def worked() -> str:
            responses.append(work())
            return afterwards

        answer = self.decide(inputs, worked, again)
        return responses[0] if responses else answer


TheContext: TypeAlias = NamedDependency[RequestContext]
"""How a handler asks for it."""


def context_of(
    request: Request[Any, Any, Any], site: TheSite, gate: TheGate, visitor: TheVisitor, form: TheForm
) -> RequestContext:
    """Return the context of who asks."""
    returned = returned_form(request, gate, visitor)
    if returned is None:
        return RequestContext(request, site, gate, visitor, form)
    return RequestContext(request, site, gate, visitor, sent_in(returned), returned=returned.path)


def made(result: DecisionResult) -> DecisionResult:
    """Return a decision that was made.

    Raises:
        RefusedError: it has errors, and nothing was changed.
    """
    if result.decision is None:
        raise RefusedError(result.findings)
    return result
