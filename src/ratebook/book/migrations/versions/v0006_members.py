"""What members are beside their ratings: FIDE id, sex, title, federation, club; this file never changes."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, empty for all members that there are, and the index by which FIDE ids are found."""
    connection = op.get_bind()
    for column in ("fide_id", "sex", "title", "federation", "club"):
        connection.exec_driver_sql(f"ALTER TABLE members ADD COLUMN {column} TEXT")
    connection.exec_driver_sql(
        "CREATE INDEX ix_members_fide_id ON members (fide_id) WHERE fide_id IS NOT NULL"
    )
