"""Rows of what the office does."""

from __future__ import annotations

from support.web.routes.rows import Row

ROUTES = {
    ("GET", "/office"): Row("office"),
}
