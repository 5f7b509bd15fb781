"""A transcript as a client writes it."""

import json
from pathlib import Path
from typing import Any

Doc = dict[str, Any]


class Transcript:
    """A transcript as a client writes it, a line a second."""

    def __init__(self, session: str = "s1", cwd: str = "/code/shop") -> None:
        self.session, self.cwd, self.calls = session, cwd, 0
        self.lines: list[Doc] = []

    def add(self, kind: str, **fields: Any) -> "Transcript":
        number = len(self.lines)
        line = {
            "type": kind, "sessionId": self.session, "cwd": self.cwd, "uuid": f"u{number}",
            "isSidechain": False,
            "timestamp": f"2026-01-31T09:{number // 60:02d}:{number % 60:02d}.000Z", "gitBranch": "main",
            **fields,
        }  # fmt: skip
        self.lines.append(line)
        return self

    def prompt(self, words: Any, **fields: Any) -> "Transcript":
        return self.add("user", message={"role": "user", "content": words}, **fields)

    def says(self, words: str, **fields: Any) -> "Transcript":
        return self.add("assistant", message={"content": [{"type": "text", "text": words}]}, **fields)

    def calls_tool(
        self, name: str, given: Doc, result: Any = "ok", *, is_error: bool = False, **fields: Any
    ) -> "Transcript":
        self.calls += 1
        use = f"t{self.calls}"
        self.add(
            "assistant",
            message={"content": [{"type": "tool_use", "id": use, "name": name, "input": given}]},
            **fields,
        )
        part = {"type": "tool_result", "tool_use_id": use, "content": result, "is_error": is_error}
        return self.add("user", message={"role": "user", "content": [part]}, **fields)

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.session}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines), "utf-8")
        return path
