"""Addresses of the administrator's pages, said once."""

from ratebook.web.routing import Address

ACCOUNTS = "/admin/accounts"
TOKENS = "/admin/tokens"
SESSIONS = "/admin/sessions"
LOG = "/admin/log"
PROFILE = "/admin/profile"
OWN_FACE = f"{PROFILE}/face"
TRY_FACE = f"{OWN_FACE}/try"
RULES = "/admin/rules"
COPIES = "/admin/copies"

ACCOUNT = Address(f"{ACCOUNTS}/{{number:int}}")
