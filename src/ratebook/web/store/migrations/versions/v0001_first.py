"""The tables of the first version; this file never changes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
APPEND_ONLY = {
    "sqlite": (
        "CREATE TRIGGER log_{0} BEFORE {0} ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    ),
    "postgresql": (
        """CREATE FUNCTION log_closed() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
        RAISE EXCEPTION 'the log is append-only'; END$$""",
        "CREATE TRIGGER log_{0} BEFORE {0} ON log FOR EACH ROW EXECUTE FUNCTION log_closed()",
    ),
}


def upgrade() -> None:
    """Make the tables, and the triggers of the log."""
    op.create_table(
        "accounts",
        *_number("accounts"),
        *_text("folded_name", "name", "role", "member_id", "affiliates", "made_at"),
        *_text("password", "disabled_at", "secret", empty=True),
        sa.Column("counter", KEY, nullable=False),
        sa.UniqueConstraint("folded_name", name="uq_accounts_folded_name"),
    )
    op.create_table(
        "sessions",
        *_number("sessions"),
        *_text("digest", "made_at", "seen_at", "confirmed_at", "agent"),
        *_account("sessions"),
        sa.UniqueConstraint("digest", name="uq_sessions_digest"),
        sa.Index("ix_sessions_account_id", "account_id"),
    )
    op.create_table(
        "tokens",
        *_number("tokens"),
        *_text("digest", "purpose", "scopes", "made_at", "expires_at"),
        *_text("revoked_at", empty=True),
        *_account("tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
    )
    op.create_table("links", *_text_key("links", "digest"), *_text("expires_at"), *_account("links"))
    op.create_table(
        "throttle",
        *_text_key("throttle", "subject"),
        sa.Column("failures", sa.Integer, nullable=False),
        *_text("counted_from", "wait_until"),
    )
    op.create_table(
        "previews",
        *_text_key("previews", "name"),
        *_text("made_at"),
        sa.Column("content", sa.LargeBinary, nullable=False),
        *_account("previews"),
    )
    op.create_table(
        "jobs",
        *_number("jobs"),
        *_text("kind", "arguments", "state", "made_at"),
        *_text("ended_at", "result", empty=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("done", "total")),
        sa.Column("revision", KEY, nullable=False),
        *_account("jobs"),
    )
    op.create_table("log", *_number("log"), *_text("at", "account", "kind", "address", "details"))
    connection = op.get_bind()
    *before, trigger = APPEND_ONLY[connection.dialect.name]
    for statement in (*before, *(trigger.format(event) for event in ("UPDATE", "DELETE"))):
        connection.exec_driver_sql(statement)


def _number(table: str) -> tuple[sa.Column[int], sa.PrimaryKeyConstraint]:
    return sa.Column("id", KEY, autoincrement=True), sa.PrimaryKeyConstraint("id", name=f"pk_{table}")


def _text(*names: str, empty: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=empty) for name in names]


def _text_key(table: str, name: str) -> tuple[sa.Column[str], sa.PrimaryKeyConstraint]:
    return sa.Column(name, sa.Text, nullable=False), sa.PrimaryKeyConstraint(name, name=f"pk_{table}")


def _account(table: str) -> tuple[sa.Column[int], sa.ForeignKeyConstraint]:
    return (
        sa.Column("account_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=f"fk_{table}_account_id_accounts"),
    )
