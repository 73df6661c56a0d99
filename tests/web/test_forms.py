"""Forms: what was typed is kept, what cannot be read is a finding, and a form is done once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from litestar.exceptions import ClientException
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import form_key, once
from ratebook.web.forms.sent import Sent
from ratebook.web.layout.face import Face
from ratebook.web.rendering import page, templates
from ratebook.web.signed_in import onward
from ratebook.web.store.sendings import forget_broken_off
from support.web.accounts import Office

if TYPE_CHECKING:
    from ratebook.web.forms.once import Answer

INPUTS = (
    Input("reason", "Reason", InputKind.LONG, most=20),
    Input("rating", "Rating", InputKind.NUMBER, needed=False),
    Input("games", "Games", InputKind.COUNT, needed=False),
    Input("day", "Day", InputKind.DATE, needed=False),
    Input("month", "Month", InputKind.MONTH, needed=False),
    Input("result", "Result", InputKind.CHOICE, needed=False, choices=(("W", "won"), ("L", "lost"))),
    Input("sure", "I am sure", InputKind.CHECK, needed=False),
)


def led(answer: Answer) -> str:
    """Return where an answer leads."""
    assert isinstance(answer, Redirect)
    return answer.url


def sent(**texts: str) -> Sent:
    """Return what a form held."""
    return Sent({name: (text,) for name, text in texts.items()}, {})


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [
        ({"reason": "a slip"}, {}),
        ({}, {"reason": "form-missing"}),
        ({"reason": "  "}, {"reason": "form-missing"}),
        ({"reason": "x" * 21}, {"reason": "form-too-long"}),
        ({"reason": "x", "rating": "1500.5", "games": "3", "day": "2026-11-22", "month": "2026-11"}, {}),
        ({"reason": "x", "rating": "nan"}, {"rating": "form-not-read"}),
        ({"reason": "x", "rating": "15OO", "games": "2.5"}, {"rating": "form-not-read", "games": "form-not-read"}),
        ({"reason": "x", "day": "22.11.2026", "month": "2026-13"}, {"day": "form-not-read", "month": "form-not-read"}),
        ({"reason": "x", "result": "X"}, {"result": "form-not-read"}),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_finding_beside_its_input(
    texts: dict[str, str], wrong: dict[str, str]
) -> None:
    assert {one.where: one.code for one in sent(**texts).wrong(INPUTS)} == wrong


def test_a_form_that_comes_back_has_what_was_typed_and_says_what_is_wrong(office: Office) -> None:
    held = sent(rating="15OO", result="L", sure="yes", reason='"a" < b')
    form = Form("/there", "Do it", INPUTS, held.values(INPUTS), held.wrong(INPUTS), key="k", revision=7)
    module = templates().get_template("parts/form.html").module
    text = module.form(form, office.signed_in("office"))  # type: ignore[attr-defined]
    for part in (
        'value="15OO"', '<option value="L" selected>', 'value="yes" id="sure" name="sure" checked',
        "&#34;a&#34; &lt; b",
        'href="#rating"', 'aria-invalid="true"', 'name="revision" value="7"', 'name="key" value="k"',
    ):  # fmt: skip
        assert part in text, part


def test_a_form_is_done_once_and_leads_there_again(office: Office) -> None:
    visitor = office.signed_in("office")
    held = sent(key=form_key(office.gate))
    done: list[int] = []

    def work() -> Answer:
        done.append(len(done))
        return onward(f"/result/{len(done)}")

    assert [led(once(office.gate, visitor, held, work)) for _ in range(2)] == ["/result/1"] * 2
    assert done == [0]
    other = once(office.gate, office.signed_in("administrator"), held, work)
    assert led(other) == "/result/2"


def test_a_form_by_which_nothing_was_done_may_be_sent_again(office: Office) -> None:
    visitor, held = office.signed_in("office"), sent(key="once")
    once(office.gate, visitor, held, lambda: page("account/sign_in_elsewhere.html", Face(), status=422))

    def fails() -> Answer:
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the test's own
        once(office.gate, visitor, held, fails)
    assert led(once(office.gate, visitor, held, lambda: onward("/done"))) == "/done"
    with pytest.raises(ClientException):
        once(office.gate, visitor, sent(), lambda: onward("/done"))


def test_a_form_that_is_being_done_waits_until_it_ends_or_the_server_starts_again(office: Office) -> None:
    visitor, held = office.signed_in("office"), sent(key="once")

    def again() -> Answer:
        with pytest.raises(BookError) as refused:
            once(office.gate, visitor, held, lambda: onward("/twice"))
        assert refused.value.finding.code == "form-being-sent"
        # As if this server were killed here, and another one started.
        with office.gate.store.writing() as connection:
            forget_broken_off(connection)
        return once(office.gate, visitor, held, lambda: onward("/after"))

    assert led(once(office.gate, visitor, held, again)) == "/after"
