"""Signing in and out, and what everyone may change about the own account."""

from ratebook.web.routes import routes_of

ROUTES = routes_of(__name__, __path__)
