"""Addresses of the office's pages, said once."""

from litestar.params import FromPath

from ratebook.web.routing import part

QUEUE = "/office/queue"
MEMBERS = "/office/members"
JOBS = "/office/jobs"
CORRECTIONS = "/office/corrections"
DECISIONS = "/office/decisions"
AUDIT = "/office/audit"
LISTS = "/office/lists"
RERATE = "/office/rerate"
VERIFY = "/office/verify"


def submission_address(number: FromPath[int]) -> str:
    """Return the address of a submission."""
    return f"{QUEUE}/{number}"


def seat_address(number: FromPath[int], section: FromPath[int], seat: FromPath[int]) -> str:
    """Return the address at which another player is put on a seat of a report that waits."""
    return f"{QUEUE}/{number}/fix/{section}/{seat}"


def game_address(
    number: FromPath[int], section: FromPath[int], seat: FromPath[int], in_round: FromPath[int]
) -> str:
    """Return the address at which a result of a report that waits is changed."""
    return f"{QUEUE}/{number}/fix/{section}/{seat}/{in_round}"


def section_address(number: FromPath[int], section: FromPath[int]) -> str:
    """Return the address at which facts of a section of a report that waits are changed."""
    return f"{QUEUE}/{number}/fix/{section}"


def member_address(member: FromPath[str]) -> str:
    """Return the address of a member with private facts."""
    return f"{MEMBERS}/{part(member)}"


def why_address(member: FromPath[str], event: FromPath[str], number: FromPath[int]) -> str:
    """Return the address of the full explanation of a member's ratings in a section."""
    return f"/office/why/{part(member)}/{part(event)}/{number}"


def job_address(number: FromPath[int]) -> str:
    """Return the address of a job."""
    return f"{JOBS}/{number}"


def correction_address(word: FromPath[str]) -> str:
    """Return the address of the form for a kind of correction."""
    return f"{CORRECTIONS}/{word}"


def decision_address(number: FromPath[int]) -> str:
    """Return the address of a decision."""
    return f"{DECISIONS}/{number}"
