"""Addresses of the administrator's pages, said once."""

from ratebook.web.routing import Address

ACCOUNTS = "/admin/accounts"
TOKENS = "/admin/tokens"
SESSIONS = "/admin/sessions"
LOG = "/admin/log"
PROFILE = "/admin/profile"
RULES = "/admin/rules"
COPIES = "/admin/copies"

ACCOUNT = Address(f"{ACCOUNTS}/{{number:int}}")
