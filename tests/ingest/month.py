"""A month of work, made up: what four agents did in three projects, and, counted by hand, how it went over.

Every session goes through the same door as a hook's payload (`wire.payloads`), the journal and ingest.
The marks of a scene are those of `demo.stage`: `>` prompt, `w` wrote, `e` edited, `$` ran, `x` failed,
`!` refused, `@` subagent starts, `-` ends, `t` the agent's own list (done/all), `.` claim, `~` cut off,
`#` the client left.
"""

from typing import NamedTuple

from learnloop.demo import stage
from learnloop.ingest.run import ingest
from learnloop.wire import journal

NOW_MS = 1_766_102_400_000
"""Friday 2025-12-19, 00:00 UTC; the sessions lie in the 30 days before."""


class Told(NamedTuple):
    """Sessions, and who had how many successes, revisions, cancellations in them."""

    scene: str
    outcomes: dict[str, tuple[int, int, int]]


MONTH: tuple[Told, ...] = (
    # Week 1: shop (Nov 19 to 23)
    Told(
        """== shop 29 15
> write tests for the cart totals
@ test-writer
w tests/test_cart.py
$ pytest tests/test_cart.py
- The cart tests pass.
. Wrote the cart tests.
> perfect, that's exactly what I wanted
. Glad to hear it.
# bye""",
        {"test-writer": (1, 0, 0)},
    ),
    Told(
        """== shop 28 14
> add a discount column to the orders table
e src/orders.py
. Added the column.
> no, that's wrong, the discount belongs in the invoice table
e src/invoices.py
. Moved it.
> looks good
. Thanks.
# bye""",
        {"main": (1, 1, 0)},
    ),
    Told(
        """== shop 27 13
> write tests for the coupon parser
@ test-writer
w tests/test_coupons.py
- Done.
. Wrote them.
> that's not what I asked for, use pytest fixtures instead of setUp
@ test-writer
e tests/test_coupons.py
- Fixtures now.
. Uses fixtures.
> great job
. Thank you.
# bye""",
        {"test-writer": (1, 1, 0)},
    ),
    Told(
        """== shop 27 9
> document the checkout endpoints
@ docs-writer
w docs/checkout.md
- Documented.
. The endpoints are documented.
> now upgrade the postgres driver everywhere
$ pip install psycopg
. Upgraded.
# bye""",
        {"docs-writer": (1, 0, 0)},
    ),
    Told(
        """== shop 26 10
> migrate the session storage to redis
t 1/4
e src/sessions.py
. Migrated the reader, three steps are left.
# bye""",
        {"main": (0, 0, 1)},
    ),
    # Week 2: shop and api (Nov 24 to 30)
    Told(
        """== api 24 15
> extract the retry logic into a helper
@ refactorer
e src/client.py
w src/retry.py
- Extracted.
. The helper is there.
> you broke the timeout handling
@ refactorer
e src/retry.py
- Repaired.
. Timeouts work again.
> perfect
. Good.
# bye""",
        {"refactorer": (1, 1, 0)},
    ),
    Told(
        """== api 23 15
> rename the user model fields
@ refactorer
e src/models.py
- Renamed.
. Renamed all fields.
> nice work
. Thanks.
# bye""",
        {"refactorer": (1, 0, 0)},
    ),
    Told(
        """== api 23 10
> clean up the build folder
! Bash rm -rf build
# bye""",
        {"main": (0, 0, 1)},
    ),
    Told(
        """== shop 22 14
> write tests for refunds
@ test-writer
w tests/test_refunds.py
- Written.
. The refund tests are there.
> amazing
. Thanks.
# bye""",
        {"test-writer": (1, 0, 0)},
    ),
    Told(
        """== shop 21 14
> document the refund flow
@ docs-writer
w docs/refunds.md
- Written.
. Documented.
> this is wrong, refunds take five days
@ docs-writer
e docs/refunds.md
- Five days.
. Corrected.
> well done
. Thanks.
# bye""",
        {"docs-writer": (1, 1, 0)},
    ),
    Told(
        """== api 20 12
> always run the linter before you commit
. Understood.
# bye""",
        {},
    ),
    # Week 3: api and site (Dec 1 to 7)
    Told(
        """== site 17 15
> build a landing page with a hero image
w src/index.html
. Built it.
> excellent
. Thanks.
> profile the slow database queries
$ explain analyze
~
# bye""",
        {"main": (1, 0, 1)},
    ),
    Told(
        """== api 17 9
> split the router module
@ refactorer
e src/router.py
- Split.
. Split in two.
> that's not right, you forgot the websocket routes
@ refactorer
e src/router.py
- Added.
. All routes are there.
# bye""",
        {"refactorer": (0, 1, 0)},
    ),
    Told(
        """== api 16 15
> write tests for the router
@ test-writer
w tests/test_router.py
- Written.
. Done.
> love it
. Thanks.
# bye""",
        {"test-writer": (1, 0, 0)},
    ),
    Told(
        """== site 15 15
> explain the deploy pipeline to me
. It builds, then uploads.
# bye""",
        {},
    ),
    Told(
        """== site 15 8
> write the changelog for version two
@ docs-writer
w CHANGELOG.md
- Written.
. The changelog is there.
> awesome
. Thanks.
# bye""",
        {"docs-writer": (1, 0, 0)},
    ),
    Told(
        """== site 14 15
> make the footer sticky
e src/footer.css
. It sticks.
> I said sticky only on phones, not everywhere
e src/footer.css
. Phones only.
> perfect
. Good.
# bye""",
        {"main": (1, 1, 0)},
    ),
    # Week 4: all (Dec 8 to 18)
    Told(
        """== shop 10 15
> write tests for shipping costs
@ test-writer
w tests/test_shipping.py
- Written.
. Done.
> no, that's not what I meant, test the weight limits
@ test-writer
e tests/test_shipping.py
- Done.
. Tests the limits.
# bye""",
        {"test-writer": (0, 1, 0)},
    ),
    Told(
        """== api 9 15
> move the config into environment variables
@ refactorer
e src/config.py
t 2/3
- Moved two of three.
. Moved two, the third is open.
# bye""",
        {"refactorer": (0, 0, 1)},
    ),
    Told(
        """== api 8 15
> inline the legacy adapters
@ refactorer
e src/adapters.py
- Inlined.
. Inlined them.
> that looks great
. Thanks.
# bye""",
        {"refactorer": (1, 0, 0)},
    ),
    Told(
        """== site 7 15
> translate the pricing page into german
e src/pricing.html
. Translated.
> configure nightly backups for postgres
w ops/backup.sh
. Configured.
> beautiful
. Thanks.
# bye""",
        {"main": (2, 0, 0)},
    ),
    Told(
        """== site 6 15
> document the backup schedule
@ docs-writer
w docs/backup.md
- Written.
. Documented.
> excellent
. Thanks.
# bye""",
        {"docs-writer": (1, 0, 0)},
    ),
    Told(
        """== shop 3 15
> speed up the product search
e src/search.py
x pytest | Exit code 1
. Faster, one test fails.
> that doesn't work
e src/search.py
$ pytest
. All tests pass now.
> works great
. Good.
# bye""",
        {"main": (1, 1, 0)},
    ),
    Told(
        """== shop 2 15
> write tests for the product search
@ test-writer
w tests/test_search.py
- Written.
. Done.
> lgtm
. Thanks.
# bye""",
        {"test-writer": (1, 0, 0)},
    ),
)

EXPECTED: dict[str, tuple[int, int, int]] = {
    "main": (6, 3, 3),
    "test-writer": (5, 2, 0),
    "refactorer": (3, 2, 1),
    "docs-writer": (4, 1, 0),
}
"""Successes, revisions and cancellations of the whole month, summed by hand."""


def play(root: str, *, per_ingest: int = 1) -> None:
    """Record the month under a root, ingesting after so many sessions."""
    for number, day in enumerate(MONTH, 1):
        for records in stage.play(day.scene, NOW_MS):
            assert journal.append(root, records)
        if number % per_ingest == 0:
            ingest(root, wait_s=10)
    ingest(root, wait_s=10)
