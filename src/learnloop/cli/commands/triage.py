"""`learn triage`: the queue without a screen, one draft at a time on stdin and stdout.

Plain lines only: no colour, no box, no cursor movement. The question comes last,
where a screen reader ends. Verdicts are those of the console.
"""

from __future__ import annotations

import sys
import textwrap
from dataclasses import dataclass, field
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from learnloop.cli import lesson_table, output, paging
from learnloop.cli.lesson_table import print_decision, print_trial, ways
from learnloop.cli.progress import progress
from learnloop.errors import LearnloopError
from learnloop.faces import lesson_page
from learnloop.service.lessons.row import asked_words, fold_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models import Lesson
    from learnloop.models.decision import Decision
    from learnloop.service.facts.modes import Offer
    from learnloop.service.intake.repeated_corrections import Repeated
    from learnloop.service.lessons.row import Row
    from learnloop.service.review.check_trial import Choice, Way

_EPILOG = """\
Answers: p keep (of a check the recommended way, 1, 2 or 3 the named one), r drop (rw wrong, ro one-off,
rd duplicate, ra already known, rv too vague, re and your words), s skip, e new statement, d details, z undo,
q quit, ? help. They may come from a pipe, one a line. Exit code 1 then says that one of them failed. What you
skip is asked again next time.
"""
_ASK = "[p] keep [r] drop [s]kip [e]dit [d]etails [z] undo [q]uit ? > "
_HELP = """\
p          keep: it is recalled from now on; a draft that needs words asks for them
p WORDS    keep it with this statement
1, 2, 3    keep it, and let its check bind in this way (p: the recommended one), or tell it at another
           moment, where the draft says that it would have missed its mistake
r          drop: asks why, in one key
r WHY      drop with that reason: {reasons}, or your own words
s          skip: leave it for another time
e          change the statement (e WORDS at once), then decide
d          the whole draft: evidence, triggers, why it is likely or not
z          take the last verdict back
q          quit; everything decided so far is kept
? or h     this help"""


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = _EPILOG
    add = parser.add_argument
    plain = "one draft at a time as plain lines, without the hint at learn-tui"
    add("--plain", action="store_true", help=plain)
    line = "only these drafts, in the filter language: is:external, folded too"
    add("--filter", metavar="LINE", help=line)
    add("--all", action="store_true", help="the folded drafts too: weak, without words, said already")


def run(ws: Workspace, args: Namespace) -> int:
    if not args.plain and output.on_terminal() and output.can_ask():
        output.note(
            "The console for this is learn-tui. Here one draft at a time; --plain leaves this line out."
        )
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    _ingest(ws)
    ask_once(ws)
    return Talk(ws, everything=args.all or bool(args.filter), line=args.filter or "").run()


def _ingest(ws: Workspace) -> None:
    """Ingest what is new; where that fails the queue stays as it is."""
    from learnloop.service import workspace
    from learnloop.service.transfer import share

    try:
        workspace.ingest(ws)
        share.take_in(ws)
    except LearnloopError as error:
        output.note(f"New events could not be read: {error.message}; {error.hint}")


def ask_once(ws: Workspace) -> None:
    """Ask whether a model may read along, where a person sits at a terminal and never answered."""
    from learnloop.service.facts import modes

    is_attended = output.on_terminal() and output.can_ask()
    if offer := modes.if_open(ws, ".") if is_attended else None:
        ask(ws, offer)


def ask(ws: Workspace, offer: Offer) -> None:
    """Show what would be sent, to whom and at what price; an empty answer leaves the question open.

    Of a yes what was typed lately can be read at once; then the queue opens on what was found.
    """
    from learnloop.service.facts import asking, modes

    name = output.safe(offer.project).rpartition("/")[2]
    key = key_for(offer, f"[y] yes, in {name} · [a] in all · [n] no, never ask again · enter: later > ")
    if not key:
        return
    where, words, past = modes.answer(ws, offer.project, key)
    output.line(words)
    if past and output.ask(f"{past}. Have them read now? [y/n] > ").lower() == "y":
        with progress("Requests") as on_progress:
            report = asking.taste(ws, where, on_progress)
        output.line(report)
        Talk(ws).run()


def key_for(offer: Offer, question: str) -> str:
    """Show an offer whole; the key that answers a question about it, empty for none."""
    with paging.paged():
        for words in offer.words:
            output.line(textwrap.fill(words, 100))
        output.line(f"\n{offer.request}")
    key = " "
    while key not in ("", "y", "a", "n"):
        key = output.ask(question).lower()
    return key


def _whole(lesson: Lesson) -> list[str]:
    """Why the words may be somebody else's, and all of what they stood in."""
    if lesson.trust != "external" or not lesson.evidence:
        return []
    return [part for part in (lesson.context, lesson.evidence[-1].whole) if part]


@dataclass
class Talk:
    """A walk through the queue, which is read again after each answer."""

    ws: Workspace
    everything: bool = False
    line: str = ""
    """A line of the filter language, which drafts have to match."""
    only: Mapping[str, Repeated] = field(default_factory=dict)
    """The drafts to ask about, in this order, each with what a backfill found out about it."""
    trail: list[str] = field(default_factory=list)
    """One item an answer: the id of a draft that was skipped, empty for a verdict."""
    failed: bool = False
    """An answer could not be carried out; for a pipe the exit code is then 1."""
    _ways: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Other moments of the draft that was printed last, with their triggers."""
    _printed: str = ""
    """The draft that was printed last: it is not repeated before each question."""
    _place: str = ""
    """The proposal to put what was kept last into a file, if there is one."""
    _choice: Choice | None = None
    """How its check may bind, if it has one."""
    _back: str = ""
    """The draft that undo brought back: it is asked next."""

    @property
    def decided(self) -> int:
        """How many verdicts were given here and not undone."""
        return self.trail.count("")

    def run(self) -> int:
        """Ask until the queue or the input ends, or the person quits; returns the exit code."""
        row, waiting = self._next()
        while row is not None and self._turn(row, waiting):
            row, waiting = self._next()
        self._end()
        return 1 if self.failed and not output.can_ask() else 0

    def _queue(self) -> list[Row]:
        from learnloop.service.lessons import query, rows

        drafts = query.matching_rows(self.ws, self.line, "draft") if self.line else rows.rows(self.ws)
        if self.only:
            row_by_id = {row.id: row for row in drafts}
            return [row_by_id[key] for key in self.only if key in row_by_id]
        return [row for row in drafts if self.everything or not row.folded]

    def _folded(self) -> list[Row]:
        from learnloop.service.lessons import rows

        return [row for row in rows.rows(self.ws, "draft") if row.folded]

    def _next(self) -> tuple[Row | None, int]:
        """The draft to ask about, and how many wait besides those that were skipped."""
        skipped = set(self.trail)
        waiting = [row for row in self._queue() if row.id not in skipped]
        back = next((row for row in waiting if row.id == self._back), None)
        return back or next(iter(waiting), None), len(waiting)

    def _turn(self, row: Row, waiting: int) -> bool:
        """One question and its answer; False ends."""
        self._present(row, waiting)
        answer = self._ask(_ASK)
        if answer is None:
            return False
        word, _, rest = answer.partition(" ")
        try:
            return self._answer(row, word.lower(), rest.strip())
        except LearnloopError as error:
            self._print_error(error.message, error.hint)
            return True

    def _answer(self, row: Row, word: str, rest: str) -> bool:
        name = _NAMES.get(word, word)
        if name == "q":
            return False
        named = self._choice.ways if self._choice else ()
        acts: Mapping[str, Callable[[Row, str], None]] = {
            **{str(at): partial(self._promote, way=way) for at, way in enumerate(named, 1)},
            "p": self._promote, "r": self._reject, "s": self._skip,
            "e": self._edit, "d": self._details, "z": self._undo, "a": self._apply, "?": self._help,
        }  # fmt: skip
        if name in acts:
            acts[name](row, rest)
        elif word.startswith("r") and len(word) == 2:
            self._reject(row, f"{word[1]} {rest}")
        elif word.isdecimal() and 0 < int(word) <= len(self._ways):
            self._promote_told(row, self._ways[int(word) - 1][1])
        elif word:
            self._print_error(f"{word!r} is no answer", "? lists them")
        return True

    def _present(self, row: Row, waiting: int) -> None:
        if self._printed == row.id:
            return
        from learnloop.service.lessons import documents
        from learnloop.service.recall import backtest

        self._printed = row.id
        done = len(self.trail)
        output.line(
            f"\nDraft {done + 1} of {done + waiting}, {row.short}, {row.chance} ({row.strength} of 100)"
        )
        lesson = documents.find(self.ws, row.id)
        for text in (
            lesson_table.quoted(lesson), row.label, row.told and f"Agents are told: {row.told}",
            row.said and f"Already said in {row.said}.",
            *_whole(lesson), lesson.example and f"For example: {lesson.example}",
        ):  # fmt: skip
            if text:
                output.line(text)
        output.line(f"{self._where(row)} {row.priority} {row.kind}.")
        for other in documents.find_all(self.ws, self.only[row.id].others) if self._is_wider(row) else ():
            words = output.safe(lesson_table.summary(other))
            output.line(f"p archives as superseded: {lesson_table.short(self.ws, other.id)} “{words}”.")
        output.line(f"Cost: {backtest.cost_words(self.ws, lesson)}.")
        self._present_ways(row, lesson)

    def _present_ways(self, row: Row, lesson: Lesson) -> None:
        """Say how its check may bind, or at which other moments it may be told."""
        from learnloop.service.facts import check_proposals
        from learnloop.service.recall import backtest

        self._choice = check_proposals.choice(self.ws, row.id)
        objection = None if self._choice else backtest.doubt(self.ws, lesson)
        self._ways = list(objection.ways.items()) if objection else []
        if self._choice:
            print_trial(self._choice.trial)
            output.line(f"{ways(self._choice)}: p takes the recommended one.")
        if objection:
            others = "".join(f"{at} keeps it {way} · " for at, (way, _) in enumerate(self._ways, 1))
            output.line(output.safe(f"It {objection.words}: {others}p leaves it."))

    def _where(self, row: Row) -> str:
        if not self._is_wider(row):
            return f"Where: {lesson_page.where(row)}. Seen {output.count(row.seen, 'time')}."
        repeated = self.only[row.id]
        return f"You said it {repeated.times}× in {repeated.projects} projects: p keeps it for every project."

    def _is_wider(self, row: Row) -> bool:
        """Whether the same was said in other projects."""
        return row.id in self.only and bool(self.only[row.id].others)

    def _promote_told(self, row: Row, triggers: dict[str, Any]) -> None:
        """Promote a draft with a moment that would have caught what led to it."""
        from learnloop.service.review import verdicts

        verdicts.edit(self.ws, row.id, {"triggers": triggers})
        self._promote(row, "")

    def _promote(self, row: Row, rest: str, *, way: Way | None = None) -> None:
        from learnloop.service.facts import check_proposals
        from learnloop.service.patches import board
        from learnloop.service.profile import one_yes

        if row.needs_words and not rest:
            rest = self._ask(f"{asked_words(row.statement)} (nothing: leave it) > ") or ""
            if not rest:
                return
        choice = check_proposals.choice(self.ws, row.id, rest) if rest else self._choice
        if choice and rest:
            print_trial(choice.trial)
        how = choice.given(way or choice.recommended) if choice else {}
        others = self.only[row.id].others if row.id in self.only else ()
        decision = one_yes.promote(self.ws, row.id, rest or None, others=others, **how)
        self._decided(decision)
        if others:
            output.line("It applies everywhere.")
        if offered := board.offered(self.ws, decision.lesson_ids):
            self._place = offered[0].id
            output.line(f"Also in {output.safe(offered[1])}? a shows what that changes there.")

    def _apply(self, _row: Row, _rest: str) -> None:
        """Show what would change in the files of the lesson that was kept last; write it on a yes."""
        from learnloop.cli import patch_report
        from learnloop.service.patches import patches

        if not self._place:
            self._print_error("no file takes what was kept last", "p keeps a draft")
            return
        patch_report.print_diffs(patches.preview(self.ws, [self._place]))
        if self._ask("[y] write it (nothing: leave it) > ") == "y":
            patch_report.print_report(patches.apply(self.ws, [self._place]), json=False)
            self._place = ""

    def _reject(self, row: Row, rest: str) -> None:
        from learnloop.service.review import verdicts

        reason = self._reason(rest)
        if reason is not None:
            self._decided(verdicts.reject(self.ws, row.id, reason=reason))

    def _reason(self, rest: str) -> str | None:
        """The reason that an answer names, asked for where it names none; None where none was given."""
        from learnloop.learn.lessons import reasons

        if not rest.strip():
            keys = ", ".join(f"{reasons.LETTERS[name]} {name}" for name in reasons.REJECTING)
            rest = self._ask(f"Why? {keys} (nothing: leave it) > ") or ""
        key, _, words = rest.strip().partition(" ")
        reason = reasons.reason_for_key(key) if len(key) == 1 else ""
        if reason and reason != reasons.OTHER:
            return reason
        if reason == reasons.OTHER:
            return words or self._ask("In your words (or nothing) > ") or reasons.OTHER
        if len(key) == 1 and not words:
            self._print_error(f"{key!r} is no reason", "take one of the letters, or your own words")
            return None
        return reasons.normalise_reason(rest) or None

    def _skip(self, row: Row, _rest: str) -> None:
        self.trail.append(row.id)
        output.line("Skipped.")

    def _edit(self, row: Row, rest: str) -> None:
        from learnloop.service.review import verdicts

        words = rest or self._ask("New statement, one sentence (nothing: as it is) > ")
        if words:
            verdicts.edit(self.ws, row.id, {"statement": words})
            output.line("Changed.")
            self._printed, self._back = "", row.id

    def _details(self, row: Row, _rest: str) -> None:
        from learnloop.service.lessons import documents

        lesson_table.print_lesson(self.ws, documents.find(self.ws, row.id))

    def _undo(self, _row: Row, _rest: str) -> None:
        from learnloop.service.history import sentences, undo

        if self.trail and self.trail[-1]:
            self._back = self.trail.pop()
            output.line("Asked again.")
            return
        undone = undo.undo(self.ws)
        if undone is None:
            self._print_error("there is nothing to take back", "s skips")
            return
        output.line(f"Undone: {sentences.step_sentence(self.ws, undone) or 'a verdict'}")
        del self.trail[-1:]
        self._printed, self._back = "", next(iter(undone.lesson_ids), "")

    def _help(self, _row: Row, _rest: str) -> None:
        from learnloop.learn.lessons import reasons

        names = ", ".join(f"{reasons.LETTERS[name]} {name}" for name in reasons.REJECTING)
        output.line(_HELP.format(reasons=names))

    def _decided(self, decision: Decision) -> None:
        print_decision(self.ws, decision)
        self.trail.append("")
        self._back = ""

    def _ask(self, question: str) -> str | None:
        """An answer on one line; None where the input has ended. What a pipe answers is printed behind it."""
        try:
            answer = input(question)
        except (EOFError, OSError, RuntimeError):
            output.line()
            return None
        if not output.can_ask():
            output.line(output.safe(answer))
        return answer.strip()

    def _print_error(self, what: str, to_do: str) -> None:
        self.failed = True
        output.line(f"Not done: {what} – {to_do}")

    def _end(self) -> None:
        is_part, self.only = bool(self.only), {}
        left = len(self._queue())
        done = f"{output.count(self.decided, 'draft')} decided" if self.decided else "Nothing decided"
        rest = f"{output.count(left, 'draft')} left" if left else "no draft is left"
        output.line(f"{done}, {rest}{': learn triage' if left and is_part else ''}.")
        if folded := [] if self.everything else self._folded():
            output.line(f"{fold_words(folded)}: learn triage --all")


_NAMES = {
    "promote": "p", "reject": "r", "skip": "s", "n": "s", "next": "s", "edit": "e", "statement": "e",
    "details": "d", "show": "d", "undo": "z", "u": "z", "quit": "q", "exit": "q", "h": "?", "help": "?",
}  # fmt: skip
