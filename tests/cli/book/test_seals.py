"""Seals at the prompt, signed and checked; what its commands say of a damaged book."""

from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.book.chain.checking import guards
from support.book_reports import member_id

if TYPE_CHECKING:
    from cli.book.office_commands import OfficeCommands


def past_the_program(place: Path, statement: str) -> None:
    """Change a book in a file, without its triggers."""
    with closing(sqlite3.connect(place)) as raw, raw:
        for name in guards(on_file=True):
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute(statement)


def test_a_signed_seal_is_checked_with_the_public_key(rated: OfficeCommands, tmp_path: Path) -> None:
    key, kept = tmp_path / "office.pem", tmp_path / "2026-12.seal"
    rated.done("seal-key", str(key))
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    public = f"{key}.pub"
    printed = rated.done("seal", "--key", str(key), "--out", str(kept))
    assert kept.read_text(encoding="utf-8").strip() == printed.strip()
    assert (
        rated.refused("seal-key", str(key)) == rated.refused("seal", "--out", str(kept)) == ["output-exists"]
    )
    check = ("verify", "--deep", "--public-key", public, "--seal")
    assert "nothing differs" in rated.done(*check, str(kept))
    said = rated.asked("seal")
    assert "nothing differs" in rated.done("verify", "--seal", f"{said['link']}:{said['head']}")
    assert "nothing differs" in rated.done("verify", "--seal", f"{said['link']}:{said['head'].upper()}")
    good = kept.read_text(encoding="utf-8")
    for was, other in (("made: 2026", "made: 2025"), ("signature: ", "signature: é")):
        assert was in good
        kept.write_text(good.replace(was, other), encoding="utf-8")
        assert rated.refused(*check, str(kept)) == ["seal-signature-wrong"]
    rated.done("seal-key", str(tmp_path / "another.pem"))
    rated.done("seal", "--key", str(tmp_path / "another.pem"), "--out", str(tmp_path / "another.seal"))
    assert rated.refused(*check, str(tmp_path / "another.seal")) == ["seal-signature-wrong"]


def test_the_public_half_of_a_key_is_made_again(rated: OfficeCommands, tmp_path: Path) -> None:
    """A command that was killed between its two files has left the private one alone."""
    key, public = tmp_path / "office.pem", tmp_path / "office.pem.pub"
    rated.done("seal-key", str(key))
    made = (key.read_bytes(), public.read_bytes())
    public.unlink()
    rated.done("seal-key", str(key))
    assert (key.read_bytes(), public.read_bytes()) == made
    key.unlink()
    assert "--force" not in rated.run("seal-key", str(key)).stderr
    assert not key.exists()


def test_what_is_new_is_verified_after_everything_was(rated: OfficeCommands) -> None:
    assert rated.refused("verify", "--new") == ["verified-never"]
    everything = rated.asked("verify")
    assert everything["since"] is None
    new = rated.asked("verify", "--new")
    assert (new["sections"], new["rows"], new["problems"]) == (0, 0, [])
    assert rated.asked("audit")["entries"][0]["action"] == "verify-new"
    assert "of what came after the verification of" in rated.done("verify", "--new")
    assert rated.run("verify", "--new", "--deep").exit_code == 2


def test_keys_of_a_kind_that_no_one_knows_are_refused(rated: OfficeCommands, tmp_path: Path) -> None:
    key, kept = tmp_path / "office.pem", tmp_path / "2026-12.seal"
    rated.done("seal-key", str(key))
    rated.done("seal", "--key", str(key), "--out", str(kept))
    public = Path(f"{key}.pub")
    for file in (key, public):
        text = file.read_text(encoding="ascii")
        assert "MCowBQYDK2Vw" in text or "MC4CAQAwBQYDK2Vw" in text, "the number of Ed25519"
        file.write_text(text.replace("BQYDK2Vw", "BQYDK1Vw"), encoding="ascii")
    assert rated.refused("seal", "--key", str(key)) == ["seal-key-wrong"]
    check = ("verify", "--deep", "--public-key", str(public), "--seal", str(kept))
    assert rated.refused(*check) == ["seal-key-wrong"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("verify", "--seal", "12"), "seal-unreadable"),
        (("verify", "--seal", "12:abc"), "seal-unreadable"),
        (("verify", "--seal", f"1:{'0' * 64}"), "seal-not-found"),
        (("verify", "--seal", f"9999999:{'0' * 64}"), "seal-not-found"),
        (("seal", "--key", "nowhere.pem"), "book-file-refused"),
        (("seal", "--key", __file__), "seal-key-wrong"),
        (("server-role", "office"), "role-not-on-server"),
    ],
)
def test_mistakes_with_seals(rated: OfficeCommands, arguments: tuple[str, ...], code: str) -> None:
    assert rated.refused(*arguments) == [code]


def test_an_official_list_carries_the_seal_of_its_day(rated: OfficeCommands) -> None:
    rated.done("publish", "--for", "2026-02")
    listed = ("list", "2026-02", "--format", "json")
    seal = json.loads(rated.done(*listed))["seal"]
    rated.done("add-member", "99999999", "EXAMPLE, LATER")
    assert json.loads(rated.done(*listed))["seal"] == seal
    assert f"Seal of the book: {seal}" in rated.done("list", "2026-02")
    assert "nothing differs" in rated.done("verify", "--seal", seal)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE submissions SET report = '{'",
        "UPDATE rule_sets SET numbers = '{'",
        "UPDATE book SET cut_off = 'x'",
        "UPDATE members SET birth_date = 'garbage'",
        "DELETE FROM members",
        "UPDATE events SET submission_id = 99999",
        "UPDATE ledger SET floors = '{'",
    ],
)
def test_a_damaged_book_gives_findings(rated: OfficeCommands, damage: str, tmp_path: Path) -> None:
    past_the_program(Path(rated.place), damage)
    for arguments in (
        ("verify",),
        ("rate",),
        ("rerate", "--all"),
        ("member", member_id(1)),
        ("publish", "--for", "2026-02"),
        ("backup", str(tmp_path / "copy.book")),
        ("list", "2026-01"),
    ):
        outcome = rated.run(*arguments)
        assert outcome.exception is None or isinstance(outcome.exception, SystemExit), arguments
    assert rated.run("verify").exit_code == 1
