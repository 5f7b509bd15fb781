"""Where everything lives below the root: a function for each place, plain strings, no `pathlib`."""

import posix
import sys

from learnloop.wire import env

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600


def home() -> str:
    """The person's home folder, from `HOME` or the user database."""
    folder = env.get("HOME")
    if not folder:
        import pwd

        folder = pwd.getpwuid(posix.getuid()).pw_dir
    return folder


def root() -> str:
    """The data root: `$LEARNLOOP_HOME`, else the platform's user data folder."""
    named = env.get("LEARNLOOP_HOME")
    if named:
        named = named if named.startswith("/") else f"{posix.getcwd()}/{named}"
        return named.rstrip("/") or "/"
    if sys.platform == "darwin":
        return home() + "/Library/Application Support/learnloop"
    return (env.get("XDG_DATA_HOME") or home() + "/.local/share") + "/learnloop"


def config_file() -> str:
    """The settings file: `config.toml` in the platform's configuration folder, or in `$LEARNLOOP_HOME`."""
    if env.get("LEARNLOOP_HOME"):
        return root() + "/config.toml"
    if sys.platform == "darwin":
        return home() + "/Library/Application Support/learnloop/config.toml"
    return (env.get("XDG_CONFIG_HOME") or home() + "/.config") + "/learnloop/config.toml"


def _below(place: str) -> "Callable[[str], str]":
    return lambda root: root + place


journal = _below("/journal.jsonl")
"""The append-only file that every hook and every verdict writes to."""
spool = _below("/spool")
"""The folder of single-record files, written where the journal could not be locked."""
events = _below("/events")
"""The folder of immutable event segments."""
store = _below("/store")
"""The folder of TinyDB files."""
index = _below("/recall/index")
"""The recall index that hooks read."""
news = _below("/recall/news")
"""What a person is told at startup: how the last sessions went, how many drafts wait."""
visit = _below("/console-visit.json")
"""What the last visit to the console could see."""
known_facts = _below("/facts/known")
"""The folder of what is known of each project, a file a project."""
recall_sessions = _below("/recall/sessions")
"""The folder of recall's memory, a folder a session."""
earlier_tasks = _below("/recall/tasks")
"""The folder of the index of earlier tasks."""
hooks = _below("/hooks")
"""The folder of deployed hook copies; `current` in it points to the one in use."""
backups = _below("/backups")
"""The folder of backups, of settings files, prompt files and the store."""
quarantine = _below("/quarantine")
"""The folder of what could not be read, kept byte for byte."""
days = _below("/days")
"""The folder of the daily logs."""
log = _below("/log")
"""The folder of logs, written only when something failed."""
off_switch = _below("/off")
"""The file whose presence switches recording off everywhere."""
record_off_switch = _below("/record-off")
"""The file whose presence says that the settings do not let anything be recorded."""
settings_note = _below("/settings-note")
"""Which settings files were read in which state, and why they let nothing be recorded, as JSON."""
redaction = _below("/redaction")
"""The person's own redaction patterns as JSON, for hooks that cannot read the index."""
recall_off_switch = _below("/recall-off")
"""The file whose presence stops recall everywhere, but not recording."""


def ensure_dir(path: str) -> None:
    """Make a folder and its parents, each 0700 whatever the umask; raises OSError where that fails."""
    try:
        _make(path)
    except FileNotFoundError:
        parent = path.rpartition("/")[0]
        if not parent:
            raise
        ensure_dir(parent)
        _make(path)


def _make(path: str) -> None:
    try:
        posix.mkdir(path, DIRECTORY_MODE)
        posix.chmod(path, DIRECTORY_MODE)
    except FileExistsError:
        return
