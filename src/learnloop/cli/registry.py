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
    reads: bool


class Verb(NamedTuple):
    """One line of the table; the verb's module is imported only when it is used or documented."""

    name: str
    group: str
    summary: str
    checks_settings: bool = True
    """Invalid settings are refused before `run`; verbs that repair an installation run in spite of them."""
    reads: bool = False
    """What the hooks recorded is ingested before `run`."""

    @property
    def module(self) -> str:
        """The module in `cli.commands`: `hook_command` for `hook-command`, `import_` for a word of Python."""
        name = self.name.replace("-", "_")
        return f"{name}_" if iskeyword(name) else name

    def load(self) -> VerbCommand:
        """The verb's functions; imports its module."""
        module = import_module(f"learnloop.cli.commands.{self.module}")
        return VerbCommand(module.add_options, module.run, self.checks_settings, self.reads)


START = "Start"
DECIDE = "Decide"
WATCH = "See what happens"
CARE = "Set and check"
MORE = "More"
SHORT = (START, DECIDE, WATCH, CARE, MORE)
"""The groups that `learn --help` shows; `learn help --all` shows the others too."""
RECORD = "Record"
REVIEW = "Review"
USE = "Recall and history"
KEEP = "Carry over and set up"

VERBS: tuple[Verb, ...] = (
    Verb("install", START, "register the hooks in your agent's settings"),
    Verb("backfill", START, "learn from the sessions you already had"),
    Verb(
        "status",
        START,
        "say in a few lines whether it works and what waits",
        checks_settings=False,
        reads=True,
    ),
    Verb("triage", DECIDE, "decide on one draft after another"),
    Verb("lessons", DECIDE, "list lessons, or those with some words in them", reads=True),
    Verb("show", DECIDE, "show one lesson with what you said", reads=True),
    Verb("add", DECIDE, "add a lesson in your own words"),
    Verb("edit", DECIDE, "change a lesson's words, priority, triggers or scope", reads=True),
    Verb("promote", DECIDE, "approve drafts, so that agents are told", reads=True),
    Verb("reject", DECIDE, "turn drafts down for good", reads=True),
    Verb("undo", DECIDE, "undo the last decision"),
    Verb("why", WATCH, "show what an agent is told at a moment, and why", reads=True),
    Verb("sessions", WATCH, "list sessions as they are now, or the timeline of one"),
    Verb("patches", WATCH, "propose, preview, apply and revert blocks in agents' prompt files", reads=True),
    Verb("config", CARE, "show and change the settings", checks_settings=False),
    Verb("doctor", CARE, "check the installation and say what to do", checks_settings=False),
    Verb("on", MORE, "switch recording and recall on", checks_settings=False),
    Verb("off", MORE, "switch recording or recall off, for good or for a while", checks_settings=False),
    Verb("report", MORE, "write one page to look at and to send", reads=True),
    Verb("forget", MORE, "delete what was recorded, and confirm that it is gone", checks_settings=False),
    Verb("uninstall", MORE, "remove the hooks from your agent's settings", checks_settings=False),
    Verb("ingest", RECORD, "read what the hooks recorded, or all of history again"),
    Verb("detect", RECORD, "judge prompts that come as JSON lines", checks_settings=False),
    Verb("tasks", RECORD, "list what was asked for and how it went, or show one task", reads=True),
    Verb("log", RECORD, "print the log of a day: tasks, figures, patterns", reads=True),
    Verb("projects", RECORD, "list the projects that were recorded", reads=True),
    Verb("feedback", RECORD, "list the feedback that was detected", reads=True),
    Verb("drafts", REVIEW, "list the drafts that wait for you, the likeliest first", reads=True),
    Verb("stats", REVIEW, "count lessons by state, kind and category, and list the most used", reads=True),
    Verb("archive", REVIEW, "retire active lessons"),
    Verb("restore", REVIEW, "bring archived or rejected lessons back"),
    Verb("pause", REVIEW, "stop telling lessons without retiring them"),
    Verb("resume", REVIEW, "tell paused lessons again"),
    Verb("backtest", REVIEW, "try a lesson's triggers on what was recorded", reads=True),
    Verb("merge", REVIEW, "let one lesson replace others, with the evidence of all"),
    Verb("replace", REVIEW, "promote a lesson and archive the active one that it contradicts"),
    Verb("gate", REVIEW, "block the first matching call in a session, with the lesson as the reason"),
    Verb("rate", REVIEW, "rate the last recall of a lesson as helpful or harmful", reads=True),
    Verb("keep", REVIEW, "keep lessons that are proposed for archiving"),
    Verb("upkeep", REVIEW, "list what is proposed for archiving, archive old drafts", reads=True),
    Verb("rules", REVIEW, "show how many drafts of each rule you accept", reads=True),
    Verb("mute", REVIEW, "fold a rule's drafts away"),
    Verb("unmute", REVIEW, "bring a muted rule's drafts back"),
    Verb("reword", REVIEW, "ask a model for better words for drafts", reads=True),
    Verb("redo", REVIEW, "redo the last undone decision"),
    Verb("history", USE, "list the decisions that were made"),
    Verb("agents", USE, "show how often each agent was corrected, and on what", reads=True),
    Verb(
        "preferences", USE, "show what is believed about your preferences, confirm it or drop it", reads=True
    ),
    Verb("experiments", USE, "show what experiments know; start, stop and decide them", reads=True),
    Verb("holdout", USE, "tell a lesson to most sessions only, to see what it changes"),
    Verb("teach", USE, "add to prompt files how agents record discoveries"),
    Verb("memories", USE, "list what tasks taught; hide or pin one", reads=True),
    Verb("prime", USE, "show earlier tasks near to a task; let agents be told them, or not", reads=True),
    Verb("facts", USE, "let a model read along: what it is asked, what it found, what it costs", reads=True),
    Verb("discover", USE, "record an agent's discovery, or list them, most useful first"),
    Verb("mcp", USE, "answer agents that ask for lessons over the Model Context Protocol"),
    Verb("draft", USE, "draft lessons from an output, a rating, a test or a review"),
    Verb("init", KEEP, "sum up what a project's files and lessons say already"),
    Verb("trust", KEEP, "allow Learnloop to read a project's own files"),
    Verb("export", KEEP, "write lessons, feedback, tasks and memories as one JSON document", reads=True),
    Verb("import", KEEP, "read such a document, or another tool's file"),
    Verb("completion", KEEP, "print the completion script for bash, zsh or fish", checks_settings=False),
    Verb("hook-command", KEEP, "print the exact command line that the agent runs", checks_settings=False),
)

ALIASES: dict[str, tuple[str, ...]] = {
    "analyze": ("ingest",), "recall": ("why",), "search": ("lessons",),
    "migrate-notepads": ("import", "--from", "notepads"), "version": ("--version",),
}  # fmt: skip
"""Older and other names, and what they stand for."""

NAMES: tuple[str, ...] = tuple(verb.name for verb in VERBS)


def find(name: str) -> Verb | None:
    """The verb of that name."""
    return next((verb for verb in VERBS if verb.name == name), None)
