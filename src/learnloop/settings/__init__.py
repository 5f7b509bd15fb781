"""The settings: read from a TOML file and from `LEARNLOOP_*` variables, which win for one process.

The file is `wire.paths.config_file()`; a variable is named `LEARNLOOP_<KEY>` (`LEARNLOOP_BUDGETS_PER_CALL`).
Publish compiles what hooks need into the index, from the file alone: one shell's environment never changes
what other sessions get.
"""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from learnloop.errors import NotFound, Unreadable
from learnloop.wire import paths, regular, switches

PREFIX = "LEARNLOOP_"
_MOST = 1 << 20


def _setting(default: Any, description: str, **limits: Any) -> Any:
    """A field with the sentence that `learn config` prints for it."""
    return Field(default=default, description=description, **limits)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Budgets(_Section):
    """How much a recall may show."""

    start_tokens: int = _setting(
        500, "Most tokens, of four characters each, shown when a session or a subagent starts.", ge=0, le=4000
    )
    call_tokens: int = _setting(400, "Most tokens shown at one prompt or tool call.", ge=0, le=4000)
    per_call: int = _setting(3, "Most lessons shown at one prompt or tool call.", ge=0, le=20)
    per_session: int = _setting(
        12, "Most lessons shown at prompts and tool calls of one session.", ge=0, le=200
    )


def _whole_path(folder: str) -> str:
    if folder and not folder.startswith(("/", "~")):
        raise ValueError("give the whole path of the folder, from / or ~ on")
    return folder


_Folder = Annotated[str, AfterValidator(_whole_path)]


class Log(_Section):
    """Where logs of days are kept, and what is said of them."""

    folder: _Folder = _setting(
        "", "A folder that gets the log of each day that is over, as `~/notes/days`; empty for none."
    )
    front_matter: bool = _setting(True, "Whether the logs in `log.folder` begin with front matter.")
    at_start: bool = _setting(True, "Whether the first session of a day says what the last one left open.")


class Vectors(_Section):
    """Whether earlier tasks are found by what they mean as well."""

    model: _Folder = _setting(
        "", "The folder of a sentence model with an ONNX file, for `learnloop[vectors]`; empty for none."
    )


class Redaction(_Section):
    """What is blacked out besides keys, tokens and passwords, which always are."""

    extras: tuple[str, ...] = _setting(
        (),
        "Texts and regular expressions; what one says, or matches, is removed before it is written to disk.",
    )

    @field_validator("extras")
    @classmethod
    def _compiles(cls, extras: tuple[str, ...]) -> tuple[str, ...]:
        for extra in extras:
            pattern = extra.removeprefix("re:")
            try:
                empty_match = re.compile(pattern).match("")
            except re.error as error:
                way_out = "put \\ before a sign that stands for itself"
                raise ValueError(f"{extra!r} is not a regular expression ({error}); {way_out}") from None
            if empty_match:
                raise ValueError(f"{extra!r} matches the empty text, so it would black out everything")
        return extras


class Facts(_Section):
    """What is known of a project already, whether a model reads along, which one, and what it may cost."""

    mode: Literal["off", "draft", "auto"] = _setting(
        "off",
        "The most that `learn facts on` may switch on: facts become drafts, or are taken in by themselves.",
    )
    command: tuple[str, ...] = _setting(
        (), 'Another command than Claude Code, as `["llm", "-m", "{model}"]`; the prompt comes on its input.'
    )
    model: str = _setting("haiku", "The small model, which reads prompts.", min_length=1, max_length=100)
    merge_model: str = _setting(
        "sonnet", "The larger model, which merges facts and proposes checks.", min_length=1, max_length=100
    )
    answers: bool = _setting(
        False, "Whether the small model is also given the first line of what the agent answered."
    )
    calls_per_day: int = _setting(60, "Most calls of a model in a day; 0 for any number.", ge=0)
    seconds_per_day: int = _setting(600, "Most seconds of calls in a day; 0 for any number.", ge=0)
    cost_per_day: float = _setting(0.5, "Most dollars that calls cost in a day; 0 for any sum.", ge=0)
    turns_per_day: int = _setting(
        100, "Most turns of agents that a model judges in a day, beside other calls; 0 for any number.", ge=0
    )
    turns_cost_per_day: float = _setting(
        0.5, "Most dollars that judging turns costs in a day; 0 for any sum.", ge=0
    )
    global_file: str = _setting(
        "",
        "A file for facts that you taught in two projects, by `/` or `~/`; empty for none.",
        pattern=r"^(?:~?/.+)?$",
    )
    sources: tuple[str, ...] = _setting(
        ("directives", "AGENTS.md", "CLAUDE.md", "LEARNED.md", "rules", "lessons"),
        "What `learn facts --init` reads: files by `/`, `~/` or below the project; `directives` are "
        "those below `~/.agents/docs/development`.",
    )


class Settings(_Section):
    """Everything that can be set."""

    enabled: bool = _setting(
        True, "Whether Learnloop works in agent sessions; false turns `record` and `recall` off."
    )
    record: bool = _setting(True, "Whether hooks record what happens in agent sessions.")
    recall: bool = _setting(True, "Whether hooks show agents the lessons you approved.")
    stop: bool = _setting(
        True, "Whether a lesson may stop a call that breaks it, once per session, before it runs."
    )
    messages: bool = _setting(
        True, "Whether the agent's client shows you which lessons it was told, and the news at its start."
    )
    background: bool = _setting(
        True, "Whether a hook may start a short background ingest when none ran for a minute."
    )
    retention_days: int = _setting(
        90, "Days that recorded events are kept; lessons and decisions stay.", ge=1, le=3650
    )
    min_pattern_occurrences: int = _setting(
        3, "How often a correction has to occur before it is a pattern.", ge=2, le=100
    )
    preference_decay_days: int = _setting(
        30, "Days after which a remark about your ways counts half.", ge=1, le=3650
    )
    backup_days: int = _setting(
        90,
        "Days that copies of patched prompt files are kept; the last one of an applied patch always is.",
        ge=1,
        le=3650,
    )
    queue_size: int = _setting(
        20, "Drafts that the queue shows at first; the others are folded.", ge=1, le=1000
    )
    draft_threshold: int | None = _setting(
        None,
        "The strength, 0–100, below which drafts are folded away; unset 68, then as your verdicts say. "
        "Up to 1 it is a share, as older files have it.",
        ge=0,
        le=100,
    )
    theme: str = _setting(
        "", "The console's theme by name; empty for the house theme.", pattern=r"^[a-z0-9_-]*$"
    )
    keys: dict[str, tuple[str, ...]] = _setting(
        {}, 'The console\'s keys, as `promote = ["u", "ctrl+b"]`; docs/keys.md names the commands.'
    )
    budgets: Budgets = Budgets()
    log: Log = Log()
    vectors: Vectors = Vectors()
    redaction: Redaction = Redaction()
    facts: Facts = Facts()

    @field_validator("draft_threshold", mode="before")
    @classmethod
    def _as_hundredths(cls, strength: Any) -> Any:
        """A share from an older file, in hundredths."""
        return round(100 * strength) if isinstance(strength, float | int) and 0 < strength <= 1 else strength

    @field_validator("keys", mode="before")
    @classmethod
    def _as_lists(cls, keys: Any) -> Any:
        """One key needs no brackets, and a digit no quotes."""
        if not isinstance(keys, dict):
            return keys
        if misplaced := sorted({"enabled", "record"} & keys.keys()):
            raise ValueError(f"{misplaced[0]!r} is a setting and belongs above the first table")
        lists = {name: value if isinstance(value, list) else [value] for name, value in keys.items()}
        return {name: [str(k) if isinstance(k, int) else k for k in value] for name, value in lists.items()}


EVERYDAY = (
    "enabled", "record", "recall", "stop", "messages", "retention_days", "theme", "budgets.start_tokens",
    "redaction.extras", "facts.mode",
)  # fmt: skip
"""What `learn config` lists besides what was set; `--all` lists every key."""


def names() -> list[str]:
    """Every key in dotted form, in the order of the model."""
    return [key for key, _ in fields()]


def fields() -> Iterator[tuple[str, FieldInfo]]:
    """Every key in dotted form with its field, in the order of the model."""
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, BaseModel):
            section = type(field.default).model_fields
            yield from ((f"{name}.{inner}", inner_field) for inner, inner_field in section.items())
        else:
            yield name, field


def variable(key: str) -> str:
    """The environment variable of a key: `LEARNLOOP_BUDGETS_PER_CALL` for `budgets.per_call`."""
    return PREFIX + key.replace(".", "_").upper()


def value_of(settings: Settings, key: str) -> Any:
    """The value of a dotted key; raises NotFound with the nearest one where there is none."""
    check_key(key)
    value: Any = settings
    for part in key.split("."):
        value = value.get(part, ()) if isinstance(value, dict) else getattr(value, part)
    return list(value) if isinstance(value, tuple) else value


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


def validated(document: dict[str, Any], source: str = "", way_out: str = "change or remove it") -> Settings:
    """Settings from a document; raises Unreadable naming the key, and a `way_out` for a wrong value."""
    try:
        return Settings.model_validate(document)
    except ValidationError as error:
        raise invalid(error, source, way_out=way_out) from None


def _suggestion(key: str, keys: list[str]) -> str:
    near = difflib.get_close_matches(key, keys, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(keys)}"


_EXPECTED = {
    "int": "a whole number", "float": "a number", "bool": "true or false", "string": "a text",
    "tuple": "a list", "dict": "a table", "model": "a table", "greater": "{ge} or more",
    "less": "{le:g} or less",
}  # fmt: skip
"""What a setting takes, by the first word of the kind of pydantic's error."""


def _expectation(details: Any) -> str:
    """What is wrong with a value, in words."""
    words = _EXPECTED.get(details["type"].partition("_")[0])
    if words is None:
        return str(details["msg"].removeprefix("Value error, "))
    return f"takes {words.format(**details.get('ctx') or {})}, not {details['input']!r}"


def invalid(
    error: ValidationError, source: str, name: Callable[[str], str] = str,
    way_out: str = "change or remove it",
) -> Unreadable:  # fmt: skip
    """Return the first error, unknown keys before wrong values; `name` gives a key's name in the source."""
    details = min(error.errors(include_url=False), key=lambda detail: detail["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in details["loc"] if isinstance(part, str))
    where = f"{source}: " if source else ""
    if details["type"] == "extra_forbidden":
        section = key[: key.rfind(".") + 1]
        siblings = [name(other) for other in names() if other.startswith(section)]
        return Unreadable(f"{where}unknown key {name(key)!r}", _suggestion(name(key), siblings))
    return Unreadable(f"{where}{name(key)}: {_expectation(details)}", way_out)


def load(path: str | None = None, *, environment: bool = True) -> Settings:
    """The settings from file and environment; raises Unreadable, naming file, key and the way out."""
    path = paths.config_file() if path is None else path
    document = read(path)
    from_file = validated(document, path)
    prefixes = tuple(map(variable, Settings.model_fields))
    if not environment or not any(name.startswith(prefixes) for name in os.environ):
        return from_file
    from learnloop.settings import environment as variables

    # A variable replaces a whole table of the file; of the others the file's keys stay.
    remaining = {name: value for name, value in document.items() if not os.environ.get(variable(name))}
    try:
        given = variables.values(Settings, PREFIX, parse)
        return Settings.model_validate(_merged(remaining, given))
    except ValidationError as error:
        raise invalid(error, "environment variable", _set_variable, "change or unset it") from None


def _merged(document: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The document with what was given; a table keeps its other keys."""
    tables = {
        name: {**document[name], **value}
        for name, value in given.items()
        if isinstance(value, dict) and isinstance(document.get(name), dict)
    }
    return {**document, **given, **tables}


def read(path: str) -> dict[str, Any]:
    """The content of the settings file, {} where there is none; raises Unreadable where it is not TOML."""
    try:
        return tomllib.loads(regular.read(path, _MOST, follows=True).decode("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise Unreadable(f"{path} cannot be read ({reason})", "mend the file or move it away") from None
    except tomllib.TOMLDecodeError as error:
        hint = "mend that line or move the file away"
        raise Unreadable(f"{path} is not valid TOML ({error})", hint) from None


def _set_variable(key: str) -> str:
    """The variable that gave a key: its own, or that of its section."""
    section = variable(key.partition(".")[0])
    return section if os.environ.get(section) else variable(key)


_RECORDING = ("enabled", "record")


def keep_prohibitions(root: str) -> None:
    """Bring what hooks find without the index up to the settings file; raises OSError where it cannot.

    A settings file that is gone changes nothing: what a person forbade stays forbidden until a file says
    otherwise. One that is not understood forbids recording, unless its faults are about something else.
    A `config.toml` in the root may forbid even where another one counts.
    """
    states, path = switches.settings_states(root), paths.config_file()
    reasons = [reason for file in states if (reason := _prohibition(file)) is not None]
    if reasons or path in states:
        _put(Path(paths.record_off_switch(root)), b"" if reasons else None)
    if states:
        seen = {**switches.settings_note(root)["seen"], **states}
        note = {"seen": seen, "reason": max(reasons, default="")}
        _put(Path(paths.settings_note(root)), json.dumps(note).encode())
    try:
        extras = json.dumps(list(load(path, environment=False).redaction.extras))
    except Unreadable:
        return
    if path in states:
        _put(Path(paths.redaction(root)), None if extras == "[]" else extras.encode())


def _prohibition(path: str) -> str | None:
    """Why a settings file lets nothing be recorded, "" where it says so; None where it does not."""
    try:
        document = read(path)
        chosen = Settings.model_validate(document)
    except Unreadable as error:
        return error.message
    except ValidationError as error:
        if any(map(_may_forbid, error.errors(include_url=False))):
            return invalid(error, path).message
        chosen = Settings.model_validate({key: document[key] for key in _RECORDING if key in document})
    return None if chosen.enabled and chosen.record else ""


def _may_forbid(fault: ErrorDetails) -> bool:
    """Whether a fault may hide the wish that nothing is recorded: an unknown or misplaced key, its value."""
    return (
        fault["type"] == "extra_forbidden"
        or fault["loc"] == ("keys",)
        or bool({*_RECORDING} & {*fault["loc"]})
    )


def _put(path: Path, data: bytes | None) -> None:
    from learnloop.store import files

    if data is None:
        path.unlink(missing_ok=True)
    elif files.read(path) != data:
        files.replace(path, [data])
