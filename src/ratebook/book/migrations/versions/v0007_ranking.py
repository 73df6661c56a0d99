"""Indexes by which the highest rated members are found; this file never changes."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the indexes."""
    connection = op.get_bind()
    connection.exec_driver_sql(
        "CREATE INDEX ix_ledger_ranking ON ledger (system, rating DESC, member_id) WHERE superseded_by IS NULL"
    )
    connection.exec_driver_sql(
        "CREATE INDEX ix_opening_balances_ranking ON opening_balances (system, rating DESC, member_id)"
    )
