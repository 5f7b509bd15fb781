"""What a person of the demo wrote out of four lessons: one of each kind that holds more than a statement."""

from typing import Any

WRITTEN: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "always do a dry run",
        {
            "kind": "checklist",
            "priority": "CRITICAL",
            "content": {
                "title": "Before a backfill",
                "items": [
                    "Dry run over one day, row counts compared",
                    "Target partitions are listed in the ticket",
                    "Alerts of the pipeline are muted until the end",
                    "A way back is written down",
                ],
                "format": "checkbox",
            },
        },
    ),
    (
        "never run terraform apply",
        {
            "kind": "warning",
            "priority": "CRITICAL",
            "content": {
                "risk": "An apply that nobody has read takes the network down from the inside",
                "severity": "critical",
                "detection": "The plan shows resources that are replaced or destroyed",
                "mitigation": "Show the plan and wait for a yes",
            },
        },
    ),
    (
        "always add a down migration",
        {
            "kind": "requirement",
            "content": {
                "constraint": "Each up migration has a down migration beside it",
                "rationale": "A release is rolled back within minutes or not at all",
                "validation": "make migrate-check",
            },
        },
    ),
    (
        "use the useQuery hook",
        {
            "kind": "pattern",
            "content": {
                "situation": "A component needs data of the server",
                "action": "Take it with useQuery, under a key that names its parameters",
                "rationale": "Loading, errors and retries look the same everywhere",
                "example": "The order list loaded twice and showed the older answer",
            },
        },
    ),
)
"""The words that the lesson came from, and the edit."""
