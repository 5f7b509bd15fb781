"""`learn mute`: fold a rule's drafts away."""

from learnloop.cli import options, output
from learnloop.cli.commands import Namespace, Workspace

add_options = options.add_rule


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import rule_muting

    decision = rule_muting.mute(ws, args.rule)
    output.line(f"Muted {decision.args['rule']!r}: its drafts are folded away. learn undo takes it back.")
