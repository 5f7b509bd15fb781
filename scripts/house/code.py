"""What the syntax tree of one file says: functions, bound names, docstrings, private members."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
DIALECT = {"found", "one", "made", "told", "said", "kept", "known", "wanted", "laid"}
"""Words that do not say what a value is."""
FEW_WORDS = 4
IGNORE = re.compile(r"#\s*type:\s*ignore")
PRIVATE = re.compile(r"_[^\W_]\w*")
RAW = re.compile(r"\b(?:[rR][fF]?|[fF][rR])(?=[\x22\x27])")
PUBLIC = {"_asdict", "_fields", "_make", "_replace"}
"""Methods of named tuples, public in spite of their names."""
BY_NAME = {"setattr", "getattr", "delattr", "hasattr"}


class Source:
    """One Python file, parsed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")
        self.tree = ast.parse(self.text, str(path))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def functions(self) -> list[Function]:
        """All functions, methods and nested functions; no lambdas."""
        return [node for node in self.nodes if isinstance(node, Function)]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.splitlines()


def read(folders: Iterable[Path]) -> list[Source]:
    """The Python files below folders."""
    return [Source(path) for folder in folders for path in sorted(folder.rglob("*.py"))]


def bound(function: Function) -> Counter[str]:
    """How often a function binds each name, nested functions included."""
    return Counter(name for node in ast.walk(function) if node is not function for name in _binds(node))


def _binds(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case (
            ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.alias(asname=str(name))
            | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):  # fmt: skip
            yield name


def dialect(sources: Iterable[Source]) -> dict[Path, list[Counter[str]]]:
    """By file, for each function that binds dialect words how often it binds each."""
    counts: dict[Path, list[Counter[str]]] = defaultdict(list)
    for source in sources:
        for function in source.functions:
            names = bound(function)
            if words := Counter({word: names[word] for word in DIALECT & names.keys()}):
                counts[source.path].append(words)
    return counts


def repeated_files(sources: Iterable[Source]) -> dict[str, list[Path]]:
    """File names that occur more than once, `__init__.py` left out."""
    paths = defaultdict(list)
    for source in sources:
        paths[source.path.name].append(source.path)
    return {name: group for name, group in paths.items() if len(group) > 1 and name != "__init__.py"}


def import_lines(source: Source) -> int:
    """The lines that import statements take, those inside functions included."""
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in source.nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def expressions(source: Source) -> int:
    """The regular expressions of a file: raw strings, as every pattern is written here."""
    return len(RAW.findall(source.text))


def lengths(sources: Iterable[Source]) -> list[int]:
    """The lines of every function, without its decorators, the shortest first."""
    return sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1 for source in sources for node in source.functions
    )


def docstrings(source: Source) -> list[ast.Constant]:
    """The docstrings of a file, those of attributes included."""
    return [
        node.value
        for node in source.nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def short_docstrings(source: Source) -> int:
    """How many functions and classes have a docstring of at most four words."""
    texts = (
        ast.get_docstring(node, clean=False) or ""
        for node in source.nodes
        if isinstance(node, Function | ast.ClassDef)
    )
    return sum(0 < len(text.split()) <= FEW_WORDS for text in texts)


def split(source: Source) -> Counter[str]:
    """The lines of a file by kind: code, docstring, comment, blank."""
    doc = {
        number for node in docstrings(source)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }  # fmt: skip
    return Counter(_kind(line, number in doc) for number, line in enumerate(source.lines, 1))


def _kind(line: str, documents: bool) -> str:
    if documents:
        return "docstring"
    if not line.strip():
        return "blank"
    return "comment" if line.lstrip().startswith("#") else "code"


def private_names(sources: Iterable[Source]) -> set[str]:
    """The private names that files define: functions, classes, variables, attributes."""
    names = {name for source in sources for node in source.nodes for name in _defines(node)}
    return {name for name in names - PUBLIC if PRIVATE.fullmatch(name)}


def _defines(node: ast.AST) -> Iterator[str]:
    yield from _binds(node)
    match node:
        case ast.ClassDef(name=name) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name


def reaches(source: Source, private: set[str]) -> set[int]:
    """The lines of a test file that reach into a private member of the program."""
    return {
        line for node in source.nodes for name, line in _reached(node) if name.rpartition(".")[2] in private
    }


def _reached(node: ast.AST) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls")):
            return
        case ast.Attribute(attr=name):
            yield name, node.lineno
        case ast.ImportFrom(names=aliases):
            yield from ((alias.name, alias.lineno) for alias in aliases)
        case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)) if called in BY_NAME:
            for argument in node.args[:2]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, node.lineno


def type_ignores(source: Source) -> int:
    """How many lines silence the type checker."""
    return sum(bool(IGNORE.search(line)) for line in source.lines)
