"""Figures of players, beside what their games, histories and the official list say when they are counted by hand."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from support.web.federation import LISTS, PLAYER
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

    Client = TestClient[Litestar]
    Row = dict[str, Any]

MONTH = LISTS[-1]
LETTERS = {1.0: "W", 0.5: "D", 0.0: "L"}


@pytest.fixture(scope="module")
def browsing(site: Site) -> Iterator[Client]:
    """Give someone who asks for pages."""
    with TestClient(app_of(site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def players(browsing: Client) -> list[Row]:
    """Give everybody, as programs read them."""
    found = browsing.get("/api/v1/players?limit=200").json()["items"]
    return [browsing.get(f"/api/v1/players/{player['id']}").json() for player in found]


def games_of(browsing: Client, player: str, system: str) -> list[Row]:
    games: list[Row] = browsing.get(f"/api/v1/players/{player}/games?system={system}").json()["items"]
    return games


def history_of(browsing: Client, player: str) -> list[Row]:
    lines: list[Row] = browsing.get(f"/api/v1/players/{player}/history?limit=200").json()["items"]
    return lines


def rounds_of(browsing: Client, line: Row) -> list[str]:
    """Return the cells of the player in the crosstable of a line of the history."""
    address = f"/api/v1/events/{line['event']}/sections/{line['section']}/standings?system={line['system']}"
    cells: list[str] = next(
        row["rounds"] for row in browsing.get(address).json()["items"] if row["player"] == PLAYER
    )
    return cells


def test_a_record_is_what_the_games_come_to(browsing: Client, players: list[Row]) -> None:
    counted = 0
    for player in players:
        places = set()
        for rating in player["ratings"]:
            games = games_of(browsing, player["id"], rating["system"])
            places |= {(game["event"], game["section"], game["round"]) for game in games}
            scores = [game["score"] for game in games]
            assert rating["games"] == len(scores)
            if rating["record"] is not None:
                record = [scores.count(score) for score in (1.0, 0.5, 0.0)]
                assert list(rating["record"].values()) == record, (player["id"], rating["system"])
                counted += 1
        assert player["rated_games"] == len(places)
        ends = [line["end"] for line in history_of(browsing, player["id"]) if line["event"]]
        assert player["first_rated"] == min(ends, default=None)
    assert counted > len(players)


def test_the_highest_rating_is_an_established_one_if_there_is_any(
    browsing: Client, players: list[Row]
) -> None:
    established = 0
    for player in players:
        lines = history_of(browsing, player["id"])
        for rating in player["ratings"]:
            known = [(line["after"], line["end"]) for line in lines if line["system"] == rating["system"]]
            best = [one for one in known if one[0]["provisional_games"] is None] or known
            if not best:
                continue
            highest = max(after["rating"] for after, _ in best)
            assert rating["peak"]["rating"] >= highest
            if rating["peak"]["rating"] == highest:
                first = min(end for after, end in best if after["rating"] == highest)
                assert rating["peak"]["as_of"] <= first
                established += rating["peak"]["as_of"] == first
    assert established


def test_a_rank_is_among_those_who_were_rated_in_the_year_before_the_list(
    browsing: Client, players: list[Row]
) -> None:
    cut_off = date.fromisoformat(browsing.get(f"/api/v1/lists/{MONTH}").json()["cut_off"])
    since = str(cut_off.replace(year=cut_off.year - 1))
    ranked = 0
    for system in {rating["system"] for player in players for rating in player["ratings"]}:
        active: dict[str, tuple[int, str]] = {}
        found: dict[str, Row | None] = {}
        for player in players:
            rating = next((one for one in player["ratings"] if one["system"] == system), None)
            if rating is None or rating["official"] is None:
                continue
            found[player["id"]] = rating["rank"]
            ends = [one["end"] for one in history_of(browsing, player["id"]) if one["system"] == system]
            if any(since < end <= str(cut_off) for end in ends):
                active[player["id"]] = rating["official"]["rating"], player["state"]
        for player_id, rank in found.items():
            if player_id not in active:
                assert rank is None
                continue
            own, state = active[player_id]
            beside = [other for other, of_state in active.values() if of_state == state]
            assert rank == {
                "place": 1 + sum(other > own for other, _ in active.values()),
                "active": len(active),
                "state_place": 1 + sum(other > own for other in beside) if state else None,
                "state_active": len(beside) if state else None,
            }
            ranked += 1
    assert ranked


def test_the_place_among_active_players_is_marked(browsing: Client, players: list[Row]) -> None:
    marked = 0
    for player in players:
        page = browsing.get(f"/players/{player['id']}").text
        ranked = [rating for rating in player["ratings"] if rating["rank"]]
        assert ("Among active players" in page) == bool(ranked)
        if ranked:
            most = max(ranked, key=lambda rating: rating["games"])
            official = most["official"]["rating"]
            assert f"{official} is here" in page
            bands = re.findall(r"<title>([\d,]+) from (\d+) to (\d+)</title>", page)
            assert sum(int(number) for number, *_ in bands) == most["rank"]["active"]
            low, high = re.findall(r'<rect class="here" [^>]*><title>\d+ from (\d+) to (\d+)</title>', page)[
                0
            ]
            assert int(low) <= official <= int(high)
            marked += 1
    assert marked


def test_the_results_of_a_section_are_those_of_its_games(browsing: Client) -> None:
    lines = [line for line in history_of(browsing, PLAYER) if line["event"]]
    assert lines
    for line in lines:
        games = [
            game
            for game in games_of(browsing, PLAYER, line["system"])
            if (game["event"], game["section"]) == (line["event"], line["section"])
        ]
        letters = "".join(LETTERS[game["score"]] for game in sorted(games, key=lambda game: game["round"]))
        assert "".join(letter for letter in line["results"] if letter in "WDL") == letters
        unplayed = [cell[0] for cell in rounds_of(browsing, line) if cell[:1] in set("XZFBHU")]
        assert [letter for letter in line["results"] if letter not in "WDL"] == unplayed


def test_the_next_title_counts_norms_of_its_level_and_above(players: list[Row]) -> None:
    for player in players:
        coming = player["next_title"]
        assert coming["code"] not in {title["code"] for title in player["titles"]}
        levels = [norm["level"] for norm in player["norms"]]
        assert coming["norms"] == min(sum(level >= coming["level"] for level in levels), 5)
        assert coming["norms_needed"] == 5


def test_why_begins_with_the_change_that_the_history_shows(browsing: Client) -> None:
    answered = drawn = 0
    for line in history_of(browsing, PLAYER):
        if line["event"] is None or line["before"] is None:
            continue
        address = f"/players/{PLAYER}/why/{line['event']}/{line['section']}?system={line['system']}"
        page = browsing.get(address).text.replace("\N{MINUS SIGN}", "-")
        heading = re.sub(r"\s+", " ", page.partition("<h1>")[2].partition("</h1>")[0]).strip()
        change = line["after"]["rating"] - line["before"]["rating"]
        assert heading.startswith(f"{change:+d}: you scored" if change else "±0: you scored")
        assert f"{line['before']['rating']} →\N{NO-BREAK SPACE}{line['after']['rating']}" in page
        parts = page.partition('<ul class="climb">')[2].partition("</ul>")[0]
        if parts:
            before, *between, after = map(int, re.findall(r"<b>([+-]?\d+)</b>", parts))
            assert (before, after) == (line["before"]["rating"], line["after"]["rating"])
            assert sum(between) == change
            drawn += 1
        games = page.partition("Game by game")[2].partition("</table>")[0]
        assert games.count("<tr>") == 1 + line["games"]
        answered += 1
    assert answered
    assert drawn
