"""The first version of the tables, as the text beside this file has them; neither changes after its release."""

from alembic import op

from ratebook.book.migrations import make_first_tables

revision = "1001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, their indexes and the triggers that keep what must not change."""
    make_first_tables(op.get_bind(), __file__)
