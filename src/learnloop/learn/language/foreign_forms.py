"""The forms of text that people copy into prompts: rows of a reason and a test, and lines nobody types. Pure."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from learnloop.learn.language import lexicon

_MONTH = r"(?:jan|feb|mar|m\xe4r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]{0,6}"
_SHORT_LINE = 90
_STAMP = re.compile(
    rf"""(?<![\w:.-])(?:\d{{1,2}}[:h]\d\d(?!\w)(?::\d\d)?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{0,4}}(?![\d.])|\d{{4}}[-/.]\d\d?[-/.]\d\d?)
    |\b{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}\b|\b\d{{1,2}}[./-]?\s?{_MONTH}\.?[\s/-]\d{{2,4}}\b
    |\b(?:\d+|an?|one)\s?[a-z]{{1,7}}\sago\b|\b\d+[dhmwy]o?(?:\sago)?\s*(?:$|[\u00b7|\u2022])|\bvor\s\d+\s\w+|\b(?:il\sy\sa|h[\xe1a]|hace)\s\d+\s\w+|\b\u043d\u0430\u0437\u0430\u0434\b
    |\d+\s?(?:\u5206|\u6642\u9593|\u5c0f\u65f6|\u65e5|\u5929)\u524d|\b(?:yesterday|today|gestern|heute|hier|ayer)\s(?:at|um|\xe0|a\slas)\s\d""",
    re.I | re.X,
)
_SIGN = re.compile(
    r"""[\u00b7\u25aa\u25e6\u2023\u25b2\u25bc\u2b06\u2b07\u2605\u2606\xa9\xae\u25b6\u25ba\u25a0\u25a1\u25cf\u25cb]|\s[\u2013\u2014]\s*$
    |^\W{0,4}(?:comment\s\[\w+\]|speaker\s\d+|forwarded\sfrom|transcript\b.*|\w+\s\w+\s(?:added\sa\scomment|commented|replied|wrote|posted))\b
    |^\W{0,4}(?:(?:reply|share|edit(?:ed)?|like|retweet|upvote|resolved?|report|unsubscribe|view\sin\sbrowser|show\s(?:more|less)|read\smore|copy(?:\slink)?
    |download|print|see\stranslation|permalink|collapse|subscribe|sponsored|advertisement|accepted\sanswer|helpful\?)\b[\s\W]{0,4}){1,3}(?:$|by\s|\d)
    |^\s*\d+\.\d+(?:\.\d+)*\.?\s+[A-Z]|^\s*[\d.,]+\s?[kKM]?\s?(?:likes?|views?|replies|comments?|upvotes?|points?|retweets?|stars?|votes?|threads?)\s*$|^\s*\d{1,5}\s*$
    |^\s*(?:line|ligne|zeile|l\xednea|linha|riga|\u0441\u0442\u0440\u043e\u043a\u0430)\s\d+\s?[:.]\s|^\(\w+:\d+\)\s|\S\s{2,}\S+(?:\s\S+)?\s{2,}\S+(?:\s\S+)?\s{2,}\S|\[\d{1,2}\](?:\[\d{1,2}\]|[.\s]*$)|^sources?$|[\u23fa\u23bf\u273b]
    |^\s*usage:\s|^\s{1,8}--?[a-z][\w-]*[,=\s]|^\s*\d+\s+[-+]\s|^\W*-{2,}\s?\w+(?:\s\w+)?\s?-{2,}
    |[\U0001f44d\U0001f44e\u2764\U0001f389\U0001f680\U0001f440]\s?\d|\d\s?[\U0001f44d\U0001f44e\u2764\U0001f389\U0001f680\U0001f440]|\bpage\s\d+(?:\sof\s\d+)?\b|^\s*(?:u|r)/\w+|^@\w[\w.-]+(?:\s|,|:)|[@(]\w[\w.-]{2,}\)?\s(?:commented|wrote|replied)""",
    re.I | re.X,
)
_PERSON = (
    r"(?:[A-Z][\w-]{2,}|(?i:he|she|they|boss|chef\w?|colleagues?|kolleg\w+|customers?|clients?|kund\w+|lead|reviewers?|maintainers?|team|someone|somebody|friend|manager"
    r"|mentor|teacher|prof\w*|speaker|author|vendor|partner|auditor|er|sie|elle|il|ella|docs?|wiki|guide|handbook|readme|article|chat ?gpt|copilot|gpt\S{0,5}|gemini|cursor|jef[ea]|cliente|patron|\u043d\u0430\u0447\u0430\u043b\u044c\u043d\u0438\u043a))"
)
_TELLS = (
    r"(?i:says?|said|wrote|writes|replied|commented|answered|suggests?|suggested|recommends?|recommended|told|sent|insists|states|schrieb|schreibt|sagte?|meinte?|geschrieben"
    r"|gesagt|dit|\xe9crit|dice|dijo|escribi\xf3|escreveu|disse|scrive|scritto|\u043f\u0438\u0448\u0435\u0442|\u043d\u0430\u043f\u0438\u0441\u0430\u043b\w?|\u0441\u043a\u0430\u0437\u0430\u043b\w?|comentou|comment\xf3)"
)
_SOURCE = (
    r"(?:tickets?|issue|docs?|documentation|doku\w*|wiki|e?-?mail|message|comments?|feedback|article|(?:style\s?)?guide(?:lines?)?|cheat\s?sheet|handbook|\w*handbuch|runbook|playbook|manual"
    r"|readme|spec|policy|slack|teams|discord|chat|transcript|thread|post|answer|reddit|twitter|stackoverflow|stack\soverflow|hacker\snews|github|gitlab|jira|notion|confluence|web|blog|podcast|video|talk|course|newsletter|nachricht|kommentar|protokoll|correo|mensaje"
    r"|courriel|minutes|meeting|notes|standards?|page|site|book|review|colleague|teammate|customer|client|auditor|legal|boss|manager|lead|chef|kunde|incident|pr|\S+\.(?:md|txt|rst|pdf|docx))"
)
_TOLD = re.compile(
    rf"""\b{_PERSON}\s(?:(?!to\s)\w+\s){{0,3}}?{_TELLS}\b(?:[^.\n]{{0,40}}?(?::\s*$|:?\s?["\u201c\u201e\u00ab']\S+\s\S+\s\S|:\s\S+\s\S+\s\S)|\s*$|\s(?:to|that|we|you|que|qu'\w+|dass|wir|che|\u0447\u0442\u043e)\s(?:\w+\s){{0,3}}?(?:always|never|must|siempre|nunca|immer|nie|toujours|jamais|sempre|mai)\b)
    |^\W{{0,3}}(?i:from|by|my|our|the|a|support|seen|recommend\w+|aus|von|laut|according)\b[^:.!?]{{0,60}}\b(?i:{_SOURCE})\b[^:.!?]{{0,40}}(?::|--|\u2014|\u2013)\s\S+\s\S+\s\S
    |^(?i:[^:.!?]{{0,40}}\b(?:from|by|von|vom|de\sl[a']|del|de|da|dal|\u043e\u0442|\u0438\u0437)\s?(?!now|here|today|jetzt|ahora)[^:.!?]{{1,40}}\s?:\s\S+\s\S+\s\S
    |\s*(?:psa|til|pro\s?tip|tip\sof\sthe\s\w+|fun\sfact|hot\stake|best\spractices?|golden\srule|subject|betreff|objet|asunto|oggetto|fwd?|aw|wg)\b\s?:
    |(?:according\sto|laut|selon|seg\xfan|secondo)\s.{{2,80}}\b(?:must|always|never|immer|nie|toujours|jamais|siempre|nunca|sempre|mai)\b)
    |^[A-Z][\w.]+(?:\s[A-Z][\w.]+){{1,3}}:\s\S+\s\S+\s\S|^[^\uff1a:\n]{{1,12}}(?:\u89c4\u8303|\u898f\u7d04|\u30eb\u30fc\u30eb|\u8981\u6c42|\u6587\u6863|\u6307\u5357|\u624b\u518c|\u901a\u77e5|\u3055\u3093|\u8001\u677f|\u5ba2\u6237)[\uff1a:]
    |\b[Tt]hanks,\s(?:the\s\w+\steam|(?!Claude)[A-Z]\w+)\s*$|\((?i:seen|from|by|aus|via|source|quelle|according|copied|taken)\b[^)]{{3,60}}\)\s*$|[.!?]["\u201d]?\s*(?:--?|\u2014|\u2013)\s?(?:[A-Z][\w.]+(?:\s\w+){{0,3}}|written\sby\s.*)\s*$
    |^\s*(?:--?|\u2014|\u2013)\s?(?:written\sby\s|[A-Z]\w+\s[A-Z]\w+\s*$)""",
    re.X,
)
_OWN = re.compile(
    r"\b(?:I|I'm|I've|I'd|i|im|i'm|i've|my|me|can\syou|could\syou|you\s(?:did|left|used|just|broke|forgot|keep|made|added|were)|your\s(?:last|change)|let's|lets|ich|mir|"
    r"du|mein\w?|je|j'ai|yo|eu)\b"
)
_ASKS = re.compile(
    r"""\?\s*$|\b(?:this|that|these|it)\s*:?\s*$|\b(?:do\s(?:what|this|that|it|the\ssame|as)|apply|implement|accordingly|along\s(?:these|those)\slines|follow\w*|adapt|incorporate|address\s(?:the|this|these|his|her)
    |summar\w+|translate|turn\s(?:this|it|that|into)|convert|rewrite|markdown|checklist|same\s(?:for|in|here)|below|above|(?:he|she|they)\s(?:wants?|asks?|says?)|according\sto|do\sit
    |put\s(?:this|that|it)|add\s(?:this|that|it)|fix\s(?:this|that|it|these)|make\sit|setz\w*|umsetz\w*|bau\w*\sdas|mach\w*\sdas|schreib|abarbeiten|danach|entsprechend|faz|fa\xe7a|haz|hazlo|fais
    |applique|fallo|\u0441\u0434\u0435\u043b\u0430\u0439|\u043f\u0440\u043e\u0432\u0435\u0440\u044c|\u76f4\u3057\u3066|check\s(?:if|whether|our|this|that|against)|compare\s(?:this|it|with\sour)|review|use\sthis)\b""",
    re.I | re.X,
)
_ASKED = re.compile(r"[^\n]*\?\s*(?:\n|\Z)|.*\?\s*\Z", re.S)
_POLITE = re.compile(r"\b(?:please|bitte|you)\b", re.I)
_ADDRESSED = re.compile(r"\b(?:we|our|please|make\ssure|you|ok|great|this|now)\b", re.I)
_SENTENCE = re.compile(
    r"(?:^|[.!?:]\s|\n)[\"\u201c*]{0,2}[A-Z\xc4\xd6\xdc\u0410-\u042f][^.!?\n]{12,}[.!?]", re.M
)
_LONG = 250
_LONGEST_TITLE = 60
_REQUEST, _LEAST, _FEWEST = 200, 60, 2


class Block(NamedTuple):
    """Lines without a blank one between them."""

    start: int
    text: str


def marked(lines: Sequence[str]) -> int | None:
    """Where the first text begins that has a mark of somebody else's, if more than one line was written."""
    at = next((at for at, line in enumerate(lines) if _is_marked(line)), None)
    if at is None or sum(bool(line.strip()) for line in lines) < _FEWEST:
        return None
    while at and lines[at - 1].strip() and not lines[at - 1].rstrip().endswith((":", "?")):
        at -= 1
    above = [block for block in _blocks(lines[:at]) if _speaks_to_nobody(block.text)]
    return above[0].start if above and _is_foot(lines, at) else at


def _is_foot(lines: Sequence[str], at: int) -> bool:
    """Whether a block has a line or two."""
    return not all(map(str.strip, lines[at : at + _FEWEST + 1])) or len(lines) <= at + _FEWEST


def titled(lines: Sequence[str]) -> int | None:
    """A first line that names a thing, above a text that speaks to nobody."""
    title, text = lines[0].strip(), "\n".join(lines[1:])
    is_title = (
        0 < len(title) <= _LONGEST_TITLE and title[0].isupper() and title[-1].isalnum() | (title[-1] == ")")
    )
    if not is_title or title.split()[0].lower() in lexicon.PLAIN_ORDERS or _OWN.search(title):
        return None
    return 0 if _SENTENCE.search(text) and not _OWN.search(text) and not _POLITE.search(text) else None


def _is_marked(line: str) -> bool:
    if _OWN.search(line):
        return False
    return bool(len(line) <= _SHORT_LINE and _STAMP.search(line)) or _SIGN.search(line) is not None


def told(lines: Sequence[str]) -> int | None:
    """The first line that quotes what a person said; the next one where it only leads over to that."""
    for at, line in enumerate(lines):
        if match := _TOLD.search(line):
            leads_over = match.end() == len(line.rstrip()) and line.rstrip()[-1].isalpha()
            return at + (leads_over and at + 1 < len(lines))
    return None


def beside_request(lines: Sequence[str]) -> int | None:
    """Where a text begins that speaks to nobody, above or below a short request about it."""
    blocks = _blocks(lines)
    if len(blocks) < 2:
        return None
    for request, others in ((blocks[0], blocks[1:]), (blocks[-1], blocks[:-1])):
        text = "\n\n".join(block.text for block in others)
        is_asked = _ASKS.search(request.text) or (len(text) >= _LONG and not _ADDRESSED.search(text))
        if len(request.text) <= _REQUEST and is_asked and _speaks_to_nobody(text):
            return others[0].start
    return None


def _speaks_to_nobody(text: str) -> bool:
    return (
        len(text) >= _LEAST
        and not _OWN.search(text)
        and not _ASKED.match(text)
        and _SENTENCE.search(text) is not None
    )


def _blocks(lines: Sequence[str]) -> list[Block]:
    blocks: list[Block] = []
    is_open = False
    for at, line in enumerate(lines):
        if line.strip() and is_open:
            blocks[-1] = Block(blocks[-1].start, f"{blocks[-1].text}\n{line}")
        elif line.strip():
            blocks.append(Block(at, line))
        is_open = bool(line.strip())
    return blocks


Test = Callable[[Sequence[str]], int | None]
"""The number of the line where a text of this form begins; None where there is none."""

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
    ("they stand in a ticket or a form", partial(_first, _FIELD, 2)),
    ("they stand in a story of requirements", partial(_first, _STORY, 1)),
    ("they stand in a configuration", _config),
    ("they stand on a page of the web", _page),
    ("they stand in a licence", partial(_first, _RIGHTS, 1)),
    ("they stand in documentation", partial(_first, _DIRECTIVE, 1)),
    ("they instruct an agent or sum up a session", partial(_first, _BRIEF, 1)),
    ("they stand in a document", partial(_first, _BULLET, 2)),
    ("somebody else is quoted", told),
    ("they bear marks of a copied text", marked),
    ("they stand in a document", titled),
    ("they stand in a text beside a short request", beside_request),
)
"""The forms of somebody else's text: why, and where it begins."""
