"""What a lesson is about, from its words and files."""

from typing import Any

import pytest

from learnloop.learn.profile import areas


@pytest.mark.parametrize(
    ("lesson", "expected"),
    [
        ({}, ((), (), ())),
        ({"statement": "Go slow and express it in python."}, (("Python",), (), ())),
        ({"evidence": [{"files": ["cmd/main.go", "README.md"]}]}, (("Go",), (), ())),
        (
            {"statement": "Use pnpm.", "triggers": {"file_patterns": ["**/*.tsx"]}, "keywords": ["React"]},
            (("TypeScript",), ("react",), ("pnpm",)),
        ),
        ({"statement": "C++ code is built with cmake, Next.js with vite."},
         (("C++",), ("next.js",), ("cmake", "vite"))),
    ],
)  # fmt: skip
def test_it_is_told_by_words_and_files(lesson: dict[str, Any], expected: tuple[Any, ...]) -> None:
    assert tuple(areas.subjects_of(lesson).values()) == expected
