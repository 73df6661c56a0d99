"""Histories of established players that are made for a known answer, with the truth where there is one."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ratebook.lab.worlds.draws import Draws, expected
from ratebook.lab.worlds.making import TRUTH, TRUTH_COLUMNS
from ratebook.replay.history import write_history
from ratebook.replay.memory import Array
from ratebook.replay.tables import SCHEMAS, History, table_of

FIRST_ID, FIRST_EVENT = 90_000_001, 1_000_000_000
WIN, DRAW = 2, 1


class Plays(NamedTuple):
    """Who plays whom, as columns.

    Attributes:
        openings: established ratings with which members begin, rating points.
        day: of each section, in order, a day number.
        entries: of each section.
        member: of each entry.
        games: of each entry.
        opponent: of each game, from either side: a seat of the section, from 0.
        score: of each game, half points.
    """

    openings: Array
    day: Array
    entries: Array
    member: Array
    games: Array
    opponent: Array
    score: Array


def history_of(plays: Plays) -> History:
    """Return the history of some plays, in OTB Regular; the openings are of the day before the first section."""
    members, sections = len(plays.openings), len(plays.day)
    return History(
        members=table_of("members", {"id": np.arange(FIRST_ID, FIRST_ID + members)}),
        balances=table_of(
            "balances",
            {
                "member": np.arange(members),
                "as_of": np.full(members, plays.day[0] - 1),
                "rating": plays.openings,
                "record": np.zeros(members),
            },
        ),
        foreign_ratings=SCHEMAS["foreign_ratings"].empty_table(),
        decisions=SCHEMAS["decisions"].empty_table(),
        published_ratings=SCHEMAS["published_ratings"].empty_table(),
        sections=table_of(
            "sections",
            {
                "event": FIRST_EVENT + np.arange(sections),
                "number": np.ones(sections),
                "start": plays.day,
                "end": plays.day,
                "systems": np.ones(sections),
                "entries": plays.entries,
            },
        ),
        entries=table_of("entries", {"member": plays.member, "games": plays.games}),
        games=table_of("games", {"opponent": plays.opponent, "score": plays.score}),
    )


class PairedRounds(NamedTuple):
    """Sections of one round each, of as many players.

    Attributes:
        openings: see `Plays`.
        day: of each round.
        member: by round, those who meet side by side.
        strength: of the same, rating points.
        share_drawn: of games between equals.
    """

    openings: Array
    day: Array
    member: Array
    strength: Array
    share_drawn: float = 0.0


def write_rounds(rounds: PairedRounds, draws: Draws, folder: Path) -> Path:
    """Write the history of rounds with its truth, results drawn from strengths, unless it is there; return its folder.

    Raises:
        OSError: it cannot be written.
    """
    if folder.exists():
        return folder
    count, players = rounds.member.shape
    expectation = expected(rounds.strength[:, ::2] - rounds.strength[:, 1::2])
    half_drawn = rounds.share_drawn * np.minimum(expectation, 1.0 - expectation)
    luck = draws.fractions(expectation.size).reshape(expectation.shape)
    first = np.where(luck < expectation - half_drawn, WIN, np.where(luck < expectation + half_drawn, DRAW, 0))
    plays = Plays(
        openings=rounds.openings,
        day=rounds.day,
        entries=np.full(count, players),
        member=rounds.member.reshape(-1),
        games=np.ones(count * players),
        opponent=np.tile(np.arange(players) ^ 1, count),
        score=np.stack([first, WIN - first], axis=2).reshape(-1),
    )
    write_history(history_of(plays), folder)
    truth = pa.table([rounds.strength.reshape(-1)], schema=TRUTH_COLUMNS)
    pq.write_table(truth, folder / TRUTH)
    return folder


def drawn_pairs(players: int, rounds: int, draws: Draws) -> Array:
    """Return all players in a drawn order for each round, so that neighbours meet."""
    return np.argsort(draws.fractions(players * rounds).reshape(rounds, players), axis=1, kind="stable")
