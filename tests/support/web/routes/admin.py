"""Rows of what the administrator does."""

from __future__ import annotations

from support.web.routes.rows import Row

ROUTES = {
    ("GET", "/admin"): Row("administrator"),
}
