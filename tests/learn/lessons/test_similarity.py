"""Near-duplicates: between statements, and between a statement and a text."""

from learnloop.learn.lessons import similarity

AGENT = """---
name: reviewer
---
# Reviewer

Review what changed. Integration tests are run before
a change is called done.

- uv is used instead of pip for packages.
"""


def test_other_endings_and_fillers_say_the_same() -> None:
    assert (
        similarity.similarity(
            "Run the integration tests before pushing.", "run the integration test before pushing"
        )
        == 1
    )
    assert similarity.says_the_same(
        "The commit messages are written in English.", "Commit messages are written in English"
    )


def test_a_denial_never_says_the_same() -> None:
    assert similarity.similarity("Force push to main branch.", "Never force push to main branch.") == 0


def test_other_matters_are_not_near() -> None:
    assert (
        similarity.similarity(
            "Run the integration tests before pushing.", "Write commit messages in English."
        )
        < 0.2
    )


def test_a_text_says_it_in_a_wrapped_paragraph_or_a_list_item() -> None:
    found = similarity.find_restatement("Integration tests are run before a change is called done.", AGENT)
    assert found is not None
    assert found.startswith("Integration tests")
    assert similarity.find_restatement("uv is used instead of pip for packages", AGENT)
    assert similarity.find_restatement("Snapshots are never committed.", AGENT) is None
    assert similarity.find_restatement("", AGENT) is None
