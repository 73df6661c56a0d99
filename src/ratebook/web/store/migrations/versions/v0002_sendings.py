"""Forms that were sent; this file never changes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "sendings",
        sa.Column(
            "account_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("accounts.id", name="fk_sendings_account_id_accounts"),
            nullable=False,
        ),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("led_to", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "key", name="pk_sendings"),
    )
