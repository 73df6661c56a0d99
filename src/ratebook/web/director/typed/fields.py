"""Fields of forms in which a report is typed: what they hold, and what they held when they were shown."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from litestar import MediaType, Response

from ratebook.web.forms.sent import Sent
from ratebook.web.rendering import templates
from ratebook.web.running.root import below_root, linked

SEEN = "seen"
"""The field with what the form showed, by which it is known later what was typed into it."""
KEEP = "keep"
"""What a script asks for when a field was left: an answer that says which fields have changed."""
LONGEST_ID, LONGEST_NAME, LONGEST_CELL, LONGEST_TEXT = 40, 80, 20, 200
MOST_SEEN = 20_000
_PLAYERS = re.compile(r"p[0-9]{1,6}-(id|name|r[0-9]{1,2})", re.ASCII)
_CHECKED = ("online",)


def seen_text(fields: Mapping[str, str]) -> str:
    """Return the fields that a form shows as it carries them."""
    return urlencode(fields)


def seen_in(sent: Sent) -> dict[str, str] | None:
    """Return the fields that a form showed; None where it does not say."""
    if SEEN not in sent.texts:
        return None
    try:
        return dict(parse_qsl(sent.text(SEEN), keep_blank_values=True, max_num_fields=MOST_SEEN))
    except ValueError:
        return None


def texts_in(sent: Sent, names: tuple[str, ...]) -> dict[str, str]:
    """Return the texts that were sent of a form's fields; a box that is not checked is sent by a form as a whole."""
    boxes = [name for name in _CHECKED if SEEN in sent.texts and sent.text("do") != KEEP]
    sent_names = {*sent.texts, *boxes}
    return {name: sent.text(name)[:LONGEST_TEXT] for name in names if name in sent_names}


def player_fields_in(sent: Sent) -> dict[str, str]:
    """Return what was sent of the fields of players: ids without blanks, names and results."""
    fields = {}
    for name in sent.texts:
        match = _PLAYERS.fullmatch(name)
        if match is None:
            continue
        text = sent.text(name)
        if match[1] == "id":
            fields[name] = "".join(text.split())[:LONGEST_ID]
        elif match[1] == "name":
            fields[name] = " ".join(text.split())[:LONGEST_NAME]
        else:
            fields[name] = text[:LONGEST_CELL]
    return fields


def kept_answer(
    fields: Mapping[str, str],
    template: str = "",
    *,
    address: str = "",
    **contents: Any,  # noqa: ANN401 - what the template shows
) -> Response[bytes]:
    """Answer a script with the *fields* that are not what it sent, and with what a *template* says of *contents*.

    The *address* is where a form that is new is kept from now on.
    """
    said = templates().get_template(template).render(contents) if template else ""
    answer = {"fields": fields, "said": linked(said), "address": address and below_root(address)}
    body = json.dumps(answer, ensure_ascii=False)
    return Response(body.encode(), media_type=MediaType.JSON)


def differing(now: Mapping[str, str], before: Mapping[str, str], typed: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that are not what a page has that showed *before* and into which was *typed*."""
    page = {**before, **typed}
    return {name: now.get(name, "") for name in {*now, *page} if now.get(name, "") != page.get(name, "")}
