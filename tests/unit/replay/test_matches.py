"""Matches whose players' published ratings do not allow them: one warning, and every rating as without it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from ratebook.demo.synthetic import Shape, synthetic_history
from ratebook.replay.run import Options, check_history, replay
from ratebook.replay.tables import History
from ratebook.rules.rulebook import load_rulebook

INTERPRETED = Options(short=10**9)
MATCH_DAY = date(2024, 5, 18)
MAY, APRIL, JUNE = date(2024, 5, 1), date(2024, 4, 1), date(2024, 6, 1)
MOST_APART, ESTABLISHED_ABOVE = 400, 25
"""D25, section 7 and terms."""

ALLOWED = ((0, MAY, 1500, None), (1, MAY, 1900, None))
"""Published OTB Regular ratings: member, list, rating, games."""

CASES = {
    "400 points apart, both established": (ALLOWED, None),
    "401 points apart": (((0, MAY, 1500, None), (1, MAY, 1901, None)), "are 401 points apart"),
    "26 games are established": (((0, MAY, 1500, 26), (1, MAY, 1900, None)), None),
    "25 games are not": (((0, MAY, 1500, 25), (1, MAY, 1900, None)), "rests on 25 games"),
    "one is in no list": (((0, MAY, 1500, None),), "no published regular rating"),
    "one is in the next list only": (((0, MAY, 1500, None), (1, JUNE, 1900, None)), "no published"),
    "an earlier list stays in effect": (((0, MAY, 1500, None), (1, APRIL, 1900, None)), None),
    "the newest list counts": (
        ((0, APRIL, 1500, None), (0, MAY, 1400, None), (1, MAY, 1900, None)),
        "are 500 points apart",
    ),
    "the match is older than all lists": (((0, JUNE, 1500, None),), None),
}


def two_players(published: Any, *, kind: int = 1, games: int = 1) -> History:  # noqa: ANN401 - rows
    """Return a history of one section of two players."""
    days = {"start": [MATCH_DAY], "end": [MATCH_DAY + timedelta(days=1)]}
    return History(
        members=pl.DataFrame(
            {
                "id": ["90000001", "90000002"],
                "birth_date": [None, None],
                **{
                    name: [False, False] for name in ("adult", "canadian_resident", "usa_flag", "fide_opt_in")
                },
            },
            schema_overrides={"birth_date": pl.Date},
        ),
        balances=empty("balances"),
        foreign_ratings=empty("foreign_ratings"),
        decisions=empty("decisions"),
        published_ratings=pl.DataFrame(
            [(member, 0, day, rating, played) for member, day, rating, played in published],
            schema=["member", "system", "list_date", "rating", "games"],
            orient="row",
            schema_overrides={"games": pl.Int32},
        ),
        sections=pl.DataFrame(
            {
                "event": ["202405190001"],
                "number": [3],
                **days,
                "kind": [kind],
                "half_k": [False],
                "youth": [False],
                "systems": [1],
                "entries": [2],
            }
        ),
        entries=pl.DataFrame(
            {"member": [0, 1], "games": [games, games], "marks": [0, 0], "fide": [0.0, 0.0]}
        ),
        games=pl.DataFrame({"opponent": [1, 0], "score": [2, 0]}) if games else empty("games"),
    )


def team_match(opponents: Sequence[int]) -> History:
    """Return a history of a match of four members; each plays one game, drawn, against the opponent given."""
    history = two_players(
        [(member, MAY, rating, None) for member, rating in enumerate((1500, 1600, 1000, 1950))]
    )
    ids = [f"9000000{number}" for number in range(1, 5)]
    return history._replace(
        members=pl.concat([history.members, history.members]).with_columns(pl.Series("id", ids)),
        sections=history.sections.with_columns(pl.lit(4).alias("entries")),
        entries=pl.DataFrame({"member": [0, 1, 2, 3], "games": [1] * 4, "marks": [0] * 4, "fide": [0.0] * 4}),
        games=pl.DataFrame({"opponent": list(opponents), "score": [1] * 4}),
    )


def test_each_pair_of_a_team_match_is_judged() -> None:
    found = check_history(team_match([1, 0, 3, 2]), options=INTERPRETED)
    (finding,) = (one for one in found if one.code == "history-match-not-eligible")
    assert "1 of 2 matches" in finding.message
    assert "950 points apart" in finding.message


def test_a_player_of_a_match_with_two_opponents_is_refused() -> None:
    history = team_match([1, 0, 3, 2])
    games = pl.DataFrame({"opponent": [1, 2, 0, 3, 2], "score": [1] * 5})
    entries = history.entries.with_columns(pl.Series("games", [2, 1, 1, 1]))
    (finding,) = (
        one
        for one in check_history(history._replace(games=games, entries=entries), options=INTERPRETED)
        if one.severity == "error"
    )
    assert (finding.code, finding.where) == ("history-game-wrong", "sections, row 0, entry 0")


def empty(name: str) -> Any:  # noqa: ANN401 - a Polars frame
    return pl.DataFrame(getattr(synthetic_history(Shape(50, 20)), name))[:0]


@pytest.mark.parametrize("case", CASES)
def test_a_match_is_judged_by_the_lists_in_effect_when_it_begins(case: str) -> None:
    published, says = CASES[case]
    found = check_history(two_players(published), options=INTERPRETED)
    assert [finding.code for finding in found] == ([] if says is None else ["history-match-not-eligible"])
    for finding in found:
        assert finding.severity == "warning"
        assert finding.where == "sections, row 0"
        assert "1 of 1 matches" in finding.message
        assert "event 202405190001, section 3: " in finding.message
        assert says is not None
        assert says in finding.message


def test_an_ordinary_section_of_two_and_a_match_without_games_are_not_judged() -> None:
    too_far = ((0, MAY, 1500, None), (1, MAY, 1999, None))
    assert check_history(two_players(too_far, kind=0), options=INTERPRETED) == ()
    assert check_history(two_players(too_far, games=0), options=INTERPRETED) == ()


def test_the_rules_of_the_replay_decide_how_far_apart_is_too_far() -> None:
    stricter = load_rulebook().with_overlay({"match_difference": "399"})
    (finding,) = check_history(two_players(ALLOWED), stricter, INTERPRETED)
    assert "400 points apart, and a match allows 399" in finding.message


def test_the_warning_counts_matches_over_all_chunks_and_changes_no_rating() -> None:
    shape = Shape(4_000, 150, 3, matches=0.3, ineligible=0.4)
    history = synthetic_history(shape)
    refused, judged, first = counted_by_hand(history)
    assert 10 < refused < judged
    for options in (INTERPRETED, INTERPRETED._replace(sections_at_once=7)):
        (finding,) = check_history(history, options=options)
        assert finding.where == f"sections, row {first}"
        assert finding.message.startswith(f"{refused} of {judged} matches ")
    replayed = replay(history, options=INTERPRETED)
    without = replay(history._replace(published_ratings=empty("published_ratings")), options=INTERPRETED)
    assert [one.code for one in replayed.findings] == ["history-match-not-eligible"]
    assert without.findings == ()
    assert replayed.ledger is not None
    assert without.ledger is not None
    assert replayed.ledger.equals(without.ledger)


def counted_by_hand(history: History) -> tuple[int, int, int | None]:
    """Return how many matches are refused and judged, and the row of the first refused one."""
    published: dict[tuple[int, int], list[tuple[date, int, int | None]]] = {}
    rows = pl.DataFrame(history.published_ratings).rows()
    for member, system, day, rating, games in rows:
        published.setdefault((member, system), []).append((day, rating, games))
    opened = min(row[2] for row in rows)
    entries = iter(pl.DataFrame(history.entries).iter_rows(named=True))
    judged = refused = 0
    first = None
    for row, section in enumerate(pl.DataFrame(history.sections).iter_rows(named=True)):
        players = [next(entries) for _ in range(section["entries"])]
        if section["kind"] != 1 or section["start"] < opened or not players[0]["games"]:
            continue
        judged += 1
        bad = False
        for system in range(6):
            if not section["systems"] >> system & 1:
                continue
            known = [
                max(
                    (
                        one
                        for one in published.get((player["member"], system), ())
                        if one[0] <= section["start"]
                    ),
                    default=None,
                )
                for player in players
            ]
            ratings = [one[1] for one in known if one is not None]
            bad |= len(ratings) < 2 or abs(ratings[0] - ratings[1]) > MOST_APART
            bad |= any(
                one is not None and one[2] is not None and one[2] <= ESTABLISHED_ABOVE for one in known
            )
        refused += bad
        if bad and first is None:
            first = row
    return refused, judged, first
