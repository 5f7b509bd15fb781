"""The one table of commands: key bindings, footer, palette, help screen and docs/keys.md are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from learnloop.keymap.key_names import shown

PLACES = {
    "anywhere": "Anywhere", "welcome": "First run", "list": "In a list", "triage": "1 Triage",
    "lessons": "2 Lessons", "agents": "3 Agents", "preferences": "4 Preferences", "patches": "5 Patches",
    "sessions": "6 Sessions", "health": "7 Health", "memory": "8 Memory", "experiments": "9 Experiments",
}  # fmt: skip
"""Where commands apply, in the order of the help screen. A pane also has the commands of a list it shows."""
PANES = tuple(place for place in PLACES if place not in ("anywhere", "list"))


@dataclass(frozen=True)
class Command:
    """One thing that a person can do."""

    id: str
    keys: tuple[str, ...]
    """In Textual's names; the first is the one shown."""
    title: str
    """What the footer and the palette call it."""
    help: str
    """One sentence."""
    places: tuple[str, ...]
    footer: bool = True
    """Whether the footer shows it."""
    palette: bool = True
    """Whether it makes sense to pick it from the palette."""

    @property
    def now(self) -> tuple[str, ...]:
        """The keys in force: the person's own, else the table's."""
        return _own.get(self.id, self.keys)

    @property
    def key(self) -> str:
        """The shown key, as a person reads it."""
        return shown(self.now[0])


_BOTH = ("triage", "lessons")
_in_palette = partial(Command, footer=False)
_in_help = partial(Command, footer=False, palette=False)

COMMANDS = (
    Command("promote", ("p",), "promote",
            "Make a draft an active lesson, once it has words; keep what is proposed for archiving.", _BOTH),
    Command("reject", ("r",), "reject",
            "Reject a draft, with a reason; archive what is proposed for that.", _BOTH),
    Command("archive", ("x",), "archive", "Take an active lesson out of use.", _BOTH),
    Command("merge", ("m",), "merge", "Let one lesson replace the marked ones, or a near-duplicate.", _BOTH),
    _in_palette("compare", ("c",), "compare",
                "Compare with a lesson that contradicts it, and replace one.", _BOTH),
    _in_palette("gate", ("t",), "gate",
                "Stop the calls that break a lesson, else block its first matching call; or do neither.",
                _BOTH),
    _in_palette("helpful", ("plus", "equals_sign"), "helpful",
                "Its last recall was helpful.", ("lessons", "sessions")),
    _in_palette("harmful", ("minus",), "harmful", "Its last recall did harm.", ("lessons", "sessions")),
    _in_palette("hold_out", ("h",), "hold out",
                "Tell a lesson to most sessions only, to see what it changes.", ("lessons",)),
    Command("experiment_new", ("n",), "new", "Start an experiment on a lesson.", ("experiments",)),
    Command("experiment_promote", ("p",), "promote",
            "Let one variant hold for all sessions from now on.", ("experiments",)),
    Command("experiment_pause", ("P",), "pause",
            "Tell its lessons to all sessions for now, or go on.", ("experiments",)),
    Command("experiment_stop", ("x",), "stop", "End an experiment without a winner.", ("experiments",)),
    Command("memory_kind", ("f", "right"), "what", "Show memories, days, or tasks again.", ("memory",)),
    _in_palette("memory_kind_back", ("F", "left"), "what before", "The one shown before.", ("memory",)),
    Command("memory_group", ("v",), "groups", "Group by outcome, kind, project or not at all.", ("memory",)),
    Command("memory_hide", ("x",), "hide", "Tell agents no more of a memory and its tasks, or again.",
            ("memory",)),
    Command("memory_pin", ("p",), "pin", "Keep a memory when its events go, or let it go.", ("memory",)),
    Command("memory_why", ("e",), "why", "Show whether it would be told now, with every part of the score.",
            ("memory",)),
    Command("priming", ("P",), "priming", "Let agents be told earlier tasks of this project, or no more.",
            ("memory",)),
    Command("restore", ("R",), "restore", "Bring back an archived or rejected lesson.", ("lessons",)),
    Command("apply", ("a",), "apply",
            "Put the block into its files; each file succeeds or is reported by itself.", ("patches",)),
    Command("revert", ("v",), "revert",
            "Take exactly our block out again; one edited by hand is yours to decide.", ("patches",)),
    Command("edit_block", ("e",), "edit", "Change the wording of a block, or where it goes.", ("patches",)),
    Command("dismiss", ("r",), "dismiss", "Turn a proposal down; it stays dismissed.", ("patches",)),
    _in_palette("bring_back", ("R",), "bring back", "Bring a dismissed proposal back.", ("patches",)),
    Command("diff", ("d",), "diff",
            "Show the preview over the whole width, or beside the list again.", ("patches",)),
    Command("tick", ("t",), "files", "Tick more files, a repository's agent files among them.", ("patches",)),
    _in_palette("create", ("c",), "create file",
                "Create the CLAUDE.md that the project of a patch does not have yet.", ("patches",)),
    Command("confirm", ("p",), "confirm",
            "Confirm what is believed, so that it is recalled when agents start; choose between two sides.",
            ("preferences",)),
    Command("drop", ("r",), "drop", "Believe it no more: it is never recalled.", ("preferences",)),
    Command("reword", ("e",), "edit", "Confirm it with other words.", ("preferences",)),
    Command("pause", ("P",), "pause",
            "Stop recalling an active lesson for now, or recall it again.", ("lessons", "sessions")),
    Command("edit", ("e",), "edit", "Change statement, title, kind, priority and triggers.", _BOTH),
    Command("scope", ("s",), "scope", "Switch between this project and everywhere.", _BOTH),
    Command("mark", ("space",), "mark",
            "Mark or unmark; verdicts then act on all marks.", (*_BOTH, "patches")),
    _in_palette("mark_all", ("asterisk",), "mark all",
                "Mark all that the list shows, or none.", (*_BOTH, "patches")),
    Command("filter", ("slash",), "filter",
            "Show only what fits the line you type; `?` in it explains.",
            (*_BOTH, "agents", "preferences", "patches", "sessions", "memory", "experiments")),
    Command("status", ("f", "right"), "state", "Show the next state.", ("lessons", "patches")),
    _in_palette("status_back", ("F", "left"), "state before",
                "Show the state before.", ("lessons", "patches")),
    _in_palette("mute_rule", ("M",), "mute rule",
                "Fold away all that the rule of this draft has drafted and will draft.", ("triage",)),
    _in_palette("weaker", ("w",), "folded", "Unfold or fold the drafts under the queue.", ("triage",)),
    Command("open", ("enter",), "more", "Show all about the lesson, and read on there.", _BOTH),
    Command("read", ("enter",), "read",
            "Read on in the page beside the list.", ("preferences", "patches", "memory", "experiments")),
    Command("behind", ("enter",), "prompts behind",
            "Show the prompts behind the agent's figures, with your remarks.", ("agents",)),
    Command("figure", ("f", "right"), "figure", "The prompts behind the next figure.", ("agents",)),
    _in_palette("figure_back", ("F", "left"), "figure before",
                "The prompts behind the figure before.", ("agents",)),
    Command("sort", ("o",), "sort",
            "Sort by the next column; a click on its head does too.", (*_BOTH, "agents")),
    _in_palette("flip", ("O",), "other way round", "Sort the other way round.", (*_BOTH, "agents")),
    Command("group", ("v",), "groups",
            "Group by project, category, agent, origin or prompt; enter folds a group.", _BOTH),
    Command("split", ("s",), "split", "A row for each project and host, or one for each agent.", ("agents",)),
    Command("enter_story", ("enter",), "story",
            "Into the story of the session; there, the whole entry.", ("sessions",)),
    Command("narrow", ("f", "right"), "narrow",
            "Show only prompts, tools, trouble, recalls or feedback.", ("sessions",)),
    _in_palette("narrow_back", ("F", "left"), "narrow back", "The kind of entries before.", ("sessions",)),
    Command("pick", ("d",), "make draft",
            "Make a draft of the prompt, with the turn before it as evidence.", ("sessions",)),
    Command("transcript", ("t",), "transcript", "Open the transcript at this entry.", ("sessions",)),
    _in_palette("install", ("i",), "install hooks",
                "Let your coding agent report to Learnloop.", ("welcome", "triage", "health")),
    _in_palette("backfill", ("b",), "backfill",
                "Learn from sessions you already had.", ("welcome", "triage", "health")),
    _in_palette("demo", ("d",), "demo",
                "Look around in made-up data; nothing of yours is touched.", ("welcome",)),
    _in_help("choose", ("enter",), "choose", "Do what the menu points at.", ("welcome",)),
    Command("skip", ("s",), "skip", "Go to the empty triage list.", ("welcome",)),
    Command("technical", ("d", "enter"), "details", "Show or fold the technical details.", ("health",)),
    Command("fix", ("F",), "fix", "Repair what can be repaired without losing anything.", ("health",)),
    Command("refresh", ("ctrl+r",), "check again", "Read everything again.", ("health",)),
    _in_palette("report", ("o",), "report", "Open the report page in your browser.",
                ("preferences", "patches", "sessions", "health")),
    _in_help("down", ("j", "down"), "down", "Next row.", ("list", "welcome")),
    _in_help("up", ("k", "up"), "up", "Row before.", ("list", "welcome")),
    _in_help("page_down", ("pagedown", "ctrl+d"), "page down", "Next page.", ("list",)),
    _in_help("page_up", ("pageup", "ctrl+u"), "page up", "Page before.", ("list",)),
    _in_help("top", ("g", "home"), "first", "First row.", ("list",)),
    _in_help("bottom", ("G", "end"), "last", "Last row.", ("list",)),
    _in_help("read_down", ("J", "shift+down"), "details down", "Scroll the details.", ("list",)),
    _in_help("read_up", ("K", "shift+up"), "details up", "Scroll the details back.", ("list",)),
    Command("undo", ("z",), "undo",
            "Undo the last decision, even one from before a restart.", ("anywhere",)),
    _in_palette("undo_elsewhere", ("U",), "undo what was approved elsewhere",
                "List what no terminal of yours approved since your last visit, and take it back.",
                ("anywhere",)),
    _in_palette("redo", ("Z",), "redo", "Redo the last undone decision.", ("anywhere",)),
    _in_palette("triage", ("1",), "Triage", "Drafts that wait for your verdict.", ("anywhere",)),
    _in_palette("lessons", ("2",), "Lessons", "All lessons, in every state.", ("anywhere",)),
    _in_palette("agents", ("3",), "Agents", "How each agent's work went over.", ("anywhere",)),
    _in_palette("preferences", ("4",), "Preferences",
                "What is believed of you, your projects and agents.", ("anywhere",)),
    _in_palette("patches", ("5",), "Patches",
                "Blocks in agents' prompt files: proposed, applied, reverted.", ("anywhere",)),
    _in_palette("sessions", ("6",), "Sessions", "Every session as it is now, with its story.", ("anywhere",)),
    _in_palette("health", ("7",), "Health",
                "Whether it works, and what to do where it does not.", ("anywhere",)),
    _in_palette("memory", ("8",), "Memory", "Tasks, what they taught, and the logs of days.", ("anywhere",)),
    _in_palette("experiments", ("9",), "Experiments",
                "What lessons change, measured: told against held out.", ("anywhere",)),
    _in_palette("copy", ("y",), "copy",
                "Copy what the row or entry says, of marks all; of a patch the block.", ("anywhere",)),
    _in_palette("copy_name", ("Y",), "copy id",
                "Copy the row's id, an agent's name, the paths of a patch.", ("anywhere",)),
    _in_palette("messages", ("exclamation_mark",), "messages",
                "Read again what was said lately.", ("anywhere",)),
    _in_help("escape", ("escape",), "back", "Leave what is open: details, marks, filter.", ("anywhere",)),
    _in_palette("theme", ("ctrl+t",), "theme",
                "The next theme: dark, light, high contrast, the terminal's own colours.", ("anywhere",)),
    _in_help("palette", ("ctrl+p",), "palette",
             "Find any command, lesson or session by a few letters.", ("anywhere",)),
    Command("help", ("question_mark",), "help", "All keys.", ("anywhere",)),
    _in_palette("suspend", ("ctrl+z",), "put aside",
                "Back to the shell; fg brings the console back.", ("anywhere",)),
    Command("quit", ("q", "ctrl+q"), "quit", "Leave the console.", ("anywhere",)),
)  # fmt: skip

BY_ID = {command.id: command for command in COMMANDS}
_SHOWING = """
filter status status_back memory_kind memory_kind_back memory_group open read behind figure figure_back sort
flip group split enter_story narrow narrow_back diff weaker technical skip escape messages theme help quit
"""
MAY_WAIT = frozenset((*PANES, *_SHOWING.split(), *(each.id for each in COMMANDS if "list" in each.places)))
"""Commands that only move and show: their keys may be typed before there is anything to see."""

_own: dict[str, tuple[str, ...]] = {}
"""The person's keys by command; a process shows one console."""


def use(keys: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """From now on these commands have these keys; what Textual has to know of it, by binding."""
    _own.clear()
    for command_id, own in keys.items():
        _own[command_id] = own
    return {
        f"{place}.{command.id}": ",".join(command.now)
        for command in COMMANDS
        if command.id in _own
        for place in command.places
    }


def of(place: str) -> tuple[Command, ...]:
    """The commands of one place, in the table's order."""
    return tuple(command for command in COMMANDS if place in command.places)


def answered_in(pane: str) -> tuple[Command, ...]:
    """The commands whose keys work while that pane is open, in the table's order."""
    places = {pane, "anywhere"} | ({"list"} if pane != "welcome" else set())
    return tuple(command for command in COMMANDS if places & set(command.places))


def footer(pane: str) -> tuple[Command, ...]:
    """What the footer shows while a pane is up: its own commands, then those that apply anywhere."""
    menu = [command for command in of(pane) if pane == "welcome" and command.palette]
    return tuple(command for command in (*of(pane), *of("anywhere")) if command.footer or command in menu)


def palette(pane: str) -> tuple[Command, ...]:
    """What the palette offers while a pane is up."""
    return tuple(command for command in (*of(pane), *of("anywhere")) if command.palette)


def keys_page() -> str:
    """docs/keys.md: every key of the console."""
    lines = ["# Keys of the console", ""]
    for place, heading in PLACES.items():
        lines += [f"## {heading}", "", "| key | command | what it does |", "|---|---|---|"]
        for command in of(place):
            keys = " ".join(f"`{shown(key)}`" for key in command.keys)
            lines.append(f"| {keys} | {command.title} | {command.help} |")
        lines.append("")
    return "\n".join([*lines, "What `/` understands: [filter.md](filter.md).", ""])
