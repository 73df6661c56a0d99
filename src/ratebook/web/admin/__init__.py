"""Pages of the administrator."""

from ratebook.web.admin.accounts import (
    account_page,
    accounts_page,
    add_account,
    change_account,
    disable_account,
    new_account,
    reset_account,
)
from ratebook.web.admin.copies import copies_page, download_backup, download_export
from ratebook.web.admin.federation import change_profile, change_rules, profile_page, rules_page, try_rules
from ratebook.web.admin.home import admin_home
from ratebook.web.admin.records import end_any_session, log_page, sessions_page
from ratebook.web.admin.tokens import give_token, new_token_page, revoke, tokens_page

ROUTES = (
    admin_home,
    accounts_page,
    new_account,
    add_account,
    account_page,
    change_account,
    reset_account,
    disable_account,
    tokens_page,
    new_token_page,
    give_token,
    revoke,
    sessions_page,
    end_any_session,
    log_page,
    profile_page,
    change_profile,
    rules_page,
    try_rules,
    change_rules,
    copies_page,
    download_backup,
    download_export,
)
