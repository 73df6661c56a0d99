"""The interface for programs: the same facts as the public pages, as JSON, CSV and ND-JSON."""

from ratebook.web.api import description
from ratebook.web.api.operations import OPERATIONS, WITH_TOKENS

FOR_TOKENS = WITH_TOKENS
ROUTES = (*OPERATIONS, *description.HANDLERS)
