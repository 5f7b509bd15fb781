"""Names that people shorten: an id, or its first characters."""

from collections.abc import Collection, Sequence

from learnloop.errors import Ambiguous, NotFound
from learnloop.models.ids import SHORTEST

_MOST_LISTED = 8


def shown(value: str) -> str:
    """The id of a patch or belief as it is shown: there are few, so its beginning names it."""
    return value[:SHORTEST]


def resolve(typed: str, ids: Collection[str], noun: str, hint: str, *, shortest: int = SHORTEST) -> str:
    """The id that was typed whole, or that alone begins with what was typed.

    `noun` is what the ids name, `hint` says where they are listed. Raises NotFound where no id begins so or
    fewer than `shortest` characters were typed, Ambiguous where several ids do.
    """
    beginning = typed.strip()
    if beginning in ids:
        return beginning
    beginning = beginning.lower()
    if len(beginning) < shortest:
        raise NotFound(f"{typed!r} is too short for an id", f"give its first {shortest} characters or more")
    matches = [each for each in ids if each.lower().startswith(beginning)]
    if beginning in matches:
        return beginning
    if not matches:
        raise NotFound(f"no {noun} {typed!r}", hint)
    if len(matches) > 1:
        listed = ", ".join(_distinct(sorted(matches)[:_MOST_LISTED], len(beginning) + 2))
        raise Ambiguous(f"{len(matches)} {_plural(noun)} begin with {typed!r}", f"say more of it: {listed}")
    return matches[0]


def _plural(noun: str) -> str:
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("ch") else f"{noun}s"


def _distinct(ids: Sequence[str], shortest: int) -> list[str]:
    """Beginnings of one length that tell ids apart."""
    longest = max(map(len, ids))
    lengths = (n for n in range(shortest, longest) if len({each[:n] for each in ids}) == len(ids))
    length = next(lengths, longest)
    return [each[:length] for each in ids]
