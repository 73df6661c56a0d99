"""Sending what was tried: into the queue of the office, as the account's own."""

from collections.abc import Iterator

from ratebook.book.connection import Actor, Connection
from ratebook.book.reports import found_in_reading, stored_report
from ratebook.book.submissions import StoredReport
from ratebook.findings import Finding, Place, finding
from ratebook.model import Report
from ratebook.office.queue.submit import Incoming, Submitted, fix, submit
from ratebook.reports.load import LoadedReport
from ratebook.web.gate.gate import Gate
from ratebook.web.site import Site
from ratebook.web.store.accounts import Account
from ratebook.web.store.sendings import note_sent
from ratebook.web.trial.kept import Trial


def incoming(site: Site, owner: Account, trial: Trial, loaded: LoadedReport) -> Incoming:
    """Return a report that was tried as it comes to the office today."""
    own = () if loaded.report is None else tuple(not_own(owner, loaded.report))
    found = loaded._replace(findings=(*loaded.findings, *own))
    return Incoming(found, trial.source, site.today(), digest=trial.digest)


def brought_with(connection: Connection, row: StoredReport) -> LoadedReport:
    """Return what was read beside a report that was sent, for another try of it."""
    found = tuple(each for each in found_in_reading(connection, row) if each.code not in OF_THE_SENDER)
    return LoadedReport(None, found, {}, stored_report(row)[1])


OF_THE_SENDER = frozenset({"affiliate-not-own", "director-not-own"})
"""Codes of `not_own`, which is looked for at each preview."""


def not_own(owner: Account, report: Report) -> Iterator[Finding]:
    """Yield what is to be said where a report is of another affiliate, or of other directors, than the account."""
    affiliate = report.event.affiliate
    if owner.affiliates and affiliate and affiliate not in owner.affiliates:
        yield finding(
            "affiliate-not-own", Place(subject="event"), affiliate=affiliate, own=", ".join(owner.affiliates)
        )
    event = report.event
    of_event = (event.chief_td, event.assistant_td, event.other_tds)
    named = " ".join([*of_event, *(f"{one.chief_td} {one.assistant_td}" for one in report.sections)])
    if owner.member_id and named.strip() and owner.member_id not in named:
        yield finding("director-not-own", Place(subject="event"), member=owner.member_id)


def send(
    site: Site, gate: Gate, owner: Account, actor: Actor, trial: Trial, loaded: LoadedReport
) -> Submitted:
    """Send a report that was tried; where it *revises* a submission that waits, it takes its place.

    Raises:
        BookError: that submission was decided meanwhile, or the store fails.
    """
    report = incoming(site, owner, trial, loaded)
    if trial.revises is None:
        submitted = submit(site.book, report, actor)
    else:
        submitted = fix(site.book, trial.revises, report.loaded, report.name, actor)
    if submitted.number is not None:
        with gate.store.writing() as connection:
            note_sent(connection, owner.id, submitted.number, gate.now())
    return submitted
