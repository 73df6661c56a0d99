"""Signing in and out, and what everyone may change about the own account."""

from ratebook.web.routing import routes_of

ROUTES = routes_of(__name__, __path__)
