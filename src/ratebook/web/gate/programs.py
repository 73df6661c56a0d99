"""Programs with a token: which one asks, and what it may do, never more than its account."""

from typing import NamedTuple, TypeAlias

from anyio import to_thread
from litestar.di import NamedDependency

from ratebook.findings import Finding, Place, finding
from ratebook.web.api.problems import RefusedRequest
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import AnyConnection, address_of, complete, digest_of
from ratebook.web.store.accounts import Account, Role
from ratebook.web.store.log import LogKind
from ratebook.web.store.tokens import PREFIX, Scope, Token, find_token, owner_of_token

UNAUTHORIZED, FORBIDDEN = 401, 403
BEARER = "Bearer"
MAY = {
    Scope.PREVIEW: frozenset({Role.DIRECTOR, Role.OFFICE}),
    Scope.SUBMIT: frozenset({Role.DIRECTOR, Role.OFFICE}),
    Scope.READ_PRIVATE: frozenset({Role.OFFICE}),
}
"""The roles whose programs may do what a scope names."""


class Program(NamedTuple):
    """A program that asks with a token, and the account that it acts for."""

    token: Token
    account: Account


TheProgram: TypeAlias = NamedDependency[Program]
"""How a handler asks which program asks."""


def find_program(gate: Gate, authorization: str) -> Program | None:
    """Return the program whose token a header has; None where it is no token that holds."""
    kind, _, token = authorization.partition(" ")
    if kind.lower() != BEARER.lower() or not token.startswith(PREFIX):
        return None
    with gate.store.reading() as connection:
        found = find_token(connection, digest_of(token), gate.now())
    return None if found is None else Program(*found)


async def program_with(connection: AnyConnection, scope: Scope) -> Program:
    """Return the program that asks, if it may do what a *scope* names; the log has each use and refusal.

    Raises:
        RefusedRequest: it has no token that holds (401), or may not do this (403); see RFC 6750, section 3.
    """
    gate: Gate = connection.app.state.site.gate
    authorization = connection.headers.get("authorization", "")
    program = await to_thread.run_sync(find_program, gate, authorization) if authorization else None
    if program is None:
        if authorization:
            await to_thread.run_sync(
                _note_refused, gate, authorization, address_of(connection), _what(connection)
            )
        error = ', error="invalid_token"' if authorization else ""
        raise RefusedRequest(
            UNAUTHORIZED,
            finding(
                "api-token-refused" if authorization else "api-token-missing", Place(input="Authorization")
            ),
            {"www-authenticate": f'{BEARER} realm="ratebook"{error}'},
        )
    why_not = _why_not(gate, program, scope)
    details = f"token {program.token.id}: {_what(connection)}"
    kind, words = (
        (LogKind.REFUSED, f"{details}: {why_not.message}") if why_not else (LogKind.TOKEN_USED, details)
    )
    await to_thread.run_sync(gate.note, kind, program.account.name, address_of(connection), words)
    if why_not:
        challenge = f'{BEARER} realm="ratebook", error="insufficient_scope", scope="{scope}"'
        raise RefusedRequest(FORBIDDEN, why_not, {"www-authenticate": challenge})
    return program


def _why_not(gate: Gate, program: Program, scope: Scope) -> Finding | None:
    """Return why a program may not do what a scope names; None where it may."""
    if scope not in program.token.scopes:
        return finding("api-scope-missing", Place(input="Authorization"), scope=scope)
    account = program.account
    if account.role not in MAY[scope] or not complete(gate, account):
        return finding("api-account-refused", Place(input="Authorization"))
    return None


def _what(connection: AnyConnection) -> str:
    return f"{connection.scope['method']} {connection.scope['path'][:200]}"  # type: ignore[typeddict-item]


def _note_refused(gate: Gate, authorization: str, address: str, request: str) -> None:
    """Note that a token does not hold; one that did once is named by its number."""
    _, _, token = authorization.partition(" ")
    with gate.store.reading() as connection:
        owner = owner_of_token(connection, digest_of(token))
    number, account = (None, "no such token") if owner is None else owner
    gate.note(
        LogKind.TOKEN_REFUSED, account, address, request if number is None else f"token {number}: {request}"
    )
