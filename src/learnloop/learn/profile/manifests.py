"""Reads a project's manifests: its tech stack and its conventions. Pure.

Only names that are listed here, numbers and versions are taken from a file, never its text, so that no file
can inject instructions for an agent.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

MANIFESTS = (
    "package.json", "tsconfig.json", ".prettierrc", ".prettierrc.json", ".editorconfig", "pyproject.toml",
    "requirements.txt", "Cargo.toml", "go.mod", "Gemfile", "composer.json", "pom.xml", "build.gradle",
    "build.gradle.kts", "pubspec.yaml", "mix.exs", "deno.json", "Makefile",
)  # fmt: skip
"""Files that are read."""
MARKERS = (
    "pnpm-lock.yaml", "yarn.lock", "package-lock.json", "bun.lockb", "bun.lock", "uv.lock", "poetry.lock",
    "Pipfile.lock", "Dockerfile", "docker-compose.yml", "compose.yaml", ".pre-commit-config.yaml",
)  # fmt: skip
"""Files of which only the presence counts."""
LONGEST = 262_144
"""The most bytes of a file that is read; larger ones are ignored."""

_JAVASCRIPT = {
    "react": "React", "next": "Next.js", "vue": "Vue", "nuxt": "Nuxt", "svelte": "Svelte",
    "@sveltejs/kit": "SvelteKit", "@angular/core": "Angular", "solid-js": "Solid", "astro": "Astro",
    "typescript": "TypeScript", "vite": "Vite", "webpack": "webpack", "esbuild": "esbuild",
    "rollup": "Rollup", "express": "Express", "fastify": "Fastify", "@nestjs/core": "NestJS",
    "hono": "Hono", "koa": "Koa", "prisma": "Prisma", "@prisma/client": "Prisma", "drizzle-orm": "Drizzle",
    "typeorm": "TypeORM", "mongoose": "Mongoose", "graphql": "GraphQL", "zod": "Zod",
    "tailwindcss": "Tailwind CSS", "electron": "Electron", "react-native": "React Native", "expo": "Expo",
    "redux": "Redux", "zustand": "Zustand", "jest": "Jest", "vitest": "Vitest", "mocha": "Mocha",
    "playwright": "Playwright", "@playwright/test": "Playwright", "cypress": "Cypress", "eslint": "ESLint",
    "prettier": "Prettier", "@biomejs/biome": "Biome", "storybook": "Storybook", "socket.io": "Socket.IO",
    "three": "three.js",
}  # fmt: skip
_PYTHON = {
    "django": "Django", "flask": "Flask", "fastapi": "FastAPI", "starlette": "Starlette",
    "pydantic": "Pydantic", "sqlalchemy": "SQLAlchemy", "alembic": "Alembic", "celery": "Celery",
    "numpy": "NumPy", "pandas": "pandas", "polars": "Polars", "scipy": "SciPy",
    "scikit-learn": "scikit-learn", "torch": "PyTorch", "tensorflow": "TensorFlow", "textual": "Textual",
    "rich": "Rich", "click": "Click", "typer": "Typer", "requests": "Requests", "httpx": "HTTPX",
    "aiohttp": "aiohttp", "tinydb": "TinyDB", "pytest": "pytest", "hypothesis": "Hypothesis",
    "ruff": "Ruff", "black": "Black", "mypy": "mypy", "pyright": "Pyright", "streamlit": "Streamlit",
    "jinja2": "Jinja", "boto3": "boto3", "tox": "tox", "nox": "Nox",
}  # fmt: skip
_RUST = {
    "tokio": "Tokio", "serde": "Serde", "axum": "axum", "actix-web": "Actix Web", "clap": "clap",
    "sqlx": "SQLx", "diesel": "Diesel", "bevy": "Bevy", "reqwest": "reqwest", "tauri": "Tauri",
    "ratatui": "Ratatui", "rayon": "Rayon", "tracing": "tracing", "warp": "warp", "leptos": "Leptos",
}  # fmt: skip
_GO = {
    "gin-gonic/gin": "Gin", "labstack/echo": "Echo", "gofiber/fiber": "Fiber", "spf13/cobra": "Cobra",
    "gorm.io/gorm": "GORM", "jackc/pgx": "pgx", "stretchr/testify": "Testify", "go-chi/chi": "chi",
    "charmbracelet/bubbletea": "Bubble Tea", "grpc": "gRPC",
}  # fmt: skip
_RUBY = {"rails": "Rails", "sinatra": "Sinatra", "rspec": "RSpec", "rubocop": "RuboCop", "sidekiq": "Sidekiq"}
_PHP = {"laravel/framework": "Laravel", "symfony/framework-bundle": "Symfony", "phpunit/phpunit": "PHPUnit"}
_SCRIPTS = {
    "test": "Tests are run with", "lint": "Code is linted with", "format": "Code is formatted with",
    "typecheck": "Types are checked with", "build": "The project is built with",
    "check": "Checks are run with",
}  # fmt: skip
_MANAGERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun",
             "package-lock.json": "npm"}  # fmt: skip
_PYTHON_MANAGERS = {"uv.lock": "uv", "poetry.lock": "Poetry", "Pipfile.lock": "Pipenv"}
_VERSION = re.compile(r"\d+(?:\.\d+){0,2}")
_NAME = re.compile(r"^\s*[\"']?([A-Za-z0-9][\w.-]*)")


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
    conventions: dict[str, Convention] = {}
    for name, text in sorted(files.items()):
        reader = _READERS.get(name)
        if reader is None:
            continue
        try:
            items = list(reader(text, present))
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            continue
        for item in items:
            if isinstance(item, str):
                stack[item] = None
            else:
                conventions.setdefault(item[0], Convention(item[0], item[1], name))
    for name, tool in _PYTHON_MANAGERS.items():
        if name in present:
            sentence = f"Python packages are managed with {tool}."
            conventions.setdefault("python-packages", Convention("python-packages", sentence, name))
    if "Dockerfile" in present or "compose.yaml" in present or "docker-compose.yml" in present:
        stack["Docker"] = None
    if ".pre-commit-config.yaml" in present:
        stack["pre-commit"] = None
    return ProjectFacts(tuple(stack), tuple(sorted(conventions.values())))


def stack_statement(names: tuple[str, ...]) -> str:
    """The tech stack in one sentence; empty if it is empty."""
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"This project is built with {listed}."


_Item = str | tuple[str, str]
_Reader = Callable[[str, frozenset[str]], Iterator[_Item]]


def _package_json(text: str, present: frozenset[str]) -> Iterator[_Item]:
    package = json.loads(text)
    named: dict[str, Any] = {}
    for part in ("dependencies", "devDependencies", "peerDependencies"):
        named |= package.get(part) or {}
    if "typescript" not in named:
        yield "JavaScript"
    yield from _labels(named, _JAVASCRIPT)
    manager = str(package.get("packageManager", "")).partition("@")[0]
    if manager not in _MANAGERS.values():
        manager = next((tool for name, tool in _MANAGERS.items() if name in present), "")
    if manager:
        yield "packages", f"Packages are installed with {manager}."
    for script, sentence in _SCRIPTS.items():
        if isinstance((package.get("scripts") or {}).get(script), str):
            yield f"script-{script}", f"{sentence} `{manager or 'npm'} run {script}`."
    if package.get("type") == "module":
        yield "modules", "JavaScript files are ES modules."
    node = _VERSION.search(str((package.get("engines") or {}).get("node", "")))
    if node:
        yield "node", f"Node.js {node[0]} is required."


def _tsconfig(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    yield "TypeScript"
    bare = re.sub(r"^\s*//[^\n]*|/\*.*?\*/", "", text, flags=re.M | re.S)
    options = json.loads(re.sub(r",(\s*[}\]])", r"\1", bare)).get("compilerOptions") or {}
    if options.get("strict") is True:
        yield "typescript-strict", "TypeScript is checked in strict mode."


def _prettier(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    settings = json.loads(text)
    yield "Prettier"
    if isinstance(settings.get("semi"), bool):
        yield "semicolons", f"JavaScript is written with{'' if settings['semi'] else 'out'} semicolons."
    if isinstance(settings.get("singleQuote"), bool):
        yield "quotes", f"Strings have {'single' if settings['singleQuote'] else 'double'} quotes."
    if isinstance(settings.get("printWidth"), int):
        yield "line-length", f"Lines are at most {settings['printWidth']} characters long."


def _editorconfig(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    every: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        head = re.match(r"\s*\[(.+)\]\s*$", line)
        if head:
            section = head[1]
        elif section == "*" and (pair := re.match(r"\s*([a-z_]+)\s*=\s*([\w-]+)\s*$", line, re.I)):
            every[pair[1].lower()] = pair[2].lower()
    size = every.get("indent_size", "")
    if every.get("indent_style") == "tab":
        yield "indentation", "Files are indented with tabs."
    elif every.get("indent_style") == "space":
        yield "indentation", f"Files are indented with {size + ' ' if size.isdigit() else ''}spaces."
    if every.get("max_line_length", "").isdigit():
        yield "line-length", f"Lines are at most {every['max_line_length']} characters long."


def _pyproject(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    data = tomllib.loads(text)
    project, tool = data.get("project") or {}, data.get("tool") or {}
    yield "Python"
    names = [match[1].lower() for text in _requirements_of(data) if (match := _NAME.match(text))]
    yield from _labels(names, _PYTHON)
    version = _VERSION.search(str(project.get("requires-python", "")))
    if version and ">" in str(project["requires-python"]):
        yield "python", f"Python {version[0]} and newer are supported."
    length = (tool.get("ruff") or {}).get("line-length") or (tool.get("black") or {}).get("line-length")
    if isinstance(length, int):
        yield "line-length", f"Lines are at most {length} characters long."
    if (tool.get("mypy") or {}).get("strict") is True:
        yield "mypy-strict", "Types are checked with mypy in strict mode."
    if "pytest" in tool:
        yield "tests", "Tests are run with pytest."


def _requirements_of(data: Mapping[str, Any]) -> Iterator[str]:
    """The requirements of a pyproject.toml, and the tools that it configures."""
    project, tool = data.get("project") or {}, data.get("tool") or {}
    poetry = tool.get("poetry") or {}
    yield from map(str, project.get("dependencies") or ())
    for group in (project.get("optional-dependencies"), data.get("dependency-groups")):
        yield from (text for part in (group or {}).values() for text in part if isinstance(text, str))
    yield from (*(poetry.get("dependencies") or {}), *(poetry.get("dev-dependencies") or {}))
    yield from (name for name in tool if name in _PYTHON)


def _requirements(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    yield "Python"
    names = [match[1].lower() for line in text.splitlines() if (match := _NAME.match(line))]
    yield from _labels(names, _PYTHON)


def _cargo(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    data = tomllib.loads(text)
    yield "Rust"
    workspace = data.get("workspace") or {}
    parts = (data.get("dependencies"), data.get("dev-dependencies"), workspace.get("dependencies"))
    yield from _labels([name for part in parts for name in part or {}], _RUST)
    edition = str((data.get("package") or {}).get("edition", ""))
    if re.fullmatch(r"20\d\d", edition):
        yield "rust-edition", f"The Rust edition is {edition}."


def _go_mod(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    yield "Go"
    for line in text.splitlines():
        yield from (label for module, label in _GO.items() if module in line)
    version = re.search(r"^go (\d+\.\d+(?:\.\d+)?)\s*$", text, re.M)
    if version:
        yield "go", f"The Go version is {version[1]}."


def _gemfile(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    yield "Ruby"
    yield from _labels(re.findall(r"^\s*gem\s+[\"']([\w-]+)[\"']", text, re.M), _RUBY)


def _composer(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    data = json.loads(text)
    yield "PHP"
    yield from _labels([*(data.get("require") or {}), *(data.get("require-dev") or {})], _PHP)


def _jvm(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    yield "Kotlin" if "kotlin" in text.lower() else "Java"
    if "springframework" in text:
        yield "Spring"


def _makefile(text: str, _present: frozenset[str]) -> Iterator[_Item]:
    targets = set(re.findall(r"^([A-Za-z_-]+):(?!=)", text, re.M))
    for target, sentence in _SCRIPTS.items():
        if target in targets:
            yield f"make-{target}", f"{sentence} `make {target}`."


def _language(name: str) -> _Reader:
    def reader(_text: str, _present: frozenset[str]) -> Iterator[_Item]:
        yield name

    return reader


def _labels(names: Any, labels: Mapping[str, str]) -> Iterator[str]:
    """The labels of names, in the order of the table; other names are left out."""
    present = set(names)
    yield from dict.fromkeys(label for name, label in labels.items() if name in present)


_READERS: dict[str, _Reader] = {
    "package.json": _package_json, "tsconfig.json": _tsconfig, ".prettierrc": _prettier,
    ".prettierrc.json": _prettier, ".editorconfig": _editorconfig, "pyproject.toml": _pyproject,
    "requirements.txt": _requirements, "Cargo.toml": _cargo, "go.mod": _go_mod, "Gemfile": _gemfile,
    "composer.json": _composer, "pom.xml": _jvm, "build.gradle": _jvm, "build.gradle.kts": _jvm,
    "pubspec.yaml": _language("Dart"), "mix.exs": _language("Elixir"), "deno.json": _language("Deno"),
    "Makefile": _makefile,
}  # fmt: skip
