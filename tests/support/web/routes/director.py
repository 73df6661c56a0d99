"""Rows of what directors do."""

from __future__ import annotations

from support.web.routes.rows import Row

ROUTES = {
    ("GET", "/director"): Row("director"),
}
