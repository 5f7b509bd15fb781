"""Checks from any model, without a call: `python -m scripts.check_answers requests|answers FILE`.

`requests` prints what a model would be asked about lines {"lesson": …}; `answers` reads such lines, each with
an `answer`, and prints the checks that hold, each with the request that comes next.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from learnloop.errors import Unreadable
from learnloop.learn.facts import answers, requests
from learnloop.learn.facts.requests import Examples
from learnloop.service.facts import check_proposals

Doc = dict[str, Any]


def asked(lines: Iterable[str]) -> Iterator[Doc]:
    """What would be asked of lessons, a JSON object a line with `lesson`: {id, about, stage, system, …}."""
    for about in _objects(lines):
        name = str(about.pop("id", about.get("lesson", "")))
        for request in (requests.for_check(about), requests.for_acts(about)):
            yield {"id": name, "about": about, **request._asdict()}


def of_answers(lines: Iterable[str]) -> Iterator[Doc]:
    """What becomes of answered requests, in the order in which they were asked: {id, check}, and what is to
    be asked next."""
    by_id: dict[str, list[Doc]] = {}
    for line in _objects(lines):
        by_id.setdefault(str(line["id"]), []).append(line)
    for name, lines_of in by_id.items():
        given = [(line["stage"], dict(answers.parse(line["answer"]).given)) for line in lines_of]
        tried = [each for stage, each in given if stage == "check"]
        seen = [check_proposals.read(Examples, each) for stage, each in given if stage == "acts"]
        following = check_proposals.next_request(lines_of[0]["about"], tried, seen)
        again = {"about": lines_of[0]["about"], **following._asdict()} if following else {}
        check = [rule.as_json() for rule in check_proposals.best(tried, seen)]
        yield {"id": name, "check": check, **again}


def _objects(lines: Iterable[str]) -> list[Doc]:
    try:
        return [dict(json.loads(line)) for line in lines if line.strip()]
    except (ValueError, TypeError):
        raise Unreadable("a line is no JSON object", "give lessons, or lines of --requests") from None


def main() -> int:
    """Print a line for each request, or each lesson."""
    way, name = sys.argv[1:3]
    lines = Path(name).read_text("utf-8").split("\n")
    for line in of_answers(lines) if way == "answers" else asked(lines):
        print(json.dumps(line))
    return 0


if __name__ == "__main__":
    sys.exit(main())
