"""What a session did that checks of order, and of what is due, have to know: a small file a session.

Its lines are appended, so that no hook waits; a file that has grown is written anew with what still counts.

    open <agent> <rule>   an agent did what makes something due, or has to hear of a breach when it ends
    set <rule>            what a rule waits for was done
    clear <rule>          it counts no more, or what was due is done
    ahead <rule>          a file that is due was written before what makes it due
    said                  the person typed: what holds for a turn is over

A rule is `<lesson>.<number>`, with `~` behind it where it holds for a turn.
"""

import posix

from learnloop.wire import clock, regular, session_recalls

_MOST = 1 << 15
_FAULTS = ("failed", "failing", "failures", "failure", "errors", "error", "issues", "issue", "problems")
_ANSWER = 1 << 12
_AGAINST = frozenset((
    "not", "never", "no", "don't", "dont", "without", "avoid", "stop", "instead", "why", "you", "again",
    "still", "when", "if", "after", "before",
))  # fmt: skip
"""Words before an act that do not order it."""


def is_ordered(hit: str, prompt: str) -> bool:
    """Whether a clause of a person's prompt names all of the very act that was found, and nothing against it.

    Of a file its name is enough. What is asked, or told of as done, orders nothing.
    """
    what, is_text, _ = hit.rpartition(" in ")
    needed = [word.lower().rpartition("/")[2] or word for word in (what if is_text else hit).split()]
    for line in prompt.lower().splitlines():
        for sign in ("? ", "! ", "; ", ", "):
            line = line.replace(sign, f"{sign[0]}. ")
        for clause in line.split(". "):
            words = [word.strip(".,;:!`'\"()").rpartition("/")[2] for word in clause.split()]
            if needed and set(needed) <= set(words) and clause[-1:] != "?":
                return _AGAINST.isdisjoint(words[: words.index(needed[0])])
    return False


def has_passed(response: object) -> bool:
    """Whether a tool's answer says that it ended well: no error, and nothing that failed."""
    message = response if isinstance(response, str) else ""
    words = message[-_ANSWER:].replace(",", " ").replace(".", " ").split()
    counted = any(
        word.lower() in _FAULTS and words[at - 1].isdigit() and int(words[at - 1])
        for at, word in enumerate(words)
    )
    is_error = message.lstrip().startswith(("Error", "Exit code", "<tool_use_error>", "PreToolUse:"))
    return not (is_error or counted or "FAIL" in words or "FAILED" in words)


class Done:
    """What was done of what rules wait for, and what is due for which agent."""

    def __init__(self, agent: str = "main") -> None:
        self._by = agent
        self._opened_by: dict[str, set[str]] = {}
        self._set: set[str] = set()
        self._ahead: set[str] = set()
        self._changes: list[str] = []

    def open(self, key: str) -> None:
        """Something is due for this agent."""
        if key not in self._ahead and self._by not in self._opened_by.get(key, ()):
            self._change("open", self._by, key)

    def settle(self, key: str, *, ahead: bool) -> None:
        """What is due is done; `ahead`: also for what opens it later in this turn."""
        if key in self._opened_by:
            self._change("clear", key)
        if ahead and key not in self._ahead:
            self._change("ahead", key)

    def mark(self, key: str) -> None:
        """What a rule waits for was done."""
        if key not in self._set:
            self._change("set", key)

    def clear(self, key: str) -> None:
        """It counts no more."""
        if key in self._set:
            self._change("clear", key)

    def is_set(self, key: str) -> bool:
        """Whether it was done, in the session or in this turn."""
        return key in self._set or f"{key}~" in self._set

    def turn(self) -> None:
        """The person typed: what holds for a turn is over."""
        if self._set or self._opened_by or self._ahead:
            self._change("said")

    def due(self) -> set[str]:
        """The rules that are due for this agent."""
        return {key for key, agents in self._opened_by.items() if self._by in agents}

    def _change(self, *words: str) -> None:
        self._take(list(words))
        self._changes.append(" ".join(words))

    def _take(self, words: "list[str]") -> None:
        match words:
            case ["open", agent, key]:
                if key not in self._ahead:
                    self._opened_by.setdefault(key, set()).add(agent)
            case ["set", key]:
                self._set.add(key)
            case ["clear", key]:
                self._set.discard(key)
                self._opened_by.pop(key, None)
            case ["ahead", key]:
                self._ahead.add(key)
            case ["said"]:
                self._ahead.clear()
                self._set = {key for key in self._set if key[-1:] != "~"}

    def _state(self) -> "list[str]":
        """The lines that say what still counts."""
        lines = [f"open {agent} {key}" for key, agents in self._opened_by.items() for agent in agents]
        return [*lines, *(f"set {key}" for key in self._set), *(f"ahead {key}" for key in self._ahead)]


class SessionChecks(Done):
    """The same for an agent of a session, remembered in its file."""

    def __init__(self, root: str, session: str, agent: str = "main") -> None:
        super().__init__(session_recalls.line_name(agent))
        self.sent = f"sent-{session_recalls.line_name(agent)}"
        """What is set where the agent was sent back in this turn."""
        self.recalls = session_recalls.SessionRecalls(root, session, agent)
        self._path = session_recalls.path(root, session) + session_recalls.ACTS
        try:
            held = regular.read(self._path, 2 * _MOST).decode("utf-8", "replace")
        except OSError:
            held = ""
        self._size = len(held)
        for line in held.split("\n"):
            self._take(line.split(" "))

    def keep(self) -> None:
        """Write what changed; nothing is written where nothing did."""
        changes, self._changes = self._changes, []
        if not changes:
            return
        fd = session_recalls.opened(self._path)
        try:
            posix.write(fd, f"\n{chr(10).join(changes)}\n".encode("utf-8", "replace"))
        finally:
            posix.close(fd)
        if self._size > _MOST:
            self._compact()

    def _compact(self) -> None:
        new = f"{self._path}.{clock.new_id(clock.now_ms())}"
        fd = regular.opened(new, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL)
        try:
            posix.write(fd, "\n".join(self._state())[:_MOST].encode("utf-8", "replace"))
        finally:
            posix.close(fd)
        posix.rename(new, self._path)
