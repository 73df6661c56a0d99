"""The application: pages, headers, failures, and the site that every request works with."""

import asyncio
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from typing import Any

from anyio import to_thread
from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, NotAuthorizedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.failures import BookError
from ratebook.office.face import FaceFile
from ratebook.rules.rulebook import RuleNotKnown
from ratebook.web import account, admin, director, failures, office, public
from ratebook.web.api import description as api
from ratebook.web.api.with_token.reports import OF_REPORTS
from ratebook.web.caching import UNCHANGED, KeptPages, nothing_kept, takes_gzip
from ratebook.web.forms.context import context_of
from ratebook.web.forms.sent import sent_form
from ratebook.web.gate.bodies import MOST_BODY_BYTES
from ratebook.web.gate.guard import guard
from ratebook.web.gate.limits import Limited, ServerLimits
from ratebook.web.gate.turns import AccountTurns
from ratebook.web.headers import ALONE, KnownHosts, SecurityHeaders, open_to_programs
from ratebook.web.jobs.registry import KINDS
from ratebook.web.jobs.worker import Jobs
from ratebook.web.layout.face import ADDRESS
from ratebook.web.recent import Recent
from ratebook.web.rendering import page, static_files
from ratebook.web.routing import NEEDS, DecodedParts, Needs, WholeParts, handlers_of
from ratebook.web.routing import public as for_all
from ratebook.web.running import probes
from ratebook.web.running.root import AtRoot
from ratebook.web.signed_in import ElsewhereError, onward
from ratebook.web.site import Site, TheSite
from ratebook.web.store.sendings import forget_broken_off
from ratebook.web.trial.previews import Previews

FOR_EVER = "public, max-age=31536000, immutable"
MOST_THREADS, MOST_LOOKUPS = 8, 5
"""Threads for pages, and for who asks; with those for what is costly they are as many as a store has connections."""
MOST_TRIED = 8
"""Files of faces that an administrator looks at before the book has them."""
THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")


def create_app(
    site: TheSite,
    *,
    over_tls: bool = False,
    subdomains: bool = False,
    names: Collection[str] = THIS_MACHINE,
    limits: ServerLimits | None = None,
    root: str = "",
) -> Litestar:
    """Return the application that serves *site*.

    Args:
        site: the book, and which pages are served.
        over_tls: a proxy speaks TLS for the server.
        subdomains: names below the server's have TLS too, and browsers are told so.
        names: under which requests are taken, without ports.
        limits: how often one may ask; None: as often as one likes.
        root: the path of its names below which the pages are (`ratebook.web.running.root`).
    """
    app = Litestar(
        route_handlers=[*_handlers(site), static, of_face, *probes.ROUTES],
        guards=[guard],
        dependencies={
            **{name: _of_state(name) for name in ("site", "jobs", "previews")},
            **{name: _of_user() for name in ("visitor", "program")},
            "gate": _of_state("site.gate"),
            "form": Provide(sent_form),
            "context": Provide(context_of, sync_to_thread=False),
            **OF_REPORTS,
        },
        exception_handlers={
            BookError: failures.refused,
            ElsewhereError: failures.led_elsewhere,
            RuleNotKnown: failures.rule_not_known,
            NotAuthorizedException: failures.sign_in_first,
            HTTPException: failures.wrong_request,
            Exception: failures.failed,
        },
        middleware=[
            DecodedParts(),
            KnownHosts(names),
            *([] if limits is None else [Limited(limits)]),
            KeptPages(),
        ],
        before_send=[SecurityHeaders(over_tls=over_tls, subdomains=subdomains), open_to_programs],
        on_startup=[_bound_threads, _begin_signed_in],
        on_shutdown=[_end_signed_in],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=MOST_BODY_BYTES,
        state=State({"site": site, "tried_files": Recent[FaceFile](MOST_TRIED)}),
    )
    app.asgi_handler = WholeParts(app.asgi_handler)
    if root:
        app.asgi_handler = AtRoot(app.asgi_handler, root)
    return app


def _handlers(site: Site) -> list[HTTPRouteHandler | Router]:
    open_to_all = [*public.ROUTES, *api.ROUTES] if site.has_public else [to_sign_in]
    signed_in = [*api.FOR_TOKENS, *account.ROUTES, *director.ROUTES, *office.ROUTES, *admin.ROUTES]
    # One by one, handlers of several addresses would be registered for each, and wrapped in as many threads.
    return [
        Router(
            "/",
            route_handlers=[
                *open_to_all,
                *(signed_in if site.has_accounts else handlers_of(sign_in_elsewhere)),
            ],
        )
    ]


def _bound_threads(app: Litestar) -> None:
    to_thread.current_default_thread_limiter().total_tokens = MOST_LOOKUPS
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MOST_THREADS, "page"))
    app.state.turns = AccountTurns()


def _begin_signed_in(app: Litestar) -> None:
    """Forget what a server that was killed had been doing, and go on with the jobs that wait."""
    site: Site = app.state.site
    app.state.kept = nothing_kept(site)
    app.state.previews = Previews()
    if site.gate is not None and site.has_accounts:
        with site.gate.store.writing() as connection:
            forget_broken_off(connection)
        app.state.jobs = Jobs(site, site.gate, KINDS)
        app.state.jobs.start()


def _end_signed_in(app: Litestar) -> None:
    if app.state.site.has_accounts:
        app.state.jobs.stop()


def _of_state(name: str) -> Provide:
    """Return what gives handlers a part of the application's state."""
    part = attrgetter(name)

    def provided(state: State) -> Any:  # noqa: ANN401 - what a handler asks for
        return part(state)

    return Provide(provided, sync_to_thread=False)


def _of_user() -> Provide:
    """Return what gives handlers the visitor or the program that asks, as the guard has found."""

    def provided(request: Request[Any, Any, Any]) -> Any:  # noqa: ANN401 - as above
        return request.user

    return Provide(provided, sync_to_thread=False)


@get("/", opt={NEEDS: Needs.NOBODY}, include_in_schema=False, sync_to_thread=False)
def to_sign_in() -> Redirect:
    """Lead from the first page of a server without public pages to the one that it has for everyone."""
    return onward("/sign-in")


@for_all("/sign-in")
def sign_in_elsewhere(site: TheSite) -> Response[bytes]:
    """Say that no one signs in at a server of public pages."""
    return page("account/sign_in_elsewhere.html", site.face())


@get(ADDRESS, opt={NEEDS: Needs.NOBODY}, include_in_schema=False, sync_to_thread=True)
def of_face(site: TheSite, state: State, name: FromPath[str]) -> Response[bytes]:
    """Return a file of the federation's own face; opened by itself, a picture can neither run nor load anything."""
    file = site.face().files.get(name) or state.tried_files.find(None, name)
    if file is None:
        raise NotFoundException
    return Response(file.content, media_type=file.kind, headers={"cache-control": FOR_EVER, **ALONE})


@get("/static/{name:str}", opt={NEEDS: Needs.NOBODY}, include_in_schema=False, sync_to_thread=False)
def static(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Return a file that pages load, packed for whoever takes it so; its name changes with its content."""
    file = next((file for file in static_files().values() if file.name == name), None)
    if file is None:
        raise NotFoundException
    headers = {"cache-control": FOR_EVER, "etag": f'W/"{name}"', "vary": "Accept-Encoding"}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=UNCHANGED, headers=headers)
    if takes_gzip(request.headers):
        return Response(file.packed, media_type=file.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(file.content, media_type=file.kind, headers=headers)
