"""Rows of jobs, re-ratings, corrections, lists and records of the office."""

from __future__ import annotations

from support.web.routes.rows import Row

STAFF = "office or administrator"
NUMBER = "{number:int}"

ROUTES = {
    ("GET", "/office/jobs"): Row(STAFF),
    # Jobs are there once someone asked; their own tests look at these pages.
    ("GET", f"/office/jobs/{NUMBER}"): Row(STAFF, "/office/jobs/99999", 404),
    ("GET", "/office/rerate"): Row("office"),
    ("POST", "/office/rerate"): Row("office", "", 400),
    ("POST", "/office/rerate/preview"): Row("office", "", 400),
    ("GET", f"/office/rerate/{NUMBER}"): Row("office", "/office/rerate/99999", 404),
    ("GET", "/office/verify"): Row("office"),
    ("POST", "/office/verify"): Row("office", "", 400),
}
