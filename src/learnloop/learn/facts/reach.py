"""What bounds a standing approval: words that may be pasted, and what leads out of the project. Pure."""

import re
from collections.abc import Callable, Sequence

from learnloop.learn.lessons import trigger_commands

_LONGEST = 400
"""Characters of a prompt that is surely typed."""
_PASTED = re.compile(
    r"""[\r\n\t]|\s{4}|:(?:\s|$)|^\s*[-*>#|"'`\[<]|["“”«»]|\*\*|```|</?\w
    |(?<!\bi\s)\b(?:sa(?:ys|id)|reads|wr(?:ites|ote)|states|according\sto|quot(?:ed|ing)|commented|review\scomments?|suggest(?:s|ed)
    |recommend(?:s|ed)|tells|told|asked|repl(?:ies|ied)|hints?|warns?|mention(?:s|ed)|posted|paste[ds]?|copied)\b""",
    re.I | re.X,
)
_ELSEWHERE = re.compile(
    r"""://|@|\\|%\d\w|\$\{?[A-Z]|(?<![\w.*])(?:~|\.\.)(?:/|$|\s)|\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w:\d{2,5}\b
    |\b(?:registr(?:y|ies)|mirrors?|prox(?:y|ies)|index[-\s_]urls?|package\sindex|webhooks?|cdn|url|host(?:name)?s?)\b""",
    re.I | re.X,
)
_ROOTED = re.compile(r"(?<![\w./*])/[\w.][^\s,;:)'\"`]*")
_DOTTED = re.compile(r"(?<![\w./*-])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b(?:/[\w./-]*)?", re.I)
_RUN = re.compile(
    r"\b(?:run|execute)\s+`?((?!(?:the|all|a|an|it|them|any|your|our|this|that)\b)[\w./-]+)", re.I
)
_CODE = re.compile(r"`([^`]+\s[^`]*)`")


def may_be_pasted(prompt: str) -> bool:
    """Whether a prompt is more than one typed line: with others' words, a block, a list, a lead-in."""
    return len(prompt) > _LONGEST or _PASTED.search(prompt.strip()) is not None


def leads_out(words: str, project: str, ran: Sequence[str], is_file: Callable[[str], bool]) -> bool:
    """Whether words name a host, a registry, a path outside the project, or a command never run in it.

    `ran` are the commands that were; `is_file` says whether the project has a file of that name.
    """
    inside = all(f"{path}/".startswith(f"{project}/") for path in _ROOTED.findall(words))
    is_known = all(is_file(name) for name in _DOTTED.findall(words))
    named = {*trigger_commands.programs(words, ran), *_RUN.findall(words), *_CODE.findall(words)}
    has_run = all(any(_has(command, name.removeprefix("* ")) for command in ran) for name in named)
    return _ELSEWHERE.search(words) is not None or not (inside and is_known and has_run)


def _has(command: str, name: str) -> bool:
    return f" {name} " in f" {command} "
