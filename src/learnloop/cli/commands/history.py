"""`learn history`: list the verdicts that were given."""

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_limit(parser, 50)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.history import sentences

    columns = [Column("TIME"), Column("BY"), Column("FROM"), Column("DID", wide=True)]
    output.listing(
        sentences.history(ws, args.limit), columns,
        lambda entry: [
            output.local(entry["ts"]), entry["door"], sentences.origin(entry),
            f"{entry['sentence']}{sentences.remark(entry)}",
        ],
        json=args.json, empty="No verdicts were given yet",
    )  # fmt: skip
