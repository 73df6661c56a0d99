"""Rows of what the office does."""

from __future__ import annotations

from support.web.federation import EVENT, LATE, PLAYER, WRONG
from support.web.routes.rows import AGAIN, FILE, Row

QUEUE, MEMBERS, MEMBER = "/office/queue", "/office/members", "{member:str}"
IMPORTS, KIND = "/office/imports", "{kind:str}"
NUMBER, SECTION, SEAT, ROUND = "{number:int}", "{section:int}", "{seat:int}", "{in_round:int}"


def held(route: str, method: str = "GET", at: str = "") -> dict[tuple[str, str], Row]:
    """Return the row of a route about the report that is held back; its form is refused."""
    address = f"{QUEUE}/{WRONG}{at or route}"
    return {(method, f"{QUEUE}/{NUMBER}{route}"): Row("office", address, 200 if method == "GET" else 422)}


ROUTES = {
    ("GET", "/office"): Row("office"),
    ("GET", QUEUE): Row("office", f"{QUEUE}?code=report-late"),
    ("POST", f"{QUEUE}/accept"): Row("office", "", 422),
    ("GET", f"{QUEUE}/chosen"): Row("office", f"{QUEUE}/chosen?work=reject&report={LATE}"),
    ("POST", f"{QUEUE}/chosen"): Row("office", "", 422),
    ("POST", f"{QUEUE}/{NUMBER}/take"): Row("office", f"{QUEUE}/{WRONG}/take", 400),
    ("POST", f"{QUEUE}/{NUMBER}/give-back"): Row("office", f"{QUEUE}/{WRONG}/give-back", 400),
    **held("/note", "POST"),
    **held("/letter", "POST"),
    **held(""),
    ("GET", f"{QUEUE}/{NUMBER}/report.json"): Row(
        "office", f"{QUEUE}/{WRONG}/report.json", marks=frozenset({FILE})
    ),
    **held("/accept", "POST"),
    **held("/reject", "POST"),
    **held("/upload", "POST"),
    ("POST", f"{QUEUE}/{NUMBER}/recheck"): Row("office", f"{QUEUE}/{WRONG}/recheck", 400),
    ("GET", f"{QUEUE}/{NUMBER}/preview"): Row("office", f"{QUEUE}/{LATE}/preview"),
    ("GET", "/office/rate"): Row("office"),
    ("POST", "/office/rate"): Row("office", "", 422),
    **held(f"/fix/{SECTION}", at="/fix/1"),
    **held(f"/fix/{SECTION}", "POST", "/fix/1"),
    **held(f"/fix/{SECTION}/{SEAT}", at="/fix/1/1"),
    **held(f"/fix/{SECTION}/{SEAT}", "POST", "/fix/1/1"),
    **held(f"/fix/{SECTION}/{SEAT}/{ROUND}", at="/fix/1/1/1"),
    **held(f"/fix/{SECTION}/{SEAT}/{ROUND}", "POST", "/fix/1/1/1"),
    ("GET", MEMBERS): Row("office", f"{MEMBERS}?q=a"),
    ("GET", f"{MEMBERS}/new"): Row("office"),
    ("POST", f"{MEMBERS}/new"): Row("office", "", 422),
    ("GET", f"{MEMBERS}/{MEMBER}"): Row("office", f"{MEMBERS}/{PLAYER}"),
    ("GET", f"{MEMBERS}/{MEMBER}/merge"): Row("office", f"{MEMBERS}/{PLAYER}/merge"),
    ("POST", f"{MEMBERS}/{MEMBER}/merge"): Row("office", f"{MEMBERS}/{PLAYER}/merge", 422),
    ("GET", f"{MEMBERS}/{MEMBER}/erase"): Row(
        "office", f"{MEMBERS}/{PLAYER}/erase", marks=frozenset({AGAIN})
    ),
    ("POST", f"{MEMBERS}/{MEMBER}/erase"): Row(
        "office", f"{MEMBERS}/{PLAYER}/erase", 422, marks=frozenset({AGAIN})
    ),
    ("GET", IMPORTS): Row("office"),
    ("GET", f"{IMPORTS}/{KIND}"): Row("office", f"{IMPORTS}/members"),
    ("POST", f"{IMPORTS}/{KIND}"): Row("office", f"{IMPORTS}/members", 422),
    ("GET", f"{IMPORTS}/jobs/{NUMBER}"): Row("office", f"{IMPORTS}/jobs/99999", 404),
    # Files that wait are their sender's own; tests of imports look at these pages.
    ("GET", f"{IMPORTS}/{KIND}/{{name:str}}"): Row("office", f"{IMPORTS}/members/import-unknown", 404),
    ("POST", f"{IMPORTS}/{KIND}/{{name:str}}"): Row("office", f"{IMPORTS}/members/import-unknown", 404),
    ("GET", "/office/events"): Row("office", "/office/events?name=open"),
    ("GET", "/office/events/{event:str}"): Row("office", f"/office/events/{EVENT}"),
    ("GET", f"/office/events/{{event:str}}/{NUMBER}"): Row(
        "office", f"/office/events/{EVENT}/1?system=regular"
    ),
    ("GET", "/office/why/{member:str}/{event:str}/{number:int}"): Row(
        "office", f"/office/why/{PLAYER}/{EVENT}/1"
    ),
}
