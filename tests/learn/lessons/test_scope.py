"""Where a lesson holds: in its project, unless the words or the files say otherwise."""

import pytest

from learnloop.learn.lessons import impact


@pytest.mark.parametrize(
    "words",
    [
        "Always use pnpm in all projects.", "Use tabs everywhere.", "In general, keep functions short.",
        "I always want the tests first.", "I prefer early returns.", "Ask me before you delete anything.",
        "Never start without telling me, every time.", "Always answer in German.",
        "Put this into my global rules.",
        "In every session read the changelog first.", "When I ask for a plan, don't write code.",
        "I use zsh, so quote the globs.", "Explain it to me before making changes.",
    ],
)  # fmt: skip
def test_words_about_the_person_or_all_work_hold_everywhere(words: str) -> None:
    assert impact.guess(words, [], "/p") == ("global", "", "")


@pytest.mark.parametrize(
    "words",
    [
        "Always use pnpm.", "Use pnpm everywhere in this repo.", "Update it everywhere.",
        "Use slog like everywhere else.", "Ask me before you edit src/api.ts.",
        "We always ask for a review here.",
        "Never show me vendor/ in the diff, ask before any change.", "Never push to main.",
        "Dates are year first.", "Tell me when the migration fails.",
    ],
)  # fmt: skip
def test_other_words_hold_in_the_project(words: str) -> None:
    assert impact.guess(words, [], "/p") == ("project", "/p", "")


@pytest.mark.parametrize(
    ("words", "files", "path"),
    [
        ("Use fetch in packages/api.", ["packages/api/a.ts", "packages/api/lib/b.ts"], "packages/api"),
        ("Never mock in ./tests/.", ["tests/a.py"], "tests"),
        ("In web, colours come from the theme.", ["web/a.css"], ""),
        ("Never fetch from myapi/.", ["api/a.ts"], ""),
        ("Never touch src/legacy by hand.", ["src/api/a.ts"], ""),
        ("Write them as docs/style.md says.", ["docs/a.md"], ""),
        ("Everything in packages/ui/ is written in Solid.", ["packages/ui/src/a.tsx"], "packages/ui"),
        ("We don't throw in here.", ["core/a.rs", "core/b.rs"], "core"),
        ("We don't throw in here.", ["core/a.rs"], ""),
        ("Never throw.", ["core/a.rs", "core/b.rs"], ""),
        ("Use fetch in packages/api.", ["packages/api/a.ts", "web/b.ts"], ""),
        ("Never mock in tests.", ["tests/a.py"], ""),
        ("Use fetch in packages/api.", [], ""),
    ],
)
def test_a_part_of_the_project_is_named_and_holds_all_files(words: str, files: list[str], path: str) -> None:
    reach = impact.guess(words, [f"/p/{file}" for file in files], "/p")
    assert reach == (("module", "/p", path) if path else ("project", "/p", ""))


def test_without_a_project_a_lesson_holds_everywhere() -> None:
    assert impact.guess("Dates are year first.", [], "").scope == "global"


def test_a_file_outside_of_the_project_makes_no_part() -> None:
    assert impact.guess("Use fetch in api/.", ["/p/api/a.ts", "/tmp/b.ts"], "/p").scope == "project"


@pytest.mark.parametrize("piece", ["a", "a.", "a/", "in ", "always for me "])
def test_a_long_text_is_read_in_time(piece: str) -> None:
    assert impact.guess(piece * 300_000, ["/p/src/a.py"], "/p").project in ("/p", "")
