"""A process that appends events until it is killed, saying each id once it is acknowledged."""

import os
import sys

from learnloop.wire import event, journal


def main(root: str, count: int, largest: int = 9000) -> None:
    for number in range(count):
        record = event.record(
            "prompt", host="claude", session_id=str(os.getpid()), cwd="/p", project="/p",
            payload={"prompt": f"{number} " + "x" * (number * 37 % largest)},
        )  # fmt: skip
        if journal.append(root, [record]):
            os.write(1, f"{record['id']}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
