"""The matrix of rights (WEB section 4.3): a row for each route, written here and compared with what is served."""

from __future__ import annotations

from support.web.routes import account, admin, director, office, office_decisions, public

ROUTES = {
    **public.ROUTES,
    **account.ROUTES,
    **director.ROUTES,
    **office.ROUTES,
    **office_decisions.ROUTES,
    **admin.ROUTES,
}
"""A row for each method and path that is served, but for what programs read."""
