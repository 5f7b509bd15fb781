"""How well a lesson fits a moment: the one function that hook, explain and backtest share.

Everything is counted in integer hundredths, so that every reader gets the same numbers. At a tool:

    base  = 40·tool + 40·target + 10·action + 10·context      each 1 match, 0 miss, ½ nothing declared
    final = base × 2, 1.5, 1 or ½ by priority, recalled from the threshold (70) on

where `target` is the file of a Write, Edit or NotebookEdit and the command of a Bash, and keywords count by
the share found. A lesson fires only if one of its patterns for this kind of target matches or one of its
action keywords is there. Where a pattern matches, keywords that are not there count as if none were declared
when it comes to the threshold, and the lesson gets the threshold at least.

At a prompt every word of a lesson counts by how telling it is: `telling` gives its hundredths, which publish
computes from how rare the word is (`learn.language.rarity`). A lesson fires from 70 on, and only if one word
is telling by itself (25 and more): common words never fire. A long prompt needs a second one (15 and more)
or a phrase. The same holds before a file is written for a lesson that names neither files nor commands, where
the words that it speaks against count as far as they are in the file's path.
"""

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    from learnloop.wire.globs import Spot

    Record: TypeAlias = dict[str, Any]
    """A lesson as the index holds it."""
    Parts: TypeAlias = tuple[int, int, int, int]
    """Hundredths for tool, target, action keywords and context."""


TOOL, TARGET, ACTION, CONTEXT = 40, 40, 10, 10
ENOUGH, LEAD, _SECOND = 70, 25, 15
"""What the words of a lesson have to come to, what one of them has to, and a second one in a long prompt."""
MULTIPLIERS = {"CRITICAL": 200, "HIGH": 150, "MEDIUM": 100, "LOW": 50}
THRESHOLD = 70
FILE_TOOLS = ("Write", "Edit", "NotebookEdit")
ASKED_TOOLS = (*FILE_TOOLS, "Bash")
_KEYWORD_TEXT = 20_480
_COMMAND = 16_384
_FIRST_WORDS, _LAST_WORDS, _BRIEF = 40, 25, 16
_STAKE = 1_024
_DONE = " commit message "
"""What follows tells what was done, not what is to be done."""
_GO_ON = (
    " a ahead all alright and approved are be both can continue course do done fine for go good great i "
    "it keep let lets me next now of ok okay on perfect please proceed right s sounds step sure thank thanks "
    "that the then this to way yeah yep yes you "
)
_GO_ON_WORDS = 8
COMMANDS = 256
_MOST_FORMS = 50_000
_ASCII = (
    f"{' ' * 48}0123456789{' ' * 7}abcdefghijklmnopqrstuvwxyz{' ' * 6}abcdefghijklmnopqrstuvwxyz{' ' * 5}"
)
LONG = "qzxjw"
"""Ends the words of a long prompt, in which one word says little; a word that no text contains."""
_SIBILANTS = ("s", "x", "z", "ch", "sh")


class Moment:
    """A moment made ready to be compared with many lessons."""

    def __init__(self, moment: "Record") -> None:
        self.is_prompt = moment.get("moment") == "prompt"
        self.tool: str = moment.get("tool") or ""
        self.agent: str = (moment.get("agent") or "main").lower()
        self.project: str = moment.get("project") or ""
        self.host: str = moment.get("host") or "claude"
        self.cwd: str = moment.get("cwd") or ""
        self.command: str = (moment.get("command") or "")[:_COMMAND]
        self.commands: list[str] = []
        self.file: Spot | None = None
        if moment.get("file") or self.command:
            from learnloop.wire import globs  # prompts have no use for it

            self.commands = globs.simple_commands(self.command)[:COMMANDS]
            if moment.get("file"):
                bases = [self.project, moment.get("start"), self.cwd]
                self.file = globs.spot(moment["file"], tuple([base for base in bases if base]))
        words = (moment.get("words") or "")[:_KEYWORD_TEXT]
        self.text = moment.get("text") or (request(words) if self.is_prompt else keyword_text(words))
        self.words = frozenset(self.text.split())

    def repo(self) -> str:
        """The name of the project that travels; its folder where it has none."""
        from learnloop.wire import origin  # only another checkout's lessons ask for it

        return origin.key(self.project)


def request(prompt: str) -> str:
    """The words of a prompt that say what it is about, as `keyword_text`: its beginning and its end.

    Quoted code, addresses, paths from the root, and what a commit message is to tell are left out.
    """
    own = " ".join(prompt.split("```")[::2]) if "```" in prompt else prompt
    if "/" in own:
        own = " ".join([word for word in own.split() if not _is_address(word)])
    before, done, _ = keyword_text(own).partition(_DONE)
    text = before + done
    words = text.split()
    if len(words) <= _BRIEF:
        return text
    if len(words) > _FIRST_WORDS + _LAST_WORDS:
        text = f" {' '.join(words[:_FIRST_WORDS])} {LONG} {' '.join(words[-_LAST_WORDS:])} "
    return f"{text}{LONG} "


def _is_address(word: str) -> bool:
    return "://" in word or (word.lstrip("(`'\"").startswith(("/", "~")) and word.count("/") > 1)


def goes_on(prompt: str) -> bool:
    """Whether a prompt only says to go on: the one before it tells what it is about."""
    if len(prompt) > 80:
        return False
    words = keyword_text(prompt).split()
    return len(words) <= _GO_ON_WORDS and all(f" {word} " in _GO_ON for word in words)


def score(lesson: "Record", moment: "Record | Moment", threshold: int = THRESHOLD) -> "dict[str, Any]":
    """Every part of a lesson's score at a moment, whether it fires, and why or why not.

    `moment` is a dict with `moment` (tool or prompt), `tool`, `file`, `command`, `words`, `project`, `cwd`
    and `agent`, or a `Moment` made of one where many lessons are compared.
    """
    seen = moment if isinstance(moment, Moment) else Moment(moment)
    multiplier = MULTIPLIERS[lesson["priority"]]
    parts, on_target, hit, miss = (_at_prompt if seen.is_prompt else _at_tool)(lesson, seen)
    final = finish(parts, on_target, multiplier, threshold)
    against = scope_miss(lesson, seen) or _verdict(lesson, seen, bool(hit), miss, final >= threshold)
    return {
        "tool": parts[0], "target": parts[1], "action": parts[2], "context": parts[3], "base": sum(parts),
        "multiplier": multiplier, "final": final, "threshold": threshold, "fires": not against,
        "why": against or hit,
    }  # fmt: skip


def _at_prompt(lesson: "Record", seen: Moment) -> "tuple[Parts, bool, str, str]":
    counted = telling(lesson, seen.text)
    action = min(sum([counted[word] for word in counted if word in lesson["action"]]), 100)
    context = min(sum(counted.values()), 100) - action
    shown = _shown(counted)
    is_enough = tells(counted) and (LONG not in seen.words or _has_second(counted))
    hit = f"telling words: {shown}" if is_enough else ""
    return (0, 0, action, context), False, hit, f"not telling enough: {shown}" if shown else ""


def _at_tool(lesson: "Record", seen: Moment) -> "tuple[Parts, bool, str, str]":
    patterns, on_target = target(lesson, seen)
    hit = "its pattern matches" if on_target else ""
    if counted := at_stake(lesson, seen.file):
        on_target, hit = True, f"its words are at stake: {_shown(counted)}"
    tools, declared, context = lesson["tools"], lesson["action"], lesson["context"]
    action = [word for word in found(declared, seen) if lesson["telling"].get(word, 0) >= LEAD]
    parts = (
        (TOOL if seen.tool in tools else 0) if tools else TOOL // 2,
        TARGET if on_target else 0 if patterns else TARGET // 2,
        share(ACTION, len(action), len(declared)),
        share(CONTEXT, len(found(context, seen)), len(context)),
    )
    return parts, on_target, hit or (f"action keyword: {', '.join(action)}" if action else ""), ""


def telling(lesson: "Record", text: str) -> "dict[str, int]":
    """The lesson's words in a text with what they count: each word of the text once, phrases first."""
    weights = lesson["telling"]
    counted: dict[str, int] = {}
    used: set[str] = set()
    there = _in_text(weights, frozenset(text.split()), text) if weights else []
    for keyword in sorted(there, key=lambda keyword: (-keyword.count(" "), -weights[keyword])):
        parts = {part for form in forms(keyword) for part in form.split()}
        if used.isdisjoint(parts):
            counted[keyword] = weights[keyword]
            used |= parts
    return counted


def at_stake(lesson: "Record", file: "Spot | None") -> "dict[str, int]":
    """The words that a lesson speaks against, as far as the path of the file at hand has enough of them."""
    spoken = lesson.get("stake")
    if not spoken or file is None:
        return {}
    counted = {word: weight for word, weight in telling(lesson, stake(file)).items() if word in spoken}
    return counted if counted and tells(counted) else {}


def stake(file: "Spot") -> str:
    """The words of a file's path below the project, as `keyword_text`."""
    relative, absolute = file
    return keyword_text("/".join(relative or absolute[-2:])[-_STAKE:])


def tells(counted: "dict[str, int]") -> bool:
    """Whether the words that were found are telling enough."""
    return sum(counted.values()) >= ENOUGH and max(counted.values()) >= LEAD


def _has_second(counted: "dict[str, int]") -> bool:
    """Whether more than one word says something, or a phrase that counts in full."""
    if len([weight for weight in counted.values() if weight >= _SECOND]) > 1:
        return True
    return any(weight >= 100 and len(forms(word)[0].split()) > 1 for word, weight in counted.items())


def _shown(counted: "dict[str, int]") -> str:
    return ", ".join([f"{word} {weight}" for word, weight in counted.items()])


def target(lesson: "Record", seen: Moment) -> "tuple[Sequence[str], bool]":
    """The lesson's patterns for this kind of target, and whether one of them matches."""
    from learnloop.wire import globs

    if seen.tool in FILE_TOOLS:
        patterns = lesson["files"]
        where = seen.file
        return patterns, where is not None and any(globs.covers(pattern, where) for pattern in patterns)
    patterns = lesson["commands"]
    return patterns, any(globs.runs(pattern, seen.commands, seen.command) for pattern in patterns)


def share(whole: int, count: int, declared: int) -> int:
    """The part of `whole` that `count` of the declared keywords earn, half of it where none are declared."""
    return (2 * whole * count + declared) // (2 * declared) if declared else whole // 2


def finish(parts: "Parts", on_target: bool, multiplier: int, threshold: int) -> int:
    """The final score of parts at a tool; it never falls when a part rises, which pruning relies on."""
    tool, aim, action, context = parts
    final = (tool + aim + action + context) * multiplier // 100
    if on_target and final < threshold:
        neutral = tool + aim + max(action, ACTION // 2) + max(context, CONTEXT // 2)
        if neutral * multiplier // 100 >= threshold:
            return threshold
    return final


def scope_miss(lesson: "Record", seen: Moment) -> str:
    """Why a lesson is not told here, or nothing where it is."""
    if miss := elsewhere(lesson, seen):
        return miss
    for host, project, agent, where in lesson.get("known", ()):  # where agents read it anyway
        if host in ("", seen.host) and project in ("", seen.project) and agent in ("", seen.agent):
            return f"{where} says so already"
    return ""


def elsewhere(lesson: "Record", seen: Moment) -> str:
    """Why a lesson does not hold here, or nothing where it does."""
    is_here = lesson["project"] in ("", seen.project)
    if not is_here and not (lesson.get("repo") and lesson["repo"] == seen.repo()):
        return "it belongs to another project"
    agents = lesson["agents"]
    if agents and not {seen.agent, "host:" + seen.host}.intersection([name.lower() for name in agents]):
        return "it is for other agents"
    if lesson["path"] and not _in_module(lesson, seen):
        return "it belongs to another part of the project"
    return ""


def _in_module(lesson: "Record", seen: Moment) -> bool:
    """Whether the file at hand, or else the working folder, is below the lesson's part of the project."""
    module = [segment for segment in lesson["path"].split("/") if segment not in ("", ".")]
    if seen.file is not None:
        relative = seen.file[0]
        return relative is not None and relative[: len(module)] == module
    below = f"{seen.project}/{'/'.join(module)}"
    return seen.cwd == below or seen.cwd.startswith(below + "/")


def _verdict(lesson: "Record", seen: Moment, hit: bool, miss: str, enough: bool) -> str:
    """Why a lesson that holds here does not fire, or nothing where it does."""
    if not seen.is_prompt and seen.tool not in ASKED_TOOLS:
        return "this tool is never asked"
    if not hit:
        if miss:
            return miss
        if "standing" in lesson:
            return "it is recalled at the start of a session"
        if seen.is_prompt or not (lesson["files"] or lesson["commands"]):
            return "none of its words is there" if lesson["telling"] else "it has no telling words"
        return "no pattern matches and no action keyword is there"
    if not enough:
        return "LOW is never recalled by itself" if lesson["priority"] == "LOW" else "below the threshold"
    return ""


def found(keywords: "Iterable[str]", seen: Moment) -> list[str]:
    """The keywords that stand as whole words in a moment's text, in singular or plural."""
    return _in_text(keywords, seen.words, seen.text)


def _in_text(keywords: "Iterable[str]", words: "frozenset[str]", text: str) -> list[str]:
    return [
        keyword
        for keyword in keywords
        if any(form in words or (" " in form and f" {form} " in text) for form in forms(keyword))
    ]


def forms(keyword: str) -> "tuple[str, ...]":
    """A keyword as it may stand in a `keyword_text`: as it is, and in the other number."""
    both = _forms.get(keyword)
    if both is None:
        plain = keyword_text(keyword).strip()
        if len(plain) < 3 or not "a" <= plain[-1] <= "z":
            both = (plain,) if plain else ()
        else:
            both = (plain, *_other_number(plain))
        if len(_forms) > _MOST_FORMS:
            _forms.clear()
        _forms[keyword] = both
    return both


_forms: "dict[str, tuple[str, ...]]" = {}


def _other_number(word: str) -> "tuple[str, ...]":
    if word.endswith("ies"):
        return word[:-3] + "y", word[:-1]
    if word.endswith("s") and not word.endswith("ss"):
        is_sibilant = word.endswith("es") and word[:-2].endswith(_SIBILANTS)
        return (word[:-2], word[:-1]) if is_sibilant else (word[:-1],)
    if word.endswith("y") and word[-2] not in "aeiou":
        return (word[:-1] + "ies",)
    return (word + "es",) if word.endswith(_SIBILANTS) else (word + "s",)


def keyword_text(text: str) -> str:
    """The words of a text in lower case, a space before and after each; `_`, `-` and `.` part words.

    Characters of scripts that put no spaces between words are words of their own, so that a keyword in such
    a script is found wherever its characters stand side by side.
    """
    if text.isascii():
        words = text.translate(_ASCII).split()
    else:
        text = text.lower()
        words = text.translate({ord(sign): _apart(sign) for sign in set(text) if sign != " "}).split()
    return f" {' '.join(words)} " if words else ""


def _apart(sign: str) -> str:
    if not sign.isalnum():
        return " "
    if sign < "\u0e00":
        return sign
    spaceless = (
        sign >= "\u2e80" or sign < "\u0f00" or "\u1000" <= sign < "\u10a0" or "\u1780" <= sign < "\u1800"
    )
    return f" {sign} " if spaceless else sign
