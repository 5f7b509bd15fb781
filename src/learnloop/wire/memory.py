"""What recall remembers of a session: what was told to whom, compactions, the last human prompt.

A folder a session, under `recall/sessions`. In it, each a file made with O_EXCL, so that of two hooks at
once only one succeeds:

    epoch.<n>                             the n-th compaction or clearing: what was told is out of the context
    <epoch>.<agent>.<moment>.<lesson>     told at a prompt or a tool; agent is an agent id or `main`
    <epoch>.<agent>.start.<n>             lessons were told at the start for the n-th time; it holds their ids

and `prompt`, the last thing the person said, in which keywords are looked for at tools.
"""

import posix

from learnloop.wire import clock, paths

PROMPT_CHARACTERS = 2048
KEPT_DAYS = 7
_START_BYTES = 1 << 16
_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_HASH = (1 << 127) - 1


def folder(root: str, session: str) -> str:
    """The folder of what is remembered of a session."""
    return f"{paths.recall_sessions(root)}/{_safe(session)}"


def _safe(name: str) -> str:
    """A name that is fit for a file: as it is where it can be, else a hash."""
    if name and len(name) <= 64 and _SAFE.issuperset(name):
        return name
    return f"x-{int.from_bytes(name.encode('utf-8', 'surrogatepass'), 'big') % _HASH:032x}"


class Memory:
    """The memory of one agent (`main` or an agent id) in one session, as it is when it is opened."""

    def __init__(self, root: str, session: str, agent: str = "main") -> None:
        self.folder = folder(root, session)
        self._agent = _safe(agent or "main")
        self._names = self._listed()
        self.epoch = len([name for name in self._names if name.startswith("epoch.")])

    @property
    def _prefix(self) -> str:
        return f"{self.epoch}.{self._agent}."

    def told(self, moment: str) -> set[str]:
        """The lessons that were told at this moment since the last compaction."""
        start = f"{self._prefix}{moment}."
        return {name[len(start) :] for name in self._names if name.startswith(start)}

    def told_at_start(self) -> set[str]:
        """The lessons that were told at the start since the last compaction."""
        found: set[str] = set()
        for number in self.told("start"):
            found.update(_read(f"{self.folder}/{self._prefix}start.{number}", _START_BYTES).split())
        return found

    def claim_start(self, lessons: list[str]) -> bool:
        """Take it upon this process to tell these lessons at the start; False where another one just does."""
        name = f"{self._prefix}start.{len(self.told('start'))}"
        return self._make(name, "\n".join(lessons).encode("ascii", "replace"))

    def claim(self, moment: str, lessons: list[str], limit: int) -> list[str]:
        """Take it upon this process to tell lessons at a prompt or tool; which of them it may tell.

        Not those that another process just claimed, and no more in all than the limit: after making its
        markers each process counts, so the last one to make one sees them all.
        """
        claimed = [lesson for lesson in lessons if self._make(f"{self._prefix}{moment}.{lesson}")]
        self._names = self._listed()
        while claimed and len(self.told("prompt")) + len(self.told("tool")) > limit:
            name = f"{self._prefix}{moment}.{claimed.pop()}"
            posix.unlink(f"{self.folder}/{name}")
            self._names.discard(name)
        return claimed

    def forget_context(self) -> None:
        """Note that the session's context is gone: what was told may be told again."""
        if self._make(f"epoch.{self.epoch + 1}"):
            self.epoch += 1

    def keep_prompt(self, prompt: str) -> None:
        """Remember the last human prompt, which has been cleaned and redacted.

        Written over the one before in one piece, up to a zero byte: a rename would cost a hook more than
        the search for lessons.
        """
        paths.ensure_dir(self.folder)
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        fd = posix.open(self.folder + "/prompt", flags, paths.FILE_MODE)
        try:
            posix.write(fd, prompt[:PROMPT_CHARACTERS].encode("utf-8", "replace") + b"\0")
        finally:
            posix.close(fd)

    def _listed(self) -> set[str]:
        return set(_listing(self.folder))

    def _make(self, name: str, data: bytes = b"") -> bool:
        if name in self._names:
            return False
        for _ in range(2):
            try:
                fd = posix.open(f"{self.folder}/{name}", _NEW, paths.FILE_MODE)
                try:
                    posix.write(fd, data)
                finally:
                    posix.close(fd)
            except FileExistsError:
                return False
            except FileNotFoundError:
                paths.ensure_dir(self.folder)
            else:
                self._names.add(name)
                return True
        return False


def last_prompt(root: str, session: str) -> str:
    """The last human prompt of a session, or nothing."""
    return _read(folder(root, session) + "/prompt", 4 * PROMPT_CHARACTERS).partition("\0")[0]


def _read(path: str, most: int) -> str:
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    except OSError:
        return ""
    try:
        return posix.read(fd, most).decode("utf-8", "replace")
    finally:
        posix.close(fd)


def clean(root: str, now_ms: int | None = None) -> int:
    """Remove the memory of sessions that nothing was told in for a week; how many there were."""
    oldest = (clock.now_ms() if now_ms is None else now_ms) / 1000 - KEPT_DAYS * 86_400
    base = paths.recall_sessions(root)
    removed = 0
    for name in _listing(base):
        path = f"{base}/{name}"
        try:
            if posix.stat(path).st_mtime < oldest:
                forget(path)
                removed += 1
        except OSError:  # gone, or in use again
            continue
    return removed


def forget(path: str) -> None:
    """Remove one session's folder."""
    for name in _listing(path):
        posix.unlink(f"{path}/{name}")
    posix.rmdir(path)


def _listing(path: str) -> list[str]:
    try:
        return posix.listdir(path)
    except OSError:
        return []
