"""Addresses of the office's pages, said once."""

from ratebook.model import Event
from ratebook.web.routing import Address

QUEUE = "/office/queue"
EVENTS = "/office/events"
MEMBERS = "/office/members"
JOBS = "/office/jobs"
CORRECTIONS = "/office/corrections"
DECISIONS = "/office/decisions"
AUDIT = "/office/audit"
LISTS = "/office/lists"
RERATE = "/office/rerate"
VERIFY = "/office/verify"
STUDIES = "/office/studies"

SUBMISSION = Address(f"{QUEUE}/{{number:int}}")
FIX_SECTION = Address(f"{SUBMISSION}/fix/{{section:int}}")
FIX_SEAT = Address(f"{FIX_SECTION}/{{seat:int}}")
FIX_GAME = Address(f"{FIX_SEAT}/{{in_round:int}}")
EVENT = Address(f"{EVENTS}/{{event:str}}")
SECTION = Address(f"{EVENT}/{{number:int}}")
MEMBER = Address(f"{MEMBERS}/{{member:str}}")
WHY = Address("/office/why/{member:str}/{event:str}/{number:int}")
JOB = Address(f"{JOBS}/{{number:int}}")
CORRECTION = Address(f"{CORRECTIONS}/{{word:str}}")
STUDY = Address(f"{STUDIES}/{{number:int}}")
STUDY_OF_RULE = Address(f"{STUDIES}/rules/{{rule:str}}")
DECISION = Address(f"{DECISIONS}/{{number:int}}")


def of_event(event: Event, name: object) -> str:
    """Return where name and place of an event are corrected; *name* is its id, or the number of a report that waits."""
    facts = {fact: getattr(event, fact) or None for fact in ("name", "city", "state")}
    return CORRECTION("event", event=name, **facts)
