"""Everything that programs can ask."""

from ratebook.web import api
from ratebook.web.api import with_token
from ratebook.web.routing import routes_of

OPERATIONS = routes_of(api.__name__, api.__path__, without=("description", "operations", "with_token"))
WITH_TOKENS = routes_of(with_token.__name__, with_token.__path__)
"""What programs do for an account; a server has it that has accounts."""
