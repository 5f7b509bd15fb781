"""Texts with secrets, made at run time: what looks like a real key is in no file of the repository."""

import random
import re
import string

_WORDS = (
    "able", "above", "acid", "adult", "agent", "alarm", "album", "alpha", "anchor", "apple", "arena",
    "autumn", "bacon", "badge", "balance", "bamboo", "basic", "battle", "beach", "blanket", "bonus",
    "bottom", "brave", "cabin", "cactus", "camera", "canyon", "carbon", "castle", "cherry", "circle",
    "citizen", "clever", "coral", "cotton", "cradle", "dance", "denial", "desert", "dragon", "echo",
    "elbow", "energy", "fabric", "famous",
)  # fmt: skip
_ALNUM, _HEX = string.ascii_letters + string.digits, "0123456789abcdef"
_SIGNS = {
    "w": _ALNUM, "b": _ALNUM + "_-", "B": _ALNUM + "+/", "h": _HEX, "H": _HEX.upper(), "d": string.digits,
    "l": string.ascii_lowercase, "U": string.ascii_uppercase + string.digits,
}  # fmt: skip
_UUID = (8, 4, 4, 4, 12)
_PLACE = re.compile(r"<([whdlbBUHusp])(\d+)>")


def made(template: str, seed: int) -> tuple[str, list[str]]:
    """The text of a template, and the random values in it; always the same for a seed.

    `<w36>` are 36 letters and digits, `h` hexadecimal digits, `d` digits, `l` letters, `b` base64url,
    `B` base64, `U` capitals, `u` a UUID, `s` words, `p` a password of letters with two digits.
    """
    source = random.Random(f"{seed} {template}")
    values: list[str] = []

    def put(place: re.Match[str]) -> str:
        values.append(_value(source, place[1], int(place[2])))
        return values[-1]

    return _PLACE.sub(put, template), values


def _value(source: random.Random, kind: str, length: int) -> str:
    if kind == "u":
        return "-".join("".join(source.choices(_SIGNS["h"], k=part)) for part in _UUID)
    if kind == "s":
        return " ".join(source.choices(_WORDS, k=length))
    if kind == "p":
        return "".join(
            source.choices(string.ascii_lowercase, k=length - 2) + source.choices(string.digits, k=2)
        )
    return "".join(source.choices(_SIGNS[kind], k=length))
