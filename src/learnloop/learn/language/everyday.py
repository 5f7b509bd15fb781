"""Everyday words: in so many prompts and documents of any project that none identifies a subject alone. Pure.

The table holds base forms that stand in one of fifty documentation texts, or in prompts of several projects.
"""

from functools import lru_cache

from learnloop.learn.language import lexicon

_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "r", "ly", "y", "ness", "n", "en")


@lru_cache(maxsize=4096)
def is_everyday(word: str) -> bool:
    """Whether a word in lower case is an everyday one, in any of its forms."""
    return not _TABLE.isdisjoint(bases(word))


def bases(word: str) -> set[str]:
    """The word, and what it may be a form of: `committing` → commit, `stories` → story."""
    stems = {
        word[: -len(ending)] for ending in _ENDINGS if word.endswith(ending) and len(word) > len(ending) + 2
    }
    undoubled = {stem[:-1] for stem in stems if stem[-1] == stem[-2]}
    whole = {f"{stem}e" for stem in stems}
    y_forms = {f"{word[:-3]}y"} if word.endswith(("ies", "ied")) else set()
    return {word} | stems | undoubled | whole | y_forms


_EVERYDAY = lexicon.listed(
    """abbreviate abc ability able abort absent absolute abstract abstraction accelerate accept acceptable
    access accessible accident accidental accommodate accomplish according account accumulate accuracy
    accurate achieve acquire across act action activate active activities actual adapt addition additional
    address adequate adjacent adjust admin administrator adopt advance advanced advantage advertise advice
    affect afternoon afterwards against agent aggregate aggressive ago agree ahead alert algorithm alias
    align alignment alive allocate allocation allow almost along alongside alpha alphabet alphabetic also
    alt alter alternate alternative although amazing ambiguous amend among amount analogous analysis
    ancestor anchor ancient annotate annotated announce anonymous ansi answer anthropic anybody anyone
    anyway anywhere apart apologise apologize apology app apparent appear appearance append applicable
    appreciate approach appropriate approval approve approximate apps april arbitrary architecture archive
    area arithmetic around array arrow artifact asap aside aspect assembler assembly assert assertion
    assets assign assignment assistant associate associated assume assumption async asynchronous atomic
    attach attachment attack attempt attention attr attribute audience audit august auth authenticated
    authentication author authority auto automate automated automatic automatically automation autonomous
    available average avoid aware away back backend background backward badge bail bare barrier base
    baseline basename bash basic basically basis batch beautiful become begin beginning behave behavior
    behaviour behind belief belong bench benchmark benefit besides bet between beyond big binary bit black
    blame blank blindly block blog blue board body bold book bool boolean bootstrap border bot bottom
    bound boundary box brace bracket branch brand break brief bring broadcast browse browser brush btn btw
    bucket buf bug bugfixes build built builtin bulk bump bunch bundle business button bypass byte cache
    calculate calculation callable callback calm cancel candidate cannot canonical canvas capability
    capable capital caption capture card care carry case cast catalog catch category caught cause caution
    caveats center ceremony certain chain chance channel chapter char character charge chart chat chatgpt
    cheap check checkbox checkout child children choice choose chosen chunk circle circular circumstance
    claim clarify clarity class classic classifier claude clause clean cleanup clear clever cli click
    client clock clone closely cloud cluster cmd codex collaborate collapse colleague collect collection
    collector color column com combination combine combined comfortable comma comment commercial commit
    committee common communicate communication community comp compact company compare comparison compat
    compatibility compatible compilation compile compiler complain complement complete completion complex
    complexity compliance compliant complicated compose compound comprehensive compress compression
    computation compute computer concat concatenated concept concern concise conclude concrete concurrent
    condition conditional conduct conf confident configurable configure confirm conflict conform confuse
    confused confusing confusion connect connection consecutive consensus consequence consider
    considerable consistency consistent consists console consolidated const constant constrain constraint
    construct construction constructor consult consume contact contain container content context
    contextual continue continuous contract contradict contradicts contrary contrast contrib contribute
    contributions contributors control convenience convenient convention conversation conversational
    conversion convert cookie cope copilot copy core corner correctness correspond corrupt corruption cost
    count counter couple course cover coverage cpu crash crazy creation creator credential credit criteria
    critical cross cruft css ctrl current cursor curve custom customer customize cutoff cwd cycle daily
    damage danger dark dash dashboard database dataset date day dead deadline deal debug december decent
    decide decimal decision declaration declare decode decompress decorate decoration decorator decrease
    decrypt dedicated deep def defect defer define definite definition delay delegate deliberate delimiter
    deliver delivery delta demand demo demonstrate denied depend dependency dependent deploy deployment
    deprecate deps depth derivative derived description descriptor design designate desirable desire
    desktop despite destination destroy destruct detached detail detect detection determine dev developed
    developer development device diagnose diagnostic diagram dialog dictionary diff difference different
    difficult dig digest digit dir direct directive directory dirs dirty disable disagree disallow
    disappear discard disclaimer disconnect discourage discover discovery discuss discussion disk dispatch
    display dispose distance distinct distinguish distribute distribution div dive doc docs docstring
    doctor documentation dom domain dot double doubt download draft drag drain draw drive driven driver
    drop dry dual due dumb dummy dump duplicate duplication duration during dynamic dynamically e2e
    earlier early easier easily easy eat echo edge editor effect effective efficient effort eg eight
    elapsed element eliminate elsewhere email embed embedded embedder embedding emit emoji emphasis empty
    emulate enable encapsulate enclose encode encounter encouraged encrypt endpoint enforce engine
    engineer english enhance enhanced ensure enter entire entity entry env environ epic equal equality
    equiv equivalent erase err error esc escape especially essential essentially establish etc eval
    evaluate evaluation event eventually everyday everyone evidence exact examine exceed except exception
    excess excessive exchange excite exclude exclusive excuse exe executable execute execution exhaust exist
    exit exp expand expansion expect expectation expensive experience experimental expire explain explanation
    explicit exploration explore export expose express expression ext extension extensive extent extern
    external extra extract extreme eye face facilitate facility fact factor factory fail failure fair fake
    fall fallback familiar family fancy far fashion fast fatal fault feature february feed feedback feel
    fellow fetch figure filename filepath filesystem fill filter final finger fit fitness fix fixture flag
    flaky flat flavor flaw flexible flight flip float floor flow fluff flush focus fold folder follow font
    footer footprint forbid force foreach foreign forever fork form format forth forward found foundation
    four fourth fraction fragment frame framework free freeze frequency frequent fresh friday friendly
    friends front frontend frozen fulfill full fully fun func function functionality fundamental funny
    further furthermore future fyi gain game gang gap gaps gemini general generalize generation generator
    generic gentle git github global goal goes going golden gonna got gpt grab grammar graph graphic
    greatest green group grow guaranteed guarantees guard guess guest gui guidance guide guideline habit
    hack half hand handful handle hang happen hard hardcode hardware hash head header heard heavy height
    hello help helpful hence herself hesitate heuristic hidden hide hierarchy high highest highlight
    himself hint historical hit hmm hobby holders home honest honor hook hope host hour house hover
    however howto html http huge human hydration icon idea ideal identical identifier identify identity
    ids ignore illegal illustrate image imagine immediate impact implement implementation implicit implied
    implies imply import important impossible impression improve improvement improvements inaccurate
    inactive inadvertent inc include inclusion inclusive incoming incompatible incomplete inconsistent
    inconvenient incorporate increase increment incremental indent independent index indicate indication
    indicator indices indirect individual inefficient inevitable infinite info inform information
    infrastructure inherit init initial initialization initialize initiate inject inline insecure
    insensitive insert inside inspect inspection inspector install installation instance instantiating
    instruct instruction int intact integer integral integrate integration integrity intend intended
    intent intention interact interaction interactive intercept interest interface interfere interior
    intermediate internal internationalization internet interpret interpretation interrupt interval intro
    introduce introduction introspection intuitive invalid invent inverse invert investigate invocation
    invoke involve involved involving irrelevant iso isolate issue italic iterable iterate iteration
    iterator itself january java javascript job join journey json july jump june key keyboard keyword kick
    kickoff kid kill kind kinda knowledge known label lack lag land lang large latency later latest latter
    launch layer layout lazy lead leader leaf leak lean learn leftover legacy legal len length lesson lib
    library lies life lifetime lift light lightweight likelihood likewise limit limitation linear link
    lint linter linux listen literal little llm load local locale locate located location log logic
    logical login logo lonely long lookup loop loose lose loss lost lot lots low lowercase lowest lts
    lunch mac machine machinery magic mail main maintain maintainer maintenance major manage management
    mandatory manifest manipulate manner manual map march margin mark markdown marker market markup mask
    massive master match material math matrix matter max maximum may maybe mcp meaningful meant measure
    mechanism media medium meet meeting mem member memory mention menu merely merge message meta metadata
    method middle migrate migration milestone min mine minimal minimize minimum minor minus minute minutes
    miscellaneous misleading mismatch miss missing mistake mix mixed mock mod modal model modern
    modification modifier modify modular module moment monday money monitor monorepo month mood moreover
    morning mount mouse mouth msg multi multiline multiple music mutual myself naive namespace narrow
    native natural nature nav navigation near nearly neat necessarily necessary negate negative neither
    nervous nested net network nevertheless newline night nobody node noise noon nor normal normalization
    normalize nose notable notation note notice notification notify november null number observe obsolete
    obvious occasional occur occurrence october odd office official offset old omit oneself ongoing online
    open openai operate operation operator opinion opportunity opposed opposite optimal optimization
    optimize optional order ordinary org organization orient origin original otherwise ought ourselves
    outcome outdated outgoing outline outside outstanding overall overflow overhead overlap overload
    overridden override overview overwrite overwritten ownership pack package packet padding page paint
    pair paper paragraph parallel parallelize param parameter parent parenthesis parse parser partial
    particular party pass password past paste patch pattern pause pay payload peer penalty pending people
    pep per percent perform performance perhaps period permission permit persist person personal phase
    phone physical pick picture piece pin ping pinned pipe pipeline pixel placeholder plain platform play
    playbook pleasant pleasure plenty plug plugin plural point pointer policy polite poll pollute pool
    poor pop popular populate popup port portability portable portion pos position positive possibility
    possible possibly post potential power practical practice pre precede preceding precise precompiled
    predefined predicate preferable preference prefix preliminary premature prep prepare prepend
    prerequisite presence present presentation preserve press pressure presumably pretend pretty prevent
    preview previous price primarily primary prime primitive principles print printf prior prioritize
    priority private privilege probably problem problematic procedure proceed processor prod produce
    product production profile program progress prohibit promise promote prompt prone prop propagate
    proper property proposal propose protect protection protector proto protocol prototype proud prove
    provide provision prs public publish pull punctuation pure purpose push python qualification qualify
    quality questionable queue quick quiet quit quite quote race raise ran random range rank rare rate
    ratio rationale raw reach reachable reached readable reader reading readme ready reason reasonable
    rebuild receive recent recipient recognized recommend recommendation reconcile record records recover
    recreate recurse redirect redirected redistribute redo reduce reduction redundant ref refactor
    reference referral reflect refresh refuse regard regarding regardless regexp region register registry
    regression regular reject related relative release relevant reload rely remain remainder remark
    reminder remote removal rename render repeat repeatedly repetitive replace replacement replay
    replicate reply repo report represent representation reproduce reproducible require requirement rerun
    research reserved reset resist resize resolution resolve resource respect respectively respond
    responding response responsibility responsible rest restart restore restriction resume retrieval
    retrieve retry reusable reuse reverse revert review reviewer revision revoke rewritten rich rid risk
    roadmap robust role root rotate rough round route routine row rude rule runtime sad safe safety sample
    sandbox sane sanity satisfy saturday save scale scan scenario schedule schema scheme school scope
    scrap scratch screen screenshot script scroll search season sec second secondary secret section secure
    security seek seem segment seldom select selection selective selector self sell semantic semi sense
    sensible sensitive sent sentence sep separable separate separation separator september sequence
    sequential series serious serve server session setup several severity sha shadow shape share sharp
    sheet shell shields shift ship shipping shop short shortcut shot shutdown sibling sidebar sign signal
    significant silent silently silly similar simple simplicity simplify simply simulate simultaneous
    single singular site situation size skill skills skip slash sleep slice slide slightly slot slow small
    smart smoke smooth snake snapshot snippet software solely solid solo solution solve somehow someone
    sometime sometimes somewhat somewhere soon sophisticated sort sound space spam span spark spawn speak
    spec special specific specifically specification specifier specify speculative speed spell spelling
    spend spirit split spot spread spring sprint sql square squash src stability stable stack staff stage
    stale stamp stand standalone standard standup start startup stat statement static statistics stay
    stdout step stick storage story straight straightforward strange strategy stream street stretch strict
    stringify strip strong struct structure stub stuck student stuff style stylesheet stylistic sub
    subagent subcommand subdir subfolder subject submit suboptimal subscribe subsection subsequent
    substantial substitute subsystem subtasks subtle subtract subtree succeed success successful succinct
    sudden sufficient suffix suggest suggestion suggestions suit suitable suite summarise summarize
    summary summer sunday super supplied supply support suppose supposed suppress surface surprise
    surround swap sweet switch symbol symbolic symlink symptom sync synchronous synonym syntax synthetic
    tab tag tail talk tap tarball target task taste taught teach teacher team teammate tech technical
    technique technology temp template temporary ten term terminal terminate termination terminology terse
    text textual theme themselves theory thing third thorough though thought thread threshold throughout
    thrown thursday thus tick ticket tidy tied tight tile timeout timestamp tiny tip title todo toggle
    token tomorrow tone tonight tool toolbox toolchain toolkit tooltip top topic total toward towards
    trace track traditional traffic trailer trailing trait transaction transfer transform transformation
    transient transition transitional translate translation transparent transport trap travel treat
    treatment tree trick trigger trim trip triple trivial trouble trust truth try tuesday tui tune turn
    tutorial tweak twice typescript typical typo ugly uhm uint umbrella umm unable unavailable uncaught
    unchanged unclear uncommitted unconditional undefined underline underlying underscore understand undo
    unexpected unfortunately unify uninstall unintended unique unit universal unknown unless unlike unlock
    unnecessarily unnecessary unrelated unreliable unsafe unset unspecified unstable unsupported untracked
    unusual unwanted unwrap upcoming update upgrade upload upper uppercase url usability usable usage
    useful username usr usual util utility vague valid validate validation validity valuable value var
    variable variation variety various vary verbatim verbose verification verify version versus vertical
    via view violate visibility visible visit visited visual voice void volatile volume vulnerable walk
    wall wanna warm warn warranty waste watch wave weak weather web website wednesday week weight weird
    welcome wheel whereas wherever whichever white whoever whole whose wide widget width wild win window
    windows winner winter wise wish wonder wording workflow world worry worse worst worth wow wrap
    writable wrote wth xml yaml year yesterday yourself yyyy zero zone"""
)
_TABLE = _EVERYDAY | lexicon.COMMON | lexicon.TALKING | lexicon.FOREIGN | lexicon.PLAIN_ACTS | lexicon.GENERIC
