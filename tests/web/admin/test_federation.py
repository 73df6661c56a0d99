"""The administrator changes the profile and the rules, and takes copies of the book."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import open_book
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import Profile, read_federation
from ratebook.web.store.log import LogKind, entries_before
from support.web.accounts import Office
from support.web.persons import Person
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.web.site import Site

RULES = '[[bonus_multiplier.values]]\nfrom = 2020-01-01\nis = 9\nwhere = "the board"\n'


@pytest.fixture
def keeper(own_site: Site, office: Office) -> Iterator[Person]:
    """Give the administrator of a book of the test's own."""
    with asked(own_site._replace(gate=office.gate)) as client:
        yield Person(client, office, "administrator")


def profile_of(site: Site) -> Profile:
    with site.book.reading() as connection:
        return read_federation(connection).profile


def test_a_setting_is_changed_with_a_reason_and_a_wrong_one_is_named(keeper: Person, own_site: Site) -> None:
    before = profile_of(own_site)
    form = keeper.filled("/admin/profile", "/admin/profile") | {one.value: "yes" for one in before.systems}
    wrong = keeper.send("/admin/profile", form | {"cut_off": "sometimes", "reason": "the board"})
    assert wrong.status_code == 422
    assert 'href="#cut_off"' in wrong.text
    assert 'value="sometimes"' in wrong.text
    assert profile_of(own_site) == before
    right = {
        "cut_off": "15",
        "contact": "office@example.org",
        "checks_off": "report-late",
        "reason": "the board",
    }
    assert keeper.send("/admin/profile", form | right).status_code == 303
    checks = before.checks._replace(off=("report-late",))
    assert profile_of(own_site) == before._replace(cut_off="15", contact="office@example.org", checks=checks)


def test_rules_are_shown_before_they_are_adopted(keeper: Person, own_site: Site) -> None:
    tried = keeper.filled("/admin/rules", "/admin/rules/try") | {
        "overlay": RULES,
        "reason": "the vote of May",
    }
    shown = keeper.send("/admin/rules/try", tried)
    assert shown.status_code == 200
    assert "bonus_multiplier" in shown.text
    assert profile_of(own_site).overlay == ""
    adopted = keeper.send_shown(shown, "/admin/rules")
    assert adopted.status_code == 303
    assert "bonus_multiplier" in profile_of(own_site).overlay
    with own_site.book.reading() as connection:
        assert read_pending(connection)
    bad = keeper.filled("/admin/rules", "/admin/rules/try") | {"overlay": "[[bonus", "reason": "a slip"}
    assert keeper.send("/admin/rules/try", bad).status_code == 422


def test_a_backup_is_a_book_and_an_export_has_its_tables(
    keeper: Person, own_site: Site, office: Office, tmp_path: Path
) -> None:
    copied = tmp_path / "backup.book"
    copied.write_bytes(
        keeper.send("/admin/copies/backup", keeper.filled("/admin/copies", "/admin/copies/backup")).content
    )
    with closing(open_book(str(copied))) as book, book.reading() as connection:
        assert read_federation(connection).profile == profile_of(own_site)
    answer = keeper.fill_in("/admin/copies", "/admin/copies/export")
    assert answer.headers["content-disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert any(name.endswith("manifest.json") for name in archive.namelist())
    with office.gate.store.reading() as connection:
        kinds = [(one.kind, one.details) for _, one in entries_before(connection, 0, 20)]
    assert kinds.count((LogKind.COPY_TAKEN, "backup")) == kinds.count((LogKind.COPY_TAKEN, "export")) == 1
