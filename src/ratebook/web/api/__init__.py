"""The interface for programs: the same facts as the public pages, as JSON, CSV and ND-JSON."""

from ratebook.web.api import changes, description, events, federation, players

ROUTES = (*players.HANDLERS, *events.HANDLERS, *federation.HANDLERS, *changes.HANDLERS, *description.HANDLERS)
