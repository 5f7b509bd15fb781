"""The table of verbs that `learn --help` lists; the code of each is in `cli.commands`."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from learnloop.service.workspace import Workspace


class VerbCommand(NamedTuple):
    """The two functions of a verb's module; `run` returns the exit code, None for 0."""

    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Workspace, Namespace], int | None]
    checks_settings: bool


class Verb(NamedTuple):
    """One line of the table; the verb's module is imported only when it is used or documented."""

    name: str
    group: str
    summary: str
    checks_settings: bool = True
    """Invalid settings are refused before `run`; verbs that repair an installation run in spite of them."""

    @property
    def module(self) -> str:
        """The module in `cli.commands`: `hook_command` for `hook-command`, `import_` for a word of Python."""
        name = self.name.replace("-", "_")
        return f"{name}_" if iskeyword(name) else name

    def load(self) -> VerbCommand:
        """The verb's functions; imports its module."""
        module = import_module(f"learnloop.cli.commands.{self.module}")
        return VerbCommand(module.add_options, module.run, self.checks_settings)


SETUP = "Set up"
CAPTURE = "Record and look"
REVIEW = "Review"
USE = "Recall and history"
KEEP = "Keep and care"

VERBS: tuple[Verb, ...] = (
    Verb("install", SETUP, "register the hooks in your agent's settings"),
    Verb("uninstall", SETUP, "remove the hooks from your agent's settings", checks_settings=False),
    Verb("hook-command", SETUP, "print the exact command line that the agent runs", checks_settings=False),
    Verb("on", SETUP, "switch recording and recall on", checks_settings=False),
    Verb("off", SETUP, "switch recording or recall off, for good or for a while", checks_settings=False),
    Verb("config", SETUP, "show the settings and where they come from", checks_settings=False),
    Verb("trust", SETUP, "allow Learnloop to read a project's own files"),
    Verb("init", SETUP, "sum up what a project's files and lessons say already"),
    Verb("ingest", CAPTURE, "turn what the hooks recorded into feedback and drafts"),
    Verb("backfill", CAPTURE, "learn from the transcripts of past sessions"),
    Verb("detect", CAPTURE, "judge prompts that come as JSON lines", checks_settings=False),
    Verb("analyze", CAPTURE, "ingest what is new, or read all of history again"),
    Verb("status", CAPTURE, "show the state of the installation in a few lines", checks_settings=False),
    Verb("sessions", CAPTURE, "list sessions as they are now, or the timeline of one"),
    Verb("projects", CAPTURE, "list the projects that were recorded"),
    Verb("drafts", REVIEW, "list the drafts that wait for you, the likeliest first"),
    Verb("lessons", REVIEW, "list lessons in every state"),
    Verb("stats", REVIEW, "count lessons by state, kind and category, and list the most used"),
    Verb("show", REVIEW, "show one lesson with its evidence"),
    Verb("search", REVIEW, "find lessons by words"),
    Verb("triage", REVIEW, "decide on one draft after another, on stdin and stdout"),
    Verb("promote", REVIEW, "approve drafts, so that they are recalled"),
    Verb("reject", REVIEW, "turn drafts down for good"),
    Verb("archive", REVIEW, "retire active lessons"),
    Verb("restore", REVIEW, "bring archived or rejected lessons back"),
    Verb("pause", REVIEW, "stop recalling lessons without retiring them"),
    Verb("resume", REVIEW, "recall paused lessons again"),
    Verb("edit", REVIEW, "change a lesson's words, priority, triggers or scope"),
    Verb("backtest", REVIEW, "try a lesson's triggers on what was recorded"),
    Verb("merge", REVIEW, "let one lesson replace others, with the evidence of all"),
    Verb("replace", REVIEW, "promote a lesson and archive the active one that it contradicts"),
    Verb("gate", REVIEW, "block the first matching call in a session, with the lesson as the reason"),
    Verb("rate", REVIEW, "rate the last recall of a lesson as helpful or harmful"),
    Verb("keep", REVIEW, "keep lessons that are proposed for archiving"),
    Verb("upkeep", REVIEW, "list what is proposed for archiving, archive old drafts"),
    Verb("rules", REVIEW, "show how many drafts of each rule you accept"),
    Verb("mute", REVIEW, "fold a rule's drafts away"),
    Verb("unmute", REVIEW, "bring a muted rule's drafts back"),
    Verb("undo", REVIEW, "undo the last decision"),
    Verb("redo", REVIEW, "redo the last undone decision"),
    Verb("patches", USE, "propose, preview, apply and revert blocks in agents' prompt files"),
    Verb("teach", USE, "add to prompt files how agents record discoveries"),
    Verb("facts", USE, "let a model read along: what it is asked, what it found, what it costs"),
    Verb("discover", USE, "record what an agent found out, or list it, most useful first"),
    Verb("draft", USE, "draft lessons from an output, a rating, a test or a review"),
    Verb("recall", USE, "show what is recalled at a moment, and why"),
    Verb("feedback", USE, "state a preference, or list the feedback that was detected"),
    Verb("history", USE, "list the verdicts that were given"),
    Verb("agents", USE, "show how often each agent was corrected, and on what"),
    Verb("preferences", USE, "show what is believed about your preferences, confirm it or drop it"),
    Verb("report", USE, "write one page to look at and to send: corrections, lessons, agents, cost"),
    Verb("export", KEEP, "write lessons and feedback as one JSON document"),
    Verb("import", KEEP, "read such a document"),
    Verb("migrate-notepads", KEEP, "read a project's Olympus notepads as discoveries"),
    Verb("completion", KEEP, "print the completion script for bash, zsh or fish", checks_settings=False),
    Verb("doctor", KEEP, "check the installation and say what to do", checks_settings=False),
    Verb(
        "forget",
        KEEP,
        "delete what was recorded, then read every file again to confirm it",
        checks_settings=False,
    ),
)

NAMES: tuple[str, ...] = tuple(verb.name for verb in VERBS)


def find(name: str) -> Verb | None:
    """The verb of that name."""
    return next((verb for verb in VERBS if verb.name == name), None)
