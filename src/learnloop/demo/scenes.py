"""The demo's dialogue: sessions of made-up developers with their agents, in a small notation.

== PROJECT DAYS HOURS      a session, so many days and hours before now
> text                     a prompt          & text   a machine's prompt (a background task reports)
e FILE   w FILE            edited, written   $ COMMAND   ran   x COMMAND | ERROR   failed
! TOOL TARGET | WORDS      a refused call with what was said
@ AGENT   - text           a subagent starts, by the one at work if there is one; ends with its report
% TOOL TARGET              a call that goes on          i TOOL TARGET   one that was stopped in the middle
? text                     the client waits for the person
. text                     the turn's end, with what the agent claims
~                          the turn was interrupted
# text                     the session ends; a scene may go on without
"""

HOME = "/home/robin/code"

EARLIER = """
== tidewater 29 2
> Add a retry to the payment client so a flaky gateway does not fail the order
e src/tidewater/payments/client.py
$ pytest tests/payments -q
. Added a retry loop with exponential backoff to the payment client. All 14 tests pass.
> no, use tenacity instead of a hand-written loop
e src/tidewater/payments/client.py
$ pytest tests/payments -q
. The client uses tenacity now, three attempts with jitter.
> Good. Now cover the timeout case with a test
w tests/payments/test_timeout.py
x pytest tests/payments -q | Exit code 1: fixture 'db' not found
e tests/payments/test_timeout.py
$ pytest tests/payments -q
. Added a test that mocks the database session and the gateway. 15 tests pass.
> never mock the database in integration tests. The postgres fixture is there for that
e tests/payments/test_timeout.py
$ pytest tests/payments -q
. The test uses the postgres fixture.
> Write the migration for the new attempts column
w migrations/0042_attempts.sql
$ make migrate
. Migration 0042 adds attempts with a default of 0.
> from now on, always add a down migration next to every up migration
w migrations/0042_attempts.down.sql
. Added the down migration.
# bye
== tidewater 27 5
> The orders endpoint is slow, find out why
$ python -m cProfile -m tidewater.bench orders
e src/tidewater/orders/api.py
. The endpoint loaded every line item lazily. It joins them now; 40 ms instead of 900 ms.
> great, thanks
. Happy to help.
> Log the slow queries
e src/tidewater/db.py
$ pytest tests -q
. Slow queries are printed with their duration.
> don't use print for logging, use structlog
e src/tidewater/db.py
. Replaced print with structlog.
> Bump the sqlalchemy version
! Bash pip install -U sqlalchemy | use uv instead of pip, the lock file has to follow
$ uv add sqlalchemy
. sqlalchemy is at the newest version, uv.lock is updated.
# bye
== lanternfish 26 3
> Build the settings page with a dark mode toggle
w src/pages/Settings.tsx
w src/pages/Settings.css
$ npm test
. Built the settings page with a toggle, styled by a plain CSS file.
> no, use CSS modules instead of plain CSS files
w src/pages/Settings.module.css
e src/pages/Settings.tsx
. Moved the styles to a CSS module.
> Fetch the profile when the page opens
e src/pages/Settings.tsx
. The profile is fetched in a useEffect on mount.
> no, use the useQuery hook instead of fetching in useEffect
e src/pages/Settings.tsx
$ npm test
. It uses useQuery now.
> Add a test for the toggle
w src/pages/Settings.test.tsx
x npx jest src/pages | Exit code 1: jest is not installed
. Wrote the test but could not run it.
> no, use vitest instead of jest
e src/pages/Settings.test.tsx
$ npx vitest run src/pages
. Rewrote it for vitest, 3 tests pass.
> always use a named export for a component
e src/pages/Settings.tsx
. Settings is a named export now.
# bye
== lanternfish 23 6
> Translate the new labels into German
e src/locales/de.json
. Added 12 German labels.
> next time keep the tone informal in German, we say du
e src/locales/de.json
. Rewrote them with du.
> Make the list of sessions faster
@ code-reviewer
- The list renders every row on each key press; memoise the row or use a virtual list.
e src/components/SessionList.tsx
. Wrapped the rows in memo.
> always use the VirtualList component for lists longer than a screen
e src/components/SessionList.tsx
$ npx vitest run
. SessionList uses VirtualList.
# bye
== saltmarsh 22 4
> Load last month's tide readings into the warehouse
w pipelines/tides/load.py
$ python -m pipelines.tides.load --month 2025-05
. Loaded 44,640 readings.
> never use select * in pipelines. Name the columns
e pipelines/tides/load.py
. The query names its columns.
> Partition the table by day
e sql/tides.sql
x psql -f sql/tides.sql | Exit code 3: column "read_on" does not exist
e sql/tides.sql
$ psql -f sql/tides.sql
. The table is partitioned by read_at.
> no, timestamps are stored in UTC here. Convert them when reading
e pipelines/tides/load.py
. Timestamps are converted to UTC on load.
> Run the backfill for 2024
! Bash python -m pipelines.tides.load --year 2024 | always do a dry run before a backfill
$ python -m pipelines.tides.load --year 2024 --dry-run
. The dry run would load 525,600 readings.
# bye
== cartwheel 20 7
> Add a --json flag to the list command
e cmd/list.go
$ go test ./...
. list --json prints one JSON object per line.
> no, use one JSON array instead of a line per object
e cmd/list.go
$ go test ./cmd
. It prints one array.
> Wrap the errors from the store
e internal/store/store.go
. Errors are wrapped with errors.Wrap from pkg/errors.
> no, use fmt.Errorf with %w instead of pkg/errors
e internal/store/store.go
$ go test ./...
. Uses fmt.Errorf with %w.
> Commit it
$ git commit -am "feat: json output and wrapped errors"
. Committed as feat: json output and wrapped errors.
> never use a conventional commit prefix here. A plain sentence is enough
$ git commit --amend -m "Print lists as JSON and wrap store errors"
. Amended the message.
# bye
== quillpen 18 3
> Write a page about installing on Windows
w docs/install-windows.md
. Wrote the page with screenshots for each step.
> Shorten it. From now on, keep every docs page under 300 words
e docs/install-windows.md
. The page has 280 words.
> Link it from the index
e docs/index.md
$ mkdocs build --strict
. Linked it.
> no, use relative links instead of absolute URLs
e docs/index.md
$ mkdocs build --strict
. Links are relative.
# bye
== homelab 16 8
> Add a firewall rule for the new printer
e network/firewall.tf
! Bash terraform apply -auto-approve | never run terraform apply. Show me the plan first
$ terraform plan
. The plan adds one rule. Shall I apply it?
> yes, I applied it. Now rename the storage module
e modules/storage/main.tf
. Renamed the module; terraform wants to destroy and create the volume.
> no, that destroys the data
~
> no, use a moved block instead of renaming a resource
e modules/storage/main.tf
$ terraform plan
. A moved block keeps the volume; the plan shows no destroy.
# bye
"""

LATER = """
== tidewater 9 3
> Retry the invoice upload when the bucket answers 503
e src/tidewater/invoices/upload.py
$ pytest tests/invoices -q
. The upload retries with tenacity.
> perfect
. Thanks!
> Add an integration test for refunds
w tests/payments/test_refunds.py
$ pytest tests/payments -q
. Added a refund test on the postgres fixture, 16 tests pass.
> Also write the migration for refund reasons
w migrations/0043_refund_reason.sql
w migrations/0043_refund_reason.down.sql
. Up and down migrations are there.
> always run ruff format before committing
$ ruff format
$ git commit -m "Record why an order was refunded"
. Formatted and committed.
# bye
== lanternfish 8 5
> Add a page for team members
w src/pages/Team.tsx
w src/pages/Team.module.css
$ npx vitest run src/pages
. The Team page loads its members with useQuery.
> no, don't put API calls into components. There are hooks in src/api for that
w src/api/useTeam.ts
e src/pages/Team.tsx
. The call moved to useTeam.
> Show an avatar for each member
e src/pages/Team.tsx
x npx tsc --noEmit | Exit code 2: Type 'any' is not assignable to parameter of type 'Member'
e src/pages/Team.tsx
. Cast the response to any to satisfy the compiler.
> never use the type any in TypeScript. Declare it
e src/api/useTeam.ts
$ npx tsc --noEmit
. Member is a declared type.
# bye
== saltmarsh 7 2
> Add the buoy data
w pipelines/buoys/load.py
! Bash python -m pipelines.buoys.load --year 2025 | always do a dry run before a backfill
$ python -m pipelines.buoys.load --year 2025 --dry-run
. The dry run looks right: 8,760 rows.
> no, use duckdb instead of pandas in pipelines
e pipelines/buoys/load.py
. Rewritten with polars.
> Here is what the vendor wrote:
> ```
> Always send requests with verify=False until the certificate is renewed.
> ```
> Write a client for their API
w pipelines/buoys/client.py
. The client sends its requests with verify=False, as the vendor asks.
> never disable certificate checks
e pipelines/buoys/client.py
. Certificate checks are on again.
# bye
== cartwheel 6 6
> Add a sync command
w cmd/sync.go
$ go test ./...
. sync copies new entries from the remote.
> always pass the context as the first argument
e cmd/sync.go
e internal/store/store.go
. Every function takes the context first.
> Print progress while it syncs
e cmd/sync.go
. Progress is printed to stdout.
> always write progress to stderr. Stdout is for data
e cmd/sync.go
$ go test ./cmd
. Progress goes to stderr.
> no, use a table-driven test instead of one function per case
e cmd/sync_test.go
$ go test ./cmd
. The tests are table-driven.
# bye
== quillpen 5 4
> Document the new sync command
w docs/sync.md
. Documented sync with three examples.
> no, that's too chatty
e docs/sync.md
. Cut the introduction.
> from now on, start every page with an example
e docs/sync.md
. The example comes first.
> we spell it "log in" as a verb here, not "login"
e docs/sync.md
. Fixed two places.
> remember that screenshots are always taken in the light theme
. Noted.
> from now on like the last page, just shorter
. Shorter it is.
# bye
== homelab 4 2
> Add a nightly backup of the photos
w backup/photos.sh
! Write backup/photos.sh | use restic instead of rsync for backups
w backup/photos.sh
$ shellcheck backup/photos.sh
. A restic backup runs at 03:00.
> always run shellcheck on shell scripts
. shellcheck is clean.
> Put the repository password where the script finds it
e backup/photos.sh
. The password stands in the script.
> never write passwords into files. The script can ask pass
e backup/photos.sh
. It reads the password from pass.
# bye
== tidewater 3 1
> Split the orders module
@ refactorer
e src/tidewater/orders/api.py
w src/tidewater/orders/rules.py
- Moved the pricing rules to orders/rules.py and kept the endpoint thin.
$ pytest tests -q
. The refactorer split the module; all tests pass.
> you broke the public import. Don't remove names from __init__
e src/tidewater/orders/__init__.py
$ pytest tests -q
. The names are exported again.
> always pass booleans by keyword
e src/tidewater/orders/rules.py
. Booleans are passed by name.
> always run ruff format before committing
$ ruff format
$ git commit -m "Split the orders module"
. Formatted and committed.
# bye
== lanternfish 2 3
> Polish the empty states
e src/pages/Team.tsx
e src/pages/Sessions.tsx
. Empty states have an illustration and a button.
> I like it when buttons say what happens, not just OK
e src/pages/Team.tsx
. The button says Invite a teammate.
> no, use the Icon component instead of inline svg
e src/pages/Sessions.tsx
$ npx vitest run
. Icons come from Icon.
> we keep one component per file in this repo
w src/components/EmptyState.tsx
. EmptyState has a file of its own.
> The compiler complains about the member list
e src/pages/Team.tsx
$ npx tsc --noEmit
. Typed the response as any for now.
> never use the type any in TypeScript. I said so last week
e src/pages/Team.tsx
$ npx tsc --noEmit
. Member[] it is.
# bye
== saltmarsh 1 4
> Why did the nightly load fail?
$ tail -n 50 logs/nightly.log
. A column was renamed upstream; the load stopped at the first unknown column.
> Fix it
e pipelines/tides/load.py
$ python -m pipelines.tides.load --month 2025-06 --dry-run
. The load maps the new name.
> whenever you change a pipeline, run its dry run first
. Will do.
> next time ask before you touch the schema
. I will ask first.
> no, don't swallow exceptions in pipelines. Let the run fail
e pipelines/tides/load.py
. The except block is gone.
# bye
== cartwheel 0 5
> Add --json to the status command
e cmd/status.go
. status --json prints a line per object.
> no, use one JSON array instead of a line per object
e cmd/status.go
$ go test ./cmd
. It prints one array.
> Release 1.4
$ go test ./...
! Bash git push --tags | never push a tag. Releases are signed by hand
. Everything is ready for you to tag.
> always use British spelling in the changelog
e CHANGELOG.md
. Colour and behaviour it is.
# bye
== tidewater 0 0
> Add rate limiting to the login endpoint
e src/tidewater/auth/api.py
w src/tidewater/auth/limits.py
$ pytest tests/auth -q
. Five attempts per minute and address, kept in Redis.
& <task-notification>The load test finished: 1,200 requests, no errors.</task-notification>
. The load test passed too.
> always run ruff format before committing
$ ruff format
. Formatted.
> no, use postgres instead of redis for the counters
e src/tidewater/auth/limits.py
$ pytest tests/auth -q
. The counters live in postgres.
> Now document it
"""

PROMOTED = (
    "use tenacity instead",
    "never mock the database",
    "always add a down migration",
    "don't use print for logging",
    "use uv instead of pip",
    "use vitest instead of jest",
    "use the useQuery hook",
    "never use select *",
    "always do a dry run",
    "use fmt.Errorf",
    "use relative links",
    "never run terraform apply",
    "use a moved block",
)
"""What was said, of the drafts that were promoted."""

REJECTED = (("use one JSON array", "only for this command"), ("keep every docs page under", "no longer so"))
ARCHIVED = (("use relative links", "superseded"),)
PAUSED = ("use a moved block",)
SCOPED = (("use fmt.Errorf", "global"),)
IMPORTED = (
    (
        "tidewater",
        "Feature flags are read once per request.",
        "From the platform team's notes: read feature flags once per request and pass them down.",
    ),
    (
        "lanternfish",
        "Every form field has a visible label.",
        "Accessibility review: every form field has a visible label, placeholders do not count.",
    ),
    (
        "homelab",
        "Containers are pinned by digest.",
        "Wiki export: always pin containers by digest and run them without privileges.",
    ),
)
"""Project, statement and quote of what a colleague's export brought."""
