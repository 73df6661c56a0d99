"""The files of `deploy`: each names what exists, is accepted by its own program where that is installed, and works."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from scripts.pages.places import ROOT

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.cli.web.group import web_group
from ratebook.office.creation import create_book
from ratebook.web.store.opening import open_store
from support.command_line import values_taken

if TYPE_CHECKING:
    from pathlib import Path

DEPLOY = ROOT / "deploy"
SERVED = (
    "Containerfile",
    "compose.yaml",
    "systemd/ratebook-office.service",
    "systemd/ratebook-public.service",
)
SETTINGS = sorted((DEPLOY / "settings").iterdir())
UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())


def program(name: str) -> str:
    """Return where a program is, or skip the test: it checks what only this program knows."""
    place = shutil.which(name)
    if place is None:
        pytest.skip(f"{name} is not installed")
    return place


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def options_of_web() -> set[str]:
    return {option for parameter in web_group.params for option in parameter.opts}


@pytest.mark.parametrize("name", SERVED)
def test_every_option_is_one_of_the_command(name: str) -> None:
    lines = text_of(name).replace("\\\n", " ").replace('", "', " ").splitlines()
    served = [line for line in lines if "--serve " in line or "--behind-proxy " in line]
    assert served
    assert {option for line in served for option in re.findall(r"--[a-z-]+", line)} <= options_of_web()


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: path.name)
def test_the_settings_of_a_server_are_those_of_the_command(path: Path) -> None:
    values = values_taken(web_group, "--settings", str(path))
    assert values["served"] == path.stem
    assert values["book"] == "/var/lib/ratebook/league.book"
    assert values["https_by_proxy"]


def test_the_container_copies_what_exists_and_its_user_is_not_root() -> None:
    text = text_of("Containerfile")
    copied = [
        line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ") and "--from" not in line
    ]
    assert copied
    assert all((ROOT / name).exists() for names in copied for name in names)
    order = [
        line.split()[0]
        for line in text.splitlines()
        if re.match("(USER|VOLUME|HEALTHCHECK|ENTRYPOINT) ", line)
    ]
    assert order == ["USER", "VOLUME", "HEALTHCHECK", "ENTRYPOINT"]
    assert re.search("^USER ratebook$", text, re.MULTILINE)


def test_the_compose_file_opens_no_port_to_other_machines() -> None:
    services: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))["services"]
    assert services.keys() == {"postgres", "public", "office"}
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert len(ports) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports)


@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_the_unit(name: str, tmp_path: Path) -> None:
    # The programs of a unit must exist for the check; here they are others.
    for unit in UNITS:
        text = re.sub(r"^(Exec\w+=)\S+", r"\1/bin/true", text_of(f"systemd/{unit}"), flags=re.MULTILINE)
        (tmp_path / unit).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [program("systemd-analyze"), "verify", "--man=no", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    # What other units of the machine lack is not asked.
    assert [line for line in done.stderr.splitlines() if "ratebook" in line] == []


def test_nginx_accepts_its_page(tmp_path: Path) -> None:
    nginx, openssl = program("nginx"), program("openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ("-subj", "/CN=ratings.example.org", "-keyout", str(key), "-out", str(certificate))
    made = (openssl, "req", "-x509", "-nodes", "-newkey", "rsa:2048", *subject)
    subprocess.run(made, capture_output=True, check=True)
    page = re.sub(r"ssl_certificate_key \S+;", f"ssl_certificate_key {key};", text_of("proxy/nginx.conf"))
    page = re.sub(r"ssl_certificate \S+;", f"ssl_certificate {certificate};", page)
    page = re.sub(r"listen (\d+)", rf"listen unix:{tmp_path}/\1", page)
    temporary = " ".join(
        f"{name}_temp_path {tmp_path};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {temporary} {page} }}"
    (tmp_path / "nginx.conf").write_text(whole, encoding="utf-8")
    tested = (nginx, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"))
    done = subprocess.run(tested, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_caddy_accepts_its_page() -> None:
    tested = (
        program("caddy"),
        "validate",
        "--adapter",
        "caddyfile",
        "--config",
        str(DEPLOY / "proxy/Caddyfile"),
    )
    done = subprocess.run(tested, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a script for sh")
def test_a_backup_has_book_and_accounts_and_the_newest_stay(tmp_path: Path) -> None:
    book, backups = str(tmp_path / "league.book"), tmp_path / "backups"
    create_book(book, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    for day in ("01", "02"):
        (backups / f"2020-01-{day}T00-00-00Z").mkdir(parents=True)
    with closing(open_store(f"{book}.web")):
        made = back_up(book, backups)
    assert made.returncode == 0, made.stderr
    kept = sorted(path.name for path in backups.iterdir())
    assert kept[0] == "2020-01-02T00-00-00Z"
    assert len(kept) == 2
    copied = backups / kept[1] / "league.book.web"
    with closing(open_store(str(copied))) as store, store.reading():
        assert copied.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name == "nt", reason="a script for sh")
def test_a_backup_of_a_book_that_was_tampered_with_fails_and_all_old_ones_stay(tmp_path: Path) -> None:
    book, backups = str(tmp_path / "league.book"), tmp_path / "backups"
    create_book(book, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    with closing(sqlite3.connect(book)) as connection, connection:
        connection.execute("DROP TRIGGER audit_never_changes")
        connection.execute("UPDATE audit SET details = '{}', \"by\" = 'eve'")
    for day in ("01", "02", "03"):
        (backups / f"2020-01-{day}T00-00-00Z").mkdir(parents=True)
    assert back_up(book, backups).returncode != 0
    assert len([path for path in backups.iterdir() if path.name.startswith("2020")]) == 3


def back_up(book: str, backups: Path) -> subprocess.CompletedProcess[str]:
    """Run the script as the timer does, but keep two backups."""
    environment = os.environ | {
        "RATEBOOK_BOOK": book,
        "RATEBOOK": f"{sys.executable} -m ratebook",
        "PYTHON": sys.executable,
        "KEEP": "2",
    }
    script = (str(DEPLOY / "backup"), str(backups))
    return subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
