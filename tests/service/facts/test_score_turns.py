"""Requests about labelled turns are written as a model is sent them, and answers are scored by the labels."""

import json
from pathlib import Path

import pytest
from scripts import score_turns

CASES = [
    {
        "lesson": f"dl-{number}", "statement": f"Error messages of {part} say what to do next",
        "bindable": "mostly", "way": "ask",
        "bad": [{"tool": "Write", "file": f"{part}/errors.py", "text": "raise Error('failed')"},
                {"say": "Done."}],
        "good": [[{"tool": "Edit", "file": f"{part}/errors.py", "old": "a", "text": "raise Error('retry')"}]],
    }
    for number, part in enumerate(("orders", "carts"))
]  # fmt: skip


def test_what_is_asked_and_what_answers_are_worth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases, lessons, folder = tmp_path / "cases", tmp_path / "lessons", tmp_path / "asked"
    cases.write_text("\n".join(map(json.dumps, CASES)))
    lessons.write_text("\n".join(json.dumps({"id": case["lesson"], "repo": "shop"}) for case in CASES))
    score_turns.write(cases, lessons, folder, 4, 1)
    assert "breaking turns that write: 2, asked about their lesson: 2" in capsys.readouterr().out
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    assert [label["breach"] for label in labels].count(True) == 2
    (folder / "answers").mkdir()
    for label in labels:
        request = (folder / "requests" / f"{label['id']}.txt").read_text()
        assert label["lesson"] not in request
        names = [doc["id"] for doc in label["lessons"]]
        named = {"lesson": f"L{names.index(label['lesson']) + 1}", "place": "c1", "why": "so"}
        answer = {"broken": [named] if label["breach"] else []}
        (folder / "answers" / f"{label['id']}.json").write_text(json.dumps(answer))
    (folder / "answers" / f"{labels[0]['id']}.json").write_text("no JSON")
    score_turns.score(folder)
    printed = capsys.readouterr().out
    assert "answers refused: 1; not answered: 0" in printed
    assert "other lessons named, which have no label: 0 of 3" in printed
