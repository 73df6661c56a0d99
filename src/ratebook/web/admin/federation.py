"""The federation's profile, and the rules that it has adopted: the same decisions as of the command line."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from litestar import Response

from ratebook.book.connection import Book
from ratebook.book.profile import Profile, read_federation, revision
from ratebook.findings import Finding
from ratebook.model import System
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.office.decisions.rules import adjust_profile, adopt_rules
from ratebook.office.profile import SETTINGS, ProfileError, settings_of, with_settings
from ratebook.pages.columns import Column, Columns
from ratebook.rules.timeline import DatedValue
from ratebook.web.admin.links import PROFILE, RULES
from ratebook.web.forms.actions import asked, value_of, written
from ratebook.web.forms.context import REASON, RefusedError, RequestContext, TheContext, made
from ratebook.web.forms.inputs import Form, Input, InputKind, hidden
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.rendering import html_table
from ratebook.web.routing import Needs, done_by, shown_to

MOST_OVERLAY = 200_000

INPUTS = (*asked(SETTINGS), REASON)
OVERLAY = (
    Input(
        "overlay",
        "Rules of your own",
        InputKind.LONG,
        hint="Dated values in the format of the timeline; empty for none beside those that hold.",
        needed=False,
        most=MOST_OVERLAY,
    ),
    Input("replace", "Drop the rules of your own that hold now", InputKind.CHECK, needed=False),
    REASON,
)


class OwnRule(NamedTuple):
    """A dated value of the federation's own."""

    rule: str
    value: DatedValue


OWN: Columns[OwnRule] = (
    Column("Rule", "rule"),
    Column("From", lambda one: one.value.since.isoformat()),
    Column(
        "Systems",
        lambda one: "all" if len(one.value.systems) == len(System) else ", ".join(one.value.systems),
    ),
    Column("Is", "value.value"),
    Column("Where", "value.where"),
)


@shown_to(Needs.ADMINISTRATOR, PROFILE, again=True)
def profile_page(context: TheContext) -> Response[bytes]:
    """Show the settings of the federation."""
    return _profile(context)


@done_by(Needs.ADMINISTRATOR, PROFILE, again=True)
def change_profile(context: TheContext) -> Answer:
    """Change the settings of the federation, as ``ratebook book profile`` does."""

    def work() -> str:
        book = context.book
        with book.reading() as connection:
            before = read_federation(connection).profile
        try:
            wanted = _sent_profile(before, context.sent)
        except ProfileError as wrong:
            raise RefusedError(
                [one.at(input=one.place.setting, setting="") for one in wrong.findings]
            ) from wrong
        made(adjust_profile(book, wanted, context.because))
        return PROFILE

    return context.decide(INPUTS, work, _profile)


@shown_to(Needs.ADMINISTRATOR, RULES, again=True)
def rules_page(context: TheContext) -> Response[bytes]:
    """Show the rules that the federation has adopted beside the timeline."""
    return _rules(context)


@done_by(Needs.ADMINISTRATOR, f"{RULES}/try", again=True)
def try_rules(context: TheContext) -> Answer:
    """Say what other rules would change, and change nothing."""

    def work() -> Response[bytes]:
        found = _adopted(context.site.book.sibling(dry_run=True), context.sent, context.because)
        return _rules(context, tried=found.findings)

    return context.attempt(OVERLAY, work, _rules)


@done_by(Needs.ADMINISTRATOR, RULES, again=True)
def change_rules(context: TheContext) -> Answer:
    """Adopt the timeline of this program with the federation's own rules."""

    def work() -> str:
        _adopted(context.book, context.sent, context.because)
        return RULES

    return context.decide(OVERLAY, work, _rules)


def _adopted(book: Book, form: Sent, because: Reason) -> DecisionResult:
    """Adopt what a form asks for: an empty overlay keeps the one that holds, unless that is to be dropped."""
    text = form.texts.get("overlay", ("",))[0].replace("\r\n", "\n")
    replace = form.is_checked("replace")
    wanted = text if text.strip() else "" if replace else None
    return made(adopt_rules(book, wanted, because, replace=replace and bool(wanted)))


def _sent_profile(before: Profile, form: Sent) -> Profile:
    # What is left empty is meant to be empty, and warnings that are not named are given.
    values: dict[str, Any] = {
        setting.name: "" if (value := value_of(setting, form)) is None else value
        for setting in SETTINGS
        if setting.in_forms
    }
    on = [code for code in before.checks.off if code not in values["checks_off"]]
    return with_settings(before, values | {"checks_on": on})


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
    own = [OwnRule(name, value) for name, value in federation.rulebook.overlay_values]
    return context.page(
        "admin/rules.html",
        own=html_table("Rules of your own", OWN, own),
        fingerprint=federation.fingerprint,
        form=Form(f"{RULES}/try", "Show what they would change", OVERLAY, values, context.findings),
        confirm=confirm,
        tried=tried,
    )
