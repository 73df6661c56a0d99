"""What people write by hand: profiles, rules of their own, studies, worlds, settings, seals and keys."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, suppress
from typing import TYPE_CHECKING

import click

from fuzz.readers import Fuzzed, bytes_of
from fuzz.reports import EXAMPLES
from ratebook.book.failures import BookError
from ratebook.cli.book.creation import profile_in
from ratebook.lab.studies.study import StudyError, read_study, variants_of
from ratebook.lab.worlds.world import read_world
from ratebook.office.publish.seals import FIRST_LINE, Seal, new_keys, read_seal, require_signature
from ratebook.office.publish.seals import _private as private_key
from ratebook.replay.ledger import ledger_schema
from ratebook.rules.rulebook import check_overlay, load_rulebook
from ratebook.rules.timecontrol import parse_time_control
from ratebook.rules.timeline import RulebookError

if TYPE_CHECKING:
    from pathlib import Path

LEAGUE, LAB = EXAMPLES / "league", EXAMPLES / "lab"
MOST = 8
HEAD = "12:" + "3f" * 32
SEAL = (
    f"{FIRST_LINE}\nfederation: Example\nmade: 2026-11-20T12:00:00Z\nseal: {HEAD}\nsignature: {'A' * 86}==\n"
)
WORLDS = (b'preset = "still"\nmonths = 12\nmembers = 200\nseed = 3\n', b'openings = "true"\ndual = 0.5\n')
PROFILE = b"""name = "Example"
country = "EX"
id_form = "NL-0000"
systems = ["regular", "quick"]
list_months = [1, 4]
cut_off = "last-friday"
least_games = 4
checks_off = ["report-late"]
search_engines = true
"""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def read_rules(data: bytes) -> None:
    """Read rules of a federation."""
    with suppress(RulebookError):
        check_overlay(_text(data))


def read_setting(data: bytes) -> None:
    """Read what is given with ``--set``."""
    name, _, value = _text(data).partition("=")
    with suppress(RulebookError):
        load_rulebook().with_overlay({name: value}).check_resolves()


def read_columns(data: bytes) -> None:
    """Read what is given with ``--columns``."""
    with suppress(ValueError):
        ledger_schema(workings=True, columns=tuple(_text(data).split(",")))


def read_keys(data: bytes) -> None:
    """Read a key, private or public."""
    with suppress(BookError):
        private_key(data)
    with suppress(BookError):
        require_signature(read_seal(SEAL, "a seal"), data, "a seal")


def read_seals(data: bytes) -> None:
    """Read a seal and look at its signature."""
    with suppress(BookError):
        sealed = read_seal(_text(data), "a seal")
        assert isinstance(sealed, Seal)
        require_signature(sealed, KEYS["public"], "a seal")


KEYS = new_keys()


def readers(scratch: Path) -> tuple[Fuzzed, ...]:
    """Return the readers of settings; files come as *scratch*."""

    def profile(data: bytes) -> None:
        scratch.write_bytes(data)
        with suppress(click.exceptions.Exit, SystemExit), redirect_stderr(io.StringIO()):
            profile_in(scratch)

    def study(data: bytes) -> None:
        scratch.write_bytes(data)
        with suppress(StudyError, OSError):
            found = read_study(scratch)
            # A thousand variants take their time.
            if found.samples <= MOST and len(found.factors) <= MOST:
                variants_of(found)

    return (
        Fuzzed("profiles", profile, (PROFILE, *bytes_of(LEAGUE.glob("profile.toml")))),
        Fuzzed("rules", read_rules, bytes_of((*LEAGUE.glob("rules*.toml"), *LAB.rglob("*-*.toml")))),
        Fuzzed("settings", read_setting, (b"bonus_multiplier=14", b"dual_k.from_rating=off")),
        Fuzzed(
            "time controls", lambda data: parse_time_control(_text(data)), (b"40/90,SD/30;+30", b"G/5;d0")
        ),
        Fuzzed("columns", read_columns, (b"member,section,rating", b"system")),
        Fuzzed("studies", study, bytes_of(LAB.rglob("study.toml"))),
        Fuzzed("worlds", lambda data: read_world(_text(data), "world.toml"), WORLDS),
        Fuzzed("seals", read_seals, (SEAL.encode(), HEAD.encode())),
        Fuzzed("keys", read_keys, tuple(KEYS.values())),
    )
