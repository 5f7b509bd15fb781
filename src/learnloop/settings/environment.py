"""Settings from environment variables over those of the file.

A module of its own because pydantic-settings costs a command some 20 ms: `settings.load` imports it only
where such a variable is set.
"""

from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from learnloop.settings import PREFIX, Settings, parse


class _Variables(EnvSettingsSource):
    """Lists and tables are written in TOML, as in the file."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:  # noqa: ARG002
        return parse(value)


class SettingsWithEnvironment(Settings, BaseSettings):
    """Settings whose arguments, the file's values, `LEARNLOOP_*` variables override."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,  # LEARNLOOP_BUDGETS_PER_CALL is budgets.per_call
        env_ignore_empty=True,
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *_: Any,
        **_others: Any,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The variables first, then the file; no `.env` file and no secrets folder."""
        return _Variables(settings_cls), init_settings
