"""`make simulate-team`: a team's machines exchange through a real Postgres, and everything goes wrong.

The exchange is the program's own, each in a process of its own and up to three at once. What a person decides
stands in a small file in place of the store. Processes are killed at any step, homes are cloned and put back
from backups, and so is the database. At the end every machine exchanges until nothing is new, and the table
says what was lost, doubled, or differs. Exit code 1 where anything does. A seed fixes what is done, not who
comes first.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import conninfo

from learnloop.service.lessons import documents
from learnloop.service.transfer import space, team
from learnloop.service.workspace import open_workspace
from tests import postgres
from tests.faults.patch_steps import started
from tests.service.transfer.cut_off import KILLED, Records, Steps
from tests.service.transfer.merge import Merged, Verdict, merged

MEMBERS, DEVICES, AT_ONCE = 12, 20, 3
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_STEPS_OF_AN_EXCHANGE, _KILL, _FAULT = 30, 0.25, 0.08
Docs = dict[str, dict[str, Any]]
Key = tuple[str, str]
"""A lesson and its wording."""


def _docs(root: str) -> Docs:
    path = Path(root, "docs.json")
    return json.loads(path.read_text()) if path.exists() else {}


documents_of_store = documents.lessons


class Home:
    """A machine of a member."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.ws = folder, open_workspace(str(folder))

    @property
    def state(self) -> team.State:
        return team.joined(str(self.folder))

    def acts(self, rng: random.Random) -> None:
        """The person decides something, or nothing."""
        docs, read = _docs(self.ws.root), team.known(self.ws.root)
        drafts = [tid for tid in read["lessons"] if tid not in docs and read["lessons"][tid]["v"]]
        act = rng.choice(("write", "decide", "decide", "decide", "reword", "change one's mind", "nothing"))
        if act == "write":
            self._words(docs, "".join(rng.choices(_LETTERS, k=8)), rng)
        elif act == "decide" and drafts:
            tid = rng.choice(sorted(drafts))
            body = read["versions"][tid][read["lessons"][tid]["v"]]["body"]
            if body:
                status = rng.choice(("active", "active", "rejected"))
                docs[tid] = {"id": tid, "status": status, "statement": json.loads(body)["statement"]}
        elif act == "reword" and docs:
            self._words(docs, rng.choice(sorted(docs)), rng)
        elif docs:
            docs[rng.choice(sorted(docs))]["status"] = rng.choice(("active", "archived", "rejected"))
        Path(self.ws.root, "docs.json").write_text(json.dumps(docs))

    def _words(self, docs: Docs, tid: str, rng: random.Random) -> None:
        statement = f"Rule {rng.random()}."
        docs[tid] = {"id": tid, "status": "active", "statement": statement}
        team.share(self.ws, tid, json.dumps({"statement": statement}))


class World:
    """The database, its machines, and what was acknowledged."""

    def __init__(self, folder: Path, owner: dict[str, str], seed: int) -> None:
        self.folder, self.owner, self.rng = folder, owner, random.Random(seed)
        self.acknowledged, self.saved = folder / "acknowledged", 0
        self.acknowledged.touch()
        self.count: Counter[str] = Counter()
        self.failures: list[str] = []
        self.homes: list[Home] = []
        self._join()

    def _join(self) -> None:
        first = Home(self.folder / "0")
        address = f"postgresql://?host={self.owner['host']}&dbname=acme&user=owner"
        space.create(first.ws, address, self.owner["password"], "Member 0")
        self.homes.append(first)
        for number in range(1, MEMBERS + 3):
            home = Home(self.folder / str(number))
            name = f"Member {number}" if number < MEMBERS else ""
            space.join(home.ws, space.invite(first.ws, self.owner["password"], name))
            self.homes.append(home)
        space.manage(first.ws, "promote", "Member 1")
        self._back_up_the_database()

    def run(self, steps: int) -> None:
        """Let so many steps happen."""
        running: list[tuple[Home, Any]] = []
        for _ in range(steps):
            if self.rng.random() < _FAULT:
                self._end(running)
                self._fault()
            free = [home for home in self.homes if home not in [each for each, _ in running]]
            home = self.rng.choice(free)
            running.append((home, self._starts(home, self.rng.random())))
            if len(running) == AT_ONCE:
                self._end(running)
        self._end(running)

    def _starts(self, home: Home, seed: float) -> Any:
        return started(lambda: self._lives(home, random.Random(seed)))

    def _lives(self, home: Home, rng: random.Random) -> None:
        """In a process of its own: the person acts, and the machine exchanges, perhaps not to the end."""
        member = home.state.member
        home.acts(rng)
        steps = Steps(rng.randint(1, _STEPS_OF_AN_EXCHANGE) if rng.random() < _KILL else 0, rng)
        steps.note = lambda records: self._note(member, records)
        steps.take_over()
        space.sync(home.ws)

    def _note(self, member: str, records: Records) -> None:
        with self.acknowledged.open("a") as file:
            file.write("".join(json.dumps([member, record]) + "\n" for record in records))

    def _end(self, running: list[tuple[Home, Any]]) -> None:
        for _, ended in running:
            code, answer = ended()
            self.count["exchanges"] += 1
            self.count["killed"] += code == KILLED
            if code not in (0, KILLED):
                self.failures.append(answer)
        running.clear()

    def _fault(self) -> None:
        homes = (self._clone, self._back_up, self._put_back)
        self.rng.choice((*homes, self._back_up_the_database, self._put_the_database_back))()

    def _clone(self) -> None:
        """A copy of a home; past the limit it takes the place of another machine of its member."""
        home = self.rng.choice(self.homes)
        if len(self.homes) >= DEVICES:
            member = home.state.member
            others = [each for each in self.homes if each is not home and each.state.member == member]
            if not others:
                return
            self.homes.remove(self.rng.choice(others))
        self.count["homes cloned"] += 1
        folder = self.folder / f"clone {self.count['homes cloned']}"
        shutil.copytree(home.folder, folder)
        self.homes.append(Home(folder))

    def _back_up(self) -> None:
        home = self.rng.choice(self.homes)
        shutil.copytree(home.folder, self.folder / "backups" / home.folder.name, dirs_exist_ok=True)

    def _put_back(self) -> None:
        backups = self.folder / "backups"
        if saved := [home for home in self.homes if (backups / home.folder.name).exists()]:
            self.count["homes put back"] += 1
            folder = self.rng.choice(saved).folder
            shutil.rmtree(folder)
            shutil.copytree(backups / folder.name, folder)

    def _back_up_the_database(self) -> None:
        self._as_admin("drop database if exists saved", "create database saved template acme")
        self.saved = self.acknowledged.stat().st_size

    def _put_the_database_back(self) -> None:
        """What was acknowledged since the backup is gone with the disk, unless a machine says it again."""
        self.count["databases put back"] += 1
        self._as_admin("drop database acme", "create database acme template saved owner owner")
        os.truncate(self.acknowledged, self.saved)

    def _as_admin(self, *statements: str) -> None:
        with psycopg.connect(conninfo.make_conninfo(**self.owner | postgres.ADMIN), autocommit=True) as db:
            db.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname in ('acme', 'saved')"
            )
            for statement in statements:
                db.execute(statement.encode())

    def settle(self) -> int:
        """Every machine exchanges until nothing is new; how many rounds that took."""
        for number in range(1, 10):
            before = self._rows("select head, chain from learnloop.space")
            for home in self.homes:
                space.sync(home.ws)
            if self._rows("select head, chain from learnloop.space") == before:
                return number
        return 0

    def _rows(self, query: str) -> list[Any]:
        with psycopg.connect(conninfo.make_conninfo(**self.owner)) as db:
            return db.execute(query.encode()).fetchall()

    def faults(self) -> dict[str, int]:
        """What does not hold in the end, by name; all zeros where all does."""
        lessons = {tid: Merged(*row) for tid, *row in self._rows(
            "select tid, v, approvals, rejections, archived from learnloop.lesson")}  # fmt: skip
        words = {(tid, v): body for tid, v, body in self._rows("select tid, v, body from learnloop.version")}
        stances = [Verdict(*row) for row in self._rows(
            "select id, tid, member, v, says, prev from learnloop.stance")]  # fmt: skip
        numbers = [n for (n,) in self._rows("select n from learnloop.record order by n")]
        wordings: dict[str, list[str]] = {}
        for tid, v in words:
            wordings.setdefault(tid, []).append(v)
        leads = {row[0] for row in self._rows("select id from learnloop.member where role = 'maintainer'")}
        orders = [self.rng.sample(stances, len(stances)) for _ in range(5)]
        return {
            "failed": len(self.failures),
            "acknowledged and missing": len(self._acknowledged() - _contents(words, stances)),
            "decided here and missing": sum(_unsaid(home, words, stances) for home in self.homes),
            "said twice by one device": self._doubled(),
            "gaps": sum(n != number for number, n in enumerate(numbers, 1)),
            "machines that know something else": sum(_known(home) != (lessons, words) for home in self.homes),
            "orders that come to something else": sum(merged(leads, wordings, o) != lessons for o in orders),
        }  # fmt: skip

    def _acknowledged(self) -> set[tuple[str, ...]]:
        lines = [json.loads(line) for line in self.acknowledged.read_text().splitlines()]
        return {
            (record["tid"], record["v"]) if record["kind"] == "version"
            else (member, record["tid"], record["says"], record["v"], *sorted(record["prev"]))
            for member, record in lines
        }  # fmt: skip

    def _doubled(self) -> int:
        same = self._rows(
            "select count(*) from learnloop.stance s join learnloop.record r using (space, id)"
            " group by device, tid, member, says, v, prev having count(*) > 1"
        )
        return len(same)


def _contents(versions: Collection[Key], stances: list[Verdict]) -> set[tuple[str, ...]]:
    said = {(each.member, each.tid, each.says, each.v, *sorted(each.prev)) for each in stances}
    return said | set(versions)


def _unsaid(home: Home, words: Mapping[Key, str], stances: list[Verdict]) -> int:
    """How many wordings that a machine shares the database lacks, and verdicts on those that it has."""
    state, docs = home.state, _docs(home.ws.root)
    said = {(each.member, each.tid) for each in stances}
    there = {(tid, json.loads(body)["statement"]) for (tid, _), body in words.items()}
    active = {(tid, doc["statement"]) for tid, doc in docs.items() if doc["status"] == "active"}
    rejected = {tid for tid, doc in docs.items() if doc["status"] == "rejected"} & {tid for tid, _ in there}
    decided = rejected | {tid for tid, _ in active & there}
    lacking = {each for each in active - there if each[0] in state.shared}
    return len(lacking) + sum((state.member, tid) not in said for tid in decided)


def _known(home: Home) -> tuple[dict[str, Merged], dict[Key, str]]:
    read = team.known(home.ws.root)
    words = {(tid, v): row["body"] for tid, rows in read["versions"].items() for v, row in rows.items()}
    fields = Merged._fields
    return {tid: Merged(*(row[name] for name in fields)) for tid, row in read["lessons"].items()}, words


@contextmanager
def world(seed: int, programs: Path) -> Iterator[World]:
    """A team for the block; what its people decide is read from their small files."""
    with (
        tempfile.TemporaryDirectory(prefix="learnloop-team-") as folder,
        tempfile.TemporaryDirectory(prefix="pg-") as place,
        postgres.running(programs, Path(place)) as owner,
    ):
        documents.lessons = _docs
        try:
            yield World(Path(folder), owner, seed)
        finally:
            documents.lessons = documents_of_store


def main() -> int:
    parser = argparse.ArgumentParser(prog="make simulate-team", description=__doc__)
    parser.add_argument("--steps", type=int, default=2_000, help="exchanges (default 2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", default="", help="one of the names that a wrong one prints")
    chosen = parser.parse_args()
    if reason := postgres.reason():
        print(f"It cannot run here: {reason}")
        return 2
    programs = postgres.programs()
    name = chosen.postgres or next(iter(programs))
    if name not in programs:
        parser.error(f"there are: {', '.join(programs)}")
    with world(chosen.seed, programs[name]) as team_world:
        return report(team_world, chosen.steps)


def report(there: World, steps: int) -> int:
    """Run, and print what happened; 1 where anything does not hold."""
    there.run(steps)
    rounds = there.settle()
    faults = there.faults()
    records = len(there._rows("select from learnloop.record"))
    print(f"{len(there.homes)} machines, {records} records, equal after {rounds} rounds")
    for name, number in {**there.count, **faults}.items():
        print(f"  {name}: {number}")
    for failure in there.failures[:3]:
        print(failure)
    return int(any(faults.values()) or not rounds)


if __name__ == "__main__":
    sys.exit(main())
