"""The mutation list of a team's space: each guard of what all its machines have to agree on."""

from tests.faults.mutants import Mutant

_SIMULATED = "service/transfer/test_team_simulation.py"
_TEAM = "service/transfer/test_team.py::test_{}"
_COUNTS = "service/transfer/test_team_counts.py::test_{}"
_EXCHANGE, _SCHEMA = "service/transfer/space.py", "service/transfer/schema.sql"

TEAM_MUTANTS = (
    Mutant("what was sent is noted after it was sent", _EXCHANGE,
           "        present = _sent(ws.root, db, present, _push, [record for record, _ in batch])\n",
           "        said = present.said | {record['tid']: says for record, says in batch if says}\n"
           "        team.save(ws.root, present.with_(seq=present.seq + len(batch), said=said))\n"
           "        present = _sent(ws.root, db, present, _push, [record for record, _ in batch])\n",
           _TEAM.format("an_exchange_that_dies_at_any_step_is_finished_by_the_next")),
    Mutant("one at a time numbers records", _SCHEMA,
           "  update space set head = head + 1, "
           "chain = left(encode(sha256(convert_to(chain || p_id, 'UTF8')), 'hex'), 32)\n"
           "  where id = p_space returning * into s;\n"
           "  insert into record values (p_space, s.head, p_id, p_device, p_seq, s.chain);\n  return s.head;",
           "  select * into s from space where id = p_space;\n  s.head := s.head + 1;\n"
           "  s.chain := left(encode(sha256(convert_to(s.chain || p_id, 'UTF8')), 'hex'), 32);\n"
           "  insert into record values (p_space, s.head, p_id, p_device, p_seq, s.chain);\n"
           "  update space set head = s.head, chain = s.chain where id = p_space;\n  return s.head;",
           _SIMULATED, ("(select m.space from mine() m) for update", "(select m.space from mine() m)")),
    Mutant("the last one to arrive does not win", _SCHEMA,
           "order by s.member, array_position(array['reject', 'archive', 'none', 'approve'], s.says), s.v",
           "order by s.member, s.n desc",
           "service/transfer/test_merge.py"),
    Mutant("the cursor is not ahead of the rows", _EXCHANGE,
           "        return _checked(again.fetchone()), is_whole,",
           "        __import__('time').sleep(0.05)\n        again = db.execute(asked)\n"
           "        return _checked(again.fetchone()), is_whole,",
           _SIMULATED),
    Mutant("a number of a device names one record", _SCHEMA,
           "elsif not exists (select from record where space = p_space and device = p_device and seq = at "
           "and id = rid) then",
           "elsif false then",
           _TEAM.format("a_copy_of_a_home_goes_on_as_a_device_of_its_own")),
    Mutant("the chain shows a database that was put back", _EXCHANGE,
           'is_whole = present.cursor > 0 and head["before"] != present.chain', "is_whole = False",
           _TEAM.format("a_database_that_was_put_back_and_written_to_is_told_everything_again")),
    Mutant("of two counts of a device the greater one stays", _SCHEMA,
           "      where excluded.counts > t.counts\n", "",
           _COUNTS.format("a_backup_of_a_home_that_is_put_back_counts_nothing_twice")),
    Mutant("what copies of a home told is not told again", _SCHEMA,
           "less(counts, before) from copies", "counts from copies",
           _COUNTS.format("a_copy_of_a_home_counts_what_it_sees_itself")),
    Mutant("whoever goes on under a closed device follows it", _SCHEMA,
           "if dev.closed then", "if false then",
           _COUNTS.format("what_a_home_and_its_copy_both_read_late_is_counted_once")),
    Mutant("below three people there is no sum", _SCHEMA,
           "    group by tid having count(distinct member) >= 3\n", "    group by tid\n",
           _COUNTS.format("sums_are_shown_from_three_people_on")),
    Mutant("machines of one person are one person", _SCHEMA,
           "having count(distinct member) >= 3", "having count(*) >= 3",
           _COUNTS.format("a_machine_of_ones_own_is_not_another_person"),
           ("count(distinct member) as people", "count(*) as people")),
)  # fmt: skip
