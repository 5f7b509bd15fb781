"""What a lesson is about: language, framework and technology, as far as its words and files show it. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from learnloop.learn.profile import areas

FIELDS = ("language", "framework", "technology")
_NO_LANGUAGES = frozenset(("configuration", "documentation", "notebooks"))
_LANGUAGES = {
    name.lower(): name
    for name in (
        "Python", "TypeScript", "JavaScript", "Rust", "Java", "Kotlin", "Ruby", "PHP", "C#", "C++", "Swift",
        "SQL", "CSS", "HTML", "Terraform", "Elixir", "Scala", "Lua", "Julia",
    )
} | {"golang": "Go", "bash": "shell", "zsh": "shell"}  # fmt: skip
"""Languages by the words that can mean nothing else; `go` and `r` are told by files alone."""
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
    texts = [
        lesson.get("statement"),
        lesson.get("title"),
        lesson.get("context"),
        *(lesson.get("keywords") or ()),
    ]
    texts += [*(triggers.get("command_patterns") or ()), *(triggers.get("action_keywords") or ())]
    words = {word.lower().strip(".") for text in texts for word in _WORD.findall(str(text or ""))}
    languages = areas.languages(files) - _NO_LANGUAGES
    languages |= {_LANGUAGES[word] for word in words & _LANGUAGES.keys()}
    values = {"language": languages, **{field: words & names for field, names in _BY_FIELD.items()}}
    return {field: tuple(sorted(values[field])) for field in FIELDS}
