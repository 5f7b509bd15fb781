"""What the reducer remembers of running sessions: the shape of a session's view and of its turn.

Plain JSON, because views are stored beside the documents; the names are part of the store's format. Names
with a leading underscore belong to the reducer and are left out of the stored turn.
"""

from typing import Any, NotRequired, TypedDict

Doc = dict[str, Any]


class TaskContext(TypedDict, total=False):
    """What a machine's turn inherits from the human turn that started it."""

    turn: str
    """Id of that turn, where a background task remembers it."""
    task: str
    files: list[str]
    commands: list[str]
    failures: list[str]
    """`tool: error`, one per failed call."""
    writers: dict[str, str]
    """Agent name by agent id, of those that changed files; main has the id ""."""
    open: int
    """Open entries of the agent's own list."""


class RunningTurn(TypedDict):
    """A turn while it runs: the stored document, and what only the reducer needs."""

    id: str
    session_id: str
    host: str
    project: str
    started: str
    ended: NotRequired[str]
    origin: str
    """human or machine."""
    prompt: str
    prompt_id: str
    steering: list[str]
    agents: list[str]
    starts: dict[str, int]
    """How often each subagent was started, by name."""
    files: list[str]
    commands: list[str]
    failures: list[Doc]
    """[{tool, error, target}]"""
    refusals: list[Doc]
    """[{tool, target, words}]"""
    recalled: list[str]
    tools: dict[str, int]
    claim: str
    agent_used: str
    background: int
    """Background tasks that had not ended when the turn did."""
    end: str
    outcome: str
    feedback_id: NotRequired[str | None]
    inferred: NotRequired[bool]
    judged_by: NotRequired[str]

    _writers: dict[str, str]
    _failed: list[str]
    """Ids of failed calls; their second report is dropped."""
    _last: str
    """Time of the last event."""
    _shares: list[list[Any]]
    """What the turn was last counted as (`ingest.agents`)."""
    _led: NotRequired[TaskContext]
    """What a machine's turn inherits."""
    _open: NotRequired[int]
    _refused: NotRequired[bool]
    _no_task: NotRequired[bool]
    """The prompt was praise."""
    _inferred: NotRequired[list[str]]
    """[feedback id] of an outcome that was inferred."""
    _rank: NotRequired[int]
    """Precedence of the remark that decided the turn; lower wins."""
    _heard: NotRequired[list[str]]
    """Ids of all lessons that the session has been shown so far."""
    _judged: NotRequired[bool]
    _written: NotRequired[dict[str, str]]
    """The beginning of what was written, by file."""
    _trace: NotRequired[Doc]
    """What the turn adds to a task (`ingest.task_traces`)."""
    _moments: NotRequired[Doc]
    """Its moments of experiments: {arms [[experiment, lesson, variant]]}."""
    _open_moments: NotRequired[list[list[Any]]]
    """Those of earlier turns that a remark may still be about: [turn, lessons]."""
    _tried: NotRequired[list[list[Any]]]
    """Those of earlier turns whose task this turn goes on with: [turn, how many turns by now]."""


class SessionView(TypedDict):
    """A session as the reducer sees it."""

    id: str
    last_seen: str
    session: Doc
    """The session's document."""
    turn: RunningTurn | None
    prompts: int
    keys: dict[str, int]
    """Time in ms by natural key."""
    told: list[str]
    """Ids of lessons that were recalled before a turn began."""
    met: NotRequired[list[list[str]]]
    """Moments of experiments before a turn began: [experiment, lesson, variant]."""
    held: NotRequired[list[str]]
    """Ids of all lessons that were held back from the session so far."""
    read: bool
    """Whether the view comes from a transcript."""
    heard: NotRequired[list[str]]
    """Ids of all lessons that the session has been shown so far."""
    shown_to: NotRequired[dict[str, list[str]]]
    """Those that each agent has been shown, by agent id; main has the id ""."""
    stopped: NotRequired[list[list[Any]]]
    """The last calls that were denied: [lesson ids, file, command]."""
    writing: NotRequired[dict[str, str]]
    """The beginnings of what running calls write, by the id of the call."""
    asked: NotRequired[int]
    """Time of the last prompt, ms."""
    left: NotRequired[list[RunningTurn]]
    """The last turns that were left without an end."""
    waiting: NotRequired[dict[str, TaskContext]]
    """What background tasks were started for, by task id."""
    tasks: NotRequired[dict[str, Any]]
    """Status by entry of the agent's own list."""
    asking: NotRequired[Doc]
    """The call that the person is asked about, with its `prompt_id`."""
    subagents: NotRequired[list[str]]
