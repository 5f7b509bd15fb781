"""docs/filter.md: the language of the filter line, and what can be asked in each pane."""

from learnloop.service.lessons.filters import FilterField
from learnloop.service.memory import memory_list
from learnloop.service.tasks import task_list
from learnloop_tui.view import filter_fields

_PAGE = """\
# The filter line

`/` opens it over a list of the console; `learn lessons` and `learn lessons --drafts` take the same line
with `--filter`. Every part has to fit:

| part | meaning |
|---|---|
| `words` | each of them is in the row, in capitals or not |
| `"two words"` | exactly as written |
| `field:value` | the field has it; a comma means either: `kind:pattern,fact` |
| `field:>3` | with numbers and ranks: `>` `>=` `<` `<=` `=` |
| `created:<7d` | younger than 7 days (`h` `d` `w`, `m` for 30 days); `created:>2026-01-31`: after that day |
| `-part` | rows that do not fit the part |

A value may be cut short: `status:dr` finds drafts. A value that a field does not know is left out, and so
is a mistyped field: a typo hides nothing. Text without a field is searched for. The line below
reports all of it. The command line refuses it instead. At most 1,000 characters and 32 parts are read.

While you type, the line below shows the fields that fit, then the values that occur, the most frequent first.
`tab` takes the first. `?` in an empty line, or `f1`, explains the fields. `enter` keeps the filter, `esc`
drops it.
"""
_SECTIONS = (
    ("1 Inbox, 2 Lessons, and the command line", filter_fields.LESSONS),
    ("2 Lessons: testing", filter_fields.EXPERIMENTS),
    ("2 Lessons: yours", filter_fields.BELIEFS),
    ("3 Sessions: live", filter_fields.SESSIONS),
    ("3 Sessions: work, and `learn sessions --tasks`", task_list.FIELDS),
    ("3 Sessions: memories, and `learn prime --memories`", memory_list.FIELDS),
    ("3 Sessions: days", filter_fields.DAYS),
    ("4 Agents", filter_fields.AGENTS),
    ("5 Files", filter_fields.PATCHES),
)


def page() -> str:
    """docs/filter.md: the language, and the fields of each pane and of `learn sessions --tasks`."""
    lines = [_PAGE]
    for heading, fields in _SECTIONS:
        lines += [f"## {heading}", "", "| field | what it asks | knows | as in |", "|---|---|---|---|"]
        lines += [_entry(field) for field in fields] + [""]
    return "\n".join(lines)


def _entry(field: FilterField) -> str:
    knows = ", ".join(f"`{value}`" for value in field.values)
    return f"| `{field.name}:` | {field.help} | {knows} | `{field.example}` |"
