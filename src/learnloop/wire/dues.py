"""What a call makes due and what it settles: a lesson that says what goes with a change, and reminds of it.

A session's memory file (`session_recalls`) holds these lines besides its own:

    opens <agent> <lesson>…             a call of this agent is about to change what makes them due
    settles <how> <lesson>…             a call is about to do what is due: `file` or `command`
    reminds <nonce> <agent> <lesson>…   a hook claims to remind this agent of them

A call of any agent settles, whoever opened. A file also settles what the same task opens later: an entry may
be written before the change that it is about. Of two hooks at once, the one whose line comes first reminds.
"""

from learnloop.wire import clock, relevance, session_recalls, stops

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from learnloop.wire.index import Index
    from learnloop.wire.relevance import Moment, Record

KEY = "D"
EVERY = "!"
"""Under this stand all lessons that remind."""


def note(index: "Index", moment: "Moment", call: stops.CallAtHand, memory: "SessionDues") -> None:
    """Remember what a call that is about to run opens and settles."""
    opened, by_file, by_command = [], [], []
    for record in stops.posted(index, moment, KEY, call.names()):
        due = record.get("due")
        if due is None or relevance.elsewhere(record, moment):
            continue
        if call.runs(due["commands"]):
            by_command.append(record["id"])
        elif call.changes(due["files"]):
            by_file.append(record["id"])
        elif call.changes(due["after"]):
            opened.append(record["id"])
    memory.note(opened, by_file, by_command)


def reminding(index: "Index", moment: "Moment", lesson_ids: "Collection[str]") -> "Iterator[Record]":
    """The lessons of these ids, as far as they still remind."""
    for record in stops.posted(index, moment, KEY, (EVERY,)):
        if "due" in record and record["id"] in lesson_ids:
            yield record


class SessionDues(session_recalls.SessionRecalls):
    """What is due in a session, for one agent."""

    def note(self, opened: list[str], by_file: list[str], by_command: list[str]) -> None:
        """Remember what changes by a call; nothing is written where it is so already."""
        due_for, settled_ahead = self._state()
        lines = {
            f"opens {self._agent}": [
                lesson for lesson in opened
                if lesson not in settled_ahead and self._agent not in due_for.get(lesson, ())
            ],
            "settles file": [
                lesson for lesson in by_file if lesson in due_for or lesson not in settled_ahead
            ],
            "settles command": [lesson for lesson in by_command if lesson in due_for],
        }  # fmt: skip
        for line, lessons in lines.items():
            if lessons:
                self._append(f"{line} {' '.join(lessons)}", reads=False)

    def due(self) -> set[str]:
        """The lessons that are due for this agent and that it was not reminded of."""
        due_for, _ = self._state()
        return {lesson for lesson in due_for if self._agent in due_for[lesson]} - self._reminded().keys()

    def claim_reminder(self, lessons: list[str]) -> list[str]:
        """Claim to remind the agent of lessons; the ones that this process may show."""
        nonce = clock.new_id(clock.now_ms())
        self._lines = self._append(f"reminds {nonce} {self._agent} {' '.join(lessons)}").split("\n")
        reminded = self._reminded()
        return [lesson for lesson in lessons if reminded.get(lesson) == nonce]

    def _reminded(self) -> dict[str, str]:
        """The lessons that this agent was reminded of, with the nonce of the claim."""
        nonces: dict[str, str] = {}
        for line in self._lines:
            if line.startswith("reminds ") and line.count(" ") > 2:
                _, nonce, agent, *lessons = line.split(" ")
                for lesson in lessons if agent == self._agent else ():
                    nonces.setdefault(lesson, nonce)
        return nonces

    def _state(self) -> "tuple[dict[str, set[str]], set[str]]":
        """The agents for which a lesson is due, by lesson; the lessons that a file settled in this task."""
        due_for: dict[str, set[str]] = {}
        settled_ahead: set[str] = set()
        for line in self._lines:
            if line.startswith("said "):
                settled_ahead.clear()
            elif line.startswith(("opens ", "settles ")) and line.count(" ") > 1:
                kind, by, *lessons = line.split(" ")
                for lesson in lessons:
                    if kind == "settles":
                        due_for.pop(lesson, None)
                        settled_ahead.update((lesson,) if by == "file" else ())
                    elif lesson not in settled_ahead:
                        due_for.setdefault(lesson, set()).add(by)
        return due_for, settled_ahead
