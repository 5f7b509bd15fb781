"""The demo's remarks on how somebody wants to be worked with: traits, and two rules that cannot both hold."""

SCENE = """
== quillpen 9 3
> Explain why the sync loses the cursor
. The sync merges two event streams; here is the whole history of each, and of the merge …
> that's too verbose, three sentences are enough
. The older stream wins after a reconnect. The cursor is taken from it. It should come from the newer one.
> Fix it
e src/sync/merge.ts
$ pnpm test
. The cursor comes from the newer stream. All tests pass. In detail, what I did was the following …
> keep your answers short
. Fixed; tests pass.
> Rename the merge options
. Should I rename them in the docs as well? And in the tests? And shall I keep the old names for a while?
> just do it, you ask too much
e src/sync/options.ts
e docs/sync.md
. Renamed in code, tests and docs.
# bye
== quillpen 6 4
> Update the editor packages
$ pnpm up
. Everything is at its newest version. The list of all 41 packages with their changes follows …
> be more concise please
. 41 packages updated, tests pass.
> stop asking, just fix the lint errors too
e src/editor/toolbar.tsx
$ pnpm lint
. No lint errors are left.
> Drop the old schema
x pnpm prisma migrate reset | Exit code 1: database is in use
. The reset failed, the database is in use.
> ask me first before you touch a database
. Understood.
> Always use single quotes in TypeScript.
e src/editor/toolbar.tsx
. Done.
# bye
== quillpen 2 5
> Format the new files
$ pnpm prettier --write src
. Formatted.
> Never use single quotes in TypeScript, the formatter writes double ones.
$ pnpm prettier --write src
. Double quotes everywhere.
> You can run the whole suite without asking
$ pnpm test
. 212 tests pass.
# bye
"""
