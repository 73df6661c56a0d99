"""The files of `deploy`: each names what exists, is accepted by its own program where that is installed, and works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from scripts.pages.places import ROOT

import ratebook
from ratebook.cli.book.group import book_group
from ratebook.cli.settings import SETTINGS_VARIABLE, settable
from ratebook.cli.web.group import KEY_VARIABLE, web_group
from support.command_line import values_taken

if TYPE_CHECKING:
    from pathlib import Path

DEPLOY = ROOT / "deploy"
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


def values_in(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what a server takes from an environment, whose variables must all be known."""
    known = {str(option.envvar) for _, option in settable(web_group)} | {KEY_VARIABLE, SETTINGS_VARIABLE}
    given = {name: value for name, value in environment.items() if name.startswith("RATEBOOK_")}
    assert given.keys() <= known
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return values_taken(web_group)


def commands_in(text: str) -> list[list[str]]:
    """Return the commands of ratebook in a unit or a compose file, word by word."""
    return [line.split() for line in re.findall(r"^ExecStart=\S+/ratebook (.*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", [unit for unit in UNITS if unit.endswith(".service")])
def test_a_unit_runs_a_command_with_settings_that_are_here(name: str) -> None:
    text = text_of(f"systemd/{name}")
    (command,) = commands_in(text)
    group = {"web": web_group, "book": book_group}[command[0]]
    taken = values_taken(group, *command[1:])
    assert command[1:2] == [] or command[1] in group.lazy, taken
    (settings,) = re.findall(r"^Environment=RATEBOOK_SETTINGS=/etc/ratebook/(\S+)$", text, re.MULTILINE)
    assert settings in {path.name for path in SETTINGS}


@pytest.mark.parametrize("name", [unit for unit in UNITS if unit.endswith(".timer")])
def test_a_timer_has_its_service(name: str) -> None:
    assert name.replace(".timer", ".service") in UNITS


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


@pytest.mark.soak
def test_the_image_is_built_and_has_the_program() -> None:
    build = (program("buildah"), "bud", "--isolation", "chroot", "--format", "docker", "--layers=false")
    base = re.findall(r"^FROM (\S+)$", text_of("Containerfile"), re.MULTILINE)[0]
    if subprocess.run(
        (build[0], "pull", "--policy", "missing", base), check=False, capture_output=True
    ).returncode:
        pytest.skip(f"the image {base} cannot be had")
    image = subprocess.run(
        (*build, "--quiet", "--file", str(DEPLOY / "Containerfile"), str(ROOT)),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()[-1]
    container = subprocess.run(
        (build[0], "from", image), check=True, capture_output=True, text=True
    ).stdout.strip()
    try:
        inside = (build[0], "run", "--isolation", "chroot", container, "--")
        who = subprocess.run((*inside, "id", "-un"), check=True, capture_output=True, text=True)
        version = subprocess.run(
            (*inside, "ratebook", "--version"), check=True, capture_output=True, text=True
        )
    finally:
        subprocess.run((build[0], "rm", container), check=True, capture_output=True)
        subprocess.run((build[0], "rmi", image), check=True, capture_output=True)
    assert who.stdout.strip() == "ratebook"
    assert ratebook.__version__ in version.stdout


def test_the_container_serves_public_pages_to_all_of_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = dict(re.findall(r"(RATEBOOK_\w+)=(\S+)", text_of("Containerfile")))
    values = values_in(environment, monkeypatch)
    assert (values["served"], values["host"], values["port"]) == ("public", "0.0.0.0", 8000)  # noqa: S104 - within a container


def test_the_compose_file_opens_no_port_to_other_machines() -> None:
    services: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))["services"]
    assert services.keys() == {"postgres", "public", "office", "backup", "drill"}
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


@pytest.mark.parametrize("name", ["public", "office", "backup", "drill"])
def test_a_service_is_one_of_the_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    service: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))["services"][name]
    values = values_in(service["environment"], monkeypatch)
    assert values["https_by_proxy"]
    assert values["behind_proxy"] == "*"
    if name in {"public", "office"}:
        assert values["served"] == name
        assert "command" not in service
    else:
        assert service["command"].split()[:2] == ["web", name]
        assert name in web_group.lazy


def test_compose_accepts_its_file() -> None:
    needed = {"PUBLIC_NAME", "OFFICE_NAME", "POSTGRES_PASSWORD", "RATEBOOK_WEB_KEY"}
    environment = os.environ | dict.fromkeys(needed, "x")
    tested = (program("docker-compose"), "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet")
    done = subprocess.run(tested, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr


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
