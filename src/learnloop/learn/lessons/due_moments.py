"""What goes with a change of something else, read from the words of an instruction. Pure.

`Update CHANGELOG.md with every change in src/` makes CHANGELOG.md due after a change of `src/**`. Only where
the words name both sides and nothing but them something is due: not for `every API change in src/`, nor for
`update the docs if needed`.
"""

import re

from pydantic import ValidationError

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import due_openings, named_files, trigger_commands, trigger_words
from learnloop.models.due_moment import ANY_TEST, DueMoment

_LONGEST = 400
_CONDITION = re.compile(
    r"\b(?:if|unless|except\w*|until|till|before|only|maybe|perhaps|where|otherwise|consider|ask|tell|explain"
    r"|show|needed|necessary|appropriate|applicable|relevant|possible|affect\w*|might|could|may|optional\w*|which|that"
    r"|who|how|why|whether|suggest\w*|propose|question|check|review|when(?:ever)?|after|once|while|than|release\w*"
    r"|deploy\w*|commits?|push\w*|end|least|as required|lock ?files?)\b|\?",
    re.I,
)
"""Words that narrow what is due, or make it something else."""
_AGAINST = re.compile(
    r"\b(?:never|not|no|nothing|stop|avoid|without|instead|rather|quit|forbid\w*|neither|nor|skip|unnecessary)\b"
    r"|n['’]t\b",
    re.I,
)
_STILL_FOR = re.compile(
    r"\b(?:never|not|don['’]?t|do not) (?:ever )?(?:forget|skip|omit|leave out|miss)\b", re.I
)
_FORGOTTEN = re.compile(r"^.*?\byou(?:'ve| have)? (?:\w+ )?(?:forg[eo]t\w*|missed|skipped|left out)\b", re.I)
_WRITES = re.compile(
    r"\b(?:updat\w+|add\w*|wr(?:ite|itten|ites)|extend\w*|enter\w*|note[ds]?|record\w*|document\w*|mention\w*|put"
    r"|keep|adjust\w*|needs?|requires?|gets?|goes|go|belongs?|comes?|entry|entries|line"
    r"|(?:must|should|has to) have)\b",
    re.I,
)
_RUNS = re.compile(
    r"\b(?:re-?)?(?:run|runs|running|generate|build|execute|call|compile|format)\b|\bwith (?=`)",
    re.I,
)
_RUN_WORD = re.compile(r"\b(?:re-?)?(?:run|execute|call)s? `([^`\n]{2,120})`", re.I)
_VIA = re.compile(r"\b(?:with|using|via|through|by running|by calling)\b", re.I)
_WITH_TOOL = re.compile(
    r"\b(?:with|using|via) (?P<call>(?:make|just|task|npm run|pnpm run|yarn run|yarn) [\w:.-]+)"
)
_TEST_RUN = re.compile(
    r"\b(?:re-?)?runs? (?:(?:all|the|your|our|whole|full|unit|complete) )*(?:tests?|test suite)\b", re.I
)
_A_TEST = re.compile(r"\b(?:(?:an?|new|the|its|their|matching|own|unit) )*tests?\b", re.I)
_OF_TESTS = re.compile(
    r"\btests? (?:plan|data|env\w*|report|user|account|server|name|case in|coverage)\b", re.I
)


def derive(statement: str) -> DueMoment:
    """What a statement makes due, as far as its words name both sides for certain."""
    text = INLINE_CODE.sub(lambda code: code[0].replace(", ", ","), statement[:_LONGEST]).strip()
    opening = due_openings.opening(text)
    if opening is None or trigger_words.is_conduct(text):
        return DueMoment()
    act = f"{text[: opening.start()]}\n{text[opening.end() :]}"
    after, settling = due_openings.changed_files(opening), _settled_by(act)
    try:
        return DueMoment(after=after, **settling) if after and settling else DueMoment()
    except ValidationError:  # due after a change of itself
        return DueMoment()


def _settled_by(act: str) -> dict[str, tuple[str, ...]]:
    """What settles it: commands or files; empty where the words name none, or narrow it, or forbid it."""
    plain = _STILL_FOR.sub(" ", _FORGOTTEN.sub(" ", act))
    if _CONDITION.search(INLINE_CODE.sub(" ", plain)) or _AGAINST.search(INLINE_CODE.sub(" ", plain)):
        return {}
    commands = _commands(plain)
    files = () if commands and _VIA.search(plain) else _files(act, plain)
    if commands and files:
        return {}
    return {"commands": commands} if commands else {"files": files} if files else {}


def _commands(act: str) -> tuple[str, ...]:
    if _TEST_RUN.search(act):
        return (ANY_TEST,)
    if not _RUNS.search(act) and not _WITH_TOOL.search(act):
        return ()
    named = [" ".join(code.split()) for code in _RUN_WORD.findall(act)]
    named += [match["call"] for match in _WITH_TOOL.finditer(act)]
    named = named or [call for call in trigger_commands.programs(act, ()) if not call.startswith("* -")]
    return tuple(dict.fromkeys(named))


def _files(act: str, plain: str) -> tuple[str, ...]:
    """The files that are written beside the change, wherever a folder of that name is."""
    words = act.replace("`", "")
    patterns = named_files.named_patterns(words) or [
        pattern for pattern in named_files.things(words, ()) if pattern in _ENTERED
    ]
    if patterns and (_WRITES.search(plain) or _FORGOTTEN.search(act)):
        return tuple(f"**/{pattern}" if pattern[:3] != "**/" else pattern for pattern in patterns)
    is_test = _A_TEST.search(plain) and _WRITES.search(plain) and not _OF_TESTS.search(plain)
    return (ANY_TEST,) if is_test else ()


_ENTERED = lexicon.listed("**/CHANGELOG* **/README*")
"""Things that are written by hand: what a generator writes shows no write."""
