"""Words for one thing, and the habits that people ask for in many wordings. Data, written as text.

A synonym stands for its thing everywhere. A part is a word's role in a habit only. A habit is named by things
and parts that occur together in one sentence, in any order; of a line with `|` each alternative names it.
`not` is a denial, `lacks` a complaint that something is missing.
"""

_SYNONYMS = """
answer: answer answers answered answering reply replies respond response responses antwort antworten antworte
build: build builds building built
run: run runs running ran ausführen
send: send sends sending sent
write: write writes writing written wrote schreiben schreib schreibe
changelog: changelog changelogs change-log changes.md changelog.md release-notes änderungsprotokoll
comment: comment comments commenting commented kommentar kommentare kommentieren kommentiere
commit: commit commits committed committing committe committen commiten committest einchecken
debug-output: console.log print prints println printf
delete: delete deleted deletes deleting deletion löschen lösch lösche gelöscht löschst
dependency: dependency dependencies library libraries package packages abhängigkeit abhängigkeiten
docs: doc docs documentation doku dokumentation
emoji: emoji emojis emoticon emoticons smiley smileys
english: english englisch englische englischen anglais
error: err error errors exception exceptions fehler
error-message: error-message error-messages fehlermeldung fehlermeldungen fehlertext fehlertexte
german: german deutsch deutsche deutschen deutscher
french: french französisch français
indent: indent indentation indented indenting indents einrücken einrückung eingerückt
install: install installed installing installs installieren installiert
main-branch: main master trunk
mock: mock mocks mocked mocking stub stubs
name: name names named naming
logging: logging logger loggers
postgres: postgres postgresql
push: push pushed pushes pushing gepusht pushe pushen
readme: readme readme.md
space: space spaces leerzeichen
test: test tests tested testing testsuite spec specs
two: 2 two zwei deux
four: 4 four vier
three: 3 three drei
eight: 8 eight
todo: todo todos fixme
type: type types typed typing
venv: .venv venv venvs virtualenv virtualenvs
"""
_PHRASES = """
again: yet again
any-type: `any`|any type|any types
backup: back up|backs up|backed up|back-up
at-once: at a time|one by one|1 by 1|step by step|one after the other|one after another|nacheinander
  |schritt für schritt|eins nach dem anderen
changelog: release notes|change log
commit-message: commit message|commit messages|commit msg
debug-output: print statement|print statements|console logs|debug prints|debug print
done: it works|call it|say it works|saying it works|you are finished|declare victory|declare success
error-message: error message|error messages|error text|error texts|error string|error strings
feature-branch: feature branch|new branch|own branch|separate branch|session branch|topic branch|other branch
  |different branch|a branch
by-hand: by hand|manually|von hand
main-branch: main branch|master branch
not: instead of|rather than|anstatt|statt
single-quote: single quote|single quotes|single-quotes|single-quoted
double-quote: double quote|double quotes|double-quotes|double-quoted
snake_case: snake case|snake-case
camelcase: camel case|camel-case
kebab-case: kebab case
pascalcase: pascal case|pascal-case
too-long: too long|too verbose|too wordy|keep it short|keep it brief|be brief|be concise|be shorter|shorter
  please
  |zu lang|fasse dich kurz|less verbose|wall of text|walls of text
ask: let me know
approve: go ahead|sign off|my ok|my okay|check with me|check in with me|green light|run it by me
  |let me review|let me approve|let me see|i say so|i tell you|okay from me|ok from me|wait for me
no-ask: without asking|without permission|without my permission|without my approval|without my ok
  |without my consent|unless i ask|unless i tell|unless i say|unless told|unless asked|until i tell
  |until i say|until i ask|only when i ask|only when i say|only when i tell|ohne zu fragen|ohne mich zu fragen
  |ohne rückfrage|unless explicitly|without being asked|without me asking
myself: myself|by yourself|on your own|ich selbst
type-annotation: type annotation|type annotations|type hint|type hints|typescript types
unrelated: nothing to do with|not related|other files|other code|not part of the task|not part of this
unasked: did not ask|didn't ask|not ask for|not asked for|never asked|wasn't asked|was not asked|not requested
  |only what i|just what i|only what was|only change what|only do what|nur was ich|nur das ändern
venv: virtual environment|virtual env
"""
_PARTS = """
act: act action begin code coding edit editing implement implementation implementing proceed start starting
  write writing wrote umsetzen implementieren implementiere programmieren anfangen loslegen schreiben schreib
  coden ändern änderst change changes changing touch taking take
annotation: annotate annotated annotation annotations
answer: explanation explanations message output summary summaries
approve: agree approval approve approved confirm confirmation confirmed consent greenlight permission freigabe
  zustimmung erlaubnis bestätigung
ask: ask asked asking consult frag frage fragen fragst gefragt
change: change changed changes changing modify modified edit edited reformat touch touched verändert ändern
clarify: clarify clarifying clarification question questions rückfrage rückfragen
diff: diff diffs
done: complete completed done finish finished finishing ready fertig abgeschlossen
explain: describe explain explained
first: before beforehand first prior until vorher zuerst erst bevor zuvor
faulty: crash crashes crashed fail fails failed failing failure failures timeout timeouts
handle: catch catches caught handle handled handles handling behandelt behandlung propagate swallow swallowed
  swallows uncaught unhandled ignored ignores
later: yet noch
long: essay essays lengthy long novel novels rambling verbose wall walls wordy lang lange langen
make-up: update updated updates updating add added adding entry entries line needs ergänzen eintrag
one: one 1 single ein eine
outdated: outdated stale old obsolete
excess: obvious useless pointless redundant unnecessary needless every everywhere many überall
plan: approach outline plan planned plans proposal proposals propose strategy vorschlag vorschlagen
remove: drop remove removed removes removing strip entfernen entferne entfernt
run: check checked execute executed executing laufen führe verify
short: brief briefly concise shorter short shorten succinct terse tl;dr tldr kurz kurze kurzen kürzer knapp
show: show shown see sehen zeig zeige zeigen
small: minimal small smallest tiny
suite: suite
unrelated: unrelated
untested: untested uncovered
unasked: unasked unprompted unrequested
validate: validate validated validation unvalidated sanitise sanitize
wait: hold wait waiting warte
work: work working arbeite
written: markdown .md create document
save: save saved store
"""
_HABITS = """
commit-on-order: commit no-ask | commit ask first | commit approve first | not commit approve
  | not commit myself | not commit later
  | commit myself | commit unasked
push-on-order: push no-ask | push ask first | push approve first | not push approve | not push myself
  | not push later | push myself
branch-first: not commit main-branch | commit main-branch feature-branch | not main-branch feature-branch
  | not act main-branch | commit feature-branch first | not work main-branch | work feature-branch
delete-on-order: delete no-ask | delete ask first | delete approve first | not delete approve
install-on-order: install no-ask | install ask first | install approve first | not install approve
  | dependency no-ask
  | dependency ask first | dependency approve first | not dependency approve
questions-first: ask clarify
written-plan: plan written first | plan written save
plan-first: ask first | approve first act | approve first wait | approve wait act | plan approve first
  | plan first act | plan first show | plan first explain | plan first ask | plan show act | not act later
  | not act approve | not act no-ask | explain first act | explain plan act | act plan later
  | ask no-ask act
changelog: changelog make-up | changelog lacks | changelog change
tests-before-done: run test suite done first | run test done first | run test lacks | run suite first
  | run test commit first
failing-test-first: test first act | failing test first
short-answers: short answer | not long answer | not essay | too-long | not long explain | short explain
  | not long write
german-texts: german error-message | german error
no-comments: not comment excess | remove comment excess | comment excess complaint
no-emoji: not emoji | remove emoji | complaint emoji
only-the-task: unrelated | unasked | small diff
one-at-a-time: one at-once | at-once
indent-width: two space indent | four space indent | two space | four space | two indent | four indent
type-annotations: type-annotation | annotation type | annotation
error-handling: error handle
use-venv: venv
no-debug-output: not debug-output | remove debug-output | complaint debug-output
no-any: not any-type | remove any-type | complaint any-type
no-todo: not todo | remove todo | complaint todo
"""
_MATTERS = """
error handling: error handle | faulty handle | error lacks | error excess | faulty lacks
missing tests: test lacks | test untested | not test act
types: annotation | type-annotation | any-type | type lacks
changelog: changelog
documentation: docs lacks | readme lacks | docstring lacks | readme outdated | docs outdated
comments: comment excess | not comment | remove comment
unrelated changes: unrelated | unasked | small diff
answers too long: too-long | short answer | long answer
acting before asking: ask first | approve first | no-ask | plan first
work on the main branch: commit main-branch | push main-branch
input validation: validate input | check input | sanitise input
secrets: secret log | secret commit | secret print
"""


def _lines(text: str) -> dict[str, str]:
    """The lines `name: words` of a table; an indented line continues the one above."""
    joined = text.strip().replace("\n  ", " ")
    return {name: words.strip() for name, _, words in (line.partition(": ") for line in joined.split("\n"))}


def _names(text: str) -> dict[str, str]:
    return {word: name for name, words in _lines(text).items() for word in words.split()}


def _alternatives(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (name, frozenset(alternative.split()))
        for name, alternatives in _lines(text).items()
        for alternative in alternatives.split("|")
    )


SYNONYMS = _names(_SYNONYMS)
"""Words to their thing."""
PARTS: dict[str, frozenset[str]] = {}
"""Words to the parts of habits that they can be."""
for _name, _words in _lines(_PARTS).items():
    for _word in _words.split():
        PARTS[_word] = PARTS.get(_word, frozenset()) | {_name}
PHRASES = {
    phrase.strip(): name for name, phrases in _lines(_PHRASES).items() for phrase in phrases.split("|")
}
"""Phrases to their thing or part."""
HABITS = _alternatives(_HABITS)
"""Habits with the things and parts that name them."""
MATTERS = _alternatives(_MATTERS)
"""Matters that complaints are about, however they are put, with the things and parts that name them."""

_RIVALS = """
package manager for JavaScript: npm yarn pnpm bun
package manager for Python: pip uv poetry pipenv conda
JavaScript test runner: jest vitest mocha ava jasmine
Python test runner: pytest unittest nose
Python formatter: black yapf autopep8 ruff
JavaScript formatter: prettier biome dprint
browser driver: playwright cypress selenium puppeteer
indentation: tab space
quotation marks: single-quote double-quote backtick
naming: snake_case camelcase kebab-case pascalcase
way to join branches: rebase merge squash
database: postgres mysql sqlite mariadb mongodb
bundler: webpack vite rollup esbuild parcel turbopack
programming language: typescript javascript
styling: tailwind bootstrap styled-components
HTTP client: axios fetch requests httpx aiohttp
way to write output: debug-output logging
language: english german french spanish
"""
RIVALS = _names(_RIVALS)
"""Things to the purpose that they compete for."""
NUMBERS = frozenset(("two", "three", "four", "eight"))
NAMES = frozenset((*SYNONYMS, *SYNONYMS.values(), *PHRASES.values(), *RIVALS, *PARTS))
"""Words that are never taken to pieces."""
PLANNING = frozenset().union(*(needed for name, needed in HABITS if name == "plan-first"))
"""Things and parts that name no act: who is to be asked before one act is not asked before all."""
