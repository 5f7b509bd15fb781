"""A team's space in a real Postgres: lessons travel, verdicts stay one's own, nobody writes as another."""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from learnloop import errors
from learnloop.service import workspace
from learnloop.service.lessons import documents, queue, upkeep
from learnloop.service.review import verdicts
from learnloop.service.transfer import share, team
from learnloop.service.workspace import Workspace
from tests import postgres
from tests.faults.patch_steps import forked
from tests.service.transfer.checkouts import clone, remote, stopped

psycopg = pytest.importorskip("psycopg")
space = pytest.importorskip("learnloop.service.transfer.space")
cut_off = pytest.importorskip("tests.service.transfer.cut_off")
pytestmark = pytest.mark.skipif(bool(postgres.reason()), reason=postgres.reason() or "it runs")
STATEMENT = "Use uv instead of pip."
Login = dict[str, str]


PROGRAMS = postgres.programs()
OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in PROGRAMS][1:]


@pytest.fixture(scope="module", params=[*list(PROGRAMS)[:1], *OTHERS])
def owner(request: pytest.FixtureRequest) -> Iterator[Login]:
    """The owner of a database, for the tests of this file; of every Postgres here in the slow set."""
    programs = PROGRAMS[request.param]
    with (
        tempfile.TemporaryDirectory(prefix="pg-") as folder,
        postgres.running(programs, Path(folder)) as login,
    ):
        yield login


@pytest.fixture
def ada(owner: Login, tmp_path: Path) -> Workspace:
    """The maintainer of a space, with one approved lesson."""
    ws = workspace.open_workspace(str(tmp_path / "ada"))
    verdicts.add(
        ws, STATEMENT, scope="project", project=clone(tmp_path / "adas", remote("git@x.org:acme/shop"))
    )
    where = f"postgresql://?host={owner['host']}&dbname={owner['dbname']}&user={owner['user']}"
    space.create(ws, where, owner["password"], "Ada")
    return ws


def _joins(ada: Workspace, owner: Login, root: Path, name: str = "Bob") -> Workspace:
    ws = workspace.open_workspace(str(root))
    space.join(ws, space.invite(ada, owner["password"], name))
    return ws


@pytest.fixture
def bob(ada: Workspace, owner: Login, tmp_path: Path) -> Workspace:
    """A member, with a lesson of his own in a checkout of the same repository."""
    ws = _joins(ada, owner, tmp_path / "bob")
    verdicts.add(
        ws,
        "Tests run first.",
        scope="project",
        project=clone(tmp_path / "bobs", remote("https://x.org/acme/shop")),
    )
    return ws


def _shares(ws: Workspace, statement: str = STATEMENT) -> str:
    lesson = next(each for each in queue.listing(ws, "active") if each.statement == statement)
    team.share(ws, lesson.id, share.team_text(ws, lesson.id))
    space.sync(ws)
    return lesson.id


def _receives(ws: Workspace) -> share.Taken:
    space.sync(ws)
    return share.take_in(ws)


def test_a_shared_lesson_is_a_draft_at_anothers_and_stops_once_he_approves_it(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    lesson_id = _shares(ada)
    assert _receives(bob).drafts == 1
    draft = documents.find(bob, lesson_id)
    assert (draft.status, draft.source, draft.trust) == ("draft", "team: Ada", "external")
    assert draft.context.endswith("Approved by 1 of 2.")
    assert stopped(bob, str(tmp_path / "bobs")) == []
    verdicts.promote(bob, [lesson_id])
    assert documents.find(bob, lesson_id).status == "active"
    space.sync(bob)
    space.sync(ada)
    assert team.known(ada.root)["lessons"][lesson_id]["approvals"] == 2


def _state(ws: Workspace) -> team.State:
    present = team.state(ws.root)
    assert present is not None
    return present


def _pushes(ws: Workspace, device: str, *records: Mapping[str, object]) -> None:
    """A record from a device of the person that knows nothing of this one."""
    present = _state(ws)
    with psycopg.connect(**present.params) as db:
        db.execute("select learnloop.push(%s, %s, 1, %s)", (present.space, device, json.dumps(records)))


def test_what_leaves_is_the_text_that_was_shown(ada: Workspace) -> None:
    lesson_id = _shares(ada)
    (row,) = team.known(ada.root)["versions"][lesson_id].values()
    body = json.loads(row["body"])
    assert row["body"] == share.team_text(ada, lesson_id)
    assert body["statement"] == STATEMENT
    assert body["repo"] == "x.org/acme/shop"
    assert body.keys() <= {"statement", "title", "kind", "priority", "category", "triggers", "check", "stops",
                           "keywords", "scope", "repo", "needs"}  # fmt: skip


def test_what_is_rejected_here_is_counted_and_never_asked_again(ada: Workspace, bob: Workspace) -> None:
    lesson_id = _shares(ada)
    _receives(bob)
    verdicts.reject(bob, lesson_id, reason="one-off")
    space.sync(bob)
    verdicts.edit(ada, lesson_id, {"statement": "Use uv for packages, not pip."})
    team.share(ada, lesson_id, share.team_text(ada, lesson_id))
    space.sync(ada)
    assert team.known(ada.root)["lessons"][lesson_id]["rejections"] == 1
    assert _receives(bob).drafts == 0
    assert [each.status for each in queue.listing(bob, "draft")] == []


@pytest.mark.slow
def test_another_wording_waits_beside_the_one_in_use(ada: Workspace, bob: Workspace) -> None:
    lesson_id = _shares(ada)
    _receives(bob)
    verdicts.promote(bob, [lesson_id])
    space.sync(bob)
    verdicts.edit(ada, lesson_id, {"statement": "Use uv for packages, not pip."})
    team.share(ada, lesson_id, share.team_text(ada, lesson_id))
    for ws in (ada, bob, ada):
        space.sync(ws)
    assert len(team.known(bob.root)["versions"][lesson_id]) == 2
    assert documents.find(bob, lesson_id).statement == STATEMENT


def test_what_a_maintainer_retires_is_proposed_for_archiving(ada: Workspace, bob: Workspace) -> None:
    lesson_id = _shares(ada)
    _receives(bob)
    verdicts.promote(bob, [lesson_id])
    verdicts.archive(ada, lesson_id, "superseded")
    space.sync(ada)
    space.sync(bob)
    assert [(each.lesson_id, each.reason) for each in upkeep.proposals(bob)] == [(lesson_id, "removed")]


def test_another_machine_of_ones_own_is_the_same_member(ada: Workspace, owner: Login, tmp_path: Path) -> None:
    laptop = _joins(ada, owner, tmp_path / "laptop", "")
    lesson_id = _shares(ada)
    assert len(team.known(laptop.root)["members"]) == 1
    assert _receives(laptop).drafts == 1
    verdicts.reject(laptop, lesson_id, reason="one-off")
    space.sync(laptop)
    space.sync(ada)
    assert team.known(ada.root)["lessons"][lesson_id]["approvals"] == 0


@pytest.mark.slow
def test_of_verdicts_that_did_not_know_of_each_other_the_most_careful_one_counts(
    ada: Workspace, owner: Login, tmp_path: Path
) -> None:
    laptop, bob = _joins(ada, owner, tmp_path / "laptop", ""), _joins(ada, owner, tmp_path / "bob")
    verdicts.add(bob, "Tests run first.", scope="global")
    lesson_id = _shares(bob, "Tests run first.")
    _receives(ada)
    verdicts.promote(ada, [lesson_id])
    space.sync(ada)
    unaware = {"kind": "stance", "tid": lesson_id, "says": "reject", "v": "", "prev": []}
    _pushes(laptop, "a" * 32, unaware)
    space.sync(ada)
    assert team.standing(team.known(ada.root), lesson_id) == ("reject", "")
    counted = team.known(ada.root)["lessons"][lesson_id]
    assert (counted["approvals"], counted["rejections"]) == (1, 1)


def test_a_copy_of_a_home_goes_on_as_a_device_of_its_own(ada: Workspace, tmp_path: Path) -> None:
    copy = workspace.open_workspace(str(shutil.copytree(ada.root, tmp_path / "copy")))
    for ws, words in ((ada, "Tests run first."), (copy, "Answers are short.")):
        verdicts.add(ws, words, scope="global")
        _shares(ws, words)
    devices = [_state(ws).device for ws in (ada, copy)]
    assert len(set(devices)) == 2
    space.sync(ada)
    assert team.known(ada.root)["lessons"] == team.known(copy.root)["lessons"]
    assert len(team.known(ada.root)["lessons"]) == 2


def test_a_database_that_was_put_back_and_written_to_is_told_everything_again(
    ada: Workspace, bob: Workspace, owner: Login
) -> None:
    lesson_id = _shares(ada)
    with psycopg.connect(**owner, autocommit=True) as db:
        for table in ("stance", "version", "lesson"):
            db.execute(f"delete from learnloop.{table}")
        db.execute("delete from learnloop.record where device is not null")
        db.execute("update learnloop.device set seq = 0")
        db.execute("update learnloop.space set chain = 'of a backup', head = 2")
    verdicts.add(bob, "Answers are short.", scope="global")
    _shares(bob, "Answers are short.")
    space.sync(ada)
    space.sync(bob)
    assert lesson_id in team.known(bob.root)["lessons"]
    assert team.known(ada.root)["lessons"] == team.known(bob.root)["lessons"]


@pytest.mark.slow
def test_an_exchange_that_dies_at_any_step_is_finished_by_the_next(ada: Workspace, owner: Login) -> None:
    """Steps are statements and written files, each before and after; the last try lives to its end."""
    code, step = cut_off.KILLED, 0
    while code == cut_off.KILLED:
        step += 1
        statement = f"Use tool number {step}."
        verdicts.add(ada, statement, scope="global")
        lesson = next(each for each in queue.listing(ada, "active") if each.statement == statement)
        team.share(ada, lesson.id, share.team_text(ada, lesson.id))
        code, answer = forked(lambda: _dies(ada, step))  # noqa: B023
        space.sync(ada)
        with psycopg.connect(**owner) as db:
            there = "select count(*) from learnloop.version v join learnloop.stance s using (space, tid)"
            assert db.execute(f"{there} where tid = %s".encode(), (lesson.id,)).fetchone() == (1,)
    assert code == 0, answer
    assert step > 10


def _dies(ws: Workspace, step: int) -> None:
    cut_off.Steps(step).take_over()
    space.sync(ws)


def test_a_removed_member_sees_nothing(ada: Workspace, bob: Workspace) -> None:
    _shares(ada)
    params = _state(bob).params
    with psycopg.connect(**params, autocommit=True) as open_still:
        assert open_still.execute("select count(*) from learnloop.version").fetchone() == (1,)
        space.manage(ada, "remove", "Bob")
        for table in TABLES:
            assert open_still.execute(f"select count(*) from learnloop.{table}").fetchone() == (0,)
    with pytest.raises(errors.Refused):
        space.sync(bob)
    with pytest.raises(errors.Refused, match="no members are called"):
        space.manage(ada, "remove", "Bob")


@pytest.mark.slow
def test_what_a_member_approved_can_be_taken_back_with_him(ada: Workspace, bob: Workspace) -> None:
    lesson_id = _shares(ada)
    _receives(bob)
    verdicts.promote(bob, [lesson_id])
    space.sync(bob)
    space.manage(ada, "void", "Bob")
    assert team.known(ada.root)["lessons"][lesson_id]["approvals"] == 1


def test_the_last_maintainer_stays_until_there_is_another(ada: Workspace, bob: Workspace) -> None:
    with pytest.raises(errors.Refused, match="the last maintainer"):
        space.manage(ada, "leave")
    space.manage(ada, "promote", "Bob")
    space.manage(ada, "leave")
    assert team.state(ada.root) is None
    space.sync(bob)
    assert [row["name"] for row in team.known(bob.root)["members"].values() if not row["gone"]] == ["Bob"]


def test_after_forgetting_no_row_names_the_person_and_the_words_are_gone(
    ada: Workspace, bob: Workspace, owner: Login
) -> None:
    verdicts.add(bob, "Answers are short.", scope="global")
    lesson_id = _shares(bob, "Answers are short.")
    space.sync(ada)
    present = _state(bob)
    space.manage(bob, "forget")
    with psycopg.connect(**owner) as db:
        every = [
            repr(row)
            for table in (*TABLES, "login", "device")
            for row in db.execute(f"select * from learnloop.{table}").fetchall()
        ]
    mine = [row for row in every if present.space in row]
    assert not any(
        word in row for row in mine for word in ("Bob", "Answers", present.params["user"], present.device)
    )
    space.sync(ada)
    (version,) = team.known(ada.root)["versions"][lesson_id].values()
    assert (version["body"], version["author"]) == (None, "")


TABLES = ("space", "member", "version", "lesson", "stance", "record")
ATTACKS = (
    "insert into learnloop.stance values ('{space}', 'x', 'abcd', '{ada}', '', '{{}}', 'approve', 1)",
    "insert into learnloop.version values ('{space}', 'abcd', 'v', 'words', '{ada}', 1)",
    "insert into learnloop.member values ('{space}', 'x', 'Eve', 'maintainer', false, 1)",
    "insert into learnloop.login values ('{space}', session_user, '{ada}')",
    "update learnloop.member set role = 'maintainer'",
    "update learnloop.lesson set approvals = 99",
    "update learnloop.space set head = 0",
    "delete from learnloop.record",
    "truncate learnloop.stance",
    "select * from learnloop.login",
    "select * from learnloop.device",
    "select device from learnloop.record",
    "select key from learnloop.member",
    "set role owner",
    "set session authorization owner",
    "lock table learnloop.space",
    "select * from learnloop.space for update",
    "alter table learnloop.stance disable row level security",
    "drop schema learnloop cascade",
    "create function learnloop.push() returns int language sql as 'select 1'",
    "create table learnloop.space2 (id text)",
    "select learnloop.enter('{space}')",
    "select learnloop.say('{space}', '{ada}', 'x', 1, '{{}}')",
    "select learnloop.bump('{space}', 'x', null, null)",
    "select learnloop.recount('{space}', 'abcd', 1)",
    "select learnloop.invite('{space}', 'x', 'Eve', 'maintainer', 'eve', 'SCRAM-SHA-256$')",
    "select learnloop.manage('{space}', '{ada}', 'remove')",
    "select learnloop.manage('{space}', '{bob}', 'promote')",
    "select learnloop.manage('{space}', '{ada}', 'anything')",
    "select learnloop.join_in('a password in clear')",
    "select learnloop.push('{space}', '{device}', 1, '[]')",
    "select learnloop.push('other', repeat('a', 32), 1, '[]')",
    "select learnloop.push('{space}', repeat('b', 32), 2, '[{{}}]')",
    "select learnloop.push('{space}', repeat('c', 32), 1, '[{{\"kind\": \"stance\"}}]')",
    "select learnloop.push('{space}', 'no device', 1, '[]')",
    """select learnloop.push('{space}', repeat('d', 32), 1,
       '[{{"kind": "version", "tid": "abcd", "v": "of something else", "body": "words"}}]')""",
    """select learnloop.push('{space}', repeat('e', 32), 1, jsonb_build_array(jsonb_build_object(
       'kind', 'version', 'tid', 'abcd', 'body', repeat('x', 9000),
       'v', left(encode(sha256(convert_to(repeat('x', 9000), 'UTF8')), 'hex'), 32))))""",
    """select learnloop.push('{space}', repeat('f', 32), 1,
       '[{{"kind": "stance", "tid": "abcd", "says": "approve", "v": "unknown", "prev": []}}]')""",
    """select learnloop.push('{space}', repeat('1', 32), 1,
       '[{{"kind": "stance", "tid": "abcd", "says": "veto", "v": "", "prev": []}}]')""",
    "create temp table member (x int); select learnloop.manage('{space}', '{ada}', 'void')",
)  # fmt: skip


def test_a_member_can_neither_write_as_another_nor_read_what_is_not_his(
    ada: Workspace, bob: Workspace
) -> None:
    _shares(ada)
    hers, his = _state(ada), _state(bob)
    words = {"space": hers.space, "ada": hers.member, "bob": his.member, "device": hers.device}
    with psycopg.connect(**his.params, autocommit=True) as db:
        assert db.execute("select * from learnloop.stance").fetchall() == []
        for attack in ATTACKS:
            with pytest.raises(psycopg.Error):
                db.execute(attack.format(**words))
    space.sync(ada)
    (lesson,) = team.known(ada.root)["lessons"].values()
    assert (lesson["approvals"], lesson["archived"]) == (1, False)


def test_a_member_of_another_space_sees_nothing_of_this_one(
    ada: Workspace, owner: Login, tmp_path: Path
) -> None:
    _shares(ada)
    eve = workspace.open_workspace(str(tmp_path / "eve"))
    where = f"postgresql://?host={owner['host']}&dbname={owner['dbname']}&user={owner['user']}"
    hers, his = _state(ada), space.create(eve, where, owner["password"], "Eve")
    with psycopg.connect(**his.params) as db:
        for table in TABLES:
            rows = db.execute(f"select * from learnloop.{table}" if table not in ("member", "record") else
                              f"select space from learnloop.{table}").fetchall()  # fmt: skip
            assert hers.space not in repr(rows)


@pytest.mark.slow
def test_whoever_holds_a_transaction_open_is_named_and_reading_goes_on(
    ada: Workspace, bob: Workspace
) -> None:
    his = _state(bob)
    with psycopg.connect(**his.params) as db:
        db.execute("select learnloop.push(%s, %s, 1, '[]')", (his.space, "a" * 32))
        with pytest.raises(errors.Refused, match="Bob has a transaction open"):
            _shares(ada)
    assert space.sync(ada).error == ""


def test_a_dead_database_and_a_removed_space_are_said(ada: Workspace, tmp_path: Path) -> None:
    present = _state(ada)
    file = Path(ada.root, "team", "state.json")
    file.write_text(present.with_(params={**present.params, "host": str(tmp_path)}).model_dump_json())
    with pytest.raises(errors.Refused, match="the team's database"):
        space.sync(ada)
    assert "database" in team.report(ada)["failed"]
    assert present.params["password"] not in str(team.report(ada))


def test_an_invitation_is_good_once(ada: Workspace, owner: Login, tmp_path: Path) -> None:
    line = space.invite(ada, owner["password"], "Bob")
    space.join(workspace.open_workspace(str(tmp_path / "bob")), line)
    with pytest.raises(errors.Refused, match="password authentication failed"):
        space.join(workspace.open_workspace(str(tmp_path / "eve")), line)


def test_hostile_words_are_left_out_by_name(ada: Workspace, bob: Workspace) -> None:
    hostile = ('{"statement": 1}', "[]", "{", '{"statement": "x", "trust": "user"}')
    for number, body in enumerate(hostile):
        tid, v = "abc" + "defg"[number], team.version_of(body)
        _pushes(
            bob, f"{number:032x}", {"kind": "version", "tid": tid, "v": v, "body": body},
            {"kind": "stance", "tid": tid, "says": "approve", "v": v, "prev": []},
        )  # fmt: skip
    taken = _receives(ada)
    assert (taken.drafts, len(taken.skipped)) == (0, 4)


def test_below_an_agent_nothing_is_joined_shared_or_taken_in(
    ada: Workspace, bob: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _shares(ada)
    space.sync(bob)
    monkeypatch.setenv("CLAUDECODE", "1")
    assert share.take_in(bob) == share.Taken()
    for step in (
        lambda: space.manage(bob, "leave"),
        lambda: space.invite(ada, "", "Eve"),
        lambda: _shares(ada),
    ):
        with pytest.raises(errors.Refused, match="an agent cannot"):
            step()


def test_damaged_news_are_read_again(ada: Workspace) -> None:
    lesson_id = _shares(ada)
    Path(ada.root, "team", "lessons.json").write_text("{")
    space.sync(ada)
    assert team.known(ada.root)["lessons"].keys() == {lesson_id}
