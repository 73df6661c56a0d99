"""The index of a section's rows has the ratings before it too: opponents are counted without reading the rows.

This file never changes.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put the ratings into the index."""
    connection = op.get_bind()
    connection.exec_driver_sql("DROP INDEX ix_ledger_current_section")
    connection.exec_driver_sql(
        "CREATE INDEX ix_ledger_current_section"
        " ON ledger (section_id, member_id, system, source, rating_before) WHERE superseded_by IS NULL"
    )
