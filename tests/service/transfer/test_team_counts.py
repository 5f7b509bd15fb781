"""What a team counted of a lesson: sums over three people or more, never a row, nothing counted twice."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learnloop import errors
from learnloop.service import workspace
from learnloop.service.lessons import documents, queue, rows
from learnloop.service.review import verdicts
from learnloop.service.transfer import share, team
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop_tui.bridge import lesson_queries
from learnloop_tui.view import detail
from tests import postgres
from tests.cli.store import Learn

psycopg = pytest.importorskip("psycopg")
space = pytest.importorskip("learnloop.service.transfer.space")
pytestmark = pytest.mark.skipif(bool(postgres.reason()), reason=postgres.reason() or "it runs")
STATEMENT, WORDS = "Answers are short.", "heeded 12 in 3 people's sessions"
Login = dict[str, str]
Team = Callable[[int], list[Workspace]]
PROGRAMS = postgres.programs()
OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in PROGRAMS][1:]


@pytest.fixture(scope="module", params=[*list(PROGRAMS)[:1], *OTHERS])
def owner(request: pytest.FixtureRequest) -> Iterator[Login]:
    """The owner of a database, for the tests of this file; of every Postgres here in the slow set."""
    with (
        tempfile.TemporaryDirectory(prefix="pg-") as folder,
        postgres.running(PROGRAMS[request.param], Path(folder)) as login,
    ):
        yield login


@pytest.fixture
def people(owner: Login, tmp_path: Path) -> Team:
    """So many members who all approved the lesson of the first, who is the maintainer."""

    def joined(count: int) -> list[Workspace]:
        homes = [workspace.open_workspace(str(tmp_path / str(number))) for number in range(count)]
        verdicts.add(homes[0], STATEMENT, scope="global")
        where = f"postgresql://?host={owner['host']}&dbname={owner['dbname']}&user={owner['user']}"
        space.create(homes[0], where, owner["password"], "Member 0")
        team.share(homes[0], _lesson(homes[0]), share.team_text(homes[0], _lesson(homes[0])))
        space.sync(homes[0])
        for number, ws in enumerate(homes[1:], 1):
            _joins(homes[0], owner, ws, f"Member {number}")
        return homes

    return joined


def _joins(first: Workspace, owner: Login, ws: Workspace, name: str) -> None:
    space.join(ws, space.invite(first, owner["password"], name))
    share.take_in(ws)
    verdicts.promote(ws, [each.id for each in queue.listing(ws, "draft")])
    space.sync(ws)


def _lesson(ws: Workspace) -> str:
    return next(each.id for each in queue.listing(ws, "active") if each.statement == STATEMENT)


def _used(ws: Workspace, told: int, heeded: int = 0, ignored: int = 0, **more: int) -> None:
    """The home has counted so much since it is there, and exchanges."""
    with Store(ws.root).transaction() as changes:
        lesson = documents.lessons(ws.root)[_lesson(ws)]
        usage = {"recalled": told, "told_sessions": told, "heeded": heeded, "ignored": ignored, **more}
        changes.table("lessons").put(lesson["id"], {**lesson, "usage": usage})
    space.sync(ws)


def _shown(ws: Workspace) -> str:
    space.sync(ws)
    return team.counted(ws.root, _lesson(ws))


def test_sums_are_shown_from_three_people_on(people: Team) -> None:
    homes = people(5)
    _used(homes[0], 10, 8, 1)
    _used(homes[1], 9, 7)
    assert [_shown(ws) for ws in homes] == [""] * 5
    _used(homes[2], 9, 6, 1)
    assert _shown(homes[0]) == "heeded 21, ignored 2 in 3 people's sessions"
    _used(homes[3], 6, 5)
    _used(homes[4], 6, 5, corrected=1, stopped=2)
    words = "heeded 31, ignored 2, corrected 1, stopped 2 in 5 people's sessions"
    assert {_shown(ws) for ws in homes} == {words}


def test_console_and_command_line_show_them_on_drafts_and_lessons(
    people: Team, owner: Login, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    homes, learn = people(3), Learn(capsys)
    for ws in homes:
        _used(ws, 5, 4)
    dora = workspace.open_workspace(str(tmp_path / "dora"))
    space.join(dora, space.invite(homes[0], owner["password"], "Dora"))
    share.take_in(dora)
    for ws in (homes[0], dora):
        space.sync(ws)
        shown = lesson_queries.detail(ws, _lesson(homes[0]))
        row = next(each for each in rows.rows(ws, None) if each.id == shown.lesson.id)
        page = detail.layout(row, shown, 100, 0, explained=False)
        assert WORDS in repr(page)
        monkeypatch.setenv("LEARNLOOP_HOME", ws.root)
        assert learn("show", row.id) == 0
        assert WORDS in learn.out


def test_what_was_told_and_came_to_nothing_is_told_as_that(people: Team) -> None:
    homes = people(3)
    for ws in homes:
        _used(ws, 2)
    assert _shown(homes[0]) == "told 6 in 3 people's sessions"


def test_a_machine_of_ones_own_is_not_another_person(people: Team, owner: Login, tmp_path: Path) -> None:
    homes = people(2)
    laptop = workspace.open_workspace(str(tmp_path / "laptop"))
    _joins(homes[0], owner, laptop, "")
    for ws in (*homes, laptop):
        _used(ws, 5, 5)
    assert _shown(homes[0]) == ""


def _told(ws: Workspace, owner: Login) -> int:
    """Sessions that the database counted of a lesson in all, which nobody but its owner can ask."""
    with psycopg.connect(**owner) as db:
        query = "select coalesce(sum(own[1]), 0) from learnloop.tally where space = %s"
        (count,) = db.execute(query, (team.joined(ws.root).space,)).fetchone() or (0,)
    return int(count)


def test_counts_that_are_told_again_change_nothing(people: Team, owner: Login) -> None:
    (ada,) = people(1)
    _used(ada, 5, 3)
    head = space.sync(ada).cursor
    team.save(ada.root, team.joined(ada.root).with_(told={}))  # the answer got lost
    assert (_told(ada, owner), space.sync(ada).cursor) == (5, head)
    _used(ada, 7, 3)
    assert _told(ada, owner) == 7


def test_a_backup_of_a_home_that_is_put_back_counts_nothing_twice(
    people: Team, owner: Login, tmp_path: Path
) -> None:
    (ada,) = people(1)
    _used(ada, 5)
    backup = shutil.copytree(ada.root, tmp_path / "backup")
    _used(ada, 8)
    shutil.rmtree(ada.root)
    shutil.copytree(backup, ada.root)
    _used(ada, 6)
    assert _told(ada, owner) == 8
    _used(ada, 9)
    assert _told(ada, owner) == 9


def test_a_copy_of_a_home_counts_what_it_sees_itself(people: Team, owner: Login, tmp_path: Path) -> None:
    (ada,) = people(1)
    _used(ada, 5)
    copy = workspace.open_workspace(str(shutil.copytree(ada.root, tmp_path / "copy")))
    _used(copy, 6)
    assert _told(ada, owner) == 6  # of 6: who was first does not matter
    _part(ada, copy)
    for _ in range(2):
        _used(copy, 8)
        _used(ada, 7)
    assert 8 <= _told(ada, owner) <= 5 + 3 + 2
    _used(copy, 18)
    _used(ada, 17)
    assert 18 + 8 <= _told(ada, owner) <= 5 + 13 + 12


def _part(ada: Workspace, copy: Workspace) -> None:
    """A home and its copy say different things, and are devices of their own from then on."""
    for ws, words in ((ada, "Tests run first."), (copy, "Commits are small.")):
        verdicts.add(ws, words, scope="global")
        lesson_id = next(each.id for each in queue.listing(ws, "active") if each.statement == words)
        team.share(ws, lesson_id, share.team_text(ws, lesson_id))
        space.sync(ws)
    assert team.joined(copy.root).device != team.joined(ada.root).device


def test_what_a_home_and_its_copy_both_read_late_is_counted_once(
    people: Team, owner: Login, tmp_path: Path
) -> None:
    (ada,) = people(1)
    _used(ada, 5)
    copy = workspace.open_workspace(str(shutil.copytree(ada.root, tmp_path / "copy")))
    _part(ada, copy)
    _used(copy, 8)
    _used(ada, 8)
    assert _told(ada, owner) == 8


def test_a_database_that_was_put_back_is_told_the_counts_again(people: Team, owner: Login) -> None:
    (ada,) = people(1)
    _used(ada, 5)
    with psycopg.connect(**owner) as db:  # as of a backup, and others wrote since
        db.execute("update learnloop.tally set counts[1] = 2, own[1] = 2")
        db.execute("update learnloop.record set chain = 'of a backup'")
        db.execute("update learnloop.space set chain = 'of a backup'")
    space.sync(ada)
    assert _told(ada, owner) == 5


def test_after_forgetting_the_persons_counts_are_gone_and_so_are_sums_of_two(
    people: Team, owner: Login
) -> None:
    homes = people(4)
    for ws in homes:
        _used(ws, 5, 4)
    assert _shown(homes[1]) == "heeded 16 in 4 people's sessions"
    gone = team.joined(homes[3].root)
    space.manage(homes[3], "forget")
    assert _shown(homes[1]) == WORDS
    space.manage(homes[2], "forget")
    assert [_shown(ws) for ws in homes[:2]] == ["", ""]
    with psycopg.connect(**owner) as db:
        left = db.execute("select * from learnloop.tally where space = %s", (gone.space,)).fetchall()
    assert len(left) == 2
    assert gone.member not in repr(left)


def test_what_a_member_counted_can_be_taken_back_with_him(people: Team) -> None:
    homes = people(3)
    for ws in homes:
        _used(ws, 5, 4)
    space.manage(homes[0], "void", "Member 2")
    assert [_shown(ws) for ws in homes[:2]] == ["", ""]


ATTACKS = (
    "insert into learnloop.tally values ('{space}', 'x', '{device}', '{other}', '', '{{}}', '{{}}', '{{}}')",
    "insert into learnloop.total values ('{space}', '{tid}', 3, 9, 9, 9, 9, 9, 9)",
    "update learnloop.tally set own = '{{9,9,9,9,9}}'",
    "update learnloop.total set people = 3",
    "delete from learnloop.tally",
    "truncate learnloop.total",
    "alter table learnloop.tally disable row level security",
    "alter table learnloop.total drop constraint total_check",
    "drop policy own on learnloop.tally",
    "lock table learnloop.tally",
    "select learnloop.add_up('{space}', array['{tid}'], 1)",
    "select learnloop.less('{{1}}', '{{0}}')",
    "select learnloop.device_of('{space}', '{device}', '{other}')",
    "select learnloop.tell('{space}', '{device}', '', 'home', '[[\"{tid}\", [9, 0, 0, 9, 0]]]')",
    "select learnloop.tell('other', repeat('a', 32), '', 'home', '[[\"{tid}\", [9, 0, 0, 9, 0]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[\"{tid}\", [1000001, 0, 0, 0, 0]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[\"{tid}\", [-1, 0, 0, 0, 0]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[\"{tid}\", [9, 0, 0, 9]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[\"{tid}\", [9, 0, 0, 9, null]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[\"{tid}\", [9, 0, 0, 9, \"words\"]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[\"zzzz\", [9, 0, 0, 9, 0]]]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', 'home', '[[null, [9, 0, 0, 9, 0]]]')",
    "select learnloop.tell('{space}', 'no device', '', 'home', '[]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', repeat('x', 33), '[]')",
    "select learnloop.tell('{space}', repeat('a', 32), '', null, '[[\"{tid}\", [9, 0, 0, 9, 0]]]')",
    """select learnloop.tell('{space}', repeat('a', 32), '', 'home',
       (select jsonb_agg(jsonb_build_array('{tid}', '[1,0,0,0,0]'::jsonb)) from generate_series(1, 501)))""",
    "create temp table tally (x int); select learnloop.manage('{space}', '{other}', 'void')",
)  # fmt: skip


def test_a_member_reads_no_counts_of_others_and_writes_none(people: Team, owner: Login) -> None:
    homes = people(3)
    for ws in homes:
        _used(ws, 5, 4)
    hers, his = (team.joined(ws.root) for ws in homes[:2])
    words = {"space": hers.space, "tid": _lesson(homes[0]), "device": hers.device, "other": hers.member}
    with psycopg.connect(**his.params, autocommit=True) as db:
        own = db.execute("select member, device, own from learnloop.tally").fetchall()
        assert own == [(his.member, his.device, [5, 0, 0, 4, 0])]
        for attack in ATTACKS:
            with pytest.raises(psycopg.Error):
                db.execute(attack.format(**words))
        db.execute("set row_security = off")  # does not show more, but fails
        with pytest.raises(psycopg.Error):
            db.execute("select * from learnloop.tally")
    assert (_told(homes[0], owner), _shown(homes[0])) == (15, WORDS)


def test_a_member_cannot_close_anothers_device(people: Team, owner: Login) -> None:
    homes = people(2)
    _used(homes[0], 5)
    hers, his = (team.joined(ws.root) for ws in homes)
    with psycopg.connect(**his.params) as db:
        call = "select learnloop.tell(%s, %s, %s, %s, %s)"
        counts = json.dumps([[_lesson(homes[0]), [1, 0, 0, 1, 0]]])
        db.execute(call, (his.space, "a" * 32, hers.device, hers.device, counts))
    _used(homes[0], 6)
    assert (team.joined(homes[0].root).device, _told(homes[0], owner)) == (hers.device, 7)


def test_members_of_other_spaces_and_removed_ones_see_no_sums(
    people: Team, owner: Login, tmp_path: Path
) -> None:
    homes = people(4)
    for ws in homes:
        _used(ws, 5, 4)
    eve = workspace.open_workspace(str(tmp_path / "eve"))
    where = f"postgresql://?host={owner['host']}&dbname={owner['dbname']}&user={owner['user']}"
    space.create(eve, where, owner["password"], "Eve")
    with psycopg.connect(**team.joined(homes[3].root).params, autocommit=True) as open_still:
        assert len(open_still.execute("select * from learnloop.total").fetchall()) == 1
        space.manage(homes[0], "remove", "Member 3")
        for table in ("tally", "total"):
            assert open_still.execute(f"select * from learnloop.{table}").fetchall() == []
    with psycopg.connect(**team.joined(eve.root).params) as db:
        for table in ("tally", "total"):
            assert db.execute(f"select * from learnloop.{table}").fetchall() == []


def test_even_the_owners_functions_keep_no_sum_of_two_people(people: Team, owner: Login) -> None:
    (ada,) = people(1)
    row = (team.joined(ada.root).space, _lesson(ada))
    with psycopg.connect(**owner) as db, pytest.raises(psycopg.errors.CheckViolation):
        db.execute("insert into learnloop.total values (%s, %s, 2, 9, 0, 0, 9, 0, 1)", row)


def test_nothing_is_counted_that_the_person_did_not_approve_or_was_not_told_of(
    people: Team, owner: Login, tmp_path: Path
) -> None:
    (ada,) = people(1)
    bob = workspace.open_workspace(str(tmp_path / "bob"))
    space.join(bob, space.invite(ada, owner["password"], "Bob"))
    share.take_in(bob)
    lesson = documents.lessons(bob.root)[_lesson(ada)]
    with Store(bob.root).transaction() as changes:
        changes.table("lessons").put(lesson["id"], {**lesson, "usage": {"told_sessions": 4}})
    team.save(ada.root, team.joined(ada.root).with_(counts=False))  # joined before counts left
    _used(ada, 5)
    space.sync(bob)
    assert _told(ada, owner) == 0
    assert "learn team upgrade" in team.report(ada)["counts"]
    space.upgrade(ada, lambda: owner["password"])
    assert (_told(ada, owner), team.report(ada)["counts"]) == (5, "sent")


def _as_of_format_1(owner: Login) -> None:
    """The database as the first version made it."""
    with psycopg.connect(**owner, autocommit=True) as db:
        for statement in (
            "drop table learnloop.tally, learnloop.total", "drop function learnloop.tell, learnloop.add_up",
            "drop function learnloop.less, learnloop.device_of",
            "alter table learnloop.device drop closed",
            "alter table learnloop.space alter format set default 1",
            "update learnloop.space set format = 1",
        ):  # fmt: skip
            db.execute(statement)


def test_a_space_of_the_first_version_is_used_without_counts_until_its_owner_upgrades_it(
    people: Team, owner: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes = people(3)
    _as_of_format_1(owner)
    for ws in homes:
        _used(ws, 5, 4)
    assert team.report(homes[0])["counts"].startswith("not sent before learn team upgrade")
    space.upgrade(homes[0], lambda: owner["password"])
    space.upgrade(homes[0], lambda: owner["password"])
    assert {(space.sync(ws).error, space.sync(ws).format) for ws in homes} == {("", 2)}
    assert {_shown(ws) for ws in homes} == {WORDS}
    monkeypatch.setattr(space, "FORMAT", 1)  # an older client
    with pytest.raises(errors.Refused, match="needs a newer Learnloop"):
        space.sync(homes[1])
    assert "newer Learnloop" in team.report(homes[1])["failed"]
    with pytest.raises(errors.Refused, match="needs a newer Learnloop"):
        space.upgrade(homes[0], lambda: owner["password"])


@settings(
    max_examples=15, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(("use", "save", "put back", "lose")), st.integers(1, 3)), max_size=8
    )
)
def test_no_order_of_uses_backups_and_lost_answers_counts_more_than_there_was(
    owner: Login, steps: list[tuple[str, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ada = workspace.open_workspace(f"{folder}/ada")
        verdicts.add(ada, STATEMENT, scope="global")
        where = f"postgresql://?host={owner['host']}&dbname={owner['dbname']}&user={owner['user']}"
        space.create(ada, where, owner["password"], "Ada")
        team.share(ada, _lesson(ada), share.team_text(ada, _lesson(ada)))
        space.sync(ada)
        backup, here, ever, saved = f"{folder}/backup", 0, 0, 0
        shutil.copytree(ada.root, backup)
        for step, number in steps:
            if step == "use":
                here, ever = here + number, ever + number
                _used(ada, here)
            elif step == "save":
                shutil.rmtree(backup)
                shutil.copytree(ada.root, backup)
                saved = here
            elif step == "put back":
                shutil.rmtree(ada.root)
                shutil.copytree(backup, ada.root)
                here = saved
            else:
                team.save(ada.root, team.joined(ada.root).with_(told={}))
        space.sync(ada)
        assert here <= _told(ada, owner) <= ever
