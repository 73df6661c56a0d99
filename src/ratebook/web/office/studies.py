"""The laboratory in the browser: a rule and its values are chosen, a job computes the study, and its report is read."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from litestar import MediaType, Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.extras import missing_library
from ratebook.findings import Place, finding
from ratebook.lab.studies.draft import READY, SEEDS
from ratebook.model import System
from ratebook.pages.rules import THEMES, field_in_words, rules_by_theme, rules_of_day
from ratebook.rules.rulebook import RulebookError, load_rulebook
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Input
from ratebook.web.forms.once import Answer
from ratebook.web.jobs.kinds import result_of
from ratebook.web.jobs.registry import STUDY
from ratebook.web.jobs.studies import RULE, VALUES, StudyResult
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.office.links import JOB, STUDIES, STUDY_OF_RULE
from ratebook.web.office.links import STUDY as RESULT
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.jobs import Job, newest_jobs

FEWEST, MOST = 2, 6
"""Values of a study: the first is the baseline, and others wait while a job runs."""
INPUTS = (
    Input(
        VALUES,
        "Values",
        hint=f"{FEWEST} to {MOST} of them, separated by commas; the others are compared with the first.",
    ),
)
FELT = {"terms", "initial_rating", "effective_games", "special", "standard", "bonus", "floors"}
"""Files of the timeline whose rules the simulated federation feels: it has no matches and no other ratings."""
SHOWN = 10
SECONDS, SECONDS_A_VALUE = 10, 3
"""What a study takes on one quiet core: its federations and its report, and the cells of each value."""
POLICY = "default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


class VariableRule(NamedTuple):
    """A number that can be varied: its name, in words, and what it is now."""

    name: str
    words: str
    value: float


class RuleTheme(NamedTuple):
    """Rules that belong together, each with a sentence and its numbers."""

    title: str
    rules: Sequence[tuple[str, Sequence[VariableRule]]]


@shown_to(Needs.OFFICE, STUDIES)
def studies(context: TheContext) -> Response[bytes]:
    """Show which rules can be varied, and the newest studies."""
    with context.gate.store.reading() as connection:
        newest = newest_jobs(connection, SHOWN, STUDY)
    return context.page(
        "office/studies/studies.html",
        missing=missing_library("bulk", "lab"),
        ready=[
            (question.title, STUDY_OF_RULE(question.rule), number_in_words(question.rule))
            for question in READY.values()
        ],
        themes=list(variable_rules(context.site.today())),
        address=STUDY_OF_RULE,
        newest=[(job, title_of(job)) for job in newest],
    )


@shown_to(Needs.OFFICE, STUDY_OF_RULE)
def study_form(context: TheContext, rule: FromPath[str]) -> Response[bytes]:
    """Ask for the values of a rule, and say what the study costs."""
    sentence, number = _known(context, rule)
    ready = next(
        (question.values for question in READY.values() if question.rule == rule), values_around(number.value)
    )
    form = context.form(STUDY_OF_RULE(rule), "Run the study", INPUTS, {VALUES: ", ".join(ready)})
    return context.page(
        "office/studies/rule.html",
        missing=missing_library("bulk", "lab"),
        number=number,
        sentence=sentence,
        form=form,
        federations=SEEDS,
        seconds_a_value=SECONDS_A_VALUE,
        seconds_of_ready=SECONDS + SECONDS_A_VALUE * 3,
    )


@done_by(Needs.OFFICE, STUDY_OF_RULE)
def run_study(context: TheContext, jobs: TheJobs, rule: FromPath[str]) -> Answer:
    """Ask for a study."""
    _known(context, rule)

    def work() -> str:
        values = _values(context.sent.text(VALUES), rule)
        return JOB(
            jobs.ask(STUDY, {RULE: rule, VALUES: ",".join(values)}, context.visitor, context.site.revision())
        )

    return context.decide(INPUTS, work, lambda refused: study_form(refused, rule))


@shown_to(Needs.OFFICE, RESULT)
def study_result(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show what a study found, and lead to its report."""
    job, result = _result(context, number)
    return context.page(
        "office/studies/study.html",
        job=job,
        title=title_of(job),
        sentences=result.sentences,
        report=f"{RESULT(number)}/report",
        again=STUDY_OF_RULE(job.arguments[RULE]),
    )


@shown_to(Needs.OFFICE, f"{RESULT}/report")
def study_report(context: TheContext, number: FromPath[int]) -> Response[str]:
    """Return the report as a page of its own, as it can be handed on."""
    _, result = _result(context, number)
    headers = {"content-security-policy": policy_of(result.page)}
    return Response(result.page, media_type=MediaType.HTML, headers=headers)


def policy_of(report: str) -> str:
    """Return what a browser may do with a report: show it with its own style, and nothing else."""
    style = STYLE.search(report)
    assert style is not None, "a report has its style"  # noqa: S101 - tells the type checker
    return POLICY.format(digest=b64encode(hashlib.sha256(style[1].encode()).digest()).decode())


def title_of(job: Job) -> str:
    """Return what a study is about."""
    return f"{number_in_words(job.arguments[RULE])}: {job.arguments[VALUES].replace(',', ', ')}"


def number_in_words(name: str) -> str:
    """Return the name of a number that can be varied: its rule, and which number of the rule it is.

    >>> [number_in_words(name) for name in ("days_per_year", "age_rating_adult", "blend_factor_online_quick")]
    ['Days per year', 'Age rating, adult', 'Blend factor, Online Quick']
    """
    rule = load_rulebook().rule_of_field(name)
    part = name.removeprefix(rule).removeprefix("_")
    is_system = part.replace("_", "-") in set(System)
    if not part:
        return field_in_words(rule)
    return f"{field_in_words(rule)}, {field_in_words(part) if is_system else part.replace('_', ' ')}"


def values_around(value: float) -> tuple[str, ...]:
    """Return a value, which is not negative, and values a fifth below and above it; whole ones around a whole one.

    >>> [values_around(value) for value in (25.0, 0.06, 2.0, 0.0)]
    [('25', '20', '30'), ('0.06', '0.048', '0.072'), ('2', '1', '3'), ('0', '1', '2')]
    """
    step = max(1, round(value / 5)) if value.is_integer() else value / 5
    first = max(0.0, value - step)
    others = (first, value + step) if first < value else (value + step, value + 2 * step)
    return tuple(f"{each:g}" for each in (value, *others))


def variable_rules(today: date) -> Iterator[RuleTheme]:
    """Yield the numbers of OTB Regular that are in force and can be varied, by theme."""
    rulebook = load_rulebook()
    lines = rules_of_day(rulebook, System.REGULAR, today)
    felt = {theme.title for theme in THEMES if FELT & {*theme.subjects}}
    for theme in rules_by_theme(rulebook, System.REGULAR, today, lines):
        rules = [
            (
                rule.sentence,
                [
                    VariableRule(field.rule, number_in_words(field.rule), float(field.value))
                    for field in rule.fields
                    if isinstance(field.value, int | float)
                ],
            )
            for rule in theme.rules
            if rule.value not in {"yes", "no"}
        ]
        known = [(sentence, numbers) for sentence, numbers in rules if numbers]
        if known and theme.title in felt:
            yield RuleTheme(theme.title, known)


def _known(context: RequestContext, rule: str) -> tuple[str, VariableRule]:
    """Return the sentence of a rule that can be varied, and the number."""
    for theme in variable_rules(context.site.today()):
        for sentence, numbers in theme.rules:
            for number in numbers:
                if number.name == rule:
                    return sentence, number
    raise NotFoundException


def _values(text: str, rule: str) -> tuple[str, ...]:
    """Return the values that were typed."""
    values = tuple(value.strip() for value in text.split(",") if value.strip())
    if missing := missing_library("bulk", "lab"):
        raise RefusedError([missing])
    if not FEWEST <= len(set(values)) == len(values) <= MOST:
        raise RefusedError([finding("study-values.count", Place(input=VALUES), fewest=FEWEST, most=MOST)])
    for value in values:
        try:
            float(value)
            load_rulebook().with_overlay({rule: value}).check_resolves()
        except (RulebookError, ValueError) as failure:
            place = Place(input=VALUES)
            raise RefusedError(
                [finding("study-values.misfit", place, value=value, failure=str(failure).rstrip("."))]
            ) from failure
    return values


def _result(context: RequestContext, number: int) -> tuple[Job, StudyResult]:
    """Return a study that is done."""
    job = context.job(number)
    result = result_of(job, STUDY, StudyResult)
    if job is None or result is None:
        raise NotFoundException
    return job, result
