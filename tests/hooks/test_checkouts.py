"""A lesson holds in every checkout of its repository, as the hooks there see it."""

from pathlib import Path

from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish
from tests.hooks.test_stops import bash, lesson

_ORIGIN = '[remote "origin"]\n\turl = {}\n'


def _checkout(folder: Path, url: str) -> Path:
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / ".git" / "config").write_text(_ORIGIN.format(url))
    return folder


def test_another_checkout_is_stopped_and_a_fork_is_not(
    agent: Agent, publish: Publish, tmp_path: Path
) -> None:
    first = _checkout(tmp_path / "first", "https://ada:s3cret@github.com/acme/shop.git")
    publish(lesson("usesuvpip", "Use uv instead of pip", scope="project", project=str(first)))
    _checkout(agent.project, "git@github.com:bob/shop.git")
    assert bash(agent, "pip install httpx", "s1") == ""
    _checkout(agent.project, "git@github.com:acme/shop.git")
    assert "Use uv instead of pip" in bash(agent, "pip install httpx", "s2")


def test_a_checkout_with_lessons_of_its_own_hears_the_others_too(
    agent: Agent, publish: Publish, tmp_path: Path
) -> None:
    first = _checkout(tmp_path / "first", "https://github.com/acme/shop.git")
    _checkout(agent.project, "git@github.com:acme/shop.git")
    publish(
        lesson("usesuvpip", "Use uv instead of pip", scope="project", project=str(first)),
        lesson("usespnpm", "Use pnpm, not npm", scope="project", project=str(agent.project)),
    )
    assert "pnpm" in bash(agent, "npm install", "s1")
    assert "uv" in bash(agent, "pip install httpx", "s2")


def test_settings_that_name_nothing_cost_nothing(agent: Agent, publish: Publish) -> None:
    publish(lesson("usesuvpip", "Use uv instead of pip", scope="project", project="github.com/acme/shop"))
    (agent.project / ".git" / "config").mkdir()
    assert bash(agent, "pip install httpx") == ""
