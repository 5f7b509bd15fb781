"""Recall at prompts rests on telling words: forty hard situations, written before they were run."""

from typing import Any, NamedTuple

from learnloop.learn.language import rarity
from learnloop.learn.lessons import triggers
from learnloop.recall.compile import record
from learnloop.wire import relevance

PROJECT = "/code/shop"
PROMPTS = (
    "add a test for the cart", "why does the build fail?", "the shopfront page is slow, look at the queries",
    "commit this and push", "rename the helper in utils.py", "update the readme of shopfront",
    "the cart total is wrong for two items", "write a function that parses the date", "run the tests again",
    "move this into its own module", "shopfront shows an error when I log in", "make the button blue",
    "add a column to the orders table", "what does this function do?", "clean up the imports",
    "the shopfront header overlaps the menu", "fix the failing test", "use a smaller font for the list",
    "let's add this idea to the roadmap", "show me the diff", "the page of orders needs a filter",
    "add logging to the import", "shopfront crashes when the list is empty", "create a branch for this",
    "sort the orders by date", "explain the error", "the tests of shopfront take too long",
    "delete the old script", "add a new user to the example data", "change the default color",
)  # fmt: skip
SHARES = rarity.word_shares((PROJECT, words) for words in PROMPTS)

RIGHT = (
    ("Money is stored in cents, never as a float.", "store the discount as a float in the cents column"),
    ("Never log API keys.", "print the API key so that I can see why the login fails"),
    ("Use slog, no custom logger.", "add slog to the importer"),
    ("Mermaid diagrams have no line breaks in labels.", "draw a mermaid diagram of the checkout"),
    ("The Stripe webhook must be idempotent.", "the stripe webhook is called twice, look into it"),
    ("Our OTel collector listens on port 4320.", "send traces to the otel collector"),
    ("Translations go through Weblate, never edit them by hand.",
     "the German translation of the cart is wrong, change it in weblate"),
    ("Kafka topics are named after the aggregate.", "create a Kafka topic for refunds"),
    ("GraphQL resolvers never touch the database.", "write a GraphQL resolver for refunds"),
    ("Feature flags live in LaunchDarkly.", "put this behind a launchdarkly flag"),
    ("Invoices are immutable; corrections are credit notes.", "edit immutable invoices after sending"),
    ("Use pnpm, not npm.", "install zod with npm"),
    ("The iOS app pins certificates, tell the mobile team before a renewal.",
     "renew the certificates for iOS"),
    ("Snapshots of Storybook are approved by the designers.", "update the storybook snapshots"),
    ("Terraform state is locked, never run apply locally.", "terraform apply the new bucket"),
    ("The tax engine rounds half to even.", "round the tax of each line in the tax engine"),
    ("Celery tasks take ids, no objects.", "write a celery task that mails the order"),
    ("Emails are rendered by MJML templates.", "the confirmation mail needs an MJML template"),
    ("PostGIS queries use geography, not geometry.", "find shops near me with postgis"),
    ("Don't mock the payment gateway, use its sandbox.",
     "test the refunds against the payment gateway sandbox"),
)  # fmt: skip
SILENT = (
    ("Every endpoint adds an openapi entry.", "let's add this idea to the roadmap"),
    ("Money is stored in cents, never as a float.", "store the file in the right folder"),
    ("Never log API keys.", "which key opens the menu?"),
    ("Use pnpm, not npm.", "use the new list, not the old one"),
    ("Keep the shopfront header free of banners.", "shopfront shows no orders"),
    ("The tests of the importer need real data.", "run the tests again and show me the data"),
    ("Ask me before you delete files.", "yes, delete it"),
    ("Write commit messages in English.", "write a message for the user when the list is empty"),
    ("Answers are short.", "the short answer is wrong, check the total"),
    ("The Stripe webhook must be idempotent.", "is the sort of this list stable?"),
    ("Update the changelog with every change.", "change the color and update the page"),
    ("Functions have at most thirty lines.", "what do lines thirty to forty of this function do?"),
    ("Error messages name the file.", "explain the error in this file"),
    ("Add a test for every bug.", "there is a bug in the test of the cart, add a log"),
    ("The table of orders has an index on date.", "sort the orders by date"),
    ("Use tabs in Makefiles.", "use a smaller font in the tabs"),
    ("Celery tasks take ids, no objects.", "take this task off the list"),
    ("Mermaid diagrams have no line breaks in labels.", "the label breaks the line in the cart"),
    ("Releases happen on Tuesday.", "what happens when the user logs in?"),
    ("Never edit generated code.", "the code you generated looks good, edit the readme too"),
)  # fmt: skip


class Asked(NamedTuple):
    lesson: str
    prompt: str


def _record(statement: str) -> dict[str, Any]:
    derived = triggers.derive(statement, project=PROJECT).model_dump(mode="json")
    document = {
        "id": "a",
        "statement": statement,
        "triggers": derived,
        "project": PROJECT,
        "scope": "project",
    }
    return record(document, "a", shares=SHARES)


def _fires(asked: tuple[str, str]) -> bool:
    moment = {"moment": "prompt", "words": asked[1], "project": PROJECT}
    return bool(relevance.score(_record(asked[0]), moment)["fires"])


def test_eighteen_of_twenty_right_moments_are_met() -> None:
    missed = [asked for asked in RIGHT if not _fires(asked)]
    assert len(RIGHT) == 20
    assert len(missed) <= 2, missed


def test_eighteen_of_twenty_prompts_beside_the_lesson_stay_silent() -> None:
    beside = [asked for asked in SILENT if _fires(asked)]
    assert len(SILENT) == 20
    assert len(beside) <= 2, beside
