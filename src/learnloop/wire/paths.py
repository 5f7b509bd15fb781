"""Where everything lives below the root: one function a place, plain strings, no `pathlib`."""

import posix
import sys

from learnloop.wire import env

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


def journal(root: str) -> str:
    """The append-only file that every hook and every verdict writes to."""
    return root + "/journal.jsonl"


def spool(root: str) -> str:
    """The folder of single-record files, written where the journal could not be locked."""
    return root + "/spool"


def events(root: str) -> str:
    """The folder of immutable event segments."""
    return root + "/events"


def store(root: str) -> str:
    """The folder of TinyDB files."""
    return root + "/store"


def index(root: str) -> str:
    """The recall index that hooks read."""
    return root + "/recall/index"


def news(root: str) -> str:
    """What a person is told at startup: how the last sessions went, how many drafts wait."""
    return root + "/recall/news"


def visit(root: str) -> str:
    """What the last visit to the console could see."""
    return root + "/console-visit.json"


def known_facts(root: str) -> str:
    """The folder of what is known of each project, a file a project."""
    return root + "/facts/known"


def recall_sessions(root: str) -> str:
    """The folder of recall's memory, a folder a session."""
    return root + "/recall/sessions"


def earlier_tasks(root: str) -> str:
    """The folder of the index of earlier tasks."""
    return root + "/recall/tasks"


def hooks(root: str) -> str:
    """The folder of deployed hook copies; `current` in it points to the one in use."""
    return root + "/hooks"


def backups(root: str) -> str:
    """The folder of backups, of settings files, prompt files and the store."""
    return root + "/backups"


def quarantine(root: str) -> str:
    """The folder of what could not be read, kept byte for byte."""
    return root + "/quarantine"


def days(root: str) -> str:
    """The folder of the daily logs."""
    return f"{root}/days"


def log(root: str) -> str:
    """The folder of logs, written only when something failed."""
    return root + "/log"


def off_switch(root: str) -> str:
    """The file whose presence switches recording off everywhere."""
    return root + "/off"


def record_off_switch(root: str) -> str:
    """The file whose presence says that the settings do not let anything be recorded."""
    return root + "/record-off"


def settings_note(root: str) -> str:
    """Which settings files were read in which state, and why they let nothing be recorded, as JSON."""
    return root + "/settings-note"


def redaction(root: str) -> str:
    """The person's own redaction patterns as JSON, for hooks that cannot read the index."""
    return root + "/redaction"


def recall_off_switch(root: str) -> str:
    """The file whose presence stops recall everywhere, but not recording."""
    return root + "/recall-off"


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
