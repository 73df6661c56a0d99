"""A role of a PostgreSQL server that does all office work, and can only add to what is kept."""

from __future__ import annotations

from contextlib import closing

import pytest
from sqlalchemy import make_url, text

from ratebook.book import schema
from ratebook.book.chain.rights import ADDED_TO, grant_office
from ratebook.book.connection import Actor, open_book
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile
from ratebook.findings import Severity
from ratebook.office.creation import create_book
from ratebook.office.decisions.revision import Reason
from ratebook.office.erasure.erase import erase
from ratebook.office.rating.verify import verify
from support.book_reports import member_id
from support.book_rounds import work_a_round
from support.postgresql import new_database

ACTOR = Actor("owner", "2026-11-20T12:00:00Z")


def test_an_office_role_works_and_cannot_take_back(server: str) -> None:
    place = new_database(server)
    role = str(make_url(place).database)
    with closing(create_book(place, Profile(), ACTOR)) as owner, owner.writing() as connection:
        with pytest.raises(BookError) as unknown:
            grant_office(connection, role)
        assert unknown.value.finding.code == "role-unknown"
        connection.execute(text(f"CREATE ROLE {role} LOGIN PASSWORD '{role}'"))
        grant_office(connection, role)
    address = make_url(place).set(username=role, password=role).render_as_string(hide_password=False)
    with closing(open_book(address)) as office:
        work_a_round(office)
        assert not [one for one in verify(office).findings if one.severity is Severity.ERROR]
        attempts = [
            *(f"DELETE FROM {table}" for table in ADDED_TO),  # noqa: S608 - names of the schema
            *(f"TRUNCATE {table} CASCADE" for table in schema.metadata.tables),
            "UPDATE ledger SET rating = 3000",
            "UPDATE audit SET by = 'x'",
            "UPDATE chain SET head = 'x'",
            "ALTER TABLE ledger DISABLE TRIGGER ALL",
            "DROP TRIGGER ledger_keeps_rows ON ledger",
            "DROP TABLE norms",
            "CREATE OR REPLACE FUNCTION rows_are_kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "SET session_replication_role = replica",
        ]
        for attempt in attempts:
            with pytest.raises(BookError, match=r"denied|must be owner"), office.writing() as connection:
                connection.exec_driver_sql(attempt)
        for text_of in ("decisions SET reason", "audit SET details"):
            with pytest.raises(BookError, match="are kept as they are"), office.writing() as connection:
                connection.exec_driver_sql(f"UPDATE {text_of} = 'another'")
        because = Reason(ACTOR, "EXAMPLE, PLAYER 1 asked")
        assert erase(office, member_id(1), because).decision is not None
        assert not [one for one in verify(office).findings if one.severity is Severity.ERROR]
