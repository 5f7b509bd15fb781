"""The page about agents and the table in the README, out of the descriptions of hosts."""

from collections.abc import Collection
from pathlib import Path

from learnloop.hosts import client
from learnloop.hosts.host import Host, NoTranscripts
from learnloop.service.hosts import HOSTS
from learnloop.wire import hosts

BEGIN, END = "<!-- hosts -->\n", "<!-- /hosts -->"
EXAMPLE = "gemini"
_RECORDED = {
    "UserPromptSubmit": "prompts", "PreToolUse": "calls", "Stop": "answers", "SubagentStop": "subagents",
}  # fmt: skip
_TOLD = {
    "SessionStart": "start", "UserPromptSubmit": "prompts", "SubagentStart": "subagents",
    "PreToolUse": "calls", "PostToolUse": "after calls",
}  # fmt: skip
_STOPPED = {"PreToolUse": "calls", "Stop": "ends of turns"}
_HEAD = "| agent | recorded | told at | stopped at | old sessions |\n|---|---|---|---|---|\n"

PAGE = """\
# Agents

Learnloop works beside these agents. A correction that you type to one holds for all. `learn install` finds
the agents on this machine and asks which of them you mean; `learn install --host NAME` names one.

{table}
*Recorded* is what becomes evidence. *Told at* names the moments at which a lesson reaches the model.
*Stopped at* names what a lesson can stop before it happens. *Old sessions* are what `learn backfill` reads.
*Not run* means: built from the agent's documents, and no test ran it against the real program.

A person and a program look alike in print mode (`codex exec`, `gemini -p` and their like). So drafts from
there say that somebody else may have written the words, as those from `claude -p` do. Hooks read the mode off
the client's command line. Without `/proc`, as on macOS, such a prompt counts as yours. Of old sessions those
of Claude Code, Codex, Factory droid, OpenCode and Cline say their mode.

{limits}## Add a host

A host is one description, one folder and their tests. [Design](design.md#hooks) says how a hook runs.

1. `wire/hosts/NAME.py` is the description: plain data, loaded by the hooks of that host alone. It says how
   each event, field and tool is read as one of Claude Code. It says where a text reaches the model, and what
   an answer looks like. Add the name to `NAMES` in `wire/hosts/__init__.py`, which explains every entry.
2. `hosts/NAME/__init__.py` names the settings file and the oldest version. A module beside it reads the
   transcripts. Add the host to `service/hosts.py`, and its folders to `hosts/agent_files.py`.
3. Real payloads are tested in `tests/wire/test_hosts.py`, transcripts in `tests/hosts/`, the real client in
   `tests/e2e/test_hosts.py`, the cost of its hooks in `scripts/perf/other_hosts.py`. Install and uninstall
   are tested for every host without more.
4. `make docs` writes this page and the table in the README.

A host that runs no commands gets a plugin: `hosts/NAME/plugin.js` hands each event to the hook program under
a name of the description, and gives the answer back. `hosts/plugin_bridge.js` starts the program, waits for
4 seconds at most and hides every failure. `install` writes both as one file. OpenCode is the example.

The hook is registered as `... NAME`, or as `... NAME EVENT` where a payload does not say its event. What
hooks do not tell, ingest reads from the transcript (`ingest/interruptions.py`). A hook never does.

The description of {title} is a short one:

```python
{example}```
"""


def table() -> str:
    """A row for each host: what is recorded, told, stopped and backfilled."""
    return _HEAD + "".join(map(_row, HOSTS))


def _row(host: Host) -> str:
    description = hosts.description(host.name)
    version = f" {client.dotted(host.oldest)} or newer" if host.oldest else ""
    old = "no" if isinstance(host.transcripts, NoTranscripts) else "yes"
    recorded = _words(_RECORDED, description["events"].values())
    told, stopped = _words(_TOLD, description["told"]), _words(_STOPPED, description["stopped"])
    return f"| {host.title}{version} | {recorded} | {told} | {stopped} | {old} |\n"


def _words(names: dict[str, str], events: Collection[str]) -> str:
    return ", ".join(word for event, word in names.items() if event in events)


def within(readme: str) -> str:
    """The README with the table of today."""
    before, _, rest = readme.partition(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}"


def page() -> str:
    """The page about agents."""
    title = hosts.description(EXAMPLE)["title"]
    example = Path(hosts.__file__).with_name(f"{EXAMPLE}.py").read_text("utf-8")
    return PAGE.format(table=table(), limits=_limits(), title=title, example=example)


def _limits() -> str:
    """What the person has to know about each host."""
    text = ""
    for host in HOSTS:
        limits = hosts.description(host.name)["limits"]
        points = [f"Before its hooks run: {host.approval}."] if host.approval else []
        lines = "".join(f"- {point}\n" for point in (*points, *limits))
        text += f"## {host.title}\n\n{lines}\n" if lines else ""
    return text
