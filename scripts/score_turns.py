"""How well a model judges turns.

    python -m scripts.score_turns requests CASES LESSONS FOLDER
    python -m scripts.score_turns score FOLDER

CASES are lessons with acts that break and that keep them, as `checks-dev.jsonl`; LESSONS name the repository
of each. `requests` draws as many breaking as keeping turns that write files, each beside the lessons of its
repository that no check decides, chosen as the program does. It writes `requests/q01.txt` …, word for word
what a model is sent, and apart from them `labels.jsonl`. Whoever answers writes `answers/q01.json` …; `score`
reads them as the program does.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnloop.ingest.turns import WRITING_TOOLS
from learnloop.learn.facts import answers, turn_requests
from learnloop.learn.facts.turn_requests import ReadTurn, TurnCall
from learnloop.learn.lessons import triggers
from learnloop.learn.profile import agent_tallies
from learnloop.wire import redact

Doc = dict[str, Any]
_PROJECT, _PROMPT = "/code/project", "Go on with the work"


def _turn(acts: Any) -> ReadTurn:
    """A turn of one act, or of several in order."""
    every: list[Doc] = acts if isinstance(acts, list) else [acts]
    says = [act["say"] for act in every if "say" in act]
    calls = [_call(act) for act in every if "say" not in act]
    return ReadTurn(_PROMPT, calls, redact.cleaned(says[-1] if says else "Done."))


def _call(act: Doc) -> TurnCall:
    command = act.get("command", "") or (json.dumps(act["input"]) if "input" in act else "")
    texts = (act.get("file", ""), command, act.get("old", ""), act.get("text", ""))
    file, command, removed, added = map(redact.cleaned, texts)
    return TurnCall(act["tool"], file, command, removed, added)


def _drawn(cases: list[Doc], repositories: dict[str, str]) -> Iterator[Doc]:
    """Every turn that writes files, the lessons that are asked about, and whether it breaks its own."""
    undecided = [case for case in cases if case["bindable"] != "sure"]
    for case in (case for case in cases if case["bindable"] == "mostly"):
        beside = [
            {
                "id": other["lesson"], "statement": other["statement"],
                "triggers": triggers.derive(other["statement"]).as_json(),
            }
            for other in undecided
            if repositories.get(other["lesson"]) == repositories.get(case["lesson"])
        ]  # fmt: skip
        for name, is_breach in (("bad", True), ("good", False)):
            for acts in case[name]:
                turn = _turn(acts)
                if any(call.tool in WRITING_TOOLS for call in turn.calls):
                    chosen = turn_requests.applying(beside, turn, _PROJECT)
                    yield {"lesson": case["lesson"], "breach": is_breach, "lessons": chosen, "turn": turn}


def write(cases: Path, lessons: Path, folder: Path, count: int, seed: int) -> None:
    """Draw the turns and write what a model is sent about them, and the labels apart."""
    rows = [json.loads(line) for line in cases.read_text("utf-8").splitlines()]
    named = (json.loads(line) for line in lessons.read_text("utf-8").splitlines())
    every = list(_drawn(rows, {row["id"]: row["repo"] for row in named}))
    asked = [each for each in every if each["lesson"] in [doc["id"] for doc in each["lessons"]]]
    totals, kept = (Counter(each["breach"] for each in some) for some in (every, asked))
    for is_breach, name in ((True, "breaking"), (False, "keeping")):
        print(f"{name} turns that write: {totals[is_breach]}, asked about their lesson: {kept[is_breach]}")
    draw = random.Random(seed)
    sides = [[each for each in asked if each["breach"] is is_breach] for is_breach in (True, False)]
    chosen = [each for side in sides for each in draw.sample(side, count // 2)]
    draw.shuffle(chosen)
    (folder / "requests").mkdir(parents=True, exist_ok=True)
    with (folder / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for at, each in enumerate(chosen, 1):
            request = turn_requests.request([doc["statement"] for doc in each["lessons"]], each["turn"])
            (folder / "requests" / f"q{at:02}.txt").write_text(
                f"{request.system}\n\n{request.text}\n", "utf-8"
            )
            calls = [call._asdict() for call in each["turn"].calls]
            turn = {**each["turn"]._asdict(), "calls": calls}
            labels.write(json.dumps({"id": f"q{at:02}", **each, "turn": turn}) + "\n")


def score(folder: Path) -> None:
    """Print the breaking turns that were named, and the keeping ones that were accused, with intervals."""
    counts: Counter[str] = Counter()
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        answered = folder / "answers" / f"{label['id']}.json"
        if not answered.exists():
            counts["not answered"] += 1
            continue
        turn = ReadTurn(**{**label["turn"], "calls": [TurnCall(**call) for call in label["turn"]["calls"]]})
        side = "breaking" if label["breach"] else "keeping"
        counts[side] += 1
        try:
            given = answers.parse(answered.read_bytes()).given
            broken = turn_requests.broken(given, label["lessons"], turn)
        except answers.BadAnswer as reason:
            counts["refused"] += 1
            print(f"{label['id']}: {reason}")
            continue
        names = [breach.lesson_id for breach in broken]
        counts[f"{side} named"] += label["lesson"] in names
        counts["others"] += sum(name != label["lesson"] for name in names)
        counts["lessons"] += len(label["lessons"]) - 1
    for side, words in (("breaking", "breaking acts named"), ("keeping", "keeping turns accused")):
        count, total = counts[f"{side} named"], counts[side]
        interval = agent_tallies.wilson(count, total)
        share = f" ({100 * interval.low:.0f}–{100 * interval.high:.0f} %)" if interval else ""
        print(f"{words}: {count} of {total}{share}")
    print(f"other lessons named, which have no label: {counts['others']} of {counts['lessons']}")
    print(f"answers refused: {counts['refused']}; not answered: {counts['not answered']}")


def main() -> int:
    """Write requests, or score answers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("way", choices=("requests", "score"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=31)
    args = parser.parse_args()
    if args.way == "score":
        score(args.paths[0])
    else:
        cases, lessons, folder = args.paths
        write(cases, lessons, folder, args.count, args.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
