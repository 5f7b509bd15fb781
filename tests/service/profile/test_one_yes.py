"""One yes: what says the same as a lesson that is kept is settled with it, and comes back with it."""

from pathlib import Path

from learnloop.ingest import analyze
from learnloop.models import ids
from learnloop.service.history import sentences, undo
from learnloop.service.lessons import documents
from learnloop.service.patches.board import Board
from learnloop.service.profile import belief_verdicts, one_yes, preferences, project_findings
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store.store import Store
from tests.service.profile.test_preferences import CHANGELOG, NOW, SHORT, heard, index
from tests.store import small_stores

PNPM = "Use pnpm, not npm."


def _draft(root: str, name: str, words: str, project: str = "/w/shop", **fields: object) -> str:
    seen = {"quote": words, "session_id": name, "event_id": name, "ts": "2026-01-02T03:04:05.000Z"}
    scope = "project" if project else "global"
    fields = {"scope": scope, "evidence": [seen], **fields}
    return small_stores.put(root, id=ids.draft_id(name, "x"), statement=words, project=project, **fields).id


def _status(ws: Workspace, *names: str) -> list[str]:
    return [documents.find(ws, name).status for name in names]


def test_a_draft_that_says_the_same_where_the_lesson_holds_is_joined_and_comes_back(root: str) -> None:
    ws = open_workspace(root)
    kept, same = _draft(root, "a", PNPM, ""), _draft(root, "b", "use pnpm instead of npm")
    other, wide = _draft(root, "c", "Use uv, not pip."), _draft(root, "d", "Never use npm, use pnpm", "")
    decision = one_yes.promote(ws, kept)
    assert _status(ws, kept, same, wide, other) == ["active", "archived", "archived", "draft"]
    lesson = documents.find(ws, kept)
    assert (lesson.seen_count, len(lesson.evidence)) == (3, 3)
    assert documents.find(ws, same).superseded_by == kept
    (entry,) = sentences.history(ws)
    assert entry["sentence"].endswith(f"“{PNPM}”, and 2 drafts that say the same")
    undo.undo(ws)
    assert _status(ws, kept, same, wide) == ["draft", "draft", "draft"]
    assert documents.find(ws, kept).seen_count == 1
    undo.redo(ws)
    assert _status(ws, kept, same, other) == ["active", "archived", "draft"]
    analyze.analyze(root)
    assert _status(ws, kept, same, other) == ["active", "archived", "draft"]
    assert decision.settled == {same: kept, wide: kept}


def test_what_holds_in_more_places_waits_for_a_yes_of_its_own(root: str) -> None:
    ws = open_workspace(root)
    kept, wide, elsewhere = (
        _draft(root, name, PNPM, at) for name, at in (("a", "/w/a"), ("b", ""), ("c", "/w/c"))
    )
    assert one_yes.promote(ws, kept).settled == {}
    assert _status(ws, wide, elsewhere) == ["draft", "draft"]


def test_one_draft_kept_for_every_project_stands_for_those_of_others(root: str) -> None:
    ws = open_workspace(root)
    kept, other = _draft(root, "a", PNPM), _draft(root, "b", "pnpm only!", "/w/blog")
    one_yes.promote(ws, kept, others=[other])
    assert (documents.find(ws, kept).scope, _status(ws, other)) == ("global", ["archived"])
    assert sentences.history(ws)[0]["sentence"].endswith("that says the same, for every project")
    undo.undo(ws)
    assert (documents.find(ws, kept).scope, _status(ws, kept, other)) == ("project", ["draft", "draft"])


def test_a_trait_in_the_words_of_a_lesson_is_told_once(root: str) -> None:
    ws = small_stores.workspace(root, *SHORT)
    words = preferences.preferences(ws, NOW).verbosity.statement
    kept = _draft(root, "a", words, "")
    belief_verdicts.confirm(ws, "verbosity", "concise")
    once = index(ws).count(words)
    one_yes.promote(ws, kept)
    assert preferences.preferences(ws, NOW).verbosity.confirmed
    assert index(ws).count(words) == once, "the lesson stands for it"
    undo.undo(ws)
    undo.undo(ws)
    assert not preferences.preferences(ws, NOW).verbosity.confirmed


def test_a_correction_that_became_the_lesson_is_settled_whatever_its_words(root: str) -> None:
    (lesson,) = heard(root, CHANGELOG)
    ws = open_workspace(root)

    def mistakes() -> list[bool]:
        return [
            each.confirmed for each in project_findings.project_patterns(ws, lesson.project).common_mistakes
        ]

    assert mistakes() == [False]
    one_yes.promote(ws, lesson.id, "Every release has a changelog entry.")
    assert mistakes() == [True]
    undo.undo(ws)
    assert mistakes() == [False]


def test_the_theme_of_an_agent_is_proposed_no_more(root: str, home: Path) -> None:
    (home / ".claude").mkdir(parents=True)
    (home / ".claude" / "CLAUDE.md").write_text("# Mine\n")
    ws = open_workspace(root)
    heard(
        root,
        ("No, use pnpm instead of npm here", "wrong, use pnpm instead of npm", "no! use pnpm instead of npm"),
    )
    (theme,) = [patch for patch in Board(ws).patches if patch.source == "failure"]
    kept = _draft(root, "k", theme.gist, "")
    one_yes.promote(ws, kept)
    assert theme.id not in Board(ws).by_id
    undo.undo(ws)
    assert theme.id in Board(ws).by_id


def test_a_decision_of_another_form_settles_nothing(root: str) -> None:
    ws = open_workspace(root)
    kept, other = _draft(root, "a", PNPM), _draft(root, "b", "Use uv, not pip.")
    for also in ("x", {kept: "x"}, {kept: {"lessons": "x", "beliefs": ["x"]}}, [other]):
        verdicts.promote(ws, kept, more={"also": also})
        assert _status(ws, kept, other) == ["active", "draft"]
        assert sentences.history(ws)[0]["sentence"].startswith("Kept")
        undo.undo(ws)
    assert Store(root).documents("decisions")
