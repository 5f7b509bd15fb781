"""The one table of commands: key bindings, footer, palette, help screen and docs/keys.md are made from it.

Keys have names as Textual calls them, as people write them, and as the screen shows them.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

_ALIASES = {
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup",
    "pgdn": "pagedown", "pgdown": "pagedown", "spacebar": "space",
    "↑": "up", "↓": "down", "←": "left", "→": "right",
}  # fmt: skip
_RENAMED = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
"""Where Textual's name of a character is not the one in Unicode."""
_NAMED = frozenset((
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "escape", "enter",
    "tab", "space", "backspace",
    *(f"f{number}" for number in range(1, 25)),
))  # fmt: skip
_MODIFIERS = ("ctrl", "alt", "shift")
_SHOWN = {
    "space": "space", "slash": "/", "asterisk": "*", "question_mark": "?", "exclamation_mark": "!",
    "enter": "enter", "escape": "esc",
    "pagedown": "pgdn", "pageup": "pgup", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "plus": "+", "minus": "-", "equals_sign": "=",
    "shift+down": "shift+↓", "shift+up": "shift+↑",
}  # fmt: skip


def normal(key: str) -> str:
    """A key in Textual's words (`/` is `slash`, `Ctrl+E` is `ctrl+e`); empty where there is no such key."""
    if len(key) == 1:
        return _of_character(key)
    *modifiers, name = [part.strip() for part in key.lower().split("+")] if key != "+" else ["+"]
    name = _ALIASES.get(name, name)
    if len(name) == 1:
        name = _of_character(name)
    is_key = name in _NAMED or name in _characters() or (len(name) == 1 and name.isalnum())
    if not is_key or not set(modifiers) <= set(_MODIFIERS):
        return ""
    return "+".join([*(modifier for modifier in _MODIFIERS if modifier in modifiers), name])


def shown(key: str) -> str:
    """A key's name as a person reads it."""
    if key in _SHOWN or len(key) == 1:
        return _SHOWN.get(key, key)
    *modifiers, name = key.split("+")
    return "+".join([*modifiers, _SHOWN.get(name, _characters().get(name, name))])


def _of_character(character: str) -> str:
    if character in _ALIASES:
        return _ALIASES[character]
    if character.isalnum():
        return character
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name) if character.isprintable() else ""


@cache
def _characters() -> dict[str, str]:
    """The characters of a plain keyboard by the names of their keys."""
    return {_of_character(chr(code)): chr(code) for code in range(33, 127)}


PLACES = {
    "anywhere": "Anywhere", "welcome": "First run", "list": "In a list", "triage": "1 Inbox",
    "lessons": "2 Lessons", "experiments": "2 Lessons: testing", "preferences": "2 Lessons: yours",
    "sessions": "3 Sessions", "memory": "3 Sessions: work and days", "agents": "4 Agents",
    "patches": "5 Files", "health": "6 Health",
}  # fmt: skip
"""Where commands apply, in the order of the help screen. A pane also has the commands of a list it shows."""
PANES = tuple(place for place in PLACES if place not in ("anywhere", "list"))
_VIEWS = (
    (("lessons", "all"), ("lessons", "worked"), ("lessons", "ignored"), ("lessons", "in files"),
     ("experiments", "testing"), ("preferences", "yours"), ("lessons", "retired")),
    (("sessions", "live"), ("memory", "work"), ("memory", "memories"), ("memory", "days")),
)  # fmt: skip
"""The views of panes that have several, in the order of their key: the place that shows each, its name."""


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


def views(place: str) -> tuple[tuple[str, str], ...]:
    """The views of the pane that a place belongs to; its number opens the place of the first."""
    return next((views for views in _VIEWS if place in dict(views)), ((place, ""),))


_BOTH = ("triage", "lessons")
_DECIDED = (*_BOTH, "preferences", "patches")
_LISTS = (*_DECIDED, "experiments", "sessions", "memory", "agents")
_in_palette = partial(Command, footer=False)
_in_help = partial(Command, footer=False, palette=False)

COMMANDS = (
    Command("promote", ("p",), "keep",
            "Keep it: a draft to tell agents, a belief, a memory, a variant; of a day open its first draft.",
            (*_BOTH, "preferences", "experiments", "memory")),
    Command("reject", ("r",), "drop", "Drop a draft, believe it no more, dismiss a patch.", _DECIDED),
    Command("archive", ("x",), "take out",
            "Take it out of use: archive a lesson, revert a patch, stop an experiment, hide a memory.",
            (*_BOTH, "patches", "experiments", "memory")),
    Command("apply", ("a",), "apply",
            "Put the block into its files, each by itself; of a lesson, show that first; in Health, repair.",
            (*_BOTH, "patches", "health")),
    Command("merge", ("m",), "merge", "Let one lesson replace the marked ones, or a near-duplicate.", _BOTH),
    _in_palette("compare", ("c",), "compare",
                "Compare with a lesson that contradicts it, and replace one.", _BOTH),
    _in_palette("gate", ("t",), "stop",
                "Ask how the check of a lesson binds; without one, block its first matching call, or not.",
                _BOTH),
    _in_palette("helpful", ("plus", "equals_sign"), "helpful",
                "Its last recall was helpful.", ("lessons", "sessions")),
    _in_palette("harmful", ("minus",), "harmful", "Its last recall did harm.", ("lessons", "sessions")),
    _in_palette("hold_out", ("h",), "hold out",
                "Tell a lesson to most sessions only, to see what it changes.", ("lessons",)),
    _in_palette("share", ("S",), "share",
                "Write it into its repository, for whoever works there; you see it first.", ("lessons",)),
    Command("new", ("N",), "new",
            "Make a draft of the prompt, or the CLAUDE.md that a project does not have yet.",
            ("sessions", "patches")),
    Command("pause", ("P",), "pause",
            "Pause a lesson or an experiment, or go on; let agents be told earlier tasks, or no more.",
            ("lessons", "sessions", "experiments", "memory")),
    Command("restore", ("R",), "restore", "Bring back what was dropped or taken out.",
            ("lessons", "patches")),
    Command("edit", ("e",), "edit", "Change its words; of a lesson kind and triggers too.", _DECIDED),
    Command("scope", ("s",), "where",
            "Where it holds: in this project or everywhere; for a patch, in which more files.",
            (*_BOTH, "patches")),
    Command("details", ("d",), "details",
            "Show or fold details: the preview over the whole width, what is technical.",
            ("patches", "health")),
    Command("mark", ("space",), "mark",
            "Mark or unmark; verdicts then act on all marks.", (*_BOTH, "patches")),
    _in_palette("mark_all", ("asterisk",), "mark all",
                "Mark all that the list shows, or none.", (*_BOTH, "patches")),
    Command("filter", ("slash",), "filter",
            "Show only what fits the line you type; `?` in it explains.", _LISTS),
    Command("view", ("f", "right"), "view",
            "Show the next view; in the Inbox what is folded, of an agent the next figure.", _LISTS),
    _in_palette("view_back", ("F", "left"), "view before", "Show the view before.", _LISTS),
    Command("open", ("enter",), "open",
            "Open it: read on in its page or story, fold a group, show the prompts behind figures.",
            (*_LISTS, "health", "welcome")),
    Command("sort", ("o",), "sort",
            "Sort by the next column; a click on its head does too.", (*_BOTH, "agents")),
    _in_palette("flip", ("O",), "other way round", "Sort the other way round.", (*_BOTH, "agents")),
    Command("group", ("v",), "groups",
            "Group in the next way; agents by project and host. Enter folds a group.",
            (*_BOTH, "memory", "agents")),
    Command("transcript", ("T",), "transcript", "Open the transcript at this entry.", ("sessions",)),
    _in_palette("install", ("i",), "install hooks",
                "Let your coding agent report to Learnloop.", ("welcome", "triage", "health")),
    _in_palette("backfill", ("b",), "backfill",
                "Learn from sessions you already had.", ("welcome", "triage", "health")),
    _in_palette("demo", ("D",), "demo",
                "Look around in made-up data; nothing of yours is touched.", ("welcome",)),
    Command("refresh", ("ctrl+r",), "check again", "Read everything again.", ("health",)),
    _in_palette("report", ("W",), "report", "Open the report page in your browser.",
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
    _in_palette("triage", ("1",), "Inbox", "Drafts that wait for your yes or no.", ("anywhere",)),
    _in_palette("lessons", ("2",), "Lessons",
                "Lessons; f: worked, ignored, in files, testing (experiments), yours (preferences), retired.",
                ("anywhere",)),
    _in_palette("sessions", ("3",), "Sessions",
                "Every session, live; f: work (tasks), memories of it, days.", ("anywhere",)),
    _in_palette("agents", ("4",), "Agents", "How each agent's work went over.", ("anywhere",)),
    _in_palette("patches", ("5",), "Files",
                "Patches: blocks in agents' prompt files, proposed, applied, reverted.", ("anywhere",)),
    _in_palette("health", ("6",), "Health",
                "Whether it works, and what to do where it does not.", ("anywhere",)),
    _in_help("moved", ("7", "8", "9"), "moved", "Say where the panes of these numbers are now.",
             ("anywhere",)),
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
_SHOWING = "filter view view_back open sort flip group details escape messages moved theme help quit"
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
