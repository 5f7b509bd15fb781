"""An exchange with a team's space that dies at a step of our choosing, and with others between two."""

import json
import os
import random
import signal
import time
from collections.abc import Callable
from typing import Any

import psycopg

from learnloop.store import files

KILLED = -signal.SIGKILL
_LONGEST_S = 0.002
Records = list[dict[str, Any]]


class Steps:
    """Counts statements and written files, before and after each, and kills the process at one of them."""

    def __init__(self, number: int = 0, slow: random.Random | None = None) -> None:
        self.number, self.slow, self.count = number, slow, 0
        self.sent: Records = []
        self.note: Callable[[Records], None] = lambda _: None
        """Is told of records once the database has them for good."""

    def take_over(self) -> None:
        """From now on every step of this process counts."""
        for owner, name in ((psycopg.Connection, "execute"), (files, "replace")):
            setattr(owner, name, self._around(getattr(owner, name)))

    def _around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            if self.sent:  # what comes next comes after the commit
                self.note(self.sent)
                self.sent = []
            self._step()
            result = call(*args, **kwargs)
            if "learnloop.push(" in str(args[1]):
                self.sent = json.loads(args[2][3])
            self._step()
            return result

        return counted

    def _step(self) -> None:
        self.count += 1
        if self.slow:
            time.sleep(self.slow.random() * _LONGEST_S)
        if self.count == self.number:
            os.kill(os.getpid(), signal.SIGKILL)
