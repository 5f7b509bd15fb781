"""What the heads of the model see: signs and words of a prompt or a sentence, and its place. Pure."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import log1p
from typing import Final, NamedTuple

from learnloop.learn.language.words import OwnWords

_LEAD = r"(?:(?:ok(?:ay)?|so|and|but|well|hey|hi|hm+|um+|uh+|oh|ah|yeah|yes|please|pls|sorry|right|now|also)\b[\s,.!:;-]*)*"
_BE = r"(?:is|are|was|were|'s|'re|s)"
_NOT = r"(?:not|never|n'?t)"
_AUX = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|should|would|will|wo)"
_NEG = rf"(?:{_AUX}(?:n'?t|\snot)|cannot|never|no\slonger|not)"
_YOU = r"(?:you|u|ya|claude|the\sagent)"

_STARTS: Final = {
    "no": r"(?:no+|nope|nah|nein|non)\b(?!\s(?:problem|worries|rush|hurry|need))",
    "not": rf"{_LEAD}(?:not|don'?t|do\snot|never|stop|quit|please\sstop)\b",
    "wrong": rf"{_LEAD}(?:the\s)?(?:wrong|incorrect|false)\b",
    "actually": rf"{_LEAD}(?:no\W+)?(?:actually|rather|instead|on\ssecond\sthought)\b",
    "wait": rf"{_LEAD}(?:wait|hold\s(?:on|off|up)|hang\son|whoa|woah|stop|pause|cancel|abort|never\s?mind|nvm)\b",
    "that is not": rf"{_LEAD}(?:that|this|it|they|these|those|there)\s?(?:is|are|'s|was|were|does|did|do)?\s?(?:not|n'?t)\b",
    "undo": rf"{_LEAD}(?:can\syou\s)?(?:undo|revert|roll\s?back|restore|put\s(?:it|that|this|them)?\s?back|go\sback|remove\s(?:that|this|it|the|all)|get\srid|take\sout|delete\s(?:that|this|it))\b",
    "hmm": r"(?:h+m+|uh+|um+|er+|eh|ugh+|argh+|oh|ah|huh|oops|sigh|omg|jeez|dude|man|bro|come\son)\b",
    "but": r"(?:ok(?:ay)?\s|yes\s|yeah\s)?(?:but|however|except|although|though|yet)\b",
    "still": rf"{_LEAD}(?:(?:it|it'?s|i'?m|i|there|there'?s|this|that|we|we'?re|the\s\w+|they)\s(?:is|are|am)?\s?)?(?:still|again|same)\b",
    "why": rf"{_LEAD}(?:why|how\scome|what\shappened|for\swhat)\b",
    "why did": rf"{_LEAD}(?:why|how\scome)\s(?:did|do|are|have|would|were|is|does|has|was|not|the)\b",
    "what": rf"{_LEAD}(?:what|which|who|where|when)\b",
    "how": rf"{_LEAD}how\b",
    "asks": rf"{_LEAD}(?:is|are|do|does|should|will|has|have|am|may|shall)\b",
    "did you": rf"{_LEAD}(?:did|didn'?t|have|haven'?t|do|don'?t|are|aren'?t|were|weren'?t|was)\s(?:you|we|that|this|it)\b",
    "can you": rf"{_LEAD}(?:can|could|would|will)\s(?:you|we|u)\b",
    "let us": rf"{_LEAD}(?:let'?s|lets|let\sus)\b",
    "order": rf"{_LEAD}(?:add|create|make|update|write|implement|read|review|look|run|commit|push|check|show|tell|explain|find|help|give|use|move|rename|build|test|change|take|put|generate|set|get|install|refactor|extract|replace|analy[sz]e|investigate|search|list|summari[sz]e|document|plan|design|split|convert|merge|deploy|bump|open|copy|draft|clean|ensure|consider|think|start|begin)\b",
    "fix": rf"{_LEAD}(?:fix|resolve|debug|address|correct|repair)\b",
    "go on": rf"{_LEAD}(?:go\sahead|proceed|continue|carry\son|keep\sgoing|resume|next|do\sit|do\sthat|go\sfor\sit|ship|start|begin|approved?|merge|commit|push)\b",
    "ack": r"(?:ok(?:ay)?|k|kk|alright|all\sright|sure|fine|right|yes|yeah|yep|yup|ya|y|agreed|correct|got\sit|understood|sounds\sgood|makes\ssense|fair)\b",
    "praise": r"(?:(?:ok(?:ay)?|wow|oh|yes|yeah|ha+)\b[\s,.!]*)?(?:great|good|perfect|awesome|excellent|nice|cool|love|amazing|beautiful|brilliant|fantastic|wonderful|lovely|sweet|exactly|well\sdone|looks?\s(?:good|great)|lgtm|works|that\sworks|impressive|super)\b",
    "i": rf"{_LEAD}(?:i|i'?m|i'?ve|i'?ll|i'?d)\b",
    "i report": rf"{_LEAD}(?:i'?m|i|we)\s(?:am\s|just\s|now\s|still\s|also\s|only\s|keep\s)*(?:see(?:ing)?|get(?:ting)?|got|notice[ds]?|saw|hit|have|found|ran\sinto|can'?t|cannot|don'?t\ssee|lost)\b",
    "i say": rf"{_LEAD}i\s(?:already\s|just\s|specifically\s|clearly\s|never\s|did\snot\s|didn'?t\s|only\s)*(?:said|say|told|asked?|meant|mean|wanted|need(?:ed)?|want|think|thought|expect(?:ed)?|don'?t|do\snot|prefer|like)\b",
    "i did": rf"{_LEAD}(?:i|i'?ve|we|we'?ve)\s(?:have\s|just\s|already\s|also\s)*(?:added|updated|made|created|ran|fixed|changed|moved|removed|committed|pushed|merged|restarted|installed|did|set|tried|tested|deleted|reviewed|renamed)\b",
    "you": rf"{_LEAD}(?:you|you'?re|you'?ve|your|u|ur)\b",
    "it": rf"{_LEAD}(?:it|it'?s|its|this|that|that'?s|these|those|they|there|there'?s)\b",
    "it is": rf"{_LEAD}(?:it|this|that|these|those|they|there)\s?(?:'s|'re|is|are|was|were|looks?|seems?|feels?|should|needs?|has|have|does|did|keeps?|says?|shows?)\b",
    "the thing": rf"{_LEAD}(?:the|my|our|your|all|some|most|each|both)\s",
    "when": rf"{_LEAD}(?:when|whenever|if|once|after|while|for|in|on|at|with)\b",
    "also": r"(?:and|also|plus|another|one\smore|additionally|next)\b",
    "number": r"(?:_num\b|[\d(]|[-*•]\s|option\s|[a-d][).:]|q\d)",
    "paste": r"(?:_paste|_code|_quote|_url|_path|_image)\b",
    "nothing but yes": r"(?:(?:ok(?:ay)?|k|y|yes|yeah|yep|sure|great|good|perfect|cool|nice|thanks?|thank\syou|please|go\sahead|proceed|continue|do\sit|next|commit|push|and|it|that|this|all|both|option|_num|[a-e]|right|sounds\sgood|looks\sgood|lets?|let'?s|go|the|them|pls|now|correct|approved?|done|agreed)\b\W*)+$",
    "one question": r"[^.!\n]{3,200}\?\W*$",
}  # fmt: skip

_ANYWHERE: Final = {
    "you did": rf"\b{_YOU}(?:'ve|\shave|\sjust|\salso|\sagain|\sstill|\salready|\saccidentally|\sonly|\snever|\sseem\sto\shave|\shad|\scompletely|\stotally)*\s(?:did|forgot|missed|changed|removed|deleted|broke|added|put|made|wrote|created|claimed|skipped|ignored|duplicated|left|used|moved|renamed|overwrote|replaced|hard-?coded|assumed|misunderstood|misread|lost|messed|went|got|gave|introduced|reverted|stopped|kept|were|was|failed|set|ran|invented|made|hallucinated|lied|committed|pushed|dropped|omitted|confused|mixed|marked|jumped|rewrote|edited|disabled|commented|included|listed|said|told|implemented|built|fixed)\b",
    "you are": r"\byou(?:'re|\sare|\skeep|\salways|\sseem|\sappear|\swere|r)\b",
    "you should": r"\b(?:you|u)\s(?:should|must|need\sto|have\sto|ought|could|can|may|might|supposed)\b",
    "did you": r"\b(?:did|didn'?t|have|haven'?t|do|don'?t|are|aren'?t|were|weren'?t|why)\s(?:you|u)\b",
    "why": r"\bwhy\b",
    "why you": r"\bwhy\s(?:did|didn'?t|are|aren'?t|do|don'?t|have|haven'?t|would|were|is|isn'?t|does|doesn'?t|not|can'?t|the|was|wasn'?t)\b",
    "why this": r"\bwhy\s(?:is|are|was|were|does|do|did|has|have)\s?(?:n'?t)?\s(?:this|that|it|the|there|these|we|they)\b",
    "i said": r"\b(?:i|we)(?:'ve|'d|\shave|\shad|\salready|\sjust|\sspecifically|\sexplicitly|\sclearly|\sonly|\snever|\salso|\sdid(?:n'?t)?)*\s(?:ask(?:ed)?|said|told|tell|mentioned|specified|meant|decided|agreed|wanted|requested|discussed|instructed|explained)\b",
    "i meant": r"\b(?:i\smeant?|what\si\s(?:want(?:ed)?|meant?|was)|to\s(?:be\sclear|clarify)|for\sclarity|in\sother\swords|i\swas\s(?:talking|referring|asking|thinking)|i'?m\s(?:talking|referring)\sabout|let\sme\sclarify|i'?m\snot\s(?:talking|asking|sure\swhat))\b",
    "i do not": r"\bi\s(?:really\s|still\s|just\s)?(?:don'?t|do\snot|didn'?t|did\snot|never|can'?t|cannot|wouldn'?t|am\snot|wasn'?t|couldn'?t)\b|\bi'?m\snot\b",
    "do not see": r"\b(?:i|we)\s(?:still\s)?(?:don'?t|can'?t|cannot|do\snot|didn'?t|couldn'?t)\s(?:\w+\s)?(?:see|find|get|understand|know|remember)\b",
    "do not": r"(?:^|[.!?\n,;:-]\s*|\b(?:please|but|and|so|just|also|ok|no|now|should|you)\s)(?:don'?t|do\snot|never|stop|quit|avoid|no\smore)\b(?!\s(?:worry|you|we|i|know|think))",
    "stop doing": r"\b(?:stop|quit|avoid|no\smore|enough\swith)\s(?:\w+ing|the|all|with|doing)\b",
    "do not, do": r"\b(?:don'?t|do\snot|never|not|stop|no)\s[^.!?\n]{2,80}?(?:[,;:.!-]|\bbut|\band)\s(?:please\s|just\s|rather\s)?(?:use|take|put|write|make|call|keep|try|run|look|read|do|go|add|leave|move|start|ask|install|send)\s\w",
    "should": r"\b(?:should|ought|must|needs?\sto|ha(?:s|ve)\sto|supposed)\b",
    "should be": r"\b(?:should|must|needs?\sto|has\sto|ought\sto|supposed\sto|meant\sto)\s(?:not\s|only\s|still\s|also\s|always\s|just\s|really\s|all\s|never\s|probably\s)*(?:be|have|show|use|go|look|say|work|display|return|get|take|do|stay|include|contain|come|start|match|live|happen|appear)\b",
    "should have": r"\b(?:should|could|would)(?:n'?t|\snot)?(?:'ve|\shave|\sof)\b",
    "should not": r"\b(?:should(?:n'?t|\snot|\snever)|must(?:n'?t|\snot)|not\ssupposed|no\sneed|needn'?t|not\smeant)\b",
    "should it not": r"\b(?:should|is|are|was|does|did|do|would|wo|could|have|has)n'?t\s(?:it|this|that|we|you|the|there|these|they|i)\b",
    "instead": r"\b(?:instead|rather|as\sopposed\sto|in\splace\sof)\b",
    "this not that": r"\bnot\s(?:\S+\s){1,8}?but\b|,\snot\s\w+|\bnot\s(?:a|an|the|just|in|on|for|by|with|from|at|to|only|using|via)\b",
    "still": r"\bstill\b",
    "still broken": rf"\bstill\s(?:\w+\s)?(?:{_NEG}|no|see|seeing|get|getting|have|having|fail\w*|broken|wrong|missing|there|the|happen\w*|show\w*|same|error\w*|stuck|need\w*|a|an|some|using|has|is|looks?|appears?)\b",
    "again": r"\b(?:again|another\stime|once\smore|repeatedly|keeps?|every\stime|each\stime|yet\sanother)\b",
    "does not work": rf"\b(?:{_AUX}(?:n'?t|\snot)|doesnt|didnt|isnt|dont|wont|cant|cannot|never|no\slonger|stopped|not)\s(?:\w+\s){{0,3}}?(?:work\w*|load\w*|show\w*|display\w*|appear\w*|run\w*|respond\w*|open\w*|compil\w*|build\w*|pass\w*|start\w*|render\w*|updat\w*|sav\w*|visible|fix\w*|happen\w*|chang\w*|connect\w*|send\w*|match\w*|correct\w*|right|true|good|exactly|what|there|available|being|enough|reflect\w*|do(?:ing)?\sanything|exist\w*|help\w*|find|found|persist\w*|trigger\w*|look\w*|make\ssense|seem\w*)\b",
    "is not": rf"\b(?:it|this|that|these|those|they|there|the\s\w+)\s?{_BE}\s?(?:still\s|also\s|just\s|really\s)?{_NOT}\b",
    "missing": r"\b(?:missing|missed|forgot\w*|left\sout|lacks?|lacking|incomplete|skipped|omitted|not\sall|overlooked)\b",
    "wrong": r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|inaccurate|mistaken?|misunderst\w+|mis\w+ed|false|invalid|bogus|off|out\sof\s(?:sync|date)|inconsistent|mismatch\w*)\b",
    "bad": r"\b(?:weird|strange|odd|ugly|bad|terrible|awful|horrible|worse|worst|useless|garbage|crap|janky|mess(?:y|ed)?|mangled|garbled|confusing|annoying|hard\sto\s(?:read|see|follow|understand)|unreadable|clunky|sloppy|lazy|hacky|silly|stupid|dumb|ridiculous)\b",
    "too much": r"\b(?:too|overly|way\stoo|so)\s(?:\w+ly\s)?(?:long|much|many|big|small|complicated|complex|wide|verbose|short|slow|late|early|far|close|high|low|dark|light|generic|vague|large|narrow|tall|strict|aggressive|heavy|fast|loud|noisy|wordy|detailed|deep)\b|\bover-?\s?(?:engineer|complicat|kill|do)\w*",
    "redundant": r"\b(?:duplicat\w+|redundant|unnecessary|unneeded|not\s(?:needed|necessary|required)|pointless|extra|superfluous|unused|overkill|twice|do\swe\s(?:really\s)?need|why\sdo\swe|don'?t\sneed)\b",
    "fault": r"\b(?:fail(?:s|ed|ing|ures?)?|errors?|errored|exceptions?|issues?|problems?|bugs?|buggy|warnings?|timeouts?|timed\sout|404|500|conflicts?)\b",
    "i get": r"\b(?:i(?:'?m|\sam)?\s(?:now\s|also\s|just\s|still\s|only\s)?(?:see|seeing|get|getting|got|notice[ds]?|saw|hit|hitting|receiv\w+|encounter\w*|having)|here'?s\swhat\si|now\si\s(?:see|get))\b",
    "now it": r"\b(?:now\s(?:it|i|the(?!\ssame)|there|we|when|nothing|all|this)|(?:it|that|this)\s(?:now|only)|but\snow|and\snow|(?:is|are)\snow|it\s(?:says|shows|gives|throws|fails|looks|seems|keeps|did|does|doesn'?t|didn'?t|was|goes|stays))\b",
    "when i": r"\b(?:when|whenever|if|after|once)\s(?:i|we|you|running|clicking|it)\b",
    "look": r"\b(?:looks?|looking|seems?|feels?|appears?)\s(?:like|as|to|wrong|off|bad|weird|strange|the\ssame|a\sbit|kind|too|odd|ugly|very|really|more)\b",
    "undo": r"\b(?:undo|revert|roll\s?(?:ed|ing)?\s?back|put\s(?:it|that|them|this|the\s\w+)\sback|restore|back\sout|take\s(?:it|that|them|this)\sout|start\sover|redo|scrap|go\sback|switch\sback|change\s(?:it|that|this)\sback|bring\sback|discard)\b",
    "remove it": r"\b(?:remove|delete|drop|get\srid\sof|strip|cut|kill|ditch|take\sout)\s(?:that|this|it|these|those|the|all|any|your|them)\b",
    "not true": rf"\b(?:not\s(?:true|right|correct|what|how|the\s(?:right|correct|case|point|issue|problem|same|way)|accurate|good|great|ideal|clear|necessary|helpful|quite|really|at\sall|enough|even|exactly)|{_BE}\s?n'?t\s(?:true|right|correct|what|how|the|accurate|good)|that'?s\s(?:not|wrong|incorrect|false|a\slie))\b",
    "sure": r"\b(?:are\syou\ssure|really\?|is\s(?:this|that|it)\s(?:really|actually|right|correct|true)|actually\s(?:need|used?|work|true|do|test\w*|run|check\w*)|make\s?s?\s(?:no|any)?\s?sense|don'?t\sthink|do\swe\s(?:really|even|actually)|necessary)\b",
    "i think": r"\b(?:i\sthink|i\sthought|i\sbelieve|i'?d\s(?:prefer|rather|like|expect)|i\sexpected|i\swonder|surpris\w+|unclear|concern\w*|worr\w+|unfortunately|sadly|apparently|i\sfeel|i\sguess|i\sassume)\b",
    "only fault": r"\b(?:only|one|another|small|minor|last|few|couple)\s(?:\w+\s)?(?:issue|problem|thing|nit|bug|correction|change|tweak|detail)s?\b",
    "but": r"\b(?:but|however|though|although|yet|except|whereas)\b",
    "yes but": r"^(?:\W*(?:ok(?:ay)?|great|good|nice|perfect|cool|thanks?|yes|yeah|sure|right|fine|awesome|excellent|better|closer|almost|looks\s\w+|works)\b).{0,120}?\b(?:but|however|except|though|although|still|unfortunately|only)\b",
    "standing": r"\b(?:always|never(?!\smind)|from\snow\son|going\sforward|in\s(?:the\s)?future|in\sgeneral|every\stime|whenever|by\sdefault|as\sa\srule|for\sall|each\stime|ever\sagain|don'?t\sever|anytime|henceforth)\b",
    "remember": r"\b(?:remember|keep\sin\smind|make\s(?:a\s)?note|note\sthat|don'?t\sforget|be\saware|bear\sin\smind|take\snote)\b",
    "make sure": r"\b(?:make\ssure|be\ssure|ensure|please\s(?:always|never|don'?t|do\snot|only|use|keep))\b",
    "rule": r"\b(?:rules?|conventions?|guidelines?|standards?|preferences?|policy|claude\.?md|agents\.?md|memory|style\sguide|best\spractices?|instructions?)\b",
    "we never": r"\b(?:we|i)\s(?:always|never|only|don'?t|do\snot|usually|prefer|like\sto|use|want\syou\sto)\b",
    "prefer": r"\b(?:prefer(?:red|ably)?|i\s(?:like|want)\s(?:it|you|to|the|my)|would\srather|i'?d\srather)\b",
    "praise": r"\b(?:great|perfect(?:ly)?|awesome|excellent|amazing|wonderful|fantastic|beautiful\w*|love(?:ly)?|nice(?:ly)?|well\sdone|good\s(?:job|work|catch|idea|point|call|stuff)|brilliant|impressive|exactly|kudos|super|cool|yay|woo\w*|smart|clever|elegant|happy)\b",
    "thumb up": r"[👍🎉🙏💯🚀👌]|❤",
    "thanks": r"\b(?:danke|merci|gracias|thanks?|thank\syou|thx|appreciate\w*|cheers)\b",
    "works now": r"\b(?:funktioniert\sjetzt|klappt\sjetzt|ça\smarche|ahora\sfunciona|ship\sit|works?\s(?:now|great|well|perfectly|fine|like|as\s(?:expected|intended|it\sshould))|working\s(?:now|great|well|again|fine)|it\sworked|worked\s(?:great|fine|well)|looks?\s(?:good|great|right|nice|perfect|much\sbetter)|that'?s\s(?:it|great|perfect|better|good)|much\sbetter|all\s(?:good|pass\w*|green)|fixed\sit|solved)\b",
    "more": r"\b(?:also|as\swell|additionally|in\saddition|another|one\smore|too|plus|furthermore|while\s(?:we|you)|likewise|on\stop\sof|extend|expand|improv\w+|enhanc\w+|make\sit\s(?:more|better|even|so)|(?:it\s)?would\sbe\s(?:nice|good|great|cool|helpful|better)|it'?d\sbe|optional(?:ly)?|even\sbetter|let'?s\s(?:also|add|have))\b",
    "could it": r"\b(?:can|could|should)\s(?:we|you|it|this|they)\s(?:also|make|add|have|instead|not|just|please|be)\b",
    "go on": r"\b(?:go\sahead|proceed|continue|do\sit|let'?s\s(?:do|go|start|proceed|move|try|continue|implement|begin)|next\s(?:step|phase|task|up)|move\son|carry\son|keep\sgoing|resume|commit|push|merge|ship|pr\b|pull\srequest|release|deploy|branch)",
    "asks how": r"\b(?:how\s(?:do|does|can|would|should|could|is|are|to|much|many|long)|what\s(?:is|are|does|do|would|should|if|other|else|kind)|where\s(?:is|are|do|does|can)|which|is\sthere|are\sthere|can\si|explain|tell\sme|show\sme|walk\sme|describe|what'?s|recommend|suggest|pros\sand\scons|options)\b",
    "agreed": r"\b(?:our\splan|the\splan\swas|as\s(?:agreed|planned|discussed|requested)|(?:like|as)\s(?:we|everywhere|the\s(?:other|rest))|everywhere\selse|already\s(?:do|have|did|exists?|has)|follow\s(?:them|it|those|my|the\s(?:rules|instructions|guidelines))|responsib\w+|marked\sas|you\sknow|not\sa\sgoal)\b",
    "i changed": r"\b(?:i|we)(?:'ve|\shave|\sjust|'d|\salready|\salso)*\s(?:added|updated|made|created|ran|run|did|fixed|changed|moved|removed|committed|pushed|merged|restarted|installed|put|set|pasted|attached|tested|renamed|deleted|tried|refreshed|reviewed|staged|edited|adjusted)\b",
    "just": r"\b(?:just|only|simply|merely|all\si)\b",
    "actually": r"\b(?:actually|in\sfact|really|literally|obviously|clearly|the\s(?:whole\s)?point)\b",
    "angry": r"\b(?:wtf|wth|the\shell|fuck\w*|shit\w*|bullshit|damn|idiot\w*|lying|lie|liar|cheat\w*|come\son|jesus|christ|seriously|dude|bro|wow|omg|ffs|hell)\b",
    "says that": r"\b(?:it|that|this|you|the\s\w+)\s(?:says?|said|claims?|claimed|shows?|tells?|told)\b",
    "it should": r"\b(?:it|that|this|these|they|there|the\s\w+(?:\s\w+)?)\s(?:should|must|needs?|has\sto|have\sto|ought)\b",
    "want": r"\b(?:i|we)\s(?:just\s|really\s|only\s|actually\s|still\s)?(?:want|need|would\slike|wanted|needed)\b",
    "use this": r"\b(?:use|using)\s(?:the|a|an|our|my|this|that|_path|_code|it)\b",
    "change it": r"\b(?:change|switch|move|make|rename|replace|put|set)\s(?:it|that|this|them|these|the)\b",
    "see that": r"\b(?:as\syou\scan\ssee|look\sat|see\s(?:the|this|_image|_path)|here\sis|here'?s|attached|screenshot|_image|below|above|console|output|logs?|terminal)\b",
    "it": r"\b(?:it|that|this|these|those|they)\b",
    "you": r"\byou\b",
    "question": r"\?",
    "shout": r"!",
    "shouts": r"!!|\?!|!\?|\?\?",
    "trails off": r"\.\.\.|…",
    "list": r"(?:^|\n)\s*(?:_num[.)]|[-*•])\s",
    "code": r"_code\b",
    "paste": r"_paste\b",
    "path": r"_path\b",
    "quote": r"_quote\b|\"",
}  # fmt: skip

Forms = tuple[tuple[str, re.Pattern[str]], ...]


@cache
def forms() -> tuple[Forms, Forms]:
    """The signs at the start of a text, and those anywhere, by their names."""
    starts, anywhere = (
        tuple((name, re.compile(pattern)) for name, pattern in patterns.items())
        for patterns in (_STARTS, _ANYWHERE)
    )
    return starts, anywhere


LONGEST = 6000
"""Characters of a prompt that are read: more than 95 in 100 prompts are shorter."""
_HEAD, _TAIL = 300, 100
"""Characters at both ends that are searched for signs: all of a long prompt would look like feedback."""
_WORDS_HEAD, _WORDS_TAIL = 250, 80

Features = tuple[dict[str, float], list[str]]
"""Values by sign; words, pairs of words and openers."""


class Prompt(NamedTuple):
    """A prompt and its place in the session."""

    text: str
    previous: str = ""
    """The prompt before it; its beginning is enough."""
    position: int = 2
    """Its number among the session's prompts, from 1."""
    interrupted: bool = False
    """The turn before was interrupted or refused, or was still running."""


_RULE_FILE = re.compile(
    r"@?[\w./~-]*\b(?:claude|agents?|gemini|copilot-instructions)\.mdc?\b|\.cursorrules\b", re.I
)
_MASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (" _code \n", re.compile(r"```.*?(?:```|\Z)", re.S)),
    (" _image ", re.compile(r"\[(?:image|pasted text)[^\]\n]*\]", re.I)),
    (" ", re.compile(r"<(system-reminder|local-command-\w+|command-\w+|ide_\w+)>.*?</\1>", re.S)),
    (" _code ", re.compile(r"`[^`\n]{1,300}`|\ue000\d+\ue001")),
    (" _url ", re.compile(r"https?://\S+")),
    (" _rulefile ", _RULE_FILE),
    (" _path ", re.compile(r"(?<!\S)@[\w~./-]+")),
    (" _path ", re.compile(r"(?<![\w/])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*(?::\d+)?(?=\W|\Z)")),
    (" _path ", re.compile(
        r"\b[\w-]+\.(?:py|js|jsx|tsx?|go|mdc?|jsonl?|ya?ml|toml|rs|vue|css|html|sh|sql|env|txt|log|png|mod|db)\b"
    )),
)  # fmt: skip
_LOG = re.compile(
    r"""\s*(?:at\s\S+[.(]|File\s"|Traceback\b|Caused\sby:|Exception\sin\sthread\b|\[?\d{1,4}[-/:]\d\d[-/:T]|[│├└┌┐┘─═━|╭╰╮╯⎿●⏺✓✗✔✘×❯➜⚠❌✅]|\$\s|>
    |[\w.-]+@[\w.-]+[:~]|(?:npm|ERROR|WARN(?:ING)?|INFO|DEBUG|FAIL(?:ED)?|PASS|error|warning)\b[\s:!\]]
    |[{}\[\]();,<>]+\s*$|<[^>]*>|\d+\s?[|:│]|[+-]{1,3}\s.*\b(?:def|const|function|import)\b)
    |.*\b\w*(?:Error|Exception)\b:|.*[{};]\s*$|\s{4,}\S""",
    re.X,
)
_LOG_LETTERS = 0.72
_QUOTE = re.compile(r'(?<![\w"])"(?=\S)[^"\n]{25,}"')
_NUMBER = re.compile(r"\b\d+(?:\.\d+)*\b")
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_LINES = re.compile(r"\s*\n\s*")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\0": " "})


@lru_cache(maxsize=64)
def masked_text(text: str) -> str:
    """A prompt in lower case, with code, paths, links, logs and long quotes replaced by marks."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 1000]}\n{text[-1000:]}"
    text = text.translate(_QUOTES)
    for mask, form in _MASKS:
        text = form.sub(mask, text)
    lines: list[str] = []
    for line in text.split("\n"):
        if not is_log(line):
            lines.append(line)
        elif not lines or lines[-1] != "_paste":
            lines.append("_paste")
    text = _NUMBER.sub("_num", _QUOTE.sub(" _quote ", "\n".join(lines)))
    return _LINES.sub("\n", _BLANKS.sub(" ", text)).strip().lower()


def is_log(line: str) -> bool:
    """Whether a line looks like one that a program printed."""
    if not line.strip():
        return False
    if _LOG.match(line):
        return True
    words = sum(char.isalpha() or char in " ,.'?!_" for char in line)
    return len(line) > 25 and words < _LOG_LETTERS * len(line)


def _cut(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]} \n {text[-tail:]}"


_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
_TOKEN = re.compile(r"[\w']+|[?!]+|[\u2600-\u27bf\U0001f300-\U0001faff]")
_OPENING = 6
_LENGTHS = (2, 4, 8, 15, 30, 60, 120)


def of_prompt(prompt: Prompt) -> Features:
    """What a prompt shows: `^sign`, `sign`, `1 sign` (in its first sentence), length and place; its words."""
    text = masked_text(prompt.text)
    values = dict.fromkeys(_signs(_cut(text, _HEAD, _TAIL)), 1.0) | _size(text)
    if len(prompt.text) > 800:
        values["long"] = 1.0
    if any(word.isupper() and len(word) > 2 and word.isalpha() for word in prompt.text[:_HEAD].split()):
        values["capitals"] = 1.0
    values |= dict.fromkeys(_of_session(prompt, len(text.split())), 1.0)
    return values, _grams(_TOKEN.findall(_cut(text, _WORDS_HEAD, _WORDS_TAIL)))


def _signs(text: str) -> Iterator[str]:
    first = len(_SENTENCE.split(text, maxsplit=1)[0][:160])
    starts, anywhere = forms()
    for name, form in starts:
        if form.match(text):
            yield f"^{name}"
    for name, form in anywhere:
        match = form.search(text)
        if match:
            yield name
            if match.start() < first:
                yield f"1 {name}"


def _size(text: str) -> dict[str, float]:
    count = len(text.split())
    values = dict.fromkeys((f"<{limit} words" for limit in _LENGTHS if count < limit), 1.0)
    return values | {"length": min(log1p(count) / 5, 1.5)}


def _of_session(prompt: Prompt, count: int) -> Iterator[str]:
    if prompt.position <= 1:
        yield "first"
    if prompt.position <= 3:
        yield "early"
    if prompt.position > 15:
        yield "late"
    if prompt.interrupted:
        yield "interrupted"
        if count < 15:
            yield "interrupted, short"


def _grams(words: list[str]) -> list[str]:
    """Words and word pairs, and openers of one to three words."""
    grams = [f"w {word}" for word in words]
    grams += [f"w {first} {second}" for first, second in pairwise(words)]
    for length in (1, 2, 3):
        for at in range(min(_OPENING, len(words)) - length + 1):
            grams.append(f"o {' '.join(words[at : at + length])}")
    return grams


_MOST_WORDS = 60


def of_words(text: str, *, asks: bool = False) -> Features:
    """What a sentence shows by itself: signs, length, words, and how it begins and ends."""
    values, grams = _of_text(text)
    return {**values, "asks": 1.0} if asks else dict(values), list(grams)


@lru_cache(maxsize=64)
def _of_text(text: str) -> Features:
    """The same, kept: two heads look at a sentence one after the other."""
    text = masked_text(text)
    starts, anywhere = forms()
    values = {f"^{name}": 1.0 for name, form in starts if form.match(text)} | _size(text)
    values |= {name: 1.0 for name, form in anywhere if form.search(text)}
    words = _TOKEN.findall(text)[:_MOST_WORDS]
    grams = [f"w {word}" for word in words]
    grams += [f"w {first} {second}" for first, second in pairwise(words)]
    for length in (1, 2, 3):
        if len(words) >= length:
            grams += [f"o {' '.join(words[:length])}", f"e {' '.join(words[-length:])}"]
    return values, grams


class Place(NamedTuple):
    """What is known of the prompt that a sentence stands in."""

    sentences: int = 1
    """How many it has."""
    position: int = 1
    """Its number among the session's prompts, from 1."""


def of_sentence(own: OwnWords, at: int, place: Place) -> Features:
    """What the sentence `own.every[at]` shows, with its place in the prompt."""
    sentence = own.every[at]
    values, grams = of_words(sentence.text, asks=sentence.asks)
    values |= dict.fromkeys(_of_place(own, at, place), 1.0)
    return values, grams


def _of_place(own: OwnWords, at: int, place: Place) -> Iterator[str]:
    if place.sentences == 1:
        yield "alone"
    if at == 0:
        yield "opens"
    if at == place.sentences - 1:
        yield "closes"
    if place.sentences > 8:
        yield "long prompt"
    if own.every[at].listed:
        yield "listed"
    if place.position <= 1:
        yield "first prompt"
    if any(word.isupper() and len(word) > 2 for word in own.every[at].text.split()):
        yield "shouts"
    if at and len(own.every[at - 1].text.split()) < 4:
        yield "after a word"
