"""Cues of corrections: the work is wrong, incomplete or not as requested."""

import re

from learnloop.learn.feedback.cues import LEAD, Cue, cue

CORRECTION: tuple[Cue, ...] = (
    cue("that is wrong", 0.88, "that|this|it|sense|obsolete|deprecated",
        r"""\b(?:that|this|it)(?:'s|\sis|\swas|'s\sactually|\sseems?|\slooks)\s
        (?:(?:just|simply|still|also|actually|completely|totally|all|kinds|of|very|seriously)\s)*
        (?:wrong|incorrect|not\s(?:right|correct|true|good|what\s(?:i|we))|backwards|overkill|outdated|false|untrue|nonsense
        |garbage|a\s(?:lie|mess|disaster)|terrible|awful|ugly)\b
        |^(?:that|this|the)\s[\w-]+\s(?:is|was)\s(?:deprecated|obsolete|long\sgone)\b|\bmakes\sno\ssense\b|^(?:that|this|it)?\s?doesn't\smake\ssense\b
        |\b(?:that|this|it)\s(?:isn't|doesn't\s(?:seem|look|feel|sound))\s(?:right|correct|true|good|what\s(?:i|we))\b"""),
    cue("I said", 0.85, "i |i've|repeat|know",
        r"""^(?:(?:but|no|uh+|so)[,.…]*\s)*(?:i(?:'ve|\shave)?|like\si|as\si)\s(?:(?:already|just|specifically)\s)?
        (?:said|told\syou|suggested|asked\s(?:you\s)?(?:for|to)|never\s(?:mentioned|asked|said))\b
        |^(?:didn't|did)\si\s(?:not\s)?(?:just\s)?(?:ask|tell|say)\b|^i\sdid\s(?:tell|say|ask)\b|^let\sme\srepeat\b
        |^you\sshould\sknow\s(?:by\snow|that)\b"""),
    cue("told many times", 0.9, "time|again|i keep|have to tell|wie oft|fois|veces",
        r"""\b(?:how\smany\stimes|time\s(?:today\s|now\s|this\sweek\s)?that\s(?:you|i)\s|(?:second|third|fourth|fifth|nth)\stime\s(?:you|i)
        |^for\sthe\s[a-z\d]+\stime,?\s(?!being)|^(?:once\s)?again[,:]\s(?:please\s)?(?:don't|do\snot|use|never)|i\skeep\s(?:telling|asking|saying)|^wie\soft\s(?:noch|soll|muss)|^combien\sde\sfois|^cu[áa]ntas\sveces
        |why\sdid\si\shave\sto\stell)\b"""),
    cue("blame", 0.85, "you|should",
        r"""\byou\s(?:forgot|missed|skipped|misread|misunderstood|broke|ignored|deleted|removed|overcomplicat\w+
        |hardcoded|duplicated|overwrote|hallucinated|invented|made\sup|left\s(?:out|in|debug|the)|lost
        |didn't\s(?!know\b|have\b|need\b|see\b)[a-z]+|(?:put|used|changed|edited|wrote|picked)\s(?:it\s|that\s|the\s\w+\s)?(?:in|on|to)?\s?the\swrong
        |should(?:n't)?(?:\shave|'ve|\sof)
        |(?:are|were)\s(?:(?:just|still)\s)?(?:missing|overthinking|overcomplicating|repeating|losing|deleting|removing
        |ignoring|told|supposed|wrong)|keep\s[a-z]+ing|again\s(?:used|forgot)|made\sno\schanges?|just\sduplicated)\b
        |^(?:shouldn't|should)(?:\shave|'ve|\sof)\s
        |^(?:ugh,?\s|dude,?\s|again,?\s)?you\s(?:always|never|again)\s(?!mind)|^you\s[a-z]+\s[^?]*\sagain\b
        |\byou've\s(?:introduced|broken|missed|removed|overcomplicat\w+)\b
        |\byou're\s(?:(?:still|just)\s)?(?:missing|overthinking|overcomplicating|ignoring|repeating|guessing|hallucinating)\b
        |^(?:[^,?]{0,40},\s)?you're\s[a-z]+ing\s[^,?]+(?:,\s|\sand\s)not\s|^who\s(?:told|asked)\syou\b|\byou\sseem\sto\s(?:think|assume|believe)\b|\byou(?:'re|\sare)\sassuming\b
        |^(?:yes\s|ok\s)?but\syou\s(?:[a-z]+ed|ran|put|wrote|made|lost|broke|left|forgot)\b"""),
    cue("exasperation", 0.82, "",
        r"""\b(?:what\sare\syou\s(?:talking|smoking|doing)|what\sis\s(?:this|that)\s(?:garbage|mess|crap|nonsense|thing)|wth|what\sthe\s(?:hell|heck)|come\son\sman|no\sman
        |that's\sa\shallucination|^do\sbetter|you\scan\sdo\sbetter)\b
        |^(?:dude|whoa)\b[.,!…\s]+\S|^(?:whoops|oops)[,.!\s]+(?!my\b|i\b|sorry)\S"""),
    cue("why did you", 0.7, "why",
        rf"^{LEAD}(?:how/)?why\s(?:(?:on\searth|the\shell|the\sheck|the\sfuck)\s)?(?:did|have|would|are|do)\syou\s(?!think|recommend|suggest|need|want|prefer)"),
    cue("instead of", 0.75, "instead of|rather than",
        r"""^(?:please\s|just\s)?(?:instead\sof|rather\sthan)\s[^,]+?,?\s
        (?:please\s)?(?:use|reuse|make|name|put|try|call|write|just|add|create|edit|change|move|keep|do|go|run|return|pass|extend|fix|fork|copy|read|ask|open)\b"""),
    cue("don't, do", 0.85, "don't|do not|stop|no ",
        r"""(?:^|[,;.]\s*)(?:please\s)?(?:don't|dont|do\snot|stop)\s(?:use|using)\b[^.;,]*[,;.]?\s*(?:use|just|try)\b
        |^(?:please\s)?(?:don't|do\snot)\s[a-z]+\s[^.;,]+,\s[a-z]+\s[^.;,]+\sinstead$
        |^(?:please\s)?no\s[a-z][\w\s-]{2,40}[,;]\s(?:please\s|just\s)?use\s"""),
    cue("this, not that", 0.8, ", not|, and not|, never",
        r"""^(?:the|our|this|that|a|an|all|every|it)\s[^,;?]{0,40}\s(?:must|should|returns?|uses?|lives?|expects?|takes?|stores?
        |accepts?|wants?|needs?|goe?s?|belongs?)\s[^,;?]{1,50},\s(?:(?:and\s)?not|never)\s(?!sure|only|just|yet|otherwise|so\b|to\smention)"""),
    cue("better", 0.72, "instead|rather",
        r"^(?:i\sthink\s)?it(?:'d|\swould)\sbe\s(?:better|cleaner|best|nicer)\s(?:to|if\syou)\b[^?]+\b(?:instead|rather)\b"),
    cue("this, not that", 0.8, " not",
        r"""^(?!we've|we\shave|i've|is\s|are\s).*\b(?:is|are|has\sto\sbe|should\sbe|goes|go|applies|apply
        |was\ssupposed\sto\sbe|it's|belongs?)\s[^,;?]{1,60}(?:,\s*(?:and\s)?not|\sand\snot)\s
        (?!sure|only|just|yet|otherwise|so\b|to\smention)"""),
    cue("this, not that", 0.75, " not",
        r"""^(?:the|our|its?|my)\b[^,;?]{0,40}\s(?:is|are|it's)\s[^,;?\s]{1,40}\snot\s(?:in\s|on\s|at\s)?[^,;?\s]+$"""),
    cue("rather not", 0.82, "rather|prefer",
        r"\bi(?:'d|\swould)\s(?:rather\s(?:(?:you|we)\s)?(?:didn't|did\snot|not|don't|use|keep|have)"
        r"|prefer\s(?:it\s)?if\syou)\b"),
    cue("puzzled", 0.72, "",
        r"""^(?:uh{2,}|um{2,}|m{3,}|erm+|ahem+)\b[.,…\s]+\S|^wait[,.…]+\s(?!for\b|until\b|let\sme\b|till\b|don't\b)\S
        |^(?:wait,?\s)?why\s(?:is|are|so\smany)\s[^?]*\bnow$|^why\sso\s(?:many|much)\b
        |^not\ssure\swhy\s(?:you|we|this|that|it)\b|^are\syou\ssure(?:\sabout\sthat)?(?:$|[,.])|^did\syou\seven\s|^(?:look|think|try|read\sit)\s(?:again|harder),\s"""),
    cue("not as agreed", 0.75, "agreed|decided|talked|haven't|isn't|is not|'s not|errors|issues|want",
        r"""(?<!what\s)(?<!how\s)(?<!why\s)\bwe\s(?:explicitly\s|already\s)?(?:agreed|decided|talked\sabout)\b|\byou\shaven't\s(?!asked|told|seen|got\b)
        |^(?:this|that)\s(?:isn't|is\snot)\s(?!urgent|important|needed|necessary|about|for\b)|^(?:that|this|it)'s\snot\s(?!urgent|needed|necessary|about)
        |\b(?:factual|syntax)\serrors\b|\bquality\sissues\b|,\swe\sdon't\swant\b"""),
    cue("your work", 0.75, "you",
        r"""^(?:and\s|but\s)?you\s(?:put|changed|left|added|made|used|wrote|set|claim(?:ed)?|said|told\sme|copied|renamed|moved|committed|pushed)\s
        (?!a\sgood|great|can\b|could\b|want)|^your\s(?!choice|call|turn|task|job|goal|next|welcome|first)[a-z]+\s(?:is|also|only|leaves|doesn't|does|has|still|just|isn't|ignores|breaks)\s"""),
    cue("stop doing", 0.88, "stop|quit|avoid", rf"^{LEAD}(?:stop|quit|avoid)\s[a-z]+ing\b"),
    cue("on second thought", 0.72, "actually",
        r"^actually,?\s(?:let's\s|please\s|just\s)?(?:use|go\swith|stick\s(?:to|with)|switch\sto)\s(?!option|the\s(?:first|second))"),
    cue("only this", 0.7, "only", rf"^{LEAD}only\s(?:use|commit|push|import|edit|touch)\s"),
    cue("not without", 0.8, "without|unless",
        rf"^{LEAD}(?:don't|do\snot)\s(?!worry|forget|stop|continue)[a-z-]+\s[^.;?]*\b(?:without|unless)\s"),
    cue("in short", 0.66, "please|just|only|less|fewer|leave|omit|stick|keep to|follow|respect|match|hands",
        rf"""^{LEAD}(?!this|that|for\s|it|just|read|(?:the\s)?(?:first|second|last|two|three)\b|not\b)[a-z]+\s(?:[a-z]+\s)?only(?:\splease)?$
        |^{LEAD}(?:less|fewer)\s[a-z]+(?:,?\s(?:and\s)?more\s[a-z]+)?(?:\splease)?$
        |^{LEAD}(?:leave\sout|omit)\s(?:the|all|any|those|these)\s
        |^{LEAD}(?:stick\s(?:to|with)|follow|respect|keep\sto|match)\s(?:the|our|my|these|those)\s(?:existing|same|current|usual|style|naming|convention|house|agreed|rules?)
        |^{LEAD}stick\sto\s(?:the|our|my)\s(?!first|second|plan\b)
        |^{LEAD}(?:keep\syour\s)?hands\soff\s
        |^(?!(?:run|fix|add|commit|push|show|list|write|update|check|remove|delete|create|open|use|see|merge|deploy|start|next|both|more|all|yes|ok|two|three)\b)
        (?:[a-z-]+\s)?[a-z-]+s(?:\sin\s[a-z\s]{{3,20}})?,?\splease$
        |^(?:looks\s(?:good|great|right)|good|great|nice)[,.]\s(?:just|only)\s(?:move|change|rename|remove|fix|use|make|put|drop|keep)\s"""),
    cue("our way", 0.72, "we |let's|please|no |not ok|acceptable|can't|go| belong",
        rf"""^{LEAD}(?:no,?\s)?we\s(?!have|had|need|can|could|should|might|tried|got)[a-z]+\s[^,;?]{{1,50}},\s(?:and\s)?not\s(?!yet|only|sure|just|so\b)
        |^{LEAD}let's\s(?:keep\s[^,?]+\s(?:out\sof|in|under|separate|apart)\b)
        |(?:^{LEAD}|^[^,?]{{3,40}},\s(?:so\s)?)no\s(?:new|more|extra|additional|global|magic|raw|bare|inline|unused)\s[a-z]+
        |\b(?:is\snot|isn't|are\snot|aren't)\s(?:ok|okay|acceptable|fine)\b|\bunacceptable\b
        |^i\scan't\s(?:merge|review|accept|approve|read|use)\sth(?:is|at)\b
        |^{LEAD}(?:small|short|tiny|brief|plain)(?:er)?\s[a-z]+(?:\s[a-z]+)?\splease\b
        |^[a-z][a-z\s-]{{1,28}}\s(?:goe?s?|belongs?)\s(?:in|into|to|under|next\sto|inside)\s(?!production|prod\b|sleep)"""),
    cue("you may not", 0.74, "you |otherwise|or else",
        r"""^(?:no,?\s|but\s|and\s)*you\s(?:can't|cannot|mustn't|must\snot|may\snot|shouldn't|should\snot|don't\sget\sto)\s(?!see\b|know\b|have\b|access\b|open\b|read\b|need\b)
        |^(?:no,?\s|please\s)*[a-z]+\s[^?]{3,80},?\s(?:because\s)?(?:otherwise|or\selse)\s"""),
    cue("instead of doing", 0.72, "instead of|rather than",
        rf"^{LEAD}[a-z]+\s[^?]{{2,60}}\s(?:instead\sof|rather\sthan)\s(?:just\s)?[a-z]+ing\b(?!\sthe\s(?:whole|old)\b)"),
    cue("make sure all", 0.66, "sure",
        rf"^{LEAD}(?:make|be)\ssure\s(?:that\s)?(?:every|all|each|no|nothing|nobody|none)\s(?!.*\b(?:pass|passing|green)\b)"),
    cue("written so", 0.66, "please",
        r"^please\s(?:write|format|name|spell|phrase|word)\s(?!a\b|me\b|it\sdown)[^?]{2,40}\s(?:like|as|in|with|without)\s"),
    cue("I wanted", 0.7, "wanted", r"^(?:(?:no|but|well)[,\s]+)*i\swanted\s(?!to\b|you\sto\sknow)"),
    cue("polite no", 0.75, "not|stop|avoid|didn't|don't",
        r"""^(?:(?:could|can|would|will)\s(?:we|you)\s(?:please\s|maybe\s|perhaps\s)*(?:not\b|stop\s[a-z]+ing\b|avoid\b|refrain\b)|would\syou\smind\snot\b)
        |\bi'd\s(?:prefer|like|appreciate)(?:\sit)?\sif\s(?:you|we)\s(?:didn't|don't|did\snot|wouldn't|stopped)\b"""),
    cue("better to", 0.66, "better",
        r"^(?:(?:maybe|perhaps|probably|i\sthink|it's|it\sis|it\swould\sbe|would\sbe)[,\s]+)*better\s(?:to|not\sto|if\syou|if\swe)\s"),
    cue("does not feel right", 0.75, "feels|seems|looks|sounds|reads",
        r"""\b(?:that|this|it|which)\s(?:just\s|still\s|all\s)?(?:feels|seems|looks|sounds|reads)\s
        (?:(?:a\s(?:bit|little)|so|super|very|really|quite|pretty|kind\sof|rather|like|totally|way|too)\s)*
        (?:off|odd|wrong|janky|hacky|clunky|weird|strange|bad|messy|ugly|fragile|confusing|overkill|brittle|sloppy|redundant)\b"""),
    cue("as everywhere", 0.75, "like|same|as we",
        r"\b(?:like|as|the\ssame\s(?:way|as))\s(?:we|the\sothers?|i)\s?(?:(?:already\s)?(?:do|does|did|have|has|use))?\s(?:it\s)?(?:everywhere|elsewhere)\b"),
    cue("as I thought", 0.7, "thought",
        r"\bi\sthought\s(?:we|our|you|the|it|this|that)\b(?!\s(?:could|might|would|should|about))"),
    cue("should it not", 0.66, "n't",
        r"^(?:isn't|aren't|wasn't|doesn't|didn't|shouldn't|won't|wouldn't|haven't|hasn't)\s(?!(?:there\san?y?|be\sa)\b)\S+\s\S"),
    cue("I still get", 0.72, "i still|still|now",
        r"\bi(?:'m|\sam)?\s(?:still|now)\s(?:see|seeing|get|getting|have\sto|having)\b(?!.*\bwhat\sshould\si\b)"),
    cue("it does not", 0.66, "n't|not|never",
        r"""^(?:and\s|but\s|now\s)*(?:the|this|that|it|our|your|these|those)\s(?!(?:goal|idea|user|plan|page|app)\b)[^,;?]{0,50}?
        (?:doesn't|does\snot|don't|isn't|aren't|didn't|did\snot|won't|can't|cannot)\s(?!need|matter|have\sto|exist\syet|urgent|important|a\sproblem|necessary|bother)"""),
    cue("is not working", 0.7, "not|n't",
        r"^[^?]{0,60}\b(?:is|are)(?:n't|\snot)\s(?:even\s|yet\s|really\s|actually\s)?"
        r"(?:working|showing|loading|rendering|saving|updating|getting|being|passing|running)\b"),
    cue("not there yet", 0.72, "perfect|there yet|enough|ideal",
        r"\b(?:is|are|was|'s|that's|it's)\s(?:(?:still|just|quite|really)\s)*not\s(?:quite\s|yet\s)?(?:perfect|there\syet|good\senough|ideal|enough)\b"),
    cue("as it should be", 0.78, "correct|right",
        r"^the\s(?:correct|right|proper)\s[a-z]+\s(?:_?should_?\sbe|is|are|would\sbe)\b(?!\snow)"),
    cue("as it should be", 0.78, "actually",
        r"""^actually,?\s(?:it|that|this|they|these|the\s[\w\s]{1,40}?)\s(?:should|must|has\sto|needs?\sto|ought|is\s(?:not|per|for|the|a|only)|goes|belongs)\b"""),
    cue("left out", 0.78, "forg|need|missing|missed",
        r"""^(?:(?:and|but|oh|also|looks\slike|seems|again|ugh)[,\s]+)*(?:(?:you|it|we|claude|the\s\w+)\s)?(?:(?:also|again|just|still)\s)*forgot(?:ten)?\s(?!it$|about\sit|to\s(?:tell|mention|say|ask)\b|(?:my|what|how|why|the\spassword)\b)\S
        |^need(?:s|ed)?\sto\s(?:[a-z-]+\s){1,6}(?:first|before\b)|^(?:but\s|and\s)?you\s(?:also|still)\s(?:need|have)\sto\s(?!know\b|understand\b|see\b)
        |^(?:still\s)?missing\s(?!is\b)[a-z]|^when\s(?:you\s|we\s)?[a-z]+(?:ing)?\s[^?]{3,80}\syou\salso\s(?:need|have|must)\b"""),
    cue("left out", 0.75, "forget|sure you",
        r"""^(?:(?:and|but|also|please|oh)[,\s]+)*(?:don't|do\snot|never)\sforget\s(?!it$|that\b|about\sit\b|this\b)\S
        |^(?:(?:and|but|also|please)[,\s]+)*make\ssure\syou\s(?!are\b|have\b|understand|can\b|know|get\b|read\b|don't\sstart)[a-z]+\s\S"""),
    cue("is wrong", 0.75, "wrong|incorrect",
        r"""^(?!(?:what|which|why|how|who|where|if|when|find|check|tell|see|list|show|fix|something|there|one|write|add|make)\b)
        (?:(?!(?:that|when|whether|if|thinks?|says)\b)[a-z'-]+\s){1,4}(?:is|are)\s(?:still\s|all\s|just\s|now\s|completely\s)?
        (?:wrong|incorrect)(?=$|[,:;])"""),
    cue("avoid", 0.72, "avoid", rf"^{LEAD}avoid:?\s(?!the\s(?:question|problem))[a-z]"),
    cue("do it yourself", 0.75, "yourself",
        r"^(?:please\s|just\s|no,?\s)*(?:do|run|try|check|test|start|fix)\s(?:it|that|this|them|the\s\w+)\s(?:all\s)?yourself\b"),
    cue("no more of it", 0.72, "no more",
        r"^(?:please\s|and\s)*no\smore\s[a-z]+(?!\s(?:changes|questions|errors|ideas))\b"),
    cue("forbidden", 0.65, "don't|do not",
        rf"""(?:^{LEAD}|,\sso\s)(?:please\s)?(?:don't|do\snot)\s(?:just\s)?(?!worry|forget|hesitate|bother|need|want|know|think|see|start\b|begin\b|continue\b|proceed\b
        |understand|have|get|care|mind|remember|believe|we\b|you\b|i\b|they\b|be\b(?!\sso\b))[a-z-]+\s
        (?!.*\b(?:just|only)\s(?:tell|show|answer|explain|list)\b)(?!.*\b(?:yet|for\snow|right\snow|this\stime|until|first)\b)"""),
    cue("no need", 0.65, "no need",
        r"^(?:there(?:'s|\sis)\s)?no\sneed\s(?:for|to)\s(?!apologi[sz]e|worry|rush|hurry|sorry)"),
    cue("none of these", 0.7, "no ",
        r"^(?:please\s)?no\s(?!thanks|worries|problems|questions|errors|changes|ideas)[a-z-]+s(?:\s[a-z]+)?\s(?:please|in\s[a-z].*)$"),
    cue("almost", 0.7, "but |except |though ",
        r"""^(?:good|great|nice|better|closer|almost|close|ok(?:ay)?|works|cool|thanks|hmm+|(?:ok(?:ay)?|fine)\sfor\snow|(?:that's|this\sis)\s(?:great|good|nice|fine)|looks\s(?:good|better|great)|(?:yes|yeah|sure)(?!,?\sbut\s(?:start|keep|only|not\stoday|skip|make|do|use|wait|don't|leave|with)\b))[,.]*\s
        (?:but|except|though)\s(?!rather\sthan|can\b|could\b|let's|let\sme|please|now\s(?:let|can|i)|also|would|how|what|why|is\b|do\b|i'd|i've|i\sw|maybe|first|before)"""),
    cue("unwanted", 0.62, "need|want",
        rf"""^{LEAD}(?:(?:just|we|you)\s)*(?:don't|do\snot|no\slonger)\s(?:need|want)\s
        (?:to|the|a|that|this|any|it|them|you)\b"""),
    cue("does not please", 0.72, "don't|do not|didn't",
        rf"^{LEAD}i\s(?:don't|do\snot|didn't)\s(?:love|like|think\s(?:that|this|you|these|we|the))\b"),
    cue("not right", 0.75, "n't|not",
        r"""\b(?:is|are|was|were)(?:n't|\snot)\s(?:even\s)?(?:(?:a|an|the)\s)?(?:good|valid|right|correct|true|accurate|best)\b
        |\b(?:doesn't|does\snot|don't|do\snot)\s(?:seem|look|feel|sound)\s(?:(?:quite|so|very|that)\s)*(?:right|like|natural|dry)\b
        |^not\s(?:true|useful|right|quite)\b"""),
    cue("too much", 0.7, "too|over",
        r"""\b(?:is|are|it's|that's|seems?|feels?|way|but)\s(?:(?:still|way|a|bit|super)\s)*too\s
        (?:complicated|complex|wide|broad|long|verbose|many|much|closely|generic|vague)\b
        |^(?:way\s)?too\s(?:complicated|long|verbose|many|much)\b|\bover-?(?:commented|complicat\w+|engineered)\b"""),
    cue("should not", 0.72, "should|supposed",
        r"(?<!^)\bshould(?:n't|\snot)\s(?:be|have)\b(?!\s(?:a\sproblem|to\sdo))|\bshould\shave\s(?:been|had)\b|\bwas\ssupposed\sto\b"),
    cue("misunderstood", 0.8, "wrong|not what|missing|losing",
        r"""^(?:(?:that's|this\sis)\s)?(?:the\s)?wrong\s(?:file|place|branch|directory|folder|repo|one|table|port|version)\b
        |\b(?:in|from|at|to)\sthe\swrong\s(?:place|directory|folder|repo|file)\b
        |\bnot\swhat\s(?:i|we)\s(?:asked|want|meant|need|said|agreed)|\b(?:missing\sthe\spoint|losing\sthe\splot)\b"""),
    cue("it is so now", 0.72, " now", r"\bit(?:'s|\sis)\s(?:called\s)?\S+\snow$"),
    cue("still wrong", 0.75, "still",
        r"""(?:^|[,.;]\s*|\b(?:it|that|this|and|but|i'm|is|are|i)\s)still\s
        (?:not\s(?:working|right|correct|showing|seeing)|doesn't|does\snot|didn't|isn't|broken|failing|fails|getting
        |seeing|the\ssame|wrong|get\b|don't\s(?:see|get|have)|no\b|see\b|have\s(?:the|a|an|this|issues|problems|references))
        |^still\s(?:nothing|no\b|not\b|the\ssame)"""),
    cue("does not work", 0.72, "",
        r"""(?:^|[,.;]\s*|\b(?:but|and|ok|so|no)\s)(?:(?:that|this|it|still|which)\s)?
        (?:didn't|did\snot|doesn't|does\snot|isn't|is\snot|not)\s(?:work|working|fix|help)\b
        |\b(?:that|this|it)\sbroke\b|^same\s(?:error|problem|issue|result)|^no\s(?:change|difference)\b
        |^(?:it|this|that)\s(?:fails|crashes|crashed|breaks|hangs)\b|^now\s(?:it|i)\s(?:doesn't|can't|don't|won't)\b"""),
    cue("das ist falsch", 0.8, "",
        r"""(?:^|[,.!]\s*)(?:(?:nein|non),\s(?!danke|noch|merci|pas\sencore)\S+\s\S+|falsch\b|das\s(?:ist|war)\s(?:falsch|nicht\s(?:richtig|das|was))|stimmt\snicht
        |eso\s(?:no\ses|est[áa]\smal)|no,\s(?:usa|es\s(?:el|la)|el|la)\b|est[áa]\smal\b|c'est\s(?:faux|pas)\b)
        |^(?:bitte\s)?(?:benutz|nutz|verwend|nimm|schreib|mach)[a-z]*\s.*\b(?:statt|anstatt|anstelle|sondern)\b
        |^(?:s'il\ste\spla[îi]t,?\s)?(?:utilise|mets|écris|prends|garde)[a-z]*\s.*\b(?:au\slieu|plut[ôo]t)\b
        |^(?:usa|utiliza|pon|escribe)\s.*\ben\s(?:lugar|vez)\sde\b
        |^(?:不对|不是|错了|别|不要|请不要|違う|ちがう)"""),
    cue("nicht so", 0.7, "",
        r"""^(?:non[,!.]?\s)?ne\s\S+\spas\s|^n'\S+\spas\s|^(?:bitte\s)?(?:be?nutz|nutz|verwend|nimm|schreib|mach|lass|l[öo]sch|[äa]nder)e?\s.*
        \b(?:kein(?:e|en|er)?|nicht)\b|^du\ssollst\s(?:doch\s)?(?:nicht|kein)|^arr[êe]te\sd(?:e\s|')|^deja\sde\s|^pas\sd(?:e\s|')|^keine?[nrm]?\s(?!ahnung|frage|problem|sorge)\S+\s\S|^nada\sde\s|^(?:por\sfavor,?\s)?no\s(?:uses|pongas|cambies|modifiques|escribas|toques|borres)\b|\bimmer\snoch\snicht\b|\btoujours\spas\b
        |\bsigue\ssin\b|^no\sfunciona\b|^не\sработает"""),
    cue("how it should be", 0.62, "should|must|ought|needs",
        r"""^(?!the\s(?:goal|idea|plan|point|app|tool|script)\b)(?!.*\bcurrently\b)(?:(?:the|this|that|these|those|our|all|both)\s[^,;?.]{2,40}|[a-z-]+s)\s(?:should|must|shouldn't|mustn't|ought\sto|needs\sto)\s(?:not\s|only\s|also\s)?
        (?!i\b|we\b|you\b)[a-z]+\s\S"""),
)  # fmt: skip
REPORTS = frozenset(
    (
        "still wrong", "does not work", "unwanted", "does not please", "too much", "exasperation",
        "why did you", "not right", "forbidden", "almost", "none of these", "nicht so", "puzzled",
        "your work", "how it should be", "does not feel right", "not there yet", "as I thought",
        "should it not", "I still get", "it does not", "is not working",
    )
)  # fmt: skip
"""Corrections that report or complain: what follows them is rarely a rule."""
FIRST_ONLY = frozenset(
    (
        "how it should be", "puzzled", "your work", "does not please", "not as agreed", "forbidden", "almost",
        "none of these", "no need", "unwanted", "left out", "do it yourself", "no more of it", "is wrong",
        "avoid", "as it should be", "our way", "in short", "it does not",
        "you may not", "make sure all", "written so", "instead of doing", "should it not", "I still get",
        "is not working",
    )
)  # fmt: skip
"""Corrections only in the first sentence: later ones describe a task."""
ANSWERS = frozenset(
    (
        "in short",
        "our way",
        "written so",
        "better to",
        "I wanted",
        "how it should be",
        "it does not",
        "unwanted",
    )
)
"""Corrections that are none where the agent has asked: they answer it."""
LATER = tuple(form for form in CORRECTION if form.name not in FIRST_ONLY)
"""The cues for sentences after the first."""
NAMES = re.compile(
    r"^(?!.*\bthe\s(?:key|issue|problem|reason|cause)\sis\b).*"
    r"(?:,\s(?:and\s)?not\s(?!yet|now|sure|really|just|only)\w|\binstead$)",
    re.I,
)
"""Says what to do instead, in any words."""
ORDERS = re.compile(
    r"""^(?:no+|nope|nah|wrong)[\s,.!-]+(?:please\s)?(?:run|put|write|name|call|keep|return|import|store|throw|raise|format|place)\s
    (?!going\b)(?!.*\b(?:first|now|again|too|yet|later)\b)""",
    re.I | re.X,
)
"""A contradiction with a plain order."""
WORDLESS = frozenset(
    (
        "told many times", "it is so now", "rather not", "instead of", "our way", "in short", "you may not",
        "polite no", "instead of doing", "no more of it", "avoid",
    )
)  # fmt: skip
"""Corrections that say what to do even if no statement can be made of them."""
FOREIGN_INSTEAD = re.compile(
    r"""\b(?:(?:an)?statt|anstelle|sondern|stattdessen|be?nutz|nutz|verwend|nimm|schreib|au\slieu|plut[ôo]t|utilise|mets
    |prends|en\s(?:lugar|vez)\sde|usa|utiliza)|(?:请用|改用|使用|不要用|使って)""",
    re.I | re.X,
)
"""Words of other languages that say what to do instead."""
INSTEAD = re.compile(
    r",\s(?:and\s)?not\s\w|,\s(?:but\s)?you\s(?:used|put|wrote|gave|made|picked|chose)\b", re.I
)
