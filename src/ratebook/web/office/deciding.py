"""Deciding in the browser: a form is read, done once, and comes back with what was typed where it is refused."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from litestar import Response

from ratebook.book.failures import BookError
from ratebook.findings import Finding
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.web.failures import MOVED
from ratebook.web.forms.inputs import Input
from ratebook.web.forms.once import Answer, once
from ratebook.web.forms.sent import Sent
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import Visitor
from ratebook.web.rooms import onward
from ratebook.web.site import Site

UNPROCESSABLE, CONFLICT = 422, 409
MOST_REASON = 500
REASON = Input("reason", "Reason", hint="It is kept with the decision.", most=MOST_REASON)
"""Every decision has one."""


class RefusedError(Exception):
    """Findings keep a decision from being made; nothing was changed. *status* is that of the answer."""

    def __init__(self, findings: Sequence[Finding], status: int = UNPROCESSABLE) -> None:
        super().__init__(findings)
        self.findings, self.status = tuple(findings), status


class Desk(NamedTuple):
    """Where and by whom something is decided, and the form by which."""

    site: Site
    gate: Gate
    visitor: Visitor
    sent: Sent

    @property
    def because(self) -> Reason:
        """Return who decides now, and the reason that was typed."""
        return Reason(self.visitor.acting(self.gate), " ".join(self.sent.text(REASON.name).split()))

    def decide(
        self,
        inputs: Sequence[Input],
        work: Callable[[Reason], str],
        again: Callable[[Sequence[Finding], int], Response[bytes]],
    ) -> Answer:
        """Do *work* once and go where it leads; or show the form *again* with findings and a status."""
        wrong = self.sent.wrong(inputs)
        if wrong:
            return again(wrong, UNPROCESSABLE)

        def tried() -> Answer:
            try:
                return onward(work(self.because))
            except RefusedError as failure:
                return again(failure.findings, failure.status)
            except BookError as failure:
                moved = failure.finding.code in MOVED
                return again((failure.finding,), CONFLICT if moved else UNPROCESSABLE)

        return once(self.gate, self.visitor, self.sent, tried)


def made(result: DecisionResult) -> DecisionResult:
    """Return a decision that was made.

    Raises:
        RefusedError: it has errors, and nothing was changed.
    """
    if result.decision is None:
        raise RefusedError(result.findings)
    return result
