"""Judges whether trimmed words can be understood by somebody who reads nothing else. Pure."""

import re

from learnloop.learn.language.imperatives import is_order
from learnloop.learn.language.phrases import either, lowered, pattern

_FEWEST_WORDS = 2
_LONGEST = 400
_OUR_PLACE = either(
    r"""repo repository project code\s?base app application package library team company monorepo workspace
    machine product server"""
)
_OUTSIDE = either(
    """it it's its this that that's these those they they're their he she there's there such here here's
    same neither
    one ones not nor which who whose what what's whatever how why whether or like than else otherwise yes
    option maybe perhaps probably hopefully because since so but and then also too including except even
    dies das diese[rsn]? es ça c'est eso esto with_the to_be some_sort seems looks sounds wondering turns
    is are was were do_(?:you|we|i) does did can_(?:we|i|it|you) could_(?:we|i|it|you)
    should_(?:we|i|it|you) shall if_(?:not|so) different_than looking_for
    am doesn't didn't isn't have_(?:you|we) has_(?:it|the) any_(?:idea|way|chance|thoughts) remind_me"""
)
_POINTS_FIRST = pattern(rf"^(?:{_OUTSIDE})\b")
_FIRST_AFTER_ALL = pattern(
    rf"""^(?:this|our)\s(?:{_OUR_PLACE})\b|^this\sis\s(?:a|an|our)\s(?:mono)?(?:{_OUR_PLACE})\b
    |^there\s(?:must|should|is\s(?:no|only|always)|are\s(?:no|only
    |always))\b
    |^(?:since|because|as)\s[^,]+,\s|^(?:like\s\w+\sin|das\s\w+\s(?:ist|muss|soll|wird)|whatever\s.+,
    |not\severy)\b"""
)
_GENERIC = either(
    """one ones two option approach item thing things point part error issue step steps change changes task
    phase
    section sections file files"""
)
_ORDINAL = either("first second third last other latter former same next previous following rest new old")
_BEFORE_THAT = either("like of about with for than after before from to in on at by")
_COUNTED = either(
    """option step phase task item point number part issue question idea fix approach choice chunk stage"""
)
_POINTING = pattern(
    rf"""\b(?:this|these|those)\b(?!\s(?:is\s(?:a|an|our)\s)?(?:{_OUR_PLACE})\b)|\bthat(?=$|[,;.]|\s(?:when
    |if|unless|again)\b)
    |(?:^\w+|\b(?:{_BEFORE_THAT}))\sthat\s(?!reason\b)
    (?!(?:the|a|an|you|we|i|it|is|are|was|all|every|no|any|they|there|never|only|must)\b)
    |(?:^|\b(?:to|and|we|not|then|just|don't)\s)
    «do fix keep bring use name call put undo revert change remove delete need want»\sthat\s\w+
    |\b(?:above|below|the\s(?:{_ORDINAL})\s(?:{_GENERIC})|the\s(?:latter|former|others?)|as\sfollows|that\sone
    |same\sthing|likewise|over\sthere|up\sthere|in\sthere|in\shere|(?:add|put|move|leave
    |place)\s(?:it\s)?here)\b
    |\b(?:{_COUNTED})\s\#?(?:\d+|[a-d])\b|(?:^|\s)\#\d+\b|\bfor\s(?:ux)?\#?\d\b|\b\d[.)]\s.*\b\d[.)]\s
    |\b(?:ux|d)\d\b
    |^(?:keep|drop|use|take|do|remove|delete|add)\s(?:both|all|either|neither|none|them|it)\b
    |\b(?:every|any)thing\selse\b|\s(?:just\s)?(?:use|pick|keep|need|want)\sone$
    |\b(?:comment|note|line|test)\sthere\b|^\S+\s\d+$"""
)
_NOW = pattern(
    r"""\b«today tonight tomorrow yesterday for_(?:the_moment|now) at_the_moment right_now just_now this_once
    a_(?:minute|moment|second)_ago jetzt heute maintenant ahora this_time so_far»\b|^(?!«don't do_not never
    no not»\b|i\sdon't\b).*\byet\b(?!\sagain)
    |\bnow(?!\s(?:on|and\sthen)\b)|^(?:continue|proceed|go\sahead|try\sagain|carry\son|hold\soff)\b"""
)
_DID = either(
    """ran run tried got get see saw found did didn't had was made added changed removed updated moved
    noticed think
    thought believe guess assume wonder wondered hope know understand meant mean remember feel agree couldn't
    created
    fixed deleted merged pushed opened started restarted went switched copied installed realized clicked
    checked tested
    suggested mentioned asked told said am_(?!using|on\b|an?\b|the\b|not_a_fan) suspect
    just_(?!want|like|need|prefer)
    also_(?!want|like|need|prefer)
    already can't cannot can_(?:see|find|get|run|not) could
    don't_(?:see|know|think|understand|get|remember)"""
)
_NARRATES = pattern(
    rf"""(?:^|[,;:.]\s(?:and\s|but\s|so\s|because\s)?|\b(?:and|but|so|because|as|that|which)\s)
    i(?:'ve\s|'ll\s|\swill\s|\shave\s(?!to\b|no\b|a\b|the\b)|'m\s(?!not\s(?:a\sfan|planning)|using\b|on\b
    |an?\b)
    |\slike\s(?:it|this|that)\b|\s(?:{_DID})\b)
    |^(?:we(?:'re\s(?!using|on\b|not\susing)|'ve|'ll|\sare\s(?:now|going|getting|still)|\shave\snow
    |\sjust\s(?!want|need)
    |\sgot|\swere|\sdid|\shad\b)|(?:let's|lets)\s(?!not\b)|let\sme\s(?!know)|let\sus|my\s(?:question|point
    |guess
    |understanding))\b
    |\b(?:are|is)\syou(?:r)?\b"""
)
_IT = pattern(r"\b(?:it|it's|them|they|they're|its|their)\b")
_IDIOM = pattern(r"\bkeep\sit\s«simple short concise brief minimal clean small readable»\b")
_THING = re.compile(
    r"""\ue000|^(?!(?i:you|we|i|it|they|he|she|no)\b)\w+\s(?:should|must|is|are|needs?|has|can|will)\b
    |\b[a-z]+[A-Z]\w*
    |\b(?!\w+ing/)[A-Za-z]\w*[_.:/-]\w
    |\b(?:[Tt]he|[Aa]|[Aa]n|[Aa]ny|[Aa]ll|[Ee]very|[Ee]ach|[Nn]o(?!\sneed)|[Oo]ur|your|[Mm]y|new|some|other
    |own)\s+\S+
    |\b(?:if|[Ww]hen|whenever|once|until|before|after|unless|while|with|without|of|for|in|on|use|using|run
    |keep
    |make|write|add|avoid|anything|something|everything)\s+(?!(?:it|them|they|you|i|we)\b)\w{3,}|\w{3,}s\b""",
    re.X,
)
"""What a pronoun after it may mean."""
_DANGLES = pattern(
    r"""(?:(?<![-\w])«and or but the a an of because that by from so if when is are was be we you
    i my your our then also like as e\.g i\.e und oder mit et ou y o which than»|[,:(\[{]|=>|->)$"""
)
_LOST = pattern(
    r"""\.\.\.+$|…$|\bblah\b|\[[^\]]*(?:image|screenshot)[^\]]*\]|\b(?:the|this|see|in|a)\s(?:screen\s?shot
    |attachment)s?\b
    |\b(?:is|are|see|the)\sattached\b|\battached\s(?:is|are|file|image|log)\b|\b(?:files?|image
    |logs?)\sattached\b"""
)
_NO_PROSE = re.compile(
    r"^(?:\d|[^\w\s\"'`(\ue000@/$~.<#*-]|//|/\*|\(|[0-9a-f]{7,}\b|[A-Z?]{1,2}\s{1,3}\S+[./])"
    r"|[│┃━→✗✓✔×♻📊🔄➜❯]|\s{3,}|^\w+\(|^(?:let|const|var|import|async|def|class|return|from)\s\S+\s?[=({]"
    r"|[;{}]$|=>|\b\w+\(\)\s*\{|^[\w.]+\.\w+\(.*\)$"
)
"""Code, a listing or a line of a log, which look like no sentence."""
_HAS_WORD = re.compile(r"[^\W\d_]{2,}")
_SAYS = pattern(
    r"""\b«is are isn't aren't has have hasn't haven't must mustn't should shouldn't shall can can't cannot
    may need
    needs needn't will won't do does doesn't don't would could uses? lives? goes? runs? works? belongs?
    means? requires?
    contains? takes? comes? gets? keeps? expects? supports? returns? writes? reads? stores? lies? sits?
    starts? ends?
    depends? applies apply follows? prefers? wants? like hate dislike no_longer stays?
    calls? makes?
    looks? provides? allows? handles? builds? deploys? controls? fetch(?:es)? ships?
    sollen? muss müssen darf ist sind wird werden hat haben
    gehört est sont doit doivent va es son debe deben
    tienen?
    go live belong run work come start end says? supposed usamos hay_que gehören liegen heißen»\b
    |\w\s«always only immer toujours siempre»\s«in en auf»\s|\b(?!always)\w{3,}s\s«the a an every»\b
    |\b\w+'(?:s|re|d)\s|\bwe\s\w+|^i\s\w+"""
)
"""A verb of a fact."""
_CONTRASTS = pattern(
    r"^(?!no\b|kein|pas\b|sin\b)\S+(?:\s\S+){0,3},\s(?:and\s)?(?:not|never|nicht|pas|no)\s\S+"
)
_APPRAISES = pattern(
    r"""\b«is are looks? seems? works? worked sounds? was were»\s(?:\w+\s){0,2}?
    «good great fine nice perfect better ok(?:ay)? awesome cool done working well passing complete ready
    amazing
    beautiful solid trivial correct fixed resolved merged up_and_running unlikely»\b
    |^«super pretty very looks? good great nice no_errors? works test
    tests_(?:are_)?pass»\b|\bi\s(?:love|like)\s(?:it|this|that|how|the)\b|\ball\si\s(?:see|get)\b"""
)


def stands(text: str, *, is_rule: bool = False) -> bool:
    """Whether trimmed words are an order or a fact, and nothing in them points to what they do not say.

    `is_rule`: they came after words such as `as a rule`, so that they need no verb.
    """
    if len(text.split()) < _FEWEST_WORDS or len(text) > _LONGEST or not _HAS_WORD.search(text):
        return False
    low = _IDIOM.sub(lambda match: match[0].replace("it", "xx"), lowered(text))
    if _POINTS_FIRST.match(low) and not (_FIRST_AFTER_ALL.match(low) or is_order(text)):
        return False
    if _NO_PROSE.search(text) or any(blemish.search(low) for blemish in _BLEMISHES):
        return False
    if _NAMELESS.search(low) and not _NAMED.search(text) and len(text.split()) <= _BRIEF:
        return False
    return _resolves(text, low) and _balanced(text) and (is_rule or is_order(text) or _is_fact(low))


_BRIEF = 9
_NAMELESS = pattern(
    r"""\bthe\s«pattern flag fallback message overview view views fix plan change output feature button
    table page screen command option section prompt error list function branch script notes mechanism blocker»
    (?:\s«is are should must needs?»\b|[,;.]|$)"""
)
"""A thing that the sentence before has named."""
_NAMED = re.compile(r"\ue000|[`\"@/]|\w[._]\w|\b[a-z]+[A-Z]|\b[A-Z]{2,}\b|(?<=\s)[A-Z][a-z]+")
_LEANS = pattern(
    r"""^«assuming_so for_example for_instance notice_how going_to try_again
    don't_(?:think|believe|see|know|understand) do_not_think would_be could_be»\b
    |^if\s«we you it they i»
    \s«can't cannot can don't do doesn't does isn't is aren't are didn't did won't»\s?,
    |(?<!even\s)\bthough\b
    |\b«should must can will to»\s\(|,\stry$|\b«presumably probably i_guess»\b
    |\b«may might»\s(?:not\s)?want\b|\bis\sthere\sany\b|\bdoes\s«that it this»\s"""
)
"""Leans on the sentence before, or is only guessed."""
_BLEMISHES = _POINTING, _NOW, _NARRATES, _DANGLES, _LOST, _LEANS


def _is_fact(low: str) -> bool:
    says = _SAYS.search(low) or _CONTRASTS.search(low)
    return says is not None and _APPRAISES.search(low.split(", ", 1)[0]) is None


def _resolves(text: str, low: str) -> bool:
    """Whether the first pronoun has something before it in the sentence that it can mean."""
    pronoun = _IT.search(low)
    return pronoun is None or _THING.search(text, 0, pronoun.start()) is not None


def _balanced(text: str) -> bool:
    pairs = all(text.count(first) == text.count(last) for first, last in ("()", "[]", "{}", "“”"))
    return pairs and all(text.count(mark) % 2 == 0 for mark in '"`')
