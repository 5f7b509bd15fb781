"""Takes openers, politeness and tails from a sentence, so that the detector's patterns see its core."""

import re

_OPENERS = tuple(
    re.compile(pattern, re.I | re.X)
    for pattern in (
        # words that only open, whatever follows
        r"""^(?:uh+m?|um+|hm+|oh|ah|ugh|ok(?:ay)?|well|so|and|but|also|then|yeah|yep|yes|hey|dude|sorry|please|pls|just|btw
        |by\sthe\sway|actually|seriously|honestly|personally|though|because|again,)\b[\s,:;.!…-]*(?=\S)""",
        # words that open where a pause follows
        r"""^(?:no+(?:\sman|\sdude)?|nope|nah|wait|close|almost|not\squite|not\sreally|wrong(?:\s\w+)?|incorrect|false|stop|look|listen|man
        |thanks(?:\s\w+)?|thank\syou|great|good|nice|perfect|cool|alright|right|fine|merged|not\strue|i\sdisagree)\s*(?:[,:;.!…]|\s-|-\s)[\s,:;.!…-]*(?=\S)""",
        r"^for\sthe\s[a-z\d]+\stime\b(?!\sbeing)[\s,:;-]*(?=\S)",
        r"^(?:(?:maybe|perhaps),?|let's|lets)\s(?=use\b)",
        r"^in\s(?:this|our)\s(?:repo|repository|project|code\s?base|team|module)(?:,\s|\s(?=we\b))",
        r"^(?:that's|this\sis|it\slooks|looks)\s(?:great|good|nice|fine|ok(?:ay)?)[^,]{0,20},\s(?:but|though|except)\s(?=\S)",
        r"^(?:das\s(?:ist|war)\s(?:falsch|nicht\srichtig)|nein|falsch|eso\sno\ses|non|c'est\sfaux)\b[\s,:;.!-]*(?=\S)",
        r"^no+\s(?=(?:use|we|it|don't|do\snot|please|just|the|always|never|only|i|keep|put)\b)",
        r"""^(?:that|this|it)(?:'s|\sis|\swas|\slooks|\sseems)?\s(?:just\s|simply\s)?(?:not\s(?:right|correct|true|what\s\S+\s\S+)|wrong|incorrect|false|backwards)
        \b[\s,:;.!-]*""",
        r"^i\s(?:think|guess|believe|feel\slike|mean|meant|thought)\s(?:that\s)?(?!you\b)",
        r"^i\sthink\syou\s[^;,]*[;,]\s*",
        r"^(?:can|could|would|will)\syou\s(?:please\s)?(?=[a-z])",
        r"""^(?:make\ssure|be\ssure|ensure|try|you\s(?:need|have|ought|want)|i\s(?:want|need)\syou|i(?:'d|\swould)\slike\syou)\s
        (?:to\s(?=always|never|only|use|run|ask)|(?:that\s|to\s)?you\s(?=always|never|only))""",
        r"""^(?:remember|note|keep\sin\smind|bear\sin\smind|lessons?\slearned|be\saware|fyi|for\syour\sinformation|make\sa\s(?:mental\s)?note|rule|new\srule
        |house\srule|merke?\sdir)(?:\s(?:also|for\s\w+))?\s*(?::|,|\bthat\b|\bto\b|\s(?=always|never|we|the))\s*(?=\S)""",
        r"""^(?:from\snow\son|going\sforward|from\shere\son(?:\sout)?|in\s(?:the\s)?future|for\s(?:the\s|all\s)?future(?:\s\w+)?|next\stime
        |for\snext\stime|as\sa\s(?:general\s)?rule(?:\sof\sthumb)?|in\sgeneral|generally|by\sdefault|as\salways|once\sagain|for\sthe\srecord
        |hereafter|henceforth|as\si\ssaid|like\si\ssaid|if\spossible|when\spossible)\b[\s,:;-]*""",
    )
)
_TAIL = re.compile(
    r"(?:\s*[,;]\s*(?:ok(?:ay)?|right|man|dude|yeah|yes|no|wth|wtf)"
    r"|[\s,;-]+(?:please|pls|thanks|thank you|for god's sake|you know|as i said|like i said|instead"
    r"|from now on|going forward|in (?:the )?future|next time|again|anymore|any more|at all|ever))+$",
    re.I,
)
_TOLD_SO = re.compile(r",\s+(?:and\s)?you\s(?:were|are|did|didn't|said|already|know)\b[^,;]*$", re.I)
_FORCE_PUSH = re.compile(r"\b(force) (?=push)", re.I)


def strip_lead_in(text: str) -> str:
    """A sentence without opener and tail."""
    left = _FORCE_PUSH.sub(r"\1-", text).strip(' \t\n,;:.!-–—*"')
    while True:
        shorter = left
        for opener in _OPENERS:
            shorter = opener.sub("", shorter, count=1).strip(" ,;:")
        shorter = _TAIL.sub("", _TOLD_SO.sub("", shorter))
        if shorter == left or not shorter:
            return left
        left = shorter
