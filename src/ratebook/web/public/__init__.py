"""Pages that anyone may read, without an account and without a script."""

from ratebook.web.routing import routes_of

ROUTES = routes_of(__name__, __path__)
