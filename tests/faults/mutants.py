"""The mutation list: each guard of what must not be lost, the patch that removes it, the test that turns red.

A patch replaces a passage that stands once in a file. Where a guard moves, its row moves along.
"""

from dataclasses import dataclass

_INVARIANT = "faults/test_invariants.py::test_it_holds[{}]"
_PROCESS = "faults/test_processes.py::{}"


@dataclass(frozen=True)
class Mutant:
    """A guard that is taken away."""

    guard: str
    file: str
    """Below `src/learnloop`, or below the repository where it begins with `hooks/`."""
    passage: str
    replacement: str
    test: str
    """Below `tests/`."""
    also: tuple[str, str] = ("", "")
    """A second guard of the same, and what replaces it."""


def _holds(name: str) -> str:
    return _INVARIANT.format(name)


MUTANTS = (
    Mutant("a newline before each line", "wire/journal.py",
           'f"\\n{codec.encode(record)}\\n"', 'f"{codec.encode(record)}\\n"',
           _holds("torn_line_costs_itself_only")),
    Mutant("a writer looks whether its journal was rotated", "wire/journal.py",
           "if lock(fd, deadline) and _is_still(path, fd):", "if lock(fd, deadline):",
           _holds("rotation_between_open_and_lock")),
    Mutant("a writer's shared lock", "wire/journal.py",
           "if lock(fd, deadline) and _is_still(path, fd):", "if _is_still(path, fd):",
           _holds("rotation_between_check_and_write")),
    Mutant("a writer's deadline", "wire/journal.py",
           "LOCK_DEADLINE_S = 0.25", "LOCK_DEADLINE_S = 3.0",
           _PROCESS.format("test_a_stopped_fold_costs_a_writer_its_deadline_only")),
    Mutant("the spool", "wire/journal.py",
           "(_to_journal, _to_spool, _to_runtime)", "(_to_journal,)",
           _PROCESS.format("test_a_journal_that_may_not_grow_sends_events_to_the_spool")),
    Mutant("a short write is no write", "wire/journal.py",
           "if posix.write(fd, data) != len(data):", "if not posix.write(fd, data):",
           _PROCESS.format("test_what_nothing_can_keep_is_not_acknowledged")),
    Mutant("a decision waits for the disk", "wire/journal.py",
           'posix.fdatasync(fd) if hasattr(posix, "fdatasync") else posix.fsync(fd)', "pass",
           "faults/test_guards.py::test_a_decision_whose_content_is_not_synced_is_not_acknowledged"),
    Mutant("a spool file gets its name when it is whole", "wire/journal.py",
           'posix.rename(name + ".tmp", name + ".jsonl")', 'posix.link(name + ".tmp", name + ".jsonl")',
           "wire/test_journal.py::test_a_spool_file_has_its_name_only_when_it_is_whole"),
    Mutant("the reserve is given back", "wire/journal.py",
           "if error.errno not in _FULL or not _free_ballast(root):", "if True:",
           "wire/test_journal.py::test_a_full_disk_takes_the_event_once_the_reserve_is_given_back"),
    Mutant("readers go the way that events go", "store/pending.py",
           "    yield files.read(Path(paths.journal(root)))\n",
           "    yield from [files.read(segments.path(root, name)) for name in segments.names(root)]\n"
           "    yield files.read(Path(paths.journal(root)))\n    after = '~'\n",
           _holds("fold_between_any_two_reads")),
    Mutant("readers see each event once", "store/pending.py",
           "return list(by_id.values())", "return sum(newest_first, [])",
           _holds("fold_between_any_two_reads")),
    Mutant("a fold after a cut-off one knows what is stored", "store/fold.py",
           "set() if is_fresh else _ids_since(root, min(cut_off, default=None))", "set()",
           _holds("fold_survives_crashes")),
    Mutant("… since the oldest that was cut off", "store/fold.py",
           "min(oldest_ms, newest)", "newest",
           _holds("fold_survives_crashes")),
    Mutant("rotated journals go last", "store/fold.py",
           "for group in (spools, sorted(journals, reverse=True)):", "for group in (journals, spools):",
           _holds("fold_survives_crashes")),
    Mutant("sources go after the segments are there", "store/fold.py",
           "    batch.take(sources)\n    _remove(sources)",
           "    held = [(path, path.read_bytes()) for path in sources]\n    _remove(sources)\n"
           "    for path, data in held:\n        path.write_bytes(data)\n"
           "    batch.take(sources)\n    [path.unlink() for path in sources]",
           _holds("fold_survives_crashes")),
    Mutant("names of segments only grow", "store/fold.py",
           "ms = max(clock.now_ms(), segments.fold_ms(newest) + 1, max(cut_off, default=0) + 1)",
           "ms = clock.now_ms()",
           "store/test_fold.py::test_segment_names_grow_when_the_clock_goes_back"),
    Mutant("a journal that is a link is left alone", "wire/regular.py",
           "flags | _SAFE | (0 if follows else posix.O_NOFOLLOW)", "flags | _SAFE",
           "store/test_fold.py::test_a_journal_that_is_a_link_is_left_alone"),
    Mutant("what is no event is set aside", "store/segments.py",
           "return value if is_event else None", "return value",
           "store/test_fold.py::test_foreign_lines_are_counted_and_kept_byte_for_byte"),
    Mutant("the quarantine keeps the same bytes once", "store/quarantine.py",
           "hashlib.sha256(data).hexdigest()", 'hashlib.sha256(__import__("os").urandom(9)).hexdigest()',
           _holds("fold_survives_crashes")),
    Mutant("only ingested segments are pruned", "store/segments.py",
           "and name_ <= cursor and youngest", "and youngest",
           "store/test_fold.py::test_old_ingested_segments_can_be_pruned_but_the_newest"),
    Mutant("a file is replaced, not written over", "store/files.py",
           "    write(temporary, pieces)\n    temporary.replace(path)\n    if sync:",
           '    data = b"".join(pieces)\n    write(path, [data[: len(data) // 2]])\n'
           "    write(path, [data])\n    if sync:",
           _holds("ingest_survives_crashes")),
    Mutant("content is synced before it gets its name", "store/files.py",
           "file.flush()\n        os.fsync(file.fileno())", "file.flush()",
           _holds("down_to_the_disk_in_order")),
    Mutant("names are synced", "store/files.py",
           "    try:\n        os.fsync(fd)\n", "    try:\n        pass\n",
           _holds("down_to_the_disk_in_order")),
    Mutant("files are private whatever the umask", "wire/paths.py",
           "DIRECTORY_MODE = 0o700", "DIRECTORY_MODE = 0o755",
           _holds("files_are_private")),
    Mutant("locks hold others off", "store/locks.py",
           "is_held = try_lock(fd, wait_s=min(wait_s, PATIENCE_S), kind=kind)",
           "is_held = True",
           _holds("only_one_writer")),
    Mutant("how far ingest is, is written after what it took in", "store/transaction.py",
           "        changed = [table for",
           "        self.history.write(self._position)\n        changed = [table for",
           _holds("ingest_survives_crashes")),
    Mutant("what is decided ahead of unread events is taken back for them", "ingest/lesson_decisions.py",
           "            self._lessons().decide(self._ahead, taken_in)", "            pass",
           "ingest/test_decided.py::test_any_order_of_ingest_and_verdicts_makes_the_same_documents"),
    Mutant("what is still ahead is put on top again", "ingest/lesson_decisions.py",
           "        for decision in self._ahead:\n", "        for decision in ():\n",
           "ingest/test_decided.py::test_a_verdict_stays_in_effect_while_earlier_events_are_read"),
    Mutant("a verdict that was cut off is made up for by the next", "ingest/decided.py",
           "                decisions.resume(event[\"id\"])", "                pass",
           "faults/test_crash_points.py::test_a_verdict_that_dies_at_every_step"),
    Mutant("a call that nobody has read yet claims a verdict", "ingest/decided.py",
           "list(agent_calls.note(calls, event, root))", "pass",
           "ingest/test_decided.py::test_a_verdict_within_a_call_that_nobody_has_read_yet_has_no_effect"),
    Mutant("each file knows the last segment it took in", "store/transaction.py",
           '"cursor": self.cursor,', '"cursor": self.cursor if self.name == "state" else "",',
           _holds("ingest_survives_crashes")),
    Mutant("a damaged file is set aside", "store/repair.py",
           'quarantine.keep(root, f"store/{name}.json", data, REBUILT if good is None else RESTORED)', "pass",
           "store/test_repair.py"),
    Mutant("after a repair ingest starts over", "store/repair.py",
           'tinydb_file.path(root, "state").unlink(missing_ok=True)', "pass",
           "store/test_repair.py::test_the_next_ingest_starts_over"),
    Mutant("a file that has a segment keeps still", "store/transaction.py",
           "if self.peek(doc_id) != document and not self.is_ahead:", "if self.peek(doc_id) != document:",
           "ingest/test_ingest.py::test_cut_off_at_any_write_and_run_again_the_result_is_the_same"),
    Mutant("ingest is as far as its database", "store/store.py",
           'position(connection) if connection and head.get("cursor") else Position()',
           "Position(tinydb_file.cursor(self.root))",
           "store/test_former.py::test_a_database_that_is_gone_is_made_again_from_events"),
    Mutant("no database is replaced while it is open", "store/history.py",
           "kind=fcntl.LOCK_SH)", "kind=fcntl.LOCK_UN)",
           "ingest/test_analyze.py::test_a_reader_keeps_the_old_database_until_the_new_one_is_in_place"),
    Mutant("a newer store is refused", "store/tinydb_file.py",
           "version > VERSION:", "False:",
           "store/test_migrations.py::test_a_newer_store_is_refused_and_left_alone"),
    Mutant("copies of lessons are kept", "store/transaction.py",
           "repair.save(self.root, table.name, table.content)", "pass",
           "store/test_transaction.py::test_copies_of_lessons_and_decisions_are_kept_hour_by_hour"),
    Mutant("the header of the index is checked", "wire/index.py",
           "if checksum(data) != int(first[14:22], 16):", "if False:",
           "faults/test_guards.py::test_an_index_with_a_damaged_header_is_none"),
    Mutant("a segment of the index is checked", "wire/index.py",
           "if checksum(data[CHECKSUM:]) != int(data[:CHECKSUM], 16):", "if False:",
           "recall/test_index.py::test_damage_anywhere_never_recalls_anything_wrong"),
    Mutant("what a hook cannot read leaves a note", "hooks/learnloop_hooks/record.py",
           "    except (ValueError, RecursionError) as error:\n        firing.records.clear()",
           "    except KeyError as error:\n        firing.records.clear()",
           "hooks/test_bad_input.py::test_refused_input_leaves_one_hook_error"),
)  # fmt: skip
