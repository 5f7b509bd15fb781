"""Tells an order from a report: `use jq`, `when it fails, ask me`, but not `build is red`. Pure."""

from learnloop.learn.language import instructions, lexicon
from learnloop.learn.language.phrases import either, lowered, pattern

_WHEN = either(
    """if when whenever while before after once until unless for in on at with without as during every_time
    each_time any_?time since because where wherever instead_of rather_than to by_default under
    wenn falls bevor nachdem quand si avant cuando antes_de"""
)
_SOFT = either(
    """also just only simply first then at_least please you_(?:must|should|need_to|have_to|can|are_to)
    we_(?:must|should|need_to|have_to) always never not must explicitly no_matter_what,? important
    immer siempre"""
)
_BEFORE = pattern(rf"^(?:(?:{_WHEN})\b[^,;:]{{0,160}}[,:;]\s*|(?:{_SOFT})\b[\s,:]*)+")
"""What may stand before the verb of an order."""
_FIRM = pattern(
    r"""^«don't do_not dont let's_not do_n't avoid quit no_more under_no no_need_to prefer only bitte ne n'
    plutôt»\b
    |^«toujours jamais»\s\w+(?:er|ir|re)\b|^«no nunca»\s«uses hagas pongas toques borres escribas subas»\b"""
)
"""Verbless words order nothing: `no tests`, `toujours pas de tests`, `nie Tests` may all complain."""
_FIRMLY = pattern(r"\b(?:always|never|must|should)[\s,]*$")
_NO_VERB = pattern(r"^«the an? any no this that these your my»\b|^[a-z]+[^suai]s\b")
_REPORTED = pattern(
    r"""^[\w-]+(?:\s(?!that\b|which\b|who\b|what\b|how\b|if\b|when\b|where\b|why\b|whether\b|to\b
    |and\b)[\w'-]+){0,2}
    \s«is are was were isn't aren't wasn't has does doesn't fails? failed works? got gets»\b"""
)
"""A noun that could be a verb, with the verb of a report: `test connection is not starting`."""
_GERMAN = pattern(
    r"""\b(?i:«mit ohne nicht immer nie(?:mals)? alle keine? nur statt nach vor»)\s
    (?:\S+\s)*(?!ge(?!n))[a-zäöüß]+en$"""
)
_ASKS = pattern(r"^(?:do|have)\s(?:we|you|i|they|it|the|a)\b")
_NOUN = pattern(r"^\w+\s(?:of|was|were|paste)\b(?<!\bmake\sof)")
_NO_ORDER = pattern(
    r"^(?:don't|do\snot|dont)\s(?:you|we|i|they|see|know|think|understand|get|remember|like|love|care)\b"
)
_ACTS = (
    lexicon.PLAIN_ORDERS
    | lexicon.REGULAR_VERBS
    | lexicon.listed(
        """activate adapt address align analyse analyze arrange back begin boil brainstorm break bring build
        bypass
        choose clarify classify collate collect come compact consolidate construct contain continue
        contribute count
        cross-check customize cut debug decide decouple delay delegate detect determine develop diagnose dig
        disregard
        distinguish divide do draft draw dive drive eliminate encapsulate encourage establish estimate
        evaluate
        examine experiment explore express feed feel figure find finalize focus forget freeze gather get give
        go grab
        group guide harden have highlight hold identify illustrate improve indicate integrate interpret
        investigate
        isolate iterate keep know lay lead lean learn leave let limit lower make manage match mimic minimize
        mirror
        monitor optimise outline parallelize pay perform permit pick place plan point practice present
        prioritize
        proceed promote propose protect prove provide question rank re-?read reach react read rebuild recall
        recommend reconsider reconstruct redo regard reject relate remind resist reword rethink rewrite rely
        research reorganize say scour search see sell send set shift show simplify skim slow spend spin split
        spread stand stay step stick stress study substitute supply survey systemize take talk teach tell
        tend think
        throttle tighten treat try turn undertake understand undo unify upgrade utilize view weigh wonder zoom
        discuss ping bind be stop match lock bring hand read
        benutze verwende nutze schreib schreibe lass mach halte frag frage antworte nimm utilise écris
        réponds
        garde fais demande usa utiliza escribe responde mantén pregunta haz"""
    )
)


_CONDITION = pattern(rf"^(?:{_WHEN})\b")


def opens_with_condition(text: str) -> bool:
    """Whether trimmed words begin with the case in which they apply."""
    return _CONDITION.match(lowered(text)) is not None


def is_order(text: str) -> bool:
    """Whether trimmed words say outright what to do or not to do."""
    low = lowered(text)
    before = _BEFORE.match(low)
    left = low[before.end() :] if before else low
    if before and _FIRMLY.search(before[0]) and left:
        return _NO_VERB.match(left) is None
    if _GERMAN.search(text) or instructions.swaps(text):
        return True
    if _FIRM.match(left):
        return _NO_ORDER.match(left) is None
    if _NOUN.match(left) or _ASKS.match(left):
        return False
    return left.split(" ", 1)[0].strip(",.:;") in _ACTS and not _REPORTED.match(left)
