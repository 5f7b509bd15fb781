"""How people open and end a sentence around its point: reactions, hedges, politeness. Pure."""

import re
from functools import lru_cache

_EDGES = " \t\n,;:.!…-–—_#✅❌⚠️👉•"
_NAME = re.compile(r"(?<!\.)\.[a-z]\w|__[^\W_]\w*?__|\b[CF]#", re.I)


def _either(text: str) -> str:
    """An alternation of the phrases in a text; `_` is a blank within one."""
    return "(?:" + "|".join(text.replace("_", r"\s").split()) + ")"


_PAUSE = r"(?:\s*(?:[,:;!?…]|\.(?!\w))+|\s+[-–—]+(?=\s))+\s*(?=\S)"
_OPENERS = tuple(
    re.compile(f"^{source}", re.I)
    for source in (
        _either(
            """uh+m? um+ h+m+ oh ah ugh+ o?kay ok well yeah yep hey hi dude bro sorry please pls plz kindly btw
            by_the_way actually seriously honestly basically anyways? unfortunately bitte por_favor once_again so and but
            also then now though just plus aber mais et pero"""
        ) + r"\b(?:[\s,:;!?…-]|\.(?!\w))+(?=\S)",
        _either(
            r"""no+(?:_(?:man|dude|no|thanks))? nope nah wait close almost not_quite wrong incorrect stop look listen yes
            sure thanks thank_you great(?:_job)? good(?:_job)? nice perfect cool alright right fine exactly correct again
            finally one_(?:more_|last_)?thing important critical note reminder hint warning nein ja falsch non oui wtf omg
            ffs damn(?:_it)? that's_(?:not_right|wrong) das_ist_falsch c'est_faux eso_no_es best_practice solution recommended suggestion nit(?:pick)?
            (?:new_|house_)?rule for_the_\w+_time as_always (?:as|like)_i_said lessons?_learned fyi"""
        ) + _PAUSE,
        r"(?:no+|yes)\s(?=(?:use|we|i\swant|i\sdon't|don't|do\snot|please|just|always|never|only|keep|put|make|run)\b)",
        _either(
            r"""remember note(?:_for_(?:the_)?future)? fyi keep_in_mind be_aware make_a_(?:mental_)?note don't_forget do_not_forget merke?_dir recuerda"""
        ) + r"(?:\s*[:,]\s*|\sthat\s|\sto\s(?=\w)|\s(?=always|never|we\b|the\b|bitte|dass)|,?\s(?:dass|que)\s)(?=\S)",
        _either(
            r"""from_now_on(?:wards?)? from_(?:here|this_point)_on(?:_out|wards?)? (?:going|moving)_forwards? in_(?:the_)?future
            for_(?:the_)?future(?!_reference) for_future_reference next_time as_a_(?:general_)?rule(?:_of_thumb)? in_general generally henceforth ab_(?:jetzt|sofort)
            in_zukunft k[üu]nftig d[ée]sormais [àa]_partir_de_maintenant a_partir_de_ahora de_ahora_en_adelante"""
        ) + r"\b[\s,:;-]*(?=\S)",
        r"(?:can|could|would|will)\s(?:you|u)\s(?:please\s|also\s|just\s)*(?=[a-z])(?!(?:mind|not)\b)",
        r"i\s(?:really\s)?(?:want|need|expect)\s(?:you|u)\sto\s(?!not\b)(?=[a-z])",
        r"i(?:'d|\swould)\s(?:really\s)?(?:like|love|prefer)\s(?:for\s)?you\sto\s(?!not\b)(?=[a-z])",
        r"(?:please\s)?(?:make|be)\ssure\s(?:that\s)?(?:you|to)\s(?:always\s)?"
        r"(?!(?:not|have|are|can|were|got|understand|know|get|will|did)\b)(?=[a-z])",
        r"(?:please\s)?(?:add|put|save|write|record)\s(?:(?:it|this|that|a\s(?:new\s)?rule)\s)?(?:to|in|into)\s(?:the\s|your\s|my\s)?"
        r"\S*(?:claude\.md|agents\.md|memory|rules)(?:\sfile)?\s*(?::|,|\sthat\s)\s*(?=\S)",
        r"(?:add|create|make|write)\sa\s(?:new\s|general\s)?(?:rule|note|memory)\s*(?::|\sthat\s|\sto\s)\s*(?=\S)",
        r"(?:let's|lets)\s(?!(?:see|say|continue|not)\b)(?=[a-z])",
    )
)  # fmt: skip
_TAILS = tuple(
    re.compile(f"{source}$", re.I)
    for source in (
        r"(?:\s*[,;]\s*|\s+[-–—]+\s*|\s+)"
        + _either(
            """please pls plz thanks(?:_a_lot)? thank_you thx ffs dammit lol (?:as|like)_i_(?:said|told_you)(?:_before)?
            from_now_on (?:going|moving)_forwards? in_(?:the_)?future next_time bitte por_favor merci danke gracias
            s'il_(?:te|vous)_pla[iî]t"""
        ),
        r"\s*[,;]\s*" + _either("ok(?:ay)? right man dude bro yeah yes wtf understood got_it again"),
        r"\s*(?:[,;]|\s[-–—]+)\s*(?:and\s|but\s)?(?:i|we)(?:'ve)?\s(?:already\s|just\s)*"
        r"(?:told|said|asked|agreed|discussed)\b[^,;]{0,60}",
    )
)  # fmt: skip
_INNER = (
    (re.compile(r"^(?:can|could|would|will)\s(?:you|u)\s(?:please\s)?not\s(?=[a-z])", re.I), "do not "),
    (re.compile(r"(\*\*?|(?<![\w_])_(?!_))(?=\S)([^*_]{1,80})(?<=\S)\1(?![\w_])"), r"\2"),
    (re.compile(r"(,?)\s(?:please|pls|kindly|bitte)(?=\s)", re.I), r"\1"),
    (re.compile(r"\s(?:fucking|f[*]+ing|goddamn|damn|bloody)(?=\s)", re.I), ""),
)
_FEWEST_LEFT = 2


@lru_cache(maxsize=64)  # what is told and whether it stands alone are asked one after the other
def trimmed(text: str) -> str:
    """A sentence without opener, politeness and tail, in its own words; as it was where too little would be left."""
    left = _stripped(text)
    for inner, instead in _INNER:
        left = inner.sub(instead, left)
    left = left.lstrip("*>")
    while True:
        shorter = left
        for form in (*_OPENERS, *_TAILS):
            if (cut := form.sub("", shorter)) != shorter:
                shorter = _stripped(cut)
        if shorter == left or len(shorter.split()) < _FEWEST_LEFT:
            return left
        left = shorter


def _stripped(text: str) -> str:
    """The text without the marks around it; `.env`, `__tests__` and `C#` keep theirs."""
    start = text.find(bare := text.strip(_EDGES))
    end = start + len(bare)
    for name in _NAME.finditer(text):
        if name.start() < end and name.end() > start:
            start, end = min(start, name.start()), max(end, name.end())
    return text[start:end]
