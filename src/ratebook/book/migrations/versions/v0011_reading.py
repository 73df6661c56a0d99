"""Indexes for pages of a large book; this file never changes.

The index of a section's rows has the ratings before it too, so that opponents are counted without reading the rows; a
page of an official list is found in the order of ratings or of names.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put the ratings into the index, and add the others."""
    connection = op.get_bind()
    connection.exec_driver_sql("DROP INDEX ix_ledger_current_section")
    connection.exec_driver_sql(
        "CREATE INDEX ix_ledger_current_section"
        " ON ledger (section_id, member_id, system, source, rating_before) WHERE superseded_by IS NULL"
    )
    connection.exec_driver_sql(
        "CREATE INDEX ix_published_ratings_ranking ON published_ratings (list_id, system, rating DESC, member_id)"
    )
    connection.exec_driver_sql("CREATE INDEX ix_members_name_order ON members (upper(name), id)")
