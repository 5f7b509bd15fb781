"""What recall remembers of a session: what was told to whom, compactions, the last human prompt.

One append-only file a session under `recall/sessions`, a line a happening:

    told <nonce> <agent> <moment> <limit> <lesson>…   somebody means to tell these; an agent id or `main`
    epoch                                             a compaction or clearing: what was told is gone
    said <prompt>                                     what the person said last, redacted, on one line
    gate <ms> <agent> <target> <lesson>…              these stopped a call on that target
    batch <agent>                                     the calls that were made beside it are over

Of two hooks at once the one tells a lesson whose line comes first: lines are appended in one write each, so
their order is the same for everybody, and nobody waits. Making a file for each lesson told would cost a hook
more than the search: a new name in a folder is ten times the price of a line.
"""

import posix

from learnloop.wire import clock, paths

PROMPT_CHARACTERS = 2048
KEPT_DAYS = 7
_SAME_CALL_MS, _ANY_CALL_MS = 1_000, 10_000
_MOST = 1 << 20  # of a longer file the end counts
_TAIL = 1 << 14  # holds the last prompt in all but the longest sessions
_APPEND = posix.O_RDWR | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_HASH = (1 << 127) - 1


def path(root: str, session: str) -> str:
    """The file of what is remembered of a session."""
    return f"{paths.recall_sessions(root)}/{_safe(session)}"


def _safe(name: str) -> str:
    """A name that is fit for a file: as it is where it can be, else a hash."""
    if name and len(name) <= 64 and _SAFE.issuperset(name):
        return name
    return f"x-{int.from_bytes(name.encode('utf-8', 'surrogatepass'), 'big') % _HASH:032x}"


class Memory:
    """The memory of one agent (`main` or an agent id) in one session, as it is when it is opened."""

    def __init__(self, root: str, session: str, agent: str = "main") -> None:
        self._path = path(root, session)
        self._agent = _safe(agent or "main")
        self._lines = _read(self._path, 0).split("\n")

    def told(self, moment: str) -> set[str]:
        """The lessons that were told at this moment (start, prompt or tool) since the last compaction."""
        return {lesson for at, lesson, _ in self._history() if at == moment}

    def claim(self, moment: str, lessons: list[str], limit: int = -1) -> list[str]:
        """Take it upon this process to tell lessons; which of them it may tell.

        Not those that were told at this moment since the last compaction, and no more than makes the limit
        with all that was told under one.
        """
        nonce = clock.new_id(clock.now_ms())
        line = f"told {nonce} {self._agent} {moment} {limit} {' '.join(lessons)}"
        self._lines = self._append(line).split("\n")
        return [lesson for _, lesson, by in self._history() if by == nonce]

    def stops(self, lessons: list[str], target: str, now_ms: int) -> list[str]:
        """Those of gated lessons that stop a call: where none of them stopped one before, or only beside it.

        Calls made at the same time are all stopped. They are over with the agent's `batch`; where a client
        does not tell it, a second try of the same call passes after a second, any call after ten.
        """
        passed: set[str] = set()
        stopped: set[str] = set()
        for line in self._lines:
            if line == f"batch {self._agent}":
                passed |= stopped
            elif line.startswith("gate ") and line.count(" ") > 3:
                _, ms, agent, at, *named = line.split(" ")
                if agent == self._agent and ms.isdigit():
                    stopped.update(named)
                    age = now_ms - int(ms)
                    if age > _ANY_CALL_MS or (at == target and age > _SAME_CALL_MS):
                        passed.update(named)
        return [lesson for lesson in lessons if lesson not in passed]

    def stopped(self, lessons: list[str], target: str, now_ms: int) -> None:
        """Note that gated lessons stopped a call."""
        self._append(f"gate {now_ms} {self._agent} {target} {' '.join(lessons)}", reads=False)

    def batch_over(self) -> None:
        """Note that the calls which an agent made together are over, where one of them was stopped."""
        last = [line for line in self._lines if line.startswith(("gate ", "batch "))]
        mine = [line for line in last if self._agent in line.split(" ")[1:3]]
        if mine and mine[-1].startswith("gate "):
            self._append(f"batch {self._agent}", reads=False)

    def forget_context(self) -> None:
        """Note that the session's context is gone: what was told may be told again."""
        self._lines = self._append("epoch").split("\n")

    def keep_prompt(self, prompt: str) -> None:
        """Remember the last human prompt, which has been cleaned and redacted."""
        self._append(f"said {' '.join(prompt[:PROMPT_CHARACTERS].split())}", reads=False)

    def _history(self) -> list[tuple[str, str, str]]:
        """What was told to this agent since the last compaction: moment, lesson, whose line it was."""
        told: dict[tuple[str, str], str] = {}
        counted = 0
        for line in self._lines:
            if line == "epoch":
                told.clear()
                counted = 0
            elif line.startswith("told ") and line.count(" ") > 4:
                _, nonce, agent, moment, limit, *lessons = line.split(" ")
                unlimited = limit == "-1"
                for lesson in lessons if agent == self._agent else ():
                    if (moment, lesson) not in told and (unlimited or counted < int(limit)):
                        told[moment, lesson] = nonce
                        counted += not unlimited
        return [(*key, nonce) for key, nonce in told.items()]

    def _append(self, line: str, reads: bool = True) -> str:
        """Append a line in one write; the file as it is then, if asked for."""
        fd = self._opened()
        try:
            posix.write(fd, f"\n{line}\n".encode("utf-8", "replace"))
            return _tail(fd, _MOST) if reads else ""
        finally:
            posix.close(fd)

    def _opened(self) -> int:
        for flags in (_APPEND, _APPEND | posix.O_CREAT):
            try:
                return posix.open(self._path, flags, paths.FILE_MODE)
            except FileNotFoundError:
                continue
        paths.ensure_dir(self._path.rpartition("/")[0])
        return posix.open(self._path, _APPEND | posix.O_CREAT, paths.FILE_MODE)


def target_name(text: str) -> str:
    """A call's target as the memory writes it."""
    return _safe(text) if text else "-"


def last_prompt(root: str, session: str) -> str:
    """The last human prompt of a session, or nothing."""
    name = path(root, session)
    found = _read(name, _TAIL)
    if "\nsaid " not in found and len(found) >= _TAIL // 4:
        found = _read(name, _MOST)
    return found.rpartition("\nsaid ")[2].partition("\n")[0] if "\nsaid " in found else ""


def clean(root: str, now_ms: int | None = None) -> int:
    """Remove the memory of sessions in which nothing was said or told for a week; how many there were."""
    oldest = (clock.now_ms() if now_ms is None else now_ms) / 1000 - KEPT_DAYS * 86_400
    base = paths.recall_sessions(root)
    try:
        names = posix.listdir(base)
    except OSError:
        return 0
    removed = 0
    for name in names:
        try:
            if posix.stat(f"{base}/{name}").st_mtime < oldest:
                posix.unlink(f"{base}/{name}")
                removed += 1
        except OSError:  # gone
            continue
    return removed


def forget(root: str, session: str) -> bool:
    """Remove what is remembered of a session; whether there was anything."""
    try:
        posix.unlink(path(root, session))
    except FileNotFoundError:
        return False
    return True


def _read(name: str, most: int) -> str:
    """The end of a file, or all that counts of it; nothing where there is none."""
    try:
        fd = posix.open(name, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    except OSError:
        return ""
    try:
        return _tail(fd, most or _MOST)
    finally:
        posix.close(fd)


def _tail(fd: int, most: int) -> str:
    size = posix.fstat(fd).st_size
    return posix.pread(fd, most, max(size - most, 0)).decode("utf-8", "replace")
