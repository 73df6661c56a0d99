"""Rows of what directors do; what one director tries or has sent is not there for another, nor for the office."""

from __future__ import annotations

from support.web.federation import WRONG
from support.web.routes.rows import Row

PREVIEW, TYPED, SENT = "/director/previews", "/director/type", "/director/submissions"
NAME, NUMBER = "{name:str}", "{number:int}"

ROUTES = {
    ("GET", "/director"): Row("director"),
    ("GET", f"{PREVIEW}/new"): Row("director"),
    ("POST", PREVIEW): Row("director", "", 422),
    ("GET", f"{PREVIEW}/{NAME}"): Row("own", f"{PREVIEW}/tried"),
    ("GET", f"{PREVIEW}/{NAME}/why/{NUMBER}/{{seat:int}}"): Row("own", f"{PREVIEW}/tried/why/1/1"),
    ("POST", f"{PREVIEW}/{NAME}/send"): Row("director", f"{PREVIEW}/tried/send", 400),
    ("POST", f"{PREVIEW}/{NAME}/complete"): Row("own", f"{PREVIEW}/lacking/complete", f"{PREVIEW}/lacking"),
    ("POST", f"{PREVIEW}/{NAME}/member"): Row("own", f"{PREVIEW}/tried/member", 404),
    ("POST", f"{PREVIEW}/{NAME}/delete"): Row("own", f"{PREVIEW}/deleted/delete", "/director"),
    ("POST", f"{PREVIEW}/{NAME}/type"): Row("own", f"{PREVIEW}/tried/type", f"{TYPED}/tried"),
    ("GET", TYPED): Row("director"),
    ("POST", TYPED): Row("director", "", 422),
    ("GET", f"{TYPED}/{NAME}"): Row("own", f"{TYPED}/typed?check=yes"),
    ("POST", f"{TYPED}/{NAME}"): Row("own", f"{TYPED}/typed", f"{TYPED}/typed", {"name": "EXAMPLE NIGHT"}),
    ("GET", f"{TYPED}/{NAME}/{NUMBER}"): Row("own", f"{TYPED}/typed/1?check=yes"),
    ("POST", f"{TYPED}/{NAME}/{NUMBER}"): Row("own", f"{TYPED}/typed/1", f"{TYPED}/typed/1", {"do": "save"}),
    ("GET", f"{TYPED}/{NAME}/{NUMBER}/round/{{played:int}}"): Row("own", f"{TYPED}/typed/1/round/1"),
    ("POST", f"{TYPED}/{NAME}/{NUMBER}/round/{{played:int}}"): Row(
        "own", f"{TYPED}/typed/1/round/1", f"{TYPED}/typed/1/round/1", {"do": "save"}
    ),
    ("GET", "/director/kept"): Row("director", "", "/director"),
    ("GET", f"{SENT}/{NUMBER}"): Row("own", f"{SENT}/{WRONG}"),
    ("POST", f"{SENT}/{NUMBER}/answer"): Row("own", f"{SENT}/{WRONG}/answer", 422),
    ("POST", f"{SENT}/{NUMBER}/type"): Row("own", f"{SENT}/{WRONG}/type", 400),
    ("POST", f"{SENT}/{NUMBER}/withdraw"): Row("own", f"{SENT}/{WRONG}/withdraw", 400),
    ("POST", f"{SENT}/{NUMBER}/note"): Row("own", f"{SENT}/{WRONG}/note", 422),
    ("POST", f"{SENT}/{NUMBER}/try"): Row("own", f"{SENT}/{WRONG}/try", 404),
}
