"""Settings from environment variables.

A module of its own because pydantic-settings costs a command some 20 ms: `settings.load` imports it only
where such a variable is set.
"""

from collections.abc import Callable
from typing import Any, cast

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource


class _Variables(EnvSettingsSource):
    """Lists and tables are written in TOML, as in the file."""

    parse: Callable[[str], Any]

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:  # noqa: ARG002
        return self.parse(value)


def values(model: type[BaseModel], prefix: str, parse: Callable[[str], Any]) -> dict[str, Any]:
    """The settings that variables give, as a document; `PREFIX_BUDGETS_PER_CALL` is budgets.per_call."""
    source = _Variables(
        cast("type[BaseSettings]", model), env_prefix=prefix, env_nested_delimiter="_",
        env_nested_max_split=1, env_ignore_empty=True,
    )  # fmt: skip
    source.parse = parse
    return source()
