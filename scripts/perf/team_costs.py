"""What a team's space costs: 1,000 members and 5,000 lessons in a real Postgres, on a socket that counts."""

import json
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import psycopg
from psycopg import conninfo
from scripts.perf.measure import Row

from learnloop.service.transfer import space, team
from learnloop.service.workspace import Workspace, open_workspace
from tests import postgres

_MEMBERS, _LESSONS, _STANCES, _WRITERS, _ONE_PUSH = 1_000, 5_000, 40, 4, 50
_SOCKET = ".s.PGSQL.5432"
_BODY = json.dumps({"statement": "Use uv instead of pip.", "content": "x" * 600})
_FILL = """
insert into learnloop.member select '{space}', 'm' || i, 'Member ' || i, 'member', false, 1
from generate_series(1, {members}) i;
insert into learnloop.version
select '{space}', tid, left(md5(tid), 32), '{body}', 'm1', i + 10 from {lessons};
insert into learnloop.stance select '{space}', md5(tid || s), tid, 'm' || (i * 7 + s * 13) % {members} + 1,
  left(md5(tid), 32), '{{}}', 'approve', i + 10 from {lessons}, generate_series(1, {stances}) s;
insert into learnloop.lesson
select '{space}', tid, left(md5(tid), 32), {stances}, 0, false, i + 10 from {lessons};
insert into learnloop.total select '{space}', tid, 40, 90, 9, 3, 70, 20, i + 10 from {lessons};
update learnloop.space set head = {count} + 10, chain = 'filled' where id = '{space}';
insert into learnloop.record values ('{space}', {count} + 10, 'filled', null, null, 'filled');
"""
_TIDS = """(select i, 'aaaa' || translate(lpad(i::text, 5, '0'), '0123456789', 'abcdefghij') as tid
from generate_series(1, {}) i) l"""
_PEAK = """
import resource, sys
from learnloop.service.transfer import space
from learnloop.service.workspace import open_workspace
if sys.argv[1:]:
    space.sync(open_workspace(sys.argv[1]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass
class Counted:
    """Bytes and turns of a connection that goes through a socket of its own."""

    down: int = 0
    up: int = 0
    turns: int = 0
    was_up: bool = False

    def saw(self, size: int, *, is_up: bool) -> None:
        """A part of what was sent; a turn begins where the client speaks after the server."""
        self.turns += is_up and not self.was_up
        self.was_up = is_up
        self.up, self.down = self.up + size * is_up, self.down + size * (not is_up)

    def less(self, before: Self) -> "Counted":
        """What was counted since."""
        return Counted(self.down - before.down, self.up - before.up, self.turns - before.turns)


@contextmanager
def _counting(host: str, folder: str) -> Iterator[Counted]:
    """A socket in a folder that passes everything on to a server, and counts it."""
    counted = Counted()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"{folder}/{_SOCKET}")
    listening.listen()

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(f"{host}/{_SOCKET}")
                for ends, is_up in (((client, server), True), ((server, client), False)):
                    threading.Thread(target=_pass, args=(*ends, counted, is_up), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield counted
    finally:
        listening.close()


def _pass(source: socket.socket, target: socket.socket, counted: Counted, is_up: bool) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            counted.saw(len(data), is_up=is_up)
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def measure(folder: Path, quick: bool) -> list[Row]:
    """A first pull, a poll without news, a push of 50, pushes of several at once, and a client's memory."""
    if reason := postgres.reason():
        return [Row(f"a team's space: {reason}", 0, 0)]
    lessons = _LESSONS // (10 if quick else 1)
    with (
        tempfile.TemporaryDirectory(prefix="pg-") as place,
        tempfile.TemporaryDirectory(prefix="pg-") as through,
        postgres.running(next(iter(postgres.programs().values())), Path(place)) as owner,
        _counting(owner["host"], through) as counted,
    ):
        ws = open_workspace(str(folder / "ada"))
        present = space.create(
            ws, f"postgresql://?host={place}&dbname=acme&user=owner", owner["password"], "Ada"
        )
        _fill(owner, present.space, lessons)
        present = present.with_(params={**present.params, "host": through}, cursor=0)
        team.save(ws.root, present, team.nothing())
        return [
            *_memory(ws.root), *_pulls(ws, present, counted),
            *_pushes(present.with_(params={**present.params, "host": place}), lessons, 2 if quick else 20),
        ]  # fmt: skip


def _fill(owner: dict[str, str], name: str, count: int) -> None:
    words = {"space": name, "members": _MEMBERS, "stances": _STANCES, "body": _BODY, "count": count}
    with psycopg.connect(conninfo.make_conninfo(**owner)) as db:
        db.execute(_FILL.format(**words, lessons=_TIDS.format(count)).encode())


def _memory(root: str) -> Iterator[Row]:
    """A process that reads everything, over one that has nothing to do."""
    peaks = [
        int(subprocess.run([sys.executable, "-c", _PEAK, *what], check=True, capture_output=True).stdout)
        for what in ([], [root])
    ]
    yield Row("a client's memory for a first pull", 40, (peaks[1] - peaks[0]) / 1024, "MB")


def _pulls(ws: Workspace, present: team.State, counted: Counted) -> Iterator[Row]:
    team.save(ws.root, present, team.nothing())
    whole, took = _costs(counted, lambda: space.sync(ws))
    yield Row("a first pull", 5, whole.down / 1e6, "MB")
    yield Row("a first pull, with connection and files", 2, took, "s")
    alone, _ = _costs(counted, lambda: _connected(present.params))
    poll, took = _costs(counted, lambda: space.sync(ws))
    sizes = (
        f"{poll.down} bytes down and {poll.up} up with the connection, which are {alone.down} and {alone.up}"
    )
    yield Row("a poll without news, its statement", 500, poll.down - alone.down, "bytes", note=sizes)
    yield Row(
        "a poll without news, turns with the connection", 5, poll.turns, "", note=f"{took * 1000:.0f} ms"
    )


def _connected(params: dict[str, str]) -> None:
    with space.connection(params):
        pass


def _costs(counted: Counted, act: Callable[[], object]) -> tuple[Counted, float]:
    """What went over the socket, and the seconds that it took."""
    before, start = replace(counted), time.perf_counter()
    act()
    return counted.less(before), time.perf_counter() - start


def _pushes(present: team.State, lessons: int, count: int) -> Iterator[Row]:
    took = _writes(present, lessons, 1)
    yield Row("a push of 50 verdicts", 0.5, took, "s")
    start = time.perf_counter()
    with ThreadPoolExecutor(_WRITERS) as writers:
        list(writers.map(lambda _: _writes(present, lessons, count), range(_WRITERS)))
    rate = _WRITERS * count * _ONE_PUSH / (time.perf_counter() - start)
    yield Row(f"verdicts a second, {_WRITERS} at once", 500, rate, "", at_least=True)


def _writes(present: team.State, lessons: int, count: int) -> float:
    """Verdicts of a device of its own, so many times 50; the seconds of it."""
    device, start = secrets.token_hex(16), time.perf_counter()
    with space.connection(present.params) as db:
        for at in range(count):
            tids = [_tid(secrets.randbelow(lessons) + 1) for _ in range(_ONE_PUSH)]
            said = [{"kind": "stance", "tid": tid, "says": "none", "v": "", "prev": []} for tid in tids]
            values = (present.space, device, at * _ONE_PUSH + 1, json.dumps(said))
            db.execute("select learnloop.push(%s, %s, %s, %s)", values)
    return time.perf_counter() - start


def _tid(number: int) -> str:
    return "aaaa" + f"{number:05}".translate(str.maketrans("0123456789", "abcdefghij"))
