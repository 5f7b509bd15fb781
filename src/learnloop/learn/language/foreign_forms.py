"""The forms of text that people copy into prompts: rows of a reason and a test, and lines nobody types. Pure."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from learnloop.learn.language import foreign_blocks

Test = Callable[[Sequence[str]], int | None]
"""The number of the line where a text of this form begins; None where there is none."""

_COPIED = re.compile(
    r"""\s*(?:
      \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d                         # a time stamp
    | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d+\s\d\d:\d\d:\d\d\s
    | \#\#\[ | \#!/ | make(?:\[\d+\])?:\s | (?:In|Out)\s?\[\d+\]: | WEBVTT$ | BEGIN:V\w+$
    | [$%❯➜]\s+\S | PS\s[A-Z]:\\ | ;\s\w | \\(?:section|begin|end|documentclass|usepackage)\{ | [\w.-]+@[\w.-]+:\S*[$\#]\s
    | (?:npm|yarn|pnpm|cargo)\s(?:ERR!|WARN|error|warning)\s | [\w./-]+:\d+(?::\d+)?:\s | [\w./-]+\.\w+:\d+\s\w+:\s
    | (?:error|warning|fatal|hint|remote|lint)(?:\[\w+\])?:\s
    | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[\s:\[]
    | Traceback\s\(most | File\s".*",\sline\s\d | at\s\S+\s?\( | E\s{3,}\w
    | [\w.]*(?:Error|Exception|Warning):\s | [\w.]+(?:Error|Exception)$ | Uncaught\s
    | =+\s(?:FAILURES|ERRORS|short|test|\d+\s(?:failed|passed)) | _{3,}\s\w+\s_{3,}$
    | (?:[+-]{3}|diff\s--git|index\s[0-9a-f]{7})\s | @@\s | commit\s[0-9a-f]{7,40}$
    | //(?!\S*\s*$) | /\* | \*/ | \*\s@?\w+.*\*?$(?<=\*/) | \#\s?(?:TODO|NOTE|FIXME|XXX|HACK)\b | --\s\w+.*$(?<![-])(?=\Z)
    | <!--|<!DOCTYPE | <\?xml | </?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>\s*$
    | (?:def|class)\s\w+.*:$ | (?:async\s)?function\s\w*\( | (?:export|public|private|static)\s+(?:default|function|class|const|void|async)\b
    | (?:const|let|var)\s\w+\s= | import\s[\w{*].*\sfrom\s | from\s[\w.]+\simport\s | \#include\b | FROM\s\S+:\S+$
    | (?:SELECT|UPDATE|INSERT\sINTO|DELETE\sFROM|CREATE\sTABLE)\s.*(?:;|\b(?:FROM|SET|VALUES)\b)
    | (?:package\s\w+|import\s\w[\w.]*|\w*\s?=\s?\[)$ | .{3,}\s\{\s*$ | \}.{0,3}$ | \[[\w.-]+\]\s*$ | fn?unc?\s\w+\(
    | <(\w+)[^<>]*>.*</(\w+)>\s*$ | thread\s'.*'\spanicked | (?:note|help|Caused\sby):\s | [-+]{3,}[-+|]*\s*$ | \(\d+\srows?\)
    | (?:PASS|FAIL)\s\S+ | (?:Build|Test|Job|Run|Deploy\w*)\sfailed:\s | Exit\scode\s\d | \{".*\}\s*$ | \w+(?:,\w+)+$ | ●\s | \[[ xX]\]\s | .*\sby\s@\S+\sin\s\#\d+
    | \w[\w\s*]*\(.*\)\s*(?:\{|;)\s*$ | [{\[]\s*$ | "{3}\w? | '{3}\w? | ["']\w+["']\s*:\s
    | \w+(?:,\w+){2,}$ | \d+(?:,(?:"[^"]*"|[^",\s]+)){2,}$
    )""",
    re.X,
)
_QUOTED = re.compile(r"\s*(?:>|[\"“].{20,}[\"”]\s*$)")
_BESIDE_CODE = re.compile(r"\s*(?:\#|//|/?\*)\s|\s{2,}\S")


def is_quoted(line: str) -> bool:
    """Whether a line is marked as quoted: what follows it may be an answer to it."""
    return _QUOTED.match(line) is not None


def is_beside_code(line: str) -> bool:
    """Whether a line among code belongs to it: a comment, or what is indented."""
    return _BESIDE_CODE.match(line) is not None


def is_copied(line: str) -> bool:
    """Whether nobody types such a line: a log, code, a trace, a command with its prompt."""
    return _COPIED.match(line) is not None


_ADDRESS = re.compile(r"\b(?:I|I'm|i|im|my|please|pls|let's|lets|can you|could you|make sure)\b|\?\s*$", re.M)


def addresses_the_agent(text: str) -> bool:
    """Whether a text speaks to somebody: what a person writes to an agent does, nearly always."""
    return len(_ADDRESS.findall(text)) > len(text) / 600


def _first(pattern: re.Pattern[str], least: int, lines: Sequence[str]) -> int | None:
    """The first line of a form, if at least so many lines have it."""
    hits = [at for at, line in enumerate(lines) if pattern.match(line)]
    return hits[0] if len(hits) >= least else None


def _form(text: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(text, re.X | flags)


_MAIL = _form(r"""\s*>?\s*(?:From|To|Cc|Sent|Date|Subject|Reply-To|Von|An|Gesendet|Datum|Betreff|De|À|A|Envoyé|Objet|Para|Asunto
    |Enviado|Da|Oggetto|Inviato|Aan|Onderwerp|Od|Do|Temat|Кому|От|Тема|差出人|宛先|件名|发件人|收件人|主题)\s?[:：]\s*\S""")
_SIGNED = _form(r"""\s*(?:Sent\sfrom\smy\s\w+ | Von\smeinem\s\w+\sgesendet | --\s*$ | (?:Best|Kind|Warm)\sregards\b | Best(?:\swishes)?,?$
    | Sincerely,?$ | Yours\s\w+,?$ | Mit\sfreundlichen\sGrüßen | Viele\sGrüße | Cordialement | Saludos,?$ | [—–]\s?[A-Z]\w+$ | .*\b(?:Sincerely|Best\sregards|Kind\sregards)\b,)""")
_TAKEN_FROM = _form(
    r"""\s*(?:(?:posted|comment(?:ed)?|written|sent|shared|asked|answered)\sby\b | (?:copied|translated|excerpt|quot(?:e|ed|ing)|pasted|taken)\sfrom\b
    | (?:from|in)\sthe\s(?:docs|documentation|manual|readme|wiki|article|guide|book|slack|mail|ticket)\b.{0,30}:\s*$ | source:\s | reviewer\s\d
    | according\sto\s\w+.{0,40}:\s*$ | \S+\s(?:requested\schanges|commented|left\sa\scomment|replied|shared\sa)\b)""",
    re.I,
)
_GREETED = _form(
    r"\s*(?:Hi|Hello|Dear|Hey|Hallo|Bonjour|Hola|Ciao|Guten\sTag|Liebe[rs]?|Sehr\sgeehrte[rs]?)\s(?!Claude|there)(?:[A-Z]\w+|team|all|everyone|folks|guys|customer|colleagues|zusammen|tous|todos)\b(?:.{0,40},\s*$|[,!]\s)"
)
_SPOKEN = _form(r"\s*(?:\*\*)?(?:[A-Z]?[a-z]{2,14}|\[\w{2,14}\])(?:\*\*)?:?(?<=[:\]])\s\S")
_TITLE = _form(r"[A-Z][\w'’-]*(?:\s[\w'’.-]+){0,5}(?<![.:?!,])\s*$")
_LISTED = _form(r"\s*(?:\d+[.)]|[-*•])\s")
_CAPITALS = _form(r"[A-Z][A-Z\s]{5,60}$")
_CHAPTER = _form(
    r"\s*(?:(?:Abstract|Notice|NOTICE|Disclaimer|Preface|Synopsis)[.:]\s|(?:Chapter|Section|Part|Appendix|Article|Step|(?:Rule|Regel)\s?\#?)\s?[\dIVX]+|Lessons\slearned|Release\snotes|FAQ|Runbook|Post-?mortem|Changelog|§\s?\d|Terms\sof\s\w+|Privacy\sPolicy|What's\sChanged|Instructions\sfor\sthe\s\w+)\b.{0,60}$|\s*(?:Abstract|Notice|NOTICE|Disclaimer|Preface)[.:]\s"
)
_CHAT = _form(r"""\s*(?:[A-Z@]?[\w.]+(?:\s[A-Z][\w.]+)?(?:\s\([\w/]{2,12}\))?\s*[—–-]?\s*(?:Today\sat\s|Yesterday\sat\s)?\d{1,2}:\d\d(?:\s?[AP]M)?\s*$
    | \[?\d{1,2}[./-]\d{1,2}[./-]\d{2,4},?\s\d{1,2}:\d\d(?::\d\d)?(?:\s?[AP]M)?\]?\s[-–]?\s?\w[^:]{0,40}:\s
    | <[\w@+-][\w-]*>\s\w | \[\d{1,2}:\d\d(?::\d\d)?\]\s\w | \(?\d{1,2}:\d\d:\d\d(?:\.\d+)?\)?\s\w[^:]{0,40}:\s)""")
_SPEAKER = _form(
    r"""\s*\**(?:Human|Assistant|User|AI|System|You\ssaid|ChatGPT\ssaid|Claude|GPT|Interviewer|Speaker\s\d)\**\s?:|\s*[QA]\s?[.:]\s"""
)
_HEADING = _form(r"\#{1,6}\s+\S")
_UNDERLINE = _form(r"(?:={4,}|-{4,}|~{4,})\s*$")
_FIELD = _form(r"""\s*\**(?:Type|Priority|Assignee|Reporter|Status|Severity|Labels?|Environment|Attendees|Agenda|Decisions?|Deciders
    |Action\sitems|Acceptance\s[Cc]riteria|Definition\sof\sDone|Description|Steps\sto\sreproduce|Expected\s\w+|Actual\s\w+|Date
    |Author|Component|Version|Goal|State|Rules|Next\ssteps?|NAME|SYNOPSIS|DESCRIPTION|OPTIONS|Parameters|Returns|Raises)\**\s?:?\**(?:\s|$)""")
_STORY = _form(r"\s*As\san?\s.{3,80},?\sI\swant\b.*\bso\sthat\b")
_KEY = _form(r"\s*[a-z][\w.-]*:(?:\s+\S.*)?$")
_FOOT = _form(r"""\s*(?:Asked\s\d+\s\w+,?\s.*ago | (?:Modified|Viewed)\s.*(?:ago|times) | Improve\sthis\sanswer
    | answered\s\w{3}\s\d | r/\w+\s.*\bu/\w+ | \S+\s\d+\s\w+\sago\s\|\snext | .*\blast\smodified\s(?:on|by)\s | \d+\smin(?:ute)?s?\sread\s*$
    | Created\sby\s.{2,40}\sago\s*$ | Suggested\schange\s*$ | .{2,40}\sopened\sthis\s(?:issue|pull) | .{2,40}\sleft\sa\scomment\s*$
    | \S+\sstarted\sa\s(?:thread|discussion)\b | (?:Great|Good)\squestion! | Certainly! | Absolutely! | You're\sabsolutely\sright)""")
_CHAT_HEAD = _form(r"""\s*(?:\S.{0,40}\s[—–]\s(?:Today|Yesterday)\sat\s\d | (?:\S.{1,40}\s)?\[?\d{1,2}:\d\d\s[AP]M\]?\s*$
    | \d{1,2}:\d\d\s<\s?\S+>\s | .{2,40}\s\(External\)\s+\d{1,2}:\d\d)""")
_BULLET = _form(r"\s*•\s\S")
_RIGHTS = _form(
    r"\s*(?:Copyright\s(?:\(c\)|©|\d{4})|SPDX-License|Permission\sis\shereby\sgranted|Licensed\sunder)", re.I
)
_DIRECTIVE = _form(
    r"""\s*(?:\.\.\s\w+:: | \"{3} | '{3} | \d+\.\d+\.?\s{2,}[A-Z] | [\d:.]{8,}\s-->\s | :param\s | :returns?: | @param\s | \S+\.\S+\(.*\)\s*->\s | \w+\(.*\)\s*->\s\w | ```|~~~)"""
)
_TICKET = _form(r"\s*(?:[A-Z][A-Z\d]+-\d+|(?:Ticket|Issue|Bug|Story|Epic|PR|MR)\s\#?\d+)\s*$")
_BRIEF = _form(
    r"""\s*(?:You\sare\s(?:an?|the)\s\w+.*\b(?:agent|assistant|reviewer|engineer|expert|developer|specialist|architect)\b
    | Summary\sof\s(?:the|our|this)\s(?:conversation|session|previous) | \#*\s*Handoff\b
    | \#+\s*Output\sformat )""",
    re.I,
)
_CLIENT = _form(
    r"""\s*(?:\S+\shook\sfeedback: | \[SYSTEM\s | \[Scheduled\s | <[a-z]+(?:-[a-z]+)+(?:\s[^<>]*)?> | Caveat:\sThe\smessages)"""
)


def _document(lines: Sequence[str]) -> int | None:
    """The first heading of a text that has several, or of one that begins with it."""
    headings = [at for at, line in enumerate(lines) if _HEADING.match(line)]
    return headings[0] if len(headings) >= 2 else None


def _title(lines: Sequence[str]) -> int | None:
    """A first line that is a title, with more below it."""
    if len(lines) < 2 or not (_CAPITALS.match(lines[0]) or _HEADING.match(lines[0])):
        is_over_list = len(lines) > 3 and not lines[1].strip() and _LISTED.match(lines[2])
        return 0 if is_over_list and _TITLE.match(lines[0]) else None
    return 0


def _spoken(lines: Sequence[str]) -> int | None:
    """Lines that begin with names, of which one speaks twice or two take turns."""
    hits = [at for at, line in enumerate(lines) if _SPOKEN.match(line)]
    return hits[0] if len(hits) >= 2 and 2 * len(hits) >= sum(map(bool, lines)) else None


def _front_matter(lines: Sequence[str]) -> int | None:
    marks = [at for at, line in enumerate(lines) if line.strip() == "---"]
    return marks[0] if len(marks) >= 2 and 1 < marks[1] - marks[0] < 30 else None


def _underlined(lines: Sequence[str]) -> int | None:
    rows = range(1, len(lines))
    return next((at - 1 for at in rows if _UNDERLINE.match(lines[at]) and lines[at - 1].strip()), None)


def _letter(lines: Sequence[str]) -> int | None:
    """A text with a closing or a signature: all of it up to a request that a blank line separates."""
    at = _first(_SIGNED, 1, lines)
    return 0 if at is not None else None


def _page(lines: Sequence[str]) -> int | None:
    """A text with what only a page of the web or an assistant says above or below it: all of it."""
    return 0 if _first(_FOOT, 1, lines) is not None else None


def _config(lines: Sequence[str]) -> int | None:
    return _first(_KEY, 3, lines)


OPENINGS: tuple[tuple[str, Test], ...] = (
    ("the client or a program wrote them", partial(_first, _CLIENT, 1)),
    ("they stand in a mail", partial(_first, _MAIL, 2)),
    ("they stand in a letter", _letter),
    ("somebody else is quoted", partial(_first, _TAKEN_FROM, 1)),
    ("they stand in a letter", partial(_first, _GREETED, 1)),
    ("they stand in a conversation", _spoken),
    ("they stand in a document", partial(_first, _CHAPTER, 1)),
    ("they stand in a document", _title),
    ("they stand in a chat", partial(_first, _CHAT, 2)),
    ("they stand in a chat", partial(_first, _CHAT_HEAD, 1)),
    ("they stand in a conversation", partial(_first, _SPEAKER, 2)),
    ("they stand in a document", _document),
    ("they stand in a document", _front_matter),
    ("they stand in a document", _underlined),
    ("they stand in a ticket or a form", partial(_first, _FIELD, 2)),
    ("they stand in a ticket or a form", partial(_first, _TICKET, 1)),
    ("they stand in a story of requirements", partial(_first, _STORY, 1)),
    ("they stand in a configuration", _config),
    ("they stand on a page of the web", _page),
    ("they stand in a licence", partial(_first, _RIGHTS, 1)),
    ("they stand in documentation", partial(_first, _DIRECTIVE, 1)),
    ("they instruct an agent or sum up a session", partial(_first, _BRIEF, 1)),
    ("they stand in a document", partial(_first, _BULLET, 2)),
    ("somebody else is quoted", foreign_blocks.told),
    ("somebody else is quoted", foreign_blocks.led_in),
    ("they bear marks of a copied text", foreign_blocks.marked),
    ("they stand in a document", foreign_blocks.titled),
    ("they bear marks of a copied text", foreign_blocks.wrapped),
    ("they stand in a text beside a short request", foreign_blocks.beside_request),
)
"""The forms of somebody else's text: why, and where it begins."""
