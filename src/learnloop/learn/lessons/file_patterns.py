"""File patterns: files that an instruction names, or those that were wrong in the turn before. Pure."""

import re
from collections.abc import Sequence

from learnloop.learn.language import everyday, lexicon
from learnloop.learn.lessons import named_files
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.learn.lessons.trigger_words import WORD, Parts, is_conduct

_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+")
_TEST_FILE = re.compile(
    r"^(?:(?P<before>test_)[\w-]+|[\w-]+(?P<after>_test|[.-](?:test|spec)))\.(?P<ext>\w+)$"
)
_TESTS_OF = {"py": "**/test_*.py", "go": "**/*_test.go", "rb": "**/*_spec.rb"} | {
    extension: f"**/*.test.{extension}" for extension in ("ts", "tsx", "js", "jsx")
}
_TOOLS = {"pytest": "py", "unittest": "py", "jest": "ts", "vitest": "ts"}
"""Test tools, and the extension of their files."""
_IN_TESTS = re.compile(
    r"\b(?:in|inside|within|for|of) (?:(?!every|each|run)\w+ ){0,2}tests?\b|\bmock(?:ed|ing)\b"
    r"|\bmock (?:the|a|an|any|out)\b|\bstub(?:s|bed|bing)\b|\bfixtures?\b"
    r"|\b(?:unit |integration |e2e |end-to-end |golden |view )?tests? (?:must |should |do not |don['’]t "
    r"|never |always )*"
    r"(?:uses?|names?|named|describes?|mocks?|sleeps?|begins?|starts? with|reads?|checks?|asserts?|have|has"
    r"|goes?|go|are"
    r"|live|belong|runs? against|talks?|hits?)\b"
    r"|\b(?:writ(?:e|ing)|nam(?:e|ing)|add(?:ing)?) (?:\w+ ){0,3}tests?\b(?! (?:for|when|to) (?:every|each"
    r"|any))|\btest (?:names?|files?|cases?|data)\b",
    re.I,
)
_NEEDS_TEST = re.compile(
    r"\b(?:needs?|gets?|has|have|must have|with|without) (?:an? |its )?(?:own )?(?:\w+ )?tests?\b", re.I
)
_POINTING = re.compile(r"\bin (?:this|that|these|those) (?:files?|modules?|folders?|class|component)\b", re.I)
_UPDATE = re.compile(
    r"\b(?:updat\w*|bump\w*|regenerat\w*|add(?:ed|s)?\b.{0,40}\bto|extend\w*|record(?:ed)? in"
    r"|document(?:ed)? in|note[ds]? in"
    r"|enter(?:ed)? in\w*|log(?:ged)? in|goes? with|goes in(?:to)?|keep .{1,30} in sync|in sync"
    r"|write .{1,30} in)\b",
    re.I,
)
_CONTENT = lexicon.words("file_patterns.content")
"""Words about what files contain, besides those about code."""
_STYLE = lexicon.words("file_patterns.style")
"""Words about how code is written everywhere, not about what one file contains."""
_MOST_FOLDERS = 3
_EVERYWHERE = lexicon.GENERIC | lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS
"""Words that are part of the names of files of any subject."""
_BOTH_TOOLS = 2
"""A choice between two test tools is about how tests are written; one alone is about what is run."""
_MANIFESTS = lexicon.listed("cfg ini json lock mod sum toml xml yaml yml")
"""Extensions of files that are told apart by name."""


def candidates(
    text: str, parts: Parts, subjects: Sequence[str], files: Sequence[str], *, updated: Sequence[str],
    is_forgotten: bool, has_commands: bool, has_words: bool,
) -> list[PossibleTrigger]:  # fmt: skip
    """What of the files a lesson may be told at.

    `files` are those that the turn wrote, below the project, `updated` the patterns of `updated_files`.
    `has_words` says that words of their own tell the moment.
    """
    against = named_files.named_patterns(f"{parts.unwanted}\n{parts.moment}", files, bare=True)
    places = [pattern for pattern in _places(parts, files, against) if pattern not in updated]
    if updated or is_forgotten:
        left = _without(files, updated)
        near = _near(parts.moment, left) if _has_subject(parts.moment) else left
        return _about(places) if places else _of_written(near, code_wide=False, by_name=True)
    if places:
        return _about(places, is_certain=bool(against))
    if is_conduct(text):
        near = _near(parts.moment, files)
        return _of_written(near, code_wide=False) if near else []
    if has_commands and not _is_on_tests(text, files):
        return []
    is_choice = bool(parts.wanted and parts.unwanted) and not has_commands
    return _by_content(text, subjects, files, is_choice=is_choice, has_words=has_words)


def _places(parts: Parts, files: Sequence[str], unwanted: list[str]) -> list[str]:
    """The files that the words are against or have as their moment, `unwanted`; else those they name."""
    if unwanted and _TESTS.search(parts.unwanted):
        forms = dict.fromkeys(filter(None, map(_test_form, files)))
        unwanted = [
            pattern.replace("/**", f"/{form}")
            for form in forms
            for pattern in unwanted
            if pattern.endswith("/**")
        ] or unwanted
    if unwanted:
        return unwanted
    return named_files.named_patterns(parts.plain, files) or named_files.things(parts.when, files)


_TESTS = re.compile(r"\btests?\b", re.I)


def _about(patterns: Sequence[str], *, is_certain: bool = False) -> list[PossibleTrigger]:
    return [PossibleTrigger("file", (pattern,), is_certain=is_certain) for pattern in patterns]


def updated_files(parts: Parts, files: Sequence[str], *, is_forgotten: bool) -> list[str]:
    """The files that have to change with others: `you forgot F`, `add it to F`. None is its own trigger."""
    orders = f"{parts.wanted}\n{parts.plain}"
    if not (is_forgotten or _UPDATE.search(orders)):
        return []
    entered = filter(named_files.is_updated, named_files.things(orders, files))
    return list(dict.fromkeys([*named_files.named_patterns(orders, files), *entered]))


def _has_subject(moment: str) -> bool:
    """Whether a moment is about something: `adding analytics`, not `every change of the code`."""
    words = (word.lower() for word in WORD.findall(moment))
    return any(not (everyday.is_everyday(word) or word in _EVERYWHERE | lexicon.CODE) for word in words)


def _without(files: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The files without those of some patterns: a missing entry is never noticed in its own file."""
    names = {pattern.rpartition("/")[2].rstrip("*") for pattern in patterns}
    return [
        path for path in files if not any(path.rpartition("/")[2].startswith(name) for name in names if name)
    ]


def _by_content(
    text: str, subjects: Sequence[str], files: Sequence[str], *, is_choice: bool, has_words: bool
) -> list[PossibleTrigger]:
    """Files by what the words are about: tests, a language, or what the written files contain.

    `is_choice` says that one thing is used instead of another, which is seen where it was used. What files
    contain is told at its own words where it has any: a folder that was open says less.
    """
    words = {word.lower() for word in WORD.findall(text)}
    if _IN_TESTS.search(text) and not _NEEDS_TEST.search(text):
        return _tests([*files, *(f".{extension}" for extension in _tools(text))])
    if extensions := named_files.of_languages(text, files):
        return _about([f"**/*.{extension}" for extension in extensions])
    if tools := _tools(text):
        return _tests([*files, *(f".{extension}" for extension in tools)])
    near = _near(" ".join(subjects), files)
    is_style = not _STYLE.isdisjoint(words) and lexicon.NO_FILES.isdisjoint(words)
    is_about_files = not _CONTENT.isdisjoint(words) or _POINTING.search(text) or _NEEDS_TEST.search(text)
    if near:
        return _of_written(near, code_wide=False)
    if is_style or is_choice or (is_about_files and not has_words and lexicon.NO_FILES.isdisjoint(words)):
        is_prose_too = not _CONTENT.isdisjoint(words) and not is_choice
        return _of_written(files if is_prose_too else _code(files), code_wide=is_style)
    return []


def _is_on_tests(text: str, files: Sequence[str]) -> bool:
    """Whether words about a test tool are about how tests are written: they choose, or tests were written."""
    tools = _tools(text)
    return len(tools) >= _BOTH_TOOLS or bool(tools and any(map(_test_form, files)))


def _tools(text: str) -> list[str]:
    return [_TOOLS[word] for word in sorted({word.lower() for word in WORD.findall(text)} & _TOOLS.keys())]


def _tests(files: Sequence[str]) -> list[PossibleTrigger]:
    """The tests of these files' languages, or the test files themselves by their form."""
    forms = [_test_form(path) for path in files]
    own = [form for form in forms if form] or [_TESTS_OF.get(path.rpartition(".")[2], "") for path in files]
    return _about(list(dict.fromkeys(filter(None, own))))


def _test_form(path: str) -> str:
    test = _TEST_FILE.match(path.rpartition("/")[2])
    if test is None:
        return ""
    return f"**/test_*.{test['ext']}" if test["before"] else f"**/*{test['after']}.{test['ext']}"


def _of_written(files: Sequence[str], *, code_wide: bool, by_name: bool = False) -> list[PossibleTrigger]:
    """The kinds of files that the turn wrote, in their folders; prose only if nothing else was written.

    `by_name` adds manifests and version files by their names: something was forgotten beside them.
    """
    code = _code(files)
    code = [path for path in code if not _test_form(path)] or code
    named = list(filter(None, map(_by_name, files))) if by_name else []
    rest = [path for path in code or files if not (by_name and _by_name(path))]
    patterns = dict.fromkeys([*named, *_in_folders(rest, code_wide=code_wide)])
    return [PossibleTrigger("file", (pattern,), named=False, is_style=code_wide) for pattern in patterns]


def of_written(files: Sequence[str]) -> list[str]:
    """The patterns of the kinds of files that a turn wrote, in their folders."""
    return [option for each in _of_written(files, code_wide=False) for option in each.options]


def _code(files: Sequence[str]) -> list[str]:
    return [path for path in files if path.rpartition(".")[2].lower() not in lexicon.PROSE]


def _by_name(path: str) -> str:
    """The pattern of a manifest, or of all files with a version's name; empty for other files."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    if stem and "version" in name.lower():
        return f"**/*version*{dot}{extension}"
    return f"**/{name}" if extension.lower() in _MANIFESTS else ""


def _in_folders(files: Sequence[str], *, code_wide: bool) -> list[str]:
    """For each kind of file a pattern: everywhere for a rule on code in general, else in its folder."""
    folders = dict.fromkeys((path.rpartition("/")[0], _kind(path)) for path in files)
    if code_wide:
        return [f"**/{kind}" for _, kind in folders if kind[0] == "*" and kind[2:].lower() not in _MANIFESTS]
    if len(folders) > _MOST_FOLDERS and (top := named_files.common_folder(files)):
        return [f"{top}/**/{kind}" for _, kind in folders]
    return [
        f"{folder}/{kind}" if folder else f"/{path.rpartition('/')[2]}"
        for path in files
        for folder, kind in [(path.rpartition("/")[0], _kind(path))]
    ]


def _kind(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return f"*.{extension}" if dot and stem else name


def _near(words: str, files: Sequence[str]) -> list[str]:
    """The files in whose path a word is."""
    named = (word.lower() for word in WORD.findall(words) if len(word) > 2)
    stems = {word.removesuffix("s") for word in named if word not in _EVERYWHERE}
    return [
        path for path in files if stems & {piece.lower().removesuffix("s") for piece in _PART.findall(path)}
    ]
