"""What goes with a change of something else, read from the words of an instruction. Pure.

`Update CHANGELOG.md with every change in src/` makes CHANGELOG.md due after a change of `src/**`. Only where
the words name both sides and nothing but them something is due: not for `every API change in src/`, nor for
`update the docs if needed`.
"""

import re

from pydantic import ValidationError

from learnloop.learn.language import lexicon
from learnloop.learn.language.phrases import INLINE_CODE
from learnloop.learn.lessons import named_files, trigger_commands, trigger_words
from learnloop.models.due_moment import ANY_SOURCE, ANY_TEST, DueMoment

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
    opening = _opening(text)
    if opening is None or trigger_words.is_conduct(text):
        return DueMoment()
    act = f"{text[: opening.start()]}\n{text[opening.end() :]}"
    after, settling = _changed_files(opening), _settled_by(act)
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


_CHANGES = r"(?:chang(?:e[sd]?|ing)|edit(?:s|ed|ing)?|modif(?:y|ies|ied|ying|ications?)|updat(?:e[sd]?|ing)"
_CHANGES += r"|touch(?:es|ed|ing)?|alter(?:s|ed|ing)?|rewr(?:ites?|ote|itten|iting))"
_END = (
    r"(?=\W*$|[,;:]\s|\.\s|\s[-–—]+\s|\s(?:then\s|please\s|also\s|always\s|you\s|we\s|and\s|it\s)*"
    r"(?:must|should|needs?|requires?|gets?|has to|have to|goes|comes|is followed|re-?run|run"
    r"|re-?generate|re-?build|execute|call|add|write|extend|enter)\b)"
)
_WHENEVER = r"when(?:ever)?|every time|each time|any time|as soon as|after"
_OPENINGS = (
    *(
        re.compile(form + _END, re.I)
        for form in (
            r"\b(?:with|after|on|in|for|at|to)? ?(?:every|each|any|all) (?P<which>(?:\w+ ){0,2}?)"
            rf"{_CHANGES}"
            r"(?: (?:you|we) make)?(?: (?:in|to|of|under|inside|within|on|made to) (?P<what>.+?))??",
            rf"^(?:(?:any|all|a) )?{_CHANGES} (?:in|to|of|under|inside|within) (?P<what>.+?)",
            rf"\b(?:{_WHENEVER}|if|once) (?:you|we|i|somebody|someone)"
            rf"(?:'ve|'re| have| are)? {_CHANGES} (?P<what>.+?)",
            rf"\b(?:after|when(?:ever)?|on) {_CHANGES} (?P<what>.+?)",
            rf"\b(?:{_WHENEVER}|if) (?P<what>(?:the )?[\w./*-]+(?: \w+)?)"
            r" (?:(?:is|are|gets|was|were|has been|have been) )?"
            r"(?:changed?|changes|edited|modified|updated|touched)",
            rf"\b(?:{_WHENEVER}) (?:(?:you|we) )?(?:write|writing|wrote|(?:have )?written)"
            r" (?P<what>(?:any |some |new |the )?(?:source )?code)",
            rf"\bafter (?P<what>(?:any |all |the )?(?:source )?code) {_CHANGES}",
        )
    ),
    re.compile(
        r"\bnever (?:change|edit|touch|modify) (?P<what>\S+(?: (?:folder|directory|files?))?) without\b", re.I
    ),
)
"""The words for a change; `what` is changed."""
_SOURCE = re.compile(
    r"(?:(?:any|some|new|all|the|our|your|a|of) )*(?:source )?"
    r"(?:code(?: files?| ?base)?|source(?: files?)?|files?)",
    re.I,
)
_HARMLESS = lexicon.listed(
    """a an any all the our your this some file files folder folders directory directories dir code source in
    of under inside to or and one something anything module package existing"""
)
_NAMES = re.compile(r"[\w./*@-]*[/.][\w./*@-]*|[\w'-]+")


def _opening(text: str) -> re.Match[str] | None:
    """The words of a text that speak of a change."""
    return next((match for form in _OPENINGS if (match := form.search(text))), None)


def _changed_files(words: re.Match[str]) -> tuple[str, ...]:
    """The files whose change the words are about; none where they say more of it than where it is."""
    given = words.groupdict()
    which = set((given.get("which") or "").lower().split())
    what = (given.get("what") or "").strip(" .`")
    if which - {"code", "source", "single", "new", "file", "last"}:
        return ()
    if not what or _SOURCE.fullmatch(what):
        return (ANY_SOURCE,)
    if what.rstrip("/") in named_files.ROOTS:
        return (f"{what.rstrip('/')}/**",)
    bare = what.replace("`", "")
    patterns = named_files.named_patterns(bare) or named_files.things(bare, ())
    languages = () if patterns else tuple(f"**/*.{ending}" for ending in named_files.of_languages(bare, ()))
    return tuple(patterns or languages) if _names_only(bare, patterns, languages) else ()


def _names_only(what: str, patterns: list[str], languages: tuple[str, ...]) -> bool:
    """Whether words name files, and nothing of what is in them."""
    rest = [word.lower() for word in _NAMES.findall(what) if not named_files.named_patterns(word)]
    others = [word for word in rest if word.strip("/.") not in _HARMLESS]
    places = "".join(f"/{pattern}/" for pattern in patterns).lower()
    return all(
        f"/{word}/" in places or named_files.things(word, ()) or (languages and word in lexicon.LANGUAGES)
        for word in others
    )  # fmt: skip
