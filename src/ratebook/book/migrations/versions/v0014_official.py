"""A member's official ratings are read from the index alone: in the table each is on another page.

This file never changes.
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put what lists say of a member into the index."""
    connection = op.get_bind()
    connection.exec_driver_sql("DROP INDEX ix_published_ratings_member_id")
    connection.exec_driver_sql(
        "CREATE INDEX ix_published_ratings_member_id"
        " ON published_ratings (member_id, system, list_id, rating, provisional_games)"
    )
