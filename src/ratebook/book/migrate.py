"""Leading the tables of a book from one version to another, with Alembic.

Nothing here begins or ends a transaction: a book is led to a version in the transaction of the caller, whole or not
at all.
"""

import os
from collections.abc import Iterable

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ratebook.book import migrations
from ratebook.book.connection import VERSION


def migrate(connection: Connection, to: str = VERSION) -> None:
    """Lead the tables to the version *to*; in an empty store they are made."""
    scripts = _scripts()

    def steps(revisions: tuple[str, ...], _: MigrationContext) -> Iterable[RevisionStep]:
        return scripts._upgrade_revs(to, revisions)  # type: ignore[arg-type]  # noqa: SLF001 - as alembic.command.upgrade does

    with EnvironmentContext(Config(), scripts, fn=steps, destination_rev=to) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()


def versions() -> tuple[str, ...]:
    """Return the versions that this program knows, the first one first."""
    return tuple(reversed([one.revision for one in _scripts().walk_revisions()]))


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(os.path.dirname(migrations.__file__))  # noqa: PTH120 - as book/connection.py
