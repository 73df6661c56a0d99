"""Settings of a profile that came after the first version, as JSON; this file never changes."""

from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; where it is empty, the usual settings hold."""
    op.get_bind().exec_driver_sql("ALTER TABLE book ADD COLUMN settings TEXT")
