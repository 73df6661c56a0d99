"""The tables of a book, in the field's words (drawn in docs/book/schema.md).

Days are dates; moments are text in UTC (``2026-11-20T21:15:34Z``); ratings are rating points in full precision, so that
what is read is bit for bit what was written. A *place* is the position of a section in history: end date, event id and
section number in one text that sorts as docs/rules/readings.md#a11 orders (see `place_of`).
"""

from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
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
    r"""Return the place of a section in history: end date, event id, section number (docs/rules/readings.md#a11).

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


def _columns(kind: TypeEngine[Any], names: str) -> list[Column[Any]]:
    """Return a column of one kind for each of *names*; those with a question mark may be empty."""
    return [Column(name.rstrip("?"), kind, nullable=name.endswith("?")) for name in names.split()]


_texts = partial(_columns, Text())
_bytewise = partial(_columns, Bytewise)
_flags = partial(_columns, Boolean())
_days = partial(_columns, Date())
_counts = partial(_columns, Integer())
_points = partial(_columns, Double())


def _table(name: str, *parts: Column[Any] | Index) -> Table:
    return Table(name, metadata, *parts)


def _key() -> Column[int]:
    return Column("id", Key, primary_key=True, autoincrement=True)


def _reference(name: str, to: str = "") -> Column[Any]:
    """Return a column that has the kind of what it refers to, the table of its own name unless *to* is given."""
    plain = name.rstrip("?")
    return Column(plain, ForeignKey(to or f"{plain.removesuffix('_id')}s.id"), nullable=name.endswith("?"))


def _index(
    name: str, *columns: ColumnElement[Any], where: ColumnElement[bool], unique: bool = False
) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


rulebooks = _table(
    "rulebooks",
    _key(),
    Column("fingerprint", Text, nullable=False, unique=True),
    *_texts("timeline overlay adopted_at"),
)
"""The dated rules as the federation adopted them: the timeline files as JSON and the overlay as TOML."""

book = _table(
    "book",
    Column(
        "id", SmallInteger, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False
    ),
    *_texts("name country member_id_pattern systems cut_off"),
    *_counts("least_published_games"),
    _reference("rulebook_id"),
    Column("revision", Key, nullable=False),
    *_texts("created_at"),
)
"""The federation profile, and a revision that every change of the ledger or of its inputs raises."""

members = _table(
    "members",
    Column("id", Bytewise, primary_key=True),
    *_texts("name folded_name"),
    *_days("birth_date?"),
    *_flags("adult?"),
    *_texts("state"),
    *_flags("canadian_resident usa_flag fide_opt_in"),
    _reference("merged_into?", "members.id"),
    *_texts("erased_at?"),
    Index("ix_members_folded_name", "folded_name"),
)
"""The members, who can be rated. ``folded_name`` is the name without case and accents, for searching."""

_index("ix_members_merged_into", members.c.merged_into, where=members.c.merged_into.is_not(None))

memberships = _table(
    "memberships",
    _key(),
    _reference("member_id"),
    *_days("starts expires"),
    Index("ix_memberships_member_id", "member_id"),
)
"""First and last days of memberships."""

external_ratings = _table(
    "external_ratings",
    _reference("member_id"),
    *_texts("source"),
    *_days("list_date"),
    *_points("rating"),
    Index("uq_external_ratings_member_id_source_list_date", "member_id", "source", "list_date", unique=True),
)
"""FIDE and CFC ratings with the day of their lists."""

decisions = _table(
    "decisions",
    _key(),
    *_texts("kind decided_by decided_at reason"),
    *_days("effective?"),
    _reference("member_id?"),
    *_texts("system? event_id?"),
    *_counts("section_number?"),
    *_points("value?"),
    *_texts("details"),
    Index("ix_decisions_member_id_kind", "member_id", "kind"),
)
"""What the office decided: corrections, floors, ceilings, initial ratings, merges, requests, rules adopted."""

opening_balances = _table(
    "opening_balances",
    _reference("member_id"),
    *_texts("system"),
    *_days("as_of"),
    *_points("rating games?"),
    *_counts("wins? draws? losses?"),
    *_texts("record?"),
    *_counts("long_events?"),
    *_points("peak?"),
    *_counts("life_master_games?"),
    *_texts("floors"),
    _reference("decision_id"),
    Index("uq_opening_balances_member_id_system", "member_id", "system", unique=True),
)
"""The rating from which a member's ledger starts in a system; nothing up to ``as_of`` is rated again."""

submissions = _table(
    "submissions",
    _key(),
    *_texts("event_id event_name status source_name"),
    *_days("received"),
    *_texts("submitted_by submitted_at report stated content_hash roster_hash"),
    _reference("revises?", "submissions.id"),
    _reference("decision_id?"),
    Index("ix_submissions_content_hash", "content_hash"),
    Index("ix_submissions_roster_hash", "roster_hash"),
    Index("ix_submissions_event_id", "event_id"),
    Index("ix_submissions_status", "status"),
)
"""Reports as they arrived, as native JSON; a correction of a rated event is a further revision of its report."""

findings = _table(
    "findings",
    _key(),
    _reference("submission_id"),
    *_texts("code severity place message remedy accepted_by? accepted_at?"),
    Index("ix_findings_submission_id", "submission_id"),
)
"""What the checks found in a submission, and which warnings the office accepted."""

events = _table(
    "events",
    Column("id", Bytewise, primary_key=True),
    *_texts("name"),
    *_days("start? end?"),
    *_texts("city state country affiliate chief_td"),
    _reference("submission_id"),
)
"""Events with a rated section; ``submission_id`` is the current revision of the report."""

sections = _table(
    "sections",
    _key(),
    _reference("event_id"),
    *_counts("number"),
    *_bytewise("place"),
    *_texts("name"),
    *_days("start? end"),
    *_texts("time_control? type"),
    *_flags("online half_k youth withdrawn"),
    Index("uq_sections_event_id_number", "event_id", "number", unique=True),
    Index("uq_sections_place", "place", unique=True),
)
"""What is rated: the sections of events, as in the current revision of the report."""

entries = _table(
    "entries",
    _reference("section_id"),
    *_counts("seat"),
    *_bytewise("member_id"),
    *_texts("name"),
    *_flags("update"),
    *_texts("floor_request?"),
    *_points("fide_rating?"),
    Index("uq_entries_section_id_seat", "section_id", "seat", unique=True),
    Index("ix_entries_member_id", "member_id"),
)
"""One seat of a section. Opponents in foreign FIDE events need not be members; the report gave their FIDE ratings."""

games = _table(
    "games",
    _reference("section_id"),
    *_counts("seat round"),
    *_texts("result"),
    *_counts("opponent?"),
    *_texts("colour"),
    Index("uq_games_section_id_seat_round", "section_id", "seat", "round", unique=True),
)
"""One round of one seat: games from the seat's side, byes and empty rounds."""

runs = _table(
    "runs",
    _key(),
    *_texts("kind started_at finished_at? started_by engine platform"),
    _reference("rulebook_id"),
)
"""Rating runs: which program on which machine, with which rulebook."""

rule_sets = _table("rule_sets", Column("fingerprint", Text, primary_key=True), *_texts("numbers"))
"""The numbers that rated sections, by fingerprint, so that every row can be computed again."""

postings = _table(
    "postings",
    _key(),
    _reference("run_id"),
    _reference("section_id"),
    *_texts("system"),
    *_bytewise("place"),
    *_flags("dual_rated withdrawn"),
    _reference("rules?", "rule_sets.fingerprint"),
    *_texts("input_hash"),
    _reference("superseded_by?", "postings.id"),
    Index("ix_postings_run_id", "run_id"),
)
"""One section rated in one system by one run; the hash covers everything that was read (office/rating/inputs.py)."""

_index(
    "uq_postings_current",
    postings.c.section_id,
    postings.c.system,
    unique=True,
    where=postings.c.superseded_by.is_(None),
)

ledger = _table(
    "ledger",
    _key(),
    _reference("posting_id"),
    _reference("section_id"),
    _reference("member_id"),
    *_texts("system"),
    *_bytewise("place"),
    *_texts("source"),
    *_points("rating_before games_before? rating games?"),
    *_counts("wins? draws? losses?"),
    *_texts("record?"),
    *_counts("long_events?"),
    *_points("peak?"),
    *_counts("life_master_games?"),
    *_texts("floors"),
    *_points("match_change?"),
    *_counts("played"),
    *_texts("formula"),
    *_points("effective_games k? score expected bonus? step3? step4? step5 floor_applied?"),
    _reference("superseded_by?", "postings.id"),
    Index("ix_ledger_posting_id", "posting_id"),
)
"""The append-only ledger: a row for each player of a rated section and system; the next section starts from it.

``games`` without a value means an established rating on an unknown number of games. ``superseded_by`` is written once,
when a later posting replaces the row or drops it; triggers refuse every other change (book/migrations).
"""

_index(
    "uq_ledger_current",
    ledger.c.member_id,
    ledger.c.system,
    ledger.c.place,
    unique=True,
    where=ledger.c.superseded_by.is_(None),
)
_index(
    # Without the condition SQLite would look for the rows that hold through this index, and they are nearly all.
    "ix_ledger_superseded_by",
    ledger.c.superseded_by,
    where=ledger.c.superseded_by.is_not(None),
)
_index(
    "ix_ledger_current_section", ledger.c.section_id, ledger.c.system, where=ledger.c.superseded_by.is_(None)
)

rerate_marks = _table(
    "rerate_marks",
    _key(),
    *_bytewise("place"),
    _reference("member_id?"),
    _reference("section_id?"),
    *_texts("reason"),
    _reference("done_by?", "runs.id"),
    Index("ix_rerate_marks_done_by", "done_by"),
)
"""Pending changes, from a place in history on: of one member, of one section, or (neither is given) of everything."""

norms = _table(
    "norms",
    _reference("member_id"),
    _reference("section_id"),
    *_bytewise("place"),
    *_counts("level"),
    *_points("score expected"),
    *_counts("played"),
    Index("uq_norms_member_id_place", "member_id", "place", unique=True),
    Index("ix_norms_section_id", "section_id"),
)
"""Norms earned, by the ratings after the section; a re-rating writes them anew."""

titles = _table(
    "titles",
    _reference("member_id"),
    *_texts("title"),
    *_days("earned"),
    Index("uq_titles_member_id_title", "member_id", "title", unique=True),
)
"""Titles earned; none is ever lost but by a re-rating or a correction."""

published_lists = _table(
    "published_lists",
    Column("id", Text, primary_key=True),
    *_days("cut_off"),
    *_texts("published_by published_at"),
    *_counts("least_games"),
    *_texts("digest"),
)
"""Official lists, named after their month (``2026-12``); they never change."""

published_ratings = _table(
    "published_ratings",
    _reference("list_id", "published_lists.id"),
    _reference("member_id"),
    *_texts("system"),
    *_counts("rating provisional_games?"),
    Index("uq_published_ratings_list_id_member_id_system", "list_id", "member_id", "system", unique=True),
    Index("ix_published_ratings_member_id", "member_id", "system", "list_id"),
)
"""The ratings of official lists; they never change."""

audit = _table("audit", _key(), *_texts("at by action subject details"), Index("ix_audit_subject", "subject"))
"""Who did what when."""
