"""The interface for programs: the same facts as the public pages, as JSON, CSV and ND-JSON."""

from ratebook.web.api import description

FOR_TOKENS = description.FOR_TOKENS
ROUTES = (*description.OPERATIONS, *description.HANDLERS)
