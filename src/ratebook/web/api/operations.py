"""Everything that programs can ask."""

from ratebook.web.api import changes, events, federation, players, rated_events
from ratebook.web.api.with_token import private, reports

OPERATIONS = (
    *players.HANDLERS,
    *events.HANDLERS,
    *federation.HANDLERS,
    *changes.HANDLERS,
    *rated_events.HANDLERS,
)
WITH_TOKENS = (*reports.HANDLERS, *private.HANDLERS)
"""What programs do for an account; a server has it that has accounts."""
