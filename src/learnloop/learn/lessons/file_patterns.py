"""File patterns: files and folders that words name (`vendor/`), or those of the turn before. Pure."""

import re
from collections.abc import Collection, Sequence

from learnloop.learn.language import lexicon, rarity
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.learn.lessons.trigger_words import WORD, Parts, is_conduct

_EXTENSIONS = (
    r"jsonc?|json5|toml|ya?ml|lock|cfg|ini|sql|md|mdx|txt|xml|py|pyi|ipynb|tsx?|jsx?|mjs|cjs|css|scss|html?"
    r"|sh|go|rs"
    r"|rb|java|kt|swift|php|vue|svelte|proto|graphql|prisma|tf|tfvars|csv|env|gradle|dart|cs|cpp|c|h|hpp|ex"
    r"|exs|svg"
)
_LIBRARIES = "chart|d3|ember|express|moment|next|node|nuxt|p5|react|three|vue|xterm"
"""With `.js` after them these are names of libraries."""
_NOT_ANY = r"(?<!\ba )(?<!\ban )(?<!\bone )(?<!\bown )"
"""`a README` is one of many, `the README` a file that is there."""
_FILE = re.compile(
    rf"(?<![\w/.@:-])(?!(?:{_LIBRARIES})\.js\b)(?:\.{{0,2}}/)?(?:[\w@.-]+/)*[\w@*.-]*[\w*]\.(?:{_EXTENSIONS})(?![\w/-])(?!\.\w)"
    r"|(?<![\w/.])(?:[\w-]+/)*\.env(?:\.\w+)?(?![\w/-])|(?<![\w/.])\.(?:git|docker|npm|eslint|prettier)\w*\b"
    r"|(?<![\w/])(?:Dockerfile|Makefile|Justfile|Procfile|Gemfile|Rakefile|Vagrantfile|CODEOWNERS)\b(?!\.\w)"
    rf"|{_NOT_ANY}(?<![\w/])(?:CHANGELOG|README|LICENSE)\b(?!\.\w)"
)
_FOLDER = re.compile(
    r"(?<![\w/.:@~-])(?:\./)?((?:[\w@.-]+/)+)(?:\*\*?(?:/\*)?)?(?![\w*])"
    r"|\b(?P<named>[a-z_][\w.-]*) (?:folder|directory|dir|package)\b(?!['’]s)"
    r"|\b(?:folder|directory|package) (?P<after>[a-z_][\w.-]*/?)(?=[\s,.;]|$)",
    re.I,
)
_SLASHED = re.compile(r"(?<![\w/.:@~-])([\w@.-]+(?:/[\w@.-]+)+)(?![\w/*])")
_BRANCH = re.compile(r"[\w/-]*<[^<>\n]{1,40}>[\w/-]*|\bbranch\w*\b.*", re.I)
"""Names with blanks to fill in, and what is said of branches: their slashes part no folders."""
_RUN_SCRIPT = re.compile(
    r"\b(?:run|running|runs|ran|call\w*|execut\w+|start\w*) (?:the |`)?(?:[\w.-]+/)*[\w-]+\.\w", re.I
)
_INTO = re.compile(
    r"\b(?:in|into|inside|under|to|from|below|touch|edit|change|modify) (?:the )?`?([\w.-]+)`?(?=[\s,.;:]|$)",
    re.I,
)
_THE_FOLDER = re.compile(
    r"\b(?:touch|edit|change|modify|delete|in|into|inside|to|from|under|below) the ([a-z_][\w-]+)"
    r" (?:folder|directory|dir)\b",
    re.I,
)
_NO_FOLDER = lexicon.NO_KEYWORDS | lexicon.words("named_files.no_folder")
_CAPITALS = lexicon.listed("CHANGELOG README LICENSE")
_THINGS = tuple(
    (re.compile(rf"\b(?:{words})\b", re.I), patterns) for words, patterns in lexicon.table("things")
)
"""Things that people name without a file name, and where they are."""
_UPDATED = lexicon.listed("**/CHANGELOG* **/README* **/*.lock **/package-lock.json **/pnpm-lock.yaml")


def files_named(text: str) -> list[str]:
    """The files that a text names, in order, each once."""
    return list(dict.fromkeys(match[0].removeprefix("./").lstrip("@") for match in _FILE.finditer(text)))


def named_patterns(text: str, written: Sequence[str] = (), *, bare: bool = False) -> list[str]:
    """Patterns of the files and folders that a text names; `written` tells deep folders from those at the
    root.

    `bare` also takes a word for a folder if something was written in a folder of that name: `nothing in src`.
    """
    files = [_file_pattern(name, text) for name in files_named(text) if not _RUN_SCRIPT.search(text)]
    rest = _BRANCH.sub(" ", _FILE.sub(" ", text))
    folders = [_folder_pattern(name, written) for name in _folders(rest, written, bare=bare)]
    return list(dict.fromkeys([*files, *filter(None, folders)]))


def things(text: str, written: Sequence[str]) -> list[str]:
    """Patterns of the things a text names, as far as the turn wrote such files, or else all of them."""
    patterns = [pattern for words, of_thing in _THINGS if words.search(text) for pattern in of_thing]
    extensions = {path.rpartition(".")[2] for path in written}
    near = [pattern for pattern in patterns if pattern.rpartition(".")[2] in extensions]
    return list(dict.fromkeys(near or patterns))


def is_updated(pattern: str) -> bool:
    """Whether a thing is one that other changes are entered in: the changelog."""
    return pattern in _UPDATED


def of_languages(text: str, written: Sequence[str]) -> list[str]:
    """The extensions of the languages that a text names: those written, or the first of each."""
    words = {match[0].lower() for match in re.finditer(r"\w+", text)}
    named = [
        word
        for word in sorted(words & lexicon.LANGUAGES.keys())
        if word not in _OFTEN_OUTPUT or re.search(rf"\b(?:in|writ\w+) {word}\b", text, re.I)
    ]
    extensions = {path.rpartition(".")[2] for path in written}
    own = [extension for word in named for extension in lexicon.LANGUAGES[word] if extension in extensions]
    return own or [lexicon.LANGUAGES[word][0] for word in named]


_OFTEN_OUTPUT = lexicon.listed("css html markdown sql yaml")
"""Formats that are named for what is put out, as in `an HTML report`."""


def common_folder(files: Collection[str]) -> str:
    """The deepest folder that contains all files."""
    parts = [path.split("/")[:-1] for path in files]
    shared = []
    for segments in zip(*parts, strict=False):
        if len(set(segments)) > 1:
            break
        shared.append(segments[0])
    return "/".join(shared)


def _file_pattern(name: str, text: str) -> str:
    if name in _CAPITALS:
        return f"**/{name}*"
    if text.startswith(name) and name[0].isupper() and name[1:].islower():  # a sentence begins with it
        return f"**/[{name[0]}{name[0].lower()}]{name[1:]}"
    return f"**/{name.lstrip('/')}"


def _folders(text: str, written: Sequence[str], *, bare: bool) -> list[str]:
    segments = {segment for path in written for segment in path.split("/")[:-1]}
    names = []
    for match in _FOLDER.finditer(text):
        name = (match[1] or match["named"] or match["after"] or "").strip("/.")
        is_name = name in segments or name in ROOTS or (name.islower() and not rarity.is_everyday(name))
        if match[1] or is_name:
            names.append(name)
    if bare:
        names += [name for name in _THE_FOLDER.findall(text) if name.lower() not in _NO_FOLDER]
        names += [match[1] for match in _INTO.finditer(text) if match[1] in segments]
    for match in _SLASHED.finditer(text):
        head = match[1].partition("/")[0]
        if (head in segments or head in ROOTS) and match[1].islower():
            names.append(match[1])
    return [name for name in dict.fromkeys(names) if len(name) > 1]


ROOTS = lexicon.words("named_files.roots")


def _folder_pattern(name: str, written: Sequence[str]) -> str:
    if ".." in name or name.startswith(("http", "www")):
        return ""
    is_deep = any(f"/{name}/" in f"/{path}" and not path.startswith(f"{name}/") for path in written)
    return f"**/{name}/**" if is_deep else f"{name}/**"


_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+")
_STYLE = lexicon.words("file_patterns.style")
"""Words about how code is written everywhere, not about what one file contains."""
UPDATE = re.compile(
    r"\b(?:updat\w*|bump\w*|regenerat\w*|forg[eo]t\w*|add(?:ed|s)?\b.{0,40}\bto|goes (?:with|in(?:to)?)"
    r"|(?:record|note|log|enter)\w* in|in sync)\b",
    re.I,
)
"""Says that a file has to change with others: it is noticed where the others are written."""
_MOST_FOLDERS = 3
_EVERYWHERE = lexicon.GENERIC | lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS
"""Words that are part of the names of files of any subject."""
_MANIFESTS = lexicon.listed("cfg ini json lock mod sum toml xml yaml yml")
"""Extensions of files that are told apart by name."""


def candidates(
    text: str, parts: Parts, files: Sequence[str], *, has_commands: bool
) -> list[PossibleTrigger]:  # fmt: skip
    """What of the files a lesson may be told at; `files` are those that the turn wrote, below the project.

    Named files come before a language, and that before what was written. Commands name no files.
    """
    against = named_patterns(f"{parts.unwanted}\n{parts.moment}", files, bare=True)
    orders = "" if UPDATE.search(f"{parts.wanted}\n{parts.plain}") else parts.plain
    plain = named_patterns(orders, files) or (things(f"{parts.moment}\n{parts.unwanted}\n{orders}", files))
    if named := against or plain:
        return [PossibleTrigger("file", (pattern,), is_certain=bool(against)) for pattern in named]
    if has_commands:
        return []
    if is_conduct(text):
        return _of_written(_near(_words(parts.moment), files), code_wide=False)
    if extensions := of_languages(text, files):
        return [PossibleTrigger("file", (f"**/*.{extension}",)) for extension in extensions]
    words = _words(text)
    if near := _near(words, files):
        return _of_written(near, code_wide=False)
    is_style = not _STYLE.isdisjoint(words) and lexicon.NO_FILES.isdisjoint(words)
    return _of_written(_code(files), code_wide=is_style) if is_style else []


def is_about_one(text: str) -> bool:
    """Whether words may be about one kind of file: neither about code everywhere nor about no file at all."""
    return _words(text).isdisjoint(_STYLE | lexicon.NO_FILES)


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def _of_written(files: Sequence[str], *, code_wide: bool) -> list[PossibleTrigger]:
    """The kinds of files that the turn wrote, in their folders; prose only if nothing else was written."""
    patterns = dict.fromkeys(_in_folders(_code(files) or files, code_wide=code_wide))
    return [PossibleTrigger("file", (pattern,), named=False, is_style=code_wide) for pattern in patterns]


def of_written(files: Sequence[str]) -> list[str]:
    """The patterns of the kinds of files that a turn wrote, in their folders."""
    return [option for each in _of_written(files, code_wide=False) for option in each.options]


def _code(files: Sequence[str]) -> list[str]:
    return [path for path in files if path.rpartition(".")[2].lower() not in lexicon.PROSE]


def _in_folders(files: Sequence[str], *, code_wide: bool) -> list[str]:
    """For each kind of file a pattern: everywhere for a rule on code in general, else in its folder."""
    folders = dict.fromkeys((path.rpartition("/")[0], _kind(path)) for path in files)
    if code_wide:
        return [f"**/{kind}" for _, kind in folders if kind[0] == "*"]
    if len(folders) > _MOST_FOLDERS and (top := common_folder(files)):
        return [f"{top}/**/{kind}" for _, kind in folders]
    return [
        f"**/{kind}" if kind[0] != "*" else f"{folder}/{kind}" if folder else f"/{path.rpartition('/')[2]}"
        for path in files
        for folder, kind in [(path.rpartition("/")[0], _kind(path))]
    ]


def _kind(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return f"*.{extension}" if dot and stem and extension.lower() not in _MANIFESTS else name


def _near(words: set[str], files: Sequence[str]) -> list[str]:
    """The files in whose path a word is."""
    stems = {word.removesuffix("s") for word in words - _EVERYWHERE if len(word) > 2}
    return [
        path for path in files if stems & {piece.lower().removesuffix("s") for piece in _PART.findall(path)}
    ]
