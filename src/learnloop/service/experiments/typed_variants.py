"""Variants as a person types them: `told:80`, `held out:20:off`, `short:50:Use uv.`, `few:50:per_call=1`."""

import re

from pydantic import ValidationError

from learnloop.errors import Refused
from learnloop.models.experiment import RecallBudgets, Variant

_BUDGETS = "|".join(RecallBudgets.model_fields)
_SETTINGS = re.compile(rf"(?:(?:{_BUDGETS})=\d{{1,5}}|priming=(?:on|off))(?:[,\s]+|$)")
_OFF = "off"


def variant(typed: str) -> Variant:
    """A variant of a name, a weight, and what differs; raises Refused for what is none."""
    name, _, rest = typed.partition(":")
    weight, _, what = rest.partition(":")
    try:
        return Variant.model_validate(
            {"name": name.strip(), "weight": int(weight or 0), **what_differs(what)}
        )
    except (ValidationError, ValueError):
        problem = f"{typed!r} is no variant, write NAME:WEIGHT with a weight from 1 to 99"
        raise Refused(problem, "then :off, :WORDS, :per_call=1 or :priming=off") from None


def what_differs(typed: str) -> dict[str, object]:
    """The fields of a variant: `off` tells nothing, `per_call=1` and `priming=off` set, all else is words."""
    typed = typed.strip()
    if typed.lower() == _OFF:
        return {"tells": False}
    if not typed or _SETTINGS.sub("", typed):
        return {"wording": typed}
    pairs = dict(pair.split("=") for pair in re.split(r"[,\s]+", typed) if pair)
    priming = pairs.pop("priming", "on")
    return {"budgets": pairs or None, "priming": priming != _OFF}


def named(variant_: Variant) -> str:
    """What a variant does, as it is typed; empty where it tells as ever."""
    if not variant_.tells:
        return _OFF
    budgets = variant_.budgets.model_dump(exclude_none=True) if variant_.budgets else {}
    parts = [f"{name}={value}" for name, value in budgets.items()]
    return variant_.wording or ", ".join([*parts, *([] if variant_.priming else ["priming=off"])])
