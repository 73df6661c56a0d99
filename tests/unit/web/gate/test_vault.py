"""The key of second factors: where it lies, what it opens, and what is said where it is missing or another one."""

from __future__ import annotations

import base64
import stat
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

import pytest

from ratebook.book.failures import BookError
from ratebook.web.gate.vault import KEY_BYTES, Vault
from ratebook.web.store.accounts import Account, Role

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # noqa: S105 - of no one
RANDOM = Random(2).randbytes  # noqa: S311 - repeats on purpose


def vault_in(folder: Path) -> Vault:
    return Vault(RANDOM, str(folder / "web.key"))


def account(sealed: str | None) -> Account:
    return Account(
        id=1,
        name="Ann Lee",
        role=Role.OFFICE,
        member_id="",
        affiliates=(),
        made_at="",
        password=None,
        disabled_at=None,
        secret=sealed,
        counter=0,
    )


def test_the_key_is_made_when_it_is_needed_and_its_owner_alone_may_read_it(tmp_path: Path) -> None:
    sealed = vault_in(tmp_path).seal(SECRET, 1)
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(base64.urlsafe_b64decode(file.read_text())) == KEY_BYTES
    assert SECRET not in sealed
    assert vault_in(tmp_path).open(sealed, 1) == SECRET
    # The same may be in the environment instead.
    assert Vault(RANDOM, None, file.read_text()).open(sealed, 1) == SECRET


def test_a_secret_is_sealed_anew_each_time_and_for_its_account_alone(tmp_path: Path) -> None:
    vault = vault_in(tmp_path)
    sealed = vault.seal(SECRET, 1)
    assert sealed != vault.seal(SECRET, 1)
    with pytest.raises(BookError) as refused:
        vault.open(sealed, 2)
    assert refused.value.finding.code == "web-key-wrong"


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (None, "web-key-missing"),
        (base64.b64encode(bytes(KEY_BYTES)).decode(), "web-key-wrong"),
        (base64.b64encode(bytes(16)).decode(), "web-key-not-read"),
        ("not a key ü", "web-key-not-read"),
        ("", "web-key-not-read"),
    ],
)
def test_a_key_that_opens_nothing_is_a_finding_that_names_whom(
    tmp_path: Path, key: str | None, code: str
) -> None:
    sealed = vault_in(tmp_path).seal(SECRET, 1)
    vault_in(tmp_path).require([account(sealed)])
    file = tmp_path / "web.key"
    if key is None:
        file.unlink()
    else:
        file.write_text(key, encoding="utf-8")
    with pytest.raises(BookError) as refused:
        vault_in(tmp_path).require([account(None), account(sealed)])
    assert refused.value.finding.code == code
    assert ("Ann Lee" in refused.value.finding.message) == (code != "web-key-not-read")
    # When the accounts are reset, nothing is shut in any more, and a missing key is made anew.
    if key is None:
        vault_in(tmp_path).require([account(None)])
        assert file.exists()


def test_a_place_that_cannot_hold_a_key_is_a_finding(tmp_path: Path) -> None:
    for vault, code in (
        (Vault(RANDOM), "web-key-missing"),
        (Vault(RANDOM, str(tmp_path / "nowhere" / "key")), "book-file-refused"),
        (Vault(RANDOM, str(tmp_path)), "book-file-refused"),
    ):
        with pytest.raises(BookError) as refused:
            vault.require([])
        assert refused.value.finding.code == code
