"""The tables of a book, in the field's words (drawn in docs/book/schema.md).

Days are dates; moments are text in UTC (``2026-11-20T21:15:34Z``); ratings are rating points in full precision, so that
what is read is bit for bit what was written. A *place* is the position of a section in history: end date, event id and
section number in one text that sorts as docs/rules/readings.md#a11 orders (see `place_of`).
"""

from datetime import date
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
    func,
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


def place_at_begin(day: date) -> str:
    """Return the place in history before all sections that end on *day*."""
    return f"{day.isoformat()}{_SEPARATOR}"


def place_at_end(day: date) -> str:
    """Return the place in history after all sections that end on *day*."""
    return f"{day.isoformat()}{_SEPARATOR}\uffff"


def day_of_place(place: str) -> str:
    """Return the end date of the section at *place*, as text.

    >>> from datetime import date
    >>> day_of_place(place_of(date(2026, 11, 14), "202611140001", 2))
    '2026-11-14'
    """
    return place.partition(_SEPARATOR)[0]


_KINDS: dict[str, TypeEngine[Any]] = {
    "text": Text(),
    "bytewise": Bytewise,
    "flag": Boolean(),
    "day": Date(),
    "count": Integer(),
    "number": Key,
    "points": Double(),
}


def _table(name: str, *parts: str | Column[Any] | Index) -> Table:
    """Return a table; columns that are text give names and kinds, or for a reference the column that it refers to.

    A column whose kind ends in a question mark may be empty; ``id key`` is a number that the store counts.
    """
    found: list[Column[Any] | Index] = []
    for part in parts:
        found += [_column(*one.split()) for one in part.split(", ")] if isinstance(part, str) else [part]
    return Table(name, metadata, *found)


def _column(name: str, said: str) -> Column[Any]:
    kind, empty = said.rstrip("?"), said.endswith("?")
    if kind == "key":
        return Column(name, Key, primary_key=True, autoincrement=True)
    return Column(name, ForeignKey(kind) if "." in kind else _KINDS[kind], nullable=empty)


def _index(
    name: str, *columns: ColumnElement[Any], where: ColumnElement[bool], unique: bool = False
) -> Index:
    # The migrations make the indexes. As options of the dialects, conditions would load both at every start.
    return Index(name, *columns, unique=unique, info={"where": where})


rulebooks = _table(
    "rulebooks",
    "id key",
    Column("fingerprint", Text, nullable=False, unique=True),
    "timeline text, overlay text, adopted_at text",
)
"""The dated rules as the federation adopted them: the timeline files as JSON and the overlay as TOML."""

book = _table(
    "book",
    Column(
        "id", SmallInteger, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False
    ),
    "name text, country text, member_id_pattern text, systems text, cut_off text",
    "least_published_games count, rulebook_id rulebooks.id, revision number, created_at text, settings text?",
)
"""The federation profile, and a revision that every change of the ledger or of its inputs raises."""

members = _table(
    "members",
    Column("id", Bytewise, primary_key=True),
    "name text, folded_name text, birth_date day?, adult flag?, state text, canadian_resident flag",
    "usa_flag flag, fide_opt_in flag, merged_into members.id?, erased_at text?",
    "fide_id text?, sex text?, title text?, federation text?, club text?",
    Index("ix_members_folded_name", "folded_name"),
)
"""The members, who can be rated. ``folded_name`` is the name without case and accents, for searching."""

NAME_ORDER = func.upper(members.c.name)
"""How members are ordered by name: the folded names have their words in the order of the alphabet."""

Index("ix_members_name_order", NAME_ORDER, members.c.id)
_index("ix_members_merged_into", members.c.merged_into, where=members.c.merged_into.is_not(None))
_index("ix_members_fide_id", members.c.fide_id, where=members.c.fide_id.is_not(None))

name_words = _table(
    "name_words",
    "word bytewise",
    Column("member_id", Bytewise, ForeignKey("members.id"), nullable=False),
    Index("uq_name_words_word_member_id", "word", "member_id", unique=True),
    Index("ix_name_words_member_id", "member_id"),
)
"""The words of members' folded names, each once, to find by how they begin."""

memberships = _table(
    "memberships",
    "id key, member_id members.id, starts day, expires day",
    Index("ix_memberships_member_id", "member_id"),
)
"""First and last days of memberships."""

external_ratings = _table(
    "external_ratings",
    "member_id members.id, source text, list_date day, rating points",
    Index("uq_external_ratings_member_id_source_list_date", "member_id", "source", "list_date", unique=True),
)
"""FIDE and CFC ratings with the day of their lists."""

decisions = _table(
    "decisions",
    "id key, kind text, decided_by text, decided_at text, reason text, effective day?",
    "member_id members.id?, system text?, event_id text?, section_number count?, value points?",
    "details text, undoes number?",
    Index("ix_decisions_member_id_kind", "member_id", "kind"),
    Index("ix_decisions_event_id", "event_id"),
)
"""What the office decided: corrections, floors, ceilings, initial ratings, merges, requests, rules adopted."""

opening_balances = _table(
    "opening_balances",
    "member_id members.id, system text, as_of day, rating points, games points?, wins count?",
    "draws count?, losses count?, record text?, long_events count?, peak points?",
    "life_master_games count?, at_least text?, floors text, decision_id decisions.id",
    Index("uq_opening_balances_member_id_system", "member_id", "system", unique=True),
)
"""The rating from which a member's ledger starts in a system; nothing up to ``as_of`` is rated again."""

Index(
    "ix_opening_balances_ranking",
    opening_balances.c.system,
    opening_balances.c.rating.desc(),
    opening_balances.c.member_id,
)

submissions = _table(
    "submissions",
    "id key, event_id text, event_name text, status text, source_name text, received day",
    "submitted_by text, submitted_at text, report text, stated text, content_hash text, roster_hash text",
    "revises submissions.id?, decision_id decisions.id?",
    Index("ix_submissions_content_hash", "content_hash"),
    Index("ix_submissions_roster_hash", "roster_hash"),
    Index("ix_submissions_event_id", "event_id"),
    Index("ix_submissions_status", "status"),
)
"""Reports as they arrived, as native JSON; a correction of a rated event is a further revision of its report."""

findings = _table(
    "findings",
    "id key, submission_id submissions.id, code text, severity text, place text, message text",
    "remedy text, accepted_by text?, accepted_at text?",
    Index("ix_findings_submission_id", "submission_id"),
)
"""What the checks found in a submission, and which warnings the office accepted."""

events = _table(
    "events",
    Column("id", Bytewise, primary_key=True),
    "name text, start day?, end day?, city text, state text, country text, affiliate text, chief_td text",
    "submission_id submissions.id",
)
"""Events with a rated section; ``submission_id`` is the current revision of the report."""

sections = _table(
    "sections",
    "id key, event_id events.id, number count, place bytewise, name text, start day?, end day",
    "time_control text?, type text, online flag, half_k flag, youth flag, withdrawn flag",
    Index("uq_sections_event_id_number", "event_id", "number", unique=True),
    Index("uq_sections_place", "place", unique=True),
)
"""What is rated: the sections of events, as in the current revision of the report."""

entries = _table(
    "entries",
    "section_id sections.id, seat count, member_id bytewise, name text, update flag, floor_request text?",
    "fide_rating points?",
    Index("uq_entries_section_id_seat", "section_id", "seat", unique=True),
    Index("ix_entries_member_id", "member_id"),
)
"""One seat of a section. Opponents in foreign FIDE events need not be members; the report gave their FIDE ratings."""

games = _table(
    "games",
    "section_id sections.id, seat count, round count, result text, opponent count?, colour text",
    Index("uq_games_section_id_seat_round", "section_id", "seat", "round", unique=True),
)
"""One round of one seat: games from the seat's side, byes and empty rounds."""

runs = _table(
    "runs",
    "id key, kind text, started_at text, finished_at text?, started_by text, engine text, platform text",
    "rulebook_id rulebooks.id",
)
"""Rating runs: which program on which machine, with which rulebook."""

rule_sets = _table(
    "rule_sets",
    Column("fingerprint", Text, primary_key=True),
    "numbers text",
)
"""The numbers that rated sections, by fingerprint, so that every row can be computed again."""

postings = _table(
    "postings",
    "id key, run_id runs.id, section_id sections.id?, system text, place bytewise, dual_rated flag",
    "withdrawn flag, rules rule_sets.fingerprint?, input_hash text, superseded_by postings.id?",
    "decision_id decisions.id?",
    Index("ix_postings_run_id", "run_id"),
)
"""One section rated in one system by one run; the hash covers everything that was read (office/rating/inputs.py).

Or, without a section, a rating that a decision moved.
"""

_index(
    "uq_postings_current",
    postings.c.section_id,
    postings.c.system,
    unique=True,
    where=postings.c.superseded_by.is_(None),
)

ledger = _table(
    "ledger",
    "id key, posting_id postings.id, section_id sections.id?, member_id members.id, system text, place bytewise",
    "source text, rating_before points, games_before points?",
    "rating points, games points?, wins count?, draws count?, losses count?, record text?",
    "long_events count?, peak points?, life_master_games count?, at_least text?, floors text",
    "match_change points?, played count, formula text, effective_games points, k points?, score points",
    "expected points, bonus points?, step3 points?, step4 points?, step5 points, floor_applied points?",
    "superseded_by postings.id?",
    Index("ix_ledger_posting_id", "posting_id"),
)
"""The append-only ledger: a row for each player of a rated section and system; the next section starts from it.

A rating that a decision moved has a row without a section, which follows from the row before it and from decisions.

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
    "ix_ledger_replaced_of_member",
    ledger.c.member_id,
    ledger.c.superseded_by,
    where=ledger.c.superseded_by.is_not(None),
)
_index("ix_ledger_replaced_of_section", ledger.c.section_id, where=ledger.c.superseded_by.is_not(None))
_index(
    # The member comes before the system: both sides of a game are looked up by section and member. The ratings of
    # both are in it too, since a page of opponents reads those of thousands of games.
    "ix_ledger_current_section",
    ledger.c.section_id,
    ledger.c.member_id,
    ledger.c.system,
    ledger.c.source,
    ledger.c.rating_before,
    where=ledger.c.superseded_by.is_(None),
)

_index(
    "ix_ledger_ranking",
    ledger.c.system,
    ledger.c.rating.desc(),
    ledger.c.member_id,
    where=ledger.c.superseded_by.is_(None),
)
_index(
    "ix_ledger_moved_ratings",
    ledger.c.member_id,
    where=ledger.c.superseded_by.is_(None) & ledger.c.section_id.is_(None),
)

rerate_marks = _table(
    "rerate_marks",
    "id key, place bytewise, member_id members.id?, section_id sections.id?, reason text",
    "done_by runs.id?, decision_id number?, late_event bytewise?",
    Index("ix_rerate_marks_done_by", "done_by"),
)
"""Pending changes, from a place in history on: of one member, of one section, or (neither is given) of everything.

They follow from a decision, from an event that came late, or from what the reason says alone.
"""

norms = _table(
    "norms",
    "member_id members.id, section_id sections.id, place bytewise, level count, score points",
    "expected points, played count",
    Index("uq_norms_member_id_place", "member_id", "place", unique=True),
    Index("ix_norms_section_id", "section_id"),
)
"""Norms earned, by the ratings after the section; a re-rating writes them anew."""

titles = _table(
    "titles",
    "member_id members.id, title text, earned day",
    Index("uq_titles_member_id_title", "member_id", "title", unique=True),
)
"""Titles earned; none is ever lost but by a re-rating or a correction."""

published_lists = _table(
    "published_lists",
    Column("id", Text, primary_key=True),
    "cut_off day, published_by text, published_at text, least_games count, digest text",
)
"""Official lists, named after their month (``2026-12``); they never change."""

published_ratings = _table(
    "published_ratings",
    "list_id published_lists.id, member_id members.id, system text, rating count",
    "provisional_games count?",
    Index("uq_published_ratings_list_id_member_id_system", "list_id", "member_id", "system", unique=True),
    Index("ix_published_ratings_member_id", "member_id", "system", "list_id", "rating", "provisional_games"),
)
"""The ratings of official lists; they never change."""

Index(
    "ix_published_ratings_ranking",
    published_ratings.c.list_id,
    published_ratings.c.system,
    published_ratings.c.rating.desc(),
    published_ratings.c.member_id,
)

changed = _table(
    "changed",
    Column("kind", Text, primary_key=True),
    Column("subject", Bytewise, primary_key=True),
    "revision number",
)
"""At which revision a player, a section or a list last changed for the public (book/mirrors.py)."""

Index("ix_changed_revision", changed.c.revision, changed.c.kind, changed.c.subject)

chain = _table(
    "chain",
    Column("number", Key, primary_key=True, autoincrement=False),
    "kind text, subject bytewise, salt text, digest text, head text",
)
"""A link for whatever the book has kept, each with the hash of the one before (book/chain)."""

Index("ix_chain_subject", chain.c.kind, chain.c.subject)

audit = _table(
    "audit",
    "id key, at text, by text, action text, subject text, details text",
    "subject_kind text?, subject_id bytewise?, section_number count?, decision_id number?",
    Index("ix_audit_subject", "subject_kind", "subject_id"),
)
"""Who did what when: ``subject`` is what people read, the columns after ``details`` are what is asked for."""

_index("ix_audit_decision_id", audit.c.decision_id, where=audit.c.decision_id.is_not(None))
