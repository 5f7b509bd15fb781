"""What a session was shown: the lessons per agent, compactions, the last human prompt.

One append-only file per session in `recall/sessions`, a line per event:

    told <nonce> <agent> <moment> <limit> <lesson>…   a hook claims these lessons; an agent id or `main`
    epoch                                             a compaction or clearing: the context is gone
    said <prompt>                                     the last human prompt, redacted, on one line
    gate <ms> <agent> <target> <lesson>…              these lessons denied a call on that target
    reminds <nonce> <agent> <lesson>…                 a hook claims to remind this agent of them
    batch <agent>                                     the calls made beside it are over
    news <nonce>                                      this hook tells the person how the session went
    of <session> <type>                               it is a subagent's, which this session called
    broke <turn> <lesson> <place>                     a model says that the turn broke this lesson

Of two hooks at once, the one whose line comes first shows the lesson. Each line is one append, so every
reader sees the same order, and no hook waits.
"""

import posix

from learnloop.wire import clock, paths, regular

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    Arm = list[Any]
    """[up to which percent, name, …]: of a lesson whether it tells, and other words; of budgets these; of
    priming whether it primes"""

PROMPT_CHARACTERS = 2048
FOUND = "found"
"""The moment at which a session is told what its turns broke."""
KEPT_DAYS = 7
ACTS = ".acts"
"""Behind the name of the file with what was done, which checks of order have to know."""
_SAME_CALL_MS, _ANY_CALL_MS = 1_000, 10_000
_MOST = 1 << 20  # of a longer file the end counts
_TAIL = 1 << 14  # holds the last prompt in all but the longest sessions
_HEAD = 1 << 10  # holds what is remembered of a subagent's own session
_APPEND = posix.O_RDWR | posix.O_APPEND
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_HASH = (1 << 127) - 1
_WORD = (1 << 64) - 1
_PRIME = (1 << 61) - 1
_PARTS = 1_000_000


def path(root: str, session: str) -> str:
    """The file of what is remembered of a session."""
    return f"{paths.recall_sessions(root)}/{_safe(session)}"


def is_safe(name: str) -> bool:
    """Whether a name is fit for a file, and for a line of it."""
    return 0 < len(name) <= 64 and _SAFE.issuperset(name)


def line_name(agent: str) -> str:
    """An agent as lines of the memory name it."""
    return _safe(agent or "main")


def _safe(name: str) -> str:
    """A name that is fit for a file: as it is where it can be, else a hash."""
    if is_safe(name):
        return name
    return f"x-{int.from_bytes(name.encode('utf-8', 'surrogatepass'), 'big') % _HASH:032x}"


def arm(trial: "dict[str, Any]", session: str) -> "Arm":
    """The variant that a session gets; experiments with other salts draw independently of each other."""
    part = drawn(trial["salt"], session)
    arms: list[Arm] = trial["arms"]
    for each in arms:
        if part * 100 < each[0] * _PARTS:
            return each
    return arms[-1]


def drawn(salt: int, session: str) -> int:
    """A number below a million that is evenly spread over sessions (the finaliser of SplitMix64)."""
    number = int.from_bytes(session.encode("utf-8", "surrogatepass"), "big") % _PRIME ^ salt
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        number = (number ^ number >> shift) * factor & _WORD
    return number % _PARTS


def moment(trial: "dict[str, Any]", session: str) -> "dict[str, Any]":
    """What a receipt says of a moment at which the variants of an experiment on all of recall differ."""
    return {"trial": trial["id"], "arm": arm(trial, session)[1]}


class SessionRecalls:
    """The memory of one agent (`main` or an agent id) in one session, as it is when it is opened."""

    def __init__(self, root: str, session: str, agent: str = "main") -> None:
        self._path = path(root, session)
        self._agent = line_name(agent)
        self._lines = _read(self._path).split("\n")
        self._nonce = ""

    def shown(self, moment: str) -> set[str]:
        """The lessons that were shown at this moment (start, prompt or tool) since the last compaction."""
        return {lesson for at, lesson, _ in self._history() if at == moment}

    def claim(self, moment: str, lessons: list[str], limit: int = -1) -> list[str]:
        """Claim lessons for this process; the ones that it may show.

        A lesson shown at this moment since the last compaction is not claimed again. `limit` bounds how many
        lessons are shown per epoch; -1 is no limit.
        """
        nonce = self._nonce = clock.new_id(clock.now_ms())
        line = f"told {nonce} {self._agent} {moment} {limit} {' '.join(lessons)}"
        self._lines = self._append(line).split("\n")
        return [lesson for _, lesson, by in self._history() if by == nonce]

    def new_to_person(self, moment: str, claimed: list[str]) -> list[str]:
        """Of the lessons just claimed, those that the person sees for the first time in this session.

        A compaction makes nothing new, and the start is apart: it only counts lessons. A client shows the
        person nothing of subagents, so theirs are neither new nor seen.
        """
        seen: set[str] = set()
        for line in self._lines if self._agent == "main" else ():
            if line.startswith("told ") and line.count(" ") > 4:
                _, nonce, agent, at, _, *lessons = line.split(" ")
                if nonce == self._nonce:
                    return [lesson for lesson in claimed if lesson not in seen]
                if agent == "main" and (at == "start") is (moment == "start"):
                    seen.update(lessons)
        return []

    def claim_news(self) -> bool:
        """Claim the news of how this session went; False where they were given, or it is forgotten."""
        if not any(self._lines) or any(line.startswith("news ") for line in self._lines):
            return False
        mine = f"news {clock.new_id(clock.now_ms())}"
        lines = self._append(mine).split("\n")
        return next(line for line in lines if line.startswith("news ")) == mine

    def stops(self, lessons: list[str], target: str, now_ms: int) -> list[str]:
        """The gated lessons that deny a call: those that have not denied an earlier one.

        Calls made side by side are all denied. They end with the agent's `batch` line. If a client does not
        report it, the same call passes after one second, and any call after ten.
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
        """Record that gated lessons denied a call."""
        self._append(f"gate {now_ms} {self._agent} {target} {' '.join(lessons)}", reads=False)

    def claim_reminder(self, lessons: list[str]) -> list[str]:
        """Claim to remind the agent of lessons; the ones that this process may show."""
        nonce = clock.new_id(clock.now_ms())
        self._lines = self._append(f"reminds {nonce} {self._agent} {' '.join(lessons)}").split("\n")
        reminded = self.reminded()
        return [lesson for lesson in lessons if reminded.get(lesson) == nonce]

    def reminded(self) -> dict[str, str]:
        """The lessons that this agent was reminded of, with the nonce of the claim."""
        nonces: dict[str, str] = {}
        for line in self._lines:
            if line.startswith("reminds ") and line.count(" ") > 2:
                _, nonce, agent, *lessons = line.split(" ")
                for lesson in lessons if agent == self._agent else ():
                    nonces.setdefault(lesson, nonce)
        return nonces

    def keep_found(self, turn: str, lesson: str, place: str) -> None:
        """Remember that a turn broke a lesson, once, until an agent is told at the next prompt."""
        line = f"broke {turn} {lesson} {' '.join(place.split())}"
        if line not in self._lines:
            self._append(line, reads=False)

    def claim_found(self) -> dict[str, str]:
        """Claim what turns broke since the last compaction and nobody was told: the place by lesson."""
        places: dict[str, str] = {}
        for line in self._lines:
            if line.startswith("broke ") and line.count(" ") > 2:
                _, _, lesson, place = line.split(" ", 3)
                places[lesson] = place
            elif line == "epoch":
                places.clear()
        claimed = self.claim(FOUND, [*places]) if places else ()
        return {lesson: places[lesson] for lesson in claimed}

    def batch_over(self) -> None:
        """Record that the calls which an agent made together are over, if one was denied."""
        last = [line for line in self._lines if line.startswith(("gate ", "batch "))]
        mine = [line for line in last if self._agent in line.split(" ")[1:3]]
        if mine and mine[-1].startswith("gate "):
            self._append(f"batch {self._agent}", reads=False)

    def keep_caller(self, caller: str, kind: str) -> None:
        """Remember the session that called this one, a subagent's, and the subagent's type."""
        if is_safe(caller):
            self._append(f"of {caller} {kind}", reads=False)

    def forget_context(self) -> None:
        """Record that the session's context is gone: lessons may be shown again."""
        self._lines = self._append("epoch").split("\n")

    def keep_prompt(self, prompt: str) -> None:
        """Remember the last human prompt, which has been cleaned and redacted."""
        self._append(f"said {' '.join(prompt[:PROMPT_CHARACTERS].split())}", reads=False)

    def said(self) -> list[str]:
        """The human prompts since the last compaction, as they were when the memory was opened."""
        last = max([at for at, line in enumerate(self._lines) if line == "epoch"], default=-1)
        return [line[5:] for line in self._lines[last + 1 :] if line.startswith("said ")]

    def _history(self) -> list[tuple[str, str, str]]:
        """What this agent was shown since the last compaction: (moment, lesson, nonce of the claim)."""
        first_nonce: dict[tuple[str, str], str] = {}
        counted = 0
        for line in self._lines:
            if line == "epoch":
                first_nonce.clear()
                counted = 0
            elif line.startswith("told ") and line.count(" ") > 4:
                _, nonce, agent, moment, limit, *lessons = line.split(" ")
                unlimited = limit == "-1"
                for lesson in lessons if agent == self._agent else ():
                    if (moment, lesson) not in first_nonce and (unlimited or counted < int(limit)):
                        first_nonce[moment, lesson] = nonce
                        counted += not unlimited
        return [(*key, nonce) for key, nonce in first_nonce.items()]

    def _append(self, line: str, reads: bool = True) -> str:
        """Append a line in one write; the file as it is then, if asked for."""
        fd = opened(self._path)
        try:
            posix.write(fd, f"\n{line}\n".encode("utf-8", "replace"))
            return _tail(fd, _MOST) if reads else ""
        finally:
            posix.close(fd)


def opened(name: str) -> int:
    """The descriptor of a file in the memory's folder, to be read and appended to."""
    try:
        return regular.opened(name, _APPEND)
    except FileNotFoundError:
        paths.ensure_dir(name.rpartition("/")[0])
    return regular.opened(name, _APPEND | posix.O_CREAT)


def target_name(text: str) -> str:
    """A call's target as the memory writes it: nothing can be read in it."""
    return f"{int.from_bytes(text.encode('utf-8', 'surrogatepass'), 'big') % _HASH:032x}" if text else "-"


def last_prompt(root: str, session: str) -> str:
    """The last human prompt of a session, or nothing."""
    name = path(root, session)
    lines = _read(name, _TAIL)
    if "\nsaid " not in lines and len(lines) >= _TAIL // 4:
        lines = _read(name)
    return lines.rpartition("\nsaid ")[2].partition("\n")[0] if "\nsaid " in lines else ""


def caller(root: str, session: str) -> tuple[str, str]:
    """The session that called a subagent's, and the subagent's type; nothing where none did."""
    try:
        head = regular.read(path(root, session), _HEAD).decode("utf-8", "replace")
    except OSError:
        return "", ""
    _, is_there, line = head.rpartition("\nof ")
    name, _, kind = line.partition("\n")[0].partition(" ")
    return (name, kind) if is_there else ("", "")


def clean(root: str, now_ms: int | None = None) -> int:
    """Remove the files of sessions without a line for a week; how many were removed."""
    oldest = (clock.now_ms() if now_ms is None else now_ms) / 1000 - KEPT_DAYS * 86_400
    folders = (paths.recall_sessions(root), f"{root}/recall/near")  # lists of an earlier version
    return sum([_clean_folder(folder, oldest) for folder in folders])


def _clean_folder(folder: str, oldest: float) -> int:
    try:
        names = posix.listdir(folder)
    except OSError:
        return 0
    removed = 0
    for name in names:
        try:
            if posix.stat(f"{folder}/{name}").st_mtime < oldest:
                posix.unlink(f"{folder}/{name}")
                removed += 1
        except OSError:  # gone
            continue
    return removed


def forget(root: str, session: str) -> bool:
    """Remove a session's files; whether there were any."""
    gone = 0
    for ending in ("", ACTS):
        try:
            posix.unlink(path(root, session) + ending)
            gone += 1
        except FileNotFoundError:
            continue
    return bool(gone)


def _read(name: str, most: int = _MOST) -> str:
    """The end of a file; nothing where there is none."""
    try:
        fd = regular.opened(name)
    except OSError:
        return ""
    try:
        return _tail(fd, most)
    finally:
        posix.close(fd)


def _tail(fd: int, most: int) -> str:
    size = posix.fstat(fd).st_size
    return posix.pread(fd, most, max(size - most, 0)).decode("utf-8", "replace")
