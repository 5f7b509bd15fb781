"""CRITICAL lessons are read where they changed, not at every turn that ends."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from scripts.perf import big_stores

from learnloop.ingest import recalls
from learnloop.ingest.run import ingest


def test_an_ingest_with_new_lessons_reads_critical_ones_once(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    real = recalls.critical

    def counted(lessons: Mapping[str, Any]) -> dict[str, Any]:
        reads.append(len(lessons))
        return real(lessons)

    monkeypatch.setattr(recalls, "critical", counted)
    Path(root).mkdir()
    big_stores.write(Path(root), big_stores.lessons(10, "/p"))
    big_stores.write(Path(root), big_stores.events(400, "/p", days=0))
    ingest(root)
    assert len(reads) <= 2
