"""Rows of jobs, re-ratings, corrections, lists and records of the office."""

from __future__ import annotations

from support.web.federation import PLAYER
from support.web.routes.rows import AGAIN, Row

STAFF = "office or administrator"
LISTS, NUMBER = "/office/lists", "{number:int}"

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
    ("GET", "/office/studies"): Row("office"),
    ("GET", "/office/studies/rules/{rule:str}"): Row("office", "/office/studies/rules/bonus_multiplier"),
    ("POST", "/office/studies/rules/{rule:str}"): Row(
        "office", "/office/studies/rules/bonus_multiplier", 422
    ),
    # Their own tests look at studies that are done.
    ("GET", f"/office/studies/{NUMBER}"): Row("office", "/office/studies/99999", 404),
    ("GET", f"/office/studies/{NUMBER}/report"): Row("office", "/office/studies/99999/report", 404),
    ("GET", "/office/corrections"): Row("office", f"/office/corrections?member={PLAYER}"),
    ("GET", "/office/corrections/{word:str}"): Row("office", f"/office/corrections/floor?member={PLAYER}"),
    ("POST", "/office/corrections/{word:str}"): Row("office", "/office/corrections/result", 422),
    ("POST", "/office/corrections/{word:str}/decide"): Row(
        "office", "/office/corrections/result/decide", 422
    ),
    ("GET", "/office/decisions"): Row(STAFF, "/office/decisions?from=2020-01-01"),
    ("GET", f"/office/decisions/{NUMBER}"): Row(STAFF, "/office/decisions/1"),
    ("GET", "/office/audit"): Row(STAFF, f"/office/audit?subject=member+{PLAYER}"),
    ("GET", LISTS): Row("office"),
    ("GET", f"{LISTS}/{{month:str}}"): Row("office", f"{LISTS}/2021-03", marks=frozenset({AGAIN})),
    ("GET", f"{LISTS}/{{month:str}}/differences.csv"): Row(
        "office", f"{LISTS}/2021-03/differences.csv", 404, marks=frozenset({AGAIN})
    ),
    ("POST", f"{LISTS}/{{month:str}}"): Row("office", f"{LISTS}/2021-03", 400, marks=frozenset({AGAIN})),
    ("GET", f"{LISTS}/publications/{NUMBER}"): Row(
        "office", f"{LISTS}/publications/99999", 404, marks=frozenset({AGAIN})
    ),
    ("POST", f"{LISTS}/publications/{NUMBER}"): Row(
        "office", f"{LISTS}/publications/99999", 404, marks=frozenset({AGAIN})
    ),
}
