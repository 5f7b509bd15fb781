"""A team's space in Postgres: it is made, joined, left, and exchanged, each in short transactions.

`schema.sql` says who may read and write what. `python -m learnloop.service.transfer.space ROOT` exchanges
once, detached and silent. Nothing here is imported by hooks, or at the start of anything.
"""

import json
import os
import secrets
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from typing import Any, LiteralString
from urllib.parse import urlencode

import psycopg
from psycopg import conninfo, errors, rows, sql

from learnloop.errors import LearnloopError, Refused, Unreadable
from learnloop.ingest import background
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.transfer import team
from learnloop.service.transfer.team import Known, State
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import clock

FORMAT = 2
"""That of spaces which keep counts; one of format 1 is read and written without them."""
_PARAMETERS = {
    "connect_timeout": "5", "tcp_user_timeout": "15000", "sslmode": "verify-full",
    "application_name": "learnloop",
}  # fmt: skip
_LIMITS = "set local lock_timeout = '2s'; set local statement_timeout = '10s'"
_SNAPSHOT = f"begin isolation level repeatable read, read only; {_LIMITS}"
_HEAD = sql.SQL(
    "select json_build_object('name', name, 'format', format, 'head', head, 'chain', chain, 'before',"
    " (select chain from learnloop.record r where r.space = s.id and n = {})) as space"
    " from learnloop.space s where id = {}"
)
_ONE_PUSH = 500
_AGAIN = "-- From here on"
"""Where in the schema begins what brings an older space up to date."""
_PULLED = {
    "members": "select id, name, role, gone from learnloop.member",
    "versions": "select tid, v, body, author from learnloop.version",
    "lessons": "select tid, v, approvals, rejections, archived from learnloop.lesson",
    "own": "select id, tid, v, says, prev from learnloop.stance",
    "totals": "select tid, people, told, ignored, corrected, heeded, stopped from learnloop.total",
}

Parameters = dict[str, str]
Connection = psycopg.Connection[dict[str, Any]]


@contextmanager
def connection(params: Parameters, password: str = "") -> Iterator[Connection]:
    """A connection for the block, with TLS verified unless the address says otherwise.

    Raises Refused with what the database says, which holds no password.
    """
    chosen = {**_PARAMETERS, **params, **({"password": password} if password else {})}
    if chosen["sslmode"] == "verify-full":
        chosen.setdefault("sslrootcert", "system")
        system = ssl.get_default_verify_paths()  # the OpenSSL of psycopg's wheel does not know them
        places = {"SSL_CERT_FILE": system.cafile, "SSL_CERT_DIR": system.capath}
        os.environ.update({name: place for name, place in places.items() if place})
    try:
        where = conninfo.make_conninfo(**chosen)
        with psycopg.connect(where, row_factory=rows.dict_row, prepare_threshold=None, autocommit=True) as db:
            yield db
    except psycopg.Error as error:
        words = (error.diag.message_primary or str(error).strip() or "no answer").split("\n")[0]
        raise Refused(f"the team's database: {words}", _way_out(error)) from None


def _way_out(error: psycopg.Error) -> str:
    if isinstance(error, errors.InvalidSchemaName | errors.UndefinedTable | errors.UndefinedFunction):
        return "it holds no space of Learnloop: learn team create makes one"
    if isinstance(error, errors.InsufficientPrivilege):
        return "ask a maintainer, or the owner of the database"
    return "learn team sync tries again; nothing is lost"


def create(ws: Workspace, address: str, password: str, name: str) -> State:
    """Make a space in a database, of which the person becomes the maintainer on this machine."""
    _check_new(ws.root)
    admin, new = _parameters(address), secrets.token_hex(8)
    if "password" in admin:
        raise Refused("the address holds a password", "leave it out: it is asked for, and kept nowhere")
    with connection(admin, password) as db, db.transaction():
        _make(db)
        db.execute("insert into learnloop.space (id, name) values (%s, %s)", (new, db.info.dbname))
        login = _login(db, new, secrets.token_hex(8), name, "maintainer")
    return _enter(ws, {**admin, **login}, new, admin)


def _make(db: Connection) -> None:
    """Make the schema, or bring an older one up to date; raises Refused for a newer one."""
    schema = resources.files(__package__).joinpath("schema.sql").read_text()
    if db.execute("select 1 from pg_namespace where nspname = 'learnloop'").fetchone() is None:
        db.execute(schema.encode())
        return
    there = db.execute("select coalesce(max(format), 0) as format from learnloop.space").fetchone() or {}
    if there["format"] > FORMAT:
        raise Refused("the team's space needs a newer Learnloop", "update it; nothing was changed")
    db.execute(schema[schema.index(_AGAIN) :].encode())


def upgrade(ws: Workspace, password: Callable[[], str]) -> State:
    """Let counts leave this machine; where the space was made here, bring it up to date as its owner."""
    agent_guard.refuse("change a team")
    if admin := team.joined(ws.root).admin:
        with connection(admin, password()) as db, db.transaction():
            _make(db)
    with team.held(ws.root):
        team.save(ws.root, team.joined(ws.root).with_(counts=True))
    return sync(ws)


def invite(ws: Workspace, password: str, name: str) -> str:
    """One line with which somebody joins; without a name another machine of one's own does."""
    agent_guard.refuse("invite anybody")
    present = team.joined(ws.root)
    if not present.admin:
        raise Refused("people are invited where the space was made", "ask whoever made it")
    member = secrets.token_hex(8) if name else present.member
    with connection(present.admin, password) as db:
        login = _login(db, present.space, member, name, "member")
    return f"postgresql://?{urlencode({**present.admin, **login})}#{present.space}"


def join(ws: Workspace, line: str) -> State:
    """Join by the line of an invitation, whose password is replaced by one that nobody has seen."""
    _check_new(ws.root)
    address, _, new = line.strip().partition("#")
    if not new:
        raise Unreadable("this is no invitation", "paste the line that learn team invite printed")
    return _enter(ws, _parameters(address), new, {})


def _check_new(root: str) -> None:
    agent_guard.refuse("join a team")
    if team.state(root) is not None:
        raise Refused("this machine is in a team already", "learn team leave first")


def _parameters(address: str) -> Parameters:
    try:
        given = conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise Unreadable("this is no address of a database", "postgresql://USER@HOST/DATABASE") from None
    return {name: str(value) for name, value in given.items()}


def _login(db: Connection, space: str, member: str, name: str, role: str) -> Parameters:
    """A login for a machine of a member, who is new unless he is there; the password lasts a day."""
    login, password = f"ll_{secrets.token_hex(6)}", secrets.token_urlsafe(18)
    verifier = _verifier(db, login, password)
    call = "select learnloop.invite(%s, %s, %s, %s, %s, %s)"
    db.execute(call, (space, member, name, role, login, verifier))
    return {"user": login, "password": password}


def _verifier(db: Connection, login: str, password: str) -> str:
    """What the database keeps of a password, which it never sees."""
    return db.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode()


def _enter(ws: Workspace, params: Parameters, new: str, admin: Parameters) -> State:
    with team.held(ws.root):
        password, device = secrets.token_urlsafe(24), secrets.token_hex(16)
        with connection(params) as db:
            mine = db.execute("select member from learnloop.mine() where space = %s", (new,)).fetchone()
            if mine is None:
                raise Refused("the invitation is for no member of this space", "ask for a new one")
            db.execute("select learnloop.join_in(%s)", (_verifier(db, db.info.user, password),))
        params = {**params, "password": password}
        entered = State(
            params=params, admin=admin, space=new, member=mine["member"], device=device, counts=True
        )
        team.save(ws.root, entered, team.nothing())
    return sync(ws)


def manage(ws: Workspace, what: str, name: str = "") -> None:
    """Remove, void or promote a member by name; without one leave, or forget oneself. Raises Refused."""
    agent_guard.refuse("change a team")
    present = sync(ws) if name else team.joined(ws.root)
    members = team.known(ws.root)["members"].values()
    named = [str(row["id"]) for row in members if row["name"] == name and not row["gone"]]
    if name and len(named) != 1:
        raise Refused(f"{len(named) or 'no'} members are called {name}", "learn team members lists them")
    with connection(present.params) as db:
        _write(db, "manage(%s, %s, %s)", present.space, named[0] if name else present.member, what)
    if name:
        sync(ws)
    else:
        team.forget(ws.root)


def sync(ws: Workspace) -> State:
    """Read what is new, send what waits, read again; raises Refused where the database does not answer."""
    with team.held(ws.root):
        params = team.joined(ws.root).params
        try:
            with connection(params) as db:
                present = _exchange(ws, db)
        except LearnloopError as error:
            team.save(ws.root, team.joined(ws.root).with_(error=error.message))
            raise
        return team.save(ws.root, present.with_(error="", synced=clock.iso(clock.now_ms())))


def _exchange(ws: Workspace, db: Connection) -> State:
    docs = documents.lessons(ws.root)
    present, read = _pulled(ws.root, db, team.joined(ws.root))
    while batch := list(team.owed(present, read, docs))[:_ONE_PUSH]:
        present = _sent(ws.root, db, present, _push, [record for record, _ in batch])
        said = present.said | {record["tid"]: says for record, says in batch if says}
        present = team.save(ws.root, present.with_(seq=present.seq + len(batch), said=said))
        present, read = _pulled(ws.root, db, present)
    while counts := list(team.counts(present, read, docs))[:_ONE_PUSH]:
        present = _sent(ws.root, db, present, _tell, counts)
        told = present.told | dict(counts)
        present, read = _pulled(ws.root, db, team.save(ws.root, present.with_(told=told)))
    return present


def _sent(root: str, db: Connection, present: State, send: Callable[..., None], what: list[Any]) -> State:
    """The device that has sent it: another one where its home, or its database, was put back or copied."""
    try:
        send(db, present, what)
    except psycopg.Error as error:
        if error.sqlstate not in ("LL001", "LL002"):
            raise
        present = team.save(root, _as_new(present))
        send(db, present, what)
    return present


def _as_new(present: State) -> State:
    """The same person on a device without a history, which counts what no copy of this home has told."""
    device, home = secrets.token_hex(16), present.home or present.device
    return present.with_(device=device, former=present.device, home=home, seq=0, said={}, told={})


def _pulled(root: str, db: Connection, present: State) -> tuple[State, Known]:
    """What is known, with what is new; of a log that is not the one that was read, that alone."""
    read = team.known(root)
    head, is_whole, new = _news(db, present if read["members"] else present.with_(cursor=0))
    present = present.with_(name=head["name"], format=head["format"])
    if not new:
        return present, read
    present, read = (_as_new(present), team.nothing()) if is_whole else (present, read)
    for name, key in (("members", "id"), ("lessons", "tid"), ("totals", "tid")):
        read[name] |= {row[key]: row for row in new.get(name, ())}
    for name, key in (("versions", "v"), ("own", "id")):
        for row in new[name]:
            read[name].setdefault(row["tid"], {})[row[key]] = row
    fresh = tuple({*present.fresh, *(row["tid"] for row in new["lessons"])})
    return team.save(root, present.with_(cursor=head["head"], chain=head["chain"], fresh=fresh), read), read


def _news(db: Connection, present: State) -> tuple[dict[str, Any], bool, dict[str, list[dict[str, Any]]]]:
    """The space, and its new rows by the names of `_PULLED`: all, where the log is not the one known here.

    Without news it is one statement; with news a second turn reads all rows in one snapshot.
    """
    asked = _HEAD.format(present.cursor, present.space)
    answers = db.execute(sql.SQL(_SNAPSHOT + "; {}; commit").format(asked))
    while answers.description is None and answers.nextset():
        pass
    head = _checked(answers.fetchone())
    is_whole = present.cursor > 0 and head["before"] != present.chain
    since = 0 if is_whole else present.cursor
    if head["head"] <= since:
        return head, is_whole, {}
    pulled = {name: query for name, query in _PULLED.items() if name != "totals" or head["format"] > 1}
    with db.pipeline():
        for statement in _SNAPSHOT.split("; "):
            db.execute(statement)
        again = db.execute(asked)
        newer = " where space = %s and n > %s"
        read = {name: db.execute(query + newer, (present.space, since)) for name, query in pulled.items()}
        db.execute("commit")
        return _checked(again.fetchone()), is_whole, {name: each.fetchall() for name, each in read.items()}


def _checked(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        raise Refused("you are no member of this team any more", "learn team leave forgets it here")
    if row["space"]["format"] > FORMAT:
        raise Refused("the team's space needs a newer Learnloop", "update it; nothing was read")
    return dict(row["space"])


def _push(db: Connection, present: State, records: list[dict[str, Any]]) -> None:
    """Append records of this device; those that are there change nothing."""
    device = (present.device, present.seq + 1)
    _write(db, "push(%s, %s, %s, %s)", present.space, *device, json.dumps(records))


def _tell(db: Connection, present: State, counts: list[team.Count]) -> None:
    """Say what this machine counted since it is here; the database sees what of it others told."""
    device = (present.device, present.former, present.home or present.device)
    _write(db, "tell(%s, %s, %s, %s, %s)", present.space, *device, json.dumps(counts))


def _write(db: Connection, call: LiteralString, *values: object) -> None:
    try:
        with db.transaction():
            db.execute(_LIMITS)
            db.execute("select learnloop." + call, values)
    except errors.LockNotAvailable:
        holders = (db.execute("select learnloop.holders() as names").fetchone() or {})["names"]
        words = f"{holders or 'the owner of the database'} has a transaction open in the team's space"
        raise Refused(words, "learn team sync tries again") from None


def main(argv: list[str] | None = None) -> int:
    """Exchange once. Always return 0, because nobody reads the exit code."""
    root = (sys.argv[1:] if argv is None else argv)[0]
    with suppress(OSError):
        os.nice(10)
    background.logged(root, lambda: sync(open_workspace(root)), "team")
    return 0


if __name__ == "__main__":
    sys.exit(main())
