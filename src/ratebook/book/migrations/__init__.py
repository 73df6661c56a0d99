"""Taking the tables of a store from one version to the next, with Alembic: one module of ``versions`` for each version.

Every store starts with the tables of the first version and goes through all later ones, so that new and old stores end
alike; tests/unit/book/test_migrations.py compares the end with what is declared. A later version is a module
``v1002_what_it_does.py`` with ``revision`` and ``down_revision``, and a new `ratebook.book.connection.VERSION`. It
contains all that it needs, takes nothing from ``schema.py``, and never changes after its release. The only way back is
a backup. SQLite cannot change a column: there a table is rebuilt, with its indexes and triggers.

Nothing here begins or ends a transaction: a store reaches a version in the transaction of the caller, completely or not
at all.
"""

from collections.abc import Iterable
from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ratebook.book.connection import VERSION

HERE = Path(__file__).parent
"""The folder of the steps of a book."""


def migrate(connection: Connection, to: str = VERSION, folder: Path = HERE) -> None:
    """Take the tables to the version *to* by the steps in a folder; in an empty store they are made."""
    scripts = ScriptDirectory(str(folder))

    def steps(revisions: tuple[str, ...], _: MigrationContext) -> Iterable[RevisionStep]:
        return scripts._upgrade_revs(to, revisions)  # type: ignore[arg-type]  # noqa: SLF001 - as alembic.command.upgrade does

    with EnvironmentContext(Config(), scripts, fn=steps, destination_rev=to) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()


def versions(folder: Path = HERE) -> tuple[str, ...]:
    """Return the versions that this program knows, the first one first."""
    return tuple(reversed([script.revision for script in ScriptDirectory(str(folder)).walk_revisions()]))


def make_first_tables(connection: Connection, step: str) -> None:
    """Make the tables of the first version, as the text beside its module *step* has them for the store at hand."""
    text = Path(step).with_suffix(f".{connection.dialect.name}.sql").read_text(encoding="utf-8")
    for statement in text.split(";\n\n"):
        connection.exec_driver_sql(statement)
