"""Signing in and out, and what everyone may change about the own account."""

from ratebook.web.account.again import again, give_again
from ratebook.web.account.first_password import choose_first_password, first_password
from ratebook.web.account.own import account, change_password, end_own_session
from ratebook.web.account.second_factor import make_recovery_codes, second_factor, set_up_second_factor
from ratebook.web.account.sign_in import sign_in, sign_in_page, sign_out

ROUTES = (
    sign_in_page,
    sign_in,
    sign_out,
    first_password,
    choose_first_password,
    account,
    change_password,
    end_own_session,
    again,
    give_again,
    second_factor,
    set_up_second_factor,
    make_recovery_codes,
)
