"""The forms of words that decide what a prompt is: each with a name that a person can read.

Patterns are written in verbose form: spaces in them stand for nothing, `\\s` for a space.
"""

import re

Cue = tuple[str, re.Pattern[str], float]
"""Name, form, confidence. A group `verb` has to be the base form of a verb."""


def _cue(name: str, pattern: str, confidence: float) -> Cue:
    return name, re.compile(pattern, re.I | re.X), confidence


_LEAD = r"(?:(?:please|also|and|so|but|ok|okay|well|hmm*|dude|hey|now)[,.\s]+)*"
_ORDERS = r"""(?:you|please|always|never|don't|do\snot|just|use|run|ask|put|write|make|keep|add|check|read
|tell|follow|avoid|stop)\b"""

_HERE = r"(?:in\s(?:this|our)\s(?:repo|repository|project|code\s?base|team|company|module)|(?:around\s)?here)"

TASK_ABOUT_WORDS = re.compile(
    r"""^(?:please\s)?(?:write|add|create|find|make(?!\s(?:sure|(?:it\s)?a\s(?:habit|rule|point)))|implement|translate|explain|rename|show|list|update|fix|document
    |look|check|search|build)\b(?!.*\b(?:from\snow\son|going\sforward|in\s(?:the\s)?future|every\stime|whenever)\b)""",
    re.I | re.X,
)
"""A task that only speaks of such words: `write a lint rule that says never use var`."""
ASKS_WHETHER = re.compile(
    r"\b(?:whether|if|where|why|how|which|places|cases|(?<!sure\s)that)\s(?:we|you|they|it)\s(?:always|never|usually)\b",
    re.I,
)
"""Speaks of what may be so: `check whether we always close it`."""
POLITE_ORDER = re.compile(
    r"^(?:can|could|would|will)\syou\s(?:please\s)?(?:always|never|stop|avoid|from\snow\son)\b", re.I | re.X
)
"""A question that is an order."""

STANDING: tuple[Cue, ...] = (
    _cue(
        "always or never",
        r"""(?:^|[,:;.!?]\s*|\b(?:and|but|so|also|please|pls|just|then|must|should|we|no|nope|ai
        |(?:sure|that|want|need|like)\s(?:that\s)?you(?:\sto)?|you\s(?:must|should))\s+)
        (?:always|never)\s+(?:ever\s+)?(?P<verb>[a-z-]+)\b""",
        0.9,
    ),
    _cue("always or never", rf"^{_LEAD}(?:always|never)\s(?P<order>[a-z-]+)\s+\S", 0.85),
    _cue(
        "from now on",
        rf"""\b(?:from\snow\son|going\sforward|from\shere\son(?:\sout)?|henceforth)\b
        |^{_LEAD}for\s(?:all\s)?future\s(?:sessions|reference|work|changes|commits|tasks|runs)\b
        |^{_LEAD}(?:in\s(?:the\s)?future|next\stime),?\s{_ORDERS}
        |,?\s(?:next\stime|in\sfuture|for\sfuture\s(?:sessions|work|changes|commits))$""",
        0.88,
    ),
    _cue("remember", rf"^{_LEAD}(?:remember|note\sfor\sthe\sfuture|(?:new|house)\srule|rule)\s*:", 0.88),
    _cue("remember that", rf"^{_LEAD}remember\s(?:to\s(?:always|never)|that\swe)\b", 0.8),
    _cue(
        "we do it here",
        r"""\bwe\s(?:(?:always|never|only|usually)\s)?(?:don't|do\snot|use|keep|put|write|name|call|run|prefix
        |commit|deploy|store|format|avoid|follow|spell|prefer|stick)\b
        [^?]*\b(?:here|around\shere|everywhere|in\s(?:this|our)\s(?:repo|project|code\s?base|repository|team|module))
        (?!\s(?:is|are|was)\b)""",
        0.88,
    ),
    _cue("we do it here", rf"^{_LEAD}{_HERE},?\swe\s(?:don't|do\snot|(?P<verb>[a-z-]+))\s", 0.88),
    _cue(
        "it is so here",
        rf"^{_LEAD}{_HERE},?\s(?!the\s(?:tests?|build)\b)[^?]*\b(?:always|never|must|only|has\sto|have\sto)\b",
        0.82,
    ),
    _cue(
        "we always or never",
        r"\bwe\s(?:always|never|usually|normally|generally)\s(?P<verb>[a-z-]+)\b",
        0.85,
    ),
    _cue(
        "all must",
        r"^(?:all|every|each|no)\s(?!of\b)[a-z][\w\s-]{1,40}?\s(?:must|has\sto|have\sto|needs?\sto)\s[^?]+$",
        0.75,
    ),
    _cue("ours always or never", r"^our\s[a-z\s-]{2,40}\s(?:always|never)\s(?!been\b)[a-z]", 0.8),
    _cue("whenever", rf"^{_LEAD}(?:whenever|every\stime|each\stime|any\s?time)\syou\b", 0.88),
    _cue(
        "preference",
        rf"^{_LEAD}(?:(?:personally|in\sgeneral|generally)[,\s]+)?(?:i|we)\s"
        r"(?:(?:much|really|strongly|generally|usually|always)\s)?prefer\s(?!not\sto\s)",
        0.82,
    ),
    _cue("preference", r"^(?:generally\s)?(?:i|we)\s(?:really\s)?like\s[^,;]+\s(?:better|more)\sthan\s", 0.8),
    _cue(
        "dislike",
        r"^i'm\snot\s(?:really\s)?a\s(?:big\s|huge\s)?fan\sof\s(?!this|that|the|how|your|these|those|it\b)",
        0.8,
    ),
    _cue("liking", r"^(?:i|we)\s(?:really\s)?(?:like|love|hate|don't\slike)\sit\swhen\b", 0.82),
    _cue(
        "rule of thumb",
        r"\b(?:rule\sof\sthumb|as\sa\s(?:general\s)?rule|make\s(?:it\s)?a\s(?:habit|rule|point)\b)",
        0.85,
    ),
    _cue(
        "no need to ask",
        r"\byou\s(?:can\s(?:skip|stop)\sasking|(?:don't|never)\s(?:need|have)\sto\sask|needn't\sask)\b",
        0.82,
    ),
    _cue(
        "to be avoided",
        r"\b(?:i|we)(?:'d\slike|\swould\slike|\swant)\s(?:you\s)?to\savoid\b.*\bas\smuch\sas\spossible\b",
        0.75,
    ),
    _cue("not ever", r"\b(?:don't|do\snot)\sever\s(?P<verb>[a-z-]+)\b|\bno\smatter\swhat,\sdo\snot\b", 0.88),
    _cue(
        "it is so here",
        r"""^(?:no,?\s)?it(?:'s|\sis)\s(?:always\s)?(?:spelled|spelt|called|named|written)\s.*
        \b(?:here|everywhere|in\sthis\s(?:repo|project|code\s?base))\b""",
        0.8,
    ),
    _cue(
        "immer oder nie",
        r"""\b(?:merke?\sdir|ab\s(?:jetzt|sofort)|k[üu]nftig)\b|^(?:bitte\s)?(?:immer|niemals)\s
        |^[a-zäöü]+e?\s(?:bitte\s)?(?:immer|niemals|nie)\s(?!ist|war|noch)""",
        0.85,
    ),
    _cue(
        "siempre o nunca",
        r"""(?:^|[,;:]\s*)(?:por\sfavor[,\s]+)?(?:[a-záéíóú]+\s)?(?:siempre|nunca|jam[áa]s|de\sahora\sen\sadelante
        |a\spartir\sde\sahora|recuerda)\s""",
        0.85,
    ),
    _cue(
        "toujours ou jamais",
        r"""\b(?:d[ée]sormais|dor[ée]navant|[àa]\spartir\sde\smaintenant)\b
        |^(?:ne\s)?[a-zéèà]+(?:ez|e|s)?\s(?:toujours|jamais)\s|^(?:toujours|jamais)\s""",
        0.85,
    ),
    _cue("总是", r"总是|永远|始终|从现在开始|以后(?:都|请|不要)?|记住|いつも|必ず|常に|今後", 0.85),
)

REJECTION: tuple[Cue, ...] = (
    _cue(
        "undo",
        r"""^(?:(?:no|nope|ok|okay|please|actually|hey|hmm+|wait|let's|can\syou|could\syou)[,.!\s]+)*
        (?:undo|revert|roll\sback|back\sout)\b(?!\s(?:button|feature|stack|command|function))
        |\bplease\sundo\b|\bundo\swhat\syou\b""",
        0.85,
    ),
    _cue(
        "halt",
        r"""^(?:(?:no|nope|ok|okay|please|wait|hey)[,.!\s]+)*(?:stop|hold\s(?:off|on)|cancel\s(?:that|this|it)|abort
        |never\s?mind|forget\s(?:it|that)|scrap\s(?:that|it|this)|leave\sit)$""",
        0.85,
    ),
    _cue(
        "not wanted",
        r"""^(?:(?:no|nope|nah|actually|hmm*|sorry)[,.!\s]+)*i\s(?:don't|do\snot|didn't)\s(?:want|like)\s
        (?:you\sto|to|that|this|it|the|any|a)\b""",
        0.75,
    ),
    _cue(
        "skip it",
        r"^(?:nah|no+|nope)[,.!\s]+(?:we'll\sskip|skip|don't\slike|drop\sit|abandon|i'm\sundoing|just\stell)\b",
        0.82,
    ),
    _cue(
        "go back",
        r"""^(?:don't|do\snot)\s(?:switch|change|touch|delete|remove|commit|push|do)\b
        (?!.*(?:\binstead\b|,\s(?:use|just|only|put|write|add|make|create)\b))""",
        0.7,
    ),
)

OPENER = re.compile(
    r"""^(?:(?:uh+m?|umm*|hmm*|ok(?:ay)?|well|so|ah|dude|yeah\sbut|look)[,.…\s]+)*
    (?:no+(?:\s(?:man|dude))?(?:[,.!…]+|$)(?!\s*(?:problem|worries|rush|need)\b)\s*\S
    |no\s(?:i|you|it|that|this|we|the|use|man|don't|on)\b|nope\b|nah\b|wrong\b|incorrect\b|not\strue\b
    |not\s(?:quite|right|correct)\b|false[,.])""",
    re.I | re.X,
)

CORRECTION: tuple[Cue, ...] = (
    _cue(
        "that is wrong",
        r"""\b(?:that|this|it)(?:'s|\sis|\swas|'s\sactually|\sseems?|\slooks)\s
        (?:(?:just|simply|still|also|actually|completely|totally|all|kinds|of|very|seriously)\s)*
        (?:wrong|incorrect|not\s(?:right|correct|true|good|what\s(?:i|we))|backwards|overkill)\b
        |\b(?:that|this|it)\s(?:isn't|doesn't\s(?:seem|look|feel|sound))\s(?:right|correct|true|good|what\s(?:i|we))\b""",
        0.88,
    ),
    _cue(
        "I said",
        r"""^(?:(?:but|no|uh+|so)[,.…]*\s)*(?:i|like\si|as\si)\s(?:(?:already|just|specifically)\s)?
        (?:said|told\syou|suggested|asked\s(?:you\s)?(?:for|to))\b""",
        0.85,
    ),
    _cue(
        "told many times",
        r"""\b(?:how\smany\stimes|(?:second|third|fourth|fifth|nth)\stime\s(?:you|i)
        |^for\sthe\s[a-z\d]+\stime,?\s(?!being)|^(?:once\s)?again[,:]\s(?:please\s)?(?:don't|do\snot|use|never)|i\skeep\s(?:telling|asking|saying)
        |why\sdid\si\shave\sto\stell)\b""",
        0.9,
    ),
    _cue(
        "blame",
        r"""\byou\s(?:forgot|missed|skipped|misread|misunderstood|broke|ignored|deleted|removed|overcomplicat\w+
        |didn't\s(?:update|add|include|remove|run|change|read|fix|actually|do|ask|test)|should(?:n't)?\shave
        |(?:are|were)\s(?:(?:just|still)\s)?(?:missing|overthinking|overcomplicating|repeating|losing|deleting|removing
        |ignoring|told|supposed|wrong)|keep\s[a-z]+ing|again\s(?:used|forgot)|made\sno\schanges?|just\sduplicated)\b
        |\byou've\s(?:introduced|broken|missed|removed|overcomplicat\w+)\b
        |\byou're\s(?:(?:still|just)\s)?(?:missing|overthinking|overcomplicating|ignoring|repeating)\b
        |^but\syou\s(?:[a-z]+ed|ran|put|wrote|made)\b""",
        0.85,
    ),
    _cue(
        "exasperation",
        r"""\b(?:what\sare\syou\s(?:talking|smoking|doing)|wth|what\sthe\s(?:hell|heck)|come\son\sman|no\sman
        |that's\sa\shallucination|do\sbetter)\b""",
        0.82,
    ),
    _cue(
        "why did you",
        rf"^{_LEAD}(?:how/)?why\s(?:did|have|would|are)\syou\s(?!think|recommend|suggest|need|want|prefer)",
        0.7,
    ),
    _cue(
        "instead of",
        r"""^(?:please\s|just\s)?(?:instead\sof|rather\sthan)\s[^,]+?,?\s
        (?:please\s)?(?:use|reuse|make|name|put|try|call|write|just)\b""",
        0.75,
    ),
    _cue(
        "don't, do",
        r"""(?:^|[,;.]\s*)(?:please\s)?(?:don't|dont|do\snot|stop)\s(?:use|using)\b[^.;,]*[,;.]?\s*(?:use|just|try)\b
        |^(?:please\s)?(?:don't|dont|do\snot)\s[a-z]+\s[^.;,]+,\s[a-z]+\s[^.;,]+\sinstead$""",
        0.85,
    ),
    _cue(
        "this, not that",
        r"""^(?:the|our|this|that|a|an|all|every|it)\s[^,;?]{0,40}\s(?:must|should|returns?|uses?|lives?|expects?|takes?|stores?
        |accepts?|wants?|needs?)\s[^,;?]{1,50},\s(?:and\s)?not\s(?!sure|only|just|yet|otherwise|so\b|to\smention)""",
        0.8,
    ),
    _cue(
        "better",
        r"^(?:i\sthink\s)?it(?:'d|\swould)\sbe\s(?:better|cleaner|best|nicer)\s(?:to|if\syou)\b[^?]+\b(?:instead|rather)\b",
        0.72,
    ),
    _cue(
        "this, not that",
        r"""^(?!we've|we\shave|i've|is\s|are\s).*\b(?:is|are|has\sto\sbe|should\sbe|goes|go|applies|apply
        |was\ssupposed\sto\sbe|it's|belongs?)\s[^,;?]{1,60}(?:,\s*(?:and\s)?not|\sand\snot)\s
        (?!sure|only|just|yet|otherwise|so\b|to\smention)""",
        0.8,
    ),
    _cue(
        "rather not",
        r"\bi(?:'d|\swould)\s(?:rather\s(?:(?:you|we)\s)?(?:didn't|did\snot|not|don't|use|keep|have)"
        r"|prefer\s(?:it\s)?if\syou)\b",
        0.82,
    ),
    _cue("stop doing", rf"^{_LEAD}(?:stop|quit)\s[a-z]+ing\b", 0.88),
    _cue(
        "unwanted",
        rf"""^{_LEAD}(?:(?:just|we|you)\s)*(?:don't|do\snot|no\slonger)\s(?:need|want)\s
        (?:to|the|a|that|this|any|it|them|you)\b""",
        0.62,
    ),
    _cue(
        "does not please",
        rf"^{_LEAD}i\s(?:don't|do\snot|didn't)\s(?:love|like|think\s(?:that|this|you|it|these))\b",
        0.72,
    ),
    _cue(
        "not right",
        r"""\b(?:is|are|was|were)(?:n't|\snot)\s(?:even\s)?(?:(?:a|an|the)\s)?(?:good|valid|right|correct|true|accurate|best)\b
        |\b(?:doesn't|does\snot|don't|do\snot)\s(?:seem|look|feel|sound)\s(?:(?:quite|so|very|that)\s)*(?:right|like|natural|dry)\b
        |^not\s(?:true|useful|right|quite)\b""",
        0.75,
    ),
    _cue(
        "too much",
        r"""\b(?:is|are|it's|that's|seems?|feels?|way|but)\s(?:(?:still|way|a|bit|super)\s)*too\s
        (?:complicated|complex|wide|broad|long|verbose|many|much|closely|generic|vague)\b
        |^(?:way\s)?too\s(?:complicated|long|verbose|many|much)\b|\bover-?(?:commented|complicat\w+|engineered)\b""",
        0.7,
    ),
    _cue(
        "should not",
        r"\bshould(?:n't|\snot)\s(?:be|have)\b|\bshould\shave\s(?:been|had)\b|\bwas\ssupposed\sto\b",
        0.72,
    ),
    _cue(
        "misunderstood",
        r"""^(?:(?:that's|this\sis)\s)?(?:the\s)?wrong\s(?:file|place|branch|directory|folder|repo|one|table|port|version)\b
        |\b(?:in|from|at|to)\sthe\swrong\s(?:place|directory|folder|repo|date|file)\b
        |\bnot\swhat\s(?:i|we)\s(?:asked|want|meant|need|said|agreed)|\b(?:missing\sthe\spoint|losing\sthe\splot)\b""",
        0.8,
    ),
    _cue("it is so now", r"\bit(?:'s|\sis)\s(?:called\s)?\S+\snow$", 0.72),
    _cue(
        "still wrong",
        r"""(?:^|[,.;]\s*|\b(?:it|that|this|and|but|i'm|is|are|i)\s)still\s
        (?:not\s(?:working|right|correct|showing|seeing)|doesn't|does\snot|didn't|isn't|broken|failing|fails|getting
        |seeing|the\ssame|wrong|get\b|don't\s(?:see|get|have)|no\b|see\b|have\s(?:the|a|an|this|issues|problems|references))""",
        0.75,
    ),
    _cue(
        "does not work",
        r"""(?:^|[,.;]\s*|\b(?:but|and|ok|so|no)\s)(?:(?:that|this|it|still|which)\s)?
        (?:didn't|did\snot|doesn't|does\snot|isn't|is\snot|not)\s(?:work|working|fix|help)\b
        |\b(?:that|this|it)\sbroke\b|^same\s(?:error|problem|issue|result)|^no\s(?:change|difference)\b""",
        0.72,
    ),
    _cue(
        "das ist falsch",
        r"""(?:^|[,.!]\s*)(?:(?:nein|non),\s(?!danke|noch|merci|pas\sencore)\S+\s\S+|falsch\b|das\s(?:ist|war)\s(?:falsch|nicht\s(?:richtig|das|was))|stimmt\snicht
        |eso\s(?:no\ses|est[áa]\smal)|no,\s(?:usa|es\s(?:el|la)|el|la)\b|est[áa]\smal\b|c'est\s(?:faux|pas)\b)
        |^(?:bitte\s)?(?:benutz|nutz|verwend|nimm|schreib|mach)[a-z]*\s.*\b(?:statt|anstatt|anstelle|sondern)\b
        |^(?:s'il\ste\spla[îi]t,?\s)?(?:utilise|mets|écris|prends|garde)[a-z]*\s.*\b(?:au\slieu|plut[ôo]t)\b
        |^(?:usa|utiliza|pon|escribe)\s.*\ben\s(?:lugar|vez)\sde\b
        |^(?:不对|不是|错了|違う|ちがう)""",
        0.8,
    ),
)
REPORTS = frozenset(
    (
        "still wrong",
        "does not work",
        "unwanted",
        "does not please",
        "too much",
        "exasperation",
        "why did you",
        "not right",
    )
)
"""Corrections that report or complain: what follows them is rarely a rule."""
WORDLESS = frozenset(("told many times", "it is so now", "das ist falsch", "rather not"))
"""Corrections that name what to do even where no statement can be made of them."""
INSTEAD = re.compile(
    r",\s(?:and\s)?not\s\w|,\s(?:but\s)?you\s(?:used|put|wrote|gave|made|picked|chose)\b", re.I
)

CLARIFICATION: tuple[Cue, ...] = (
    _cue(
        "I meant",
        r"""^(?:(?:no|so|sorry|yes|well|ah|oh)[,.…\s]+)*(?:(?:what\s)?i\s(?:meant|mean\b(?!\sit)
        |was\s(?:talking|referring|trying))|by\s.{2,60}\si\smean\b|to\s(?:be\sclear|clarify)
        |let\sme\s(?:clarify|rephrase|explain)|i'm\stalking\sabout)(?!\sto\sask)""",
        0.78,
    ),
    _cue("to be clear", r"\b(?:if\sit\swasn't\sclear|for\sclarity|in\sother\swords)\b", 0.7),
)
PRAISE: tuple[Cue, ...] = (
    _cue(
        "approval",
        r"""^(?:(?:wow|oh|ah|ok|okay|yes|yeah|yep)[,!.\s]+)*
        (?:perfect|excellent|amazing|awesome|fantastic|brilliant|beautiful|(?:i\s)?love\s(?:it|this|that|how)
        |great\s(?:work|job|stuff)|nice(?:ly)?(?:\s(?:work|job|one|done))|well\sdone|good\s(?:job|work|stuff)|exactly(?:\s(?:what|like\sthat))?|lgtm|ship\sit
        |(?:danke|merci|gracias)[,!.]+\s(?:super|perfekt|parfait|perfecto|genial)|super\sgemacht|perfekt|parfait|perfecto
        |(?:that|this|it)(?:'s|\sis)?\s(?:works?(?:\s(?:great|perfectly|now|well))|worked|perfect|great|awesome|exactly|much\sbetter)
        |(?:works|worked)\s(?:great|perfectly|now|like\sa\scharm)|very\s(?:nice|good|cool)|so\sgood
        |(?:that|this|it)?\s?looks\s(?:great|good|perfect|amazing))\b
        (?!\s*[,.!:-]*\s*(?:now|next|please|can\syou|but|let's|could\syou|except|and\s(?:now|then)|one\smore|do)\b)""",
        0.75,
    ),
)
THANKS = re.compile(
    r"""^(?:(?:ok|okay|great|perfect|cool|nice|alright)[,!.\s]+)*
    (?:thanks|thank\syou|thx|danke(?:\ssch[öo]n)?|merci|gracias)(?:\s(?:so|very)\smuch|\sa\slot|\sbeaucoup)?
    (?:[,!.]*\s(?:great|perfect|nice|that\sworks|works|looks\sgood|all\sgood))?$""",
    re.I | re.X,
)
"""Nothing but thanks."""
ENHANCEMENT: tuple[Cue, ...] = (
    _cue(
        "also",
        r"""^(?:(?:great|nice|good|perfect|ok|cool)[,.!]+\s(?:can|could)\s(?:you|we)\salso\b|can\s(?:you|we)\salso\b
        |(?:it|that)\swould\s(?:also\s)?be\s(?:nice|great|cool|good)\b)""",
        0.6,
    ),
)
