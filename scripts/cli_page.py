"""The command reference as Markdown, written by the parsers that read the command line."""

from __future__ import annotations

from argparse import SUPPRESS, Action
from itertools import groupby
from typing import TYPE_CHECKING

from learnloop.cli.registry import ANSWERS, HIDDEN, RENAMED, VERBS, Verb, epilog, for_verb, views_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = """\
# Commands

`learn` does without a terminal what the console `learn-tui` does on one.
`learn VERB --help` prints the same as this page.

- A lesson is named by its id or by the first characters of it, four or more.
- `learn --help` lists the verbs of the first groups here, `learn help --all` all of them.
- An option that is a command of its own, as `learn edit --archive ID`, may stand anywhere behind the verb.
- Names of older releases still work for one more: [changes](changes.md) lists them.
- `--json` prints one JSON document on stdout and nothing else; remarks go to stderr.
- Exit codes: 0 done · 1 refused or failed, with one line on stderr that says what to do; nothing is
  changed then · 2 wrong usage · 3 a fault of Learnloop, with a log file named · 130 interrupted.
- Colours and tables appear on a terminal only; `NO_COLOR` and `TERM=dumb` are honoured. What is longer than
  the screen goes through `$LEARNLOOP_PAGER`, else `$PAGER`, else `less`; `learn --no-pager VERB`, or a pager
  that is empty or `cat`, prints it at once. Long work shows a bar on stderr where that is a terminal.
"""


_CHANGES = """\
# What moved where

`learn` has {count} verbs, {shown} of them in `learn --help`. A verb that belongs to another is an option of
it now, with the same arguments: `learn archive ID` is `learn edit --archive ID`. Each older name works for
one more release and says on stderr what it is now.

| before | now | what it does |
|---|---|---|
{rows}
These words are understood as well, or answered with what helps:

| typed | means |
|---|---|
{words}"""


def page() -> str:
    """The Markdown of the whole page."""
    parts = [_HEAD]
    for group, verbs in groupby(VERBS, key=lambda verb: verb.group):
        parts.append(f"## {group}\n")
        for verb in verbs:
            parts += ["\n".join(_verb(each)) for each in (verb, *views_of(verb.name))]
    return "\n".join(parts)


def changes() -> str:
    """The Markdown of the page on older names."""
    summaries = {view.name: view.summary for verb in VERBS for view in views_of(verb.name)}
    rows = [
        f"| `learn {old}` | `learn {' '.join(RENAMED[old])}` | {does} |\n" for old, does in summaries.items()
    ]
    words = {
        old: f"`learn {' '.join(new)}`" for old, new in RENAMED.items() if old not in summaries
    } | ANSWERS
    return _CHANGES.format(
        count=len(VERBS), shown=sum(verb.group != HIDDEN for verb in VERBS), rows="".join(rows),
        words="".join(f"| `{word}` | {means} |\n" for word, means in words.items()),
    )  # fmt: skip


def _verb(verb: Verb) -> Iterator[str]:
    parser = for_verb(verb, verb.load())
    actions = [action for action in parser._actions if action.dest != "help" and action.help != SUPPRESS]
    yield f"###{'' if verb in VERBS else '#'} learn {' '.join(verb.words)}\n"
    yield f"{parser.description}"
    more = (parser.epilog or "").removesuffix(epilog(verb))
    yield ""
    if more.strip():
        yield f"{_more(more.strip())}\n"
    if actions:
        yield "| argument | meaning |\n|---|---|"
        yield from (f"| `{_name(action)}` | {_cell(action)} |" for action in actions)
        yield ""
    yield "```sh\n" + "\n".join(verb.examples) + "\n```\n"


def _more(epilogue: str) -> str:
    """What a help ends with: a paragraph, or as it stands where lines are set below each other."""
    if "\n  " in epilogue:
        return f"```text\n{epilogue}\n```"
    return "\n".join(line.strip() for line in epilogue.splitlines())


def _name(action: Action) -> str:
    value = _value(action)
    if not action.option_strings:
        return f"[{value}]" if action.nargs in ("?", "*") else value
    if action.nargs == 0:
        return action.option_strings[0]
    return f"{action.option_strings[0]} {f'[{value}]' if action.nargs == '?' else value}"


def _value(action: Action) -> str:
    if action.choices and not action.metavar:
        return "{" + ",".join(map(str, action.choices)) + "}"
    value = str(action.metavar or action.dest.upper())
    return f"{value} …" if action.nargs in ("+", "*") else value


def _cell(action: Action) -> str:
    return (action.help or "").replace("|", "\\|").replace("**/*.py", "`**/*.py`")
