"""Probes ask by any name, and are told when the book or the accounts are gone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import TYPE_CHECKING

import pytest

from support.web.served import asked

if TYPE_CHECKING:
    from ratebook.web.site import Site
    from support.web.accounts import Office


@pytest.mark.parametrize("address", ["/health", "/ready"])
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "", "other.example", "[::1]", "x:999999"])
def test_probes_ask_by_any_name(written_site: Site, address: str, host: str) -> None:
    with asked(written_site) as client:
        answer = client.get(address, headers={"host": host})
        assert (answer.status_code, answer.text) == (200, "ok\n")
        assert client.get("/players", headers={"host": host}).status_code == 400


def test_a_server_whose_book_is_gone_is_neither_healthy_nor_ready(own_site: Site, tmp_path: Path) -> None:
    with asked(own_site) as client:
        book = Path(own_site.book.url)
        away = book.rename(tmp_path / "away.book")
        for address in ("/health", "/ready"):
            answer = client.get(address)
            assert (answer.status_code, answer.text) == (503, "the book cannot be read\n")
        away.rename(book)
        assert client.get("/health").status_code == 200


def test_a_server_whose_accounts_are_gone_is_healthy_but_not_ready(own_site: Site, office: Office) -> None:
    with asked(own_site._replace(gate=office.gate)) as client:
        Path(office.gate.store.url).unlink()
        assert client.get("/health").status_code == 200
        answer = client.get("/ready")
        assert (answer.status_code, answer.text) == (503, "the accounts cannot be read\n")


def test_a_server_whose_book_is_of_another_version_is_not_ready(own_site: Site) -> None:
    """It still answers: what an older book has is mostly what a newer one has."""
    with asked(own_site) as client:
        for version in ("1000", "9999"):
            with closing(connect(own_site.book.url)) as connection, connection:
                connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
            answer = client.get("/ready")
            assert (answer.status_code, answer.text) == (503, "the book cannot be read\n")
            assert client.get("/health").status_code == 200
