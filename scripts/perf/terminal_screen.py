"""What stands on a terminal's screen: as much of a terminal as the console's output needs."""

import codecs
import re

from rich.cells import cell_len

_PIECES = re.compile(
    r"\x1b\[(?P<params>[0-9;?<=>]*)[ !$]?(?P<final>[@-~])"  # control sequences
    r"|\x1b[\]P^_X].*?(?:\x07|\x1b\\)"  # strings that ask or tell the terminal something
    r"|\x1b[()#%].|\x1b[^\[\]P^_X()#%]"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)",
    re.DOTALL,
)
_NO_CELL = ""
"""Stands behind a character that takes two cells."""


class TerminalScreen:
    """Takes what a program writes and says what a person sees; looks are left out."""

    def __init__(self, rows: int, columns: int) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self.resize(rows, columns)

    def resize(self, rows: int, columns: int) -> None:
        """Another size; the program is expected to draw anew."""
        self._columns = columns
        self._cells = [[" "] * columns for _ in range(rows)]
        self._y = self._x = 0

    @property
    def text(self) -> str:
        """Line by line."""
        return "\n".join("".join(line).rstrip() for line in self._cells)

    def feed(self, data: bytes) -> None:
        """Take what was written; a sequence that is not over yet waits for its end."""
        written = self._rest + self._decoder.decode(data)
        at = 0
        while at < len(written):
            piece = _PIECES.match(written, at)
            if piece is None:
                break
            at = piece.end()
            self._take(piece)
        self._rest = written[at:]

    def _take(self, piece: re.Match[str]) -> None:
        if piece["text"]:
            for character in piece["text"]:
                self._put(character)
        elif piece["final"] in ("h", "l") and piece["params"] == "?1049":  # the other screen: it is empty
            self._control("J", [2])
        elif piece["final"]:
            numbers = [int(part) if part.isdecimal() else 0 for part in piece["params"].split(";")]
            self._control(piece["final"], numbers)
        elif piece["control"] == "\r":
            self._x = 0
        elif piece["control"] == "\n":
            self._y = min(self._y + 1, len(self._cells) - 1)

    def _put(self, character: str) -> None:
        width = cell_len(character)
        if width and self._x + width <= self._columns and self._y < len(self._cells):
            self._cells[self._y][self._x : self._x + width] = [character, *[_NO_CELL] * (width - 1)]
        self._x += width

    def _control(self, final: str, numbers: list[int]) -> None:
        first = max(1, numbers[0])
        match final:
            case "H" | "f":
                self._y = min(first, len(self._cells)) - 1
                self._x = max(1, numbers[1]) - 1 if len(numbers) > 1 else 0
            case "A":
                self._y = max(0, self._y - first)
            case "B":
                self._y = min(self._y + first, len(self._cells) - 1)
            case "C":
                self._x += first
            case "D":
                self._x = max(0, self._x - first)
            case "K":
                self._cells[self._y][self._x :] = [" "] * max(0, self._columns - self._x)
            case "J":
                self._cells = [[" "] * self._columns for _ in self._cells]
            case _:
                pass  # looks and modes
