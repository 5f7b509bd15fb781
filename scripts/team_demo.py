"""`make team-demo`: a team's lesson from Ada's correction to the call that Bob's agent is stopped at.

Two doors, a throw-away Postgres and the repository; homes of their own, real agents whose model is scripted,
the real console. Each step is printed with what was seen. Exit code 1 where something does not hold, 2 where
it cannot run here.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from scripts.perf.terminal import Terminal

from tests import postgres
from tests.e2e import the_client
from tests.e2e.lab import LEARN, Lab

ORIGIN = "git@github.com:acme/shop.git"
WORDS = "Use pnpm, not npm"
_GIT = ("git", "-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false")


class Broken(Exception):
    """Something did not hold."""


def holds(step: str, seen: object, is_so: object) -> None:
    """Print a step with what was seen; raises Broken where it is not so."""
    print(f"  {'ok  ' if is_so else 'FAIL'} {step}: {' '.join(str(seen).split())[:160]}", flush=True)
    if not is_so:
        raise Broken(step)


class Person:
    """Somebody with a home, a checkout and an agent of their own."""

    def __init__(self, lab: Lab, name: str) -> None:
        self.lab, self.name = lab, name
        lab.project.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", ORIGIN)
        self.git("config", "user.name", name)
        self.git("config", "user.email", "nobody@example.com")

    def git(self, *words: str) -> None:
        subprocess.run([*_GIT, *words], cwd=self.lab.project, check=True, capture_output=True)

    def is_corrected(self) -> str:
        """The id of the lesson that the correction became, kept in the console."""
        self.lab.play("says_pnpm")
        self.lab.learn("ingest")
        (draft,) = self.lab.listing("lessons", "--drafts")
        holds(f"{self.name} corrects the agent", draft["evidence"][0]["quote"], WORDS in draft["statement"])
        self.keeps(draft["id"])
        return str(draft["id"])

    def keeps(self, lesson_id: str) -> None:
        """Keep the draft in the console with one key, and a second one where it asks what to stop."""
        with Terminal([str(LEARN.with_name("learn-tui"))], self.lab.env) as console:
            console.until_screen(lambda screen: "told when" in screen)
            console.rest(0.5)  # a key that comes before a person can read is not heard
            console.press("p")
            asks = "stop it" in console.until_screen(lambda screen: "stop it" in screen or "Kept" in screen)
            console.press("1" if asks else "")
            console.until_screen(lambda screen: "Kept" in screen)
            console.press("q")
            console.until_gone()
        status = self.listed(lesson_id)["status"]
        keys = "p, and 1 to stop npm," if asks else "p"
        holds(f"{self.name} presses {keys} in the console", status, status == "active")

    def listed(self, lesson_id: str) -> dict[str, object]:
        return next(each for each in self.lab.listing("lessons") if each["id"] == lesson_id)

    def agent_runs_npm(self, *, stopped: bool) -> None:
        """A session of the agent that wants npm."""
        ran = self.lab.project / "by-npm.txt"
        ran.unlink(missing_ok=True)
        played = self.lab.play("uses_npm")
        told = played.places(WORDS)
        step = f"{self.name}'s agent is {'' if stopped else 'not '}stopped at npm"
        holds(step, told[0].text if told else "npm ran", ran.exists() != stopped and bool(told) == stopped)

    def has_draft(self, lesson_id: str) -> None:
        """What the team shares is a draft, which tells and stops nothing."""
        draft = self.listed(lesson_id)
        shown = f"{draft['status']}, {draft['source']}: {draft['statement']} {draft['context']}"
        holds(f"{self.name} has it", shown, (draft["status"], draft["source"]) == ("draft", "team: Ada"))
        self.agent_runs_npm(stopped=False)


class Homes:
    """Makes people, each with a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._runner = folder, the_client.runner()
        self._client = the_client.fetched(self._runner)

    def person(self, name: str) -> Person:
        return Person(Lab(self._runner, self._client, self.folder / name), name)


def through_postgres(homes: Homes) -> None:
    """Ada shares through a space; Bob and Ada's laptop keep it; Bob is removed."""
    ada, bob, laptop = (homes.person(name) for name in ("Ada", "Bob", "Laptop"))
    with _database() as owner:
        where = urlencode({name: owner[name] for name in ("host", "dbname", "user")})
        ada.lab.learn("team", "create", f"postgresql://?{where}", "--as", "Ada", typed=owner["password"])
        for person, invited in ((bob, ["Bob"]), (laptop, [])):
            line = ada.lab.learn("team", "invite", *invited, typed=owner["password"])
            joined = person.lab.learn("team", "join", typed=line).splitlines()[0]
            holds(f"{person.name} joins", joined, "is in acme" in joined)
        lesson_id = ada.is_corrected()
        ada.agent_runs_npm(stopped=True)
        ada.lab.learn("share", lesson_id, "--team", "--yes")
        holds("Ada shares it", *_says(ada, "team", "sync", has="lessons  1"))
        for person in (bob, laptop):
            holds(f"{person.name} exchanges", *_says(person, "team", "sync", has="1 new draft"))
            person.has_draft(lesson_id)
            person.keeps(lesson_id)
            person.agent_runs_npm(stopped=True)
            person.lab.learn("team", "sync")
        _approved_by_two(ada)
        _is_removed(ada, bob)


@contextmanager
def _database() -> Iterator[dict[str, str]]:
    if reason := postgres.reason():
        raise the_client.Missing(reason)
    programs = next(iter(postgres.programs().values()))
    with tempfile.TemporaryDirectory(prefix="pg-") as place, postgres.running(programs, Path(place)) as owner:
        yield owner


def _says(person: Person, *words: str, has: str) -> tuple[str, bool]:
    shown = person.lab.learn(*words)
    return shown, " ".join(has.split()) in " ".join(shown.split())


def _approved_by_two(ada: Person) -> None:
    ada.lab.learn("team", "sync")
    known = json.loads((ada.lab.root / "team" / "lessons.json").read_text())
    (lesson,) = known["lessons"].values()
    holds("two people approve it, from three machines", lesson, lesson["approvals"] == 2)


def _is_removed(ada: Person, bob: Person) -> None:
    """Bob's open connection sees nothing from then on, and his machine says why."""
    import psycopg

    params = json.loads((bob.lab.root / "team" / "state.json").read_text())["params"]
    with psycopg.connect(**params, autocommit=True) as open_still:
        seen = open_still.execute("select count(*) from learnloop.version").fetchone()
        holds("Bob's connection sees the team's wordings", seen, seen == (1,))
        holds("Ada removes Bob", *_says(ada, "team", "remove", "Bob", has="Bob sees nothing any more"))
        seen = open_still.execute("select count(*) from learnloop.version").fetchone()
        holds("Bob's open connection sees none", seen, seen == (0,))
    command = [str(LEARN), "team", "sync"]
    done = subprocess.run(command, env=bob.lab.env, capture_output=True, text=True, timeout=60)
    holds("Bob's machine is refused", done.stderr, done.returncode == 1 and "not permitted" in done.stderr)


def through_the_repository(homes: Homes) -> None:
    """Ada's file is pulled by Bob and by her laptop, where it is trusted and kept."""
    ada, bob, laptop = (homes.person(name) for name in ("Ada", "Bob", "Laptop"))
    shared = homes.folder / "shop.git"
    subprocess.run([*_GIT, "init", "-q", "--bare", "-b", "main", str(shared)], check=True)
    lesson_id = ada.is_corrected()
    written = ada.lab.learn("share", lesson_id, "--repo", "--yes").splitlines()[-1]
    file = ada.lab.project / ".learnloop" / "lessons" / f"{lesson_id}.json"
    holds("Ada shares it", written, file.is_file())
    ada.git("add", ".learnloop")
    ada.git("commit", "-q", "-m", "A lesson of the team")
    ada.git("push", "-q", str(shared), "HEAD:main")
    for person in (bob, laptop):
        person.git("pull", "-q", str(shared), "main")
        person.lab.learn("ingest")
        holds(f"{person.name} pulled", "no draft", not person.lab.listing("lessons"))
        holds(f"{person.name} trusts it", *_says(person, "trust", has="is trusted"))
        person.has_draft(lesson_id)
        person.keeps(lesson_id)
        person.agent_runs_npm(stopped=True)


DOORS = {"The repository": through_the_repository, "A Postgres space": through_postgres}


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="learnloop-team-") as name:
        try:
            for title, door in DOORS.items():
                print(f"{title}:", flush=True)
                door(Homes(Path(name, title)))
        except the_client.Missing as missing:
            print(f"The demo cannot run here: {missing}")
            return 2
        except (Broken, AssertionError, TimeoutError) as error:
            print(f"It does not hold: {error}")
            return 1
    print("All of it holds.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
