"""Derives a lesson's triggers from its words and from the turn that was corrected. Pure.

Candidates come from the words (`trigger_commands`, `file_patterns`, `keywords` here) and from the evidence;
`trigger_choice` keeps those that fire at the moment and rarely elsewhere. A lesson on conduct has none.
"""

import re
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from types import MappingProxyType

from learnloop.learn.language import lexicon, rarity
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import file_patterns, meaning, trigger_commands, trigger_words
from learnloop.learn.lessons.trigger_choice import Calls, PossibleTrigger, catches, choose
from learnloop.learn.lessons.trigger_words import CONTRACTED, WORD
from learnloop.models.lesson import Triggers
from learnloop.wire import globs

_LONGEST, _BRIEF = 2000, 10
_LONGEST_WORD = 30
_NOTHING = Calls()
_WRITERS = ("Write", "Edit")
"""What was left out is noticed when the rest is written."""
_UNKNOWN: Mapping[str, str] = MappingProxyType({})
_COMMON_ENDING = re.compile(
    r"(?:ly|able|ible|ive|ous|ful|less|ize[ds]?|ing|ed|est|ity|ities|ness|tions?|sions?|ments?|isms?|ward"
    r"|wards)$"
)
"""Endings of adjectives, adverbs, verbs and abstract nouns, which rarely name a subject."""
_BLANK = re.compile(r"https?://\S+|[\w/-]*<[^<>\n]{1,40}>|[\w@.-]+/(?=[\s,.;*]|$)")
_PIECE = re.compile(r"[^\W_]{2,}")
_NARROW = lexicon.listed("api environment key keys queries query")
"""Common words that name a subject together with another."""
_IDENTIFIER = re.compile(r"[a-z\d][A-Z]|\w_\w|\w\.\w|\d[a-z]|[a-z]\d")


def derive(
    statement: str, quote: str = "", *, files: Sequence[str] = (), commands: Sequence[str] = (),
    task: str = "", project: str = "", said: str = "", history: Calls = _NOTHING,
    written: Mapping[str, str] = _UNKNOWN,
) -> Triggers:  # fmt: skip
    """The triggers of a lesson, in the words of its statement, or of the quote where it has none.

    `files` and `commands` are those of the turn that was corrected, `task` what it was asked, `written` what
    was written into files, `said` all of the remark, `history` the newest calls and prompts of the project
    before it. Everything is empty for a lesson that no call or prompt can tell the moment of.
    """
    text = (statement or quote)[:_LONGEST]
    texts = {below: written.get(path, "") for path in files if (below := path_below(path, project))}
    on_commands, has_commands = _on_commands(text, commands)
    plain = INLINE_CODE.sub(_without_command, text)
    on_files = file_patterns.candidates(
        plain, trigger_words.parts(plain), list(texts), has_commands=has_commands
    )
    on_words = [] if trigger_words.is_conduct(text) else _on_words(text, list(texts), project)
    moment = _moment(text, files, commands, task)
    derived = choose([*on_files, *on_commands, *on_words], moment, history, project)
    certain = [each for each in (*on_files, *on_commands) if each.is_certain]
    is_told = catches(derived, moment, project) or not (texts or commands)
    if not is_told and (certain or not trigger_words.is_conduct(text)):
        near = traced(text, commands, texts) or traced(said, commands, texts)
        only = [] if certain else only_acts(text, list(texts), commands)
        derived = choose([*certain, *(near or only)], moment, history, project)
    is_entered = derived.file_patterns and file_patterns.UPDATE.search(text)
    return derived.with_(tool_names=_WRITERS) if is_entered else derived


def _moment(text: str, files: Sequence[str], commands: Sequence[str], task: str) -> Calls:
    """The calls of the moment; where nothing is known of it, a brief text stands for its prompt."""
    is_known = bool(files or commands or task)
    prompt = "\n".join((task, *files, *commands)) if is_known else text if len(text.split()) <= _BRIEF else ""
    return Calls(files, commands, (prompt,))


def _on_commands(text: str, commands: Sequence[str]) -> tuple[list[PossibleTrigger], bool]:
    """The candidates among commands, and whether the words name any."""
    candidates = trigger_commands.candidates(text, trigger_words.parts(text), commands)
    return candidates, any(candidate.named for candidate in candidates)


def _on_words(text: str, own: Sequence[str], project: str) -> list[PossibleTrigger]:
    """The candidates among words: of the moment where there is one, none that a path or the project has."""
    parts = trigger_words.parts(text)
    covered = {segment.lower() for path in own for segment in path.split("/")[:-1]}
    covered |= {name.lower() for name in file_patterns.files_named(text)}
    covered |= set(_PIECE.findall(project.rpartition("/")[2].lower()))
    return _keywords(f"{parts.moment}\n{parts.unwanted}" if parts.moment else parts.when, parts, covered)


def _without_command(code: re.Match[str]) -> str:
    """Quoted code, without a command: its files are arguments."""
    return " " if trigger_commands.is_command(code[1]) else code[0]


def _keywords(spoken: str, parts: trigger_words.Parts, named: Set[str]) -> list[PossibleTrigger]:
    """Distinctive words and pairs, never what is wanted itself; `named` are those of file patterns."""
    avoid = named | set(_words(parts.wanted)) - set(_words(parts.unwanted))
    pairs = [f"{first} {second}" for first, second in pairwise(_words(spoken))
             if {first, second} <= lexicon.GENERIC and not _NARROW.isdisjoint((first, second))]  # fmt: skip
    alone = dict.fromkeys([*pairs, *(word.lower() for word in _named(spoken) if _is_distinctive(word))])
    narrowest = sorted((word for word in alone if word not in avoid), key=str.isalpha)
    return [PossibleTrigger("word", (word,), named=_is_name(word)) for word in narrowest]


def _is_name(word: str) -> bool:
    """Whether a word is certainly no everyday one: an identifier or a program."""
    return not word.isalpha() or word in trigger_commands.PROGRAMS


def _words(text: str) -> list[str]:
    return [word.lower() for word in _named(text)]


def _named(text: str) -> list[str]:
    """The words of a text without blanks to fill in and covered."""
    plain = CONTRACTED.sub(" ", _BLANK.sub(" ", text))
    return [word.strip("._/") for word in WORD.findall(plain) if "/" not in word]


def _is_distinctive(word: str) -> bool:
    """Whether a word identifies a subject alone: a rare word, the name of a tool, an identifier."""
    low = word.lower()
    is_common = low in lexicon.LANGUAGES or low in trigger_commands.AMBIGUOUS or rarity.is_everyday(low)
    if len(low) < 3 or word.startswith("-") or is_common:
        return False
    if _IDENTIFIER.search(word):
        return len(word) <= _LONGEST_WORD and min(map(len, word.split("."))) > 1
    if word.islower() and low not in trigger_commands.PROGRAMS and _COMMON_ENDING.search(low):
        return False
    return not all(rarity.is_everyday(piece) for piece in re.split(r"[-./+']", low) if len(piece) > 1)


_LOOKS = frozenset((
    "ls", "cat", "head", "tail", "less", "cd", "pwd", "echo", "printf", "grep", "rg", "find", "wc", "which",
    "env", "true", "sleep", "diff", "tree", "file", "stat",
))  # fmt: skip
_GIT_LOOKS = frozenset(("git status", "git log", "git diff", "git show", "git branch", "git fetch"))
"""Programs and acts that change nothing: they are hardly what was corrected."""
_TRACED_NOUNS = frozenset(("git commit",))
"""A text with the word may speak of the thing; `trigger_tools.acts` knows those that mean the act."""


_SIGNS = str.maketrans("/*-._", "     ")


def traced(text: str, commands: Sequence[str], texts: Mapping[str, str]) -> list[PossibleTrigger]:
    """The acts and files of a turn that a text is about; `texts` are those written, by path."""
    spoken = meaning.read(text).signs.keys()
    flags, terms = {f"--{term}" for term in spoken}, spoken - lexicon.PLAIN_ACTS
    named = trigger_commands.commands_of_acts(text, text, commands)
    acts = [
        act
        for call, act in _acts_of(commands).items()
        if _traced_terms(call) & terms
        or not flags.isdisjoint(call.split())
        or any(globs.runs(each, [call], call) for each in named)
    ]
    near = [path for path, wrote in texts.items() if _traced_terms(f"{path} {wrote}") & terms]
    return _done(acts, near)


def acts_of_turn(files: Sequence[str], commands: Sequence[str], project: str) -> list[Triggers]:
    """A turn's acts as moments, each by itself: first what was written last, then what was run last."""
    inside = [path for path in (path_below(path, project) for path in files) if path]
    written = dict.fromkeys(reversed(file_patterns.of_written(inside)))
    acts = dict.fromkeys(reversed(_acts_of(commands).values()))
    return [
        *(Triggers(file_patterns=(pattern,)) for pattern in written),
        *(Triggers(command_patterns=(act,)) for act in acts),
    ]


def only_acts(text: str, files: Sequence[str], commands: Sequence[str]) -> list[PossibleTrigger]:
    """The one thing that a turn did: its command, or its kind of file where the words may be about one."""
    done = _done(list(_acts_of(commands).values()), files if file_patterns.is_about_one(text) else ())
    return done if len({each.options for each in done}) == 1 else []


def _acts_of(commands: Sequence[str]) -> dict[str, str]:
    """The acts of commands by their call, without those that only look."""
    calls = (call for command in commands for call in globs.simple_commands(command))
    return {call: act for call in calls if (act := _traced_act(call))}


def _done(acts: Sequence[str], files: Sequence[str]) -> list[PossibleTrigger]:
    return [
        *(PossibleTrigger("command", (act,)) for act in dict.fromkeys(acts)),
        *(PossibleTrigger("file", (path,)) for path in file_patterns.of_written(files)),
    ]


def _traced_act(call: str) -> str:
    """A command as far as it names its act: the program, a subcommand, and a telling flag behind it."""
    words = call.split()
    program = words[0].rpartition("/")[2] if words else ""
    second = words[1] if len(words) > 1 and words[1].replace("-", "").isalnum() else ""
    act = f"{program} {second}".strip()
    if not program.isascii() or program in _LOOKS or act in _GIT_LOOKS | _TRACED_NOUNS:
        return ""
    flag = next((word for word in words[2:] if word.startswith("--")), "")
    return f"{act} *{flag}" if second and flag else act


def _traced_terms(words: str) -> set[str]:
    """The stems of words, commands or code."""
    return set(meaning.read(words.translate(_SIGNS)).signs)


def path_below(path: str, project: str) -> str:
    """A path below the project, by its last two parts where it lies elsewhere, empty for a scratch file."""
    if project and path.startswith(f"{project}/"):
        return path[len(project) + 1 :]
    if path.startswith("/"):
        return "" if project else "**/" + "/".join(path.split("/")[-2:])
    return path
