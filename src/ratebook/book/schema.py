"""The tables of a book, in the field's words (drawn in docs/book/schema.md).

Days are dates; moments are text in UTC (``2026-11-20T21:15:34Z``); ratings are rating points in full precision, so that
what is read is bit for bit what was written. A *place* is where a section stands in history: end date, event id and
section number in one text that sorts as docs/rules/readings.md#a11 orders (see `place_of`).
"""

from datetime import date
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Key = BigInteger().with_variant(Integer, "sqlite")
"""A number that the store gives; SQLite counts only its own INTEGER."""

Bytewise = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that sorts by its bytes in every store, whatever the language of the server."""

_SEPARATOR = "\t"
"""Sorts before every printable character, so that an id sorts before the ids that it begins."""


def place_of(end: date, event: str, number: int) -> str:
    r"""Return where a section stands in history: end date, event id, section number (docs/rules/readings.md#a11).

    >>> from datetime import date
    >>> place_of(date(2026, 11, 14), "202611140001", 2)
    '2026-11-14\t202611140001\t00002'
    """
    return f"{end.isoformat()}{_SEPARATOR}{event}{_SEPARATOR}{number:05d}"


def day_of_place(place: str) -> str:
    """Return the end date of the section at *place*, as text.

    >>> from datetime import date
    >>> day_of_place(place_of(date(2026, 11, 14), "202611140001", 2))
    '2026-11-14'
    """
    return place.partition(_SEPARATOR)[0]


def _key() -> Column[int]:
    return Column("id", Key, primary_key=True, autoincrement=True)


def _reference(name: str, to: str, *, null: bool = False, kind: TypeEngine[Any] = Key) -> Column[Any]:
    return Column(name, kind, ForeignKey(to), nullable=null)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _by_and_at(prefix: str) -> tuple[Column[str], Column[str]]:
    return _text(f"{prefix}_by"), _text(f"{prefix}_at")


rulebooks = Table(
    "rulebooks",
    metadata,
    _key(),
    Column("fingerprint", Text, nullable=False, unique=True),
    _text("timeline"),
    _text("overlay"),
    _text("adopted_at"),
)
"""The dated rules as the federation adopted them: the timeline files as JSON and the overlay as TOML."""

book = Table(
    "book",
    metadata,
    Column(
        "id", SmallInteger, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False
    ),
    _text("name"),
    _text("country"),
    _text("member_id_pattern"),
    _text("systems"),
    _text("cut_off"),
    Column("least_published_games", Integer, nullable=False),
    _reference("rulebook_id", "rulebooks.id"),
    Column("revision", Key, nullable=False),
    _text("created_at"),
)
"""The federation profile, and a revision that every change of the ledger or of its inputs raises."""

members = Table(
    "members",
    metadata,
    Column("id", Bytewise, primary_key=True),
    _text("name"),
    _text("folded_name"),
    Column("birth_date", Date),
    Column("adult", Boolean),
    _text("state"),
    _flag("canadian_resident"),
    _flag("usa_flag"),
    _flag("fide_opt_in"),
    _reference("merged_into", "members.id", null=True, kind=Bytewise),
    _text("erased_at", null=True),
    Index("ix_members_folded_name", "folded_name"),
)
"""The members, who can be rated. ``folded_name`` is the name without case and accents, for searching."""

Index(
    "ix_members_merged_into",
    members.c.merged_into,
    sqlite_where=members.c.merged_into.is_not(None),
    postgresql_where=members.c.merged_into.is_not(None),
)

memberships = Table(
    "memberships",
    metadata,
    _key(),
    _reference("member_id", "members.id", kind=Bytewise),
    Column("starts", Date, nullable=False),
    Column("expires", Date, nullable=False),
    Index("ix_memberships_member_id", "member_id"),
)
"""First and last days of memberships."""

external_ratings = Table(
    "external_ratings",
    metadata,
    _reference("member_id", "members.id", kind=Bytewise),
    _text("source"),
    Column("list_date", Date, nullable=False),
    Column("rating", Double, nullable=False),
    Index("uq_external_ratings_member_id_source_list_date", "member_id", "source", "list_date", unique=True),
)
"""FIDE and CFC ratings with the day of their lists."""

decisions = Table(
    "decisions",
    metadata,
    _key(),
    _text("kind"),
    *_by_and_at("decided"),
    _text("reason"),
    Column("effective", Date),
    _reference("member_id", "members.id", null=True, kind=Bytewise),
    _text("system", null=True),
    _text("event_id", null=True),
    Column("section_number", Integer),
    Column("value", Double),
    _text("details"),
    Index("ix_decisions_member_id_kind", "member_id", "kind"),
)
"""What the office decided: corrections, floors, ceilings, initial ratings, merges, requests, rules adopted."""

opening_balances = Table(
    "opening_balances",
    metadata,
    _reference("member_id", "members.id", kind=Bytewise),
    _text("system"),
    Column("as_of", Date, nullable=False),
    Column("rating", Double, nullable=False),
    Column("games", Double),
    Column("wins", Integer),
    Column("draws", Integer),
    Column("losses", Integer),
    _text("record", null=True),
    Column("long_events", Integer),
    Column("peak", Double),
    Column("life_master_games", Integer),
    _text("floors"),
    _reference("decision_id", "decisions.id"),
    Index("uq_opening_balances_member_id_system", "member_id", "system", unique=True),
)
"""The rating from which a member's ledger starts in a system; nothing up to ``as_of`` is rated again."""

submissions = Table(
    "submissions",
    metadata,
    _key(),
    _text("event_id"),
    _text("event_name"),
    _text("status"),
    _text("source_name"),
    Column("received", Date, nullable=False),
    *_by_and_at("submitted"),
    _text("report"),
    _text("stated"),
    _text("content_hash"),
    _text("roster_hash"),
    _reference("revises", "submissions.id", null=True),
    _reference("decision_id", "decisions.id", null=True),
    Index("ix_submissions_content_hash", "content_hash"),
    Index("ix_submissions_roster_hash", "roster_hash"),
    Index("ix_submissions_event_id", "event_id"),
    Index("ix_submissions_status", "status"),
)
"""Reports as they arrived, as native JSON; a correction of a rated event is a further revision of its report."""

findings = Table(
    "findings",
    metadata,
    _key(),
    _reference("submission_id", "submissions.id"),
    _text("code"),
    _text("severity"),
    _text("place"),
    _text("message"),
    _text("remedy"),
    _text("accepted_by", null=True),
    _text("accepted_at", null=True),
    Index("ix_findings_submission_id", "submission_id"),
)
"""What the checks found in a submission, and which warnings the office accepted."""

events = Table(
    "events",
    metadata,
    Column("id", Bytewise, primary_key=True),
    _text("name"),
    Column("start", Date),
    Column("end", Date),
    _text("city"),
    _text("state"),
    _text("country"),
    _text("affiliate"),
    _text("chief_td"),
    _reference("submission_id", "submissions.id"),
)
"""Events with a rated section; ``submission_id`` is the current revision of the report."""

sections = Table(
    "sections",
    metadata,
    _key(),
    _reference("event_id", "events.id", kind=Bytewise),
    Column("number", Integer, nullable=False),
    Column("place", Bytewise, nullable=False),
    _text("name"),
    Column("start", Date),
    Column("end", Date, nullable=False),
    _text("time_control", null=True),
    _text("type"),
    _flag("online"),
    _flag("half_k"),
    _flag("youth"),
    _flag("withdrawn"),
    Index("uq_sections_event_id_number", "event_id", "number", unique=True),
    Index("uq_sections_place", "place", unique=True),
)
"""What is rated: the sections of events, as in the current revision of the report."""

entries = Table(
    "entries",
    metadata,
    _reference("section_id", "sections.id"),
    Column("seat", Integer, nullable=False),
    Column("member_id", Bytewise, nullable=False),
    _text("name"),
    _flag("update"),
    _text("floor_request", null=True),
    Column("fide_rating", Double),
    Index("uq_entries_section_id_seat", "section_id", "seat", unique=True),
    Index("ix_entries_member_id", "member_id"),
)
"""One seat of a section. Opponents in foreign FIDE events need not be members; the report gave their FIDE ratings."""

games = Table(
    "games",
    metadata,
    _reference("section_id", "sections.id"),
    Column("seat", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    _text("result"),
    Column("opponent", Integer),
    _text("colour"),
    Index("uq_games_section_id_seat_round", "section_id", "seat", "round", unique=True),
)
"""One round of one seat: games from the seat's side, byes and empty rounds."""

runs = Table(
    "runs",
    metadata,
    _key(),
    _text("kind"),
    _text("started_at"),
    _text("finished_at", null=True),
    _text("started_by"),
    _text("engine"),
    _text("platform"),
    _reference("rulebook_id", "rulebooks.id"),
)
"""Rating runs: which program on which machine, with which rulebook."""

rule_sets = Table(
    "rule_sets",
    metadata,
    Column("fingerprint", Text, primary_key=True),
    _text("numbers"),
)
"""The numbers that rated sections, by fingerprint, so that every row can be computed again."""

postings = Table(
    "postings",
    metadata,
    _key(),
    _reference("run_id", "runs.id"),
    _reference("section_id", "sections.id"),
    _text("system"),
    Column("place", Bytewise, nullable=False),
    _flag("dual_rated"),
    _flag("withdrawn"),
    _reference("rules", "rule_sets.fingerprint", null=True, kind=Text()),
    _text("input_hash"),
    _reference("superseded_by", "postings.id", null=True),
    Index("ix_postings_run_id", "run_id"),
)
"""One section rated in one system by one run; the hash covers everything that was read (office/rating/inputs.py)."""

Index(
    "uq_postings_current",
    postings.c.section_id,
    postings.c.system,
    unique=True,
    sqlite_where=postings.c.superseded_by.is_(None),
    postgresql_where=postings.c.superseded_by.is_(None),
)

ledger = Table(
    "ledger",
    metadata,
    _key(),
    _reference("posting_id", "postings.id"),
    _reference("section_id", "sections.id"),
    _reference("member_id", "members.id", kind=Bytewise),
    _text("system"),
    Column("place", Bytewise, nullable=False),
    _text("source"),
    Column("rating_before", Double, nullable=False),
    Column("games_before", Double),
    Column("rating", Double, nullable=False),
    Column("games", Double),
    Column("wins", Integer),
    Column("draws", Integer),
    Column("losses", Integer),
    _text("record", null=True),
    Column("long_events", Integer),
    Column("peak", Double),
    Column("life_master_games", Integer),
    _text("floors"),
    Column("match_change", Double),
    Column("played", Integer, nullable=False),
    _text("formula"),
    Column("effective_games", Double, nullable=False),
    Column("k", Double),
    Column("score", Double, nullable=False),
    Column("expected", Double, nullable=False),
    Column("bonus", Double),
    Column("step3", Double),
    Column("step4", Double),
    Column("step5", Double, nullable=False),
    Column("floor_applied", Double),
    _reference("superseded_by", "postings.id", null=True),
    Index("ix_ledger_posting_id", "posting_id"),
)
"""The append-only ledger: a row for each player of a rated section and system; the next section starts from it.

``games`` without a value means an established rating on an unknown number of games. ``superseded_by`` is written once,
when a later posting replaces the row or drops it; triggers refuse every other change (book/migrations).
"""

Index(
    "uq_ledger_current",
    ledger.c.member_id,
    ledger.c.system,
    ledger.c.place,
    unique=True,
    sqlite_where=ledger.c.superseded_by.is_(None),
    postgresql_where=ledger.c.superseded_by.is_(None),
)
Index(
    # Without the condition SQLite would look for the rows that hold through this index, and they are nearly all.
    "ix_ledger_superseded_by",
    ledger.c.superseded_by,
    sqlite_where=ledger.c.superseded_by.is_not(None),
    postgresql_where=ledger.c.superseded_by.is_not(None),
)
Index(
    "ix_ledger_current_section",
    ledger.c.section_id,
    ledger.c.system,
    sqlite_where=ledger.c.superseded_by.is_(None),
    postgresql_where=ledger.c.superseded_by.is_(None),
)

rerate_marks = Table(
    "rerate_marks",
    metadata,
    _key(),
    Column("place", Bytewise, nullable=False),
    _reference("member_id", "members.id", null=True, kind=Bytewise),
    _reference("section_id", "sections.id", null=True),
    _text("reason"),
    _reference("done_by", "runs.id", null=True),
    Index("ix_rerate_marks_done_by", "done_by"),
)
"""Pending changes, from a place in history on: of one member, of one section, or (neither is given) of everything."""

norms = Table(
    "norms",
    metadata,
    _reference("member_id", "members.id", kind=Bytewise),
    _reference("section_id", "sections.id"),
    Column("place", Bytewise, nullable=False),
    Column("level", Integer, nullable=False),
    Column("score", Double, nullable=False),
    Column("expected", Double, nullable=False),
    Column("played", Integer, nullable=False),
    Index("uq_norms_member_id_place", "member_id", "place", unique=True),
    Index("ix_norms_section_id", "section_id"),
)
"""Norms earned, by the ratings after the section; a re-rating writes them anew."""

titles = Table(
    "titles",
    metadata,
    _reference("member_id", "members.id", kind=Bytewise),
    _text("title"),
    Column("earned", Date, nullable=False),
    Index("uq_titles_member_id_title", "member_id", "title", unique=True),
)
"""Titles earned; none is ever lost but by a re-rating or a correction."""

published_lists = Table(
    "published_lists",
    metadata,
    Column("id", Text, primary_key=True),
    Column("cut_off", Date, nullable=False),
    *_by_and_at("published"),
    Column("least_games", Integer, nullable=False),
    _text("digest"),
)
"""Official lists, named after their month (``2026-12``); they never change."""

published_ratings = Table(
    "published_ratings",
    metadata,
    _reference("list_id", "published_lists.id", kind=Text()),
    _reference("member_id", "members.id", kind=Bytewise),
    _text("system"),
    Column("rating", Integer, nullable=False),
    Column("provisional_games", Integer),
    Index("uq_published_ratings_list_id_member_id_system", "list_id", "member_id", "system", unique=True),
    Index("ix_published_ratings_member_id", "member_id", "system", "list_id"),
)
"""The ratings of official lists; they never change."""

audit = Table(
    "audit",
    metadata,
    _key(),
    _text("at"),
    _text("by"),
    _text("action"),
    _text("subject"),
    _text("details"),
    Index("ix_audit_subject", "subject"),
)
"""Who did what when."""
