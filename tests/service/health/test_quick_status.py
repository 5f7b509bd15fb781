"""The few figures of `learn status`: the same as the whole look, read from lines and heads."""

import subprocess
import sys
from pathlib import Path

from learnloop.service.health import health_report, quick_status
from learnloop.service.lessons import rows
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import paths
from tests.demo_stores import DemoStores

FIGURES = (
    "last_capture",
    "drafts",
    "active",
    "journal_lines",
    "damage",
    "recording",
    "recalling",
    "index_current",
)
LISTS = ("hook_errors", "quarantine", "missed_recalls", "keymap")


def _same(ws: Workspace) -> None:
    whole, few = health_report.health_report(ws), quick_status.quick_status(ws)
    assert {name: getattr(few, name) for name in FIGURES} == {name: getattr(whole, name) for name in FIGURES}
    assert {name: len(getattr(few, name)) for name in LISTS} == {
        name: len(getattr(whole, name)) for name in LISTS
    }
    assert quick_status.status_line(few, 0) == quick_status.status_line(whole.figures(), 0)


def test_the_figures_are_those_of_the_whole_look(root: str, demo_stores: DemoStores) -> None:
    ws = open_workspace(root)
    _same(ws)
    demo_stores.copy_of_today(root)
    _same(ws)
    verdicts.reject(ws, rows.rows(ws, "draft")[0].id)
    verdicts.archive(ws, rows.rows(ws, "active")[0].id)
    _same(ws)
    Path(paths.quarantine(root)).mkdir(exist_ok=True)
    Path(paths.quarantine(root), "notes~1~odd").write_text("x")
    _same(ws)


def test_a_damaged_store_is_repaired_and_reported(root: str, demo_stores: DemoStores) -> None:
    demo_stores.copy_of_today(root)
    ws = open_workspace(root)
    file = Path(root, "store", "lessons.json")
    file.write_bytes(file.read_bytes()[:-1])
    quick_status.quick_status(ws)
    assert quick_status.quick_status(ws).damage
    assert quick_status.status_line(quick_status.quick_status(ws)).startswith("The store is damaged: ")


def test_settings_that_nobody_can_read_call_no_hook(ws: Workspace, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{ // mine\n "model": "x" }')
    assert quick_status.status_line(quick_status.quick_status(ws)).startswith("No hooks yet: ")


def test_status_loads_neither_pydantic_nor_tinydb(root: str, demo_stores: DemoStores) -> None:
    demo_stores.copy_of_today(root)
    code = (
        "import sys; from learnloop.cli.main import main; main(['status']);"
        "print(sorted({'pydantic', 'pydantic_core', 'rich', 'tinydb'} & set(sys.modules)), file=sys.stderr)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=_untouched(root))
    assert done.stderr == "[]\n"
    assert " drafts" in done.stdout


def _untouched(root: str) -> dict[str, str]:
    """A world where nothing was ever set."""
    return {"LEARNLOOP_HOME": root, "HOME": str(Path(root).parent / "user"), "PATH": "/usr/bin:/bin"}
