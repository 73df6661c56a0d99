"""The tables of the first book.

What stands here is the history of books that exist: it never changes, whatever becomes of ``schema.py``.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TEXT = sa.Text()
WHOLE = sa.Integer()
DOUBLE: sa.Double[float] = sa.Double()
FLAG = sa.Boolean()
DAY = sa.Date()
CURRENT = sa.text("superseded_by IS NULL")
MERGED = sa.text("merged_into IS NOT NULL")
CLOSED = sa.text("superseded_by IS NOT NULL")

KEPT = ("ledger", "published_lists", "published_ratings")
NEVER_CHANGED = ("published_lists", "published_ratings")
LEDGER_COLUMNS = (
    "id posting_id section_id member_id system place source rating_before games_before rating games "
    "wins draws losses record long_events peak life_master_games floors match_change played formula "
    "effective_games k score expected bonus step3 step4 step5 floor_applied"
)
"""All but ``superseded_by``."""


def upgrade() -> None:
    """Make the tables, their indexes and the triggers that keep what must not change."""
    _audit()
    _members()
    _published_lists()
    _rule_sets()
    _rulebooks()
    _book()
    _decisions()
    _external_ratings()
    _memberships()
    _published_ratings()
    _runs()
    _titles()
    _opening_balances()
    _submissions()
    _events()
    _findings()
    _sections()
    _entries()
    _games()
    _norms()
    _postings()
    _rerate_marks()
    _ledger()
    if op.get_bind().dialect.name == "postgresql":
        _postgresql_triggers()
    else:
        _sqlite_triggers()


def _sqlite_triggers() -> None:
    changed = " OR ".join(f"NEW.{name} IS NOT OLD.{name}" for name in LEDGER_COLUMNS.split())
    for table in KEPT:
        _execute(
            f"CREATE TRIGGER {table}_keeps_rows BEFORE DELETE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are kept'); END"
        )
    _execute(
        "CREATE TRIGGER ledger_closes_once BEFORE UPDATE ON ledger "
        f"WHEN OLD.superseded_by IS NOT NULL OR {changed} "
        "BEGIN SELECT RAISE(ABORT, 'rows of ledger do not change'); END"
    )
    for table in NEVER_CHANGED:
        _execute(
            f"CREATE TRIGGER {table}_never_changes BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} do not change'); END"
        )


def _postgresql_triggers() -> None:
    changed = " OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in LEDGER_COLUMNS.split())
    _execute(
        "CREATE FUNCTION rows_are_kept() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are kept as they are'; END $$"
    )
    for table in KEPT:
        _execute(
            f"CREATE TRIGGER {table}_keeps_rows BEFORE DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION rows_are_kept()"
        )
    _execute(
        "CREATE TRIGGER ledger_closes_once BEFORE UPDATE ON ledger FOR EACH ROW "
        f"WHEN (OLD.superseded_by IS NOT NULL OR {changed}) EXECUTE FUNCTION rows_are_kept()"
    )
    for table in NEVER_CHANGED:
        _execute(
            f"CREATE TRIGGER {table}_never_changes BEFORE UPDATE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION rows_are_kept()"
        )


def _execute(statement: str) -> None:
    op.get_bind().exec_driver_sql(statement)


def _counted() -> sa.Column[Any]:
    return sa.Column("id", KEY, autoincrement=True, nullable=False)


def _columns(kind: sa.types.TypeEngine[Any], *names: str, null: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=null, autoincrement=False) for name in names]


def _reference(
    table: str, name: str, to: str, kind: sa.types.TypeEngine[Any] = KEY, *, null: bool = False
) -> sa.Column[Any]:
    constraint = f"fk_{table}_{name}_{to.partition('.')[0]}"
    return sa.Column(name, kind, sa.ForeignKey(to, name=constraint), nullable=null)


def _audit() -> None:
    op.create_table(
        "audit",
        _counted(),
        *_columns(TEXT, "at", "by", "action", "subject", "details"),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_subject", "audit", ["subject"])


def _members() -> None:
    op.create_table(
        "members",
        *_columns(BYTEWISE, "id"),
        *_columns(TEXT, "name", "folded_name"),
        *_columns(DAY, "birth_date", null=True),
        *_columns(FLAG, "adult", null=True),
        *_columns(TEXT, "state"),
        *_columns(FLAG, "canadian_resident", "usa_flag", "fide_opt_in"),
        _reference("members", "merged_into", "members.id", BYTEWISE, null=True),
        *_columns(TEXT, "erased_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_members"),
    )
    op.create_index("ix_members_folded_name", "members", ["folded_name"])
    op.create_index(
        "ix_members_merged_into",
        "members",
        ["merged_into"],
        sqlite_where=MERGED,
        postgresql_where=MERGED,
    )


def _published_lists() -> None:
    op.create_table(
        "published_lists",
        *_columns(TEXT, "id"),
        *_columns(DAY, "cut_off"),
        *_columns(TEXT, "published_by", "published_at"),
        *_columns(WHOLE, "least_games"),
        *_columns(TEXT, "digest"),
        sa.PrimaryKeyConstraint("id", name="pk_published_lists"),
    )


def _rule_sets() -> None:
    op.create_table(
        "rule_sets",
        *_columns(TEXT, "fingerprint", "numbers"),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_rule_sets"),
    )


def _rulebooks() -> None:
    op.create_table(
        "rulebooks",
        _counted(),
        *_columns(TEXT, "fingerprint", "timeline", "overlay", "adopted_at"),
        sa.UniqueConstraint("fingerprint", name="uq_rulebooks_fingerprint"),
        sa.PrimaryKeyConstraint("id", name="pk_rulebooks"),
    )


def _book() -> None:
    op.create_table(
        "book",
        *_columns(sa.SmallInteger(), "id"),
        *_columns(TEXT, "name", "country", "member_id_pattern", "systems", "cut_off"),
        *_columns(WHOLE, "least_published_games"),
        _reference("book", "rulebook_id", "rulebooks.id"),
        *_columns(KEY, "revision"),
        *_columns(TEXT, "created_at"),
        sa.CheckConstraint("id = 1", name="ck_book_single"),
        sa.PrimaryKeyConstraint("id", name="pk_book"),
    )


def _decisions() -> None:
    op.create_table(
        "decisions",
        _counted(),
        *_columns(TEXT, "kind", "decided_by", "decided_at", "reason"),
        *_columns(DAY, "effective", null=True),
        _reference("decisions", "member_id", "members.id", BYTEWISE, null=True),
        *_columns(TEXT, "system", "event_id", null=True),
        *_columns(WHOLE, "section_number", null=True),
        *_columns(DOUBLE, "value", null=True),
        *_columns(TEXT, "details"),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
    )
    op.create_index("ix_decisions_member_id_kind", "decisions", ["member_id", "kind"])


def _external_ratings() -> None:
    op.create_table(
        "external_ratings",
        _reference("external_ratings", "member_id", "members.id", BYTEWISE),
        *_columns(TEXT, "source"),
        *_columns(DAY, "list_date"),
        *_columns(DOUBLE, "rating"),
    )
    op.create_index(
        "uq_external_ratings_member_id_source_list_date",
        "external_ratings",
        ["member_id", "source", "list_date"],
        unique=True,
    )


def _memberships() -> None:
    op.create_table(
        "memberships",
        _counted(),
        _reference("memberships", "member_id", "members.id", BYTEWISE),
        *_columns(DAY, "starts", "expires"),
        sa.PrimaryKeyConstraint("id", name="pk_memberships"),
    )
    op.create_index("ix_memberships_member_id", "memberships", ["member_id"])


def _published_ratings() -> None:
    op.create_table(
        "published_ratings",
        _reference("published_ratings", "list_id", "published_lists.id", TEXT),
        _reference("published_ratings", "member_id", "members.id", BYTEWISE),
        *_columns(TEXT, "system"),
        *_columns(WHOLE, "rating"),
        *_columns(WHOLE, "provisional_games", null=True),
    )
    op.create_index("ix_published_ratings_member_id", "published_ratings", ["member_id", "system", "list_id"])
    op.create_index(
        "uq_published_ratings_list_id_member_id_system",
        "published_ratings",
        ["list_id", "member_id", "system"],
        unique=True,
    )


def _runs() -> None:
    op.create_table(
        "runs",
        _counted(),
        *_columns(TEXT, "kind", "started_at"),
        *_columns(TEXT, "finished_at", null=True),
        *_columns(TEXT, "started_by", "engine", "platform"),
        _reference("runs", "rulebook_id", "rulebooks.id"),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )


def _titles() -> None:
    op.create_table(
        "titles",
        _reference("titles", "member_id", "members.id", BYTEWISE),
        *_columns(TEXT, "title"),
        *_columns(DAY, "earned"),
    )
    op.create_index("uq_titles_member_id_title", "titles", ["member_id", "title"], unique=True)


def _opening_balances() -> None:
    op.create_table(
        "opening_balances",
        _reference("opening_balances", "member_id", "members.id", BYTEWISE),
        *_columns(TEXT, "system"),
        *_columns(DAY, "as_of"),
        *_columns(DOUBLE, "rating"),
        *_columns(DOUBLE, "games", null=True),
        *_columns(WHOLE, "wins", "draws", "losses", null=True),
        *_columns(TEXT, "record", null=True),
        *_columns(WHOLE, "long_events", null=True),
        *_columns(DOUBLE, "peak", null=True),
        *_columns(WHOLE, "life_master_games", null=True),
        *_columns(TEXT, "floors"),
        _reference("opening_balances", "decision_id", "decisions.id"),
    )
    op.create_index(
        "uq_opening_balances_member_id_system", "opening_balances", ["member_id", "system"], unique=True
    )


def _submissions() -> None:
    op.create_table(
        "submissions",
        _counted(),
        *_columns(TEXT, "event_id", "event_name", "status", "source_name"),
        *_columns(DAY, "received"),
        *_columns(TEXT, "submitted_by", "submitted_at", "report", "stated", "content_hash", "roster_hash"),
        _reference("submissions", "revises", "submissions.id", null=True),
        _reference("submissions", "decision_id", "decisions.id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
    )
    op.create_index("ix_submissions_content_hash", "submissions", ["content_hash"])
    op.create_index("ix_submissions_event_id", "submissions", ["event_id"])
    op.create_index("ix_submissions_roster_hash", "submissions", ["roster_hash"])
    op.create_index("ix_submissions_status", "submissions", ["status"])


def _events() -> None:
    op.create_table(
        "events",
        *_columns(BYTEWISE, "id"),
        *_columns(TEXT, "name"),
        *_columns(DAY, "start", "end", null=True),
        *_columns(TEXT, "city", "state", "country", "affiliate", "chief_td"),
        _reference("events", "submission_id", "submissions.id"),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
    )


def _findings() -> None:
    op.create_table(
        "findings",
        _counted(),
        _reference("findings", "submission_id", "submissions.id"),
        *_columns(TEXT, "code", "severity", "place", "message", "remedy"),
        *_columns(TEXT, "accepted_by", "accepted_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_findings"),
    )
    op.create_index("ix_findings_submission_id", "findings", ["submission_id"])


def _sections() -> None:
    op.create_table(
        "sections",
        _counted(),
        _reference("sections", "event_id", "events.id", BYTEWISE),
        *_columns(WHOLE, "number"),
        *_columns(BYTEWISE, "place"),
        *_columns(TEXT, "name"),
        *_columns(DAY, "start", null=True),
        *_columns(DAY, "end"),
        *_columns(TEXT, "time_control", null=True),
        *_columns(TEXT, "type"),
        *_columns(FLAG, "online", "half_k", "youth", "withdrawn"),
        sa.PrimaryKeyConstraint("id", name="pk_sections"),
    )
    op.create_index("uq_sections_event_id_number", "sections", ["event_id", "number"], unique=True)
    op.create_index("uq_sections_place", "sections", ["place"], unique=True)


def _entries() -> None:
    op.create_table(
        "entries",
        _reference("entries", "section_id", "sections.id"),
        *_columns(WHOLE, "seat"),
        *_columns(BYTEWISE, "member_id"),
        *_columns(TEXT, "name"),
        *_columns(FLAG, "update"),
        *_columns(TEXT, "floor_request", null=True),
        *_columns(DOUBLE, "fide_rating", null=True),
    )
    op.create_index("ix_entries_member_id", "entries", ["member_id"])
    op.create_index("uq_entries_section_id_seat", "entries", ["section_id", "seat"], unique=True)


def _games() -> None:
    op.create_table(
        "games",
        _reference("games", "section_id", "sections.id"),
        *_columns(WHOLE, "seat", "round"),
        *_columns(TEXT, "result"),
        *_columns(WHOLE, "opponent", null=True),
        *_columns(TEXT, "colour"),
    )
    op.create_index("uq_games_section_id_seat_round", "games", ["section_id", "seat", "round"], unique=True)


def _norms() -> None:
    op.create_table(
        "norms",
        _reference("norms", "member_id", "members.id", BYTEWISE),
        _reference("norms", "section_id", "sections.id"),
        *_columns(BYTEWISE, "place"),
        *_columns(WHOLE, "level"),
        *_columns(DOUBLE, "score", "expected"),
        *_columns(WHOLE, "played"),
    )
    op.create_index("ix_norms_section_id", "norms", ["section_id"])
    op.create_index("uq_norms_member_id_place", "norms", ["member_id", "place"], unique=True)


def _postings() -> None:
    op.create_table(
        "postings",
        _counted(),
        _reference("postings", "run_id", "runs.id"),
        _reference("postings", "section_id", "sections.id"),
        *_columns(TEXT, "system"),
        *_columns(BYTEWISE, "place"),
        *_columns(FLAG, "dual_rated", "withdrawn"),
        _reference("postings", "rules", "rule_sets.fingerprint", TEXT, null=True),
        *_columns(TEXT, "input_hash"),
        _reference("postings", "superseded_by", "postings.id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_postings"),
    )
    op.create_index("ix_postings_run_id", "postings", ["run_id"])
    op.create_index(
        "uq_postings_current",
        "postings",
        ["section_id", "system"],
        unique=True,
        sqlite_where=CURRENT,
        postgresql_where=CURRENT,
    )


def _rerate_marks() -> None:
    op.create_table(
        "rerate_marks",
        _counted(),
        *_columns(BYTEWISE, "place"),
        _reference("rerate_marks", "member_id", "members.id", BYTEWISE, null=True),
        _reference("rerate_marks", "section_id", "sections.id", null=True),
        *_columns(TEXT, "reason"),
        _reference("rerate_marks", "done_by", "runs.id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_rerate_marks"),
    )
    op.create_index("ix_rerate_marks_done_by", "rerate_marks", ["done_by"])


def _ledger() -> None:
    op.create_table(
        "ledger",
        _counted(),
        _reference("ledger", "posting_id", "postings.id"),
        _reference("ledger", "section_id", "sections.id"),
        _reference("ledger", "member_id", "members.id", BYTEWISE),
        *_columns(TEXT, "system"),
        *_columns(BYTEWISE, "place"),
        *_columns(TEXT, "source"),
        *_columns(DOUBLE, "rating_before"),
        *_columns(DOUBLE, "games_before", null=True),
        *_columns(DOUBLE, "rating"),
        *_columns(DOUBLE, "games", null=True),
        *_columns(WHOLE, "wins", "draws", "losses", null=True),
        *_columns(TEXT, "record", null=True),
        *_columns(WHOLE, "long_events", null=True),
        *_columns(DOUBLE, "peak", null=True),
        *_columns(WHOLE, "life_master_games", null=True),
        *_columns(TEXT, "floors"),
        *_columns(DOUBLE, "match_change", null=True),
        *_columns(WHOLE, "played"),
        *_columns(TEXT, "formula"),
        *_columns(DOUBLE, "effective_games"),
        *_columns(DOUBLE, "k", null=True),
        *_columns(DOUBLE, "score", "expected"),
        *_columns(DOUBLE, "bonus", "step3", "step4", null=True),
        *_columns(DOUBLE, "step5"),
        *_columns(DOUBLE, "floor_applied", null=True),
        _reference("ledger", "superseded_by", "postings.id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
    )
    for name, columns, rows in (
        ("ix_ledger_current_section", ["section_id", "system"], CURRENT),
        ("ix_ledger_superseded_by", ["superseded_by"], CLOSED),
    ):
        op.create_index(name, "ledger", columns, sqlite_where=rows, postgresql_where=rows)
    op.create_index("ix_ledger_posting_id", "ledger", ["posting_id"])
    op.create_index(
        "uq_ledger_current",
        "ledger",
        ["member_id", "system", "place"],
        unique=True,
        sqlite_where=CURRENT,
        postgresql_where=CURRENT,
    )
