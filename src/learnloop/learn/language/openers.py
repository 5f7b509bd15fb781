"""How people open a sentence before they come to the point: reactions, hedges, politeness. Pure."""

from learnloop.learn.language.phrases import either, lowered, pattern

_GAP = r"[\s,:;.!?…–—-]*"
_PAUSE = r"(?:\s*[,:;.!?…]+|\s+[-–—]+(?=\s))+\s*"
_FILE = r"""(?:(?:the|our|your|my|this|a)\s)?(?:new\s)?
    (?:«project(?:'s)? global cursor copilot agents?(?:'s)? claude(?:_code)?»\s)*
    «@?\S*claude\.md @?\S*agents\.md @?\S*\.cursorrules @?\S*\.mdc? rules? ruleset (?:standing_)?instructions?
    guidelines? memory memories conventions rules?_files? instructions?_files? memory_files?»(?:\sfile)?"""
_INTERJECTIONS = either(
    """uh+m? um+ h+m+ oh ah ugh+ argh+ o?kay ok k well yeah yep yup hey hi hello dude bro sorry please
    pls plz btw
    by_the_way actually seriously honestly basically anyways? additionally furthermore moreover however
    technically unfortunately therefore bitte por_favor s'il_(?:te|vous)_pla[iî]t once_again yet_again
    kindly
    lastly in_addition"""
)
_JOINTS = either("so and but also then though just plus now because cause und aber mais et pero")
_REACTIONS = either(
    r"""no+(?:_(?:man|dude|no|thanks))? nope nah wait close almost not_quite not_really wrong incorrect
    false stop
    look listen man yes y sure thanks(?:_(?:a_lot|so_much|man))? thank_you great(?:_(?:job|work))?
    good(?:_(?:job|work|point))? nice(?:_work)? perfect cool alright all_right right fine merged not_true
    exactly
    correct awesome excellent lgtm again finally next one_(?:more_|last_)?(?:thing|note|change) important
    critical
    note reminder hint remark warning attention nein ja falsch non oui genau gut eso_no_es c'est_faux wtf
    omg ffs
    jesus christ damn(?:_it)? dammit shit fuck what_the_(?:hell|fuck|heck)(?:_man)? agreed
    (?:for_)?(?:fuck|god|christ)'?s?_sake oops whoops"""
)
_REMEMBER = either(
    r"""remember memori[sz]e note take_note keep_in_mind bear_in_mind be_aware make_(?:a_)?(?:mental_)?note
    don't_forget do_not_forget never_forget merke?_dir denk_daran recuerda n'oublie_pas souviens-toi
    notice"""
)
_ADD = either("add put save store write commit record document note include mention specify")
_CREATE = either("make create add write set(?:_up)? put store save establish define define")
_KINDS = either("rule habit memory guideline instruction convention note principle policy")
_HOW = either("new general global project hard permanent cursor standing strict claude agent")
_LATER = either(
    r"""from_now_on(?:wards?)? from_(?:here|this_point)_on(?:_out|wards?)? from_this_point_forward
    (?:going|moving)_forwards? in_(?:the_)?future for_(?:the_|all_|any_)?future(?:_(?!work_on)\w+)?
    (?:for_)?next_time as_a_(?:general_)?rule(?:_of_thumb)? in_general generally(?:_speaking)? hereafter
    henceforth starting_now ab_(?:jetzt|sofort) in_zukunft k[üu]nftig zuk[üu]nftig
    [àa]_partir_de_maintenant d[ée]sormais de_ahora_en_adelante a_partir_de_ahora"""
)
_WISH = either(
    """i_(?:really_)?(?:want|need|expect)_(?:you|u)_to
    i(?:'d|_would)_(?:really_)?(?:like|love|want|prefer)_(?:for_)?you_to
    i_(?:ask|beg)_you_to
    (?:i|we)(?:'d|_would)_(?:really_|also_)?(?:like|love|prefer)_(?:for_us_)?to(?!_(?:see|hear|have|solve))
    it_would_be_(?:nice|great|good|better|cool)_if_you_(?:could|would)"""
)
_SURE = either("make be making")
_DONE = either("fix revert undo redo do change clean remove rewrite restore")
_THESE = either("this that it them these those everything")

OPENERS = tuple(
    pattern(source)
    for source in (
        rf"^(?:{_INTERJECTIONS})\b{_GAP}(?=\S)",
        rf"^(?:{_JOINTS})\b(?:[\s,:…-]|\.(?!\w))+(?=\S)",
        rf"^(?:{_REACTIONS}){_PAUSE}(?=\S)",
        r"""^(?:no+|yes)\s(?=(?:use|we|i\swant|i\sdon't|don't|do\snot|please|just|always|never|only|keep
        |put|make|write
        |run)\b)""",
        rf"^for\sthe\s(?:\w+\s)?(?:time|love\sof\sgod){_PAUSE}(?=\S)",
        r"""^(?:that's|this\sis|it\slooks|looks|this\slooks|that\slooks|works)\s(?:great|good|nice|fine
        |better|ok(?:ay)?
        |perfect|awesome)[^,.;]{0,20}[,;]\s(?:but|though|except|however,?)\s(?=\S)""",
        rf"""^(?:das\s(?:ist|war)\s(?:falsch|nicht\srichtig)|eso\sno\ses(?:\sas[ií])?
        |c'est\sfaux)\b{_GAP}(?=\S)""",
        rf"""^(?:that|this|it)(?:'s|\sis|\swas)\s(?:just\s|simply\s)?(?:not\s(?:right|correct|true
        |what\si\s(?:want|asked|meant|said)(?:ed)?(?:\sfor)?)|wrong|incorrect|false
        |backwards){_PAUSE}(?=\S)""",
        r"""^(?:before\syou\s\w+,\s)?let\sme\s(?:point\sout|note|say|tell\syou|add|clarify
        |remind\syou)\sthat\s(?=\S)""",
        r"""^(?:that's|this\sis|it's)\s(?:the|a)\swrong\s\w+,\s(?=\S)|^das\sstimmt\snicht,\s(?=\S)
        |^for\scontext,\s(?=\S)""",
        # hedges before an obligation
        r"^(?:it\s)?(?:looks|seems)\s(?:like\s|that\s)(?:that\s)?(?=\S)",
        r"^(?:you\sknow(?:\swhat)?,|you\scan\ssee(?:\sthat)?)\s(?=\S)",
        r"""^i\s(?:also\s|kind\sof\s|do\s)*(?:think|guess|believe|know|feel\slike)\s(?:that\s)?(?!(?:i|you|so
        |about)\b)(?=\w)""",
        r"^i\s(?:suggested|requested|specified)\s(?=\S)",
        r"^(?:maybe|perhaps|possibly),?\s(?=(?:just\s)?(?:run|use|add|try|keep|put|make|write|check|look)\b)",
        r"""^(?:maybe|perhaps|possibly|i\s(?:also\s)?(?:kind\sof\s|do\s)?(?:think|guess|believe|feel\slike
        |mean
        |meant)(?:\sthat)?|(?:it\s)?(?:looks|seems)(?:\slike)?|in\smy\s(?:opinion|thinking|mind
        |view)),?\s(?=(?:\S+\s){1,6}
        (?:should|shouldn't|must|needs?|ought|use|want)\b)""",
        r"^i\sthought\swe\s(?:wanted|agreed|decided|were\s(?:going|supposed))\s(?:not\s)?to\s(?=\w)",
        r"^(?:it\s)?turns\sout\s(?:that\s)?(?=\S)",
        # said before
        r"""^(?:as|like)\si(?:'ve|\shave)?\s(?:already\s)?(?:said|told\syou|mentioned|asked)
        (?:\s(?:before|already|earlier|many\stimes))*\s*[,:;-]*\s*(?=\S)""",
        r"""^i(?:'ve|\shave)?\s(?:already\s|literally\s|explicitly\s|clearly\s|just\s
        |specifically\s)*(?:said
        |told\syou|asked(?:\syou)?|instructed\syou|keep\s(?:telling|saying
        |asking)(?:\syou)?)(?:\s(?:before|already
        |many\stimes|multiple\stimes|again\sand\sagain|twice|\w+\stimes))*\s*(?:[,:]\s*|that\s|to\s(?!you\b)
        |(?=no\s|not\s|(?:\S+\s){0,2}\S+,\snot\s))(?=\S)""",
        r"""^how\s(?:many\stimes|often)\s(?:do|must|should|have)\si\s(?:have\s|need\s)?(?:to\s)?(?:tell
        |told|say|said|ask
        |asked|repeat)(?:\s(?:to\s)?you)?\s(?:to\s|that\s)(?=\S)""",
        # to be remembered
        rf"""^(?:always\s)?(?:{_REMEMBER})(?:\salso|\sfor\s(?:the\s)?(?:next\stime|future|later))?\s*
        (?:[:,;]\s*|\s-+\s|that\s|dass\s|que\s|how\s(?=most|all|every|we)|to\s(?!me\b|you\b|self\b)|de\s
        |(?<=\s)(?=(?:always|never|we|the|you|don't|do|use)\b))(?=\S)""",
        r"""^(?:lessons?\slearned|fyi|for\s(?:your|ur)\sinformation|for\sthe\srecord|note\sto\sself|tip
        |ps|p\.s\.?|nb
        |n\.b\.?|(?:new\s|house\s|general\s|another\s|golden\s|hard\s|important\s)*rule(?:\s(?:of\sthumb
        |number\s\w+|\#?\d+))?)\s*(?:[:,-]+\s*|\sis\sto\s|\sis:?\s(?:that\s)?
        |(?<=fyi)\s(?:that\s)?)(?=\S)""",
        rf"""^(?:let's\s)?(?:{_CREATE})\s(?:me\s|it\s)?(?:a|an|the|another|this|one
        |this\sas\sa)?\s?(?:(?:{_HOW})\s)*
        (?:{_KINDS})s?(?:\s(?:in|to|for|into)\s{_FILE})?(?:\sfor\s(?:yourself|you|me|this\sproject
        |this))?\s*
        (?:[:,-]+\s*|that\s(?!prevents?|forces?|tells?|makes?|forbids?|enforces?)(?:says\s(?:to\s)?
        |you\sshould\s)?
        |to\s(?!{_FILE})|of\s|so\s(?:that\s)?|saying\s(?:that\s)?|which\ssays\s)(?=\S)""",
        rf"""^(?:{_ADD})\s(?:(?:it|this|that|a\snote|a\sline|an\sentry|a\srule|something)\s)?(?:down\s)?
        (?:to|in|into|for)\s{_FILE}\s*(?:[:,-]+\s*|that\s|to\s|saying\s(?:that\s)?|so\s(?:that\s)?
        |about\s(?=always|never|not))(?=\S)""",
        rf"""^(?:update|change|edit|modify|adjust|extend|fix|improve)\s(?:(?:the|our|my)\s\S+\s(?=cursor
        |rule))?{_FILE}\s*(?:[:,-]+\s*|that\s
        |so\s(?:that\s)?
        |to\s(?:say|state|mention|include|reflect|make\ssure|ensure|require
        |specify)\s(?!.*,\sand\sthat\s)(?:that\s)?
        |to\s(?=always|never)|in\sorder\sto\s|such\sthat\s)(?!it\b|they\b|that\b)(?=\S)""",
        rf"^(?:{_LATER}|as\salways|again)\b[\s,:;-]*(?:bitte\s|por\sfavor\s)?(?=\S)",
        r"""^(?:«best_practices? recommended recommendation solution fix(?:ed)? resolved performance
        optimi[sz]ation
        security nit(?:pick)? suggestion»\s*:\s+|should\s(?=(?:always|never)\b))(?=\S)""",
        # politeness
        r"""^(?:can|could|would|will|can't|couldn't)\s(?:you|u),?\s(?:please,?\s|pls\s|also\s|just\s
        |maybe\s|kindly\s)*
        (?=[a-z])(?!(?:mind|not)\b)""",
        r"^(?:kannst|k[öo]nntest)\sdu\s(?:bitte\s)?(?=\S)",
        rf"^(?:{_WISH})\s(?=[a-z])",
        r"^(?:i\s(?:really\s)?want\sto|feel\sfree\sto|try\sto)\s(?=(?:always|never|avoid|keep|only)\b)",
        r"""^(?:let's|lets|let\sus)\s(?:also\s|just\s|please\s)*(?=[a-z])(?!(?:see|say|continue|not)\b)""",
        rf"""^(?:you\s(?:need|have|must)\s(?:to\s)?)?(?:(?:{_SURE})\s(?:(?:very|absolutely|damn|100%
        |really|double)
        \s)?(?:sure|certain)|ensure|see\sto\sit|take\scare)\s(?:also\s)?(?:(?:that\s)?(?:you|we|u)\s
        (?:always\s(?=\w)|also\s)?(?!(?:have|are|can|were|got|understand|know|get|will|did|aren't|were)\b)
        |(?:that\s)?to\s)(?=[a-z\ue000])""",
        r"""^(?:it(?:'s|\sis)|that(?:'s|\sis))\s(?:very\s|really\s|super\s|extremely\s
        |also\s)*(?:important|critical
        |crucial|essential|vital|key)\s(?:that|to(?:\s(?:note|remember)\s(?:that)?)?)\s(?:you\s(?=(?:always
        |never|do)\b))?(?=\S)""",
        # blame before an order
        r"""^«you u why wtf what_the how_come stop_doing_that»\b[^,;:—]{0,160}(?:[,;:]|\s—|\s-)\s+
        (?=(?:please\s|just\s|you\s(?:must|should)\s)*«use always never don't do_not only run keep put write
        stop avoid
        prefer we»\b)""",
        # a chore of this once before a standing order
        rf"""^(?:for\snow,?\s)?(?:{_DONE})\s(?:{_THESE})(?:\s(?:now|up|back))?\s?(?:,\s?and|,
        |and)\s(?:then\s)?
        (?=(?:please\s)?(?:always|never|don't|do\snot|make\ssure|from\snow|add\sto|remember|next\stime
        |in\s(?:the\s)?future)\b)""",
        r"""^(?:write|add|create|implement|build|finish)\s(?:the|a|an)\s
        (?:(?!\b(?:each|every|all|any|when|if)\b)[^,;:]){1,60}?,?\s(?:and|but)\s(?:please\s)?
        (?=(?:always|never|don't|do\snot)\b(?!.*\b(?:its?|them|their|there)\b))""",
    )
)  # fmt: skip
"""What goes at the beginning of a sentence, in lower case; in this order, again and again."""

_RULE = pattern(
    rf"""^\W*(?:\w+\W+){{0,3}}?(?:{_REMEMBER})\b|\b(?:fyi|lessons?\slearned|rules?:)
    |\b(?:{_CREATE}|{_ADD}|update)\s(?:\w+\s){{0,4}}?(?:{_FILE}|{_KINDS})\b"""
)


def opens_a_rule(text: str) -> bool:
    """Whether a sentence says itself that what it tells is to be remembered."""
    return _RULE.search(lowered(text)) is not None


def speaks_of_later(text: str) -> bool:
    """Whether a sentence says that it applies to later work."""
    return _SPEAKS_OF_LATER.search(lowered(text)) is not None


_SPEAKS_OF_LATER = pattern(rf"\b(?:{_LATER})\b")
