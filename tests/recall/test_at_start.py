"""What agents are told at the start of a session, as the person reads it, is what hooks tell."""

from learnloop.ingest.run import ingest
from learnloop.service.health import doctor
from learnloop.service.lessons import documents
from learnloop.service.recall import at_start, backtest
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace

PROJECT = "/code/shop"


def test_what_is_told_and_what_did_not_fit_is_named(ws: Workspace) -> None:
    assert at_start.at_start(ws.root, PROJECT).words == ""
    first = verdicts.add(ws, "Answers are short.", priority="CRITICAL").lesson_ids[0]
    long = "Answers are " + " ".join(f"plain, number {number}," for number in range(20)) + " and polite."
    others = [verdicts.add(ws, f"{long} Case {case}.").lesson_ids[0] for case in range(8)]
    local = verdicts.add(ws, "Answers are in German.", scope="project", project=PROJECT).lesson_ids[0]
    verdicts.add(ws, "npm is never run.", triggers={"command_patterns": ["npm *"]})
    ingest(ws.root, wait_s=5)
    here = at_start.at_start(ws.root, PROJECT)
    assert (here.told[0], here.budget) == (first, 500)
    assert local in here.told
    assert local not in at_start.at_start(ws.root, "/code/other").told
    assert {*here.told, *here.left_out} == {first, local, *others}
    assert 400 < here.tokens <= 500
    assert f"{len(here.left_out)} did not fit: {here.left_out[0][:4]}" in here.words
    assert here.place_of(first).startswith(f"told as number 1 of {len(here.told)} instructions, about ")
    assert here.place_of(here.left_out[0]).startswith("does not fit into the 500 tokens")


def test_what_a_start_has_no_room_for_is_said_before_and_after_it_is_approved(ws: Workspace) -> None:
    long = "Answers are " + " ".join(f"plain, number {number}," for number in range(20)) + " and polite."
    for case in range(8):
        verdicts.add(ws, f"{long} Case {case}.", scope="project", project=PROJECT)
    ingest(ws.root, wait_s=5)
    here = at_start.at_start(ws.root, PROJECT)
    told, left_out = (documents.find(ws, names[0]) for names in (here.told, here.left_out))
    draft, elsewhere = (
        left_out.with_(id="zzzzzzzz", status="draft", project=where) for where in (PROJECT, "/code/other")
    )
    no_room = "meant for session starts, whose 500 tokens have no room for it"
    assert [backtest.cost_words(ws, each) for each in (told, left_out, draft, elsewhere)] == [
        "told at every session start", no_room, no_room, "told at every session start",
    ]  # fmt: skip
    vital = draft.with_(priority="CRITICAL")
    assert backtest.cost_words(ws, vital) == "told at every session start", "it comes before the others"
    (check,) = (each for each in doctor.examine(ws) if each.name == "session starts")
    missing = f"{len(here.left_out)} lessons are not told at the start in {PROJECT}: 500 tokens are full"
    assert check.message == missing
