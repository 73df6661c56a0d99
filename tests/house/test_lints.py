"""The rules of the house that no linter knows (ARCHITECTURE.md, invariants).

What the compiler must be able to take is tested on the syntax, so that a mistake shows in a second and with its line,
on a machine that has no compiler.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import ratebook.rating
from house.source import MODULES, ROOT, SOURCE, nodes, place, tree
from ratebook.formats.built_in import BUILT_IN
from ratebook.rating.formulas import COMPILABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RATING = sorted((SOURCE / "rating").rglob("*.py"))
FACES = {"cli", "client"}
"""The client of a server waits as long as that asks it to."""
SALTED = SOURCE / "book" / "chain" / "links.py"
"""A salt must not be foreseen, or it hides nothing; no rating, report or page depends on it."""
STARTS_PYTHON = SOURCE / "web" / "trial" / "child.py"
"""Passes on the variable without which Python does not start on Windows; nothing that is read depends on it."""
BELOW_THE_COMMAND_LINE = [
    path
    for path in MODULES
    if path not in {SALTED, STARTS_PYTHON} and not FACES & {*path.relative_to(SOURCE).parts}
]
EXAMPLE = ROOT / "examples" / "open-64-players.json"

MOST_LINES = 500
MOST_MODULES = 12
FOLDERS = ("src", "tests", "scripts", "benchmarks", "fuzz")
EMPTY_NAMES = {"common", "fast", "helper", "helpers", "manager", "misc", "util", "utils"}
HEAVY = ("numba", "numpy", "openpyxl", "pandas", "polars", "pyarrow", "rich", "sqlalchemy", "xlrd")
PACKAGES = {(known.reader or known.writer).rpartition(".")[0] for known in BUILT_IN}
"""Packages of formats."""

MOST_MODULES_TO_RATE = 110
CLOCKS = {("date", "today"), ("datetime", "now"), ("datetime", "today"), ("datetime", "utcnow")}
UNREPEATABLE = {"random", "secrets", "socket", "time", "uuid"}
OF_THE_SYSTEM = {"environ", "environb", "getcwd", "getenv", "getpid", "times", "urandom"}
BUILTINS_FOR_A_COMPILER = {"abs", "float", "int", "len", "max", "min", "range"}

STATEMENTS_FOR_A_COMPILER = (
    ast.AnnAssign,
    ast.Assign,
    ast.AugAssign,
    ast.Break,
    ast.Continue,
    ast.Expr,
    ast.For,
    ast.If,
    ast.Pass,
    ast.Return,
    ast.While,
)
EXPRESSIONS_FOR_A_COMPILER = (
    ast.Attribute,
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.IfExp,
    ast.Name,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
)


def is_power_of_a_whole_number(node: ast.AST) -> bool:
    """``x ** 2`` and the like: interpreted and compiled they differ for one value in a thousand."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow):
        exponent = node.right if isinstance(node, ast.BinOp) else node.value
        if isinstance(exponent, ast.UnaryOp):
            exponent = exponent.operand
        return isinstance(exponent, ast.Constant) and float(exponent.value).is_integer()  # type: ignore[arg-type]
    return False


def is_call_of(node: ast.AST, *names: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return (isinstance(called, ast.Name) and called.id in names) or (
        isinstance(called, ast.Attribute) and called.attr in names
    )


def imported_roots(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]}
    return set()


def test_the_mathematics_uses_nothing_that_a_compiler_computes_differently() -> None:
    different = [
        place(path, node)
        for path in RATING
        for node in nodes(path)
        if is_power_of_a_whole_number(node) or is_call_of(node, "sum", "fsum", "pow")
    ]
    assert different == [], "write x * x, and add up in a loop"


def test_the_mathematics_imports_no_library() -> None:
    libraries = [
        place(path, node)
        for path in RATING
        for node in nodes(path)
        if imported_roots(node) - {*sys.stdlib_module_names, "ratebook"}
    ]
    assert libraries == []


def test_no_module_is_a_drawer_for_anything() -> None:
    words = {
        (name, word)
        for name in (str(path.relative_to(SOURCE)) for path in MODULES)
        for part in name.removesuffix(".py").split("/")
        for word in part.split("_")
    }
    assert words
    assert [name for name, word in words if word in EMPTY_NAMES] == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_is_too_long_to_read(folder: str) -> None:
    """Tests, scripts and benchmarks are read as often as the source."""
    modules = sorted((ROOT / folder).rglob("*.py"))
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules
    }
    assert lines
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_folder_has_more_modules_than_a_reader_takes_in(folder: str) -> None:
    modules = Counter(
        str(path.parent.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "__init__.py"
    )
    assert modules
    assert {name: count for name, count in modules.items() if count > MOST_MODULES} == {}


def test_no_two_classes_have_one_name() -> None:
    """The same name in two rooms makes a reader look up which of them is meant; in one module it may begin with _."""
    names = Counter(
        node.name
        for path in MODULES
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == set()


def asks_the_machine(node: ast.AST) -> bool:
    """Return whether the clock, the environment or randomness is asked."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
        return node.attr in OF_THE_SYSTEM
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = ast.unparse(node.func.value).rpartition(".")[2]
        return (owner, node.func.attr) in CLOCKS
    return bool(imported_roots(node) & UNREPEATABLE)


def test_dates_and_seeds_are_arguments() -> None:
    """No clock, environment or randomness below the command line: the same input always gives the same result."""
    asking = [
        place(path, node) for path in BELOW_THE_COMMAND_LINE for node in nodes(path) if asks_the_machine(node)
    ]
    assert asking == []


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from time import sleep",
        "os.environ",
        "os.getpid()",
        "datetime.now()",
        "datetime.date.today()",
    ],
)
def test_the_lint_knows_what_asks_the_machine(text: str) -> None:
    assert any(asks_the_machine(node) for node in ast.walk(ast.parse(text)))


# What a compiler can take


def marked_functions() -> list[Callable[..., Any]]:
    """Import every module of the mathematics and return the functions marked there."""
    for module in pkgutil.iter_modules(ratebook.rating.__path__):
        importlib.import_module(f"ratebook.rating.{module.name}")
    return list(COMPILABLE)


MARKED = marked_functions()


def syntax(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the definition of *function* without its docstring."""
    node = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(node, ast.FunctionDef)
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:]
    return node


def local_names(node: ast.FunctionDef) -> set[str]:
    names = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
    return names


def what_no_compiler_takes(function: Callable[..., Any]) -> Iterator[str]:
    """Yield every construct of *function* that is not arithmetic over flat columns."""
    node = syntax(function)
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        yield "only plain arguments without defaults"
    local = local_names(node)
    known = inspect.unwrap(function).__globals__
    names_called = {id(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}
    for inner in (inner for statement in node.body for inner in ast.walk(statement)):
        found = [*why_no_syntax(inner)]
        if isinstance(inner, ast.Call):
            found += why_not_callable(inner, local, known)
        elif isinstance(inner, ast.Name) and inner.id not in local and id(inner) not in names_called:
            found += why_no_constant(inner.id, known)
        yield from (f"line {getattr(inner, 'lineno', 0)} of the function: {text}" for text in found)


def why_no_syntax(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.stmt) and not isinstance(node, STATEMENTS_FOR_A_COMPILER):
        yield f"{type(node).__name__} is no statement for a compiler"
    elif isinstance(node, ast.expr) and not isinstance(node, EXPRESSIONS_FOR_A_COMPILER):
        yield f"{type(node).__name__} is no expression for a compiler"
    elif isinstance(node, ast.Constant) and not isinstance(node.value, bool | int | float):
        yield f"the constant {node.value!r} is no number"
    elif isinstance(node, ast.For | ast.While) and node.orelse:
        yield "a loop has an else"
    elif isinstance(node, ast.For) and not is_call_of(node.iter, "range"):
        yield "a loop runs over something else than range()"


def why_not_callable(call: ast.Call, local: set[str], known: dict[str, Any]) -> Iterator[str]:
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        yield "arguments must be positional"
    called = call.func
    if isinstance(called, ast.Attribute):
        if not (isinstance(called.value, ast.Name) and called.value.id == "math"):
            yield f"{ast.unparse(called)}() is a method"
    elif isinstance(called, ast.Name) and called.id not in local:
        if called.id in known:
            if known[called.id] not in MARKED:
                yield f"{called.id}() is not marked as compilable"
        elif called.id not in BUILTINS_FOR_A_COMPILER:
            yield f"{called.id}() is no function for a compiler"
    else:
        yield f"{ast.unparse(called)} is called"


def why_no_constant(name: str, known: dict[str, Any]) -> Iterator[str]:
    """A global name must be a number, or several: a compiler freezes it (``math`` is for its functions only)."""
    if name == "math" or (name not in known and hasattr(builtins, name)):
        return
    value = known.get(name)
    if not all(
        isinstance(number, int | float) for number in (value if isinstance(value, tuple) else [value])
    ):
        yield f"the global {name} is no number"


@pytest.mark.parametrize("function", MARKED, ids=lambda function: function.__qualname__)
def test_a_marked_function_is_arithmetic_over_flat_columns(function: Callable[..., Any]) -> None:
    assert list(what_no_compiler_takes(function)) == []


def test_callees_are_marked_before_callers() -> None:
    """The bulk replay registers them in this order."""
    names = [function.__name__ for function in MARKED]
    assert len(set(names)) == len(names)
    for at, function in enumerate(MARKED):
        called = {
            call.func.id
            for call in ast.walk(syntax(function))
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        }
        assert not called & set(names[at:]), function.__name__


def test_every_mark_in_the_source_is_registered() -> None:
    marks = [
        node.name
        for path in RATING
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id == "compilable" for mark in node.decorator_list)
    ]
    assert sorted(marks) == sorted(function.__name__ for function in MARKED)


def joins_text(value: float) -> str:
    return f"{value}"


def squares_all(values: list[float]) -> list[float]:
    return [value * value for value in values]


def asks_a_method(values: list[int]) -> int:
    return values.count(1)


def raises(value: float) -> float:
    if value < 0.0:
        raise ValueError
    return value


def calls_by_keyword(value: float) -> float:
    return float(expected(own=value))  # type: ignore[name-defined]  # noqa: F821 - never run, only read


def uses_a_table(value: int) -> int:
    return {1: 2}[value]


def names_a_word(value: int) -> int:
    return 1 if value == "off" else 0  # type: ignore[comparison-overlap]


@pytest.mark.parametrize(
    "function",
    [joins_text, squares_all, asks_a_method, raises, calls_by_keyword, uses_a_table, names_a_word],
    ids=lambda function: function.__name__,
)
def test_the_lint_sees_what_it_must_not_pass(function: Callable[..., Any]) -> None:
    assert list(what_no_compiler_takes(function))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("x ** 2", True),
        ("x ** 2.0", True),
        ("x ** -1", True),
        ("x **= 3", True),
        ("10.0 ** x", False),
        ("x ** 0.5", False),
    ],
)
def test_the_lint_knows_a_power_of_a_whole_number(text: str, *, wrong: bool) -> None:
    assert any(is_power_of_a_whole_number(node) for node in ast.walk(ast.parse(text))) is wrong


# What start-up loads


def modules_after(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter holds after *statement*; its output goes to a pipe."""
    program = f"import sys\n{statement}\nprint('\\n' + ' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.splitlines()[-1].split())


def running(*arguments: str) -> str:
    """Return a statement that runs the command line with *arguments* and goes on."""
    return f"from ratebook.cli.main import run\nrun({list(arguments)!r}, standalone_mode=False)"


@pytest.mark.parametrize(
    "statement",
    [
        "import ratebook",
        running("--help"),
        running("rate", "--help"),
        running("rate", str(EXAMPLE)),
        running("rate", str(EXAMPLE), "--json"),
        running("explain", str(EXAMPLE), "--seat", "8"),
        running("rules", "show", "--on", "2016-02-01"),
        running("estimate", "--rating", "1500", "--games", "30", "W1400"),
    ],
    ids=["import", "help", "rate-help", "rate", "rate-json", "explain", "rules-show", "estimate"],
)
def test_no_heavy_library_is_loaded_into_a_pipe(statement: str) -> None:
    assert not modules_after(statement) & set(HEAVY)


@pytest.mark.parametrize("statement", ["import ratebook", running("--help")], ids=["import", "help"])
def test_help_reads_neither_rules_nor_reports(statement: str) -> None:
    """Start-up stays short: help loads the command line and nothing behind it."""
    loaded = modules_after(statement)
    assert not loaded & {"tomllib", "json", "hashlib", "ratebook.rules.rulebook", "ratebook.reports.rate"}


@pytest.mark.parametrize(
    "package", sorted(PACKAGES - {"ratebook.player_lists"} | {"ratebook.formats.results"})
)
def test_formats_never_import_each_other(package: str) -> None:
    folder = SOURCE.joinpath(*package.split(".")[1:])
    imported = {
        node.module
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    others = PACKAGES - {package}
    assert not [
        name for name in imported if any(name == other or name.startswith(f"{other}.") for other in others)
    ]


def test_few_modules_of_the_program_rate_a_report() -> None:
    """Start-up stays short; most of its time is the reading of modules."""
    loaded = modules_after(running("rate", str(EXAMPLE)))
    assert sum(name.split(".")[0] == "ratebook" for name in loaded) <= MOST_MODULES_TO_RATE


def test_a_native_report_loads_no_other_format_and_no_metadata_of_packages() -> None:
    loaded = modules_after(running("check", str(EXAMPLE)))
    assert loaded & (PACKAGES - {"ratebook.player_lists"}) == {"ratebook.formats.native"}
    assert "importlib.metadata" not in loaded


def test_a_table_loads_no_metadata_where_no_package_brings_a_format() -> None:
    assert "importlib.metadata" not in modules_after(running("check", "examples/festival/festival.csv"))


def test_the_laboratory_loads_no_store() -> None:
    commands = ", ".join(f"ratebook.cli.lab.{name}" for name in ("world", "studies", "report", "search"))
    assert not modules_after(f"import {commands}, ratebook.lab.frames") & {
        "ratebook.book",
        "sqlalchemy",
        "alembic",
    }
