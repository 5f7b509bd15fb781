"""What tasks have in common."""

from learnloop.learn.tasks import patterns
from tests.learn.tasks.made_tasks import step, task

NO_UV = "command not found: uv"


def test_an_error_in_two_tasks_came_again_with_what_fixed_it() -> None:
    steps = (
        step("Bash", "uv sync", NO_UV),
        step("Read", "a.md"),
        step("Edit", "Dockerfile"),
        step("Bash", "uv sync"),
    )
    tasks = [task(1, steps=steps), task(2, "failed", steps=(step("Bash", "uv run", NO_UV),)), task(3)]
    (error,) = patterns.errors(tasks)
    assert (error.error_class, error.count, error.fixes) == (NO_UV, 2, ("Dockerfile",))


def test_one_task_or_an_error_without_words_is_no_pattern() -> None:
    twice = (step("Bash", "make", NO_UV), step("Bash", "make", NO_UV))
    silent = (step("Bash", "grep x", "Exit code <n>"),)
    assert patterns.errors([task(1, steps=twice), task(2, steps=silent), task(3, steps=silent)]) == ()
