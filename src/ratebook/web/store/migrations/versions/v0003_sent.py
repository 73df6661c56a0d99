"""Whose submissions are, and what a preview is called; this file never changes."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, and add the column."""
    key = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "sent",
        sa.Column("submission_id", key, autoincrement=False, nullable=False),
        sa.Column(
            "account_id",
            key,
            sa.ForeignKey("accounts.id", name="fk_sent_account_id_accounts"),
            nullable=False,
        ),
        sa.Column("sent_at", sa.Text, nullable=False),
        sa.Column("withdrawn_at", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("submission_id", name="pk_sent"),
    )
    op.create_index("ix_sent_account_id", "sent", ["account_id"])
    op.add_column("previews", sa.Column("title", sa.Text, nullable=False, server_default=""))
