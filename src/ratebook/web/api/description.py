"""The description of the interface: OpenAPI for programs, and a page for people."""

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Response, Router, get
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, Schema, SecurityScheme
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from ratebook.book.columns import END_OF_HISTORY
from ratebook.records.record import fields_of
from ratebook.web import api
from ratebook.web.api import with_token
from ratebook.web.api.answers import JSON
from ratebook.web.api.routing import SECURITY
from ratebook.web.api.with_token.reports import OF_REPORTS
from ratebook.web.rendering import page
from ratebook.web.routing import NEEDS, Needs, handlers_of, public, routes_of
from ratebook.web.running.root import ROOT
from ratebook.web.site import TheSite

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator

ADDRESS = "/api/openapi.json"
OPERATIONS = routes_of(api.__name__, api.__path__, without=("description", "with_token"))
FOR_TOKENS = routes_of(with_token.__name__, with_token.__path__)
"""What programs do for an account; a server has it that has accounts."""


class RecordSchemas(OpenAPISchemaPlugin):
    """Describes records and named tuples, without what the office alone may see."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a type is one of them."""
        kind = field_definition.type_
        return isinstance(kind, type) and bool(fields_of(kind))

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: "SchemaCreator") -> Schema:
        """Return the schema of a type."""
        hints = field_definition.get_type_hints(include_extras=False, resolve_generics=True)
        names = [field.name for field in fields_of(field_definition.type_) if not field.office]
        return schema_creator.create_component_schema(
            field_definition,
            required=sorted(names),
            property_fields={
                name: FieldDefinition.from_kwarg(annotation=hints[name], name=name) for name in names
            },
        )


@cache
def described() -> dict[str, Any]:
    """Return the description, made from the types of the handlers.

    An application of its own makes it: with one of Litestar's, the application that serves would have its pages too,
    which load scripts from elsewhere.
    """
    config = OpenAPIConfig(
        title="Ratings",
        version="1",
        description="Ratings, histories, events, official lists and rules of a federation.",
        create_examples=False,
        components=Components(security_schemes={SECURITY: SecurityScheme(type="http", scheme="bearer")}),
    )
    app = Litestar(
        [Router("/", route_handlers=(*OPERATIONS, *FOR_TOKENS))],
        dependencies={
            # Nothing is asked of the application that only describes.
            **{
                name: Provide(lambda: None, sync_to_thread=False)
                for name in ("site", "gate", "program", "previews")
            },
            **OF_REPORTS,
        },
        openapi_config=config,
        plugins=[RecordSchemas()],
        logging_config=None,
    )
    schema: dict[str, Any] = app.openapi_schema.to_schema()
    return schema


@get(ADDRESS, opt={NEEDS: Needs.NOBODY}, sync_to_thread=False, include_in_schema=False)
def openapi() -> Response[bytes]:
    """Read the description in the form of OpenAPI 3.1."""
    servers = [{"url": root}] if (root := ROOT.get()) else described()["servers"]
    return Response(json.dumps({**described(), "servers": servers}).encode(), media_type=JSON)


@public("/api")
def reference(site: TheSite) -> Response[bytes]:
    """Show every operation with its parameters, and the fields of every answer."""
    return page(
        "public/api.html",
        site.face(),
        operations=sorted(
            (path, method, operation)
            for path, methods in described()["paths"].items()
            for method, operation in methods.items()
        ),
        schemas=sorted(described()["components"]["schemas"].items()),
        address=ADDRESS,
        typed=typed,
        usually=usually,
    )


def typed(schema: dict[str, object]) -> str:
    """Return the type of a field in words, as ``integer or null``.

    >>> (
    ...     typed({"oneOf": [{"type": "integer"}, {"type": "null"}]}),
    ...     typed({"type": "array", "items": {"type": "string"}}),
    ... )
    ('integer or null', 'list of string')
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if isinstance(those := schema.get("oneOf") or schema.get("anyOf"), list):
        return " or ".join(map(typed, those))
    if isinstance(inner := schema.get("items"), dict):
        return f"list of {typed(inner)}"
    kind = schema.get("type", "any")
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return f"{words} ({schema['format']})" if "format" in schema else words


def usually(schema: dict[str, object]) -> str:
    """Return what holds for a parameter that is not given; nothing where that is everything."""
    default = schema.get("default")
    return "" if default in {None, "", END_OF_HISTORY} else str(default)


ROUTES = (*OPERATIONS, openapi, *handlers_of(reference))
