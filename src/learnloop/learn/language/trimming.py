"""Cuts a sentence to what is to be remembered: openers, blame, politeness and swearing go. Pure.

Nothing is reworded: what is left are the person's own words in their order.
"""

import re
from collections.abc import Iterable


def _patterns(*sources: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(source, re.I | re.X) for source in sources)


_PAUSE = r"(?:\s*[,:;.!?…]+|\s+[-–—]+(?=\s))+\s*"
_GAP = r"[\s,:;.!?…–—-]*"
_FILES = r"""(?:(?:the|our|your|my|this)\s)?(?:project(?:'s)?\s|global\s|cursor\s|copilot\s|agent(?:s|'s)?\s
    |claude\s)*
    (?:\S*claude\.md|\S*agents\.md|\S*\.cursorrules|\S*\.mdc?|rules?|ruleset|instructions?|guidelines?
    |memory|memories
    |conventions|steering|(?:rules?|instructions?|memory|guidelines)\sfiles?)(?:\sfiles?)?"""

_OPENERS = _patterns(
    # words that only open, whatever follows
    rf"""^(?:uh+m?|um+|hm+|oh|ah|ugh|argh+|o?kay|ok|well|yeah|yep|yup|hey|hi|hello|dude|bro|sorry|please
    |pls|plz|btw
    |by\sthe\sway|actually|seriously|honestly|basically|anyway|anyways|additionally|furthermore|moreover
    |bitte|por\sfavor
    |s'il\s(?:te|vous)\spla[iî]t|once\sagain|yet\sagain)\b{_GAP}(?=\S)""",
    r"^(?:so|and|but|also|then|though|just|plus|und|aber|also|mais|et|pero|y)\b[\s,:-]+(?=\S)",
    # words that open where a pause follows
    rf"""^(?:no+(?:\s(?:man|dude|no|thanks))?|nope|nah|wait|close|almost|not\squite|not\sreally|wrong
    |incorrect|false|stop|look|listen
    |man|yes|thanks(?:\s(?:a\slot|so\smuch|man))?|thank\syou|great(?:\s(?:job|work))?|good(?:\sjob
    |\swork)?|nice(?:\swork)?|perfect
    |cool|alright|all\sright|right|fine|merged|not\strue|exactly|correct|awesome|excellent|lgtm|again
    |first|second(?:ly)?|finally|lastly
    |next|one\s(?:more\s|last\s)?(?:thing|note)|important|critical|note|reminder|hint|remark|warning
    |attention|nein|falsch|non|genau|gut|eso\sno\ses
    |c'est\sfaux|wtf|omg|ffs|jesus|christ|damn(?:\sit)?|dammit|shit|fuck|what\sthe\s(?:hell|fuck
    |heck)(?:\sman)?|(?:for\s)?(?:fuck|god|christ)'?s?\ssake)
    {_PAUSE}(?=\S)""",
    r"^no+\s(?=(?:use|we|don't|do\snot|please|just|always|never|only|keep|put|make|write|run)\b)",
    rf"^(?:for\sthe\s(?:\w+\s)?(?:time|love\sof\sgod)|how\smany\stimes){_PAUSE}(?=\S)",
    r"""^(?:that's|this\sis|it\slooks|looks|this\slooks|that\slooks|works)\s(?:great|good|nice|fine
    |better|ok(?:ay)?|perfect|awesome)[^,.;]{0,20}
    [,;]\s(?:but|though|except|however,?)\s(?=\S)""",
    rf"^(?:das\s(?:ist|war)\s(?:falsch|nicht\srichtig)|eso\sno\ses(?:\sas[ií])?|c'est\sfaux)\b{_GAP}(?=\S)",
    rf"""^(?:that|this|it)(?:'s|\sis|\swas)\s(?:just\s|simply\s)?(?:not\s(?:right|correct|true
    |what\si\s(?:want|asked|meant|said)(?:ed)?(?:\sfor)?)
    |wrong|incorrect|false|backwards){_PAUSE}(?=\S)""",
    r"^(?:maybe|perhaps),?\s(?=(?:use|we|you)\b)",
    r"^i\s(?:think|guess|believe|feel\slike|mean|meant)\s(?:that\s)?(?=(?:we|you)\s(?:should|must|need)\b)",
    # said before
    r"""^(?:as|like)\si(?:'ve|\shave)?\s(?:already\s)?(?:said|told\syou|mentioned|asked)(?:\s(?:before
    |already|earlier|many\stimes))*\s*[,:;-]*\s*(?=\S)""",
    r"""^i(?:'ve|\shave)?\s(?:already\s|literally\s|explicitly\s|clearly\s|just\s|specifically\s)*(?:said
    |told\syou|asked(?:\syou)?|instructed\syou|keep\s(?:telling|saying|asking)(?:\syou)?)
    (?:\s(?:before|already|many\stimes|multiple\stimes|again\sand\sagain|twice|\w+\stimes))*\s*(?:[,:]\s*
    |that\s|to\s(?!you\b))(?=\S)""",
    r"""^how\s(?:many\stimes|often)\s(?:do|must|should|have)\si\s(?:have\s|need\s)?(?:to\s)?(?:tell|told
    |say|said|ask|asked|repeat)(?:\s(?:to\s)?you)?\s(?:to\s|that\s)(?=\S)""",
    # to be remembered
    r"""^(?:(?:please\s)?(?:always\s)?(?:remember|memori[sz]e|note|take\snote|keep\sin\smind
    |bear\sin\smind|be\saware|make\s(?:a\s)?(?:mental\s)?note|don't\sforget|do\snot\sforget|never\sforget
    |merk\s?(?:e\s)?dir|denk\sdaran|recuerda|n'oublie\spas|souviens-toi)(?:\salso
    |\sfor\s(?:the\s)?(?:next\stime|future|later))?
    \s*(?:[:,;]\s*|\s-+\s|that\s|dass\s|que\s|to\s(?!me\b|you\b|self\b)|de\s|\s(?=(?:always|never|we|the
    |you|don't|do|use)\b)))(?=\S)""",
    r"""^(?:lessons?\slearned|fyi|for\s(?:your|ur)\sinformation|for\sthe\srecord|(?:new\s|house\s
    |general\s|another\s|golden\s|hard\s|important\s)*rule(?:\s(?:of\sthumb|number\s\w+|\#?\d+))?
    |note\sto\sself|tip|ps|p\.s\.?|nb|n\.b\.?)\s*(?:[:,-]+\s*|\sis\sto\s|\sis:?\s(?:that\s)?)(?=\S)""",
    rf"""^(?:let's\s)?(?:make|create|add|write|set(?:\sup)?|put|store|save|establish
    |define)\s(?:it\s)?(?:a|an|the|another|this|one|this\sas\sa)?\s?(?:new\s|general\s|global\s|project\s
    |hard\s|permanent\s|cursor\s|standing\s|strict\s)*
    (?:rule|habit|memory|guideline|instruction|convention|note|principle|policy)s?(?:\s(?:in|to|for
    |into)\s{_FILES})?(?:\sfor\s(?:yourself|you|me|this\sproject|this))?
    \s*(?:[:,-]+\s*|that\s(?:says\s(?:to\s)?|you\sshould\s)?|to\s(?!{_FILES})|of\s|so\s(?:that\s)?
    |saying\s(?:that\s)?|which\ssays\s)(?=\S)""",
    rf"""^(?:add|put|save|store|write|commit|record|document|note|include|mention|specify)\s(?:(?:it|this
    |that|a\snote|a\sline|an\sentry|a\srule|something)\s)?(?:down\s)?(?:to|in|into|for)\s{_FILES}
    \s*(?:[:,-]+\s*|that\s|to\s|saying\s(?:that\s)?|so\s(?:that\s)?|about\s(?=always|never|not))(?=\S)""",
    rf"""^(?:update|change|edit|modify|adjust|extend|fix|improve)\s{_FILES}\s*(?:[:,-]+\s*|that\s
    |so\s(?:that\s)?|to\s(?:say|state|mention|include|reflect|make\ssure|ensure|require
    |specify)\s(?:that\s)?|to\s(?=always|never)|in\sorder\sto\s|such\sthat\s)(?=\S)""",
    r"""^(?:from\snow\son(?:wards?)?|from\s(?:here|this\spoint)\son(?:\sout|wards?)?
    |from\sthis\spoint\sforward|going\sforwards?|moving\sforwards?|in\s(?:the\s)?future|for\s(?:the\s
    |all\s|any\s)?future(?:\s(?!work\son)\w+)?
    |next\stime|for\snext\stime|as\sa\s(?:general\s)?rule(?:\sof\sthumb)?|in\sgeneral
    |generally(?:\sspeaking)?|hereafter|henceforth|starting\snow|as\salways|for\sme|again
    |ab\s(?:jetzt|sofort)|in\szukunft|k[üu]nftig|zuk[üu]nftig|[àa]\spartir\sde\smaintenant|d[ée]sormais
    |de\sahora\sen\sadelante|a\spartir\sde\sahora)\b[\s,:;-]*(?:bitte\s|por\sfavor\s)?(?=\S)""",
    # politeness
    r"""^(?:can|could|would|will|can't|couldn't)\s(?:you|u)\s(?:please\s|pls\s|also\s|just\s|maybe\s
    |at\sleast\s|kindly\s)*(?=[a-z])(?!mind\b)""",
    r"^(?:kannst|k[öo]nntest)\sdu\s(?:bitte\s)?(?=\S)|^kindly\s(?=\S)",
    r"""^(?:i\s(?:really\s)?(?:want|need|expect)\s(?:you|u)\sto|i(?:'d|\swould)\s(?:really\s)?(?:like
    |love|want|prefer|appreciate)\s(?:it\sif\s)?(?:for\s)?you\sto|(?:i\s(?:want|need)
    |i'd\slike)\sto\sask\syou\sto|i\s(?:ask|beg)\syou\sto
    |(?:we|you|u)\s(?:need|ought|are\ssupposed|are\sgoing)\sto\s(?:make\ssure\s(?:that\s)?you)
    |it\swould\sbe\s(?:nice|great|good|better|cool)\sif\syou\s(?:could|would))\s(?=[a-z])""",
    r"""^i(?:'d|\swould)\s(?:really\s)?(?:like|love|prefer)\s(?:for\sus\s)?to\s(?=(?:avoid|keep|always
    |never|only|stop|use)\b)""",
    r"""^(?:let's|lets|let\sus)\s(?=(?:always|never|avoid|only|use|keep|prefer|stick|not|make\ssure|stop
    |don't)\b)""",
    r"""^(?:(?:you\s(?:need|have|must)\s(?:to\s)?)?(?:please\s)?(?:make|be|making)\s(?:(?:very|absolutely
    |damn|100%|really|double)\s)?sure|ensure|see\sto\sit|take\scare|make\scertain)\s
    (?:also\s)?(?:(?:that\s)?(?:you|we|u)\s(?:always\s(?=\w)|also\s)?(?!have\b|are\b|can\b|'re\b|were\b
    |got\b|understand\b|know\b|get\b|will\b|'ve\b|did\b)|(?:that\s)?to\s)(?=(?:[a-z]|\ue000))""",
    r"^(?:try|feel\sfree)\sto\s(?=(?:always|never|avoid|use|keep|only|not|prefer)\b)",
    r"""^(?:it(?:'s|\sis)|that(?:'s|\sis))\s(?:very\s|really\s|super\s|extremely\s|also\s)?(?:important
    |critical|crucial|essential|vital|key)\s(?:that|to\snote\s(?:that)?|to\sremember\sthat)\s(?=\S)""",
    # a chore of this once before a standing order
    r"""^(?:(?:for\snow,?\s)?(?:fix|revert|undo|redo|do|change|clean|remove|rewrite|restore)\s(?:this
    |that|it|them|these|those|everything)(?:\s(?:now|up|back))?\s?(?:,\s?and|,|and)\s(?:then\s)?)
    (?=(?:please\s)?(?:always|never|don't|do\snot|make\ssure|from\snow|add\sto|remember|next\stime
    |in\s(?:the\s)?future)\b)""",
)  # fmt: skip
_BLAME_FIRST = re.compile(
    r"^(?:you|u|why|wtf|what\sthe|how\scome|stop\sdoing\sthat)\b[^,;:—]{0,160}(?:[,;:]|\s—|\s-)\s+"
    r"""(?=(?:please\s|just\s|you\s(?:must|should)\s)*(?:use|always|never|don't|do\snot|only|run|keep|put
    |write|stop|avoid|prefer|we)\b)""",
    re.I | re.X,
)
_TAILS = _patterns(
    r"""(?:\s*[,;]\s*|\s+[-–—]+\s*|\s+)(?:please|pls|plz|thanks(?:\s(?:a\slot|man))?
    |thank\syou(?:\svery\smuch)?|thx|for\s(?:god|fuck|christ)'?s?\ssake|ffs|goddamn(?:it)?|dammit
    |damn\sit|lol|haha+
    |as\s(?:always|i\s(?:said|told\syou|mentioned)(?:\s(?:before|already|earlier))*)|like\si\s(?:said
    |told\syou)(?:\s(?:before|already))*
    |from\snow\son(?:wards?)?|going\sforwards?|moving\sforwards?|in\s(?:the\s)?future(?:\s(?:sessions?
    |too|please))?|next\stime|again|bitte|por\sfavor|merci|danke|gracias|s'il\s(?:te|vous)\spla[iî]t)$""",
    r"""\s*[,;]\s*(?:ok(?:ay)?|right|man|dude|bro|yeah|yes|no|wth|wtf|mate|buddy|got\sit|understood
    |understand|alright|cool|deal|comprende|capisce|will\syou|would\syou|damn)$""",
    r"""\s*(?:[,;]|\s[-–—]+)\s*(?:and\s|but\s|because\s)?(?:i|we)(?:'ve|\shave)?\s(?:already\s|just\s
    |clearly\s|literally\s)*(?:told|said|asked|mentioned|explained|discussed|talked\sabout
    |warned)\b[^,;]{0,60}$""",
    r"""\s*(?:[,;]|\s[-–—]+)\s*(?:and\s|but\s|because\s|why\s(?:did|do|are)\s)?you(?:'ve|\shave|\skeep
    |\sare|\swere|\sdid|\sdo|\sdidn't|\sdon't|\sforgot|\salways|\sused|\sstill|\sjust|\sagain|\smissed
    |\sbroke)\b[^,;]{0,80}$""",
)  # fmt: skip
_SWEARING = re.compile(
    r"""\s(?:fucking|fuckin|f\*+ing|effing|freaking|frigging|goddamn(?:ed)?|damn|bloody|stupid|shitty)(?=\s)""",
    re.I | re.X,
)
_PLEASE = re.compile(r",?\s(?:please|pls|plz|kindly|bitte),?(?=\s)", re.I)
_EDGES = " \t\n,;:.!…-–—*_#>"


def trimmed(text: str) -> str:
    """A sentence without opener, blame, politeness and tail; as it was where nothing would be left."""
    left = _PLEASE.sub("", _SWEARING.sub("", text.strip(_EDGES)))
    while True:
        shorter = _without_first(left, (*_OPENERS, _BLAME_FIRST))
        for tail in _TAILS:
            shorter = tail.sub("", shorter, count=1)
        shorter = shorter.strip(_EDGES)
        if shorter == left or len(shorter.split()) < 2:
            return left
        left = shorter


def _without_first(text: str, openers: Iterable[re.Pattern[str]]) -> str:
    for opener in openers:
        text = opener.sub("", text, count=1).lstrip(_EDGES)
    return text


def opens_a_rule(text: str) -> bool:
    """Whether a sentence says itself that what follows is to be remembered."""
    return _RULE_OPENER.search(text) is not None


_RULE_OPENER = re.compile(
    r"""\b(?:from\snow\son|going\sforward|moving\sforward|in\s(?:the\s)?future|next\stime|remember
    |memori[sz]e|keep\sin\smind|bear\sin\smind|be\saware|fyi
    |for\s(?:your|future|the\s)\s?\w+|lessons?\slearned|as\sa\s(?:general\s)?rule|rule|rules|guidelines?
    |instructions|claude\.md|agents\.md|cursorrules|memory|note(?:\sthat)?
    |ab\s(?:jetzt|sofort)|in\szukunft|merk|d[ée]sormais|recuerda|de\sahora)\b""",
    re.I | re.X,
)
