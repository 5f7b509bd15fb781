"""A process that rejects drafts one by one, saying each once the verdict is acknowledged."""

import os
import sys

from learnloop.service.review import verdicts
from learnloop.service.workspace import open_workspace


def main(root: str, *drafts: str) -> None:
    workspace = open_workspace(root)
    for draft in drafts:
        verdicts.reject(workspace, draft, "wrong")
        os.write(1, f"{draft}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
