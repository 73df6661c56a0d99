"""The federation's profile, and the rules that it has adopted: the same decisions as of the command line."""

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from litestar import Response
from litestar.params import FromQuery

from ratebook.book.connection import Book
from ratebook.book.profile import Profile, read_federation, revision
from ratebook.declared_findings import explanation_of
from ratebook.findings import Finding, Place, finding
from ratebook.office.action import Parameter
from ratebook.office.decisions.revision import DecisionResult
from ratebook.office.face import MOST_BYTES
from ratebook.office.profile import (
    ADOPT_RULES,
    CHANGE,
    FACE,
    KEYS,
    SETTINGS,
    ProfileError,
    settings_of,
    warning_codes,
    with_settings,
)
from ratebook.official_lists.calendar import CUT_OFFS
from ratebook.pages.rules import OWN_RULES, field_in_words, own_rules
from ratebook.records.system_titles import USUAL_TITLES, own_titles
from ratebook.web.admin.links import OWN_FACE, PROFILE, RULES, TRY_FACE
from ratebook.web.forms.actions import asked, does, inputs_of, shows, value_of, values_of, written
from ratebook.web.forms.context import REASON, RefusedError, RequestContext, TheContext, made
from ratebook.web.forms.inputs import Form, Input, InputKind, hidden
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.layout.face import face_of, themes_of
from ratebook.web.layout.tables import html_table

OTHERS = tuple(each for each in SETTINGS if each not in FACE)
OFF = "off-"
"""Begins the name of the box of a warning that is not given."""
NAME_OF = "name-of-"
"""Begins the name of the input of a system's own name."""
NAMES_OF_SYSTEMS = {
    system: Input(f"{NAME_OF}{system}", f"Name of {title}", hint=f"Empty: {title}.", needed=False, most=60)
    for system, title in USUAL_TITLES.items()
}
CUT_OFF_CHOICES = [(day, f"{words[:1].upper()}{words[1:]}") for day, words in CUT_OFFS.items()]
FACE_INPUTS = (*asked(FACE), REASON)
LOGO = Input("logo_file", "Logo", InputKind.HIDDEN, needed=False, most=2 * MOST_BYTES)
"""The file of a logo that was tried, in base64: a browser sends a file once."""
CODE_OF_RULE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
OVERLAY = (*inputs_of(ADOPT_RULES), REASON)


@shows(CHANGE, PROFILE)
def profile_page(context: TheContext, changed: FromQuery[str] = "") -> Response[bytes]:
    """Show the settings of the federation; *changed* says that they were changed just now."""
    with context.site.reading() as reader:
        profile, seen = reader.federation.profile, revision(reader.connection)
    values = _values(profile)
    path = context.sent_to
    is_face = path in {OWN_FACE, TRY_FACE}
    form = context.form(
        PROFILE, CHANGE.title, _inputs(profile), values, revision=seen, number=2 if is_face else 0
    )
    at = path if is_face else TRY_FACE
    shown = [each for each in FACE_INPUTS if profile.logo or each.name != "no_logo"]
    face = context.form(at, "Preview", shown, values, number=1)._replace(action=TRY_FACE)
    return context.page(
        "admin/profile.html",
        form=form,
        face_form=face,
        themes=themes_of(profile.accent),
        is_changed=bool(changed),
    )


@does(CHANGE, PROFILE)
def change_profile(context: TheContext) -> Answer:
    """Change the settings of the federation, as ``ratebook book profile`` does."""
    with context.site.reading() as reader:
        inputs = _inputs(reader.federation.profile)
    return context.decide(inputs, lambda: _changed(context, OTHERS), profile_page)


@does(CHANGE, TRY_FACE)
def try_face(context: TheContext) -> Answer:
    """Show a page with the face that is asked for, and change nothing."""

    def work() -> Response[bytes]:
        with context.site.reading() as reader:
            before, seen = reader.federation.profile, revision(reader.connection)
        with _at_inputs():
            tried = with_settings(before, _settings(FACE, before, context.sent))
        face = face_of(tried)
        for name, file in face.files.items():
            context.request.app.state.tried_files.keep(None, name, file)
        inputs = [*hidden(each for each in FACE_INPUTS if each.name != "logo"), LOGO]
        values = {
            **context.sent.values(FACE_INPUTS),
            LOGO.name: b64encode(_logo(context.sent) or b"").decode(),
        }
        confirm = context.form(OWN_FACE, "Use this look", inputs, revision=seen)._replace(values=values)
        return context.page("admin/face.html", face=face, form=confirm, themes=themes_of(tried.accent))

    return context.attempt(FACE_INPUTS, work, profile_page)


@does(CHANGE, OWN_FACE)
def change_face(context: TheContext) -> Answer:
    """Change the name, the logo, the colours and the footer of the federation."""
    inputs = [*(each for each in FACE_INPUTS if each.name != "logo"), LOGO]
    return context.decide(inputs, lambda: _changed(context, FACE), profile_page)


def _changed(context: RequestContext, settings: Sequence[Parameter]) -> str:
    book = context.book
    with book.reading() as connection:
        before = read_federation(connection).profile
    with _at_inputs():
        values = _settings(settings, before, context.sent)
        made(CHANGE.done(book, context.because, values, context.site.today()))
    return f"{PROFILE}?changed=yes"


@contextmanager
def _at_inputs() -> Iterator[None]:
    """Refuse settings that do not fit, with the findings beside the inputs that they are about."""
    try:
        yield
    except ProfileError as wrong:
        raise RefusedError([_beside(finding) for finding in wrong.findings]) from wrong


def _beside(finding: Finding) -> Finding:
    """Return what is wrong with a setting as its input says it, by its label."""
    setting = KEYS[finding.place.setting]
    values = {**dict(finding.values), "name": setting.label}
    return finding.at(input=setting.name, setting="")._replace(values=tuple(values.items()))


def _logo(sent: Sent) -> bytes | None:
    """Return the content of a logo that was chosen now, or when its face was tried."""
    if (file := sent.file("logo")) is not None:
        return file.content
    try:
        return b64decode(sent.text(LOGO.name), validate=True) or None
    except ValueError:
        return b"not in base64"


@shows(ADOPT_RULES, RULES)
def rules_page(context: TheContext, changed: FromQuery[str] = "") -> Response[bytes]:
    """Show the rules that the federation has adopted beside the timeline; *changed* says that it was just now."""
    return _rules(context, is_changed=bool(changed))


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
        return f"{RULES}?changed=yes"

    return context.decide(OVERLAY, work, _rules)


def _adopted(context: RequestContext, book: Book) -> DecisionResult:
    """Adopt what a form asks for: an empty overlay keeps the one that holds, unless that is to be dropped."""
    values = values_of(ADOPT_RULES, context.sent)
    if values["overlay"] is None:
        values = {"no_overlay": values["replace"]}
    return made(ADOPT_RULES.done(book, context.because, values, context.site.today()))


def _settings(settings: Sequence[Parameter], before: Profile, form: Sent) -> dict[str, Any]:
    # What is left empty is meant to be empty, and warnings whose boxes are not checked are given.
    values: dict[str, Any] = {
        setting.name: "" if (value := value_of(setting, form)) is None else value
        for setting in settings
        if setting.in_forms
    }
    if "checks_off" not in values:
        return values | {"logo": _logo(form)}
    checks_on = [code for code in before.checks.off if not form.is_checked(OFF + code)]
    return values | {"checks_on": checks_on, "system_names": _system_names(form)}


def _system_names(form: Sent) -> str:
    """Return the federation's own names of systems as the profile has them."""
    names = {system: form.text(each.name) for system, each in NAMES_OF_SYSTEMS.items()}
    shown = Counter(names[system] or title for system, title in USUAL_TITLES.items())
    wrong = []
    for system, name in names.items():
        place, label = Place(input=NAME_OF + system), NAMES_OF_SYSTEMS[system].label
        if "," in name:
            wrong.append(
                finding("form-not-read", place, label=label, text=name, wanted="a name without commas")
            )
        elif name and shown[name] > 1:
            systems = ", ".join(names)
            wrong.append(finding("profile-value-wrong.names", place, name=label, value=name, systems=systems))
    if wrong:
        raise RefusedError(wrong)
    return ", ".join(f"{system}={name}" for system, name in names.items() if name)


def _inputs(profile: Profile) -> list[Input]:
    """Return the inputs of the other settings: of some, another than a text that a command takes."""
    off = profile.checks.off
    boxes = [
        Input(OFF + code, f"Do not warn: {called}", InputKind.CHECK, f"{when}.", needed=False)
        for code in off
        for called, when in [_warning(code)]
    ]
    inputs: list[Input] = []
    for each in asked(OTHERS):
        if each.name == "checks_off":
            choices = [(code, ": ".join(_warning(code))) for code in sorted(warning_codes() - set(off))]
            inputs += [*boxes, each._replace(kind=InputKind.CHOICE, hint="One at a time.", choices=choices)]
        elif each.name == "system_names":
            inputs += NAMES_OF_SYSTEMS.values()
        elif each.name == "cut_off":
            inputs.append(
                each._replace(kind=InputKind.CHOICE, hint="Of the month before.", choices=CUT_OFF_CHOICES)
            )
        else:
            inputs.append(each)
    return [*inputs, REASON]


def _warning(code: str) -> tuple[str, str]:
    """Return what a warning is called, and when it comes.

    >>> _warning("round-empty")
    ('Round empty', 'The results of a round are missing, or the report has a round that was not played')
    """
    return code.replace("-", " ").capitalize(), explanation_of(code).partition(". ")[0].removesuffix(".")


def _values(profile: Profile) -> dict[str, str]:
    values = settings_of(profile)
    boxes = {OFF + code: "yes" for code in profile.checks.off}
    names = {NAME_OF + system: name for system, name in own_titles(profile.system_names).items()}
    return (
        boxes
        | names
        | {
            name: text
            for setting in SETTINGS
            if setting.in_forms and setting.name in values and setting.name != "checks_off"
            for name, text in written(setting, values[setting.name]).items()
        }
    )


def _rules(
    context: RequestContext, tried: Sequence[Finding] = (), *, is_changed: bool = False
) -> Response[bytes]:
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
        form=Form(
            f"{RULES}/try",
            "Preview",
            [each for each in OVERLAY if own or each.name != "replace"],
            values,
            context.findings,
        ),
        is_changed=is_changed,
        confirm=confirm,
        tried=[CODE_OF_RULE.sub(lambda code: field_in_words(code[0]), each.message) for each in tried],
    )
