"""The hashes of reports tell players without member ids apart; those that had only told their seats are made anew.

They are compared with hashes that the program makes, so that the program's own rule makes them here too.
"""

import json

from alembic import op
from sqlalchemy import Connection

from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.reports import has_form, report_hashes
from ratebook.formats.registry import read_report

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

READ = {
    "sqlite": "SELECT report FROM submissions WHERE id = ?",
    "postgresql": "SELECT report FROM submissions WHERE id = %s",
}
WRITE = {
    "sqlite": "UPDATE submissions SET content_hash = ?, roster_hash = ? WHERE id = ?",
    "postgresql": "UPDATE submissions SET content_hash = %s, roster_hash = %s WHERE id = %s",
}


def upgrade() -> None:
    """Make the hashes of all reports that have a player without a member id."""
    connection = op.get_bind()
    form = connection.exec_driver_sql("SELECT member_id_pattern FROM book").scalar()
    numbers = connection.exec_driver_sql("SELECT id FROM submissions WHERE report <> ''").scalars().all()
    rehashed = [number for number in numbers if _is_made_anew(connection, number, str(form))]
    note_linked(connection, Linked.SUBMISSION, rehashed)


def _is_made_anew(connection: Connection, number: int, form: str) -> bool:
    kind = connection.dialect.name
    text = str(connection.exec_driver_sql(READ[kind], (number,)).scalar_one())
    try:
        players = json.loads(text).get("players", ())
    except ValueError:
        # It was damaged, and cannot be known again.
        return False
    if all(has_form(str(player.get("id", "")), form) for player in players):
        return False
    report = read_report(text.encode(), "report.json").report
    if report is None:
        return False
    connection.exec_driver_sql(WRITE[kind], (*report_hashes(report, form), number))
    return True
