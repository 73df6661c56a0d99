"""The page of a player's opponents against a count over the tables that shares nothing with it."""

from __future__ import annotations

from collections import defaultdict
from math import floor
from typing import TYPE_CHECKING, Any

import pytest

from ratebook.model import System
from ratebook.pages.opponents import lines_of, opposition_of

if TYPE_CHECKING:
    from ratebook.web.site import Site

POINTS = {"W": 1.0, "D": 0.5, "L": 0.0}


def test_scores_against_opponents_are_those_of_all_games(site: Site) -> None:
    with site.reading() as reader:

        def rows(asked: str) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in reader.connection.exec_driver_sql(asked)]

        people = {
            one: (into or one, name) for one, into, name in rows("SELECT id, merged_into, name FROM members")
        }
        seats = {
            (section, seat): people.get(member, (member, ""))[0]
            for section, seat, member in rows("SELECT section_id, seat, member_id FROM entries")
        }
        before = {
            row[:3]: row[4] if row[3] == "rated" else None
            for row in rows(
                "SELECT section_id, member_id, system, source, rating_before FROM ledger WHERE superseded_by IS NULL"
            )
        }
        counted: defaultdict[tuple[Any, ...], list[tuple[float, float | None]]] = defaultdict(list)
        for section, seat, result, other in rows("SELECT section_id, seat, result, opponent FROM games"):
            for system in System:
                mine, theirs = ((section, seats.get((section, one)), system.value) for one in (seat, other))
                if result in POINTS and mine in before and theirs in before:
                    own, their = before[mine], before[theirs]
                    expected = None
                    if own is not None and their is not None:
                        # D25 section 4.2, of ratings as they are shown.
                        expected = 1 / (1 + 10 ** ((floor(their + 0.5) - floor(own + 0.5)) / 400))
                    counted[mine[1], system, theirs[1]].append((POINTS[result], expected))
        found = {}
        for member in {one for one, _ in people.values()}:
            for system in System:
                met = opposition_of(reader.connection, reader.federation, member, system)
                for one in lines_of(reader.connection, met, met.most_met()):
                    found[member, system, one.opponent] = one.score
                    assert one.name == people[one.opponent][1]
                assert not met.colours or met.colours[0].score.games == len(met.outcomes)
    assert found.keys() == counted.keys()
    assert len(found) > len(people)
    for key, games in counted.items():
        score, rated = found[key], [one for one in games if one[1] is not None]
        assert (score.games, score.points) == (len(games), sum(points for points, _ in games))
        assert (score.games_of_rated, score.points_of_rated) == (
            len(rated),
            sum(points for points, _ in rated),
        )
        assert score.expected_of_rated == (
            pytest.approx(sum(one or 0.0 for _, one in rated)) if rated else None
        )
