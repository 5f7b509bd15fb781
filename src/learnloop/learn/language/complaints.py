"""Tells a complaint, which only says what is wrong, from an order and from a fact. Pure.

Doubt counts as a complaint: a lesson must never assert the fault that a person complained of.
"""

import re

from learnloop.learn.language import lexicon

_BLAMES = re.compile(
    r"""^(?:you|u|claude|the\sagent|agents?|your\s\w+|the\scode\syou\s\w+|du\shast|tu\s(?:as|n'as)
    |has)\b(?!\s(?:must|should(?!\s?n?'?t?\shave|'ve)|shouldn't(?!\shave)|can|cannot|can't|need|needn't
    |may|will|are\s(?:allowed|free|supposed|welcome|a|an|the|responsible|expected|only|to)|have\sto|never
    |always|don't\s(?:have|need)|do\snot\s(?:have|need)|ought|could|shall|won't)\b)
    |^you\s(?:always|never)\s(?:do|does|forget|ignore|break|make|miss|say|claim|get|keep|seem|go|add
    |delete|remove|use|skip|assume|try|stop|write|put|leave|change|run)\b
    |^(?:why|how\s(?:come|could|did|dare)|what\s(?:the|are\syou|did\syou|happened|is\s(?:this|that|going)
    |were)|where\s(?:is|are|did)|who\s|wtf|warum|wieso|weshalb|pourquoi|por\squ[eé])\b
    |\byou(?:'ve|\shave)?\s(?:again\s|just\s|still\s|also\s|completely\s)*(?:forgot|forgotten|missed
    |broke|broken|ignored|deleted|removed|duplicated|skipped|messed|screwed|overwrote|reverted
    |hallucinated|invented|hardcoded|failed|neglected|left\sout)\b
    |\byou\s(?:keep|kept)\s\w+ing\b|\bstop\slying\b|\bshould(?:n't|\snot)?(?:'ve|\shave)\s\w+(?:ed|en|one
    |ut|un|ade|ept|ft)\b""",
    re.I | re.X,
)
_FAULT = re.compile(
    r"""\b(?:is|are|was|were|isn't|aren't|wasn't|looks?|seems?|still|gets?|got|being|be|went|going
    |goes)\s(?:still\s|just\s|now\s|all\s|not\s|completely\s|totally\s|so\s|very\s|really\s|a\s(?:bit
    |little|mess|bug|problem|hack|lie|joke)|always\s|way\s|also\s|again\s|an?\s|quite\s|pretty\s)*
      (?:wrong|broken|missing|gone|lost|bad|ugly|slow|empty|blank|red|failing|failed|incorrect|incomplete
    |inconsistent|outdated|stale|out\sof\s(?:date|sync)|buggy|flaky|unreadable|unusable|confusing|messy
    |mess|weird|terrible|awful|horrible|useless|stupid|crap|shit|garbage|nonsense|duplicated?|corrupted
    |truncated|cut\soff|off|hidden|invisible|too\s\w+|unacceptable|annoying|ridiculous|hallucinat\w+
    |nowhere|crash\w*|hanging|stuck|leak\w*|error\w*|lagging|bug|hallucination|all\sover|in\sthe\sway
    |overkill|bloated|verbose)\b
    |\b(?:is|are|was|were|has|have|does|do|did|can|could|would|will|got|gets?)\s?(?:n't|\snot|\snever
    |\sno\slonger)\b|\b(?:is|are|was|were|gets?|being)\s(?:never|no\slonger|again|still|constantly
    |always)\b|\b(?:no\slonger|not\syet|nothing\s\w+s|nothing\s(?:happen|work|chang|show)\w*|still\s(?:no
    |not|get|see|have|fail|show|us|the)\w*)\b
    |\b(?:fails?|failed|failing|crash(?:es|ed)?|breaks?|broke|hangs?|throws?|threw|errors?\sout|errored
    |disappear(?:s|ed)?|vanish(?:es|ed)?|freezes|froze|leaks|flickers?|overlaps?|stutters?|duplicates
    |loses|lost|missing|doesn't|don't\s(?:work|match|show|see|compile|exist|fit|line\sup)|didn't|won't
    |cannot|can't|couldn't|wasn't|weren't|isn't|aren't|hasn't|haven't|broken|wrong\b(?!\sway)|typo
    |bugs?\b|regression|unreadable|mess|ridiculous|unacceptable|horrible|terrible|awful|annoying
    |not\s\w+ing)\b
    |\b(?:is|are)\snot\b|\bnot\s(?:working|starting|loading|showing|updated?|used|called|done|correct
    |right|enough|there|visible|saved?)\b|\btoo\s(?:many|much|big|large|long|short|slow|small|wide|narrow
    |verbose|complex|complicated|dark|bright|few|little|old|far|late|early|strict|loose|high|low)\b
    |\b(?:funktioniert|geht|stimmt|fehlt|fehlen|kaputt|falsch|ne\s(?:marche|fonctionne)|no\sfunciona
    |falta|manque)\b""",
    re.I | re.X,
)
_CONTRAST = re.compile(
    r"""(?:,|;| and| but|\s[-–—])\s(?:and\s)?not?\b|\bnot\s.+,\s(?:but|it's|it\sis|they)\b
    |\binstead\sof\b|\brather\sthan\b|\bonly\b|,\snicht\b|\bsondern\b|,\s(?:pas|no)\b""",
    re.I,
)
_RULES = re.compile(
    r"""\b(?:must|mustn't|should|shouldn't|shall|need(?:s)?\sto|needs|have\sto|has\sto|ought|supposed\sto
    |may\snot|required|requires|mandatory|forbidden|prohibited|not\sallowed|allowed|prefer(?:red|s)?|want
    |wants|expect|like\sit|hate|don't\slike|dislike|muss|müssen|soll(?:en|te)?|darf|dürfen|doit|doivent
    |debe|deben|expected\sto|by\s(?:design|default|convention)|on\spurpose|intentional(?:ly)?
    |the\s(?:goal|point|idea|plan|intent|purpose|convention|rule)\s(?:is|was)|needs?\sto\sbe|is\sfor
    |are\sfor|used\s(?:to|for)|meant\s(?:to|for)|intended)\b
    |^(?:we|our|i|my)\b(?!.*\b(?:get|got|see|lost|still)\b)""",
    re.I | re.X,
)
_HAPPENS = re.compile(
    r"""^(?:(?:the|a|an|your|some|all|every|any|each|most|these|those|my|our|new
    |old)\s)?[\w\ue000\ue001/.'-]+(?:\s[\w\ue000\ue001/.'-]+){0,3}\s(?:is|are|gets?|got|was|were|keeps?
    |has\sbeen|have\sbeen)\s(?:being\s|now\s|always\s|often\s|all\s|just\s)*
    (?:\w+(?:ed|en|wn|ing)|set|put|run|cut|hit|shut|sent|kept|made|built|lost|read|left|split|held|told
    |stuck|spent|caught|bound)\b(?!\s(?:to|for|as|by\sdesign|with\sa\splan)\b)""",
    re.I | re.X,
)
_PAST = re.compile(
    r"""\b(?:was|were|had|did|went|broke|failed|crashed|disappeared|stopped|got|became|lost|happened|came
    |showed|returned|caused|made|took|threw|started|changed|removed|added|deleted|ignored|forgot|missed
    |used\s(?!to\b|for\b|by\b|in\b|as\b|with\b|when\b|only\b))\b""",
    re.I | re.X,
)
_MOST = 9
"""A bare report of more words than this explains; a shorter one rather complains."""
_CONDITION = re.compile(
    r"""^(?:(?:if|when|whenever|while|before|after|once|until|unless|for|in|on|at|with|without|as|during
    |every\stime|each\stime|any\s?time|since|because|wenn|bevor|nachdem|quand|avant|cuando|antes|where
    |instead\sof|rather\sthan|to|by\sdefault|under)\b[^,;:]{0,160}[,:;]\s*|(?:also|just|only|simply|first|then|at\sleast
    |please|you\s(?:must|should|need\sto|have\sto|can)|always|never|not)\b[\s,]*)+""",
    re.I | re.X,
)
"""What may stand before the verb of an order."""
_FIRM = re.compile(
    r"""^(?:always|never|don't|do\snot|dont|avoid|stop|quit|no\smore|prefer|only|under\sno|let|be|have|do|take|give|find|get|go|see
    |read|build|split|put|let|begin|choose|think|try|talk|speak|rely|stick|look|no\s(?!one|idea)\w+
    |nie(?:mals)?|immer|nicht|keine?n?|toujours|jamais|ne\s|n'|siempre|nunca|no\s\w+[ae]s)\b""",
    re.I | re.X,
)
_FINITE = re.compile(
    r"^[\w-]+\s(?:[\w'-]+\s){0,2}(?:is|are|was|were|isn't|aren't|has|does|doesn't|fails?|failed)\b", re.I
)


def is_order(text: str) -> bool:
    """Whether trimmed words say outright what to do or not to do."""
    condition = _CONDITION.match(text)
    if condition and _FIRMLY.search(condition[0]):
        return True
    left = text[condition.end() :] if condition else text
    if _FIRM.match(left):
        return True
    verb = left.split(" ", 1)[0].lower().strip(",.:;")
    return verb in _ACTS and not _FINITE.match(left)


_FIRMLY = re.compile(r"\b(?:always|never|must|should)[\s,]*$", re.I)
_ACTS = lexicon.PLAIN_ORDERS | lexicon.REGULAR_VERBS


def only_complains(text: str, *, contradicts: bool = False) -> bool:
    """Whether trimmed words, if they are no order, tell what is wrong, or may do so.

    `contradicts`: they came after a no, so that a bare report is one of what is wrong.
    """
    if _PROHIBITS.match(text):
        return False
    if _BLAMES.search(text):
        return True
    if is_order(text) or _RULES.search(text) or _CONTRAST.search(text):
        return False
    if _FAULT.search(text) or _PAST.search(text):
        return True
    is_bare = len(text.split()) <= _MOST
    return is_bare and bool(_HAPPENS.match(text) or (contradicts and _REPORTS.search(text)))


_PROHIBITS = re.compile(r"(?:always|never|don't|do not|avoid|stop)\b", re.I)
_REPORTS = re.compile(r"\b(?:is|are|gets?|keeps?|has|have|\w{3,}s)\b", re.I)
