"""`learn show`: print one lesson with its evidence."""

from learnloop.cli import options, output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    options.add_id(parser)
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import lookup

    lesson = lookup.find(ws, args.id)
    if args.json:
        output.as_json(lesson.as_json())
        return
    from learnloop.cli import lesson_detail, paging
    from learnloop.service.lessons import corrections, overlaps
    from learnloop.service.recall import cost
    from learnloop.service.review import validation

    with paging.paged():
        against = overlaps.contradiction_of(ws, lesson)
        costs = cost.words_for(ws, lesson) if lesson.status == "draft" else ""
        other = against.other if against else None
        story = corrections.story(ws, lesson.id)
        told, reads = cost.of_tellings(lesson), validation.recall_text(ws, lesson)
        lesson_detail.show(lesson, reads, other, costs, told, story)
