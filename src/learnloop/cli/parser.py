"""Builds the argument parser; only the verb that is used has its module imported."""

import argparse
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NoReturn

from learnloop import __version__
from learnloop.cli import registry


def epilog(verb: registry.Verb) -> str:
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


def parse(argv: list[str]) -> tuple[registry.VerbCommand, argparse.Namespace]:
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
    verb = registry.find(first)
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
    words = ("add",) if is_rule else registry.RENAMED.get(first)
    if first == "gate" and "--off" in rest:
        words, rest = ("check", "--tell"), [word for word in rest if word != "--off"]
    if words is None:
        return argv
    print(f"learn: {first} is now: learn {' '.join(words)}", file=sys.stderr)
    return [*words, *rest]


def view_of(verb: registry.Verb, rest: list[str]) -> tuple[registry.Verb, list[str]]:
    """The view that an option before `--` names, and the words without it; else the verb itself."""
    options = rest[: rest.index("--")] if "--" in rest else rest
    for view in registry.views_of(verb.name):
        if view.words[1] in options:
            at = rest.index(view.words[1])
            return view, [*rest[:at], *rest[at + 1 :]]
    return verb, rest


def for_verb(verb: registry.Verb, command: registry.VerbCommand) -> Parser:
    """The parser of one verb."""
    summary = verb.summary[0].upper() + verb.summary[1:] + "."
    parser = Parser(prog=f"learn {' '.join(verb.words)}", description=summary, **_AS_WRITTEN)
    command.add_options(parser)
    parser.add_argument("--no-pager", action="store_true", help=argparse.SUPPRESS)  # every verb knows it
    parser.epilog = "\n".join(filter(None, (parser.epilog, f"\n{epilog(verb)}"))).lstrip()
    if views := registry.views_of(verb.name) if verb in registry.VERBS else ():
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
    shown = [verb for verb in registry.VERBS if everything or verb.group != registry.HIDDEN]
    width = max(len(verb.name) for verb in shown)
    for group, verbs in groupby(shown, key=lambda verb: verb.group):
        yield f"{group}:"
        yield from (f"  {verb.name:<{width}}  {verb.summary}" for verb in verbs)
        yield ""
    yield _MORE if everything else f"{_REST} {_MORE}"


def _instead(word: str) -> str:
    from difflib import get_close_matches

    if word in registry.ANSWERS:
        return f": {registry.ANSWERS[word]}"
    close = get_close_matches(word, registry.NAMES, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
