"""The rows of a section are found by member too, so that the opponents of the busiest are found in a tenth of a second.

This file never changes.
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put the member into the index."""
    connection = op.get_bind()
    connection.exec_driver_sql("DROP INDEX ix_ledger_current_section")
    connection.exec_driver_sql(
        "CREATE INDEX ix_ledger_current_section ON ledger (section_id, member_id, system)"
        " WHERE superseded_by IS NULL"
    )
