"""`learn unmute`: bring a muted rule's drafts back."""

from learnloop.cli import options, output
from learnloop.cli.commands import Namespace, Workspace

add_options = options.add_rule


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import rule_muting

    decision = rule_muting.unmute(ws, args.rule)
    output.line(f"{decision.args['rule']!r} drafts again. learn undo takes it back.")
