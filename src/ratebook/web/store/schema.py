"""The tables of a web store. Moments are text in UTC, as in a book.

Of secrets only their SHA-256 is kept, but for those of second factors, which are sealed (`ratebook.web.gate.vault`).
"""

from datetime import UTC, datetime

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, MetaData, Table, Text

from ratebook.book.columns import Key
from ratebook.book.columns import metadata as of_book

metadata = MetaData(naming_convention=of_book.naming_convention)


def moment(at: datetime) -> str:
    """Return a moment as the store has it, so that texts sort as moments do.

    >>> moment(datetime(2026, 11, 20, 21, 15, 34, tzinfo=UTC))
    '2026-11-20T21:15:34Z'
    """
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(*names: str, empty: bool = False) -> list[Column[str]]:
    return [Column(name, Text, nullable=empty) for name in names]


def _number() -> Column[int]:
    return Column("id", Key, primary_key=True, autoincrement=True)


def _account() -> Column[int]:
    return Column("account_id", ForeignKey("accounts.id"), nullable=False)


accounts = Table(
    "accounts",
    metadata,
    _number(),
    Column("folded_name", Text, nullable=False, unique=True),
    *_text("name", "role", "member_id", "affiliates", "made_at"),
    *_text("password", "disabled_at", "secret", empty=True),
    Column("counter", Key, nullable=False),
)
"""Who may sign in. ``secret`` is that of the second factor, sealed, ``counter`` the last of its codes that was used."""

sessions = Table(
    "sessions",
    metadata,
    _number(),
    Column("digest", Text, nullable=False, unique=True),
    _account(),
    *_text("made_at", "seen_at", "confirmed_at", "agent"),
    *_text("offered", empty=True),
    Index("ix_sessions_account_id", "account_id"),
)
"""Who is signed in. ``confirmed_at`` is when the password was given last, ``offered`` a sealed secret that the page of
the second factor shows."""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("digest", Text, primary_key=True),
    _account(),
    Index("ix_recovery_codes_account_id", "account_id"),
)
"""Codes that stand in for a code of the app; a row goes when it is used."""

tokens = Table(
    "tokens",
    metadata,
    _number(),
    Column("digest", Text, nullable=False, unique=True),
    _account(),
    *_text("purpose", "scopes", "made_at", "expires_at"),
    *_text("revoked_at", empty=True),
)
"""Tokens for programs."""

links = Table("links", metadata, Column("digest", Text, primary_key=True), _account(), *_text("expires_at"))
"""One-time links by which a person chooses a password; a row goes when it is used."""

throttle = Table(
    "throttle",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("failures", Integer, nullable=False),
    *_text("counted_from", "wait_until"),
)
"""Failed sign-ins by account and by address, and from where an account was signed in to."""

previews = Table(
    "previews",
    metadata,
    Column("name", Text, primary_key=True),
    _account(),
    *_text("made_at"),
    Column("content", LargeBinary, nullable=False),
    Column("title", Text, nullable=False, server_default=""),
)
"""Reports that a director tries."""

sent = Table(
    "sent",
    metadata,
    Column("submission_id", Key, primary_key=True, autoincrement=False),
    _account(),
    *_text("sent_at"),
    *_text("withdrawn_at", empty=True),
    Column("ratings", LargeBinary, nullable=True),
    Index("ix_sent_account_id", "account_id"),
)
"""Whose a submission of the book is, and the ratings of its preview; one that replaced it is the same person's."""

desks = Table(
    "desks",
    metadata,
    Column("report", Key, primary_key=True, autoincrement=False),
    _account(),
    *_text("taken_at"),
)
"""Who of the office has a report: its number is that of its first version, so that it stays with later ones."""

notes = Table(
    "notes",
    metadata,
    _number(),
    Column("report", Key, nullable=False),
    _account(),
    *_text("written_at", "words", "reader"),
    Index("ix_notes_report", "report"),
)
"""What the office and the sender of a report write about it; its number is that of its first version. The ``reader`` is
the office alone, or the sender, too."""

jobs = Table(
    "jobs",
    metadata,
    _number(),
    _account(),
    *_text("kind", "arguments", "state", "made_at"),
    *_text("ended_at", "result", empty=True),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("revision", Key, nullable=False),
)
"""Long work of the office: what was asked of which revision of the book, and how far it is."""

sendings = Table(
    "sendings",
    metadata,
    Column("account_id", ForeignKey("accounts.id"), primary_key=True),
    Column("key", Text, primary_key=True),
    *_text("made_at", "led_to"),
)
"""Forms that were sent, by the keys they carry, and where they led; empty while they are worked on."""

interrupted = Table(
    "interrupted",
    metadata,
    _number(),
    _account(),
    *_text("made_at", "path", "page", "content"),
    Index("ix_interrupted_account_id", "account_id"),
)
"""Forms that were sent after their session had ended. Those without a ``page`` are done when their account signs in
again; others are shown again there."""

log = Table(
    "log",
    metadata,
    _number(),
    *_text("at", "account", "kind", "address", "details"),
    Index("ix_log_address_kind_at", "address", "kind", "at"),
)
"""Sign-ins, refusals, tokens used, private facts viewed; triggers keep its rows as they are."""
