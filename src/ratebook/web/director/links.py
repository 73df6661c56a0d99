"""Addresses of a director's pages, said once."""

HOME = "/director"
NEW = "/director/previews/new"
PREVIEWS = "/director/previews"
TYPED = "/director/type"
SUBMISSIONS = "/director/submissions"


def preview_address(name: str) -> str:
    """Return the address of a report that is tried."""
    return f"{PREVIEWS}/{name}"


def why_address(name: str, section: int, seat: int, system: str) -> str:
    """Return the address of the explanation of a rating in it."""
    return f"{PREVIEWS}/{name}/why/{section}/{seat}?system={system}"


def typed_address(name: str, section: int | None = None) -> str:
    """Return the address of a report that is typed, or of a section of it."""
    return f"{TYPED}/{name}" + ("" if section is None else f"/{section}")


def submission_address(number: int) -> str:
    """Return the address of a submission of one's own."""
    return f"{SUBMISSIONS}/{number}"
