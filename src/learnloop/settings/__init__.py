"""The settings: read from a TOML file and from `LEARNLOOP_*` variables, which win for one process.

The file is `wire.paths.config_file()`; a variable is named `LEARNLOOP_<KEY>` (`LEARNLOOP_BUDGETS_PER_CALL`).
Publish compiles what hooks need into the index, from the file alone: one shell's environment never changes
what other sessions get.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop.errors import Unreadable
from learnloop.settings.model import (
    PREFIX,
    Budgets,
    Settings,
    check_key,
    fields,
    invalid,
    names,
    parse,
    validated,
    value_of,
    variable,
)
from learnloop.wire import paths

__all__ = [
    "PREFIX", "Budgets", "Settings", "check_key", "fields", "load", "names", "parse", "read", "validated",
    "value_of", "variable",
]  # fmt: skip


def load(path: str | None = None, *, environment: bool = True) -> Settings:
    """The settings from file and environment; raises Unreadable, naming file, key and the way out."""
    path = paths.config_file() if path is None else path
    document = read(path)
    from_file = validated(document, path)
    if not (environment and _has_variables()):
        return from_file
    from learnloop.settings.environment import SettingsWithEnvironment

    # A variable replaces a whole table of the file; pydantic-settings would merge the two.
    remaining = {name: value for name, value in document.items() if not os.environ.get(variable(name))}
    try:
        return SettingsWithEnvironment(**remaining)
    except ValidationError as error:
        raise invalid(error, "environment variable", _set_variable) from None


def read(path: str) -> dict[str, Any]:
    """The content of the settings file, {} where there is none; raises Unreadable where it is not TOML."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path} cannot be read ({error})", "mend the file or move it away") from None
    except tomllib.TOMLDecodeError as error:
        hint = "mend that line or move the file away"
        raise Unreadable(f"{path} is not valid TOML ({error})", hint) from None


def _has_variables() -> bool:
    prefixes = tuple(map(variable, Settings.model_fields))
    return any(name.startswith(prefixes) for name in os.environ)


def _set_variable(key: str) -> str:
    """The variable that gave a key: its own, or that of its section."""
    section = variable(key.partition(".")[0])
    return section if os.environ.get(section) else variable(key)
