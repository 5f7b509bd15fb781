"""`learn team`: a team's space in Postgres, or that of one's own machines."""

from __future__ import annotations

import os
from getpass import getpass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.errors import LearnloopError, Refused
from learnloop.service.transfer import share, team

if find_spec("psycopg"):  # of an extra
    from learnloop.service.transfer import space
if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


_HELP = """\
Without a word: says which team this machine is in, what is new and what waits to be sent.

  create ADDRESS  make a space in a Postgres database: postgresql://OWNER@HOST/DATABASE
  invite [NAME]   print the line with which somebody joins; without a name: another machine of yours
  join            ask for that line, and join
  members         list the members
  remove NAME     a member sees nothing from then on; --void: and what he approved no longer counts
  promote NAME    make a member a maintainer
  upgrade         send counts too, where you joined before there were any; the owner's machine asks
                  for the owner's password, and brings the database up to date
  sync            exchange now, not within a quarter of an hour
  leave           leave the team; what you approved stays
  forget-me       leave, and remove your name, verdicts and counts, and the words that nobody else approved

learn share ID --team shares an approved lesson. What others share arrives as drafts: learn triage.
"""
_LEAVES = """\
What leaves this machine: lessons that you share one by one, as learn share ID --team --dry-run shows them,
whether you approve, reject or retire lessons of the team, and for each that you use in how many sessions it
was told, heeded, ignored or corrected, and how many calls it stopped. No prompt, quote, path or time does.
Members see your name, what you share, and counts as sums over three people or more; whoever owns the database
can read and change all of it.
The password of this machine lies in {place}, which only you can read."""


_OWNERS = "Password of the database's owner (nothing: as psql finds it): "


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = _HELP
    add("what", nargs="?", choices=tuple(_ACTIONS), default="status", metavar="WHAT", help="see below")
    add("name", nargs="?", default="", metavar="NAME|ADDRESS", help="a member, or where the database is")
    add("--as", dest="own_name", metavar="NAME", help="create: how others see you (default: your user name)")
    add("--void", action="store_true", help="remove: what the member approved no longer counts")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    if args.what != "status" and find_spec("psycopg") is None:
        raise Refused("a team needs psycopg", "pip install 'learnloop[team]'")
    if args.what in ("create", "remove", "promote") and not args.name:
        options.wrong_usage("name the ADDRESS" if args.what == "create" else "NAME is missing", "learn team")
    _ACTIONS[args.what](ws, args)


def _secret(question: str) -> str:
    """A line that neither the screen nor a list of arguments shows; a pipe is asked without words."""
    return output.ask(question, getpass) if output.can_ask() else output.ask("")


def _create(ws: Workspace, args: Namespace) -> None:
    name = args.own_name or os.environ.get("USER", "") or "me"
    _entered(ws, space.create(ws, args.name, _secret(_OWNERS), name))
    output.line("Next: learn team invite NAME")


def _entered(ws: Workspace, state: team.State) -> None:
    output.line(f"This machine is in {output.safe(state.name)}.")
    output.line(_LEAVES.format(place=f"{ws.root}/team/state.json"))
    if mode := state.params.get("sslmode"):
        output.note(f"The address says sslmode={mode}: the database's certificate may not be verified.")


def _invite(ws: Workspace, args: Namespace) -> None:
    line = space.invite(ws, _secret(_OWNERS), args.name)
    output.note("Send this line to one person, who gives it to learn team join within a day:")
    output.line(line)


def _join(ws: Workspace, _args: Namespace) -> None:
    _entered(ws, space.join(ws, _secret("The line of your invitation: ")))
    output.line(share.take_in(ws))


def _members(ws: Workspace, args: Namespace) -> None:
    members = [row for row in team.known(ws.root)["members"].values() if not row["gone"]]
    columns = [Column("NAME", wide=True), Column("ROLE")]
    empty = "This machine is in no team: learn team join"
    output.listing(members, columns, lambda row: [row["name"], row["role"]], json=args.json, empty=empty)


def _manage(ws: Workspace, args: Namespace) -> None:
    what = "void" if args.void else args.what
    space.manage(ws, what, args.name)
    output.line(f"{args.name} {'is a maintainer' if what == 'promote' else 'sees nothing any more'}.")


def _leave(ws: Workspace, args: Namespace) -> None:
    is_forgotten = args.what == "forget-me"
    words = "Your name, verdicts, counts and words go, for good." if is_forgotten else "You leave it."
    if output.can_ask() and output.ask(f"{words} Go on? [y/N] ").lower() not in ("y", "yes"):
        output.line("Nothing was changed.")
        return
    try:
        space.manage(ws, "forget" if is_forgotten else "leave")
    except LearnloopError as error:
        if is_forgotten:
            raise
        team.forget(ws.root)
        output.note(f"The space was not told: {error.message}")
    output.line("This machine is in no team any more. Lessons that you keep stay here.")


def _upgrade(ws: Workspace, args: Namespace) -> None:
    output.line(_LEAVES.format(place=f"{ws.root}/team/state.json"))
    if output.can_ask() and output.ask("Let counts leave too? [y/N] ").lower() not in ("y", "yes"):
        output.line("Nothing was changed.")
        return
    space.upgrade(ws, lambda: _secret(_OWNERS))
    _status(ws, args)


def _sync(ws: Workspace, args: Namespace) -> None:
    space.sync(ws)
    output.line(share.take_in(ws))
    _status(ws, args)


def _status(ws: Workspace, args: Namespace) -> None:
    report = team.report(ws)
    if args.json:
        output.as_json(report)
    elif report:
        output.fields(report.items())
    else:
        output.note("This machine is in no team: learn team create ADDRESS, or learn team join")


_ACTIONS = {
    "status": _status, "create": _create, "invite": _invite, "join": _join, "members": _members,
    "remove": _manage, "promote": _manage, "upgrade": _upgrade, "sync": _sync,
    "leave": _leave, "forget-me": _leave,
}  # fmt: skip
