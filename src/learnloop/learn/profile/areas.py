"""The areas of a turn's work: languages and kinds of task; what a lesson is about. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_LANGUAGES = {
    "py pyi": "Python", "ts tsx mts": "TypeScript", "js jsx mjs cjs": "JavaScript", "go": "Go", "rs": "Rust",
    "java": "Java", "kt kts": "Kotlin", "rb": "Ruby", "php": "PHP", "cs": "C#", "c h": "C",
    "cc cpp cxx hpp": "C++", "swift": "Swift", "sh bash zsh fish": "shell", "sql": "SQL",
    "css scss sass less": "CSS", "html htm vue svelte": "HTML", "tf hcl": "Terraform", "ex exs": "Elixir",
    "scala": "Scala", "lua": "Lua", "r": "R", "jl": "Julia", "ipynb": "notebooks",
    "yml yaml toml ini json": "configuration", "md mdx rst adoc": "documentation",
}  # fmt: skip
_BY_ENDING = {ending: name for endings, name in _LANGUAGES.items() for ending in endings.split()}

_TASKS = {
    "testing": r"tests?\b|tested\b|testing\b|coverage\b|fixtures?\b|mock(?:s|ed)?\b",
    "documentation": r"docs?\b|documentation\b|readme\b|docstrings?\b|changelog\b|comments?\b",
    "error handling": r"error handling\b|exceptions?\b|retry\b|retries\b|timeouts?\b",
    "edge cases": r"edge cases?\b|corner cases?\b",
    "types": r"types?\b|typing\b|typed\b|mypy\b|typescript\b",
    "performance": r"performance\b|slow\b|fast(?:er)?\b|speed\b|latency\b|profil\w+\b|cach(?:e|ing)\b",
    "code style": r"style\b|format(?:ting|ted)?\b|prettier\b|eslint\b|lint\w*\b|ruff\b|naming\b",
    "security": r"security\b|auth\w*\b|passwords?\b|permissions?\b|secrets?\b|csrf\b|xss\b",
    "user interface": r"react\b|components?\b|buttons?\b|layout\b|dialogs?\b|page\b|css\b|dark mode\b",
    "API": r"apis?\b|endpoints?\b|fetch\b|routes?\b|webhooks?\b",
    "database": r"database\b|migrations?\b|sql\b|schema\b|quer(?:y|ies)\b|postgres\b|tables?\b",
    "dependencies": r"dependenc(?:y|ies)\b|upgrade\b|bump\b|packages?\b|install(?:ed|ing)?\b",
    "refactoring": r"refactor\w*\b|rename\b|extract\b|clean ?up\b|split\b|restructur\w+\b",
    "bug fixing": r"fix(?:es|ed)?\b|bugs?\b|broken\b|crash\w*\b|fails?\b|failing\b",
    "version control": r"commit\b|merge\b|rebase\b|branch\b|pull request\b|push\b",
}
_TASK_WORDS = re.compile(rf"\b(?:{'|'.join(f'({form})' for form in _TASKS.values())})")
"""A group for each: no two of them begin with the same word."""
_BUILDS = re.compile(
    r"\b(?:ci\b|(?:the|a|our|this|every|nightly|failing|broken)\s+builds?\b"
    r"|builds?\s+(?:fail\w*|breaks?|broke|is|scripts?|steps?|systems?|times?|errors?|logs?|files?|cache)\b"
    r"|deploy\w*\b|release\b|docker\w*\b|pipelines?\b|workflows?\b)"
)
"""Searched for by themselves: a broken build is about bugs too."""
_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|spec|__tests__)/|(?:^|/)test_[^/]*$|[._-](?:test|spec|tests)\.[^/]*$", re.I
)
_READ = 600
"""Characters of a prompt that are searched; the rest is mostly material."""


def areas_of_turn(turn: Mapping[str, Any]) -> tuple[str, ...]:
    """The areas of a turn document, each once, in alphabetical order.

    A person's prompt is searched for the words of each kind of task, a program's prompt is not.
    """
    areas = set(_of_files(turn.get("files", ())))
    if turn.get("origin") == "human":
        areas |= areas_of_text(str(turn.get("prompt", "")))
    return tuple(sorted(areas))


def areas_of_text(text: str) -> set[str]:
    """The kinds of task that a text names."""
    low = text[:_READ].lower()
    kinds = [*_TASKS]
    named = {kinds[(match.lastindex or 1) - 1] for match in _TASK_WORDS.finditer(low)}
    return named | {"build and release"} if _BUILDS.search(low) else named


def languages(files: Iterable[str]) -> set[str]:
    """The languages of files or file patterns, by their endings."""
    return {name for name in _of_files(files) if name in _LANGUAGES.values()}


def file_areas(file: str) -> set[str]:
    """The areas of one file."""
    return set(_of_files([file]))


def _of_files(files: Iterable[str]) -> Iterable[str]:
    for file in files:
        name = file.rpartition("/")[2]
        language = _BY_ENDING.get(name.rpartition(".")[2].lower()) if "." in name else None
        if language:
            yield language
        if _TEST_FILE.search(file):
            yield "testing"


FIELDS = ("language", "framework", "technology")
_NO_LANGUAGES = frozenset(("configuration", "documentation", "notebooks"))
_BY_WORD = {name.lower(): name for name in {*_LANGUAGES.values()} - _NO_LANGUAGES - {"Go", "R", "C"}} | {
    "golang": "Go", "bash": "shell", "zsh": "shell",
}  # fmt: skip
"""Languages by the words that can mean nothing else; `go`, `r` and `c` are told by files alone."""
_NAMES = {
    "framework": (
        "react vue angular svelte sveltekit nextjs next.js nuxt astro nestjs fastify django flask "
        "fastapi starlette celery sqlalchemy alembic pydantic pandas numpy pytorch tensorflow rails "
        "sinatra rspec laravel symfony quarkus hibernate actix axum tokio pytest unittest jest vitest "
        "mocha playwright cypress selenium tailwind bootstrap prisma drizzle phoenix ecto junit"
    ),
    "technology": (
        "docker kubernetes kubectl helm terraform ansible postgres postgresql mysql sqlite mongodb "
        "redis kafka rabbitmq elasticsearch nginx aws gcp azure s3 bigquery snowflake git github "
        "gitlab npm pnpm yarn bun deno uv pip poetry cargo maven gradle cmake bazel webpack vite "
        "eslint prettier ruff mypy graphql grpc openapi websocket oauth jwt"
    ),
}
"""Names that hardly mean anything else."""
_BY_FIELD = {field: frozenset(names.split()) for field, names in _NAMES.items()}
_WORD = re.compile(r"[a-z][\w.]*[\w+#]*", re.I)


def subjects_of(lesson: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The languages, frameworks and technologies of a lesson document, each in alphabetical order."""
    triggers = lesson.get("triggers") or {}
    evidence = lesson.get("evidence") or ()
    files = [
        *(triggers.get("file_patterns") or ()),
        *(name for sighting in evidence for name in sighting.get("files", ())),
    ]
    texts = [lesson.get(name) for name in ("statement", "title", "context")]
    texts += lesson.get("keywords") or ()
    texts += (*(triggers.get("command_patterns") or ()), *(triggers.get("action_keywords") or ()))
    words = {word.lower().strip(".") for text in texts for word in _WORD.findall(str(text or ""))}
    spoken = {_BY_WORD[word] for word in words & _BY_WORD.keys()}
    values = {field: words & names for field, names in _BY_FIELD.items()}
    values["language"] = languages(files) - _NO_LANGUAGES | spoken
    return {field: tuple(sorted(values[field])) for field in FIELDS}
