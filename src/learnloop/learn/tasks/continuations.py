"""What a prompt says of the work before it, and what it asks for: a title, prerequisites, criteria. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import dropwhile, islice, pairwise
from typing import NamedTuple

from learnloop.learn.hear import outcomes
from learnloop.learn.language import words
from learnloop.wire import nearness, text

_MOST_WORDS, _MOST_CHARS, _MOST_ASKED, _HEAD = 12, 80, 20, 6
"""An answer is not longer; what is longer asks for something."""
_READ, _TELLING, _LONGEST_CLAUSE, _SHARED, _FEWEST_TERMS, _NEXT, _MOST_NAMES = 400, 4_096, 14, 3, 2, 4, 2
PICTURE = re.compile(r"\[Image(?:[ #:][^\]\n]{0,400})?\]")
"""What a client writes in place of a picture."""
_SIGNS = "👍✅🎉💯🙌👌"
_CLAUSE_ENDS = re.compile(
    "(?<=[?？])|[.,!;:\n—–()。，！；：]+|\\s-+\\s|\\s(?=(?:but|however|although|except|so|and)\\b)"
)
_WORD = re.compile(f"[^\\W_]+(?:'[^\\W_]+)?|[?{_SIGNS}]")


def words_of(text: str) -> frozenset[str]:
    """The distinct words of a list that is written as a text."""
    return frozenset(text.split())


_LEADS = words_of(
    "ok okay k kk so well ah aha oh yes yess yeah yea ya ye y yah yep yup yip now and wow hey alright "
    "allright hmm hm uh man it's yay sure right correct exactly agreed agree interesting thanks thank you "
    "very much lot a again all got it cool go please then do done start begin wait make ship sounds good "
    "looks look seems fine lgtm try is hi hello 好 好的 可以 可以了 现在可以了 继续 はい"
)
"""Words that agree and lead over: nothing but them asks for nothing new."""
_PRAISE = words_of(
    "great perfect awesome excellent nice beautiful lovely fantastic wonderful amazing brilliant superb "
    "good cool sweet neat lgtm bravo thanks thank love loved yay hooray nailed solved fixed congrats "
    "works worked super perfekt parfait genial gracias merci danke passt funktioniert perfecto "
    "谢谢 感谢 很好 太好了 完美 ありがとう 完璧"
)
_AFTER_PRAISE = words_of(
    "can could let let's lets now please next then and go job work stuff thanks thank you that that's "
    "this it we i so start looks work's very much working one man commit push great fine well good "
    "perfectly"
)
_SUBJECTS = words_of(
    "it its it's that that's this thats they these those everything all both now tests test build works "
    "the my our ci looks seems things"
)
_ARE = words_of(
    "is are it's that's its thats was were looks look looking seems seem be feels all both much so really "
    "very now"
)
_RIGHT = words_of(
    "great good right fine perfect nice better correct amazing awesome beautiful fixed resolved solved "
    "green exactly working passing excellent wonderful fantastic done"
)
_WORKS, _TURNS = (
    words_of("works worked pass passes passed fixed"),
    words_of("but however although though yet except unfortunately"),
)
_BREAKS = words_of("broken broke breaks fail fails failing crashes wrong doesn't isn't didn't won't can't")
_NO_FAULT = words_of("can could let's lets please ? no nothing never longer anymore gone don't")
_FAULTS = words_of(
    "bug bugs error errors problem problems issue issues warning warnings crash failure failures"
)
_UNSURE = words_of(
    "not no never isn't doesn't won't can't didn't don't aren't wasn't still almost nearly only if would "
    "could should closer until before when unless once does whether why how what make sure think wrong "
    "cannot partially either any may might"
)
_MORE = words_of(
    "also and plus additionally another actually oh oops wait hmm but still again instead rather btw"
)
_FINISHING = words_of("commit push merge pr amend rebase")
_POINTING = words_of("it its it's that that's this them those these they same again instead")
_ASKING = words_of(
    "why what how when where which who is are does do did can could should would will was were isn't huh"
)


def goes_on(
    words: str, *, answers: bool = False, corrects: bool = False, topic: Collection[str] = frozenset()
) -> bool:
    """Whether a prompt belongs to the task before it.

    `answers`: the agent's last words were a question. `corrects`: the prompt was heard as a remark on the
    work. `topic`: the telling words of the task so far.
    """
    words = PICTURE.sub("", words).strip()
    count = len(words.split())
    is_short = count <= _MOST_WORDS and len(words) <= _MOST_CHARS
    tokens = [word for each in _clauses(words) for word in each if word != "?"]
    asks = words[-1:] in ("?", "？")
    is_answer = (answers or tokens[:1] in (["yes"], ["yep"], ["yup"], ["yeah"])) and is_short and not asks
    if (
        corrects
        or is_answer
        or _points_at_list(tokens)
        or outcomes.is_go_ahead(words)
        or _LEADS.issuperset(tokens)
    ):
        return True
    if only_approves(words) or (is_short and words.isascii() and len(nearness.terms(words)) < _FEWEST_TERMS):
        return True
    if _points_at_list(tokens):
        return True
    own = [*dropwhile((_LEADS | _PRAISE).__contains__, tokens)]
    return _is_about_it(own, topic, telling(words), asks=asks, is_short=is_short)


def _points_at_list(tokens: list[str]) -> bool:
    """Whether hardly anything but points of a list is named, as `address 2 and 10`."""
    names = [word for word in tokens if not word.isdigit() and word not in _LEADS]
    return len(names) <= _MOST_NAMES and any(map(str.isdigit, tokens))


def _is_about_it(
    tokens: list[str], topic: Collection[str], own: Collection[str], *, asks: bool, is_short: bool
) -> bool:
    """Whether what is said behind the leading words has no matter of its own, or the matter of the task."""
    head = tokens[:_HEAD]
    asks = asks or not _ASKING.isdisjoint(head[:1])
    shared = len({*own} & {*topic})
    return bool(
        not tokens
        or head[0] in _MORE
        or (is_short and not _FINISHING.isdisjoint(head))
        or not _POINTING.isdisjoint(head)
        or (asks and (len(tokens) <= _MOST_ASKED or shared))
        or shared >= _SHARED
    )


def telling(words: str) -> list[str]:
    """The words of a prompt that say what it is about."""
    return [term for term in nearness.asked(words[:_TELLING]) if len(term) > 3 and not term.isdigit()]


def approves(words: str) -> bool:
    """Whether a prompt begins with approval of the work before it: an order or a question may follow."""
    is_heard = False
    for clause in _clauses(words):
        if clause[0] in _TURNS or clause[-1] in _TURNS:
            return False
        if _is_approval(clause):
            is_heard = True
        elif not _LEADS.issuperset(clause):
            return is_heard
    return is_heard


def takes_back(words: str) -> bool:
    """Whether a prompt says what is wrong behind its first clause: `good, but it is slow`; orders do not."""
    rest = [*islice(_clauses(words), 1, _NEXT)]
    return any(
        _NO_FAULT.isdisjoint(clause)
        and (clause[0] in _TURNS or clause[-1] in _TURNS or not _BREAKS.isdisjoint(clause))
        for clause in rest
    )  # fmt: skip


def orders_more(words: str) -> bool:
    """Whether an order or a question follows the approval that a prompt begins with."""
    return approves(words) and not only_approves(words)


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence greets, agrees or approves, and asks for nothing."""
    return all(
        _LEADS.issuperset({*clause} - {"there"}) or _is_approval(clause) for clause in _clauses(sentence)
    )


def only_approves(words: str) -> bool:
    """Whether a prompt approves and says nothing else."""
    clauses = list(_clauses(words))
    is_whole = len(words) <= _READ and all(_is_approval(each) or _LEADS.issuperset(each) for each in clauses)
    return is_whole and any(map(_is_approval, clauses))


def _clauses(words: str) -> Iterator[list[str]]:
    """The clauses of a prompt's beginning, each as words in small letters."""
    opening = PICTURE.sub("", words[:_READ]).lower().replace("’", "'")
    yield from filter(None, map(_WORD.findall, _CLAUSE_ENDS.split(opening)))


def _is_approval(clause: list[str]) -> bool:
    at = next((at for at, word in enumerate(clause) if word not in _LEADS or word in _PRAISE), None)
    if at is None:
        return False
    words = clause[at:]
    praises = words[0] in _PRAISE and (len(words) == 1 or words[1] in _AFTER_PRAISE)
    if not _UNSURE.isdisjoint(words) or len(words) > _LONGEST_CLAUSE:
        return False
    states = not _SUBJECTS.isdisjoint(clause[: at + 1]) and "?" not in clause
    return praises or not {*_SIGNS}.isdisjoint(words) or (states and _is_right(clause))


def _is_right(clause: list[str]) -> bool:
    """Whether a clause says that something works, or that a fault is gone."""
    is_gone = "gone" in clause and not _FAULTS.isdisjoint(clause)
    pairs = [*pairwise(clause)]
    is_so = any(word in _RIGHT and before in _ARE for before, word in pairs)
    is_done = is_so or ("the", "trick") in pairs or ("did", "it") in pairs
    return is_gone or is_done or not _WORKS.isdisjoint(clause[1:])


LONGEST_TITLE = 100
_LONGEST_PROMPT = 16_000
_MOST, _LONGEST = 5, 200
_FEWEST_TITLE_WORDS = 4
"""A title of fewer words takes what follows along."""
_LEAD_IN = r"^[\s!-/:-@[-`{-~–—•]*(?:(?:please|and|also|then|just|but|now|so|always|must)\W+)*"
"""Marks of lists and quotes may lead in; signs as programs print them do not."""
_PREREQUISITE = re.compile(
    rf"{_LEAD_IN}(?:prerequisites?\b|(?:this|it|that)\s+(?:requires|needs|depends\s+on)\b|given\s+that\b"
    r"|before\s+you\s+(?:start|begin)\b|assum(?:e|ing)\s+(?:that\s+)?(?!you\b|so\b|it\b))",
    re.I,
)
_CRITERION = re.compile(
    rf"{_LEAD_IN}(?:make\s+sure|be\s+sure|ensure)\b"
    r"|^(?!\W*you\s+(?!must|should|need|have)).*\b(?:acceptance|success)\s+criteri|\bdone\s+when\b"
    r"|\buntil\s+(?:all|every|the|it|they)\b.*\b(?:pass|works?|green|builds?|succeeds?)\b"
    r"|\b(?:tests?|builds?|suite|ci|checks)\s+(?:must|should|have\s+to|has\s+to)\s+(?:all\s+)?(?:still\s+)?"
    r"(?:pass|work|be\s+green|succeed)\b",
    re.I,
)
_COMMAND = re.compile(
    r"(?:\s*<command-message>[^<]*</command-message>)?\s*<command-name>([^<]{1,80})</command-name>"
    r"(?:\s*<command-message>[^<]*</command-message>)?(?:\s*<command-args>([^<]{0,200}))?"
)
"""What the client makes of a command that the person typed."""


class TaskRequest(NamedTuple):
    """What a prompt asks for."""

    title: str
    prerequisites: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()


def request_of(prompt: str) -> TaskRequest:
    """Read a prompt; its title is the first sentence of the person's own words that says something."""
    if command := _COMMAND.match(prompt):
        return TaskRequest(text.cut(_one_line(" ".join(filter(None, command.groups()))), LONGEST_TITLE))
    own = words.own_words(PICTURE.sub("", prompt[:_LONGEST_PROMPT]))
    sentences = [
        _one_line(own.restore(sentence.text)) + "?" * sentence.asks for sentence in own.every or own.sentences
    ]
    sentences = [sentence for sentence in sentences if any(map(str.isalnum, sentence))]
    telling = (sentence for sentence in sentences if not is_small_talk(sentence))
    title = next(telling, "") or next(iter(sentences), "")
    return TaskRequest(
        _title(title, prompt[:_LONGEST_PROMPT]),
        _stated(_PREREQUISITE, sentences),
        _stated(_CRITERION, sentences),
    )


def _title(sentence: str, prompt: str) -> str:
    """The sentence; where that says little (`And this one?`, `Consider this:`), what follows as well."""
    if sentence.endswith(":") or (len(sentence.split()) < _FEWEST_TITLE_WORDS and not _is_dense(sentence)):
        whole = _one_line(PICTURE.sub("", prompt))
        sentence = whole[max(whole.find(sentence.rstrip("?")), 0) :] or sentence
    return text.cut(sentence or _one_line(prompt), LONGEST_TITLE)


def _is_dense(sentence: str) -> bool:
    """Whether few characters say much, as in scripts without spaces."""
    return not sentence.isascii() and len(sentence) > _FEWEST_TITLE_WORDS and " " not in sentence


def _stated(form: re.Pattern[str], sentences: Iterable[str]) -> tuple[str, ...]:
    own = (sentence for sentence in sentences if not sentence.endswith("?"))
    stated = (text.cut(sentence, _LONGEST) for sentence in own if form.search(sentence))
    return tuple(dict.fromkeys(stated))[:_MOST]


def _one_line(words_: str) -> str:
    return " ".join(words_.split())
