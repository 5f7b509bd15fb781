"""The snippet that tells agents how to hand over what they find out, as a patch. Pure."""

from learnloop.models.patch import Patch
from learnloop.patch.propose import MAIN, proposed

SNIPPET = """\
### Hand over what you find out

What will matter again in a later session is recorded once, when it is found out; a person decides whether
it is kept, so nothing has to be asked and no verdict is given by you.

A gotcha, a workaround, a dependency, a technical insight: from the shell, in one line.

```sh
learn discover --category gotcha --summary "One sentence of 10 to 100 characters" \\
  --details "What there is to know, in 20 characters or more" --files src/example.py --confidence 0.8
```

Categories: technical_insight, workaround, pattern, gotcha, performance, dependency, configuration. A secret
has no place in it. `--scope global` is for what holds in every project, `--expires` for what will pass.

A way of working that the person taught you (steps that belong together, something that must hold): as a
block at the end of your last message, outside of any code fence.

```text
[PROCESS_KNOWLEDGE]
type: checklist
label: One sentence that says what is done
priority: MEDIUM
checklist:
  items:
    - The first step
    - The second step
trigger_conditions:
  tool_names: [Edit, Write]
  file_patterns: ["**/example.json"]
[/PROCESS_KNOWLEDGE]
```

The type is checklist, pattern (situation, action), warning (risk, mitigation) or requirement (constraint)."""
"""What stands in the block; the fields are those that `learnloop.learn.offers.knowledge` reads."""


def snippet(agent: str, at: str) -> Patch:
    """The snippet for an agent's own file, or with no name for the person's instruction files."""
    return proposed(
        "teach", agent or MAIN, "agent" if agent else MAIN, SNIPPET,
        "You asked for it with learn patches --teach", 1.0, at, agent,
    )  # fmt: skip
