"""The interface for programs: the same facts as the public pages, as JSON, CSV and ND-JSON."""

from ratebook.web.api import description
from ratebook.web.api.operations import OPERATIONS

ROUTES = (*OPERATIONS, *description.HANDLERS)
