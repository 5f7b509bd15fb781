"""The demo's sessions of this very hour: at a tool, waiting for a permission, at rest, stopped."""

SCENE = """
== cartwheel 0 0
> Let the status command watch a cluster until it is healthy, and have it reviewed
t 0/5
e cmd/status.go
w internal/watch/watch.go
$ go build ./...
t 2/5
e internal/watch/backoff.go
x go test ./internal/watch | Exit code 1: watch_test.go:41: deadline exceeded
e internal/watch/watch.go
$ go test ./internal/watch
t 3/5
@ code-reviewer
$ git diff main
@ test-writer
w internal/watch/flaky_test.go
x go test ./internal/watch -run Flaky | Exit code 1: undefined: newFake
e internal/watch/flaky_test.go
- Covered a cluster that comes and goes.
% Bash go test ./... -race
== saltmarsh 0 0
> List what the staging environment would change
e infra/staging.tf
$ terraform plan -target module.queue
. The plan adds one queue and changes nothing else.
> Roll it out to staging
t 1/3
% Bash terraform apply -target module.queue
? Claude needs your permission to use Bash
== quillpen 0 0
> Turn the changelog of the last release into a post
w posts/release-notes.md
$ npm run build
. The post is in posts/release-notes.md; the build passes.
> perfect, thanks
. Happy to help.
== lanternfish 0 1
> Make the orders table sortable
e src/components/OrderTable.tsx
i Edit src/components/OrderTable.test.tsx
# gone
"""
