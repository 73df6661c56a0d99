"""Addresses of the administrator's pages, said once."""

ACCOUNTS = "/admin/accounts"
TOKENS = "/admin/tokens"
SESSIONS = "/admin/sessions"
LOG = "/admin/log"
PROFILE = "/admin/profile"
RULES = "/admin/rules"
COPIES = "/admin/copies"


def account_address(number: int) -> str:
    """Return the address of an account."""
    return f"{ACCOUNTS}/{number}"
