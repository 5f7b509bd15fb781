"""The verbs that people use on agents, with the forms that a statement needs."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_REGULAR = _words(
    """accept access add adjust advance aim allow alphabetise alphabetize amend annotate answer append
    apply approve archive ask assert assign assume attach audit avoid backport bake batch block bother
    branch bump bundle cache call cancel capitalise capitalize capture change chain check clean clear
    close clone code collapse combine comment commit compare compile complete compress compute
    concatenate configure confirm connect consider consult convert copy correct cover create declare
    decorate deduplicate default define delete deploy derive describe design destroy disable discard
    display document downgrade download drop dump duplicate edit embed emit enable encode encrypt end
    enforce ensure enter escape evaluate execute exit expand expect explain export expose extend extract
    fail fetch fill filter finish fix flag flatten fold follow force format forward generate group guard
    guess handle hardcode hash help hide ignore implement import include increment indent index infer
    inherit initialise initialize inject inline insert inspect install instantiate introduce invent
    invoke join jump kill label launch lint list load log localise localize lock look lower maintain map
    mark mask match measure memoise memoize mention merge migrate mimic minify mock modify monkeypatch
    mount move mutate name nest normalise normalize note notify number offer omit open optimise optimize
    order overload override pack pad paginate parametrise parametrize parse pass paste patch pause
    persist pick pin pipe place plan poll populate port post postpone precompute prefer prefix prepare
    prepend present preserve prevent print process produce profile propose prune publish pull push query
    quote raise randomise randomize rebase rebuild recheck record recreate recycle redirect reduce
    refactor refer reference reformat refuse regenerate register reinstall release reload rely remember
    remind remove rename render reorder repeat replace reply report request require reset resolve
    respect respond restart restore restrict retry return reuse revert review rotate round sample
    sanitise sanitize save scan schedule scope scroll seed select separate serialise serialize serve
    ship shorten show sign silence simplify skip snapshot solve sort spawn specify squash stage start
    stash state stop store stream strip structure stub style subclass subscribe suffix suggest summarise
    summarize support suppress switch sync tag target terminate test tidy time toggle touch trace track
    trail transform translate treat trigger trim truncate trust try tune type uninstall unify update
    upgrade upload use validate vendor verify version visit wait walk warn watch wire work wrap zip
    abbreviate disclose suffer chunk dedupe dry lowercase uppercase scaffold bootstrap memorize reopen
    resend reword restyle rewire speed vendorize unit-test benchmark typecheck type-check double-check
    recompile relaunch reimport reserve resize retain revise route seal secure shard sleep smoke-test
    spellcheck spread stringify subtract tabulate throttle unwrap unroll"""
)

_IRREGULAR = {
    "be": ("been", "is"), "begin": ("begun", "begins"), "break": ("broken", "breaks"), "bring": ("brought", "brings"),
    "build": ("built", "builds"), "catch": ("caught", "catches"), "choose": ("chosen", "chooses"),
    "cut": ("cut", "cuts"), "do": ("done", "does"), "draw": ("drawn", "draws"), "feed": ("fed", "feeds"),
    "find": ("found", "finds"), "forget": ("forgotten", "forgets"), "freeze": ("frozen", "freezes"),
    "get": ("got", "gets"), "give": ("given", "gives"), "go": ("gone", "goes"), "hand": ("handed", "hands"),
    "have": ("had", "has"), "hold": ("held", "holds"), "keep": ("kept", "keeps"), "lay": ("laid", "lays"),
    "leave": ("left", "leaves"), "let": ("let", "lets"), "make": ("made", "makes"), "mean": ("meant", "means"),
    "overwrite": ("overwritten", "overwrites"), "put": ("put", "puts"), "read": ("read", "reads"),
    "rebuild": ("rebuilt", "rebuilds"), "redo": ("redone", "redoes"), "reset": ("reset", "resets"),
    "rerun": ("rerun", "reruns"), "rewrite": ("rewritten", "rewrites"), "run": ("run", "runs"),
    "say": ("said", "says"), "see": ("seen", "sees"), "send": ("sent", "sends"), "set": ("set", "sets"),
    "shut": ("shut", "shuts"), "speak": ("spoken", "speaks"), "spell": ("spelled", "spells"),
    "split": ("split", "splits"), "stick": ("stuck", "sticks"), "take": ("taken", "takes"),
    "tell": ("told", "tells"), "think": ("thought", "thinks"), "throw": ("thrown", "throws"),
    "undo": ("undone", "undoes"), "unset": ("unset", "unsets"), "write": ("written", "writes"),
    "cast": ("cast", "casts"), "spawn": ("spawned", "spawns"), "hide": ("hidden", "hides"),
    "show": ("shown", "shows"), "swear": ("sworn", "swears"), "shrink": ("shrunk", "shrinks"),
}  # fmt: skip
_DOUBLING = frozenset(
    _words(
        """chop clip commit control cram dedup drop flag log map omit pad pin plan plug pop prefer prep
        refer scan scrap ship skip snap spot squat step stop strip stub submit swap tag tap trap trim
        unplug unzip wrap zip cut get hit let put run set shut sit spin split reset rerun"""
    )
)
_INTRANSITIVE = frozenset(_words("answer ask aim bother go look rely reply respond say speak wait work stick think"))
_VOWELS = "aeiou"


def _doubled(base: str) -> str:
    return base + base[-1] if base in _DOUBLING else base


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _gerund(base: str) -> str:
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and base != "be":
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


_PARTICIPLE = {base: _past(base) for base in _REGULAR} | {
    base: forms[0] for base, forms in _IRREGULAR.items()
}
_THIRD = {base: _third(base) for base in _REGULAR} | {base: forms[1] for base, forms in _IRREGULAR.items()}
_FROM_GERUND = {_gerund(base): base for base in _PARTICIPLE}


def is_verb(word: str) -> bool:
    """Whether a word is the base form of a verb known here."""
    return word.lower() in _PARTICIPLE


def participle(base: str) -> str:
    """`written` for `write`."""
    return _PARTICIPLE[base.lower()]


def third(base: str) -> str:
    """`writes` for `write`; unknown words by the regular rule."""
    return _THIRD.get(base.lower()) or _third(base)


def from_gerund(word: str) -> str | None:
    """`write` for `writing`."""
    return _FROM_GERUND.get(word.lower())


def takes_no_object(base: str) -> bool:
    """Whether a verb rarely has an object of its own, so that no passive is made of it."""
    return base.lower() in _INTRANSITIVE
