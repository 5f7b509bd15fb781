"""Derives a lesson's triggers from its words and from the turn that was corrected. Pure.

Candidates come from the words (`trigger_commands`, `file_patterns`, `keywords` here) and from the evidence;
`trigger_choice` keeps those that fire at the moment and rarely elsewhere. A lesson on conduct has none.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from types import MappingProxyType

from learnloop.learn.language import everyday, lexicon
from learnloop.learn.language.words import INLINE_CODE
from learnloop.learn.lessons import (
    file_patterns,
    meaning,
    trigger_commands,
    trigger_tools,
    trigger_words,
)
from learnloop.learn.lessons.trigger_choice import Calls, PossibleTrigger, catches, choose
from learnloop.learn.lessons.trigger_words import CONTRACTED, WORD, content_words
from learnloop.models.lesson import Triggers
from learnloop.wire import globs

_SUBJECTS, _LONGEST, _BRIEF = 20, 2000, 10
_LONGEST_WORD = 30
_REMARK = 200
"""A longer quote also says other things than the lesson."""
_NOTHING = Calls()
_UNKNOWN: Mapping[str, str] = MappingProxyType({})
_WRITERS = ("Write", "Edit")
"""What was forgotten is noticed when the rest is written."""
_COMMON_ENDING = re.compile(
    r"(?:ly|able|ible|ive|ous|ful|less|ize[ds]?|ing|ed|est|ity|ities|ness|tions?|sions?|ments?|isms?|ward"
    r"|wards)$"
)
"""Endings of adjectives, adverbs, verbs and abstract nouns, which rarely name a subject."""
_BLANK = re.compile(r"https?://\S+|[\w/-]*<[^<>\n]{1,40}>|[\w@.-]+/(?=[\s,.;*]|$)")
_PIECE = re.compile(r"[^\W_]{2,}")
_PAUSE = re.compile(r"[\n()\[\]\"“”]+")
_IDENTIFIER = re.compile(r"[a-z\d][A-Z]|\w_\w|\w\.\w|\d[a-z]|[a-z]\d")


def derive(
    statement: str, quote: str = "", *, files: Sequence[str] = (), commands: Sequence[str] = (),
    task: str = "", project: str = "", said: str = "", history: Calls = _NOTHING,
    written: Mapping[str, str] = _UNKNOWN,
) -> Triggers:  # fmt: skip
    """The triggers of a lesson, in the words of its statement, or of the quote where it has none.

    `files` and `commands` are those of the turn that was corrected, `task` what it was asked, `written` what
    was written into files, `said` all of the remark, `history` the newest calls and prompts of the project
    before it. Everything is empty for a lesson that no call or
    prompt can tell the moment of.
    """
    text = (statement or quote)[:_LONGEST]
    texts = {below: written.get(path, "") for path in files if (below := _below(path, project))}
    own = _corrected(texts, text)
    is_forgotten = trigger_words.is_omission(text) or (
        len(quote) <= _REMARK and trigger_words.is_omission(quote)
    )
    on_commands, has_commands = _on_commands(text, commands)
    on_files, updated = _on_files(text, own, is_forgotten=is_forgotten, has_commands=has_commands)
    on_words = (
        []
        if trigger_words.is_conduct(text)
        else _on_words(text, own, updated, project, is_forgotten=is_forgotten)
    )
    moment = _moment(text, files, commands, task)
    derived = choose([*on_files, *on_commands, *on_words], moment, history, project)
    certain = [each for each in (*on_files, *on_commands) if each.is_certain]
    if (own or commands) and not catches(derived, moment, project) and (certain or not _has_moment(text)):
        near = traced(text, own, commands, texts) or traced(said, list(texts), commands, texts)
        derived = choose([*certain, *(near or _alone(own, commands))], moment, history, project)
    return derived.with_(tool_names=_WRITERS) if is_forgotten and derived.file_patterns else derived


def _corrected(texts: Mapping[str, str], text: str) -> list[str]:
    """The files in whose new text something stands that the words speak of, and that few of them have.

    All files where none has.
    """
    parts = trigger_words.parts(text)
    spoken = _traced_terms(parts.when) - _traced_terms(parts.wanted)
    found = {path: _traced_terms(wrote) & spoken for path, wrote in texts.items()}
    count = Counter(term for terms in found.values() for term in terms)
    few = [path for path, terms in found.items() if any(2 * count[term] <= len(found) for term in terms)]
    return few or list(texts)


def _has_moment(text: str) -> bool:
    """Whether words that name no call name their moment all the same: conduct, or `before you are done`."""
    return trigger_words.is_conduct(text) or bool(trigger_words.parts(text).moment)


def _moment(text: str, files: Sequence[str], commands: Sequence[str], task: str) -> Calls:
    """The calls of the moment; where nothing is known of it, a brief text stands for its prompt."""
    is_known = bool(files or commands or task)
    prompt = "\n".join((task, *files, *commands)) if is_known else text if len(text.split()) <= _BRIEF else ""
    return Calls(files, commands, (prompt,))


def _on_commands(text: str, commands: Sequence[str]) -> tuple[list[PossibleTrigger], bool]:
    """The candidates among commands, and whether the words name any."""
    candidates = trigger_commands.candidates(text, trigger_words.parts(text), commands)
    return candidates, any(candidate.named for candidate in candidates)


def _on_files(
    text: str, own: Sequence[str], *, is_forgotten: bool, has_commands: bool
) -> tuple[list[PossibleTrigger], Sequence[str]]:
    """The candidates among files, and the files that have to change with others. Commands name no files."""
    plain = INLINE_CODE.sub(_without_command, text)
    parts, subjects = trigger_words.parts(plain), content_words(plain, most=_SUBJECTS)
    updated = file_patterns.updated_files(parts, own, is_forgotten=is_forgotten)
    candidates = file_patterns.candidates(
        plain, parts, subjects, own, updated=updated, is_forgotten=is_forgotten, has_commands=has_commands,
        has_words=bool(_keywords(parts.when, parts, set())),
    )  # fmt: skip
    return candidates, updated


def _on_words(
    text: str, own: Sequence[str], updated: Sequence[str], project: str, *, is_forgotten: bool
) -> list[PossibleTrigger]:
    """The candidates among words: of the moment where there is one, none that a path or the project has."""
    parts = trigger_words.parts(text)
    names = {pattern.rpartition("/")[2].rstrip("*").lower() for pattern in updated}
    folders = {segment.lower() for path in own for segment in path.split("/")[:-1]}
    folders |= set(_PIECE.findall(project.rpartition("/")[2].lower()))
    spoken = f"{parts.moment}\n{parts.unwanted}" if parts.moment else parts.when
    return _keywords(parts.moment if is_forgotten else spoken, parts, folders | names)


def _without_command(code: re.Match[str]) -> str:
    """Quoted code, without a command: its files are arguments."""
    return " " if trigger_commands.is_command(code[1]) else code[0]


def _below(path: str, project: str) -> str:
    """A path below the project, by its last two parts where it lies elsewhere, empty for a scratch file."""
    if project and path.startswith(f"{project}/"):
        return path[len(project) + 1 :]
    if path.startswith("/"):
        return "" if project else "**/" + "/".join(path.split("/")[-2:])
    return path


def _keywords(spoken: str, parts: trigger_words.Parts, named: Set[str]) -> list[PossibleTrigger]:
    """Distinctive words, and pairs of words that are distinctive together; never what is wanted itself.

    `named` are words that file patterns stand for.
    """
    avoid = named | set(_words(parts.wanted)) - set(_words(parts.unwanted))
    alone = [word.lower() for word in _named(spoken) if _is_distinctive(word)]
    pairs = [pair for line in _PAUSE.split(spoken) for pair in _pairs(line)]
    covered = {word for pair in pairs for word in pair.split()} | avoid
    words = dict.fromkeys([*pairs, *(word for word in alone if word not in covered)])
    narrowest = sorted(words, key=lambda word: not (" " in word or _IDENTIFIER.search(word)))
    return [PossibleTrigger("word", (word,), named=_is_name(word, spoken)) for word in narrowest]


def _is_name(word: str, spoken: str) -> bool:
    """Whether a word is certainly no everyday one: a name, an identifier, a program, a pair of words."""
    if not word.isalpha() or word in trigger_tools.PROGRAMS:
        return True
    after_first = [later for line in spoken.splitlines() for later in _named(line)[1:]]
    return any(later.lower() == word and not later.islower() for later in after_first)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _named(text)]


def _named(text: str) -> list[str]:
    """The words of a text without blanks to fill in and folders."""
    plain = CONTRACTED.sub(" ", _BLANK.sub(" ", text))
    return [word.strip("._/") for word in WORD.findall(plain) if "/" not in word]


def _is_distinctive(word: str) -> bool:
    """Whether a word identifies a subject alone: a rare word, the name of a tool, an identifier."""
    low = word.lower()
    is_common = low in lexicon.LANGUAGES or low in trigger_tools.AMBIGUOUS or everyday.is_everyday(low)
    if len(low) < 3 or word.startswith("-") or is_common:
        return False
    if _IDENTIFIER.search(word):
        return len(word) <= _LONGEST_WORD and min(map(len, word.split("."))) > 1
    if word.islower() and low not in trigger_tools.PROGRAMS and _COMMON_ENDING.search(low):
        return False
    return not all(everyday.is_everyday(piece) for piece in re.split(r"[-./+']", low) if len(piece) > 1)


def _pairs(line: str) -> list[str]:
    """The pairs of neighbours that identify a subject together: `api keys`; no verb with its object."""
    words = _words(line)
    return [
        f"{first} {second}"
        for at, (first, second) in enumerate(pairwise(words))
        if _is_noun(first) and _is_noun(second) and second in _NOUNS and not {first, second} <= _VAGUE
        and (first in _FIRST or not (everyday.is_everyday(first) or _COMMON_ENDING.search(first)))
        and not (first in _VERBS and (at == 0 or words[at - 1] in _BEFORE_VERBS))
    ]  # fmt: skip


def _is_noun(word: str) -> bool:
    return len(word) > 2 and word.isalpha() and word not in lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS


_NOUN_LIKE = lexicon.GENERIC | lexicon.CODE | lexicon.NO_FILES
_FIRST = _NOUN_LIKE.union(lexicon.LANGUAGES, lexicon.words("triggers.first"))
"""Everyday words that are narrow enough together with another."""
_NOUNS = _NOUN_LIKE | lexicon.words("triggers.nouns")
_VERBS = lexicon.PLAIN_ORDERS | lexicon.REGULAR_VERBS | lexicon.DOUBLING_VERBS
_BEFORE_VERBS = lexicon.listed("always and ever i must never not or please should to we you")
_VAGUE = lexicon.GENERIC - lexicon.listed("api environment key keys queries query")


_LOOKS = frozenset((
    "ls", "cat", "head", "tail", "less", "cd", "pwd", "echo", "printf", "grep", "rg", "find", "wc", "which",
    "env", "true", "sleep", "diff", "tree", "file", "stat",
))  # fmt: skip
_GIT_LOOKS = frozenset(("git status", "git log", "git diff", "git show", "git branch", "git fetch"))
"""Programs and acts that change nothing: they are hardly what was corrected."""
_TRACED_NOUNS = frozenset(("git commit",))
"""A text with the word may speak of the thing; `trigger_tools.acts` knows those that mean the act."""


_SIGNS = str.maketrans("/*-._", "     ")


def traced(
    text: str, files: Sequence[str], commands: Sequence[str], texts: Mapping[str, str]
) -> list[PossibleTrigger]:
    """The acts and files of a turn that a text is about; `files` are below the project.

    `texts` are what was written into them.
    """
    spoken = meaning.read(text).signs.keys()
    flags, terms = {f"--{term}" for term in spoken}, spoken - lexicon.PLAIN_ACTS
    named = trigger_tools.acts(text, text, commands)
    acts = [
        act
        for call, act in _acts_of(commands).items()
        if _traced_terms(call) & terms
        or not flags.isdisjoint(call.split())
        or any(globs.runs(each, [call], call) for each in named)
    ]
    near = [path for path in files if _traced_terms(f"{path} {texts[path]}") & terms]
    return _done(acts, near)


def acts_of_turn(files: Sequence[str], commands: Sequence[str], project: str) -> list[Triggers]:
    """A turn's acts as moments, each by itself: first what was written last, then what was run last."""
    below = [path for path in (_below(path, project) for path in files) if path]
    written = dict.fromkeys(reversed(file_patterns.of_written(below)))
    acts = dict.fromkeys(reversed(_acts_of(commands).values()))
    return [
        *(Triggers(file_patterns=(pattern,)) for pattern in written),
        *(Triggers(command_patterns=(act,)) for act in acts),
    ]


def _alone(files: Sequence[str], commands: Sequence[str]) -> list[PossibleTrigger]:
    """The command of a turn that ran one and wrote nothing."""
    acts = set(_acts_of(commands).values())
    return _done(list(acts), ()) if len(acts) == 1 and not files else []


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
