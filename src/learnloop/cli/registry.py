"""The verbs of `learn` as a table, what older names became, and the parser of the one that is used.

The code of each is in `cli.commands`.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from learnloop import __version__

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator

    from learnloop.service.workspace import Workspace


class VerbCommand(NamedTuple):
    """The two functions of a verb; `run` returns the exit code, None for 0."""

    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Workspace, Namespace], int | None]
    checks_settings: bool
    reads: bool


class Verb(NamedTuple):
    """One row of the table; the verb's module is imported only when it is used or documented."""

    name: str
    group: str
    """The heading in `learn --help`; of a view, the verb whose option it is."""
    summary: str
    examples: tuple[str, ...]
    checks_settings: bool = True
    """Invalid settings are refused before `run`; verbs that repair an installation run in spite of them."""
    reads: bool = False
    """What the hooks recorded is ingested before `run`."""
    module: str = ""
    """The module in `cli.commands`; without, the one of the verb's name, of a view that of its verb's."""

    @property
    def words(self) -> tuple[str, ...]:
        """What is typed: `promote`, or of a view `edit --archive`."""
        return (self.name,) if self in VERBS else (self.group, f"--{self.name}")

    def load(self) -> VerbCommand:
        """The verb's functions; imports its module."""
        name = self.module or (self.name if self in VERBS else self.group)
        module = import_module(f"learnloop.cli.commands.{name}")
        functions = (module.add_options, module.run) if hasattr(module, "run") else module.COMMANDS[self.name]
        return VerbCommand(functions[0], functions[1], self.checks_settings, self.reads)


START = "Start"
DECIDE = "Decide"
WATCH = "See what happens"
CARE = "Set and check"
MORE = "More"
HIDDEN = "Less often needed"
"""The group that only `learn help --all` shows."""

VERBS: tuple[Verb, ...] = (
    Verb("install", START, "register the hooks in your agent's settings",
         ("learn install --dry-run", "learn install --diff", "learn install --scope local")),
    Verb("backfill", START, "learn from the sessions you already had",
         ("learn backfill --all", "learn backfill ~/.claude/projects")),
    Verb("status", START, "say in a few lines whether it works and what waits",
         ("learn status", "learn status --json"), checks_settings=False, reads=True, module="care"),
    Verb("triage", DECIDE, "decide on one draft after another",
         ("learn triage --plain", "printf 'p\\nrw\\nq\\n' | learn triage --plain")),
    Verb("lessons", DECIDE, "list lessons, or those with some words in them",
         ("learn lessons uv pip",
          "learn lessons --status active",
          "learn lessons --category testing --min-score 50"), reads=True),
    Verb("show", DECIDE, "show one lesson with what you said",
         ("learn show k3fq",), reads=True, module="edit"),
    Verb("add", DECIDE, "add a lesson in your own words",
         ('learn add "Answers are short."', 'learn add --project . "Use uv, not pip."'), module="verdicts"),
    Verb("edit", DECIDE, "change a lesson's words, priority, triggers or scope",
         ('learn edit k3fq --priority HIGH --file-pattern "**/*.py"', "learn edit k3fq"), reads=True),
    Verb("promote", DECIDE, "approve drafts, so that agents are told",
         ("learn promote k3fq m2xa",
          'learn promote k3fq --statement "Use uv, not pip."'), reads=True, module="verdicts"),
    Verb("reject", DECIDE, "turn drafts down for good",
         ("learn reject k3fq --reason one-off",
          'learn reject k3fq --reason "said in anger"'), reads=True, module="verdicts"),
    Verb("undo", DECIDE, "undo the last decision", ("learn undo",), module="verdicts"),
    Verb("why", WATCH, "show what an agent is told at a moment, and why",
         ('learn why --command "pip install requests" --explain', "learn why --agent main"), reads=True),
    Verb("sessions", WATCH, "list sessions as they are now, or the timeline of one",
         ("learn sessions", "learn sessions 06abb5f3")),
    Verb("patches", WATCH, "propose, preview, apply and revert blocks in agents' prompt files",
         ("learn patches", "learn patches preview m2xa", "learn patches apply m2xa"), reads=True),
    Verb("config", CARE, "show and change the settings",
         ("learn config queue_size 30", "learn config --json"), checks_settings=False),
    Verb("doctor", CARE, "check the installation and say what to do",
         ("learn doctor", "learn doctor --fix"), checks_settings=False, module="care"),
    Verb("off", MORE, "switch recording or recall off, for good or for a while",
         ("learn off --for 1h", "learn off --project . --recall"), checks_settings=False, module="switch"),
    Verb("report", MORE, "write one page to look at and to send",
         ("learn report", "learn report --since 30d --no-quotes -o report.html"), reads=True, module="care"),
    Verb("forget", MORE, "delete what was recorded, and confirm that it is gone",
         ("learn forget --session 06abb5f3", "learn forget --all"), checks_settings=False, module="care"),
    Verb("uninstall", MORE, "remove the hooks from your agent's settings",
         ("learn uninstall",), checks_settings=False, module="install"),
    Verb("check", HIDDEN, "show and try what a lesson stops or sends back",
         ("learn check k3fq", "learn check k3fq --try 'npm i x'", "learn check k3fq --set check.json"),
         reads=True, module="edit"),
    Verb("on", HIDDEN, "switch recording and recall on",
         ("learn on", "learn on --recall"), checks_settings=False, module="switch"),
    Verb("agents", HIDDEN, "show how often each agent was corrected, and on what",
         ("learn agents", "learn agents code-reviewer"), reads=True, module="profile"),
    Verb("preferences", HIDDEN, "show what is believed about your preferences, confirm it or drop it",
         ("learn preferences", "learn preferences confirm verbosity"), reads=True, module="profile"),
    Verb("experiments", HIDDEN, "show what experiments know; start, stop and decide them",
         ("learn experiments",
          "learn experiments size --base 33 --effect 50",
          "learn experiments show m2xa"), reads=True),
    Verb("facts", HIDDEN, "let a model read along: what it is asked, what it found, what it costs",
         ("learn facts on",
          "learn facts show",
          "learn facts requests -o asked.jsonl"), reads=True),
    Verb("prime", HIDDEN, "show earlier tasks near to a task; let agents be told them, or not",
         ('learn prime "let guests check out" --file src/cart.ts',
          "learn prime on --project ."), reads=True, module="memory"),
    Verb("discover", HIDDEN, "record an agent's discovery, or list them, most useful first",
         ('learn discover --category gotcha --summary "Migrations run before seeding" '
          '--details "The seed script assumes that all tables are there."',)),
    Verb("mcp", HIDDEN, "answer agents that ask for lessons over the Model Context Protocol",
         ("learn mcp", "learn mcp --project ~/code/shop"), module="care"),
    Verb("ingest", HIDDEN, "read what the hooks recorded, or all of history again",
         ("learn ingest", "learn ingest --all")),
    Verb("export", HIDDEN, "write lessons, with --quotes all that was recorded, as one JSON document",
         ("learn export lessons.json",), reads=True, module="transfer"),
    Verb("import", HIDDEN, "read such a document, or another tool's file",
         ("learn import lessons.json",
          "learn import CLAUDE.md --from bullets",
          "learn import . --from notepads"), module="transfer"),
    Verb("share", HIDDEN, "write an approved lesson into its repository, or send it to the team",
         ("learn share k3fq --repo --dry-run", "learn share k3fq --team"), module="transfer"),
    Verb("team", HIDDEN, "exchange lessons with a team, or among your own machines, by a Postgres database",
         ("learn team create postgresql://admin@db/acme", "learn team invite Bob", "learn team sync"),
         reads=True),
    Verb("completion", HIDDEN, "print the completion script for bash, zsh or fish",
         ("learn completion zsh",), checks_settings=False, module="care"),
)  # fmt: skip
VIEWS: tuple[Verb, ...] = (
    Verb("hook-command", "install", "print the exact command line that the agent runs",
         ("learn install --hook-command --host claude",), checks_settings=False),
    Verb("drafts", "lessons", "list the drafts that wait for you, the likeliest first",
         ("learn lessons --drafts", "learn lessons --drafts --all --json"), reads=True),
    Verb("stats", "lessons", "count lessons by state, kind and category, and list the most used",
         ("learn lessons --stats",), reads=True),
    Verb("upkeep", "lessons", "list what is proposed for archiving, archive old drafts",
         ("learn lessons --upkeep",), reads=True),
    Verb("archive", "edit", "retire active lessons",
         ("learn edit --archive k3fq --reason superseded",), module="verdicts"),
    Verb("restore", "edit", "bring archived or rejected lessons back",
         ("learn edit --restore k3fq",), module="verdicts"),
    Verb("pause", "edit", "stop telling lessons without retiring them",
         ("learn edit --pause k3fq",), module="verdicts"),
    Verb("resume", "edit", "tell paused lessons again", ("learn edit --resume k3fq",), module="verdicts"),
    Verb("merge", "edit", "let one lesson replace others, with the evidence of all",
         ("learn edit --merge k3fq m2xa",), module="verdicts"),
    Verb("rate", "edit", "rate the last recall of a lesson as helpful or harmful",
         ("learn edit --rate k3fq helpful",), reads=True, module="verdicts"),
    Verb("keep", "edit", "keep lessons that are proposed for archiving",
         ("learn edit --keep k3fq",), module="verdicts"),
    Verb("replace", "promote", "promote a lesson and archive the active one that it contradicts",
         ("learn promote --replace k3fq m2xa",), module="verdicts"),
    Verb("redo", "undo", "redo the last undone decision", ("learn undo --redo",), module="verdicts"),
    Verb("history", "undo", "list the decisions that were made", ("learn undo --history --limit 10",),
         module="verdicts"),
    Verb("backtest", "why", "try a lesson's triggers on what was recorded",
         ("learn why --backtest k3fq", 'learn why --backtest k3fq --file-pattern "**/*.sql"'),
         reads=True),
    Verb("tasks", "sessions", "list what was asked for and how it went, or show one task",
         ("learn sessions --tasks outcome:failed --since 7d",
          'learn sessions --tasks "cart total"',
          "learn sessions --tasks 019aa8b3"), reads=True, module="memory"),
    Verb("log", "sessions", "print the log of a day: what is open, corrections, work",
         ("learn sessions --log yesterday", "learn sessions --log week"),
         reads=True),
    Verb("projects", "sessions", "list the projects that were recorded",
         ("learn sessions --projects",), reads=True),
    Verb("feedback", "sessions", "list the feedback that was detected",
         ("learn sessions --feedback --limit 10",), reads=True),
    Verb("teach", "patches", "add to prompt files how agents record discoveries",
         ("learn patches --teach", "learn patches --teach --agent code-reviewer --apply")),
    Verb("trust", "config", "allow Learnloop to read a project's own files",
         ("learn config --trust --project ~/code/shop", "learn config --trust --list")),
    Verb("detect", "ingest", "judge prompts that come as JSON lines",
         ("""echo '{"text": "no, use uv instead of pip"}' | learn ingest --detect""",),
         checks_settings=False),
    Verb("holdout", "experiments", "tell a lesson to most sessions only, to see what it changes",
         ("learn experiments --holdout k3fq", "learn experiments --holdout k3fq --share 30"),),
    Verb("memories", "prime", "list what tasks taught; hide or pin one",
         ("learn prime --memories type:procedural cart",
          "learn prime --memories --hide episodic-019aa8b3"), reads=True, module="memory"),
    Verb("init", "facts", "sum up what a project's files and lessons say already",
         ("learn facts --init", "learn facts --init --project ~/code/shop")),
    Verb("draft", "discover", "draft lessons from an output, a rating, a test or a review",
         ("learn discover --draft --from output answer.txt",)),
)  # fmt: skip
"""Options that make a verb another command: `learn edit --archive ID`. Their names were verbs."""

RENAMED: dict[str, tuple[str, ...]] = {
    **{view.name: view.words for view in VIEWS},
    "analyze": ("ingest",), "recall": ("why",), "search": ("lessons",), "ls": ("lessons",),
    "list": ("lessons",), "approve": ("promote",), "remember": ("add",),
    "gate": ("check", "--first"), "stop": ("check", "--stop"),
    "migrate-notepads": ("import", "--from", "notepads"),
}  # fmt: skip
"""Older and other names, and what they stand for."""

_DELETE = "reject turns a draft down, edit --archive retires a lesson, forget deletes what was recorded"
_CONSOLE = "the console is a program of its own, learn-tui"
ANSWERS = {
    "delete": _DELETE, "remove": _DELETE, "rm": _DELETE,
    "tui": _CONSOLE, "ui": _CONSOLE, "console": _CONSOLE,
}  # fmt: skip
"""Words that stand for no single verb, and what helps."""

NAMES: tuple[str, ...] = tuple(verb.name for verb in VERBS)


def find(name: str) -> Verb | None:
    """The verb of that name; None where it is only an option of another."""
    return next((verb for verb in VERBS if verb.name == name), None)


def views_of(name: str) -> tuple[Verb, ...]:
    """The views of a verb."""
    return tuple(view for view in VIEWS if view.group == name)


def epilog(verb: Verb) -> str:
    """The examples of a verb, as its help ends with them."""
    return "\n".join(["for example:", *(f"  {line}" for line in verb.examples)])


_ABOUT = "Learns from what you tell your coding agents; you decide what is kept."
_MORE = "learn VERB --help says more about a verb. The console is learn-tui."
_REST = "learn help --all lists every verb."
_AS_WRITTEN: dict[str, Any] = {
    "formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False,
}  # fmt: skip


_PHRASES = (
    (r"argument (.+?): invalid choice: ('.*?') \(choose from (.*)\)", r"\1 takes \3, not \2"),
    (r"argument (.+?): expected (?:at least )?one argument", r"\1 needs a value"),
    (r"argument (.+?): not allowed with argument (.+)", r"\1 does not go with \2"),
    (r"argument (.+?): (.*)", r"\1: \2"),
    (r"unrecognized arguments: (.*)", r"not understood: \1"),
    (r"the following arguments are required: (.*)", r"\1 is missing"),
    (r"one of the arguments (.*) is required", r"one of \1 is missing"),
)
"""The sentences of argparse, and ours."""


def _phrased(message: str) -> str:
    import re

    for theirs, ours in _PHRASES:
        if match := re.fullmatch(theirs, message, re.S):
            return match.expand(ours)
    return message


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that says what to do."""

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2; raises SystemExit."""
        self.exit(2, f"learn: {_phrased(message)} – see: {self.prog} --help\n")


def parse(argv: list[str]) -> tuple[VerbCommand, argparse.Namespace]:
    """The verb's functions and its options; raises SystemExit for help, version and wrong usage."""
    top = _top()
    if not argv:
        top.print_help(sys.stderr)
        top.exit(2)
    if argv[0] == "help":  # what many type first
        if argv[1:] == ["--all"]:
            _top(everything=True).parse_args(["--help"])
        argv = [*argv[1:], "--help"]
    if argv[0] == "--no-pager" and len(argv) > 1:
        argv = [*argv[1:], "--no-pager"]
    first, *rest = _renamed(argv)
    if first.startswith("-"):
        top.parse_args([first])  # --help and --version leave here, anything else is wrong usage
    verb = find(first)
    if verb is None:
        top.error(f"there is no verb {first!r}{_instead(first)}")
    verb, rest = view_of(verb, rest)
    command = verb.load()
    options = for_verb(verb, command).parse_args(rest)
    if options.no_pager:
        from learnloop.cli import paging

        paging.switch_off()
    return command, options


def _renamed(argv: list[str]) -> list[str]:
    """The words of today for a line that begins with an older name, which one line on stderr names."""
    first, *rest = argv
    if first == "version":
        return ["--version"]
    is_rule = first == "feedback" and rest and not rest[0].startswith("-")
    words = ("add",) if is_rule else RENAMED.get(first)
    if first == "gate" and "--off" in rest:
        words, rest = ("check", "--tell"), [word for word in rest if word != "--off"]
    if words is None:
        return argv
    print(f"learn: {first} is now: learn {' '.join(words)}", file=sys.stderr)
    return [*words, *rest]


def view_of(verb: Verb, rest: list[str]) -> tuple[Verb, list[str]]:
    """The view that an option before `--` names, and the words without it; else the verb itself."""
    options = rest[: rest.index("--")] if "--" in rest else rest
    for view in views_of(verb.name):
        if view.words[1] in options:
            at = rest.index(view.words[1])
            return view, [*rest[:at], *rest[at + 1 :]]
    return verb, rest


def for_verb(verb: Verb, command: VerbCommand) -> Parser:
    """The parser of one verb."""
    summary = verb.summary[0].upper() + verb.summary[1:] + "."
    parser = Parser(prog=f"learn {' '.join(verb.words)}", description=summary, **_AS_WRITTEN)
    command.add_options(parser)
    parser.add_argument("--no-pager", action="store_true", help=argparse.SUPPRESS)  # every verb knows it
    parser.epilog = "\n".join(filter(None, (parser.epilog, f"\n{epilog(verb)}"))).lstrip()
    if views := views_of(verb.name) if verb in VERBS else ():
        group = parser.add_argument_group(f"with arguments of their own (learn {verb.name} OPTION --help)")
        for view in views:
            group.add_argument(view.words[1], action="store_true", help=view.summary)
    return parser


def _top(*, everything: bool = False) -> Parser:
    usage, epilog = "learn [--no-pager] VERB [OPTION …]", "\n".join(_overview(everything))
    parser = Parser(prog="learn", usage=usage, description=_ABOUT, epilog=epilog, **_AS_WRITTEN)
    parser.add_argument("--no-pager", action="store_true", help="print long listings at once")
    parser.add_argument("--version", action="version", version=f"learnloop {__version__}")
    return parser


def _overview(everything: bool) -> Iterator[str]:
    shown = [verb for verb in VERBS if everything or verb.group != HIDDEN]
    width = max(len(verb.name) for verb in shown)
    for group, verbs in groupby(shown, key=lambda verb: verb.group):
        yield f"{group}:"
        yield from (f"  {verb.name:<{width}}  {verb.summary}" for verb in verbs)
        yield ""
    yield _MORE if everything else f"{_REST} {_MORE}"


def _instead(word: str) -> str:
    from difflib import get_close_matches

    if word in ANSWERS:
        return f": {ANSWERS[word]}"
    close = get_close_matches(word, NAMES, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
