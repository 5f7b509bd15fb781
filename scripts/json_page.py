"""docs/json.md: what each verb prints with `--json`, made from the types that tests hold it to."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from scripts.shapes import SHAPES, Shape

HEAD = """\
# JSON

With `--json` a command prints one JSON document on stdout and nothing else; remarks go to stderr. Listings
print a list, `[]` where there is nothing. Times are UTC as `2026-01-31T09:30:00.000Z`, numbers of 0–1 are
shares. What `learn export` writes holds the same documents: `{"version", "lessons", "feedback",
"preferences", "agents", "patches", "facts"}`. New fields may be added; the ones here stay.
`learn config KEY --json` prints the bare value.

| command | prints |
|---|---|
"""


def page() -> str:
    """The whole page."""
    rows = [f"| `learn {shape.usage} --json` | {_printed(shape)} |\n" for shape in SHAPES]
    models = {model for shape in SHAPES for model in _all(shape.document)}
    if len({model.__name__ for model in models}) < len(models):
        raise ValueError("two documents have the same name, so the page could not tell them apart")
    return HEAD + "".join(rows) + "".join(map(_section, sorted(models, key=lambda model: model.__name__)))


def _printed(shape: Shape) -> str:
    return f"{'list of ' if shape.is_list else ''}{_link(_name(shape.document))}"


def _name(model: type) -> str:
    return model.__name__.strip("_")


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _all(model: type[BaseModel], seen: set[type] | None = None) -> Iterator[type[BaseModel]]:
    """A model and those that its fields name."""
    seen = set() if seen is None else seen
    if model in seen:
        return
    seen.add(model)
    yield model
    for field in model.model_fields.values():
        for part in _parts(field.annotation):
            yield from _all(part, seen)


def _parts(annotation: Any) -> Iterator[type[BaseModel]]:
    if inspect.isclass(annotation) and not hasattr(annotation, "__args__"):
        if issubclass(annotation, BaseModel):
            yield annotation
        return
    for part in getattr(annotation, "__args__", ()):
        yield from _parts(part)


def _section(model: type[BaseModel]) -> str:
    schema = model.model_json_schema(mode="serialization")
    meanings = _meanings(model)
    rows = [
        f"| `{name}` | {_type(part)} | {meanings.get(name, '')} |\n"
        for name, part in schema.get("properties", {}).items()
    ]
    about = " ".join((inspect.getdoc(model) or "").split()).replace("|", "\\|")
    return f"\n## {_name(model)}\n\n{about}\n\n| field | type | meaning |\n|---|---|---|\n{''.join(rows)}"


def _type(part: dict[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "$ref" in part:
        return _link(part["$ref"].rpartition("/")[2].strip("_"))
    if either := part.get("anyOf") or part.get("oneOf"):
        return " or ".join(dict.fromkeys(map(_type, either)))
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if "allOf" in part:
        return _type(part["allOf"][0])
    kind = part.get("type", "any")
    if kind == "array":
        if "prefixItems" in part:
            return f"list of {len(part['prefixItems'])}: {', '.join(map(_type, part['prefixItems']))}"
        return f"list of {_type(part.get('items', {}))}"
    if kind == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"object, each {_type(part['additionalProperties'])}"
    return str(kind)


def _meanings(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings below the fields, those of the classes it is made of among them."""
    found: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if not issubclass(one, BaseModel) or one is BaseModel:
            continue
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        body = getattr(tree, "body", [])
        for field, text in pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                told = ast.literal_eval(text.value) if isinstance(text.value, ast.Constant) else ""
                found[ast.unparse(field.target)] = " ".join(str(told).split()).replace("|", "\\|")
    return found
