"""The table of verbs: what `learn --help` lists, and where the code of each is loaded from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from learnloop.service.workspace import Workspace


class Command(NamedTuple):
    """A verb's two functions: `add` declares its options, `run` does it and returns the exit code."""

    add: Callable[[ArgumentParser], None]
    run: Callable[[Workspace, Namespace], int]
    checks_settings: bool = True
    """Settings that make no sense are refused before anything is done; the verbs that mend things go on."""


class Verb(NamedTuple):
    """One line of the table; the module is imported only when the verb is used or documented."""

    name: str
    module: str
    group: str
    summary: str

    def load(self) -> Command:
        """The verb's functions, from its module's `COMMANDS`."""
        commands: dict[str, Command] = import_module(f"learnloop.cli.commands.{self.module}").COMMANDS
        return commands[self.name]


SETUP = "Set up"
CAPTURE = "Record and look"
REVIEW = "Review"
USE = "Recall and history"
KEEP = "Keep and care"

VERBS: tuple[Verb, ...] = (
    Verb("install", "hooks", SETUP, "register the hooks in your agent's settings"),
    Verb("uninstall", "hooks", SETUP, "take the hooks out of your agent's settings again"),
    Verb("hook-command", "hooks", SETUP, "print the exact command line that the agent runs"),
    Verb("on", "switches", SETUP, "switch recording and recall on"),
    Verb("off", "switches", SETUP, "switch recording or recall off, for good or for a while"),
    Verb("config", "config", SETUP, "show the settings and where they come from"),
    Verb("trust", "trust", SETUP, "allow Learnloop to read a project's own files"),
    Verb("ingest", "capture", CAPTURE, "turn what the hooks recorded into feedback and drafts"),
    Verb("backfill", "backfill", CAPTURE, "learn from the transcripts that are already there"),
    Verb("detect", "detect", CAPTURE, "judge prompts that come as JSON lines"),
    Verb("analyze", "analyze", CAPTURE, "take in what is new, or read all of history anew"),
    Verb("status", "capture", CAPTURE, "say in a few lines how things stand"),
    Verb("sessions", "sessions", CAPTURE, "list sessions as they are now, or tell the story of one"),
    Verb("projects", "capture", CAPTURE, "list the projects that were recorded"),
    Verb("drafts", "lessons", REVIEW, "list the drafts that wait for you, strongest first"),
    Verb("lessons", "lessons", REVIEW, "list lessons in every state"),
    Verb("stats", "stats", REVIEW, "count lessons by state, kind and category, and say which are used most"),
    Verb("show", "lessons", REVIEW, "show one lesson with its evidence"),
    Verb("search", "lessons", REVIEW, "find lessons by words"),
    Verb("triage", "triage", REVIEW, "decide on one draft after another, on stdin and stdout"),
    Verb("promote", "verdicts", REVIEW, "approve drafts, so that they are recalled"),
    Verb("reject", "verdicts", REVIEW, "turn drafts down for good"),
    Verb("archive", "verdicts", REVIEW, "retire active lessons"),
    Verb("restore", "verdicts", REVIEW, "bring archived or rejected lessons back"),
    Verb("pause", "verdicts", REVIEW, "stop recalling lessons without retiring them"),
    Verb("resume", "verdicts", REVIEW, "recall paused lessons again"),
    Verb("edit", "edit", REVIEW, "change a lesson's words, priority, triggers or scope"),
    Verb("backtest", "backtest", REVIEW, "try a lesson's triggers on what was recorded"),
    Verb("merge", "merge", REVIEW, "let one lesson stand for others, with the evidence of all"),
    Verb("gate", "rate", REVIEW, "let a lesson stop the first call it matters at"),
    Verb("rate", "rate", REVIEW, "say whether a recall was helpful or harmful"),
    Verb("keep", "rate", REVIEW, "turn down the proposal to archive lessons"),
    Verb("upkeep", "merge", REVIEW, "list what is proposed for archiving, archive old drafts"),
    Verb("rules", "rules", REVIEW, "show how the rules that draft lessons do with you"),
    Verb("mute", "rules", REVIEW, "fold a rule's drafts away"),
    Verb("unmute", "rules", REVIEW, "bring a muted rule's drafts back"),
    Verb("undo", "verdicts", REVIEW, "take the last verdict back"),
    Verb("redo", "verdicts", REVIEW, "do the verdict again that was taken back"),
    Verb("patches", "patches", USE, "propose, preview, apply and revert blocks in agents' prompt files"),
    Verb("teach", "teach", USE, "tell agents, in their prompt file, how to record what they find out"),
    Verb("discover", "discover", USE, "record what an agent found out, or list it, most useful first"),
    Verb("draft", "draft", USE, "make drafts of an output, a rating, a test or a review"),
    Verb("recall", "recall", USE, "show what an agent would be told at a moment, and why"),
    Verb("feedback", "records", USE, "tell a preference, or list the feedback that was heard"),
    Verb("history", "records", USE, "list the verdicts that were given"),
    Verb("agents", "agents", USE, "show how each agent's work went over, and where it goes wrong"),
    Verb("preferences", "preferences", USE, "show what is believed of your ways, confirm it or drop it"),
    Verb("export", "exchange", KEEP, "write lessons and feedback as one JSON document"),
    Verb("import", "exchange", KEEP, "read such a document"),
    Verb("migrate-notepads", "notepads", KEEP, "read a project's Olympus notepads as discoveries"),
    Verb("completion", "completion", KEEP, "print what bash, zsh or fish needs to complete learn"),
    Verb("doctor", "care", KEEP, "check the whole installation and say what to do"),
    Verb("forget", "care", KEEP, "remove what was recorded, and prove it"),
)

NAMES: tuple[str, ...] = tuple(verb.name for verb in VERBS)


def find(name: str) -> Verb | None:
    """The verb of that name."""
    return next((verb for verb in VERBS if verb.name == name), None)
