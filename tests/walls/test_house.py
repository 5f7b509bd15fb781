"""The figures of the house keep below their ceilings, and the counters count."""

import textwrap
from pathlib import Path

import pytest
from scripts.house import __main__ as command
from scripts.house import code, graph
from scripts.house.measures import MEASURES, House, Measure, details, percent, text_lines

PROJECT = Path(__file__).resolve().parents[2]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), "utf-8")


def source(folder: Path, text: str) -> code.Source:
    write(folder, {"sample.py": text})
    return code.Source(folder / "sample.py")


@pytest.mark.slow
def test_no_figure_is_above_its_ceiling_or_well_below() -> None:
    house = House(PROJECT)
    complaints = {measure.title: measure.complaint(measure.count(house)) for measure in MEASURES}
    assert {title: text for title, text in complaints.items() if text} == {}


def test_design_shows_ceilings_and_goals() -> None:
    page = command.PAGE.read_text("utf-8")
    assert page == command.with_goals(page), "run make docs"


def test_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        command.with_goals("no table here")


@pytest.mark.parametrize(
    ("figure", "complaint"),
    [
        (31, "above the ceiling"),
        (30, ""),
        (27, ""),
        (26, "lower the ceiling to 26"),
        (3, "lower the ceiling to 10"),
    ],
)
def test_ceiling_follows_the_figure_down_to_the_goal(figure: float, complaint: str) -> None:
    measure = Measure("things", lambda house: 0, ceiling=30, goal=10, slack=3)
    assert measure.complaint(figure) == complaint


def test_command_fails_above_a_ceiling(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = House(PROJECT)
    house.file_circles, house.room_circles = [["a", "b"]], []
    for ceiling, code_expected in ((2, 0), (1, 1)):
        monkeypatch.setattr(command, "MEASURES", [Measure("things", lambda house: 2, ceiling)])
        assert command.report(house) == code_expected
    assert "circle of 2 files: a, b" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("back", "package"),
    [
        ("def late():\n    from {0}.one_side import value\n    return value\n", "circle_in_function"),
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from {0}.one_side import value\n",
            "circle_in_typing",
        ),
        ("def late():\n    from {0} import one_side\n    return one_side\n", "circle_by_module"),
    ],
)
def test_circle_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, back: str, package: str) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, {
        f"{package}/__init__.py": "",
        f"{package}/one_side.py": f"import {package}.other_side\nvalue = 1\n",
        f"{package}/other_side.py": back.format(package),
        f"{package}/user.py": f"from {package} import one_side\n",
    })  # fmt: skip
    files = graph.file_imports(package)
    assert graph.circles(files) == [[f"{package}.one_side", f"{package}.other_side"]]
    assert graph.circles(graph.room_imports(files)) == []


def test_circle_of_rooms_without_a_circle_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, {
        "roomy/__init__.py": "",
        "roomy/ground.py": "import roomy.left.upper\n",
        "roomy/left/__init__.py": "",
        "roomy/left/upper.py": "import roomy.right.lower\n",
        "roomy/left/lower.py": "",
        "roomy/right/__init__.py": "",
        "roomy/right/upper.py": "def late():\n    import roomy.left.lower\n",
        "roomy/right/lower.py": "",
    })  # fmt: skip
    files = graph.file_imports("roomy")
    assert graph.circles(files) == []
    assert graph.circles(graph.room_imports(files)) == [["roomy.left", "roomy.right"]]


def test_modules_that_one_alone_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, {
        "lonely/__init__.py": "",
        "lonely/main.py": "import lonely.part\nimport lonely.shared\nimport lonely.away.part\n",
        "lonely/part.py": "import lonely.shared\n",
        "lonely/shared.py": "",
        "lonely/away/__init__.py": "",
        "lonely/away/part.py": "",
    })  # fmt: skip
    assert graph.single_importers(graph.file_imports("lonely")) == {"lonely.part": "lonely.main"}


def test_circles_through_several_members_are_separate() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"f", "a"}}
    assert graph.circles(arrows) == [["a", "b", "c"], ["d", "e"]]


@pytest.mark.parametrize(
    "text",
    [
        "found = 1",
        "found: int = 1",
        "found += 1",
        "first, (found, *rest) = value",
        "first, *found = value",
        "for found in value: pass",
        "async for found in value: pass",
        "[0 for found in value]",
        "{key: found for key, found in value}",
        "with value as found: pass",
        "try: pass\n    except OSError as found: pass",
        "if (found := value): pass",
        "match value:\n        case [found]: pass",
        "match value:\n        case [*found]: pass",
        "match value:\n        case {**found}: pass",
        "match value:\n        case int() as found: pass",
        "import os as found",
        "from os import path as found",
        "lambda found: value",
        "def found(): pass",
        "def inner():\n        found = 1",
    ],
)
def test_dialect_words_are_counted_however_they_are_bound(tmp_path: Path, text: str) -> None:
    sample = source(tmp_path, f"async def function(value):\n    {text}\n")
    assert code.bound(sample.functions[0])["found"] == 1


@pytest.mark.parametrize("text", ["found", "/, found", "found, /", "*found", "*, found=1", "**found"])
def test_dialect_words_are_counted_as_parameters(tmp_path: Path, text: str) -> None:
    sample = source(tmp_path, f"def function(other, {text}): pass\n".replace("other, found, /", "found, /"))
    assert code.bound(sample.functions[0])["found"] == 1


def test_dialect_counts_functions_and_words(tmp_path: Path) -> None:
    sample = source(
        tmp_path,
        """
        found = 1  # of no function

        def told(lessons_found, said):
            one = [one for one in found(lessons_found.kept)]
            return call(made=one)

        class Sample:
            def plain(self):
                return found
        """,
    )
    assert code.dialect([sample]) == {sample.path: [{"one": 2, "said": 1}]}
    assert percent(1, len(code.lengths([sample]))) == 50.0


def test_repeated_names(tmp_path: Path) -> None:
    write(tmp_path, {
        "left/__init__.py": "",
        "left/row.py": "class Row: ...\nclass _Private: ...\nclass Left: ...\n",
        "right/__init__.py": "",
        "right/row.py": "class Outer:\n    class Row: ...\nclass _Private: ...\n",
        "right/other.py": "class Other: ...\n",
    })  # fmt: skip
    sources = code.read([tmp_path])
    rows = [tmp_path / "left" / "row.py", tmp_path / "right" / "row.py"]
    assert code.repeated_files(sources) == {"row.py": rows}


def test_lines(tmp_path: Path) -> None:
    write(tmp_path, {"code.py": "a = 1\n\n", "style.tcss": "a\nb", "__pycache__/old.txt": "a\nb\n"})
    (tmp_path / "picture").write_bytes(b"\xff\xfe\n")
    assert text_lines(tmp_path) == 4


def test_lengths_and_kinds_of_lines(tmp_path: Path) -> None:
    sample = source(
        tmp_path,
        '''\
        """Module."""

        # Why.
        LIMIT = 3
        """Of five or more words it is."""

        @staticmethod
        def short():
            """Four words at most."""


        class Long:
            """More words than four here.

            # not a comment
            """

            async def method(self):
                """Five words are too many."""
                def inner(): pass
                return 1
        ''',
    )
    assert code.lengths([sample]) == [1, 2, 4]
    assert code.short_docstrings(sample) == 1
    assert code.split(sample) == {"docstring": 8, "blank": 5, "comment": 1, "code": 7}


def test_import_lines_and_regular_expressions(tmp_path: Path) -> None:
    sample = source(
        tmp_path,
        """\
        import re
        from os import (
            path,
        )
        def late():
            import os
            return re.compile(r"a") or re.match(rf"b", "ar")
        """,
    )
    assert (code.import_lines(sample), code.expressions(sample)) == (5, 2)


def test_reaches_into_private_members(tmp_path: Path) -> None:
    write(tmp_path, {"program.py": """
        _LIMIT = 3

        class Pane:
            def __init__(self):
                self._rows = []

            def _replace(self): ...

        def _helper(): ...
        """})  # fmt: skip
    private = code.private_names([code.Source(tmp_path / "program.py")])
    assert private == {"_LIMIT", "_rows", "_helper"}
    sample = source(
        tmp_path,
        """\
        from program import Pane, _helper
        class Mine(Pane):
            def method(self, pane):
                self._rows = super()._rows
                pane._rows.append(pane._rows)
                pane._own, pane.__init__, pane._replace()
        monkeypatch.setattr(program, "_LIMIT", 4)
        monkeypatch.setattr("program._LIMIT", 4)
        print("_LIMIT", self.app._rows)
        """,
    )
    assert code.reaches(sample, private) == {1, 4, 5, 7, 8, 9}


def test_type_ignores(tmp_path: Path) -> None:
    silence = "type: " + "ignore"
    assert (
        code.type_ignores(
            source(tmp_path, f"a = 1  # {silence}[attr-defined]\nb = '{silence}'\n#{silence}\n")
        )
        == 2
    )


def test_details_name_the_places(tmp_path: Path) -> None:
    write(tmp_path, {
        "src/learnloop/row.py": "class Row:\n    def __init__(self, found): self._cells = found\n",
        "tui/learnloop_tui/row.py": "class Row: ...\n" + "\n" * 500,
        "tests/test_row.py": "def test_row(): assert Row(1)._cells\n",
    })  # fmt: skip
    house = House(tmp_path)
    house.single_importers = {"rows.part": "rows.main"}
    assert (house.lines, house.reached_lines, len(house.long_files)) == (503, 1, 1)
    assert list(details(house)) == [
        "dialect words: found 1",
        "functions with dialect words, worst files:",
        "     1 src/learnloop/row.py",
        "file names that occur more than once:",
        "  row.py: src/learnloop/row.py, tui/learnloop_tui/row.py",
        "files over 500 lines:",
        "  501 tui/learnloop_tui/row.py",
        "modules with one importer, in their own room:",
        "  rows.part: rows.main",
        "test lines that reach into private members:",
        "  tests/test_row.py: 1",
        "lines of Python: blank 500, code 3",
    ]
