"""The forms of words that decide what a prompt is: each with a name that a person can read."""

import re

Cue = tuple[str, re.Pattern[str], float]


def _cue(name: str, pattern: str, confidence: float) -> Cue:
    return name, re.compile(pattern, re.I | re.X), confidence


_START = r"(?:^|[,:;.!?]\s*|\b(?:and|but|so|also|please|pls|just|ok|okay|then|you|you\smust|you\sshould|must|should|we|no|nope)\s+)"
TASK_ABOUT_WORDS = re.compile(
    r"^(?:please\s)?(?:write|add|create|find|make|implement|translate|explain|rename|show|list|update|fix|document|look|check|search|build)\b(?!.*[.;]\s)"
    r"(?:(?!\b(?:from now on|going forward|in (?:the )?future)\b).)*$",
    re.I,
)
POLITE_ORDER = re.compile(
    r"^(?:can|could|would|will) you (?:please )?(?:always|never|stop|from now on|avoid)\b", re.I
)

STANDING: tuple[Cue, ...] = (
    _cue(
        "always or never",
        _START
        + r"(?:always|never)\s+(?!mind\b|ever\b|before\b|seen\b|been\b|happen|work(?:s|ed)\b|had\b|got\b|gets\b|the\b|a\b|in\b|be\sable)[a-z]+",
        0.9,
    ),
    _cue(
        "from now on",
        r"\b(?:from\snow\son|going\sforward|from\shere\son(?:\sout)?|for\s(?:all\s)?future\s(?:sessions|reference|work|changes|commits|tasks|runs)|in\sfuture\b|in\sthe\sfuture[,:]|next\stime,?\s(?:please\s|just\s)?[a-z]+|henceforth)",
        0.9,
    ),
    _cue(
        "remember",
        r"^(?:(?:please|also|and|ok|okay|so)[,\s]+)?(?:remember|keep\sin\smind|bear\sin\smind|make\sa\s(?:mental\s)?note|note\sfor\s(?:later|the\sfuture)|new\srule|house\srule|rule)\s*(?::|,|that\b)",
        0.88,
    ),
    _cue(
        "we do it here",
        r"\bwe\s(?:always\s|never\s|only\s|usually\s)?(?:don't|do\snot|use|keep|put|write|name|call|run|prefix|commit|deploy|store|format|avoid|follow|spell|prefer|stick)\b[^?]*\b(?:here|in\sthis\s(?:repo|project|code\s?base|repository|team|module)|around\shere|everywhere|in\sour\s(?:repo|project|code\s?base))\b",
        0.88,
    ),
    _cue("we always or never", r"\bwe\s(?:always|never)\s(?!had|got|want(?:ed)?\sto\sknow)[a-z]+", 0.85),
    _cue(
        "whenever",
        r"^(?:(?:please|and|also|ok)[,\s]+)?(?:whenever|every\stime|each\stime|any\s?time)\syou\b",
        0.88,
    ),
    _cue(
        "preference",
        r"^(?:(?:please|and|also|ok|okay|so|well|hm+|personally|in\sgeneral|generally)[,\s]+)*(?:i|we)(?:'d|\swould)?\s(?:much\s|really\s|strongly\s|generally\s|usually\s)?prefer\s(?!not\sto\sanswer)",
        0.82,
    ),
    _cue("liking", r"^(?:i|we)\s(?:really\s)?(?:like|love|hate|don't\slike)\sit\swhen\b", 0.82),
    _cue(
        "rule of thumb",
        r"\b(?:as\sa\s(?:general\s)?rule(?:\sof\sthumb)?|make\sit\sa\s(?:habit|rule)|rule\sof\sthumb)\b",
        0.85,
    ),
    _cue(
        "no need to ask",
        r"\byou\s(?:can\sskip\sasking|don't\s(?:need|have)\sto\sask|can\sstop\sasking|needn't\sask|never\sneed\sto\sask)\b",
        0.82,
    ),
    _cue("as much as possible", r"\b(?:i|we)(?:'d|\swould)?\s(?:like|want)\s(?:you\s)?to\savoid\b", 0.75),
    _cue("ever", r"\b(?:don't|do\snot)\sever\s[a-z]+", 0.88),
    _cue(
        "immer oder nie",
        r"\b(?:merke?\sdir|ab\s(?:jetzt|sofort)|in\szukunft|k[üu]nftig)\b|^(?:bitte\s)?(?:immer|niemals)\s|^[a-zäöü]+e?\s(?:bitte\s)?(?:immer|niemals|nie)\s(?!ist|war|noch)",
        0.85,
    ),
    _cue(
        "siempre o nunca",
        r"(?:^|[,;:]\s*)(?:por\sfavor[,\s]+)?(?:siempre|nunca|jam[áa]s|de\sahora\sen\sadelante|a\spartir\sde\sahora|recuerda)\s",
        0.85,
    ),
    _cue(
        "toujours ou jamais",
        r"\b(?:d[ée]sormais|dor[ée]navant|[àa]\spartir\sde\smaintenant)\b|^(?:ne\s)?[a-zéèà]+(?:ez|e|s)?\s(?:toujours|jamais)\s|^(?:toujours|jamais)\s",
        0.85,
    ),
    _cue("总是", r"(?:总是|永远|始终|从现在开始|以后(?:都|请|不要)?|记住|いつも|必ず|常に|今後)", 0.85),
)

REJECTION: tuple[Cue, ...] = (
    _cue(
        "undo",
        r"^(?:(?:no|nope|ok|okay|please|actually|hey|hmm+|wait|let's|can\syou|could\syou)[,.!\s]+)*(?:undo|revert|roll\sback|back\sout)\b(?!\s(?:button|feature|stack|command|function))",
        0.85,
    ),
    _cue(
        "halt",
        r"^(?:(?:no|nope|ok|okay|please|wait|hey)[,.!\s]+)*(?:stop|hold\s(?:off|on)|cancel\s(?:that|this|it)|abort|never\s?mind|forget\s(?:it|that)|scrap\s(?:that|it|this)|leave\sit)[.!]*$",
        0.85,
    ),
    _cue(
        "not wanted",
        r"^(?:(?:no|nope|nah|actually|hmm+|sorry)[,.!\s]+)*i\s(?:don't|do\snot|didn't)\s(?:want|like)\s(?:you\sto\s|to\s)?(?:that|this|it|the|any|delete|a)\b",
        0.75,
    ),
    _cue(
        "skip it",
        r"^(?:nah|no+|nope)[,.!\s]+(?:we'll\sskip|skip|don't\slike|drop\sit|abandon|i'm\sundoing|i\sdon't\slike)",
        0.82,
    ),
)

OPENER = re.compile(
    r"^(?:uh+m?[,.…\s]+|umm*[,.…\s]+|hmm*[,.…\s]+|ok(?:ay)?[,.…\s]+|well[,.…\s]+|so[,.…\s]+|ah[,.…\s]+|dude[,.…\s]+|yeah[,.\s]+but\s)*"
    r"(?:no+(?:\sman|\sdude)?[,.!…]+(?!\s*(?:problem|worries|rush|need))\s*\S|no\s(?:i|you|it|that|this|we|the|use|man|don't)\b|nope\b|nah\b|wrong\b|incorrect\b|not\strue|not\s(?:quite|right|correct)\b|false[,.]|no\*)",
    re.I,
)
CORRECTION: tuple[Cue, ...] = (
    _cue(
        "that is wrong",
        r"\b(?:that|this|it)(?:'s|\sis|\sisn't|'s\sactually|\sseems?|\slooks|\sdoesn't\s(?:seem|look))\s(?:just\s|simply\s|still\s|also\s|actually\s|completely\s|totally\s)?(?:wrong|incorrect|not\s(?:right|correct|true|what\s(?:i|we))|(?<=isn't\s)(?:right|correct|true|what\s(?:i|we))|(?<=seem\s)right|(?<=look\s)right|backwards)\b",
        0.88,
    ),
    _cue(
        "I said",
        r"^(?:but\s|no[,.]?\s)?(?:i|like\si|as\si)\s(?:already\s|just\s|specifically\s)?(?:said|told\syou|asked\s(?:you\s)?(?:for|to))\b",
        0.85,
    ),
    _cue(
        "told many times",
        r"\b(?:how\smany\stimes|(?:second|third|fourth|nth)\stime\s(?:you|i)|i\skeep\s(?:telling|asking|saying)|why\sdid\si\shave\sto\stell)\b",
        0.9,
    ),
    _cue(
        "blame",
        r"\b(?:you\s(?:forgot|missed|skipped|misread|misunderstood|broke|ignored|deleted|removed|overcomplicat\w+|didn't\s(?:update|add|include|remove|run|change|read|fix|actually|do)|should(?:n't)?\shave|are\s(?:just\s)?(?:missing|overthinking|overcomplicating|repeating|losing)|keep\s[a-z]+ing|again\s(?:used|forgot)|were\s(?:told|supposed))|you've\s(?:introduced|broken|missed|removed|overcomplicat\w+)|you're\s(?:still\s|just\s)?(?:missing|overthinking|overcomplicating|ignoring|repeating))\b",
        0.85,
    ),
    _cue(
        "why did you",
        r"^(?:dude[,.\s]+|wait[,.\s]+|so[,.\s]+|um+[,.\s]+)?why\s(?:did|have|would|are|do)\s(?:you|we)\s(?!think|recommend|suggest|need|want|prefer)",
        0.7,
    ),
    _cue(
        "instead of",
        r"^(?:please\s|just\s)?(?:instead\sof|rather\sthan)\s[^,]+,\s*(?:please\s)?(?:use|reuse|make|do|name|put|try|call|add|write|just)\b",
        0.75,
    ),
    _cue(
        "don't, do",
        r"(?:^|[,;.]\s*)(?:please\s)?(?:don't|do\snot|stop)\s(?:use|using)\b[^.;,]*[,;.]?\s*(?:use|just|try)\b",
        0.85,
    ),
    _cue(
        "this, not that",
        r"\b(?:is|are|has\sto\sbe|should\sbe|goes|go|applies|apply|was\ssupposed\sto\sbe|it's|belongs?)\s[^,;?]{1,60}(?:,\s*(?:and\s)?not|\sand\snot)\s(?!sure|only|just|yet)",
        0.8,
    ),
    _cue(
        "rather not",
        r"\bi(?:'d|\swould)\srather\s(?:you\s|we\s)?(?:didn't|did\snot|not|don't|use|keep|have)\b",
        0.82,
    ),
    _cue("stop doing", r"^(?:please\s|ok\s|okay\s|and\s|dude\s)?(?:stop|quit)\s[a-z]+ing\b", 0.88),
    _cue(
        "unwanted",
        r"^(?:please\s|just\s|ok\s)?(?:don't|do\snot|you\sdon't|you\sdo\snot)\sneed\s(?:to\s|the\s|a\s|that\b|this\b|any\b)",
        0.65,
    ),
    _cue(
        "misunderstood",
        r"\b(?:wrong\s(?:file|place|branch|directory|folder|repo|one|table|port|version)\b|not\swhat\s(?:i|we)\s(?:asked|want|meant|need|said|agreed)|missing\sthe\spoint)",
        0.85,
    ),
    _cue(
        "still wrong",
        r"(?:^|[,.;]\s*|\b(?:it|that|this|and|but|i'm|is|are)\s)still\s(?:not\s(?:working|right|correct|showing|seeing)|doesn't|does\snot|didn't|isn't|broken|failing|fails|getting|seeing|the\ssame|have|wrong|get|don't|no\b|see)",
        0.75,
    ),
    _cue(
        "does not work",
        r"\b(?:(?:that|this|it)\s(?:didn't|did\snot|doesn't|does\snot|isn't|is\snot)\s(?:work|working|fix|help|change|do)|(?:that|this)\sbroke\b|same\s(?:error|problem|issue|result)|no\s(?:change|difference)\b|did\snot\swork)",
        0.72,
    ),
    _cue(
        "das ist falsch",
        r"(?:^|[,.!]\s*)(?:nein|falsch|das\s(?:ist|war)\s(?:falsch|nicht\s(?:richtig|das|was))|stimmt\snicht|eso\s(?:no\ses|est[áa]\smal)|no,\s(?:usa|es|no|el|la)|est[áa]\smal|non,|c'est\sfaux|c'est\spas)\b|^(?:不对|不是|错了|違う|違います|ちがう)",
        0.8,
    ),
)

CLARIFICATION: tuple[Cue, ...] = (
    _cue(
        "I meant",
        r"^(?:(?:no|so|sorry|yes|well|ah|oh)[,.…\s]+)*(?:(?:what\s)?i\s(?:meant|mean\b(?!\sit)|was\s(?:talking|referring|trying))|by\s.{2,60}\si\smean\b|to\s(?:be\sclear|clarify)|let\sme\s(?:clarify|rephrase|explain)|i'm\stalking\sabout)(?!\sto\sask)",
        0.78,
    ),
    _cue("to be clear", r"\b(?:if\sit\swasn't\sclear|for\sclarity|in\sother\swords)\b", 0.7),
)
PRAISE: tuple[Cue, ...] = (
    _cue(
        "approval",
        r"^(?:(?:wow|oh|ah|ok|okay|yes|yeah|yep)[,!.\s]+)*(?:perfect|excellent|amazing|awesome|fantastic|brilliant|beautiful|love\s(?:it|this|that|how)|i\slove\s(?:it|this|that)|great\s(?:work|job|stuff)|nice(?:ly)?(?:\s(?:work|job|one|done))?|well\sdone|good\s(?:job|work|stuff)|exactly(?:\swhat)?|(?:that|this|it)(?:'s|\sis)?\s(?:works?(?:\s(?:great|perfectly|now|well))?|worked|perfect|great|awesome|exactly|looks\s(?:great|good|perfect)|much\sbetter)|(?:works|worked)(?:\s(?:great|perfectly|now|like\sa\scharm))?|very\s(?:nice|good|cool)|so\sgood|thank\syou|thanks|looks\s(?:great|good|perfect))\b(?!\s*[,.!:-]*\s*(?:now|next|please|can\syou|but|let's|could\syou|except|and\s(?:now|then)|one\smore|do)\b)",
        0.75,
    ),
)
ENHANCEMENT: tuple[Cue, ...] = (
    _cue(
        "also",
        r"^(?:also\b|(?:great|nice|good|perfect|ok|cool)[,.!]+\s(?:can|could)\s(?:you|we)\salso\b|can\s(?:you|we)\salso\b|(?:it|that)\swould\s(?:also\s)?be\s(?:nice|great|cool|good)\b)",
        0.6,
    ),
)
