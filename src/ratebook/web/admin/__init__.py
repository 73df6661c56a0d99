"""Pages of the administrator."""

from ratebook.web.routing import routes_of

ROUTES = routes_of(__name__, __path__)
