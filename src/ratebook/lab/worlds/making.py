"""Making a world: the history that a rating office would have of it, and the truth beside it."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ratebook.bounded_files import bounded_text
from ratebook.lab.worlds.attendance import Sections, draw_sections
from ratebook.lab.worlds.draws import Draws
from ratebook.lab.worlds.members import MONTHS, Members, draw_members, opening_ratings, pass_month
from ratebook.lab.worlds.pairing import NOBODY, Played, ResultOdds, play
from ratebook.lab.worlds.world import World
from ratebook.model import System
from ratebook.replay.history import HistoryWriter
from ratebook.replay.ledger import ParquetFile
from ratebook.replay.memory import Array
from ratebook.replay.tables import SCHEMAS, table_of
from ratebook.rules.rulebook import load_rulebook

FIRST_ID = 90_000_001
FIRST_EVENT = 1_000_000_000
ESTABLISHED_GAMES = 100.0
FIDE_FROM, FIDE_LOWER, FIDE_ERROR = 2000.0, 50.0, 30.0
"""Who may have a FIDE rating, by how much it is below the strength, and its standard deviation."""
TRUTH = "truth.parquet"
TRUTH_COLUMNS = pa.schema([pa.field("strength", pa.float64(), nullable=False)])
"""The true strength of a member when a section is played, a row for each row of ``entries``."""
SETTINGS = "world.json"


class Made(NamedTuple):
    """How large a world became."""

    members: int
    sections: int
    entries: int
    games: int


def make_world(
    world: World, folder: str | Path, progress: Callable[[int, int], None] | None = None, luck: int = 0
) -> Made:
    """Write a world into a new *folder*: a history, ``truth.parquet``, and the settings it was drawn from.

    Memory grows with members, not with games. The folder gets its name when it is complete.

    Args:
        world: what it is like.
        folder: the place of the history.
        progress: called after each month with the months done and all months.
        luck: another number gives the same members and sections other results.

    Raises:
        FileExistsError: something of that name exists already.
        OSError: a file cannot be written.
    """
    members = draw_members(world)
    foreign: list[dict[str, Array]] = []
    sections = entries = games = 0
    with HistoryWriter(folder) as writer, ParquetFile(writer.unfinished / TRUTH, TRUTH_COLUMNS) as truth:
        writer.write("members", _members(members))
        writer.write("balances", _balances(members, world))
        for name in ("decisions", "published_ratings"):
            writer.write(name, SCHEMAS[name].empty_table())
        for month in range(world.years * MONTHS):
            if month % MONTHS == 0:
                foreign.append(_foreign_ratings(members, world, month))
            pass_month(members, world, month, Draws(world.seed, f"strengths {month}"))
            first = date(world.first_year + month // MONTHS, month % MONTHS + 1, 1)
            drawn = draw_sections(
                members, world, month, Draws(world.seed, f"sections {month}"), has_quick=_has_quick(first)
            )
            strength = members.strength[drawn.member]
            played = play(
                drawn,
                strength,
                members.published[drawn.member],
                ResultOdds(world.draws, world.white),
                Draws(world.seed + luck, f"results {month}"),
            )
            games += _write_month(writer, drawn, played, first, FIRST_EVENT + sections)
            truth.write(pa.table([strength], schema=TRUTH_COLUMNS))
            sections += len(drawn.event)
            entries += len(drawn.member)
            if progress is not None:
                progress(month + 1, world.years * MONTHS)
        writer.write("foreign_ratings", _in_order(foreign))
        truth.complete = True
        settings = json.dumps(world._asdict(), indent=1)
        (writer.unfinished / SETTINGS).write_text(settings + "\n", encoding="utf-8")
    return Made(world.everyone, sections, entries, games // 2)


def white_in(history: Path) -> float:
    """Return what White truly has more in a world, rating points; 0 in a history that is none."""
    try:
        return float(json.loads(bounded_text(history / SETTINGS)).get("white", 0.0))
    except (OSError, ValueError):
        return 0.0


def _has_quick(first: date) -> bool:
    return load_rulebook().in_force(System.QUICK, first).system_exists == 1


def _write_month(
    writer: HistoryWriter, drawn: Sections, played: Played, first: date, first_event: int
) -> int:
    """Write the sections of a month and return how many rows its games have."""
    before = first.toordinal() - 1
    writer.write(
        "sections",
        table_of(
            "sections",
            {
                "event": first_event + drawn.event,
                "number": drawn.number,
                "start": before + drawn.start,
                "end": before + drawn.end,
                "systems": drawn.systems,
                "entries": np.diff(drawn.first),
            },
        ),
    )
    has = played.opponent != NOBODY
    writer.write("entries", table_of("entries", {"member": drawn.member, "games": has.sum(axis=1)}))
    seat = played.opponent - drawn.first[drawn.section][:, None]
    games = {
        "opponent": seat[has],
        "score": played.score[has],
        "round": np.nonzero(has)[1] + 1,
        "colour": played.colour[has],
    }
    writer.write("games", table_of("games", games))
    return int(has.sum())


def _members(members: Members) -> Any:  # noqa: ANN401 - a table
    count = len(members.born)
    regions = (members.region + 1).astype(str)
    return table_of(
        "members",
        {
            "id": np.arange(FIRST_ID, FIRST_ID + count),
            "birth_date": members.born,
            "usa_flag": np.ones(count, bool),
            # As long as the longest, so that their order is that of numbers.
            "region": np.char.zfill(regions, np.char.str_len(regions).max()),
        },
    )


def _balances(members: Members, world: World) -> Any:  # noqa: ANN401 - a table
    rating = opening_ratings(members, world)
    count = len(rating)
    return table_of(
        "balances",
        {
            "member": np.arange(count),
            "as_of": np.full(count, world.first_day.toordinal() - 1),
            "rating": rating,
            "games": np.full(count, ESTABLISHED_GAMES),
            "record": np.zeros(count),
        },
    )


def _foreign_ratings(members: Members, world: World, month: int) -> dict[str, Array]:
    """Return the FIDE ratings on January 1 of those who are strong enough and have one."""
    # The same members have one in every year.
    has = Draws(world.seed, "fide").fractions(len(members.born)) < world.fide
    present = members.here(month)
    present = present[has[present] & (members.strength[present] >= FIDE_FROM)]
    error = FIDE_ERROR * Draws(world.seed, f"fide {month}").bells(len(present))
    day = date(world.first_year + month // MONTHS, 1, 1).toordinal()
    return {
        "member": present,
        "list_date": np.full(len(present), day),
        "rating": np.round(members.strength[present] - FIDE_LOWER + error),
    }


def _in_order(years: list[dict[str, Array]]) -> Any:  # noqa: ANN401 - a table
    rows = {name: np.concatenate([year[name] for year in years]) for name in years[0]}
    order = np.lexsort((rows["list_date"], rows["member"]))
    return table_of("foreign_ratings", {name: values[order] for name, values in rows.items()})
