"""The forms over the queue of drafts: reasons, words that are missing, editing in place."""

import pytest
from textual.widgets import Input, Select, Static

from learnloop_tui.dialogs.edit import EditScreen
from learnloop_tui.dialogs.sentence_screen import StatementScreen
from learnloop_tui.view.state import Verdict
from learnloop_tui.widgets.sentence import Sentence
from tests.tui.fakes import FakeBridge, console, lesson


def _three() -> FakeBridge:
    return FakeBridge(lesson(1), lesson(2), lesson(3))


async def test_one_key_is_the_reason_and_the_cursor_has_gone_on() -> None:
    bridge = FakeBridge(*map(lesson, range(1, 13)))
    reasons = ("wrong", "one-off", "duplicate", "already known", "too vague") * 2
    async with console(bridge) as seen:
        await seen.press("j")
        for key in ("w", "o", "d", "a", "v", *"12345"):
            await seen.burst("r", key)
            await seen.until(lambda: not seen.app.verdicts.pending)
        assert bridge.verdicts == [
            Verdict("reject", (f"l{number:05d}",), {"reason": reason})
            for number, reason in enumerate(reasons, 2)
        ]
        assert (seen.rows, seen.current) == (
            ["tool1 is used here", "tool12 is used here"],
            "tool12 is used here",
        )


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("not like that [/b]", "What should the agent do? One sentence, as you would say it."),
        ("Complaint: not like that [/b]", "What should the agent do instead?"),
    ],
)
async def test_a_draft_that_needs_words_shows_what_was_said_above_an_empty_field(
    title: str, asked: str
) -> None:
    bridge = FakeBridge(lesson(1, needs_words=True, statement="", title=title, quote="not like that [/b]"))
    async with console(bridge) as seen:
        assert seen.rows == ["not like that [/b]"]
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, StatementScreen))
        field, quote = seen.app.screen.query_one(Sentence), seen.app.screen.query(Static).first()
        assert (field.text, str(field.placeholder)) == ("", asked)
        assert "❝ not like that [/b] ❞" in str(quote.content)
        field.text = "Use tabs."
        await seen.press("enter")
        await seen.until(lambda: bool(bridge.verdicts))
        assert bridge.verdicts[0].args == {"statement": "Use tabs."}
        assert seen.rows == []


async def test_a_key_takes_what_was_said_into_the_empty_field() -> None:
    said = "don't paper over it with retries, find the cause"
    bridge = FakeBridge(lesson(1, needs_words=True, statement="", quote=said))
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, StatementScreen))
        await seen.press("ctrl+y")
        field = seen.app.screen.query_one(Sentence)
        await seen.until(lambda: field.text == said)
        await seen.press("full_stop", "enter")
        await seen.until(lambda: bool(bridge.verdicts))
        assert bridge.verdicts[0].args == {"statement": f"{said}."}


async def test_editing_in_place_changes_only_what_was_typed() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen))
        seen.app.screen.query_one("#file_patterns", Input).value = "src/**, *.py"
        seen.app.screen.query_one(Sentence).text = "tool1 is used everywhere"
        await seen.press("ctrl+s")
        await seen.until(lambda: bool(bridge.verdicts))
        triggers = {"file_patterns": ["src/**", "*.py"]}
        empty = ("tool_names", "command_patterns", "action_keywords", "context_keywords", "agent_names")
        assert bridge.verdicts[0].args == {
            "statement": "tool1 is used everywhere",
            "triggers": {**triggers, **{name: [] for name in empty}},
        }
        await seen.until(lambda: seen.current == "tool1 is used everywhere")


async def test_what_cannot_be_stays_in_the_form() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen))
        seen.app.screen.query_one(Sentence).text = ""
        await seen.press("ctrl+s")
        await seen.pilot.pause()
        assert isinstance(seen.app.screen, EditScreen)
        await seen.press("escape")
        await seen.pilot.pause()
        assert isinstance(seen.app.screen, EditScreen), "typed words are not dropped by one escape"
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        assert not bridge.verdicts


async def test_the_form_follows_the_kind_and_names_the_field_that_is_wrong() -> None:
    bridge = FakeBridge(lesson(1, kind="checklist", content={"title": "Release", "items": ("tag", "notes")}))
    async with console(bridge) as seen:
        await seen.until(lambda: "- [ ] notes" in seen.page)
        assert "RELEASE" in seen.page
        await seen.press("e")
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen))
        form = seen.app.screen
        assert [block.id for block in form.query(".kind") if block.display] == ["kind-checklist"]
        form.query_one("#kind", Select).value = "pattern"
        await seen.until(
            lambda: (
                [each.value for each in form.query(Input) if each.id == "pattern-action"] == ["tag; notes"]
            )
        )
        assert [block.id for block in form.query(".kind") if block.display] == ["kind-pattern"]
        await seen.press("ctrl+s")
        await seen.until(lambda: getattr(form.focused, "id", "") == "pattern-situation")
        assert seen.app.screen is form
        assert not bridge.verdicts
        form.query_one("#pattern-situation", Input).value = "A release"
        await seen.press("ctrl+s")
        await seen.until(lambda: bool(bridge.verdicts))
        content = {"situation": "A release", "action": "tag; notes", "rationale": "", "example": ""}
        assert bridge.verdicts[0].args == {"kind": "pattern", "content": content}
