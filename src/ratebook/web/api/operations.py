"""Everything that programs can ask."""

from ratebook.web.api import changes, events, federation, players, rated_events

OPERATIONS = (
    *players.HANDLERS,
    *events.HANDLERS,
    *federation.HANDLERS,
    *changes.HANDLERS,
    *rated_events.HANDLERS,
)
