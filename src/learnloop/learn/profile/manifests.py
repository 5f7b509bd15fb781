"""Reads a project's manifests: what it is built with, and how it is tested, checked and installed. Pure.

Only names that are listed here are taken from a file, never its text, so that no file can inject
instructions for an agent.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_JAVASCRIPT = {
    "react": "React", "next": "Next.js", "vue": "Vue", "nuxt": "Nuxt", "svelte": "Svelte",
    "@sveltejs/kit": "SvelteKit", "@angular/core": "Angular", "solid-js": "Solid", "astro": "Astro",
    "typescript": "TypeScript", "vite": "Vite", "webpack": "webpack", "express": "Express",
    "fastify": "Fastify", "prisma": "Prisma", "@prisma/client": "Prisma", "drizzle-orm": "Drizzle",
    "graphql": "GraphQL", "zod": "Zod", "tailwindcss": "Tailwind CSS", "electron": "Electron",
    "react-native": "React Native", "expo": "Expo", "jest": "Jest", "vitest": "Vitest",
    "playwright": "Playwright", "@playwright/test": "Playwright", "cypress": "Cypress",
    "eslint": "ESLint", "prettier": "Prettier", "@biomejs/biome": "Biome",
}  # fmt: skip
_PYTHON = {
    "django": "Django", "flask": "Flask", "fastapi": "FastAPI", "pydantic": "Pydantic",
    "sqlalchemy": "SQLAlchemy", "alembic": "Alembic", "celery": "Celery", "numpy": "NumPy",
    "pandas": "pandas", "scikit-learn": "scikit-learn", "torch": "PyTorch", "tensorflow": "TensorFlow",
    "textual": "Textual", "rich": "Rich", "click": "Click", "typer": "Typer", "requests": "Requests",
    "httpx": "HTTPX", "tinydb": "TinyDB", "pytest": "pytest", "hypothesis": "Hypothesis", "ruff": "Ruff",
    "black": "Black", "mypy": "mypy", "pyright": "Pyright", "streamlit": "Streamlit",
}  # fmt: skip
_RUST = {
    "tokio": "Tokio", "serde": "Serde", "axum": "axum", "actix-web": "Actix Web", "clap": "clap",
    "tracing": "tracing",
}  # fmt: skip
_GO = {
    "gin-gonic/gin": "Gin", "labstack/echo": "Echo", "gofiber/fiber": "Fiber", "spf13/cobra": "Cobra",
    "gorm.io/gorm": "GORM", "stretchr/testify": "Testify",
}  # fmt: skip
_RUBY = {"rails": "Rails", "sinatra": "Sinatra", "rspec": "RSpec", "rubocop": "RuboCop", "sidekiq": "Sidekiq"}
_PHP = {"laravel/framework": "Laravel", "symfony/framework-bundle": "Symfony", "phpunit/phpunit": "PHPUnit"}
_SCRIPTS = {
    "test": "Tests are run with", "lint": "Code is linted with", "format": "Code is formatted with",
    "typecheck": "Types are checked with", "build": "The project is built with",
    "check": "Checks are run with",
}  # fmt: skip
_MANAGERS = {
    "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun",
    "package-lock.json": "npm", "uv.lock": "uv", "poetry.lock": "Poetry", "Pipfile.lock": "Pipenv",
}  # fmt: skip
_KNOWN: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "package.json": ("JavaScript", _JAVASCRIPT), "pyproject.toml": ("Python", _PYTHON),
    "requirements.txt": ("Python", _PYTHON), "Cargo.toml": ("Rust", _RUST), "go.mod": ("Go", _GO),
    "Gemfile": ("Ruby", _RUBY), "composer.json": ("PHP", _PHP), "tsconfig.json": ("TypeScript", {}),
    "pom.xml": ("Java", {}), "build.gradle": ("Java", {}), "build.gradle.kts": ("Kotlin", {}),
    "pubspec.yaml": ("Dart", {}), "mix.exs": ("Elixir", {}), "deno.json": ("Deno", {}), "Makefile": ("", {}),
}  # fmt: skip
"""The language of each manifest, and the names that are known in it."""
MANIFESTS = tuple(_KNOWN)
"""Files that are read."""
MARKERS = (*_MANAGERS, "Dockerfile")
"""Files of which only the presence counts."""
LONGEST = 262_144
"""The most bytes of a file that is read; larger ones are ignored."""
_PROSE = ("description", "keywords", "name", "authors", "author")
"""Parts of a manifest whose words are no names of what it uses."""
_LINE = re.compile(r"""^\s*(?:require\s+|gem\s+["'])?([A-Za-z][\w./-]*)""", re.M)
_NAME = re.compile(r"[@A-Za-z][\w./@-]*")
_TARGET = re.compile(r"^([A-Za-z_-]+):(?!=)", re.M)


class Convention(NamedTuple):
    """One convention: its subject, the sentence, and the file it comes from."""

    subject: str
    statement: str
    source: str


class ProjectFacts(NamedTuple):
    """Facts from the manifests of a project."""

    tech_stack: tuple[str, ...] = ()
    conventions: tuple[Convention, ...] = ()


def read_manifests(files: Mapping[str, str], present: frozenset[str] = frozenset()) -> ProjectFacts:
    """Facts from manifests: `files` maps names of `MANIFESTS` to contents, `present` are names of `MARKERS`.

    A file that cannot be parsed is ignored.
    """
    stack: dict[str, None] = {}
    for name, text in sorted(files.items()):
        language, known = _KNOWN.get(name, ("", {}))
        names = _names(name, text)
        if names is not None:
            stack |= dict.fromkeys(
                filter(None, (language, *(known[each] for each in known if each in names)))
            )
    if "TypeScript" in stack:
        stack.pop("JavaScript", None)
    docker = ["Docker"] if "Dockerfile" in present else []
    return ProjectFacts((*stack, *docker), tuple(sorted(_conventions(files, present))))


def stack_statement(names: tuple[str, ...]) -> str:
    """The tech stack in one sentence; empty if it is empty."""
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"This project is built with {listed}."


def _names(name: str, text: str) -> set[str] | None:
    """The names in a manifest, in lower case; None where it is none."""
    try:
        if name.endswith(".toml"):
            return set(_inside(tomllib.loads(text)))
        if name in ("package.json", "composer.json"):
            return set(_inside(json.loads(text)))
    except (ValueError, RecursionError):
        return None
    found = {match[1].lower().removeprefix("github.com/") for match in _LINE.finditer(text)}
    return found | {"/".join(each.split("/")[:2]) for each in found}


def _inside(part: Any) -> Iterator[str]:
    """The keys and the names of requirements in a document, at any depth."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key not in _PROSE:
                yield key.lower()
                yield from _inside(value)
    elif isinstance(part, list):
        texts = (_NAME.match(text) for text in part if isinstance(text, str))
        yield from (match[0].lower() for match in texts if match)
        for value in part:
            yield from _inside(value)


def _conventions(files: Mapping[str, str], present: frozenset[str]) -> Iterator[Convention]:
    managers = [name for name in _MANAGERS if name in present]
    for name in managers[:1]:
        yield Convention("packages", f"Packages are installed with {_MANAGERS[name]}.", name)
    run = next((_MANAGERS[name] for name in managers if name in list(_MANAGERS)[:5]), "npm")
    targets = set(_TARGET.findall(files.get("Makefile", "")))
    scripts = _names("package.json", files.get("package.json", "")) or ()
    for each, sentence in _SCRIPTS.items():
        if each in scripts:
            yield Convention(f"script-{each}", f"{sentence} `{run} run {each}`.", "package.json")
        if each in targets:
            yield Convention(f"make-{each}", f"{sentence} `make {each}`.", "Makefile")
