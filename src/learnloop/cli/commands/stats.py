"""`learn stats`: count lessons."""

from learnloop.cli import lesson_table, options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import outcome_words, query

    statistics = query.statistics(ws)
    if args.json:
        output.as_json(statistics.as_json())
        return
    if not statistics.total:
        output.note("There are no lessons yet: correct your agent where it goes wrong, then run learn ingest")
        return
    output.fields(
        [
            ("lessons", statistics.total),
            ("by status", _counts(statistics.by_status)),
            ("by kind", _counts(statistics.by_kind)),
            ("by category", _counts(statistics.by_category)),
            ("active by priority", _counts(statistics.by_priority)),
        ]
    )
    if statistics.most_used:
        output.line("\nMost used")
        columns = [Column("ID", style="cyan"), Column("OUTCOME", wide=True), Column("SAYS", wide=True)]
        rows = [
            [lesson_table.short(ws, used.id), outcome_words.story(used.as_json()), used.statement]
            for used in statistics.most_used
        ]
        output.table(columns, rows)
    share = query.critical_share(ws)
    if share:
        output.note(
            f"{share[0]} of {share[1]} active lessons are CRITICAL, so none of them is special any more."
        )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
