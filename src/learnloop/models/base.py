"""What every document shares."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Document(BaseModel):
    """A frozen document; unknown fields are refused, so that a foreign file is noticed."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def with_(self, **changes: Any) -> Self:
        """A validated copy with some fields changed; raises pydantic's ValidationError on a wrong value."""
        return type(self).model_validate({**self.model_dump(), **changes})

    def as_json(self) -> dict[str, Any]:
        """The document as JSON values, the shape that `--json`, the store and the export share."""
        return self.model_dump(mode="json")
