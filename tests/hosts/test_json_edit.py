"""Edits of a settings text: whatever it holds, only our groups come and go."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.hosts import hook_settings, json_edit
from learnloop.hosts.table import CLAUDE

OURS = CLAUDE.groups("python3 -I -S -c 'learnloop_hooks.entry \"quoted\" \\n' claude")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
GROUPS = st.lists(VALUES, max_size=3)
HOOKS = st.dictionaries(st.sampled_from(("Stop", "SessionStart", "PreToolUse", "Other")) | st.text(), GROUPS)
REST = st.dictionaries(st.text().filter(lambda name: name != "hooks"), VALUES, max_size=4)
SETTINGS = st.builds(
    lambda rest, hooks: {**rest, **hooks}, REST, st.just({}) | HOOKS.map(lambda hooks: {"hooks": hooks})
)
INDENTS = st.sampled_from((None, 0, 2, 4, "\t"))


def rendered(value: Any, indent: Any, ascii_only: bool, newline: str) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=ascii_only).replace("\n", newline)


@settings(deadline=None)  # other work on the machine must not fail it
@given(SETTINGS, INDENTS, st.booleans(), st.sampled_from(("\n", "\r\n")))
def test_install_then_uninstall_is_identity(
    document: Any, indent: Any, ascii_only: bool, newline: str
) -> None:
    text = rendered(document, indent, ascii_only, newline)
    before = hook_settings.events_in(text)
    installed = hook_settings.with_hooks(text, OURS)
    assert hook_settings.installed(installed) == {event: [group] for event, group in OURS.items()}
    assert hook_settings.with_hooks(installed, OURS) == installed
    assert hook_settings.without_hooks(installed, before) == text


@settings(deadline=None)  # other work on the machine must not fail it
@given(SETTINGS, INDENTS)
def test_install_keeps_all_else_in_order(document: Any, indent: Any) -> None:
    made = json.loads(hook_settings.with_hooks(rendered(document, indent, True, "\n"), OURS))
    assert [name for name in made if name != "hooks"] == [name for name in document if name != "hooks"]
    assert {name: made[name] for name in document if name != "hooks"} == {
        name: value for name, value in document.items() if name != "hooks"
    }
    for event, groups in document.get("hooks", {}).items():
        assert made["hooks"][event][: len(groups)] == groups


@settings(deadline=None)  # other work on the machine must not fail it
@given(SETTINGS, INDENTS)
def test_uninstall_without_a_note_keeps_the_meaning(document: Any, indent: Any) -> None:
    bare = json.loads(
        hook_settings.without_hooks(hook_settings.with_hooks(json.dumps(document, indent=indent), OURS), None)
    )
    hooks = {event: groups for event, groups in document.pop("hooks", {}).items() if groups}
    assert {event: groups for event, groups in bare.pop("hooks", {}).items() if groups} == hooks
    assert bare == document


@settings(deadline=None)  # other work on the machine must not fail it
@given(VALUES, INDENTS)
def test_parse_finds_every_place(value: Any, indent: Any) -> None:
    text = f" {json.dumps(value, indent=indent)}\n"

    def check(node: json_edit.Node) -> None:
        assert json.loads(text[node.start : node.end]) == node.value
        for item in node.items:
            if item.key is not None:
                assert json.JSONDecoder().raw_decode(text, item.start)[0] == item.key
            check(item.node)

    check(json_edit.parse(text))


@pytest.mark.parametrize("text", ["", "{", "[1,]", '{"a" 1}', "{} x", "nul"])
def test_parse_refuses(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        json_edit.parse(text)


def test_the_last_member_of_a_name_counts() -> None:
    text = '{"hooks": 7, "hooks": {}}'
    assert json.loads(hook_settings.with_hooks(text, OURS))["hooks"].keys() == set(CLAUDE.events)
