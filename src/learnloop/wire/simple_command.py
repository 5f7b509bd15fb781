"""A simple command as its words: without wrappers, in the forms that patterns name, and what it runs."""

BLANK = "\u2423"
"""Stands for a blank inside a quoted word."""
KEYWORDS = frozenset((
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time", "coproc",
))  # fmt: skip
_WRAPPERS = {
    "sudo": "-u -g -h -p -C -D -R -T -U", "doas": "-u -C", "env": "-u -C", "nice": "-n", "exec": "-a",
    "ionice": "-c -n -p", "timeout": "-s -k", "command": "", "builtin": "", "nohup": "", "time": "-f -o",
    "stdbuf": "-i -o -e", "setsid": "", "caffeinate": "-t -w", "unbuffer": "", "chronic": "",
    "strace": "-o -e", "xargs": "-n -I -P -L -d -s -a -E", "parallel": "-j",
}  # fmt: skip
"""Programs that run the rest of their words, with the options that take a value."""
_RUNNERS = {
    "npx": ("",), "bunx": ("",), "pnpx": ("",), "uvx": ("",), "dotenv": ("",), "npm": ("exec", "x"),
    "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"), "bun": ("x",), "uv": ("run",), "poetry": ("run",),
    "pipenv": ("run",), "pdm": ("run",), "hatch": ("run",), "rye": ("run",), "pipx": ("run",),
    "bundle": ("exec",), "corepack": ("",), "mise": ("exec", "x"),
}  # fmt: skip
"""Programs that run another one of a project, behind one of these words."""
SHELLS = frozenset((
    "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "su", "pwsh", "powershell", "powershell.exe",
))  # fmt: skip
_WITH_VALUE = frozenset((
    "-C", "-c", "-n", "-H", "-w", "-F", "-p", "--prefix", "--dir", "--cwd", "--filter", "--context", "--with",
    "--namespace", "--git-dir", "--work-tree", "--workspace", "--package", "--project", "--directory",
    "--python", "--config", "--kubeconfig",
))  # fmt: skip
"""Options before a subcommand whose value is the next word."""

_LINE, _TAB, _RETURN, _SPACE = "\ue000", "\ue001", "\ue002", "\ue003"
_KEEP = {ord("\n"): _LINE, ord("\t"): _TAB, ord("\r"): _RETURN, ord(" "): _SPACE}
FREE = {ord(kept): chr(blank) for blank, kept in _KEEP.items()}
_SHOWN = {ord(kept): BLANK for kept in _KEEP.values()}


def kept(text: str) -> str:
    """A quoted text with its blanks marked, so that a script can be read again."""
    return text.translate(_KEEP)


def name_of(program: str) -> str:
    """A program without the folder it is in."""
    return program.rpartition("/")[2] or program


def unwrapped(words: list[str]) -> list[str]:
    """The words of a command from its program on."""
    at = 0
    while at < len(words) - 1:
        word = name_of(words[at])
        name, assigns, _ = word.partition("=")
        if word in KEYWORDS or (assigns and (name.isidentifier() or name[:-1].isidentifier())):
            at += 1
        elif word in _WRAPPERS:
            if word == "command" and words[at + 1] in ("-v", "-V"):
                break  # asks where it is
            at = _after_options(words, at + 1, _WRAPPERS[word].split())
            at += word == "timeout" and at < len(words) - 1
        else:
            break
    return [name_of(words[at]), *words[at + 1 :]] if at < len(words) else []


def _after_options(words: list[str], at: int, with_value: "list[str] | frozenset[str]") -> int:
    while at < len(words) and words[at][:1] == "-" and words[at] != "-":
        at += 2 if words[at] in with_value else 1
    return at


def scripts(words: list[str]) -> list[str]:
    """The texts in a command that a shell runs: of `bash -c` and `eval`, and behind `-exec`."""
    bare = unwrapped(words)
    program = bare[0] if bare else ""
    if program == "eval":
        return [" ".join(bare[1:]).translate(FREE)]
    if program == "watch":
        return [" ".join(bare[_after_options(bare, 1, ["-n"]) :]).translate(FREE)]
    if program[:1] == "p" and program in SHELLS:
        starts = (at for at, word in enumerate(bare) if word.lower() in ("-c", "-command"))
        return [" ".join(bare[next(starts, len(bare)) + 1 :]).translate(FREE)]
    if program in SHELLS:
        options = (at for at, word in enumerate(bare) if word[:1] == "-" and word[:2] != "--" and "c" in word)
        at = next(options, len(bare))
        return [word.translate(FREE) for word in bare[at + 1 : at + 2]]
    return []


def changed(words: list[str]) -> "tuple[list[str], list[str]]":
    """What a command writes, folders with it, and what it removes, as far as its words name it."""
    program, files = words[:1], [word for word in words[1:] if word[:1] != "-"]
    if program == ["git"] and files[:1] in (["mv"], ["rm"]):
        program, files = files[:1], files[1:]
    if program == ["cp"] or program == ["mv"]:
        return files[-1:], files[:-1] if program == ["mv"] else []
    if program == ["rm"] or program == ["rmdir"]:
        return [], files
    is_in_place = program == ["sed"] and any(word[:2] == "-i" for word in words)
    return (files if is_in_place or (program and program[0] in _CHANGERS) else []), []


_CHANGERS = ("tee", "touch", "mkdir", "truncate")


def forms(words: list[str]) -> "list[list[str]]":
    """A command's forms, and those of the commands that it runs on what it finds."""
    bare = [word.translate(_SHOWN) for word in unwrapped(words)]
    if not bare:
        return []
    every = [_with_inner(bare, 0)]
    if "sudo" in words[: len(words) - len(bare)]:
        every[0].append(f"sudo {' '.join(bare)}")
    if bare[0] in ("find", "fd"):
        starts = [at + 1 for at, word in enumerate(bare) if word in ("-exec", "-execdir", "-ok", "-x", "-X")]
        every += [_with_inner([name_of(bare[at]), *bare[at + 1 :]], 0) for at in starts if at < len(bare)]
    return every


def _with_inner(words: list[str], depth: int) -> list[str]:
    """A command, the same without options before its subcommand, and the program that it runs."""
    forms = [" ".join(words)]
    at = _after_options(words, 1, _WITH_VALUE)
    if 1 < at < len(words):
        forms.append(" ".join([words[0], *words[at:]]))
    inner = _run_by(words, at)
    if inner and depth < 3:
        inner = unwrapped(inner)
        inner[0] = inner[0][:1] + inner[0][1:].partition("@")[0]
        forms += _with_inner(inner, depth + 1)
    return forms


def _run_by(words: list[str], at: int) -> list[str]:
    """The command that a runner runs: of `npx jest` `jest`, of `python -m pytest` `pytest`."""
    program = words[0]
    if program[:6] == "python" and "-m" in words[1:-1]:
        return words[words.index("-m") + 1 :]
    subcommands = _RUNNERS.get(program, ())
    if subcommands and at < len(words) and (subcommands == ("",) or words[at] in subcommands):
        start = at if subcommands == ("",) else at + 1
        return words[_after_options(words, start, _WITH_VALUE) :]
    return []
