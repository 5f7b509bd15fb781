"""Cues of standing instructions, which apply to later work too: always, never, from now on, we … here."""

from learnloop.learn.feedback.cues import LEAD, Cue, cue

_ORDERS = r"""(?:you|please|always|never|don't|do\snot|just|use|run|ask|put|write|make|keep|add|check|read
|tell|follow|avoid|stop)\b"""

_HERE = r"(?:in\s(?:this|our)\s(?:repo|repository|project|code\s?base|team|company|module)|(?:around\s)?here)"

STANDING: tuple[Cue, ...] = (
    cue("always or never", 0.9, "always|never",
        r"""(?:^|[,:;.!?]\s*|\b(?:and|but|so|also|please|pls|just|then|must|should|we|no|nope|ai
        |(?:sure|that|want|need|like)\s(?:that\s)?you(?:\sto)?|you\s(?:must|should))\s+)
        (?:always|never)(?:,?\sever,?)?\s+(?P<verb>[a-z-]+)\b"""),
    cue("always or never", 0.85, "always|never", rf"^{LEAD}(?:always|never)\s\ue000"),
    cue("always or never", 0.85, "always|never", rf"^{LEAD}(?:always|never)\s(?P<verb>[a-z-]+)\s+\S"),
    cue("house rule", 0.75, "optional|negotiable|mandatory|a must|our |per |means|spelled|spelt|whatever",
        rf"""\b(?:that's|this\sis|it's|is|are)\s(?:a\smust|our\s(?:rule|convention|standard|policy|way))\b
        |^(?:(?:the|our|your|a|an)\s)?[a-z][\w\s-]{{1,40}}\s(?:is|are)\s(?:not\s(?:optional|negotiable)|mandatory|non-negotiable)\b
        |^{LEAD}(?:only\s)?one\s[a-z]+\sper\s[a-z]+(?:\splease)?$
        |^(?:for|to)\s(?:us|me),?\s[^?]{{2,60}}\smeans\s|^(?:our|the|my)\s[\w\s-]{{2,30}}\sis\s(?:spelled|spelt)\s
        |^whatever\syou\sdo,?\s(?:don't|do\snot|never|always)\b"""),
    cue("I want you to", 0.75, "want you|like you|need you|expect you|keep ",
        rf"""^i(?:'d\slike|\sneed|\swant|\sexpect)\syou\sto\s(?:ask|always|never|stop|avoid|(?:explain|tell|check|verify|confirm|wait)\b[^?]*\b(?:before|first|when|every|each)\b)|^{LEAD}(?:(?:could|can|would)\syou\s(?:please\s)?)?
        keep\s(?:the|your)\s(?:answers?|replies|summaries|explanations|messages|responses|commits?)\s"""),
    cue("at a moment", 0.75, "before|every|each|any ",
        rf"""^{LEAD}(?:before\s(?:you\s(?!start|begin|continue|go\b|do\b|ask)|every\s|each\s|any\s)[^,?]{{3,60}},
        |(?:for|with|on|after)\s(?:every|each|any)\s(?!of\b)[^,?]{{3,30}}?,?)\s(?:always\s|please\s)*(?P<verb>[a-z-]+)\s\S"""),
    cue("under a condition", 0.72, "if |when |only ",
        rf"""^{LEAD}(?:if|when)\syou\s(?!are\b|need|have|want|like)[a-z]+\s[^,?]{{3,80}}?,?\syou\s(?:have\sto|must|need\sto|should)\s
        |^only\s[a-z][a-z\s]{{2,30}}\s(?:may|can|should|must)\s
        |^{LEAD}(?:if|when|whenever)\san?\s[a-z-]+\s[^,?]{{2,60}},\s(?:please\s|always\s|never\s|just\s|don't\s)*
        (?P<verb>[a-z-]+)\s(?:it|them|the|a)\b"""),
    cue("under no circumstances", 0.85, "circumstances|at any time",
        r"^(?:please\s)?under\sno\scircumstances\b|\bunder\sany\scircumstances$"),
    cue("rule file", 0.82, "rule|memory|instruction|guideline|agents.md|claude.md",
        rf"""^{LEAD}(?:(?:can|could)\syou\s)?(?:please\s)?(?:make|create|add|write|put|record|save|note|update|remember)\s[^?]{{0,60}}?
        \b(?:(?:a|the|your|our|my|to|copilot|cursor|agents?|claude)\s(?:new\s|cursor\s|copilot\s|agents?\s|claude\s)*(?:rules?|memory|instructions|guidelines)
        |(?:claude|agents)\.md)(?:\sfiles?)?\s*(?::|,?\s(?:so|that|never|always|not)\b)"""),
    cue("ask first", 0.8, "ask",
        rf"^{LEAD}(?:always\s)?ask\s(?:me\s)?(?:first\s)?before\s(?:you\b|[a-z]+ing\b|any\b)"),
    cue("whenever", 0.8, "if you|when you",
        rf"""^{LEAD}(?:if|when)\syou\s(?!are\b|need|have|want|must|can\b|could|see\b|think|agree|like|get\b|finish(?!\san?\s)|start|know
        |do\b|don't|look|open|click|go\b)[a-z]+\s[^,?]{{3,80}},\s(?:then\s)?(?:always|also|please|never|don't|do\snot|add|use|run|update|regenerate|put|bump|write|ask|tell|show|check|keep|qualify)\b"""),
    cue("it is so here", 0.75, "here|everywhere|in this",
        r"""^(?!(?:is|are|what|why|how|where|who|which|there|it|this|that|i|we|you|they|let|please|can|could|still|now|everything|nothing)\b)
        [a-z][\w\s-]{2,40}?\s(?:is|are|goe?s?|lives?|belongs?)\s(?!still|not\sworking|broken|wrong|missing|failing)[^?,]{2,60}\s
        (?:here|everywhere|in\sthis\s(?:repo|project|code\s?base))$"""),
    cue("from now on", 0.88, " on|starting |as of |forward|henceforth|future|next time",
        rf"""\b(?:from\s(?:now|today|this\s(?:point|day))\son|(?:starting|as\sof)\s(?:now|today)|going\sforward|from\shere\son(?:\sout)?|henceforth)\b
        |^{LEAD}for\s(?:all\s)?future\s(?:sessions|reference|work|changes|commits|tasks|runs)\b
        |^{LEAD}(?:in\s(?:the\s)?future|next\stime),?\s{_ORDERS}
        |^{LEAD}next\stime,?\s(?P<verb>[a-z]+)\s(?!is\b|are\b|was\b)
        |\bfor\snext\stime\b|,?\s(?:next\stime|in\sfuture|for\sfuture\s(?:sessions|work|changes|commits))$"""),
    cue("remember", 0.88, "remember|note|reminder|learned|rule",
        rf"^{LEAD}(?:remember(?:\sthis)?|note|reminder|notes?\sfor\s(?:the\s)?future|lessons?\slearned|(?:new|house)\srule|rule)\s*[:,]\s*\S"),
    cue("remember that", 0.8, "remember|in mind",
        rf"^{LEAD}(?:remember|keep\sin\smind)\s(?:to|that(?!\si'd)|not\sto|we)\s"),
    cue("remember that", 0.78, "remember|in mind",
        rf"""^{LEAD}(?:remember|keep\sin\smind)\s(?:the|our|all|every|any|no|[a-z]+s)\s[^?]{{0,60}}?
        \b(?:is|are|must|should|has|have|needs?|goes?|runs?|lives?|uses?|can't|cannot|don't|doesn't)\s"""),
    cue("we do it here", 0.88, "we ",
        r"""\bwe\s(?:(?:always|never|only|usually)\s)?(?:don't|do\snot|use|keep|put|write|name|call|run|prefix
        |commit|deploy|store|format|avoid|follow|spell|prefer|stick|indent|import|pin|squash|rebase|raise|throw
        |quote|log|mock|wrap|sort|lint|document|tag|branch|merge|release|test|type|prefix|declare|export)\b
        [^?]*\b(?:here|around\shere|everywhere|in\s(?:this|our)\s(?:repo|project|code\s?base|repository|team|module))
        (?!\s(?:is|are|was)\b)"""),
    cue("we do it here", 0.88, " we ", rf"^{LEAD}{_HERE},?\swe\s(?:don't|do\snot|(?P<verb>[a-z-]+))\s"),
    cue("it is so here", 0.8, "in this|in our",
        rf"^{LEAD}in\s(?:this|our)\s(?:repo|repository|project|code\s?base),\s(?:the\s|all\s|our\s)?[a-z-]+s\s"
        r"(?:live|go|belong|stay|use|need|are\s(?:written|named|stored|kept|placed|put))\b"),
    cue("preference", 0.8, "prefer", rf"^{LEAD}prefer\s[^?]+\s(?:over|to|instead\sof|rather\sthan)\s"),
    cue("it is so here", 0.82, "here|in this|in our",
        rf"^{LEAD}{_HERE},?\s(?!the\s(?:tests?|build)\b)[^?]*\b(?:always|never|must|only|has\sto|have\sto)\b"),
    cue("we always or never", 0.85, "we ",
        r"\bwe\s(?:always|never|usually|normally|generally)\s(?P<verb>[a-z-]+)\b"),
    cue("I usually", 0.78, "usually|normally|generally|typically",
        rf"^{LEAD}i\s(?:usually|normally|generally|typically)\s(?:want|prefer|like|expect|use|avoid|don't)\b"),
    cue("before you", 0.74, "before",
        rf"""^{LEAD}(?:check|run|squash|lint|format|smoke\stests?|test|rebase|review|update|verify|ask)\b
        [^,?]{{0,60}}\bbefore\s(?:you\s|every\s|each\s|any\s)?(?:commit|push|merg|releas|deploy|hand|say|finish|open)[a-z]*\b"""),
    cue("all must", 0.75, "",
        r"^(?:all|every|each|no)\s(?!of\b)[a-z][\w\s-]{1,40}?\s(?:must|has\sto|have\sto|needs?)\s[^?]+$"),
    cue("ours always or never", 0.8, "always|never",
        r"^our\s[a-z\s-]{2,40}\s(?:always|never)\s(?!been\b)[a-z]"),
    cue("whenever", 0.88, "whenever|time",
        rf"^{LEAD}(?:whenever|every\s(?:single\s)?time|each\stime|any\s?time)\syou\b"),
    cue("whenever", 0.85, "whenever|time",
        rf"^{LEAD}(?:whenever|every\stime|each\stime)\s[^,?]{{3,80}},\s(?:please\s)?(?P<verb>[a-z]+)\s\S"),
    cue("remember that", 0.78, "forget|make sure",
        rf"""^{LEAD}(?:(?:don't|do\snot|never)\sforget\sto|make\ssure\s(?:that\s)?(?:you|to))\s[^?]*
        \b(?:when(?:ever)?\s(?:you\b|[a-z]+ing\b)|(?:every|each)\stime\b)"""),
    cue("preference", 0.82, "prefer",
        rf"^{LEAD}(?:(?:personally|in\sgeneral|generally)[,\s]+)?(?:i|we)(?:'d)?\s"
        r"(?:(?:much|really|strongly|generally|usually|always)\s)?prefer\s(?!not\sto\s|if\b|it\b|you\b|option|the\s(?:first|second)|that\b|this\b|to\b)"),
    cue("preference", 0.8, " like ",
        r"^(?:generally\s)?(?:i|we)\s(?:really\s)?like\s[^,;]+\s(?:better|more)\sthan\s"),
    cue("liking", 0.72, "i like",
        r"^i\s(?:really\s)?like\s(?:short|small|brief|plain|simple|clean|explicit|concise|boring)\s[a-z]+"),
    cue("dislike", 0.8, "fan of",
        r"^i'm\snot\s(?:really\s)?a\s(?:big\s|huge\s)?fan\sof\s(?!this|that|the|how|your|these|those|it\b)"),
    cue("liking", 0.82, "it when", r"^(?:i|we)\s(?:really\s)?(?:like|love|hate|don't\slike)\sit\swhen\b"),
    cue("rule of thumb", 0.85, "rule|habit|point|doubt|matter|at all",
        r"\b(?:rule\sof\sthumb|as\sa\s(?:(?:general\s)?rule|habit)|when\sin\sdoubt|no\smatter\swhat$|at\sall\s(?:costs|times)$|make\s(?:it\s)?a\s(?:habit|rule|point)\b)"),
    cue("no need to ask", 0.82, "ask",
        rf"\byou\s(?:can\s(?:skip|stop)\sasking|(?:don't|never)\s(?:need|have)\sto\sask|needn't\sask|may\s[^,?]{{2,60}}\swithout\sasking)\b"
        rf"|^{LEAD}feel\sfree\sto\s[^?]{{2,60}}\swithout\sasking\b"),
    cue("to be avoided", 0.75, "avoid",
        r"\b(?:i|we)(?:'d\slike|\swould\slike|\swant)\s(?:you\s)?to\savoid\b.*\bas\smuch\sas\spossible\b"),
    cue("not ever", 0.88, "ever|no matter",
        r"""\b(?:don't|do\snot)\sever\s(?P<verb>[a-z-]+)\b|\bno\smatter\swhat,\sdo\snot\b
        |^(?:please\s)?(?:(?:don't|do\snot)\s[a-z]+|(?:stop|quit)\s[a-z]+ing)\s[^?]*,\sever$"""),
    cue("it is so here", 0.8, "it's|it is",
        r"""^(?:no,?\s)?it(?:'s|\sis)\s(?:always\s)?(?:spelled|spelt|called|named|written)\s.*
        \b(?:here|everywhere|in\sthis\s(?:repo|project|code\s?base))\b"""),
    cue("immer oder nie", 0.85,
        "merk|ab jetzt|ab sofort|künftig|kunftig|in zukunft|daran|immer|nie| wir |wir |hier ",
        r"""\b(?:merke?\sdir|ab\s(?:jetzt|sofort)|k[üu]nftig|in\szukunft|denke?\s(?:bitte\s|immer\s)*daran)\b
        |^(?:bitte\s)?(?:immer|nie|niemals)\s(?!noch|wieder)
        |^(?:bitte\s)?[a-zäöü]+e?\s(?:bitte\s)?(?:immer|niemals|nie)\s(?!ist|war|noch|wieder)
        |^(?:bitte\s)?(?:be?nutz|nutz|verwend|nimm|schreib|mach|lass|f[üu]hr|l[öo]sch|[äa]nder|frag|antwort|commit|push|teste?)
        e?\s[^?]{1,60}\s(?:immer|niemals|nie)\b(?!\snoch)
        |^hier\s(?:bitte\s)?(?:keine?[nr]?|nur)\s|\b(?:hier|in\sdiesem\s(?:repo|projekt)|bei\suns)\s[a-zäöü]+en\swir\b|\bwir\s[a-zäöü]+en\s(?:hier|bei\suns|in\sdiesem)\b"""),
    cue("siempre o nunca", 0.85, "siempre|nunca|jam|ahora|recuerda",
        r"""(?:^|[,;:]\s*)(?:por\sfavor[,\s]+)?(?:[a-záéíóú]+\s)?(?:siempre|nunca|jam[áa]s|de\sahora\sen\sadelante
        |a\spartir\sde\sahora|recuerda)\s"""),
    cue("toujours ou jamais", 0.85, "toujours|jamais|sormais|navant|maintenant|avenir|-toi|ici|dans ce",
        r"""\b(?:d[ée]sormais|dor[ée]navant|[àa]\spartir\sde\smaintenant)\b
        |^(?:ne\s|n')?[a-zéèà]+(?:ez|e|s)?\s(?:toujours|jamais)\s(?!pas)|^(?:toujours|jamais)\s(?!pas)
        |(?:^|,\s)[àa]\sl'avenir\b|\b(?:rappelle-toi|souviens-toi|n'oublie\sjamais)\b
        |^(?:ici|dans\sce\s(?:projet|d[ée]p[ôo]t|repo)),?\s(?:on|nous)\s|^(?:on|nous)\s[^?]*\s(?:ici|dans\sce\s(?:projet|d[ée]p[ôo]t|repo))$"""),
    cue("总是", 0.85, "", r"总是|永远|始终|从现在开始|以后(?:都|请|不要)?|记住|いつも|必ず|常に|今後"),
)  # fmt: skip
