"""A process that is killed with SIGKILL leaves nothing half done, and its work can be finished from there."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from unit.office.faults.killed_offices import Databases, Files, Office

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long

SPREAD = 3
"""Moments in each store, evenly spread over the round; the soak has them all."""

PARTS = 4
"""Of all moments in each store, for as many processes as run the soak."""

RANDOM_MOMENTS = 100
"""In each store, with --soak."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Give the office, once in each store."""
    if request.param == "sqlite":
        made = Office(Files(tmp_path_factory.mktemp("offices")))
    else:
        made = Office(Databases(request.getfixturevalue("server")))
    yield made
    made.close()


@pytest.mark.parametrize("part", range(SPREAD))
def test_a_process_killed_within_the_round_leaves_nothing_half_done(office: Office, part: int) -> None:
    office.killed_at(1 + part * (office.moments - 1) // (SPREAD - 1))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_a_process_killed_at_any_statement_or_commit_leaves_nothing_half_done(
    office: Office, part: int
) -> None:
    moments = range(1 + part, office.moments + 1, PARTS)
    for moment in moments:
        office.killed_at(moment)
    print(f"{len(moments)} of {office.moments} moments; contents left: {len(office.finished)}, each finished")  # noqa: T201 - the figures of a soak


@pytest.mark.soak
def test_a_process_killed_at_random_moments_leaves_nothing_half_done(office: Office) -> None:
    seed = random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}")  # noqa: T201 - the moments of a failure
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    for _ in range(RANDOM_MOMENTS):
        office.killed_after(chance.randrange(1, office.moments + 1))
