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
    from learnloop.learn.lessons import origins
    from learnloop.service.facts import listing
    from learnloop.service.lessons import corrections, lesson_hosts, overlaps
    from learnloop.service.recall import at_start, cost
    from learnloop.service.review import validation

    figures = {
        "cost": cost.words_for(ws, lesson) if lesson.status == "draft" or lesson.path else "",
        "told": cost.of_tellings(lesson),
        "corrected in": lesson_hosts.corrected_in(ws, lesson),
        "told in": lesson_hosts.told_in(ws, lesson),
        "changed": corrections.story(ws, lesson.id),
        "at start": at_start.at_start(ws.root, lesson.project).place_of(lesson.id),
    }
    with paging.paged():
        against = overlaps.contradiction_of(ws, lesson)
        reads = validation.recall_text(ws, lesson)
        lesson_detail.show(ws, lesson, reads, against.other if against else None, figures)
        if lesson.source == origins.SYNTHESIS and (read := listing.story(ws, lesson.id)):
            output.line("\nA model read it")
            output.fields(read, indent="  ")
