"""Word lists that the rules share, each written as text and read into a set."""


def listed(text: str) -> frozenset[str]:
    """The words of a text; a phrase is written with underscores for its spaces."""
    return frozenset(word.replace("_", " ") for word in text.split())


COMMON = listed(
    """a about above after again agent all always an and another any anything are as ask asked asks at be
    because been before being below both but by can code codebase come could did do does doing done down
    each either else end even ever every everything everywhere few file files find first for from get
    give given go good had has have having her here him his how i if in instead into is it its just keep
    kept know last least less let like line lines list look made make makes many may me mean might more
    most much must my name need needs never new next no none not nothing now of off often on once one
    only onto or other our out over own part place please prefer preferred project put rather really
    repo repository right run runs said same say says see seen set should show shown side since so some
    something still such take taken tell tells than that the their them then there these they thing
    things think this those three through time times to together told too two under until up upon us use
    used user uses using very want was way we well were what when whenever where whether which while who
    whole why will with within without word words work works would write written wrong yet you your"""
)
"""Words without a subject of their own."""

TALKING = listed(
    """actually again alone already annoying anymore awesome awful bad best better brilliant broke broken
    careful close correct crap damn dont dude enough exactly false fine forget forgot forgotten gave garbage
    glad great happy hate hell hey hmm horrible huh incorrect keep leave leaves left lol love man mess mind
    missed nah nice nonsense nope obviously ok okay omg oops perfect perfectly please remember rubbish
    seriously shit sigh sorry still stop stopped stops stupid sure terrible thank thanks tired touch touched
    touches true ugh useless wait whatever whole whoops wrong wtf yeah yep yes yet"""
)
"""Words about somebody's feelings, or about doing something differently."""

FOREIGN = listed(
    """ab aber alle als am auch auf aus bei bin bis bitte da das dass dem den der des die dies diese doch du
    ein eine einen einer eines er es falsch für hat haben hier ich ihr im immer ist ja jetzt kein keine
    keinen mal mehr mein merk merke mir mit nach nein nicht nie niemals noch nur oder ohne sein sich sie
    sind sofort sondern statt stattdessen und uns vom von vor war warum weil wenn wie wir wird zu zum zur
    künftig zukunft verwende verwenden benutze benutzen nutze nimm schreib schreibe schreiben mach
    au aux avant avec ce ces cette dans de du elle en est et faux il ici jamais je la le les lieu mais
    mes mets moi mon ne nous non ou où par pas plus plutôt pour que qui sa sans se ses si sont sur ta tes
    toi ton toujours tu un une utilise utilisez vous désormais maintenant avenir
    al antes así con cuando del el ella entre esa ese eso esta este esto está favor hay las lo los lugar
    más muy nunca para pero por porque siempre sin sobre su sus te usa utiliza vez ya recuerda ahora
    adelante
    不对 请用 不要用 不要 不是 使用 总是 永远 以后 记住 请"""
)
"""Words without a subject of their own, in other languages that people use with agents."""

PLAIN_ACTS = listed(
    """add adding ask asking call calling change changing check close create creating delete deleting directly
    edit editing existing explain extend finish fix generate get go guess hand move ones open pass put read
    real remove removing reply return rewrite saying send show small start store tell throw try update
    updating answer affected"""
)
"""Words that occur in too many prompts to recall a lesson by."""

SUBCOMMANDS = {
    "git": listed("add checkout clean commit fetch merge pull push rebase reset revert stash switch tag"),
    "terraform": listed("apply destroy import init plan"),
    "docker": listed("build compose exec pull push run"),
    "kubectl": listed("apply delete exec rollout scale"),
    "npm": listed("audit ci install publish update"),
    "pip": listed("freeze install uninstall"),
    "alembic": listed("downgrade revision upgrade"),
}
"""Programs that people name together with a subcommand, and those subcommands."""

GENERIC = listed(
    """api app application applied apply argument arguments background branch branches change
    changes class classes code column columns command commands component components config
    configuration convention conventions data default describe detail details document documents
    environment environments error errors example examples feature features field fields file files
    folder folders function functions helper helpers history hold holds image images input issue
    issues item items key keys language level line lines list live log logs main message messages
    method methods mode model models module modules name named names number object objects option
    options order output page pages path paths plan plans process project projects prompt queries
    query question questions reason request requests response responses result results route routes
    rule rules section service services session sessions setting settings source state status step
    steps string strings system table tables take takes taking task tasks test tests text tool tools
    type types user users value values version versions view views word words"""
)
"""Words in too many prompts and files to identify a subject alone; with another word they do."""

NO_FILES = listed(
    """branch branches cluster commit commits deploy deployment port pr production prs pull release releases
    server staging ticket tickets"""
)
"""Words about things that are no files."""

NO_KEYWORDS = COMMON | TALKING | FOREIGN

CODE = listed(
    """any api arrow async await callback callbacks camelcase class classes code comment comments component
    components const decorator dependencies dependency docstring docstrings endpoint endpoints enum error
    errors exception exceptions export exports field fields fixture fixtures function functions handler
    handlers helper helpers hook hooks import imports indentation inline interface interfaces log logger
    logging loop loops method methods mock mocks module modules name names naming null parameter parameters
    print prop props query queries quotes return route routes schema selector selectors semicolons signature
    signatures snake_case spaces string strings style styles syntax table tables tabs template templates
    ternaries test tests type types util utils var variable variables"""
)
"""Words about the contents of code files."""

PROSE = listed("""adoc cfg csv gif ini jpg json lock log md pdf png rst svg toml txt xml yaml yml""")
"""Extensions of files that are no code."""

LANGUAGES = {
    "python": ("py", "pyi", "ipynb"), "typescript": ("ts", "tsx", "mts"), "javascript": ("js", "jsx", "mjs"),
    "rust": ("rs",), "golang": ("go",), "java": ("java",), "kotlin": ("kt",), "swift": ("swift",),
    "ruby": ("rb",), "php": ("php",), "css": ("css", "scss"), "html": ("html",), "sql": ("sql",),
    "yaml": ("yaml", "yml"), "markdown": ("md",), "vue": ("vue",), "svelte": ("svelte",),
}  # fmt: skip
"""Languages, and the extensions of their files."""

PROGRAMS = listed(
    """apt apt-get black brew bun bundle cargo cmake conda curl deno docker dotnet eslint flake8 gh git go
    gradle jest kubectl make mocha mvn mypy node nox npm npx pip pip3 pnpm podman poetry prettier psql
    pyright pytest python python3 rake rm ruby ruff rustup sqlite3 swift terraform tox uv vitest wget
    yarn"""
)
"""Programs of command lines."""

FILLER = listed(
    """a agent always an and are as at be been being by did do does done for from here i in is it its just me
    kept my now of on or our please that the there these this those to use used user using usually was we with
    you your"""
)
"""Words that do not change the meaning of a lesson."""

PRONOUNS = listed(
    """all any anything everything it me mine one ones so something that that_one that_way the_first
    the_other the_other_one the_same the_second them these this this_one this_way those us you yours"""
)
"""Words that refer to something said before."""

NO_NOUNS = listed(
    """are aren't do does doesn't don't has have he i is isn't it let's she that that's they this we what
    what's you"""
)
"""Words that no short name of a thing contains."""

PLAIN_ORDERS = listed(
    """add ask call change check commit create delete edit explain extend fix follow format generate go import
    install keep leave log make move name open pass prefer push put raise read remove rename reply return
    reuse run send set show squash start store tell throw try update use wrap write"""
)
"""Verbs that begin an order wherever they occur: hardly ever nouns in a list."""

MODAL = listed(
    """can can't cannot could couldn't did didn't had may might must mustn't should shouldn't was will
    won't would wouldn't"""
)
"""Verbs that stay as they are in the third person."""

REGULAR_VERBS = listed(
    """abbreviate accept access add adjust advance aim allow alphabetise alphabetize amend annotate answer
    append apply approve archive ask assert assign assume attach audit avoid backport bake batch
    benchmark block bootstrap bother branch bump bundle cache call cancel capitalise capitalize capture
    chain change check chunk clean clear clone close code collapse combine comment commit compare
    compile complete compress compute concatenate configure confirm connect consider consult convert
    copy correct cover create declare decorate dedupe deduplicate default define delete deploy derive
    describe design destroy disable discard disclose display document double-check downgrade download
    drop dry dump duplicate edit embed emit enable encode encrypt end enforce ensure enter escape
    evaluate execute exit expand expect explain export expose extend extract fail fetch fill filter
    finish fix flag flatten fold follow force format forward generate group guard guess handle hardcode
    hash help hide ignore implement import include increment indent index infer inherit initialise
    initialize inject inline insert inspect install instantiate introduce invent invoke join jump kill
    label launch lint list load localise localize lock log look lower lowercase maintain map mark mask
    match measure memoise memoize memorize mention merge migrate mimic minify mock modify monkeypatch
    mount move mutate name nest normalise normalize note notify number offer omit open optimise optimize
    order overload override pack pad paginate parametrise parametrize parse pass paste patch pause
    persist pick pin pipe place plan poll populate port post postpone precompute prefer prefix prepare
    prepend present preserve prevent print process produce profile propose prune publish pull push query
    quote raise randomise randomize rebase rebuild recheck recompile record recreate recycle redirect
    reduce refactor refer reference reformat refuse regenerate register reimport reinstall relaunch
    release reload rely remember remind remove rename render reopen reorder repeat replace reply report
    request require resend reserve reset resize resolve respect respond restart restore restrict restyle
    retain retry return reuse revert review revise rewire reword rotate round route sample sanitise
    sanitize save scaffold scan schedule scope scroll seal secure seed select separate serialise
    serialize serve shard ship shorten show sign silence simplify skip sleep smoke-test snapshot solve
    sort spawn specify speed spellcheck spread squash stage start stash state stop store stream
    stringify strip structure stub style subclass subscribe subtract suffer suffix suggest summarise
    summarize support suppress switch sync tabulate tag target terminate test throttle tidy time toggle
    touch trace track trail transform translate treat trigger trim truncate trust try tune type
    type-check typecheck unify uninstall unit-test unroll unwrap update upgrade upload uppercase use
    validate vendor vendorize verify version visit wait walk warn watch wire work wrap zip"""
)
"""Regular verbs that people use with agents."""

NO_VERBS = listed(
    """about from inside into onto outside over under upon
    again available been before better best busy close done early easy else enough ever fine free fun
    funny glad good gonna gotten great happy hard have heard here knew know late less lost love made mind
    more nice none null obvious once only over possible quite ready right said same seen sorry such sure
    that them then there they thought time tired told took true very want welcome well were with wrong"""
)
"""Words after `always` and `never` that begin no order."""

DOUBLING_VERBS = listed(
    """chop clip commit control cram cut dedup drop flag format get hit let log map omit pad pin plan plug pop
    prefer prep put refer reformat rerun reset run scan scrap set ship shut sit skip snap spin split spot
    squat step stop strip stub submit swap tag tap trap trim unplug unzip wrap zip"""
)
"""Verbs that double their last letter: `stopped`."""
