"""The measures of the house, each with its ceiling and its goal."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median

from scripts.house import code, flows, graph

FOLDERS = ("src", "hooks", "tui")
PACKAGES = ("learnloop", "learnloop_hooks", "learnloop_tui")
LONG_FILE = 500


class House:
    """The files of the project, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def program(self) -> list[code.Source]:
        """The Python files that are shipped."""
        return code.read(self.root / folder for folder in FOLDERS)

    @cached_property
    def tests(self) -> list[code.Source]:
        """The Python files of the tests."""
        return code.read([self.root / "tests"])

    @cached_property
    def file_circles(self) -> list[list[str]]:
        """Modules that import each other, directly or through others."""
        return graph.circles(self._imports)

    @cached_property
    def room_circles(self) -> list[list[str]]:
        """Packages that import each other, directly or through others."""
        return graph.circles(graph.room_imports(self._imports))

    @cached_property
    def dialect(self) -> dict[Path, list[Counter[str]]]:
        """By file, the dialect words of each function that binds any."""
        return code.dialect(self.program)

    @cached_property
    def lengths(self) -> list[int]:
        """The lines of every function, the shortest first."""
        return code.lengths(self.program)

    @cached_property
    def length_95(self) -> int:
        """The lines that 95 % of all functions do not exceed."""
        return self.lengths[len(self.lengths) * 95 // 100]

    @cached_property
    def long_files(self) -> list[code.Source]:
        """Files of more than 500 lines."""
        return [source for source in self.program if len(source.lines) > LONG_FILE]

    @cached_property
    def repeated_files(self) -> dict[str, list[Path]]:
        """File names that occur more than once."""
        return code.repeated_files(self.program)

    @cached_property
    def import_lines(self) -> int:
        """The lines that import statements take."""
        return sum(map(code.import_lines, self.program))

    @cached_property
    def expressions(self) -> int:
        """How many regular expressions there are."""
        return sum(map(code.expressions, self.program))

    @cached_property
    def single_importers(self) -> dict[str, str]:
        """The modules that one module of their own room alone imports, and which."""
        return graph.single_importers(self._imports)

    @cached_property
    def short_docstrings(self) -> int:
        """Functions and classes with a docstring of four words or fewer."""
        return sum(map(code.short_docstrings, self.program))

    @cached_property
    def type_ignores(self) -> int:
        """Test lines that silence the type checker."""
        return sum(map(code.type_ignores, self.tests))

    @cached_property
    def lines(self) -> int:
        """The lines of all text files that are shipped."""
        return sum(text_lines(self.root / folder) for folder in FOLDERS)

    @cached_property
    def reaches(self) -> dict[Path, set[int]]:
        """By test file, the lines that reach into a private member of the program."""
        private = code.private_names(self.program)
        return {source.path: lines for source in self.tests if (lines := code.reaches(source, private))}

    @property
    def reached_lines(self) -> int:
        """Test lines that reach into a private member of the program."""
        return total(self.reaches.values())

    @cached_property
    def _imports(self) -> graph.Arrows:
        return graph.file_imports(*PACKAGES)


def text_lines(folder: Path) -> int:
    """The lines of all text files below a folder."""
    return sum(map(_lines, folder.rglob("*")))


def _lines(path: Path) -> int:
    if not path.is_file() or "__pycache__" in path.parts:
        return 0
    try:
        return len(path.read_text("utf-8").splitlines())
    except UnicodeDecodeError:
        return 0


@dataclass(frozen=True)
class Measure:
    """A figure that may only fall."""

    title: str
    count: Callable[[House], float]
    ceiling: float
    """The largest figure that passes. Lower it when the figure has fallen, never raise it."""
    goal: float | None = None
    """The figure to reach; None where fewer is better and no figure is set."""
    slack: float = 0
    """How far the figure may be below the ceiling before the ceiling has to follow."""

    def complaint(self, figure: float) -> str:
        """What to do where the ceiling does not fit the figure, else an empty text."""
        if figure > self.ceiling:
            return "above the ceiling"
        lowest = max(figure, self.goal or 0)
        return f"lower the ceiling to {lowest:g}" if self.ceiling - lowest > self.slack else ""


def percent(part: int, whole: int) -> float:
    """A share in percent, one decimal."""
    return round(100 * part / whole, 1) if whole else 0.0


def total(groups: Iterable[Sized]) -> int:
    """The number of members of all groups."""
    return sum(map(len, groups))


def dialect_share(house: House) -> float:
    """Functions that bind a dialect word, in percent of all."""
    return percent(total(house.dialect.values()), len(house.lengths))


def entered(flow: str) -> Callable[[House], float]:
    """A count of the files that a flow enters."""
    return lambda _: len(flows.counted()[flow])


MEASURES = (
    Measure("circles of files", lambda house: len(house.file_circles), 0, 0),
    Measure("files in circles", lambda house: total(house.file_circles), 0, 0),
    Measure("circles of rooms (packages)", lambda house: len(house.room_circles), 0, 0),
    Measure("rooms in circles", lambda house: total(house.room_circles), 0, 0),
    Measure("functions with a dialect word for a value, %", dialect_share, 1.8, 2, 0.5),
    Measure("file names more than once", lambda house: len(house.repeated_files), 22, None, 2),
    Measure("program lines", lambda house: house.lines, 77_898, 46_000, 300),
    Measure("program files", lambda house: len(house.program), 539, 520, 8),
    Measure("import lines", lambda house: house.import_lines, 5_160, None, 80),
    Measure("modules that one of their room imports", lambda house: len(house.single_importers), 28, 10, 3),
    Measure("regular expressions (raw strings)", lambda house: house.expressions, 885, None, 20),
    Measure("files entered: prompt → draft", entered("prompt → draft"), 113, 95, 8),
    Measure("files entered: promote → index", entered("promote → index"), 84, 45, 2),
    Measure("files entered: patch apply", entered("patch apply"), 98, 75, 2),
    Measure("median lines of a function", lambda house: median(house.lengths), 6, 10, 1),
    Measure("95th percentile of a function's lines", lambda house: house.length_95, 20, 30, 1),
    Measure("lines of the longest function", lambda house: house.lengths[-1], 44, 44, 2),
    Measure("files over 500 lines", lambda house: len(house.long_files), 0, 0, 1),
    Measure("docstrings of four words or fewer", lambda house: house.short_docstrings, 72, None, 10),
    Measure("test lines that reach into private members", lambda house: house.reached_lines, 8, 0, 5),
    Measure("test lines with type: ignore", lambda house: house.type_ignores, 0, 0, 2),
)  # fmt: skip


def details(house: House) -> Iterator[str]:
    """Where the figures come from, line by line."""
    words = sum((words for functions in house.dialect.values() for words in functions), Counter[str]())
    yield "dialect words: " + _listed(words)
    yield "functions with dialect words, worst files:"
    worst = Counter({path: len(functions) for path, functions in house.dialect.items()})
    yield from (f"  {count:4} {path.relative_to(house.root)}" for path, count in worst.most_common(10))
    yield "file names that occur more than once:"
    yield from _places(house.root, house.repeated_files)
    yield f"files over {LONG_FILE} lines:"
    yield from (f"  {len(each.lines)} {each.path.relative_to(house.root)}" for each in house.long_files)
    yield "modules with one importer, in their own room:"
    yield from (f"  {name}: {importer}" for name, importer in house.single_importers.items())
    yield "test lines that reach into private members:"
    for path, lines in house.reaches.items():
        yield f"  {path.relative_to(house.root)}: " + ", ".join(map(str, sorted(lines)))
    yield "lines of Python: " + _listed(sum(map(code.split, house.program), Counter[str]()))


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common())


def _places(root: Path, repeated: dict[str, list[Path]]) -> Iterator[str]:
    for name, paths in sorted(repeated.items()):
        yield f"  {name}: " + ", ".join(path.relative_to(root).as_posix() for path in paths)


def goals() -> str:
    """The table of ceilings and goals, as CONTRIBUTING.md shows it."""
    rows = [f"| {each.title} | {each.ceiling:,g} | {shown_goal(each)} |\n" for each in MEASURES]
    return "| measure | today, at most | goal |\n|---|---:|---:|\n" + "".join(rows)


def shown_goal(measure: Measure) -> str:
    """The goal as text."""
    return "fewer" if measure.goal is None else f"{measure.goal:,g}"
