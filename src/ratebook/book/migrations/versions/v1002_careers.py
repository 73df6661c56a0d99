"""An index with all that a graph and a page of opponents take from the ledger of a member."""

from alembic import op

revision = "1002"
down_revision = "1001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index, which both stores write alike."""
    op.get_bind().exec_driver_sql(
        "CREATE INDEX ix_ledger_career ON ledger"
        " (member_id, system, place, section_id, source, rating_before, rating, games, played)"
        " WHERE superseded_by IS NULL"
    )
