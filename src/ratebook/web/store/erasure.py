"""A person erased from what a web server keeps beside the book: the other modules here forget, each its own."""

from datetime import datetime

from ratebook.book.connection import Connection
from ratebook.book.copies.file import rewrite_file
from ratebook.findings import Place, finding
from ratebook.office.erasure.erase import ErasedElsewhere, Erasure
from ratebook.web.store.accounts import all_accounts
from ratebook.web.store.interrupted import forget_interrupted_about
from ratebook.web.store.jobs import forget_results
from ratebook.web.store.opening import Store
from ratebook.web.store.reports.notes import forget_notes
from ratebook.web.store.reports.previews import forget_about, forget_old
from ratebook.web.store.sendings import forget_leading, forget_ratings


def erase_from_store(store: Store, person: Erasure, at: datetime) -> ErasedElsewhere:
    """Forget what directors try, files that wait for their import, and results of jobs that are about a person.

    Accounts and the log of who did what stay, and are named.
    """

    def is_about(text: str) -> bool:
        return any(member in text for member in person.members) or person.spellings.within(text)

    with store.writing() as connection:
        forget_old(connection, at)
        counts = {
            "reports and files that were tried": forget_about(connection, is_about),
            "ratings of previews": forget_ratings(connection, is_about),
            "notes on reports": forget_notes(connection, is_about),
            "forms that wait for their account": forget_interrupted_about(connection, is_about),
            "results of jobs": forget_results(connection, is_about),
            "forms that were sent": forget_leading(connection, person.spellings.within),
        }
        accounts = _accounts(connection, person)
    findings = []
    if accounts:
        findings.append(
            finding("erasure-left.account", Place(subject="accounts"), accounts=", ".join(accounts))
        )
    if not rewrite_file(store):
        findings.append(finding("erasure-left.file", Place(subject="the web store")))
    changes = (f"{what}: {count}" for what, count in counts.items() if count)
    return ErasedElsewhere(tuple(changes), tuple(findings))


def _accounts(connection: Connection, person: Erasure) -> list[str]:
    return [
        account.name
        for account in all_accounts(connection)
        if account.member_id in person.members or person.spellings.within(account.name)
    ]
