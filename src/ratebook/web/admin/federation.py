"""The federation's profile, and the rules that it has adopted: the same decisions as of the command line."""

from collections.abc import Sequence
from typing import Any

from litestar import Response

from ratebook.book.connection import Book
from ratebook.book.profile import Profile, read_federation, revision
from ratebook.findings import Finding
from ratebook.office.decisions.revision import DecisionResult
from ratebook.office.profile import ADOPT_RULES, CHANGE, SETTINGS, ProfileError, settings_of
from ratebook.pages.rules import OWN_RULES, own_rules
from ratebook.web.admin.links import PROFILE, RULES
from ratebook.web.forms.actions import asked, does, inputs_of, shows, value_of, values_of, written
from ratebook.web.forms.context import REASON, RefusedError, RequestContext, TheContext, made
from ratebook.web.forms.inputs import Form, hidden
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.layout.tables import html_table

INPUTS = (*asked(SETTINGS), REASON)
OVERLAY = (*inputs_of(ADOPT_RULES), REASON)


@shows(CHANGE, PROFILE)
def profile_page(context: TheContext) -> Response[bytes]:
    """Show the settings of the federation."""
    return _profile(context)


@does(CHANGE, PROFILE)
def change_profile(context: TheContext) -> Answer:
    """Change the settings of the federation, as ``ratebook book profile`` does."""

    def work() -> str:
        book = context.book
        with book.reading() as connection:
            before = read_federation(connection).profile
        try:
            made(CHANGE.done(book, context.because, _settings(before, context.sent), context.site.today()))
        except ProfileError as wrong:
            findings = [finding.at(input=finding.place.setting, setting="") for finding in wrong.findings]
            raise RefusedError(findings) from wrong
        return PROFILE

    return context.decide(INPUTS, work, _profile)


@shows(ADOPT_RULES, RULES)
def rules_page(context: TheContext) -> Response[bytes]:
    """Show the rules that the federation has adopted beside the timeline."""
    return _rules(context)


@does(ADOPT_RULES, f"{RULES}/try")
def try_rules(context: TheContext) -> Answer:
    """Say what other rules would change, and change nothing."""

    def work() -> Response[bytes]:
        return _rules(context, _adopted(context, context.site.book.sibling(dry_run=True)).findings)

    return context.attempt(OVERLAY, work, _rules)


@does(ADOPT_RULES, RULES)
def change_rules(context: TheContext) -> Answer:
    """Adopt the timeline of this program with the federation's own rules."""

    def work() -> str:
        _adopted(context, context.book)
        return RULES

    return context.decide(OVERLAY, work, _rules)


def _adopted(context: RequestContext, book: Book) -> DecisionResult:
    """Adopt what a form asks for: an empty overlay keeps the one that holds, unless that is to be dropped."""
    values = values_of(ADOPT_RULES, context.sent)
    if values["overlay"] is None:
        values = {"no_overlay": values["replace"]}
    return made(ADOPT_RULES.done(book, context.because, values, context.site.today()))


def _settings(before: Profile, form: Sent) -> dict[str, Any]:
    # What is left empty is meant to be empty, and warnings that are not named are given.
    values: dict[str, Any] = {
        setting.name: "" if (value := value_of(setting, form)) is None else value
        for setting in SETTINGS
        if setting.in_forms
    }
    on = [code for code in before.checks.off if code not in values["checks_off"]]
    return values | {"checks_on": on}


def _values(profile: Profile) -> dict[str, str]:
    values = settings_of(profile)
    return {
        name: text
        for setting in SETTINGS
        if setting.in_forms
        for name, text in written(setting, values[setting.name]).items()
    }


def _profile(context: RequestContext) -> Response[bytes]:
    with context.site.reading() as reader:
        profile, seen = reader.federation.profile, revision(reader.connection)
    form = context.form(PROFILE, "Change the settings", INPUTS, _values(profile), revision=seen)
    return context.page("admin/profile.html", form=form)


def _rules(context: RequestContext, tried: Sequence[Finding] = ()) -> Response[bytes]:
    with context.site.reading() as reader:
        federation, seen = reader.federation, revision(reader.connection)
    values, confirm = context.sent.values(OVERLAY), None
    if tried:
        confirm = context.form(RULES, "Adopt these rules", hidden(OVERLAY), revision=seen)._replace(number=1)
    own = own_rules(federation.rulebook)
    return context.page(
        "admin/rules.html",
        own=html_table("Rules of your own", OWN_RULES, own),
        fingerprint=federation.fingerprint,
        form=Form(f"{RULES}/try", "Preview", OVERLAY, values, context.findings),
        confirm=confirm,
        tried=tried,
    )
