"""The settings: one model, read from a TOML file and the environment; unknown keys are refused by name.

The file is `wire.paths.config_file()`. An environment variable `LEARNLOOP_<KEY>` (`LEARNLOOP_QUEUE_SIZE`,
`LEARNLOOP_BUDGETS_PER_CALL`) beats the file for the process that carries it. What hooks need is compiled into
the index by publish, from the file alone: one shell's environment never changes what other sessions get.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from learnloop.errors import NotFound, Unreadable
from learnloop.wire import env, paths

PREFIX = "LEARNLOOP_"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Budgets(_Section):
    """How much a recall may say."""

    start_tokens: int = Field(default=500, ge=0, le=4000)
    """Most tokens told when a session or a subagent starts (a token counts as four characters)."""
    call_tokens: int = Field(default=400, ge=0, le=4000)
    """Most tokens told at one prompt or one tool call."""
    per_call: int = Field(default=3, ge=0, le=20)
    """Most lessons told at one prompt or one tool call."""
    per_session: int = Field(default=12, ge=0, le=200)
    """Most lessons told at prompts and tool calls of one session."""


class Redaction(_Section):
    """What is blacked out besides keys, tokens and passwords, which always are."""

    extras: tuple[str, ...] = ()
    """Regular expressions; whatever they match is replaced before it touches the disk."""

    @field_validator("extras")
    @classmethod
    def _compiles(cls, extras: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in extras:
            try:
                found = re.compile(pattern).match("")
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression ({error})") from None
            if found:
                raise ValueError(f"{pattern!r} matches the empty text, so it would black out everything")
        return extras


class Settings(_Section):
    """Everything that can be set."""

    enabled: bool = True
    """Whether Learnloop does anything in agent sessions; false is `record` and `recall` off at once."""
    record: bool = True
    """Whether hooks record what happens in agent sessions."""
    recall: bool = True
    """Whether hooks tell agents the lessons you approved."""
    background: bool = True
    """Whether a hook may start a short background ingest when none ran for a minute."""
    retention_days: int = Field(default=90, ge=1, le=3650)
    """Days that recorded events are kept; lessons and decisions stay."""
    min_pattern_occurrences: int = Field(default=3, ge=2, le=100)
    """How often a correction has to come before it is a pattern."""
    preference_decay_days: int = Field(default=30, ge=1, le=3650)
    """Days after which a remark about your ways counts half."""
    backup_days: int = Field(default=90, ge=1, le=3650)
    """Days that copies of patched prompt files are kept; the last one of an applied patch always is."""
    queue_size: int = Field(default=20, ge=1, le=1000)
    """Drafts that the queue shows at first; weaker ones are folded away."""
    draft_threshold: float | None = Field(default=None, ge=0, le=1)
    """How sure a draft has to be, 0–1, to stand among the strongest; unset, it follows from your verdicts."""
    theme: str = Field(default="", pattern=r"^[a-z0-9_-]*$")
    """The console's theme by name; empty for the house theme."""
    keys: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """The console's keys by command, as `promote = ["u", "ctrl+b"]`; docs/keys.md names the commands."""
    budgets: Budgets = Budgets()
    """How much a recall may say."""
    redaction: Redaction = Redaction()
    """What is blacked out besides keys, tokens and passwords."""

    @field_validator("keys", mode="before")
    @classmethod
    def _listed(cls, keys: Any) -> Any:
        """One key may stand without brackets, and a digit without quotes."""
        if not isinstance(keys, dict):
            return keys
        return {
            name: [
                str(key) if isinstance(key, int) else key
                for key in ([one] if not isinstance(one, list) else one)
            ]
            for name, one in keys.items()
        }


def load(path: str | None = None, *, environment: bool = True) -> Settings:
    """The settings from file and environment; raises Unreadable, naming file, key and the way out."""
    path = paths.config_file() if path is None else path
    document = read(path)
    from_file = validated(document, path)
    if not environment:
        return from_file
    for key in names():
        value = env.get(variable(key))
        if value:
            put(document, key, parse(value))
    try:
        return Settings.model_validate(document)
    except ValidationError as error:
        raise _invalid(error, "environment variable", variable) from None


def read(path: str) -> dict[str, Any]:
    """The settings file as it stands, {} where there is none; raises Unreadable where it is no TOML."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path} cannot be read ({error})", "mend the file or move it away") from None
    except tomllib.TOMLDecodeError as error:
        hint = "mend that line or move the file away"
        raise Unreadable(f"{path} is no valid TOML ({error})", hint) from None


def names() -> list[str]:
    """Every key in dotted form, in the order of the model."""
    return [key for key, _ in fields()]


def fields() -> Iterator[tuple[str, Any]]:
    """Every key in dotted form with pydantic's information about it."""
    for name, info in Settings.model_fields.items():
        if isinstance(info.default, BaseModel):
            section = type(info.default).model_fields
            yield from ((f"{name}.{inner}", about) for inner, about in section.items())
        else:
            yield name, info


def variable(key: str) -> str:
    """The environment variable of a key: `LEARNLOOP_BUDGETS_PER_CALL` for `budgets.per_call`."""
    return PREFIX + key.replace(".", "_").upper()


def value_of(settings: Settings, key: str) -> Any:
    """The value of a dotted key; raises NotFound with the nearest one where there is none."""
    check_key(key)
    found: Any = settings
    for part in key.split("."):
        found = found.get(part, ()) if isinstance(found, dict) else getattr(found, part)
    return list(found) if isinstance(found, tuple) else found


def check_key(key: str) -> None:
    """Raise NotFound, with the nearest suggestion, for a key that does not exist."""
    if key not in names() and not re.fullmatch(r"keys\.[a-z_]+", key):
        raise NotFound(f"there is no setting {key!r}", _suggestion(key, names()))


def parse(text: str) -> Any:
    """A value as a person types it: TOML where it is, else the text itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def put(document: dict[str, Any], key: str, value: Any) -> None:
    """Set a dotted key in a nested document."""
    *tables, name = key.split(".")
    for table in tables:
        inner = document.get(table)
        document[table] = inner = dict(inner) if isinstance(inner, dict) else {}
        document = inner
    document[name] = value


def validated(document: dict[str, Any], source: str) -> Settings:
    """Settings from a document; raises Unreadable naming the key."""
    _refuse_unknown(document, Settings, source)
    try:
        return Settings.model_validate(document)
    except ValidationError as error:
        raise _invalid(error, source) from None


def _refuse_unknown(document: dict[str, Any], model: type[BaseModel], path: str, prefix: str = "") -> None:
    for name, value in document.items():
        info = model.model_fields.get(name)
        if info is None:
            known = [key for key in names() if key.startswith(prefix)]
            raise Unreadable(f"{path}: unknown key {prefix + name!r}", _suggestion(prefix + name, known))
        if isinstance(info.default, BaseModel) and isinstance(value, dict):
            _refuse_unknown(value, type(info.default), path, f"{prefix}{name}.")


def _suggestion(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"


def _invalid(error: ValidationError, source: str, name: Any = str) -> Unreadable:
    first = error.errors(include_url=False)[0]
    key = name(".".join(str(part) for part in first["loc"] if isinstance(part, str)))
    hint = f"it is {first['input']!r} now; change or remove it"
    return Unreadable(f"{source}: {key}: {first['msg']}", hint)
