"""Short sessions with subagents, from which their figures are counted."""

from collections.abc import Iterator

_GOOD = ("Perfect, thank you!", "Great work!", "Excellent, exactly what I wanted.", "Looks great, thank you!")
_WORK = {
    "test-writer": (
        "tidewater",
        "Cover {} with tests",
        "tests/test_{}.py",
        "Wrote 6 tests for {}, all pass.",
    ),
    "code-reviewer": ("lanternfish", "Review {}", "src/components/{}.tsx", "Tidied {} after the review."),
    "docs-writer": ("quillpen", "Describe {} on a page of its own", "docs/{}.md", "Wrote the page about {}."),
    "refactorer": ("cartwheel", "Split {} into smaller functions", "internal/{0}/{0}.go", "Split {}."),
}
"""Project, task, file and claim of each; `{}` is what it is about."""
_THINGS = (
    "refunds", "invoices", "search", "sessions", "uploads", "webhooks", "exports", "avatars", "quotas",
    "tokens", "reports", "labels", "filters", "previews",
)  # fmt: skip
_OUTCOMES = {
    "test-writer": "gggngggugggg",
    "code-reviewer": "guggigugguggug",
    "docs-writer": "gggugg",
    "refactorer": "bgbbubgbubbbg",
}
"""How each session ended: good, bad, interrupted, or without a word (u, n)."""
_BAD = (
    "you broke the tests of the {0} package", "you broke the tests of {0} again",
    "no, that's wrong, you renamed what the package exports again",
)  # fmt: skip


def scene() -> str:
    """The sessions in the notation of `stage`, the oldest of each agent first."""
    return "\n".join(
        _session(agent, at, how, len(outcomes))
        for agent, outcomes in _OUTCOMES.items()
        for at, how in enumerate(outcomes)
    )  # fmt: skip


def _session(agent: str, at: int, how: str, count: int) -> str:
    project, task, file, claim = _WORK[agent]
    thing = _THINGS[at % len(_THINGS)]
    days = 27 - 26 * at // count
    return "\n".join([
        f"== {project} {days} {9 + at % 7}", f"> {task.format(thing)}", f"@ {agent}",
        f"e {file.format(thing)}", *_rest(how, at, thing, claim.format(thing)),
    ])  # fmt: skip


def _rest(how: str, at: int, thing: str, claim: str) -> Iterator[str]:
    if how == "i":
        yield from ("~", "# gone")
        return
    yield from (f"- {claim}", f". {claim}")
    if how in "gb":
        yield f"> {_GOOD[at % len(_GOOD)] if how == 'g' else _BAD[at % len(_BAD)].format(thing)}"
        yield ". All right."
    yield "# bye"
