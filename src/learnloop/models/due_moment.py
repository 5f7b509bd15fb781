"""The due moment of a lesson: what goes with a change of something else."""

from typing import Any, Self

from pydantic import model_validator

from learnloop.models.base import Document

ANY_SOURCE, ANY_TEST = "<source>", "<tests>"
"""Stand for files and commands of every project: in `after`; in `files` and `commands`."""
_SOURCE_ENDINGS = (
    "py pyi js jsx mjs cjs ts tsx mts cts vue svelte astro go rs java kt kts scala groovy clj cljs c h cc cpp"
    " cxx hpp m mm cs fs vb rb php swift dart lua pl pm r jl ex exs erl hs ml elm zig nim sol sql graphql"
    " proto tf sh bash zsh ps1 html css scss sass less"
)
_EXPANDED: dict[str, dict[str, tuple[str, ...]]] = {
    "after": {ANY_SOURCE: tuple(f"*.{ending}" for ending in _SOURCE_ENDINGS.split())},
    "files": {ANY_TEST: (
        "**/tests/**", "**/test/**", "**/__tests__/**", "**/spec/**", "**/test_*", "**/*_test.*",
        "**/*.test.*", "**/*.spec.*", "**/*_spec.*", "**/*Test.*", "**/*Tests.*",
    )},
    "commands": {ANY_TEST: (
        "pytest", "py.test", "unittest", "python* *manage.py test", "tox", "nox", "hatch test",
        "npm test", "npm t", "npm run test*", "pnpm test", "pnpm run test*", "yarn test*", "yarn run test*",
        "bun test", "bun run test*", "deno test", "vitest", "jest", "mocha", "ava", "playwright test",
        "cypress run", "cargo test", "cargo nextest", "go test", "gotestsum", "mix test", "rspec",
        "rails test", "rake test", "rake spec", "phpunit", "pest", "artisan test", "composer test",
        "gradle *test*", "gradlew *test*", "mvn *test*", "mvn *verify*", "mvnw *test*", "dotnet test",
        "swift test", "ctest", "bazel test", "make *test*", "make *check*", "just *test*", "task *test*",
        "flutter test", "dart test", "sbt test", "zig build test",
    )},
}  # fmt: skip
EXPANDED = {
    "files": {**_EXPANDED["after"], **_EXPANDED["files"]}, "runs": _EXPANDED["commands"],
}  # fmt: skip
"""What the symbols stand for in the events of a check."""
_IN_WORDS = {
    ("after", ANY_SOURCE): "any source file", ("files", ANY_TEST): "a test",
    ("commands", ANY_TEST): "a run of the tests",
}  # fmt: skip


def _anywhere(pattern: str) -> str:
    return pattern.removeprefix("**/")


class DueMoment(Document):
    """What a change of some files makes due; it is settled by a file or a command. Empty: nothing is due."""

    after: tuple[str, ...] = ()
    """The files whose change opens it; `<source>`: any source file."""
    files: tuple[str, ...] = ()
    """The files of which a write settles it; `<tests>`: any test."""
    commands: tuple[str, ...] = ()
    """The commands of which a run settles it; `<tests>`: any run of tests."""

    @model_validator(mode="after")
    def _has_both_sides(self) -> Self:
        is_settled = bool(self.files or self.commands)
        if self.after and not is_settled:
            raise ValueError("a due moment needs what settles it: a file or a command")
        if is_settled and not self.after:
            raise ValueError("a due moment needs the files after whose change it is due")
        expanded = self.expanded()
        opening, settling = ({*map(_anywhere, expanded[side])} for side in ("after", "files"))
        if both := opening & settling:
            raise ValueError(f"`{min(both)}` would be due after a change of itself")
        return self

    def __bool__(self) -> bool:
        return bool(self.after)

    @property
    def words(self) -> str:
        """The moment as a person reads it: `CHANGELOG.md after a change of src/**`."""
        return f"{self.what} after a change of {self.in_words('after')}" if self else ""

    @property
    def what(self) -> str:
        """What is due, as a person reads it."""
        return " or ".join(filter(None, (self.in_words("files"), self.in_words("commands"))))

    def in_words(self, side: str) -> str:
        """The patterns of a side as a person reads them."""
        patterns: tuple[str, ...] = getattr(self, side)
        plain = "`{}`".format if side == "commands" else _anywhere
        return ", ".join(_IN_WORDS.get((side, pattern)) or plain(pattern) for pattern in patterns)

    def expanded(self) -> dict[str, Any]:
        """`after`, `files` and `commands` with the patterns that `<source>` and `<tests>` stand for."""
        return {
            side: [name for pattern in getattr(self, side) for name in symbols.get(pattern, (pattern,))]
            for side, symbols in _EXPANDED.items()
        }
