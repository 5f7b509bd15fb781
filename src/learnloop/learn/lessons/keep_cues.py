"""Cues that a sentence carries a lesson: patterns, each weak alone, that the trained scorer weighs together.

They are searched for in one sentence as `keep_chance.masked` returns it: lower case, with inline code,
quotations, paths and numbers replaced by words that begin with an underscore.
"""

import re
from functools import cache
from typing import Final

_LEAD = r"^(?:(?:ok(?:ay)?|so|and|but|well|hey|hm+|oh|ah|yeah|yes|no+|nope|please|pls|sorry|also|then|just|actually|wait|great|good|thanks|fine|right)\b[\s,.!:;-]*)*"
_WE = r"(?:we|i|you|agents?|they|one|everyone|claude)"
_NOT = r"(?:don'?t|do\snot|does\snot|doesn'?t|never|no\slonger|not)"
_ONE_OFF = (
    "add|create|implement|write|build|fix|update|refactor|change|move|rename|remove|delete|extract|replace|convert|merge|split"
    "|commit|push|run|check|look|review|read|find|show|tell|explain|analy[sz]e|investigate|debug|search|list|help|give|generate"
    "|make|set|put|open|start|continue|proceed|go|test|try|verify|install|deploy|bump|draft|plan|think|see|consider|let'?s|lets"
)

_CUES: Final = {
    "always": r"\balways\b",
    "never": r"\bnever\b",
    "from now on": r"\b(?:from\s(?:now|here)\son|going\sforward|in\s(?:the\s)?future|for\s(?:all\s)?future|hence\s?forth|next\stime|ever\sagain|from\sthis\spoint)\b",
    "in general": r"\b(?:in\sgeneral|generally|by\sdefault|as\sa\s(?:general\s)?rule|usually|normally|typically|in\sall\scases|at\sall\stimes|no\smatter\swhat|under\s(?:no|any)\scircumstances?)\b",
    "each time": r"\b(?:every|each)\s(?:time|new|single|one|session|commit|change|test|file|step|phase|page|plan)\b|\b(?:whenever|any\s?time|when\sever|for\s(?:all|every|each|any))\b",
    "when you": rf"\b(?:when|if|before|after|while|once|until|unless)\s(?:{_WE}|\w+ing)\b",
    "before": r"\bbefore\b",
    "first": rf"{_LEAD}first\b|\bfirst,|\bfirst$",
    "remember": r"\b(?:remember|keep\sin\smind|bear\sin\smind|note\sthat|take\snote|make\s(?:a\s)?note|don'?t\sforget|be\saware|important|fyi|reminder)\b",
    "make sure": r"\b(?:make\ssure|be\s(?:sure|careful)|ensure|careful\b|take\scare)\b",
    "a rule": r"\b(?:rules?|conventions?|guidelines?|standards?|polic(?:y|ies)|best\spractices?|principles?|patterns?|preferences?|instructions?|requirements?|responsib\w+)\b",
    "rule file": r"\b(?:_rulefile|cursor\s?rules?|copilot[\s-]instructions?|memory|memories|rules?\sfile)\b|instructions?\b.*\bso\sthat\b",
    "record": r"\b(?:add|put|write|note|record|store|save|include|create|make|update|change|extend|adjust)\b.{0,60}\b(?:rules?\b|_rulefile|memory|instructions\b|guidelines?\b|conventions?\b|style\sguide)|^(?:new\s|another\s|house\s)?rule\b|\b(?:rules?|_rulefile|instructions|memory)\b.{0,30}\b(?:should\ssay|so\sthat|to\ssay|that\ssays)\b",
    "foreign order": r"\b(?:immer|niemals|nie|nicht|kein\w*|bitte|benutze?|verwende?|nimm|statt|sondern|ab\sjetzt|merk\sdir|vorher|toujours|jamais|pas\sde|utilise[rz]?|plut[ôo]t|au\slieu|d[ée]sormais|siempre|nunca|usa|utiliza|en\slugar|en\svez|recuerda|a\spartir\sde)\b",
    "do not": rf"{_LEAD}(?:don'?t|do\snot|dont)\b|(?:[,;:]|\b(?:please|but|and|so|just|also|should))\s(?:don'?t|do\snot|dont|not\sto)\b",
    "avoid": r"\b(?:avoid|refrain|steer\sclear|stay\saway|not\sa\sfan)\b",
    "no more": r"\b(?:stop|quit|avoid|refrain|no\smore|enough\swith|no\sneed|needn'?t|don'?t\s(?:need|have)\sto|not\sallowed|forbidden|off[\s-]limits)\b",
    "not wanted": rf"\b(?:{_WE}|user|users|nobody)\s(?:really\s|also\s|still\s|just\s)?{_NOT}\s(?:really\s|even\s|actually\s|ever\s)?(?:want|need|like|care|use|do|have|allow|expect|support)\b",
    "should not": r"\b(?:should(?:n'?t|\snot|\snever)|must(?:n'?t|\snot|\snever)|ca(?:n'?t|nnot)\sbe|not\ssupposed|shall\snot|may\snot|isn'?t\ssupposed)\b",
    "should": r"\bshould\b",
    "must": r"\b(?:must|ha(?:s|ve)\sto|needs?\sto|ought\sto|supposed\sto|required?\sto|shall)\b",
    "should be": r"\b(?:should|must|needs?\sto|has\sto|have\sto|ought\sto|supposed\sto)\s(?:\w+\s)?(?:be|have|live|go|use|come|match|stay|remain|follow|contain|include|only|always|never)\b",
    "only": r"\b(?:only|solely|exclusively|just)\b",
    "instead": r"\b(?:instead|rather|as\sopposed\sto|in\sfavou?r\sof|over\susing|not\sjust)\b",
    "this not that": r"\bnot\s(?:\S+\s){1,6}?but\b|,\s(?:and\s)?not\s\S+|\bno\s\w+[.,;]\s*use\b|\bnot\s(?:a|an|the|in|on|for|by|with|from|at|to|via|as)\b",
    "use": rf"{_LEAD}(?:always\s|only\s|let'?s\s|you\s(?:can|should|must)\s)?(?:use|stick\s(?:to|with)|prefer|keep|follow|reuse|leave|go\swith)\b",
    "we use": r"\bwe\s(?:always\s|only\s|never\s|usually\s|don'?t\s|do\s)?(?:use|have|do|want|need|prefer|keep|put|call|name|run|write|are\susing|treat|follow|rely)\b",
    "i want": r"\b(?:i|we)\s(?:just\s|really\s|only\s|do\s|still\s|also\s)?(?:want|need|prefer|like|expect|insist)\b|\bi'?d\s(?:like|rather|prefer|love|want)\b|\bi\swould\s(?:like|rather|prefer)\b",
    "wants you": r"\b(?:want|like|need|expect|ask|tell)(?:ed|s)?\s(?:you|it|them|claude|the\sagent)\s(?:to|not)\b",
    "why did you": r"\bwhy\s(?:did|didn'?t|do|don'?t|are|aren'?t|have|haven'?t|would|wouldn'?t|were|not|on\searth|the\s\w+)\s(?:you|we|u)\b|\bhow\scome\syou\b",
    "why": r"^\W*(?:\w+\W+){0,3}why\b",
    "you did": r"\byou(?:'ve|\shave|\sjust|\salso|\sagain|\sstill|\skeep|\sonly|\salways)*\s(?:did|forgot|missed|changed|removed|deleted|broke|added|put|made|wrote|created|skipped|ignored|used|moved|overwrote|replaced|assumed|introduced|duplicated|left|ran|committed|claimed|failed|went|got|rewrote|doing|adding|using|making|removing)\b",
    "you did not": r"\byou\s(?:didn'?t|did\snot|haven'?t|have\snot|never|don'?t|aren'?t|are\snot|weren'?t|can'?t|cannot)\b",
    "you are": r"\byou(?:'re|\sare|\skeep|\swere)\b",
    "you can": r"\byou\s(?:can|could|may|might|shouldn'?t|should|must|need|have\sto|don'?t\sneed)\b",
    "i told you": r"\bi\s(?:already\s|just\s|specifically\s|explicitly\s|clearly\s)*(?:said|told|asked|mentioned|specified)\b|\b(?:as|like)\si\ssaid\b|\bhow\smany\stimes\b|\bagain\b|\bi\s(?:thought|meant)\b",
    "still": r"\b(?:still|keeps?|every\stime|yet\sanother)\b",
    "approval": r"\b(?:approv\w+|permission|confirm\w*|ask(?:ing)?\s(?:me|for|first|any|questions?)|questions?\s(?:first|before|you)|wait\sfor|my\s(?:ok|go|sign)|check\swith\sme|sign[\s-]?off|clarify\w*|let\sme\s(?:know|review|test|see|decide))\b",
    "plan": r"\b(?:plans?|propos\w+|explain\w*|show\sme|options|recommend\w*|step\s?by\s?step|one\s\w+\sat\sa\stime|high\slevel|without\s(?:making|any|changing|writing|coding)|no\scode)\b",
    "fact": r"\b(?:is|are)\s(?:only|just|not|already|always|never|actually|an?|the|our|my|what|where|how|in|for|used|named|called|stored|located|meant|based|required|deprecated|exposed|private|public)\b",
    "lives in": r"\b(?:liv(?:es?|ing)|belongs?|goes|go|stored|located|kept|placed|sits?|found|resides?|under|inside|in\sthe)\b",
    "works like": r"\b(?:means?|refers?\sto|stands\sfor|works?\s(?:by|like|as)|depends?|requires?|uses?|returns?|supports?|expects?|allows?|happens?|comes?\sfrom)\b",
    "thing is": r"^(?:the|our|my|all|this|these|that|it|there|they|each|any|both|no)\b",
    "because": r"\b(?:because|since|so\sthat|otherwise|as\sit|that'?s\swhy|the\sreason|the\s(?:whole\s)?(?:point|idea|goal|intent)|so\swe|this\sway)\b",
    "style": r"\b(?:format\w*|nam(?:e|es|ed|ing)|concise|brief|short|simple|clean|consisten\w*|verbose|style|tone|dry|duplicat\w+|idiomatic|readab\w+|comments?|overview|summary|emojis?|minimal\w*)\b",
    "conduct": r"\b(?:commit\w*|branch\w*|push\w*|merge\w*|pr\b|tests?\b|verify|double.?check|guess\w*|assum\w+|invent\w*|hallucinat\w*|mock\w*|hard-?cod\w+|delete|revert\w*|restart\w*|root\scause|unrelated|existing|production)\b",
    "yourself": r"\b(?:yourself|on\syour\sown|do\sit\sfor\sme|for\sme|don'?t\stell\sme|instead\sof\s(?:asking|telling))\b",
    "scope": r"\b(?:in\sthis\s(?:repo|project|code\s?base)|everywhere|across|all\s(?:the\s)?\w+s\b|any\s\w+|project|repo(?:sitory)?|code\s?base|globally)\b",
    "prefer": r"\b(?:prefer\w*|better\sto|best\sto|would\sbe\sbetter|i\slike|makes?\s(?:more\s)?sense|not\sa\sfan|hate|love)\b",
    "decided": r"\b(?:decided|agreed|settled|decision|final|source\sof\struth|definitive|canonical|the\sgoal|not\sa\sgoal|intended|intention\w*|meant\sto|purpose)\b",
    "one-off": rf"{_LEAD}(?:can\syou\s|could\syou\s|would\syou\s|i\s(?:want|need)\syou\sto\s|now\s|next\s|then\s|lets?\s|let'?s\s|go\sahead\sand\s|you\scan\s)*(?:{_ONE_OFF})\b",
    "now": r"\b(?:now|today|for\snow|right\snow|this\stime|next|at\sthe\smoment|currently|tomorrow|yet)\b",
    "this": r"\b(?:this|that|these|those|it)\b",
    "it opens": r"^(?:this|that|it|these|those|they|there)\b",
    "i see": r"\b(?:i(?:'?m|\sam)?\s(?:now\s|also\s|just\s|still\s|only\s)?(?:see|seeing|get|getting|got|notice[ds]?|saw|hit|ran|having|think|guess|wonder)|here'?s\swhat|now\si\s(?:see|get)|when\si)\b",
    "i did": r"\b(?:i|i'?ve)\s(?:have\s|just\s|already\s|also\s)*(?:added|updated|made|created|ran|fixed|changed|moved|removed|committed|pushed|merged|restarted|installed|did|set|tried|tested|deleted|reviewed|renamed|approve)\b",
    "fault": r"\b(?:fail\w*|errors?|exceptions?|issues?|problems?|bugs?|warnings?|crash\w*|broken?|missing|wrong|incorrect|not\swork\w*|doesn'?t\swork|isn'?t\swork\w*|weird|strange)\b",
    "asks": r"\?$",
    "asks what": r"^(?:\w+\W+){0,2}(?:what|how|which|where|who|when|is|are|does|do|did|can|could|should|would|will|shall|has|have|any)\b",
    "can you": rf"{_LEAD}(?:can|could|would|will)\s(?:you|we)\b",
    "code": r"_code\b", "quote": r"_quote\b", "path": r"_path\b", "number": r"_num\b",
    "file kind": r"\b(?:files?|folders?|director(?:y|ies)|modules?|package|config\w*|env\w*|variables?|functions?|class(?:es)?|components?|docs?|readme|changelog|docker\w*|servers?|database|api|cli|flags?|schema|types?)\b",
    "shout": r"!", "capitals": r"\x01",
}  # fmt: skip


@cache
def cues() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The cues by their names."""
    return tuple((name, re.compile(pattern)) for name, pattern in _CUES.items())
