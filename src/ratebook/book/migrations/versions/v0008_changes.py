"""Indexes by which the replaced ratings of a member or an event are found, and the decisions about an event.

This file never changes.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the indexes."""
    connection = op.get_bind()
    connection.exec_driver_sql(
        "CREATE INDEX ix_ledger_replaced_of_member ON ledger (member_id, superseded_by)"
        " WHERE superseded_by IS NOT NULL"
    )
    connection.exec_driver_sql(
        "CREATE INDEX ix_ledger_replaced_of_section ON ledger (section_id) WHERE superseded_by IS NOT NULL"
    )
    connection.exec_driver_sql("CREATE INDEX ix_decisions_event_id ON decisions (event_id)")
