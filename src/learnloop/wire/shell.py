"""The commands that a shell line runs, however it is written, without `re`.

`cd x && sudo FOO=1 npm i | tee log` runs `cd x`, `npm i` and `tee log`. Quoted text, comments, redirections
and the body of a here-document are no commands; `$(…)`, backticks, subshells, `bash -c "…"`, `eval`, `xargs`
and `find -exec` hold some. A command that is run through another (`npx jest`, `python -m pytest`, `git -C x
push`) has several forms. Whatever a line is, it is read in one pass that ends; what is never closed is closed
at its end.
"""

from learnloop.wire import simple_command

MOST = 1 << 20
_MOST_STEPS = 60_000
_MOST_COMMANDS = 2_000
_DEEPEST = 12
_SIGNS = " \t\r\n;&|()<>'\"\\`$"
_MARKS = {ord(sign): "\0" for sign in _SIGNS}
_QUOTED = {ord(sign): "\0" for sign in '"\\`$'}


def read(line: str) -> "tuple[list[list[str]], list[str], list[str]]":
    """The simple commands of a line, in the forms that a pattern may name, what it writes and removes.

    The first form is the command without wrappers, assignments and the folder of its program; blanks inside
    of quoted words are `BLANK`. The files are those that output is sent to, and that `tee`, `sed -i`,
    `mkdir` and the like name; `rm` and `mv` remove some.
    """
    reader = _Reader(line[:MOST])
    reader.read("")
    forms = [forms for words in reader.found for forms in simple_command.forms(words) if forms]
    named = [simple_command.changed(simple_command.unwrapped(words)) for words in reader.found]
    written = [*reader.targets, *[name for names, _ in named for name in names]]
    removed = [name for _, names in named for name in names]
    free = ([name.translate(simple_command.FREE) for name in names] for names in (written, removed))
    return forms, next(free), next(free)


class _Command:
    """The command that is being read."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.word = ""
        self.is_word = False
        self.skips = 0
        """Words that are the target of a redirection."""
        self.targets: list[str] = []
        self.is_output = False
        self._cases = 0
        self._is_pattern = False  # of a `case`

    def add(self, piece: str, is_word: bool = True) -> None:
        self.word += piece
        self.is_word = self.is_word or is_word

    def flush(self) -> None:
        """The word is complete."""
        if self.is_word and not self.skips:
            self.words.append(self.word)
        elif self.is_word and self.is_output:
            self.targets.append(self.word)
        if self.is_word:
            self.skips = 0
        self.word, self.is_word = "", False

    def is_pattern(self) -> bool:
        """Whether a closing parenthesis ends a pattern of `case`."""
        self.flush()
        first = _first(self.words)
        return first == "case" or (self._is_pattern and first != "esac")

    def taken(self, sign: str, following: str) -> list[str]:
        """The words of the command that ends at a sign; none where they are a pattern of `case`."""
        self.flush()
        self.skips = 0
        words, self.words = self.words, []
        first = _first(words)
        is_pattern = self._is_pattern and first != "esac"
        if first == "case":
            self._cases += 1
            self._is_pattern = sign != ")"
        elif first == "esac":
            self._cases -= 1
            self._is_pattern = False
        elif is_pattern:
            self._is_pattern = sign != ")"
        if sign == following == ";" and self._cases > 0:
            self._is_pattern = True
        return [] if is_pattern else words


def _first(words: list[str]) -> str:
    return next((word for word in words if word not in simple_command.KEYWORDS), "")


class _Reader:
    """Reads a text once, from the left, and gathers words to commands."""

    def __init__(self, text: str, found: "list[list[str]] | None" = None, depth: int = 0) -> None:
        self._text = text
        self._marked, self._quoted = text.translate(_MARKS), text.translate(_QUOTED)
        self._at = self._steps = 0
        self._depth = depth
        self._bodies: list[tuple[str, bool]] = []  # here-documents: the word that ends it, and `<<-`
        self.found: list[list[str]] = [] if found is None else found
        self.targets: list[str] = []

    def read(self, closer: str) -> None:
        """Read commands up to a closing sign, or to the end."""
        text = self._text
        command = _Command()
        self._depth += 1
        while self._at < len(text):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                self._at = len(text)
                break
            end = _or_end(self._marked.find("\0", self._at), text)
            if end > self._at:
                self._plain(command, end)
                continue
            sign = text[self._at]
            self._at += 1
            if sign == closer and sign == "`":
                break
            if sign in "'\"\\$`\0":
                piece = "?" if sign == "\0" else self._literal(sign)
                command.add(piece, bool(piece) or sign in "'\"")
            elif sign in " \t\r":
                command.flush()
            elif sign in "<>":
                self._redirected(command, sign)
            elif sign != "&" or text[self._at : self._at + 1] != ">":
                is_close = sign == closer and not command.is_pattern()
                self._ended(command, sign)
                if is_close:
                    break
        self._ended(command, "")
        self.targets += command.targets
        self._depth -= 1

    def _plain(self, command: "_Command", end: int) -> None:
        """A stretch without signs: part of a word, or the beginning of a comment."""
        if not command.is_word and self._text[self._at] == "#":
            self._at = _or_end(self._text.find("\n", self._at), self._text)
        else:
            command.add(self._text[self._at : end])
            self._at = end

    def _ended(self, command: "_Command", sign: str) -> None:
        """An operator: the command before it is complete."""
        text = self._text
        if sign == "(" and command.word[-1:] == "=":  # an array
            self._at = _or_end(text.find(")", self._at), text) + 1
            return
        if sign == "(" and text[self._at : self._at + 1] in ("(", ")"):  # arithmetic; the head of a function
            closer = "))" if text[self._at] == "(" else ")"
            command.flush()
            command.words.clear()
            self._at = _or_end(text.find(closer, self._at), text) + len(closer)
            return
        words = command.taken(sign, text[self._at : self._at + 1])
        if words and len(self.found) < _MOST_COMMANDS:
            self.found.append(words)
            for script in simple_command.scripts(words) if self._depth < _DEEPEST else ():
                inner = _Reader(script, self.found, self._depth)
                inner._steps = self._steps
                inner.read("")
                self.targets += inner.targets
                self._steps = inner._steps
        if sign == "\n":
            self._skip_bodies()
        elif sign == "(" and self._depth < _DEEPEST:
            self.read(")")

    def _literal(self, sign: str) -> str:
        """What a quote, an escape or a substitution stands for in its word."""
        text = self._text
        if sign == "\\":
            piece = text[self._at : self._at + 1]
            self._at += 1
            return "" if piece == "\n" else simple_command.kept(piece)
        if sign == "'":
            end = _or_end(text.find("'", self._at), text)
            piece, self._at = text[self._at : end], end + 1
            return simple_command.kept(piece)
        if sign == '"':
            return self._double()
        if sign == "`":
            self._inner("`")
            return "$"
        if text.startswith("((", self._at):
            self._at = _or_end(text.find("))", self._at), text) + 2
        elif text.startswith("(", self._at):
            self._at += 1
            self._inner(")")
        return "$"

    def _double(self) -> str:
        """The text of a double quote; what it substitutes is run."""
        text, pieces = self._text, []
        while self._at < len(text):
            self._steps += 1
            end = _or_end(self._quoted.find("\0", self._at), text)
            pieces.append(text[self._at : end])
            sign = text[end : end + 1]
            self._at = end + 1
            if sign in ('"', ""):
                break
            if sign == "\\":
                pieces.append(text[self._at : self._at + 1].replace("\n", ""))
                self._at += 1
            else:
                pieces.append(sign if sign == "\0" else self._literal(sign))
        return simple_command.kept("".join(pieces))

    def _inner(self, closer: str) -> None:
        if self._depth < _DEEPEST:
            self.read(closer)
        else:
            self._at = _or_end(self._text.find(closer, self._at), self._text) + 1

    def _redirected(self, command: "_Command", sign: str) -> None:
        """Step over a redirection's signs; the next word is its target, unless a command is."""
        text = self._text
        if text.startswith("(", self._at):  # `<(…)` runs what is inside, and stands for a file
            self._at += 1
            self._inner(")")
            command.add("$")
            return
        if command.word.isdigit():
            command.word, command.is_word = "", False
        command.flush()
        if sign == "<" and text.startswith("<", self._at) and not text.startswith("<<", self._at):
            self._at += 1
            self._here_document()
            return
        while text[self._at : self._at + 1] in ("<", ">", "&", "|"):
            self._at += 1
        command.skips = 1
        command.is_output = sign == ">" and text[self._at - 1] != "&"

    def _here_document(self) -> None:
        text = self._text
        is_indented = text.startswith("-", self._at)
        self._at += is_indented
        while text[self._at : self._at + 1] in (" ", "\t"):
            self._at += 1
        start = self._at
        if text[start : start + 1] in ("'", '"'):
            self._at = _or_end(text.find(text[start], start + 1), text) + 1
        else:
            self._at = _or_end(self._marked.find("\0", start + 1), text)
        ending = text[start : self._at].strip("'\"\\")
        if ending:
            self._bodies.append((ending, is_indented))

    def _skip_bodies(self) -> None:
        """Step over the here-documents that begin at this line; those of a shell are commands."""
        for ending, is_indented in self._bodies:
            start, text = self._at, self._text
            at = start
            while at < len(text):
                end = _or_end(text.find("\n", at), text)
                line = text[at:end]
                if (line.lstrip("\t") if is_indented else line) == ending:
                    break
                at = _or_end(text.find(f"\n{'' if is_indented else ending}", at), text) + 1
            last = self.found[-1] if self.found else []
            if (
                last
                and simple_command.name_of(last[0]) in simple_command.SHELLS
                and len(last) == 1
                and self._depth < _DEEPEST
            ):
                _Reader(text[start:at], self.found, self._depth).read("")
            self._at = _or_end(text.find("\n", at), text) + 1
        self._bodies.clear()


def _or_end(at: int, text: str) -> int:
    return len(text) if at < 0 else at
