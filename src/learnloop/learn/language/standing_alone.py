"""Judges whether trimmed words can be understood by somebody who reads nothing else. Pure."""

import re

_FEWEST_WORDS = 2
_LONGEST = 400
_POINTS_FIRST = re.compile(
    r"""^(?:it|it's|its|this|that|that's|these|those|they|they're|their|he|she|there's|there|such|here
    |here's|same|both|neither|either|one|ones|not|nor
    |which|who|whose|where|what|what's|whatever|how|why|when's|whether|or|as|like|than|else|otherwise
    |instead|yes|no|option|maybe|perhaps|probably|hopefully|unfortunately
    |because|since|so|but|and|then|also|too|dies|das|diese[rsn]?|es|ça|c'est|eso|esto)\b""",
    re.I | re.X,
)
_FIRST_OK = re.compile(
    r"""^(?:this|our|the)\s(?:repo|repository|project|code\s?base|app|application|package|library|team
    |company|monorepo|workspace|machine|branch\snaming)\b
    |^(?:there\s(?:must|should|is\s(?:no|only|always|never)|are\s(?:no|only|always))|both\s(?!are|of
    |need)\w+|not\severy|no\s\w+
    |(?:since|because|as\s(?:long|soon|we|you|a|the))\s[^,]+,\s|like\s\w+\sin\s|das\s\w+\s(?:ist|muss
    |soll)|instead\sof\s|either\s.+\sor\s|whatever\s.+,|where\s(?:possible|applicable)|when)\b""",
    re.I | re.X,
)
_POINTING = re.compile(
    r"""\b(?:this|these|those)\b(?!\s(?:repo|repository|project|code\s?base|app|application|package
    |library|team|machine|monorepo|workspace|way\b\s*(?:we|you|the)))
    |\b(?:do|did|doing|done|like|of|about|with|for|than|after|before|from|to|in|on|at|but|and|not|again
    |just|fix|change|remove|add|use|make|keep|try|revert|undo|see|have|take|put|run|commit|all
    |want)\sthat(?=$|[\s,;.]+(?:again|either|way|too|instead|first|now|ever|here|there|and|or|but|one
    |ones)\b|[,;.])
    |\b(?:above|below|the\s(?:first|second|third|last|other|latter|former|former|same|next|previous
    |following|rest|new|old)\s(?:one|ones|two|option|approach|item|thing|point|part|error|issue|step
    |steps|change|changes|task|phase)\b|the\s(?:latter|former|others?)\b
    |option\s?(?:\d|[a-d]\b)|(?:step|phase|task|item|point|number|part|issue|question|idea|fix|approach
    |choice)\s?\#?\d|as\sfollows|these\sones|that\sone|same\sthing|such\sthings?|likewise|over\sthere
    |up\sthere|in\sthere|in\shere|(?:add|put|move|do|stop|leave|keep|place)\s(?:it\s)?here)\b
    |(?:^|\s)\#\d+\b|\b\d+[.)]\s.*\b\d+[.)]\s""",
    re.I | re.X,
)
_NOW = re.compile(
    r"""\b(?:now|today|tonight|tomorrow|yesterday|this\s(?:time|morning|week|pr|commit|session|change
    |branch|file|function|one|task|issue|error|turn|part|round)|for\s(?:the\smoment|this|that|these|now)
    |at\sthe\smoment|right\snow|just\snow|this\sonce|a\s(?:minute|moment|second)\sago|jetzt|heute
    |maintenant|ahora|continue|proceed|go\sahead)\b""",
    re.I | re.X,
)
_NARRATES = re.compile(
    r"""\b(?:i(?:'ve|\shave)\s(?!to\b|no\b)|i(?:'m|\sam)\s(?!not\sa\sfan)|i'll|i\swill|i'd\sbeen
    |i\s(?:just|also|already|ran|run|tried|got|get|see|saw|found|did|didn't|had|was|made|added|changed
    |removed|updated|moved|noticed|think|thought|believe|guess|assume|wonder|wondered|hope|know
    |understand|said|asked|told|meant|mean|can't|can|cannot|couldn't|created|fixed|put|deleted|merged
    |pushed|opened|started|restarted|went|switched|copied|installed|realized|remember|feel|agree
    |like\s(?:it|this|that)|clicked|checked|tested|am|don't\s(?:see|know|think|understand|get|remember
    |believe)))\b
    |^(?:we(?:'re|'ve|'ll|\sare\s(?:now|going|getting|still)|\shave\snow|\sjust|\sgot|\swere|\sdid|\shad)
    |let's|lets|let\sme|let\sus)\b""",
    re.I | re.X,
)
_IT = re.compile(r"\b(?:it|it's|them|they|they're|its|their)\b", re.I)
_THING = re.compile(
    r"""\ue000|\b(?:the|a|an|any|all|every|each|no|our|your|my|new|some|other|these|own)\s+\S+
    |[A-Za-z]\w*[_.:/-]\w|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}"""
    r"""|\b(?:if|when|whenever|once|until|before|after|unless|while|with|without|of|for|to|in|on|use
    |using|run|keep|make|write|add|avoid|anything|something|everything)\s+(?!it\b|them\b|they\b|you\b|i\b
    |we\b)\w{3,}|\w{3,}s\b""",
)
_DANGLES = re.compile(
    r"""(?:\b(?:and|or|but|with|to|the|a|an|of|for|because|that|in|on|at|by|from|so|if|when|is|are|was|be
    |we|you|i|my|your|our|etc\.? and|then|also|like|as|e\.g|i\.e|und|oder|mit|et|ou|y|o)|[:,(\[{]|=>
    |->)$""",
    re.I,
)
_LOST = re.compile(
    r"""\.\.\.+$|…$|\bblah\b|\[[^\]]*(?:image|screenshot)[^\]]*\]
    |\b(?:screenshot|screen\sshot|attached|attachment)\b""",
    re.I | re.X,
)
_HAS_WORD = re.compile(r"[^\W\d_]{2,}")


def stands(text: str) -> bool:
    """Whether nothing in trimmed words points outside them, to this moment, or at what the speaker did."""
    if len(text.split()) < _FEWEST_WORDS or len(text) > _LONGEST or not _HAS_WORD.search(text):
        return False
    if _POINTS_FIRST.match(text) and not _FIRST_OK.match(text):
        return False
    patterns = (_POINTING, _NOW, _NARRATES, _DANGLES, _LOST)
    return not any(pattern.search(text) for pattern in patterns) and _resolves(text) and _balanced(text)


def _resolves(text: str) -> bool:
    """Whether the first pronoun has something before it in the sentence that it can mean."""
    pronoun = _IT.search(text)
    return pronoun is None or _THING.search(text, 0, pronoun.start()) is not None


def _balanced(text: str) -> bool:
    pairs = all(text.count(first) == text.count(last) for first, last in ("()", "[]", "{}"))
    return pairs and all(text.count(mark) % 2 == 0 for mark in '"`') and text.count("“") == text.count("”")
