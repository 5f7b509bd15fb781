"""A team's space in Postgres: it is made, joined, left, and exchanged, each in short transactions.

`schema.sql` says who may read and write what. `python -m learnloop.service.transfer.space ROOT` exchanges
once, detached and silent. Nothing here is imported by hooks, or at the start of anything.
"""

import json
import os
import secrets
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from typing import Any, LiteralString
from urllib.parse import urlencode

import psycopg
from psycopg import conninfo, errors, rows

from learnloop.errors import LearnloopError, Refused, Unreadable
from learnloop.ingest import background
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.transfer import team
from learnloop.service.transfer.team import Known, State
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import clock

FORMAT = 1
_PARAMETERS = {
    "connect_timeout": "5", "tcp_user_timeout": "15000", "sslmode": "verify-full",
    "application_name": "learnloop",
}  # fmt: skip
_LIMITS = "set local lock_timeout = '2s'; set local statement_timeout = '10s'"
_ONE_PUSH = 500
_PULLED = {
    "members": "select id, name, role, gone from learnloop.member",
    "versions": "select tid, v, body, author from learnloop.version",
    "lessons": "select tid, v, approvals, rejections, archived from learnloop.lesson",
    "own": "select id, tid, v, says, prev from learnloop.stance",
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
        with psycopg.connect(where, row_factory=rows.dict_row, prepare_threshold=None) as db:
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
        if db.execute("select 1 from pg_namespace where nspname = 'learnloop'").fetchone() is None:
            db.execute(resources.files(__package__).joinpath("schema.sql").read_bytes())
        db.execute("insert into learnloop.space (id, name) values (%s, %s)", (new, db.info.dbname))
        login = _login(db, new, secrets.token_hex(8), name, "maintainer")
    return _enter(ws, {**admin, **login}, new, admin)


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
        entered = State(params=params, admin=admin, space=new, member=mine["member"], device=device)
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
        records = [record for record, _ in batch]
        try:
            _push(db, present, records)
        except psycopg.Error as error:
            if error.sqlstate not in ("LL001", "LL002"):  # its home, or its database, was put back
                raise
            present = team.save(ws.root, _as_new(present))
            _push(db, present, records)
        said = present.said | {record["tid"]: says for record, says in batch if says}
        present = team.save(ws.root, present.with_(seq=present.seq + len(batch), said=said))
        present, read = _pulled(ws.root, db, present)
    return present


def _as_new(present: State) -> State:
    """The same person on a device without a history: its home, or the database, was put back."""
    return present.with_(device=secrets.token_hex(16), seq=0, said={})


def _pulled(root: str, db: Connection, present: State) -> tuple[State, Known]:
    """What is known, with what is new; of a log that is not the one that was read, that alone."""
    read = team.known(root)
    head, is_whole, new = _news(db, present if read["members"] else present.with_(cursor=0))
    if not new:
        return present, read
    present, read = (_as_new(present), team.nothing()) if is_whole else (present, read)
    read["members"] |= {row["id"]: row for row in new["members"]}
    read["lessons"] |= {row["tid"]: row for row in new["lessons"]}
    for name, key in (("versions", "v"), ("own", "id")):
        for row in new[name]:
            read[name].setdefault(row["tid"], {})[row[key]] = row
    fresh = tuple({*present.fresh, *(row["tid"] for row in new["lessons"])})
    present = present.with_(cursor=head["head"], chain=head["chain"], name=head["name"], fresh=fresh)
    return team.save(root, present, read), read


def _news(db: Connection, present: State) -> tuple[dict[str, Any], bool, dict[str, list[dict[str, Any]]]]:
    """The space, and its new rows by the names of `_PULLED`: all, where the log is not the one known here."""
    with db.transaction():
        db.execute(f"set transaction isolation level repeatable read, read only; {_LIMITS}")
        head = db.execute(
            "select name, format, head, chain, (select chain from learnloop.record r where r.space = s.id and"
            " n = %s) as before from learnloop.space s where id = %s", (present.cursor, present.space),
        ).fetchone()  # fmt: skip
        if head is None:
            raise Refused("you are no member of this team any more", "learn team leave forgets it here")
        if head["format"] > FORMAT:
            raise Refused("the team's space needs a newer Learnloop", "update it; nothing was read")
        is_whole = present.cursor > 0 and head["before"] != present.chain
        since = 0 if is_whole else present.cursor
        read = {
            name: db.execute(f"{query} where space = %s and n > %s", (present.space, since)).fetchall()
            for name, query in (_PULLED.items() if head["head"] > since else ())
        }
    return head, is_whole, read


def _push(db: Connection, present: State, records: list[dict[str, Any]]) -> None:
    """Append records of this device; those that are there change nothing."""
    numbered = (present.space, present.device, present.seq + 1, json.dumps(records))
    try:
        _write(db, "push(%s, %s, %s, %s)", *numbered)
    except errors.LockNotAvailable:
        holders = (db.execute("select learnloop.holders() as names").fetchone() or {})["names"]
        who = holders or "the owner of the database"
        raise Refused(
            f"{who} has a transaction open in the team's space", "learn team sync tries again"
        ) from None


def _write(db: Connection, call: LiteralString, *values: object) -> None:
    with db.transaction():
        db.execute(_LIMITS)
        db.execute("select learnloop." + call, values)


def main(argv: list[str] | None = None) -> int:
    """Exchange once. Always return 0, because nobody reads the exit code."""
    root = (sys.argv[1:] if argv is None else argv)[0]
    with suppress(OSError):
        os.nice(10)
    background.logged(root, lambda: sync(open_workspace(root)), "team")
    return 0


if __name__ == "__main__":
    sys.exit(main())
