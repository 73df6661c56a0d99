"""Reports of the invented federation that come in today, so that its office has something to do."""

from collections.abc import Iterator
from datetime import date, timedelta

from ratebook.demo.values import InventedFederation
from ratebook.model import Event, PlayerFacts, Report

WRONG_ID = "90009999"
"""Of no one."""
LATE, READY = "EXAMPLE LATE OPEN", "EXAMPLE READY OPEN"
DAYS_AGO = {"EXAMPLE WRONG OPEN": 38, LATE: 31, READY: 10}


def arriving_reports(federation: InventedFederation, day: date) -> Iterator[Report]:
    """Yield a late report in which the first seat has a wrong id, a late one that is right, and one that is in time."""
    played = next(one.report for one in federation.arrivals if len(one.report.sections) == 1)
    section = played.sections[0]
    for name, days in DAYS_AGO.items():
        end = day - timedelta(days=days)
        entries, players = section.entries, dict(played.players)
        if name not in {LATE, READY}:
            first = entries[0]
            entries = (first._replace(player=WRONG_ID), *entries[1:])
            players[WRONG_ID] = PlayerFacts(WRONG_ID, players.pop(first.player).name)
        now = section._replace(start=end, end=end, entries=entries)
        yield Report(Event(name=name, start=end, end=end), players, (now,))
