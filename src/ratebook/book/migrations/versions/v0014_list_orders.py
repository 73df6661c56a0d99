"""Indexes by which a page of an official list is found in the order of ratings or of names; this file never changes."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the indexes."""
    connection = op.get_bind()
    connection.exec_driver_sql(
        "CREATE INDEX ix_published_ratings_ranking ON published_ratings (list_id, system, rating DESC, member_id)"
    )
    connection.exec_driver_sql("CREATE INDEX ix_members_name_order ON members (upper(name), id)")
