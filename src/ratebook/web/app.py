"""The application: rooms, headers, failures, and the site that every request works with."""

from litestar import Litestar, MediaType, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import FromPath

from ratebook.book.failures import BookError
from ratebook.web import failures
from ratebook.web.caching import KeptPages
from ratebook.web.headers import SecurityHeaders
from ratebook.web.public import ROUTES
from ratebook.web.rendering import static_files
from ratebook.web.routing import NEEDS, Needs
from ratebook.web.site import Site, TheSite

FOR_EVER = "public, max-age=31536000, immutable"
MOST_BODY_BYTES = 8 * 1024 * 1024


def create_app(site: TheSite, *, over_tls: bool = False) -> Litestar:
    """Return the application that serves *site*; *over_tls* where a proxy speaks TLS for it."""
    return Litestar(
        route_handlers=[*ROUTES, static, health],
        dependencies={"site": Provide(site_of, sync_to_thread=False)},
        exception_handlers={
            BookError: failures.refused,
            HTTPException: failures.wrong_request,
            Exception: failures.failed,
        },
        middleware=[SecurityHeaders(over_tls=over_tls), KeptPages(site)],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=MOST_BODY_BYTES,
        state=State({"site": site}),
    )


def site_of(state: State) -> Site:
    """Return the site that is served."""
    site: Site = state.site
    return site


@get("/static/{name:str}", opt={NEEDS: Needs.NOBODY}, sync_to_thread=False)
def static(name: FromPath[str]) -> Response[bytes]:
    """Return a file that pages load; its name changes with its content."""
    for one in static_files().values():
        if one.name == name:
            return Response(one.content, media_type=one.kind, headers={"cache-control": FOR_EVER})
    raise NotFoundException


@get("/health", opt={NEEDS: Needs.NOBODY}, sync_to_thread=True)
def health(site: TheSite) -> Response[bytes]:
    """Say that the server runs and can read its book."""
    with site.reading():
        return Response(b"ok\n", media_type=MediaType.TEXT)
