"""What agents are told when a session starts, and what does not fit, by the index that hooks read.

Imports no pydantic, because `learn status` reads it.
"""

from typing import Any, NamedTuple

from learnloop.wire import clock, index, paths, relevance, render, search

_LOOKED_AT = 60
"""The lessons that a hook looks at."""


class AtStart(NamedTuple):
    """The ids of lessons and confirmed preferences, in the order in which agents are told them."""

    told: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Those that the budget has no room for."""
    tokens: int = 0
    budget: int = 0
    says: tuple[str, ...] = ()
    """The words of those that are told, each with its short id, then of those left out."""

    @property
    def words(self) -> str:
        """All of it in one line; empty where there is nothing to tell."""
        if not self.told + self.left_out:
            return ""
        names = ", ".join(lesson_id[:4] for lesson_id in self.left_out[:5])
        more = f" and {len(self.left_out) - 5} more" if len(self.left_out) > 5 else ""
        left_out = f"; {len(self.left_out)} did not fit: {names}{more}" if self.left_out else ""
        instructions = "instruction" if len(self.told) == 1 else "instructions"
        return f"{len(self.told)} {instructions}, about {self.tokens} of {self.budget} tokens{left_out}"

    def place_of(self, lesson_id: str) -> str:
        """Whether one of them is told; empty for any other lesson."""
        if lesson_id in self.left_out:
            return f"does not fit into the {self.budget} tokens of a start: shorten it, or archive others"
        at = self.told.index(lesson_id) + 1 if lesson_id in self.told else 0
        return f"told as number {at} of {self.words}" if at else ""


def at_start(root: str, project: str, also: "relevance.Record | None" = None) -> AtStart:
    """What the main agent of Claude Code is told in a project; `also`: were that lesson in use."""
    published = index.read(paths.index(root))
    if published is None or not (published.header["lessons"] or also):
        return AtStart()
    holding, budget = _holding(published, project), int(published.header["budgets"]["start_tokens"])
    if also is not None:
        others = [record for record in holding if record["id"] != also["id"]]
        holding = sorted([*others, render.brief(also)], key=_place)
    fitting = render.fit_budget(holding[:_LOOKED_AT], budget)
    told = tuple(record["id"] for record in fitting)
    left_out = [record for record in holding if record["id"] not in told]
    return AtStart(
        told,
        tuple(record["id"] for record in left_out),
        -(-len(render.text(fitting)) // render.CHARACTERS_A_TOKEN) if fitting else 0,
        budget,
        tuple(map(render.line, (*fitting, *left_out))),
    )


def _place(record: "relevance.Record") -> tuple[Any, ...]:
    """Where a lesson stands among those for a start, as `search.start` orders them."""
    if record.get("belief"):
        return (1,)
    if record["priority"] == "CRITICAL":
        return (0,)
    return (2, -record["standing"], record["id"]) if "standing" in record else (3,)


def records_at_start(root: str, project: str, host: str, *, vital_only: bool) -> "list[relevance.Record]":
    """What the main agent of a host is told there; with `vital_only` CRITICAL lessons alone."""
    published = index.read(paths.index(root))
    if published is None or not published.header["lessons"]:
        return []
    holding = _holding(published, project, host)
    vital = [record for record in holding if not vital_only or record["priority"] == "CRITICAL"]
    return render.fit_budget(vital[:_LOOKED_AT], int(published.header["budgets"]["start_tokens"]))


def _holding(published: index.Index, project: str, host: str = "claude") -> "list[relevance.Record]":
    """The statements for a start, the best first, as many as there are."""
    now = clock.iso(clock.now_ms())
    moment = relevance.Moment({"moment": "start", "project": project, "cwd": project, "host": host})
    return [
        render.brief(record)
        for record in search.start(published, moment)
        if not record.get("expires") or record["expires"] > now
    ]
